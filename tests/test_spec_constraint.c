// SPDX-License-Identifier: Apache-2.0
// Constraints of a spec: defaults, copies that outlive what they were made from, what a single Def may
// hold, and adds that fail without a trace. What loops and sliders may hold: test_spec_loop.c.
#include "caller_memory.h"
#include "def_outcome.h"
#include "multibody/spec.h"

static ElvSpec* spec_create(void) {
    ElvSpec* spec = NULL;
    ElvError error;
    CHECK_STATUS(elv_spec_create("machine", &spec, &error), &error);
    return spec;
}

// ---- defaults

static void test_defaults(void** state) {
    (void)state;
    ElvLoopDef loop = elv_loop_def_default();
    assert_string_equal(loop.first, "world");
    CHECK_TRUE(!loop.name && !loop.second && loop.joint.type == ELV_JOINT_FIXED);
    CHECK_TRUE(loop.closure == ELV_CLOSURE_EXACT && loop.penalty[0] == 0.0);
    CHECK_TRUE(loop.joint.axis.z == 1.0 && loop.joint.gear[0] == 1.0);
    CHECK_TRUE(loop.pose[5].kind == ELV_LAW_CONSTANT && loop.pose[5].value == 0.0);
    ElvSliderDef slider = elv_slider_def_default();
    CHECK_TRUE(slider.station == 0.5 && slider.damping == 0.0 && !slider.is_driven);
    ElvVelocityConstraintDef velocity = elv_velocity_constraint_def_default();
    assert_string_equal(velocity.on, "world");
    CHECK_TRUE(velocity.n_row == 0 && velocity.rate[0].value == 0.0);
    ElvRollingDef rolling = elv_rolling_def_default();
    assert_string_equal(rolling.on, "world");
    CHECK_TRUE(rolling.axis.y == 1.0 && rolling.radius == 0.0 && !rolling.slips_sideways);
    ElvCouplingDef coupling = elv_coupling_def_default();
    CHECK_TRUE(coupling.n == 0 && coupling.value.value == 0.0);
    CHECK_NEAR(elv_statics_def_default().gain, 20.0, 0.0);
    CHECK_TRUE(elv_simulate_def_default().projects_velocity);
}

// ---- copies

static void add_loops(ElvSpec* spec, Caller* caller) {
    ElvError error;
    ElvLoopDef loop = elv_loop_def_default();
    loop.name = caller_text(caller, "apex");
    loop.first = caller_text(caller, "left.tip");
    loop.second = caller_text(caller, "right.tip");
    loop.pose[4] = caller_formula(caller, "0.1*t");
    loop.joint.type = ELV_JOINT_REVOLUTE;
    loop.joint.drive = ELV_DRIVE_MOTION;
    loop.joint.law[0] = caller_formula(caller, "sin(t)");
    CHECK_STATUS(elv_spec_add_loop(spec, &loop, &error), &error);
    ElvSliderDef slider = elv_slider_def_default();
    slider.name = caller_text(caller, "ring");
    slider.point = caller_text(caller, "bead");
    slider.rod = caller_text(caller, "rail");
    slider.force = caller_formula(caller, "2*t");
    CHECK_STATUS(elv_spec_add_slider(spec, &slider, &error), &error);
    slider.name = caller_text(caller, "lift");
    slider.force = elv_law_def_value(0.0);
    slider.is_driven = true;
    slider.drive = caller_formula(caller, "0.5*t");
    CHECK_STATUS(elv_spec_add_slider(spec, &slider, &error), &error);
}

static void add_constraints(ElvSpec* spec, Caller* caller) {
    ElvError error;
    ElvVelocityConstraintDef velocity = elv_velocity_constraint_def_default();
    velocity.name = caller_text(caller, "blade");
    velocity.at = caller_text(caller, "skate");
    velocity.on = caller_text(caller, "ice");
    velocity.n_row = 1;
    velocity.row[0][4] = 1.0;
    velocity.rate[0] = caller_formula(caller, "3*t");
    // what the number of rows leaves out is not kept
    velocity.row[1][0] = 7.0;
    velocity.rate[1] = caller_formula(caller, "9*t");
    CHECK_STATUS(elv_spec_add_velocity_constraint(spec, &velocity, &error), &error);
    ElvRollingDef rolling = elv_rolling_def_default();
    rolling.name = caller_text(caller, "wheel");
    rolling.at = caller_text(caller, "disk");
    rolling.on = caller_text(caller, "road");
    rolling.radius = 0.1;
    CHECK_STATUS(elv_spec_add_rolling(spec, &rolling, &error), &error);
    ElvCouplingDef coupling = elv_coupling_def_default();
    coupling.name = caller_text(caller, "gear");
    coupling.n = 2;
    coupling.joint[0] = caller_text(caller, "pinion");
    coupling.joint[1] = caller_text(caller, "rack");
    coupling.joint[2] = caller_text(caller, "spare");
    coupling.factor[0] = 1.0;
    coupling.factor[1] = -2.0;
    coupling.factor[2] = 5.0;
    coupling.component[1] = 1;
    coupling.value = caller_formula(caller, "4*t");
    CHECK_STATUS(elv_spec_add_coupling(spec, &coupling, &error), &error);
}

static void test_copies(void** state) {
    (void)state;
    Caller caller = {{NULL}, {0}, 0};
    ElvSpec* spec = spec_create();
    add_loops(spec, &caller);
    add_constraints(spec, &caller);
    caller_free(&caller);

    assert_int_equal(spec->n_constraint, 6);
    static const char* const name[] = {"apex", "ring", "lift", "blade", "wheel", "gear"};
    for (int i = 0; i < 6; i++) {
        assert_string_equal(elv_constraint_name(&spec->constraint[i]), name[i]);
        CHECK_TRUE(elv_is_loop(spec->constraint[i].kind) == (i < 3));
    }
    const ElvLoopDef* loop = &spec->constraint[0].as.loop;
    assert_string_equal(loop->first, "left.tip");
    assert_string_equal(loop->second, "right.tip");
    assert_string_equal(loop->pose[4].text, "0.1*t");
    assert_string_equal(loop->joint.law[0].text, "sin(t)");
    const ElvSliderDef* slider = &spec->constraint[1].as.slider;
    assert_string_equal(slider->point, "bead");
    assert_string_equal(slider->rod, "rail");
    assert_string_equal(slider->force.text, "2*t");
    assert_string_equal(spec->constraint[2].as.slider.drive.text, "0.5*t");
    const ElvVelocityConstraintDef* velocity = &spec->constraint[3].as.velocity;
    assert_string_equal(velocity->at, "skate");
    assert_string_equal(velocity->on, "ice");
    assert_string_equal(velocity->rate[0].text, "3*t");
    CHECK_TRUE(velocity->row[1][0] == 0.0 && !velocity->rate[1].text);
    const ElvRollingDef* rolling = &spec->constraint[4].as.rolling;
    assert_string_equal(rolling->at, "disk");
    assert_string_equal(rolling->on, "road");
    const ElvCouplingDef* coupling = &spec->constraint[5].as.coupling;
    assert_string_equal(coupling->joint[0], "pinion");
    assert_string_equal(coupling->joint[1], "rack");
    CHECK_TRUE(!coupling->joint[2] && coupling->factor[2] == 0.0 && coupling->component[1] == 1);
    assert_string_equal(coupling->value.text, "4*t");
    elv_spec_free(spec);
}

// ---- checks of constraints

static ElvVelocityConstraintDef good_velocity(void) {
    ElvVelocityConstraintDef def = elv_velocity_constraint_def_default();
    def.name = "blade";
    def.at = "skate";
    def.n_row = 2;
    def.row[0][4] = 1e-200;
    def.row[1][4] = 1e200;
    def.row[1][0] = -3e200;
    return def;
}

#define VELOCITY(change, field, word)                                                              \
    CHECK_DEF(ElvVelocityConstraintDef, good_velocity(), elv_spec_add_velocity_constraint,         \
              "blade", change, field, word)

static void test_velocities(void** state) {
    (void)state;
    VELOCITY((void)def, NULL, "");
    CHECK_DEF(ElvVelocityConstraintDef, good_velocity(), elv_spec_add_velocity_constraint,
              "constraints[0]", def.name = NULL, "velocity", "has no name");
    VELOCITY(def.at = NULL, "at", "empty");
    VELOCITY(def.on = NULL, "on", "empty");
    VELOCITY(def.on = "skate", "on", "both are 'skate'");
    VELOCITY(def.at = "a b", "at", "is no frame");
    VELOCITY(def.n_row = 0, "rows", "from 1 to 5 rows, got 0");
    VELOCITY(def.n_row = 6, "rows", "a loop with a fixed joint");
    VELOCITY(def.n_row = 1, NULL, "");
    VELOCITY(def.n_row = 3, "rows[2]", "row 3 is zero");
    VELOCITY(def.row[1][2] = INFINITY, "rows[1]", "finite");
    VELOCITY(def.row[1][0] = 0.0, "rows[1]", "row 2 is a combination");
    VELOCITY((def.n_row = 3, def.row[2][0] = 1.0, def.row[2][4] = 5.0), "rows[2]",
             "row 3 is a combination of those before it: take it away");
    VELOCITY(def.rate[1].value = NAN, "equals", "component 2 of 2");
    VELOCITY(def.rate[2].value = NAN, NULL, "");
}

static ElvRollingDef good_rolling(void) {
    ElvRollingDef def = elv_rolling_def_default();
    def.name = "wheel";
    def.at = "disk";
    def.radius = 0.1;
    return def;
}

static ElvCouplingDef good_coupling(void) {
    ElvCouplingDef def = elv_coupling_def_default();
    def.name = "gear";
    def.n = 2;
    def.joint[0] = "pinion";
    def.joint[1] = "rack";
    def.factor[0] = 1.0;
    def.factor[1] = -2.0;
    return def;
}

#define ROLLING(change, field, word)                                                               \
    CHECK_DEF(ElvRollingDef, good_rolling(), elv_spec_add_rolling, "wheel", change, field, word)
#define COUPLING(change, field, word)                                                              \
    CHECK_DEF(ElvCouplingDef, good_coupling(), elv_spec_add_coupling, "gear", change, field, word)

static void test_others(void** state) {
    (void)state;
    ROLLING((void)def, NULL, "");
    CHECK_DEF(ElvRollingDef, good_rolling(), elv_spec_add_rolling, "constraints[0]",
              def.name = NULL, "rolling", "has no name");
    ROLLING(def.radius = 0.0, "radius", "positive");
    ROLLING(def.radius = NAN, "radius", "positive");
    ROLLING(def.axis = elv_vec3(0.0, 0.0, 0.0), "axis", "no direction");
    ROLLING(def.axis.x = INFINITY, "axis", "no direction");
    ROLLING(def.at = "world", "on", "both are 'world'");
    COUPLING((void)def, NULL, "");
    CHECK_DEF(ElvCouplingDef, good_coupling(), elv_spec_add_coupling, "constraints[0]",
              def.name = NULL, "coupling", "has no name");
    COUPLING(def.n = 1, NULL, "");
    COUPLING(def.n = 0, "joints", "from 1 to 8 coordinates");
    COUPLING(def.n = 9, "joints", "got 9");
    COUPLING(def.n = 3, "joints[2].joint", "empty");
    COUPLING(def.joint[1] = "rack.tip", "joints[1].joint", "not the name of a body or rod");
    COUPLING(def.factor[1] = 0.0, "joints[1].factor", "take 'rack' away");
    COUPLING(def.factor[0] = NAN, "joints[0].factor", "finite");
    COUPLING(def.component[1] = -1, "joints[1].component", "got -1");
    COUPLING(def.component[1] = 6, "joints[1].component", "at most 5");
    COUPLING(def.joint[1] = "pinion", "joints[1].joint", "there twice: add its factors");
    COUPLING((def.joint[1] = "pinion", def.component[1] = 1), NULL, "");
    COUPLING(def.value = elv_law_def_formula(""), "equals", "empty");
}

static void test_gain(void** state) {
    (void)state;
    CHECK_DEF(ElvStaticsDef, elv_statics_def_default(), elv_spec_set_statics, "statics",
              def.gain = 0.0, "gain", "1/s");
    CHECK_DEF(ElvStaticsDef, elv_statics_def_default(), elv_spec_set_statics, "statics",
              def.method = ELV_STATICS_PROJECTIVE, NULL, "");
}

// ---- names

// constraints share their names with everything else, and a failed add leaves nothing behind
static void test_names(void** state) {
    (void)state;
    ElvSpec* spec = spec_create();
    ElvError error;
    ElvLoopDef loop = elv_loop_def_default();
    loop.name = "apex";
    loop.second = "arm.tip";
    ElvSliderDef slider = elv_slider_def_default();
    slider.point = "bead";
    slider.rod = "rail";
    ElvRollingDef wheel = good_rolling();
    CHECK_STATUS(elv_spec_add_loop(spec, &loop, &error), &error);
    CHECK_STATUS(elv_spec_add_rolling(spec, &wheel, &error), &error);

    slider.name = "apex";
    assert_int_equal(elv_spec_add_slider(spec, &slider, &error), ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "'apex' is already a loop") != NULL);
    slider.name = "wheel";
    assert_int_equal(elv_spec_add_slider(spec, &slider, &error), ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "'wheel' is already a constraint") != NULL);
    // places are counted by list
    slider.name = NULL;
    assert_int_equal(elv_spec_add_slider(spec, &slider, &error), ELV_ERROR_INPUT);
    assert_string_equal(error.element, "loops[1]");
    wheel.name = NULL;
    assert_int_equal(elv_spec_add_rolling(spec, &wheel, &error), ELV_ERROR_INPUT);
    assert_string_equal(error.element, "constraints[1]");

    ElvBodyDef body = elv_body_def_default();
    body.name = "apex";
    assert_int_equal(elv_spec_add_body(spec, &body, &error), ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "already a loop") != NULL);
    ElvFrameDef frame = elv_frame_def_default();
    frame.name = "wheel";
    assert_int_equal(elv_spec_add_frame(spec, &frame, &error), ELV_ERROR_INPUT);
    body.name = "box";
    CHECK_STATUS(elv_spec_add_body(spec, &body, &error), &error);
    loop.name = "box";
    assert_int_equal(elv_spec_add_loop(spec, &loop, &error), ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "already a body") != NULL);
    assert_int_equal(spec->n_constraint, 2);
    elv_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),   cmocka_unit_test(test_copies),
        cmocka_unit_test(test_velocities), cmocka_unit_test(test_others),
        cmocka_unit_test(test_gain),       cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
