// SPDX-License-Identifier: Apache-2.0
// Actuators of a spec: defaults, copies that outlive what they were made from, what a single Def may
// hold, and adds that fail without a trace.
#include "caller_memory.h"
#include "def_outcome.h"
#include "multibody/spec.h"

static void no_stress(void* user,
                      double t,
                      double s,
                      const double* xi,
                      const double* xi_dot,
                      double* stress,
                      double* K,
                      double* D) {
    (void)user, (void)t, (void)s, (void)xi, (void)xi_dot, (void)stress, (void)K, (void)D;
}

static ElvSpec* spec_create(void) {
    ElvSpec* spec = NULL;
    ElvError error;
    CHECK_STATUS(elv_spec_create("machine", &spec, &error), &error);
    return spec;
}

// ---- defaults

static void test_defaults(void** state) {
    (void)state;
    ElvPathDef path = elv_path_def_default();
    CHECK_TRUE(!path.rod && !path.at && path.from == 0.0 && path.to == 1.0 && !path.is_outside);
    CHECK_TRUE(path.y.kind == ELV_LAW_CONSTANT && path.y.value == 0.0 && path.z.value == 0.0);
    ElvTendonDef tendon = elv_tendon_def_default();
    CHECK_TRUE(tendon.pull == ELV_PULL_TENSION && tendon.n_path == 0 && !tendon.neglects_strain);
    CHECK_TRUE(tendon.stiffness == 0.0 && tendon.slack == 0.0 && tendon.friction == 0.0);
    ElvChamberDef chamber = elv_chamber_def_default();
    CHECK_TRUE(chamber.path.to == 1.0 && !chamber.neglects_strain);
    ElvMuscleDef muscle = elv_muscle_def_default();
    CHECK_TRUE(muscle.path.to == 1.0 && !muscle.neglects_strain && !muscle.pattern);
    ElvPatternDef pattern = elv_pattern_def_default();
    CHECK_TRUE(pattern.oscillators == 1 && pattern.amplitude.value == 1.0);
    CHECK_TRUE(pattern.phase_lag == 0.0 && pattern.coupling == 10.0 && pattern.rate == 5.0);
    ElvStrainControlDef strain = elv_strain_control_def_default();
    CHECK_TRUE(strain.from == 0.0 && strain.to == 1.0 && !strain.has_target[0]);
    ElvStressLawDef law = elv_stress_law_def_default();
    CHECK_TRUE(law.from == 0.0 && law.to == 1.0 && !law.callback);
    ElvVelocityControlDef velocity = elv_velocity_control_def_default();
    CHECK_TRUE(velocity.kp[5] == 0.0 && velocity.ki[0] == 0.0 && !velocity.at);
}

// ---- copies

static void add_path_actuators(ElvSpec* spec, Caller* caller) {
    ElvError error;
    ElvPathDef path[2] = {elv_path_def_default(), elv_path_def_default()};
    path[0].rod = caller_text(caller, "arm");
    path[0].y = caller_formula(caller, "0.01*s");
    path[0].z = caller_formula(caller, "0.02*s");
    path[1].at = caller_text(caller, "eye");
    path[1].point = elv_vec3(1.0, 2.0, 3.0);
    // what a point does not use is not kept
    path[1].y = caller_formula(caller, "9*s");
    path[1].is_outside = true;
    ElvTendonDef tendon = elv_tendon_def_default();
    tendon.name = caller_text(caller, "left");
    tendon.path = caller_copy(caller, path, sizeof path);
    tendon.n_path = 2;
    tendon.law = caller_formula(caller, "5*t");
    CHECK_STATUS(elv_spec_add_tendon(spec, &tendon, &error), &error);
    ElvChamberDef chamber = elv_chamber_def_default();
    chamber.name = caller_text(caller, "bag");
    chamber.path = path[0];
    chamber.area = caller_formula(caller, "1e-4*s");
    chamber.pressure = caller_formula(caller, "1e4*t");
    CHECK_STATUS(elv_spec_add_chamber(spec, &chamber, &error), &error);
    ElvMuscleDef muscle = elv_muscle_def_default();
    muscle.name = caller_text(caller, "biceps");
    muscle.path = path[0];
    muscle.force = caller_formula(caller, "7*s");
    muscle.activation = caller_formula(caller, "s*t");
    CHECK_STATUS(elv_spec_add_muscle(spec, &muscle, &error), &error);
}

static void add_pattern(ElvSpec* spec, Caller* caller) {
    ElvError error;
    ElvPatternDef pattern = elv_pattern_def_default();
    pattern.name = caller_text(caller, "rhythm");
    pattern.frequency = caller_formula(caller, "1 + t");
    pattern.amplitude = caller_formula(caller, "0.5*t");
    CHECK_STATUS(elv_spec_add_pattern(spec, &pattern, &error), &error);
    ElvMuscleDef muscle = elv_muscle_def_default();
    muscle.name = caller_text(caller, "triceps");
    muscle.path.rod = caller_text(caller, "arm");
    muscle.pattern = caller_text(caller, "rhythm");
    CHECK_STATUS(elv_spec_add_muscle(spec, &muscle, &error), &error);
}

static void add_controllers(ElvSpec* spec, Caller* caller) {
    ElvError error;
    ElvStrainControlDef strain = elv_strain_control_def_default();
    strain.rod = caller_text(caller, "arm");
    strain.kp[1] = caller_formula(caller, "1 + s");
    strain.kd[2] = caller_formula(caller, "2 + s");
    strain.target[3] = caller_formula(caller, "3 + s");
    strain.target[4] = caller_formula(caller, "4 + s");
    strain.has_target[3] = true;
    CHECK_STATUS(elv_spec_add_strain_control(spec, &strain, &error), &error);
    ElvStressLawDef law = elv_stress_law_def_default();
    law.rod = caller_text(caller, "arm");
    law.callback = no_stress;
    law.user = spec;
    CHECK_STATUS(elv_spec_add_stress_law(spec, &law, &error), &error);
    ElvVelocityControlDef velocity = elv_velocity_control_def_default();
    velocity.name = caller_text(caller, "cruise");
    velocity.at = caller_text(caller, "arm.tip");
    velocity.velocity[4] = caller_formula(caller, "6*t");
    velocity.kp[4] = 2.5;
    CHECK_STATUS(elv_spec_add_velocity_control(spec, &velocity, &error), &error);
}

static void test_copies(void** state) {
    (void)state;
    Caller caller = {{NULL}, {0}, 0};
    ElvSpec* spec = spec_create();
    add_path_actuators(spec, &caller);
    add_controllers(spec, &caller);
    add_pattern(spec, &caller);
    caller_free(&caller);

    assert_int_equal(spec->n_actuator, 8);
    const ElvTendonDef* tendon = &spec->actuator[0].as.tendon;
    assert_string_equal(tendon->name, "left");
    assert_string_equal(tendon->path[0].rod, "arm");
    assert_string_equal(tendon->path[0].z.text, "0.02*s");
    assert_string_equal(tendon->path[1].at, "eye");
    CHECK_TRUE(tendon->path[1].point.z == 3.0 && !tendon->path[1].is_outside);
    CHECK_TRUE(tendon->path[1].y.kind == ELV_LAW_CONSTANT && !tendon->path[1].y.text);
    assert_string_equal(tendon->law.text, "5*t");
    const ElvChamberDef* chamber = &spec->actuator[1].as.chamber;
    assert_string_equal(chamber->name, "bag");
    assert_string_equal(chamber->path.y.text, "0.01*s");
    assert_string_equal(chamber->area.text, "1e-4*s");
    assert_string_equal(chamber->pressure.text, "1e4*t");
    const ElvMuscleDef* muscle = &spec->actuator[2].as.muscle;
    assert_string_equal(muscle->name, "biceps");
    assert_string_equal(muscle->path.rod, "arm");
    assert_string_equal(muscle->force.text, "7*s");
    assert_string_equal(muscle->activation.text, "s*t");
    const ElvStrainControlDef* strain = &spec->actuator[3].as.strain_control;
    assert_string_equal(strain->rod, "arm");
    assert_string_equal(strain->kp[1].text, "1 + s");
    assert_string_equal(strain->kd[2].text, "2 + s");
    assert_string_equal(strain->target[3].text, "3 + s");
    CHECK_TRUE(!strain->target[4].text);
    assert_string_equal(spec->actuator[4].as.stress_law.rod, "arm");
    CHECK_TRUE(spec->actuator[4].as.stress_law.callback == no_stress);
    CHECK_TRUE(spec->actuator[4].as.stress_law.user == spec);
    const ElvVelocityControlDef* velocity = &spec->actuator[5].as.velocity_control;
    assert_string_equal(velocity->name, "cruise");
    assert_string_equal(velocity->at, "arm.tip");
    assert_string_equal(velocity->velocity[4].text, "6*t");
    CHECK_NEAR(velocity->kp[4], 2.5, 0.0);
    const ElvPatternDef* pattern = &spec->actuator[6].as.pattern;
    assert_string_equal(pattern->name, "rhythm");
    assert_string_equal(pattern->frequency.text, "1 + t");
    assert_string_equal(pattern->amplitude.text, "0.5*t");
    assert_string_equal(spec->actuator[7].as.muscle.pattern, "rhythm");
    elv_spec_free(spec);
}

// ---- checks

static ElvTendonDef good_tendon(ElvPathDef path[2]) {
    path[0] = path[1] = elv_path_def_default();
    path[0].rod = "arm";
    path[1].at = "world";
    ElvTendonDef def = elv_tendon_def_default();
    def.name = "cord";
    def.path = path;
    def.n_path = 2;
    def.law = elv_law_def_value(5.0);
    return def;
}

static ElvChamberDef good_chamber(void) {
    ElvChamberDef def = elv_chamber_def_default();
    def.name = "bag";
    def.path.rod = "arm";
    return def;
}

static ElvMuscleDef good_muscle(void) {
    ElvMuscleDef def = elv_muscle_def_default();
    def.name = "biceps";
    def.path.rod = "arm";
    return def;
}

#define TENDON(change, field, word)                                                                \
    CHECK_DEF(ElvTendonDef, good_tendon(path), elv_spec_add_tendon, "cord", change, field, word)
#define CHAMBER(change, field, word)                                                               \
    CHECK_DEF(ElvChamberDef, good_chamber(), elv_spec_add_chamber, "bag", change, field, word)
#define MUSCLE(change, field, word)                                                                \
    CHECK_DEF(ElvMuscleDef, good_muscle(), elv_spec_add_muscle, "biceps", change, field, word)

static void test_tendons(void** state) {
    (void)state;
    ElvPathDef path[2];
    TENDON((void)def, NULL, "");
    CHECK_DEF(ElvTendonDef, good_tendon(path), elv_spec_add_tendon, "actuators[0]", def.name = NULL,
              "tendon", "the tendon has no name");
    CHECK_DEF(ElvTendonDef, good_tendon(path), elv_spec_add_tendon, "world", def.name = "world",
              "tendon", "fixed frame");
    TENDON(def.n_path = 0, "path", "no path");
    TENDON(def.path = NULL, "path", "no path");
    TENDON((def.path = &path[1], def.n_path = 1), "path", "one point has no length");
    TENDON(path[0].rod = "", "path[0].rod", "empty");
    TENDON(path[1].at = "", "path[1].at", "empty");
    TENDON(path[1].at = NULL, "path[1].at", "empty");
    TENDON(path[0].at = "world", "path[0].rod", "not both");
    TENDON(path[1].point.y = NAN, "path[1].point", "finite");
    TENDON((path[0].rod = NULL, path[0].at = "world"), "path[1]", "same point");
    TENDON((path[0].rod = NULL, path[0].at = "world", path[0].point.x = 1.0), NULL, "");
    TENDON((path[0].from = 1.0, path[0].to = 0.0), NULL, "");
    TENDON(path[0].to = 0.0, "path[0].to", "same station");
    TENDON(path[0].from = -0.1, "path[0].from", "got -0.1");
    TENDON(path[0].to = NAN, "path[0].to", "from 0 to 1");
    TENDON(path[0].y.value = INFINITY, "path[0].y", "finite");
    TENDON(path[0].z = elv_law_def_formula(" "), "path[0].z", "empty");
    TENDON(def.law.value = -1e-9, "tension", "cannot push");
    TENDON(def.law.value = NAN, "tension", "finite");
    TENDON(def.law.value = 0.0, NULL, "");
    TENDON(def.pull = (ElvPull)2, "tension", "unknown kind of pull");
    TENDON(def.friction = -0.1, "friction", "negative");
    TENDON(def.stiffness = 1.0, "stiffness", "has no effect");
    TENDON(def.slack = 1.0, "slack", "has no effect");
    TENDON((def.pull = ELV_PULL_LENGTH, def.law.value = -1.0), NULL, "");
    TENDON((def.pull = ELV_PULL_LENGTH, def.stiffness = -1.0), "stiffness", "does not stretch");
    TENDON((def.pull = ELV_PULL_LENGTH, def.slack = NAN), "slack", "finite");
    TENDON((def.pull = ELV_PULL_LENGTH, def.law.value = INFINITY), "pull", "finite");
}

static void test_on_one_rod(void** state) {
    (void)state;
    CHAMBER((void)def, NULL, "");
    CHAMBER(def.path.rod = NULL, "path.rod", "empty");
    CHAMBER((def.path.rod = NULL, def.path.at = "world"), "path.at", "along a rod");
    CHAMBER((def.path.from = 0.5, def.path.to = 0.25), "path.to", "above 'from' (0.5)");
    CHAMBER(def.path.to = 1.5, "path.to", "got 1.5");
    CHAMBER(def.area.value = -1.0, "area", "negative");
    CHAMBER(def.pressure.value = -1.0, "pressure", "negative");
    CHAMBER(def.pressure = elv_law_def_callback(NULL, NULL), "pressure", "callback is missing");
    MUSCLE((def.force.value = 3.0, def.activation.value = 1.0), NULL, "");
    MUSCLE(def.force.value = -1.0, "force", "cannot push");
    MUSCLE(def.activation.value = 1.01, "activation", "from 0 to 1, got 1.01");
    MUSCLE(def.activation.value = -0.01, "activation", "from 0 to 1");
    MUSCLE(def.path.y.value = NAN, "path.y", "finite");
    MUSCLE((def.pattern = "rhythm", def.oscillator = 3, def.phase = 1.0), NULL, "");
    MUSCLE(def.pattern = "", "pattern", "empty");
    MUSCLE((def.pattern = "rhythm", def.activation.value = 0.5), "activation", "not both");
    MUSCLE((def.pattern = "rhythm", def.oscillator = -1), "oscillator", "from 0, got -1");
    MUSCLE((def.pattern = "rhythm", def.phase = NAN), "phase", "finite");
    MUSCLE(def.oscillator = 1, "oscillator", "has no effect");
    MUSCLE(def.phase = 1.0, "phase", "has no effect");
}

static ElvPatternDef good_pattern(void) {
    ElvPatternDef def = elv_pattern_def_default();
    def.name = "rhythm";
    def.frequency = elv_law_def_value(1.0);
    return def;
}

#define PATTERN(change, field, word)                                                               \
    CHECK_DEF(ElvPatternDef, good_pattern(), elv_spec_add_pattern, "rhythm", change, field, word)

static void test_patterns(void** state) {
    (void)state;
    PATTERN((void)def, NULL, "");
    CHECK_DEF(ElvPatternDef, good_pattern(), elv_spec_add_pattern, "actuators[0]", def.name = NULL,
              "pattern", "has no name");
    PATTERN(def.oscillators = 0, "oscillators", "from 1 to 64");
    PATTERN(def.oscillators = 64, NULL, "");
    PATTERN(def.oscillators = 65, "oscillators", "got 65");
    PATTERN(def.frequency.value = -1.0, NULL, "");
    PATTERN(def.frequency.value = NAN, "frequency", "finite");
    PATTERN(def.amplitude.value = 1.01, "amplitude", "from 0 to 1, got 1.01");
    PATTERN(def.phase_lag = INFINITY, "phase_lag", "finite");
    PATTERN(def.coupling = -1.0, "coupling", "negative");
    PATTERN(def.coupling = 0.0, NULL, "");
    PATTERN(def.rate = 0.0, "rate", "");
}

static ElvStrainControlDef good_strain_control(void) {
    ElvStrainControlDef def = elv_strain_control_def_default();
    def.rod = "arm";
    return def;
}

static ElvStressLawDef good_stress_law(void) {
    ElvStressLawDef def = elv_stress_law_def_default();
    def.rod = "arm";
    def.callback = no_stress;
    return def;
}

static ElvVelocityControlDef good_velocity_control(void) {
    ElvVelocityControlDef def = elv_velocity_control_def_default();
    def.name = "cruise";
    def.at = "arm.tip";
    return def;
}

#define STRAIN(change, field, word)                                                                \
    CHECK_DEF(ElvStrainControlDef, good_strain_control(), elv_spec_add_strain_control,             \
              "actuators[0]", change, field, word)
#define LAW(change, field, word)                                                                   \
    CHECK_DEF(ElvStressLawDef, good_stress_law(), elv_spec_add_stress_law, "actuators[0]", change, \
              field, word)
#define VELOCITY(change, field, word)                                                              \
    CHECK_DEF(ElvVelocityControlDef, good_velocity_control(), elv_spec_add_velocity_control,       \
              "cruise", change, field, word)

static void test_controllers(void** state) {
    (void)state;
    STRAIN((void)def, NULL, "");
    STRAIN(def.rod = NULL, "strain_control", "empty");
    STRAIN(def.to = 0.0, "to", "above 'from'");
    STRAIN(def.kp[3].value = NAN, "kp", "component 4 of 6");
    STRAIN(def.kd[0] = elv_law_def_formula(""), "kd", "component 1 of 6");
    STRAIN((def.has_target[1] = true, def.target[1].value = NAN), "target.bend_y", "finite");
    STRAIN(def.target[1].value = NAN, NULL, "");
    LAW((void)def, NULL, "");
    LAW(def.rod = "", "rod", "empty");
    LAW(def.from = -1.0, "from", "got -1");
    LAW(def.callback = NULL, "callback", "missing");
    VELOCITY((void)def, NULL, "");
    VELOCITY(def.at = "", "at", "empty");
    VELOCITY(def.kp[2] = NAN, "kp", "finite");
    VELOCITY(def.ki[5] = INFINITY, "ki", "finite");
    VELOCITY(def.velocity[1].value = NAN, "angular", "component 2 of 3");
    VELOCITY(def.velocity[5].value = NAN, "linear", "component 3 of 3");
}

// names are shared by elements, frames and actuators, whichever comes first
static void test_names(void** state) {
    (void)state;
    ElvSpec* spec = spec_create();
    ElvError error;
    ElvPathDef path[2];
    ElvTendonDef tendon = good_tendon(path);
    ElvMuscleDef muscle = good_muscle();
    ElvBodyDef body = elv_body_def_default();
    CHECK_STATUS(elv_spec_add_tendon(spec, &tendon, &error), &error);
    muscle.name = body.name = "cord";
    check_outcome(elv_spec_add_muscle(spec, &muscle, &error), &error, "cord", "muscle",
                  "already an actuator", __LINE__);
    check_outcome(elv_spec_add_body(spec, &body, &error), &error, "cord", "body",
                  "already an actuator", __LINE__);
    body.name = "box";
    CHECK_STATUS(elv_spec_add_body(spec, &body, &error), &error);
    muscle.name = "box";
    check_outcome(elv_spec_add_muscle(spec, &muscle, &error), &error, "box", "muscle",
                  "already a body", __LINE__);
    CHECK_TRUE(spec->n_actuator == 1 && spec->n_element == 1);
    // errors need not be asked for, and places are counted from those that were taken
    CHECK_TRUE(elv_spec_add_muscle(spec, &muscle, NULL) == ELV_ERROR_INPUT);
    ElvStressLawDef law = elv_stress_law_def_default();
    check_outcome(elv_spec_add_stress_law(spec, &law, &error), &error, "actuators[1]", "rod",
                  "empty", __LINE__);
    elv_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_copies),
        cmocka_unit_test(test_tendons),  cmocka_unit_test(test_on_one_rod),
        cmocka_unit_test(test_patterns), cmocka_unit_test(test_controllers),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
