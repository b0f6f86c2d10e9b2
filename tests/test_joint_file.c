// SPDX-License-Identifier: Apache-2.0
// Friction, stops, gears and controllers of joints in model files: every key is read into its field,
// written and read back; mistakes are found at their place, with what to write instead.
#include "def_outcome.h"
#include "multibody/spec.h"
#include "robot.h"

static const char* const text =
    "elver: 1\n"
    "parameters: {M: 7}\n"
    "tree:\n"
    "  - body: turn\n"
    "    joint: {revolute: {axis: y, friction: 0.2, friction_speed: 0.01, lower: -1, upper: pi/2,\n"
    "                       stop_stiffness: 100, stop_damping: 0.5, stop_width: 0.002, gear: -50,\n"
    "                       rotor_inertia: 1e-5, kp: 10, kd: 1, ki: 2, target: \"0.5*sin(t)\",\n"
    "                       max_effort: M}}\n"
    "    mass: 1\n"
    "    inertia: [1, 1, 1]\n"
    "  - body: can\n"
    "    joint: {cylindrical: {axis: x, friction: 0.3, lower: [-.inf, 0], upper: [2, .inf],\n"
    "                          stop_stiffness: 50, kp: [1, 0], kd: 0.5, target: [0.1, \"t\"],\n"
    "                          max_effort: [.inf, 3], gear: [2, 3]}}\n"
    "    mass: 1\n"
    "    inertia: [1, 1, 1]\n"
    "  - body: ball\n"
    "    joint: {spherical: {friction: [1, 2, 3], friction_speed: 0.1, gear: 2}}\n"
    "    mass: 1\n"
    "    inertia: [1, 1, 1]\n";

static ElvSpec* read_spec(const char* source) {
    ElvError error;
    ElvSpec* spec = NULL;
    CHECK_STATUS(elv_spec_read_text(source, strlen(source), "case", NULL, 0, &spec, &error),
                 &error);
    return spec;
}

static void check_turn(const ElvJointDef* turn) {
    CHECK_NEAR(turn->friction[0], 0.2, 0.0);
    CHECK_NEAR(turn->friction_speed[0], 0.01, 0.0);
    CHECK_NEAR(turn->lower[0], -1.0, 0.0);
    CHECK_NEAR(turn->upper[0], 1.5707963267948966, 1e-15);
    CHECK_NEAR(turn->stop_stiffness[0], 100.0, 0.0);
    CHECK_NEAR(turn->stop_damping[0], 0.5, 0.0);
    CHECK_NEAR(turn->stop_width[0], 0.002, 0.0);
    CHECK_NEAR(turn->gear[0], -50.0, 0.0);
    CHECK_NEAR(turn->kp[0], 10.0, 0.0);
    CHECK_NEAR(turn->kd[0], 1.0, 0.0);
    CHECK_NEAR(turn->ki[0], 2.0, 0.0);
    CHECK_NEAR(turn->max_effort[0], 7.0, 0.0);
    assert_string_equal(turn->target[0].text, "0.5*sin(t)");
}

static void check_spec(const ElvSpec* spec) {
    check_turn(&spec->element[0].body.joint);
    const ElvJointDef* can = &spec->element[1].body.joint;
    CHECK_TRUE(can->lower[0] == -INFINITY && can->upper[1] == INFINITY);
    CHECK_TRUE(can->max_effort[0] == INFINITY && can->max_effort[1] == 3.0);
    CHECK_NEAR(can->friction[1], 0.3, 0.0);
    CHECK_NEAR(can->friction_speed[1], 1e-3, 0.0);
    CHECK_NEAR(can->stop_width[1], 1e-3, 0.0);
    CHECK_NEAR(can->lower[1], 0.0, 0.0);
    CHECK_NEAR(can->upper[0], 2.0, 0.0);
    CHECK_NEAR(can->kp[1], 0.0, 0.0);
    CHECK_NEAR(can->kd[1], 0.5, 0.0);
    CHECK_NEAR(can->gear[1], 3.0, 0.0);
    CHECK_NEAR(can->target[0].value, 0.1, 0.0);
    const ElvJointDef* ball = &spec->element[2].body.joint;
    CHECK_NEAR(ball->friction[2], 3.0, 0.0);
    CHECK_NEAR(ball->friction_speed[2], 0.1, 0.0);
    CHECK_NEAR(ball->gear[1], 2.0, 0.0);
}

static void test_read_and_write(void** unused) {
    (void)unused;
    ElvError error;
    ElvSpec* spec = read_spec(text);
    check_spec(spec);
    char* written = NULL;
    CHECK_STATUS(elv_spec_write_text(spec, &written, &error), &error);
    ElvSpec* again = read_spec(written);
    check_spec(again);
    // a second writing gives the same text
    char* twice = NULL;
    CHECK_STATUS(elv_spec_write_text(again, &twice, &error), &error);
    assert_string_equal(written, twice);
    elv_text_free(written);
    elv_text_free(twice);
    elv_spec_free(spec);
    elv_spec_free(again);
}

// ---- callbacks

static void
push(void* user, double t, const double* q, const double* v, double* effort, double* K, double* D) {
    (void)t;
    (void)v;
    (void)D;
    double k = *(const double*)user;
    effort[0] = -k * q[0];
    if (K) {
        K[0] = k;
    }
}

static ElvBodyDef good_body(void) {
    ElvBodyDef def = elv_body_def_default();
    def.name = "arm";
    def.mass = 1.0;
    def.joint.type = ELV_JOINT_REVOLUTE;
    return def;
}

static void test_callback_is_not_written(void** unused) {
    (void)unused;
    ElvError error;
    ElvSpec* spec = new_spec();
    double stiffness = 3.0;
    ElvBodyDef def = good_body();
    def.joint.callback = push;
    def.joint.user = &stiffness;
    def.center = elv_vec3(1.0, 0.0, 0.0);
    def.joint.position[0] = 0.2;
    add_body(spec, &def);
    char* written = NULL;
    CHECK_TRUE(elv_spec_write_text(spec, &written, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(written == NULL && strstr(error.message, "C callback") != NULL);
    assert_string_equal(error.element, "arm");

    // but it acts, and counts as drive
    Robot robot = robot_compile(spec);
    double effort;
    CHECK_STATUS(elv_forward_dynamics(robot.model, robot.data, robot.state, &error), &error);
    CHECK_NEAR(robot.state->a[0], -0.6, 1e-15);
    elv_drive_efforts(robot.model, robot.data, robot.state, &effort);
    CHECK_NEAR(effort, -0.6, 1e-15);
    robot_free(&robot);
}

// ---- mistakes

#define ARM(change, field, word)                                                                   \
    CHECK_DEF(ElvBodyDef, good_body(), elv_spec_add_body, "arm", change, field, word)

static void test_values(void** unused) {
    (void)unused;
    ARM(def.joint.friction[0] = -1.0, "joint.friction", "negative");
    ARM(def.joint.friction_speed[0] = 0.0, "joint.friction_speed", "positive");
    ARM(def.joint.lower[0] = 1.0, "joint.lower", "joint.stop_stiffness");
    ARM(def.joint.upper[0] = 1.0, "joint.upper", "joint.stop_stiffness");
    ARM((def.joint.lower[0] = 1.0, def.joint.upper[0] = 0.5, def.joint.stop_stiffness[0] = 1.0),
        "joint.lower", "below joint.upper (0.5)");
    ARM((def.joint.lower[0] = NAN, def.joint.stop_stiffness[0] = 1.0), "joint.lower", "nan");
    ARM((def.joint.upper[0] = -INFINITY, def.joint.stop_stiffness[0] = 1.0), "joint.upper", "-inf");
    ARM(def.joint.stop_stiffness[0] = 1.0, "joint.stop_stiffness", "limit");
    ARM(def.joint.stop_stiffness[0] = -1.0, "joint.stop_stiffness", "negative");
    ARM(def.joint.stop_damping[0] = -1.0, "joint.stop_damping", "negative");
    ARM(def.joint.stop_width[0] = 0.0, "joint.stop_width", "positive");
    ARM(def.joint.gear[0] = 0.0, "joint.gear", "1 without a gear");
    ARM(def.joint.gear[0] = NAN, "joint.gear", "finite");
    ARM(def.joint.kp[0] = -1.0, "joint.kp", "away from its target");
    ARM(def.joint.kd[0] = -1.0, "joint.kd", "negative");
    ARM(def.joint.ki[0] = INFINITY, "joint.ki", "finite");
    ARM((def.joint.kp[0] = 1.0, def.joint.max_effort[0] = 0.0), "joint.max_effort", "positive");
    ARM((def.joint.kp[0] = 1.0, def.joint.max_effort[0] = NAN), "joint.max_effort", "positive");
    ARM(def.joint.max_effort[0] = 1.0, "joint.max_effort", "gains");
    ARM(def.joint.target[0] = elv_law_def_value(1.0), "joint.target", "gains");
    ARM((def.joint.kp[0] = 1.0, def.joint.target[0] = elv_law_def_value(NAN)), "joint.target",
        "finite");
    ARM((def.joint.kp[0] = 1.0, def.joint.drive = ELV_DRIVE_MOTION), "joint.motion", "control");
    ARM((def.joint.callback = push, def.joint.drive = ELV_DRIVE_MOTION), "joint.motion", "control");
    ARM((def.joint.callback = push, def.joint.type = ELV_JOINT_FIXED), "joint", "fixed");
    ARM((def.joint.kp[0] = 1.0, def.joint.type = ELV_JOINT_FREE), "joint", "position controller");
    ARM((def.joint.upper[0] = 1.0, def.joint.stop_stiffness[0] = 1.0,
         def.joint.type = ELV_JOINT_SPHERICAL),
        "joint", "limits");
    // friction and stops resist an imposed motion, a controller and a force go together
    ARM((def.joint.friction[0] = 1.0, def.joint.drive = ELV_DRIVE_MOTION), NULL, "");
    ARM((def.joint.kp[0] = 1.0, def.joint.drive = ELV_DRIVE_FORCE), NULL, "");
}

// the mistake stands where at does in the line of the joint
static void check_message(const char* joint, const char* at, const char* message) {
    char source[512];
    ElvError error;
    ElvSpec* spec = NULL;
    elv_error_clear(&error);
    snprintf(source, sizeof source, "elver: 1\ntree:\n  - body: arm\n    joint: %s\n    mass: 1\n",
             joint);
    CHECK_TRUE(elv_spec_read_text(source, strlen(source), "x.yaml", NULL, 0, &spec, &error) ==
               ELV_ERROR_INPUT);
    int column = 12 + (int)(strstr(joint, at) - joint);
    if (error.line != 4 || error.column != column || !strstr(error.message, message)) {
        print_error("%s\n%d:%d: %s\n", joint, error.line, error.column, error.message);
        CHECK_TRUE(false);
    }
}

static void test_messages(void** unused) {
    (void)unused;
    check_message("{revolute: {friction: -1}}", "-1", "must not be negative, got -1");
    check_message("{revolute: {friction: 3 N}}", "3 N", "write 3 instead");
    check_message("{revolute: {lower: 1, upper: 0.5, stop_stiffness: 9}}", "1,",
                  "joint.lower (1) must be below joint.upper (0.5)");
    check_message("{revolute: {upper: 90 deg, stop_stiffness: 9}}", "90", "write 1.57079632679");
    check_message("{revolute: {upper: 1}}", "1}", "joint.stop_stiffness");
    check_message("{revolute: {kp: -2}}", "-2", "must not be negative");
    check_message("{revolute: {kp: .inf}}", ".inf", "a finite number");
    check_message("{cylindrical: {lower: 0, stop_stiffness: 9}}", "0,", "a list of 2 numbers");
    check_message("{cylindrical: {lower: [0, x], stop_stiffness: 9}}", "x]", "unknown name");
    check_message("{revolute: {kp: 1, target: q}}", "q}", "unknown name");
    check_message("{spherical: {kp: 1}}", "kp", "a spherical joint has no 'kp'");
    check_message("{free: {upper: 1}}", "upper", "a free joint has no 'upper'");
    check_message("{revolute: {stop_stifness: 1}}", "stop_", "did you mean 'stop_stiffness'");
    check_message("{revolute: {kp: 1, motion: t}}", "t}", "leaves nothing to control");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_and_write),
        cmocka_unit_test(test_callback_is_not_written),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
