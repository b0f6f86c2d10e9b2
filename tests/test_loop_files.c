// SPDX-License-Identifier: Apache-2.0
// Loops and constraints in model files: what is read from a text that uses every key, what is written
// reads back to the bit, random specs too, and rods have a port where a constraint holds them. Bad
// files: test_loop_errors.c.
#include "elver/io.h"
#include "model_sample.h"
#include "multibody/model.h"
#include "random_constraint.h"
#include "same_constraint.h"

static ElvSpec* read_spec(const char* text, const ElvOverride* override, int n_override) {
    ElvSpec* spec = NULL;
    ElvError error;
    ElvStatus status =
        elv_spec_read_text(text, strlen(text), "x.yaml", override, n_override, &spec, &error);
    if (status != ELV_OK) {
        fail_msg("%d:%d: %s\n%s", error.line, error.column, error.message, text);
    }
    return spec;
}

static const ElvConstraint* find(const ElvSpec* spec, const char* name) {
    for (int i = 0; i < spec->n_constraint; i++) {
        if (strcmp(elv_constraint_name(&spec->constraint[i]), name) == 0) {
            return &spec->constraint[i];
        }
    }
    fail_msg("no constraint is named %s", name);
    return NULL;
}

static bool is_zero(const ElvLawDef* law) {
    return law->kind == ELV_LAW_CONSTANT && law->value == 0.0;
}

// ---- reading

static void test_loops(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_loops, NULL, 0);
    assert_int_equal(spec->n_constraint, 17);

    const ElvLoopDef* apex = &find(spec, "apex")->as.loop;
    assert_string_equal(apex->first, "left.tip");
    assert_string_equal(apex->second, "right");
    CHECK_TRUE(apex->joint.type == ELV_JOINT_REVOLUTE && apex->joint.drive == ELV_DRIVE_FORCE);
    CHECK_TRUE(apex->joint.damping[0] == 0.1 && apex->joint.stiffness[0] == 2.0);
    CHECK_TRUE(apex->joint.rest[0] == 0.1 && apex->joint.axis.z == 1.0);
    assert_string_equal(apex->joint.law[0].text, "2*sin(t)");
    assert_int_equal(apex->closure, ELV_CLOSURE_AUGMENTED);
    CHECK_ARRAY_NEAR(apex->penalty, ((double[2]){100.0, 1e4}), 2, 0.0);
    CHECK_TRUE(is_zero(&apex->pose[0]) && is_zero(&apex->pose[5]));

    // by its place; angles first, as in a twist
    const ElvLoopDef* moved = &find(spec, "loop2")->as.loop;
    CHECK_TRUE(moved->joint.type == ELV_JOINT_FIXED && moved->closure == ELV_CLOSURE_EXACT);
    assert_string_equal(moved->first, "world");
    assert_string_equal(moved->pose[0].text, "w*t");
    assert_string_equal(moved->pose[3].text, "0.1*t");
    CHECK_TRUE(is_zero(&moved->pose[4]) && moved->pose[5].kind == ELV_LAW_TABLE);
    CHECK_NEAR(moved->pose[5].y[1], 2.0, 0.0);

    // one penalty for both, a formula
    const ElvLoopDef* leash = &find(spec, "leash")->as.loop;
    CHECK_TRUE(leash->joint.type == ELV_JOINT_SPHERICAL && leash->closure == ELV_CLOSURE_PENALTY);
    CHECK_ARRAY_NEAR(leash->penalty, ((double[2]){500.0, 500.0}), 2, 0.0);
    CHECK_NEAR(leash->pose[3].value, -1.0, 0.0);

    // axes beside a joint
    const ElvLoopDef* cross = &find(spec, "loop4")->as.loop;
    CHECK_TRUE(cross->joint.type == ELV_JOINT_UNIVERSAL && cross->joint.axis.x == -1.0);
    CHECK_TRUE(cross->joint.axis2.z == 2.0 && cross->joint.axis2.y == 0.0);
    const ElvLoopDef* way = &find(spec, "way")->as.loop;
    CHECK_TRUE(way->joint.type == ELV_JOINT_PRISMATIC && way->joint.drive == ELV_DRIVE_MOTION);
    assert_string_equal(way->joint.law[0].text, "0.1*sin(t)");
    const ElvLoopDef* flat = &find(spec, "loop6")->as.loop;
    CHECK_ARRAY_NEAR(flat->joint.damping, ((double[3]){1.0, 2.0, 3.0}), 3, 0.0);
    elv_spec_free(spec);
}

static void test_sliders(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_loops, NULL, 0);
    const ElvSliderDef* ring = &find(spec, "ring")->as.slider;
    assert_string_equal(ring->point, "bead");
    assert_string_equal(ring->rod, "rail");
    CHECK_TRUE(ring->station == 0.3 && ring->damping == 0.2 && !ring->is_driven);
    assert_string_equal(ring->force.text, "0.1*t");
    const ElvSliderDef* lift = &find(spec, "lift")->as.slider;
    CHECK_TRUE(lift->is_driven && lift->station == 0.5 && lift->damping == 0.0);
    assert_string_equal(lift->drive.text, "0.7 + 0.1*sin(t)");
    CHECK_TRUE(is_zero(&lift->force));
    elv_spec_free(spec);
}

static void test_constraints(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_loops, NULL, 0);
    // a direction is a unit vector
    const ElvVelocityConstraintDef* blade = &find(spec, "blade")->as.velocity;
    assert_string_equal(blade->at, "skate");
    assert_string_equal(blade->on, "world");
    assert_int_equal(blade->n_row, 1);
    CHECK_ARRAY_NEAR(blade->row[0], ((double[6]){0.0, 0.0, 0.0, 0.0, 1.0, 0.0}), 6, 0.0);
    CHECK_TRUE(is_zero(&blade->rate[0]));
    const ElvVelocityConstraintDef* spin = &find(spec, "spin")->as.velocity;
    assert_int_equal(spin->n_row, 2);
    assert_string_equal(spin->on, "ground");
    CHECK_ARRAY_NEAR(spin->row[1], ((double[6]){1.0, 0.0, 0.0, 0.0, 0.5, 0.0}), 6, 0.0);
    assert_string_equal(spin->rate[0].text, "sin(t)");
    CHECK_NEAR(spin->rate[1].value, 2.0, 0.0);

    const ElvRollingDef* wheel = &find(spec, "wheel")->as.rolling;
    assert_string_equal(wheel->at, "disk");
    assert_string_equal(wheel->on, "world");
    CHECK_TRUE(wheel->axis.y == 1.0 && wheel->radius == 0.1 && !wheel->slips_sideways);
    const ElvRollingDef* roller = &find(spec, "roller")->as.rolling;
    CHECK_TRUE(roller->axis.y == -1.0 && roller->slips_sideways);
    assert_string_equal(roller->on, "ground");

    const ElvWheelDef* driven = &find(spec, "driven")->as.wheel;
    assert_string_equal(driven->at, "skate");
    CHECK_TRUE(driven->axis.y == 1.0 && driven->axis.z == 0.5 && !driven->is_omni);
    CHECK_TRUE(driven->radius == 0.05 && driven->drive == ELV_WHEEL_ROTATION);
    assert_string_equal(driven->law.text, "2*t");
    const ElvWheelDef* castor = &find(spec, "castor")->as.wheel;
    CHECK_TRUE(castor->is_omni && castor->drive == ELV_WHEEL_TORQUE && castor->axis.y == 1.0);
    CHECK_NEAR(castor->law.value, 0.2, 0.0);

    const ElvContactDef* clamp = &find(spec, "clamp")->as.contact;
    assert_string_equal(clamp->rod, "rail");
    assert_string_equal(clamp->on, "ball");
    assert_string_equal(clamp->station.text, "0.5 + 0.1*t");
    CHECK_TRUE(clamp->kind == ELV_CONTACT_ANCHOR && !clamp->slides && clamp->when.text);
    const ElvContactDef* hoop = &find(spec, "hoop")->as.contact;
    assert_string_equal(hoop->on, "world");
    CHECK_TRUE(hoop->kind == ELV_CONTACT_RING && hoop->slides && hoop->when.value == 1.0);
    CHECK_NEAR(hoop->station.value, 0.2, 0.0);

    const ElvCouplingDef* gear = &find(spec, "gear")->as.coupling;
    assert_int_equal(gear->n, 2);
    assert_string_equal(gear->joint[0], "pinion");
    assert_string_equal(gear->joint[1], "rack");
    CHECK_TRUE(gear->factor[0] == 1.0 && gear->factor[1] == -2.0);
    CHECK_TRUE(gear->component[0] == 0 && gear->component[1] == 1);
    assert_string_equal(gear->value.text, "0.1*t");

    CHECK_TRUE(spec->simulate.projects_velocity);
    CHECK_TRUE(spec->statics.method == ELV_STATICS_PROJECTIVE && spec->statics.gain == 5.0);
    elv_spec_free(spec);
}

// what a file says nothing of
static void test_defaults(void** state) {
    (void)state;
    ElvSpec* spec = read_spec("elver: 1\ntree: [{body: a, mass: 1}]\nsimulate: {velocities: free}\n"
                              "loops: [{between: [world, a]}]\n"
                              "constraints:\n  - {velocity: v, at: a, direction: -z, equals: 3}\n",
                              NULL, 0);
    CHECK_TRUE(!spec->simulate.projects_velocity && spec->statics.gain == 20.0);
    const ElvLoopDef* loop = &find(spec, "loop1")->as.loop;
    CHECK_TRUE(loop->joint.type == ELV_JOINT_FIXED && loop->closure == ELV_CLOSURE_EXACT);
    CHECK_TRUE(loop->penalty[0] == 0.0 && loop->penalty[1] == 0.0);
    const ElvVelocityConstraintDef* v = &find(spec, "v")->as.velocity;
    CHECK_ARRAY_NEAR(v->row[0], ((double[6]){0.0, 0.0, 0.0, 0.0, 0.0, -1.0}), 6, 0.0);
    CHECK_NEAR(v->rate[0].value, 3.0, 0.0);
    elv_spec_free(spec);
}

static void test_overrides(void** state) {
    (void)state;
    const ElvOverride overrides[] = {
        {"apex.penalty", "7"},           {"apex.joint.revolute.damping", "0.5"},
        {"loop2.pose.xyz[1]", "t^2"},    {"loop4.axis", "[0, 1, 0]"},
        {"ring.station", "0.4"},         {"blade.equals", "2*t"},
        {"spin.rows[0][5]", "4"},        {"wheel.radius", "L"},
        {"gear.joints[1].factor", "-3"}, {"constraints[3].sideways", "held"},
        {"simulate.velocities", "free"},
    };
    ElvSpec* spec = read_spec(sample_loops, overrides, sizeof overrides / sizeof overrides[0]);
    CHECK_ARRAY_NEAR(find(spec, "apex")->as.loop.penalty, ((double[2]){7.0, 7.0}), 2, 0.0);
    CHECK_NEAR(find(spec, "apex")->as.loop.joint.damping[0], 0.5, 0.0);
    assert_string_equal(find(spec, "loop2")->as.loop.pose[4].text, "t^2");
    CHECK_NEAR(find(spec, "loop4")->as.loop.joint.axis.y, 1.0, 0.0);
    CHECK_NEAR(find(spec, "ring")->as.slider.station, 0.4, 0.0);
    assert_string_equal(find(spec, "blade")->as.velocity.rate[0].text, "2*t");
    CHECK_NEAR(find(spec, "spin")->as.velocity.row[0][5], 4.0, 0.0);
    CHECK_NEAR(find(spec, "wheel")->as.rolling.radius, 0.5, 0.0);
    CHECK_NEAR(find(spec, "gear")->as.coupling.factor[1], -3.0, 0.0);
    CHECK_TRUE(!find(spec, "roller")->as.rolling.slips_sideways);
    CHECK_TRUE(!spec->simulate.projects_velocity);
    elv_spec_free(spec);

    const char* const wrong[][2] = {{"apx.penalty", "did you mean 'apex'?"},
                                    {"whel.radius", "did you mean 'wheel'?"},
                                    {"ringg.damping", "did you mean 'ring'?"},
                                    {"loop9.axis", "has no 'loop9' to set"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ElvOverride override = {wrong[i][0], "1"};
        ElvError error;
        assert_int_equal(elv_spec_read_text(sample_loops, strlen(sample_loops), "x.yaml", &override,
                                            1, &spec, &error),
                         ELV_ERROR_INPUT);
        CHECK_TRUE(strstr(error.message, wrong[i][1]) != NULL);
    }
}

// ---- writing

static void check_round_trip(const ElvSpec* spec) {
    char* text = NULL;
    char* again = NULL;
    ElvError error;
    CHECK_STATUS(elv_spec_write_text(spec, &text, &error), &error);
    ElvSpec* back = read_spec(text, NULL, 0);
    assert_int_equal(back->n_constraint, spec->n_constraint);
    for (int i = 0; i < spec->n_constraint; i++) {
        check_same_constraint(find(back, elv_constraint_name(&spec->constraint[i])),
                              &spec->constraint[i]);
    }
    CHECK_TRUE(back->simulate.projects_velocity == spec->simulate.projects_velocity);
    CHECK_TRUE(back->statics.method == spec->statics.method);
    CHECK_NEAR(back->statics.gain, spec->statics.gain, 0.0);
    CHECK_STATUS(elv_spec_write_text(back, &again, &error), &error);
    assert_string_equal(again, text);
    elv_spec_free(back);
    elv_text_free(text);
    elv_text_free(again);
}

static void test_round_trip(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_loops, NULL, 0);
    check_round_trip(spec);
    elv_spec_free(spec);
}

static void test_random_round_trip(void** state) {
    (void)state;
    RandomParts parts = {.random = check_random(31)};
    for (int k = 0; k < 200; k++) {
        ElvSpec* spec = NULL;
        ElvError error;
        CHECK_STATUS(elv_spec_create("random", &spec, &error), &error);
        ElvBodyDef body = elv_body_def_default();
        body.name = "box";
        CHECK_STATUS(elv_spec_add_body(spec, &body, &error), &error);
        int n = 1 + check_integer(&parts.random, 8);
        for (int i = 0; i < n; i++) {
            (void)snprintf(parts.name, sizeof parts.name, "c%d", i);
            CHECK_STATUS(random_constraint(&parts, spec, &error), &error);
        }
        check_round_trip(spec);
        elv_spec_free(spec);
    }
}

static void glide(void* user, double t, double s, ElvJet* jet) {
    (void)user, (void)t, (void)s, (void)jet;
}

// what is a C function has no spelling
static void test_callbacks(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_loops, NULL, 0);
    ElvError error;
    char* text = NULL;
    ElvLoopDef loop = elv_loop_def_default();
    loop.name = "guide";
    loop.second = "right";
    loop.pose[3] = elv_law_def_callback(glide, NULL);
    CHECK_STATUS(elv_spec_add_loop(spec, &loop, &error), &error);
    assert_int_equal(elv_spec_write_text(spec, &text, &error), ELV_ERROR_INPUT);
    assert_null(text);
    assert_string_equal(error.element, "guide");
    elv_spec_free(spec);
}

// ---- compiling

#define ARM                                                                                        \
    "elver: 1\n"                                                                                   \
    "tree:\n"                                                                                      \
    "  - {rod: arm, length: 1, section: {circle: {diameter: 0.1}},\n"                              \
    "     material: {density: 1000, young: 1e6}, strain: {kirchhoff: 2}}\n"                        \
    "  - {body: box, mass: 1, inertia: [1, 1, 1], joint: free}\n"                                  \
    "frames: [{name: knot, on: arm.at(0.75), pose: {xyz: [0, 0.1, 0]}}]\n"

static bool has_station(const char* text, double station) {
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "x.yaml", NULL, 0, &model, &error),
                 &error);
    bool is_there = false;
    for (int i = 0; i < model->n_port; i++) {
        is_there = is_there || fabs(model->port[i].station - station) < 1e-12;
    }
    elv_model_free(model);
    return is_there;
}

// a rod has a port wherever a constraint holds it, on either side
static void test_stations(void** state) {
    (void)state;
    CHECK_TRUE(!has_station(ARM, 0.3));
    CHECK_TRUE(has_station(ARM "loops:\n  - {joint: spherical, between: [arm.at(0.3), box],\n"
                               "     closure: penalty, penalty: 1}\n",
                           0.3));
    CHECK_TRUE(has_station(ARM "loops:\n  - {joint: spherical, between: [box, arm.at(0.3)],\n"
                               "     closure: penalty, penalty: 1}\n",
                           0.3));
    CHECK_TRUE(has_station(ARM "constraints:\n"
                               "  - {velocity: v, at: arm.at(0.3), direction: y}\n",
                           0.3));
    CHECK_TRUE(has_station(ARM "constraints:\n"
                               "  - {velocity: v, at: box, on: arm.at(0.3), direction: y}\n",
                           0.3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_sliders),
        cmocka_unit_test(test_constraints),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_random_round_trip),
        cmocka_unit_test(test_callbacks),
        cmocka_unit_test(test_stations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
