// SPDX-License-Identifier: Apache-2.0
// What a single Def may hold: each bad value is refused with the element, the key and a word of the
// message, and its good neighbours at the limits are taken. Rods are tested by test_spec_check_rod.c.
#include "multibody/spec_check.h"

#include "check.h"
#include "def_outcome.h"

// ---- good Defs

static ElvBodyDef good_body(void) {
    ElvBodyDef def = elv_body_def_default();
    def.name = "hand";
    def.joint.type = ELV_JOINT_UNIVERSAL;
    def.mass = 1.0;
    return def;
}

static ElvFrameDef good_frame(void) {
    ElvFrameDef def = elv_frame_def_default();
    def.name = "eye";
    return def;
}

static ElvWrenchDef good_wrench(void) {
    ElvWrenchDef def = elv_wrench_def_default();
    def.at = "arm.tip";
    return def;
}

static ElvDistributedDef good_distributed(void) {
    ElvDistributedDef def = elv_distributed_def_default();
    def.rod = "arm";
    return def;
}

static ElvStressDef good_stress(void) {
    ElvStressDef def = elv_stress_def_default();
    def.rod = "arm";
    return def;
}

#define BODY(change, field, word)                                                                  \
    CHECK_DEF(ElvBodyDef, good_body(), elv_spec_add_body, "hand", change, field, word)
#define FRAME(change, field, word)                                                                 \
    CHECK_DEF(ElvFrameDef, good_frame(), elv_spec_add_frame, "eye", change, field, word)
#define WRENCH(change, field, word)                                                                \
    CHECK_DEF(ElvWrenchDef, good_wrench(), elv_spec_add_wrench, "loads[0]", change, field, word)
#define DISTRIBUTED(change, field, word)                                                           \
    CHECK_DEF(ElvDistributedDef, good_distributed(), elv_spec_add_distributed, "loads[0]", change, \
              field, word)
#define STRESS(change, field, word)                                                                \
    CHECK_DEF(ElvStressDef, good_stress(), elv_spec_add_stress, "actuators[0]", change, field, word)
#define SIMULATE(change, field, word)                                                              \
    CHECK_DEF(ElvSimulateDef, elv_simulate_def_default(), elv_spec_set_simulate, "simulate",       \
              change, field, word)
#define RECORD(change, field, word)                                                                \
    CHECK_DEF(ElvRecordDef, elv_record_def_default(), elv_spec_set_record, "record", change,       \
              field, word)

// ---- names

static void name_outcome(ElvSpec* spec, const char* name, const char* word, int line) {
    ElvError error;
    elv_error_clear(&error);
    ElvFrameDef def = good_frame();
    def.name = name;
    ElvStatus status = elv_spec_add_frame(spec, &def, &error);
    check_outcome(status, &error, name, word ? "frame" : NULL, word, line);
}

static void test_names(void** state) {
    (void)state;
    ElvSpec* spec = NULL;
    ElvError error;
    ElvElementDef element[1];
    CHECK_STATUS(elv_spec_create(NULL, &spec, &error), &error);
    static const char* const good[] = {"a", "_", "Arm-2_left", "w", "worlds", "t"};
    static const char* const bad[] = {"2a", "-a", "a.b", "a(1)", "a b", "\xc3\xa9", " a"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        name_outcome(spec, good[i], NULL, __LINE__);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        name_outcome(spec, bad[i], "is not a name", __LINE__);
    }
    name_outcome(spec, "world", "fixed frame", __LINE__);

    // as long as an error can tell, and no longer
    char name[ELV_SIZE_NAME + 1];
    memset(name, 'n', sizeof name);
    name[ELV_SIZE_NAME] = '\0';
    ElvFrameDef frame = good_frame();
    frame.name = name;
    CHECK_TRUE(elv_spec_add_frame(spec, &frame, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "at most 95 characters"));
    name[ELV_SIZE_NAME - 1] = '\0';
    CHECK_STATUS(elv_spec_add_frame(spec, &frame, &error), &error);

    // unique over bodies, rods and frames, each way
    ElvBodyDef body = good_body();
    ElvRodDef rod = good_rod(element, 1);
    CHECK_STATUS(elv_spec_add_body(spec, &body, &error), &error);
    CHECK_STATUS(elv_spec_add_rod(spec, &rod, &error), &error);
    name_outcome(spec, "hand", "names must be unique: 'hand' is already a body", __LINE__);
    name_outcome(spec, "arm", "names must be unique: 'arm' is already a rod", __LINE__);
    body.name = "Arm-2_left";
    check_outcome(elv_spec_add_body(spec, &body, &error), &error, "Arm-2_left", "body",
                  "already a frame", __LINE__);
    rod.name = "hand";
    check_outcome(elv_spec_add_rod(spec, &rod, &error), &error, "hand", "rod", "already a body",
                  __LINE__);

    // without a name, the place
    body.name = NULL;
    check_outcome(elv_spec_add_body(spec, &body, &error), &error, "tree[2]", "body", "no name",
                  __LINE__);
    frame.name = "";
    check_outcome(elv_spec_add_frame(spec, &frame, &error), &error, "frames[7]", "frame", "no name",
                  __LINE__);
    elv_spec_free(spec);
}

static void test_parameters(void** state) {
    (void)state;
    ElvSpec* spec = NULL;
    ElvError error;
    elv_error_clear(&error);
    CHECK_STATUS(elv_spec_create("checks", &spec, &error), &error);
    static const char* const good[] = {"a", "_k1", "tension", "sigma", "T"};
    static const char* const bad[] = {"", "1a", "a-b", "a.b", "t", "s"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        CHECK_STATUS(elv_spec_set_parameter(spec, good[i], 1.0, &error), &error);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        check_outcome(elv_spec_set_parameter(spec, bad[i], 1.0, &error), &error, "parameters",
                      bad[i], "parameter", __LINE__);
    }
    check_outcome(elv_spec_set_parameter(spec, NULL, 1.0, &error), &error, "parameters", "",
                  "parameter", __LINE__);
    check_outcome(elv_spec_set_parameter(spec, "k", NAN, &error), &error, "parameters", "k",
                  "finite", __LINE__);
    elv_spec_free(spec);
    check_outcome(elv_check_gravity(elv_vec3(0.0, NAN, 0.0), &error), &error, "", "gravity",
                  "finite", __LINE__);
    CHECK_STATUS(elv_check_gravity(elv_vec3(0.0, 0.0, -9.81), &error), &error);
}

// ---- bodies, joints, frames

static void test_bodies(void** state) {
    (void)state;
    BODY((void)def, NULL, "");
    BODY(def.parent = NULL, "parent", "empty");
    BODY(def.parent = "", "parent", "empty");
    BODY(def.pose.p.y = INFINITY, "pose", "finite");
    BODY(def.pose.R.m[0][1] = 1e-5, "pose", "not a rotation");
    BODY(def.pose.R.m[0][1] = 1e-7, NULL, "");
    BODY(def.body_pose.R = elv_mat3_diag(1.0, -1.0, 1.0), "body_pose", "not a rotation");
    BODY(def.mass = -1.0, "mass", "mass must not be negative, got -1; ");
    BODY(def.density = 1.0, "density", "needs a shape");
    BODY((def.has_inertia = true, def.inertia = elv_mat3_diag(1.0, 1.0, 3.0)), "inertia",
         "3 > 1 + 1");
    FRAME((void)def, NULL, "");
    FRAME(def.on = "", "on", "empty");
    FRAME(def.pose.R.m[2][2] = NAN, "pose", "finite");
}

static void test_joints(void** state) {
    (void)state;
    ElvVec3 zero = elv_vec3(0.0, 0.0, 0.0);
    BODY(def.joint.type = ELV_N_JOINT_TYPE, "joint", "unknown type");
    BODY(def.joint.axis = zero, "joint.axis", "no direction");
    BODY(def.joint.axis.x = NAN, "joint.axis", "no direction");
    BODY(def.joint.axis2 = zero, "joint.axis2", "no direction");
    BODY(def.joint.axis2 = elv_vec3(0.0, 0.0, -3.0), "joint.axis2", "parallel");
    BODY(def.joint.axis2 = elv_vec3(0.0, 1e-5, 1.0), NULL, "");
    // axes that a type does not use may be anything
    BODY((def.joint.type = ELV_JOINT_REVOLUTE, def.joint.axis2 = zero), NULL, "");
    BODY((def.joint.type = ELV_JOINT_SPHERICAL, def.joint.axis = zero), NULL, "");
    BODY(def.joint.pitch = NAN, "joint.pitch", "finite");
    BODY(def.joint.damping[1] = -0.5, "joint.damping", "must not be negative, got -0.5");
    BODY(def.joint.stiffness[0] = -1.0, "joint.stiffness", "must not be negative");
    BODY(def.joint.rotor_inertia[0] = NAN, "joint.rotor_inertia", "finite");
    BODY(def.joint.rest[0] = NAN, "joint.rest", "finite");
    BODY(def.joint.position[5] = NAN, "joint.position", "finite");
    BODY(def.joint.velocity[0] = INFINITY, "joint.velocity", "finite");
    BODY(def.joint.drive = (ElvDrive)7, "joint", "unknown kind of drive");
    BODY((def.joint.drive = ELV_DRIVE_MOTION, def.joint.law[1] = elv_law_def_formula(NULL)),
         "joint.motion", "component 2 of 6: the formula is empty");
    BODY((def.joint.drive = ELV_DRIVE_FORCE, def.joint.law[0] = elv_law_def_value(NAN)),
         "joint.force", "finite");
    BODY((def.joint.type = ELV_JOINT_FIXED, def.joint.drive = ELV_DRIVE_FORCE), "joint.force",
         "fixed joint has nothing to drive");
}

// ---- loads, laws, simulation

static void test_loads(void** state) {
    (void)state;
    WRENCH((void)def, NULL, "");
    WRENCH(def.at = NULL, "at", "empty");
    WRENCH(def.axes = (ElvAxes)5, "frame", "unknown axes");
    WRENCH(def.wrench[2].value = NAN, "wrench", "component 3 of 6");
    WRENCH(def.when = elv_law_def_formula(""), "while", "empty");
    DISTRIBUTED((void)def, NULL, "");
    DISTRIBUTED(def.rod = "", "rod", "empty");
    DISTRIBUTED(def.from = -0.1, "from", "got -0.1");
    DISTRIBUTED(def.from = 1.0, "from", "got 1");
    DISTRIBUTED((def.from = 0.5, def.to = 0.5), "to", "above 'from' (0.5)");
    DISTRIBUTED(def.to = 1.01, "to", "at most 1");
    DISTRIBUTED(def.to = NAN, "to", "at most 1");
    DISTRIBUTED(def.axes = (ElvAxes)5, "frame", "unknown axes");
    DISTRIBUTED(def.wrench[0].value = NAN, "distributed", "component 1");
    STRESS((def.from = 0.2, def.to = 0.3), NULL, "");
    STRESS(def.rod = NULL, "rod", "empty");
    STRESS(def.from = NAN, "from", "station");
    STRESS(def.stress[5] = elv_law_def_callback(NULL, NULL), "stress", "callback is missing");
    STRESS(def.when.value = INFINITY, "while", "finite");
}

static void test_laws(void** state) {
    (void)state;
    double x[3] = {0.0, 1.0, 2.0};
    double y[3] = {0.0, 0.0, NAN};
    double back[3] = {0.0, 2.0, 2.0};
    ElvVariable t = ELV_VARIABLE_T;
    ElvTableKind linear = ELV_TABLE_LINEAR;
    WRENCH(def.when = elv_law_def_table(t, linear, x, x, 3), NULL, "");
    WRENCH(def.when = elv_law_def_table(t, linear, x, x, 0), "while", "no points");
    WRENCH(def.when = elv_law_def_table(t, linear, x, NULL, 3), "while", "no points");
    WRENCH(def.when = elv_law_def_table(t, linear, x, y, 3), "while", "point 3 of the table");
    WRENCH(def.when = elv_law_def_table(t, linear, back, x, 3), "while", "2 comes after 2");
    WRENCH(def.when = elv_law_def_table((ElvVariable)9, linear, x, x, 3), "while", "unknown");
    WRENCH(def.when = elv_law_def_table(t, (ElvTableKind)9, x, x, 3), "while", "unknown");
    WRENCH(def.when.kind = (ElvLawKind)9, "while", "unknown kind of law (9)");
}

static void test_simulation(void** state) {
    (void)state;
    const char* signals[2] = {"energy", ""};
    SIMULATE((void)def, NULL, "");
    SIMULATE(def.method = ELV_N_METHOD, "method", "unknown method");
    SIMULATE(def.duration = 0.0, "duration", "positive");
    SIMULATE(def.duration = INFINITY, "duration", "finite");
    SIMULATE(def.step = -1.0, "step", "negative");
    SIMULATE(def.rel_tol = 0.0, "rel_tol", "between 0 and 1");
    SIMULATE(def.abs_tol = 1.0, "abs_tol", "between 0 and 1");
    SIMULATE(def.abs_tol = NAN, "abs_tol", "between 0 and 1");
    SIMULATE(def.order = 1, "order", "from 2 to 8, got 1");
    SIMULATE(def.order = 9, "order", "from 2 to 8");
    SIMULATE(def.order = 8, NULL, "");
    SIMULATE(def.max_steps = -1, "max_steps", "negative");
    SIMULATE(def.beta = 0.0, "beta", "positive");
    SIMULATE(def.beta = NAN, "beta", "finite");
    SIMULATE(def.gamma = 0.49, "gamma", "from 0.5 to 1.5, got 0.49");
    SIMULATE(def.gamma = NAN, "gamma", "from 0.5");
    SIMULATE(def.alpha = -0.01, "alpha", "from 0 to 0.333333");
    SIMULATE(def.alpha = 1.0 / 3.0, NULL, "");
    SIMULATE(def.spectral_radius = 1.01, "spectral_radius", "from 0 to 1");
    SIMULATE(def.spectral_radius = 0.0, NULL, "");
    SIMULATE(def.newton_tol = 0.0, "newton_tol", "between 0 and 1");
    SIMULATE(def.max_iterations = 0, "max_iterations", "from 1 to 1000");
    SIMULATE(def.max_halvings = -1, "max_halvings", "from 0 to 60");
    SIMULATE(def.max_halvings = 0, NULL, "");
    RECORD((void)def, NULL, "");
    RECORD(def.every = 0.0, "every", "positive");
    RECORD(def.n_signal = -1, "signals", "missing");
    RECORD(def.n_signal = 1, "signals", "missing");
    RECORD((def.n_signal = 1, def.signal = signals), NULL, "");
    RECORD((def.n_signal = 2, def.signal = signals), "signals[1]", "empty");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),      cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_bodies),     cmocka_unit_test(test_joints),
        cmocka_unit_test(test_loads),      cmocka_unit_test(test_laws),
        cmocka_unit_test(test_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
