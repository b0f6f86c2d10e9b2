// SPDX-License-Identifier: Apache-2.0
// Forward dynamics on random trees: its accelerations annul the residual of every component that is
// not driven; the power of the drives is the rate of the energy; an accelerated base is a change of
// gravity; failures name the joint and leave the accelerations alone.
#include "random_tree.h"

enum { N_TREE = IS_SANITIZED ? 80 : 300 };

static void solve(const Robot* robot) {
    ElvError error;
    CHECK_STATUS(elv_forward_dynamics(robot->model, robot->data, robot->state, &error), &error);
}

// ---- residual

// || |M| |a| ||: what the terms of M a would sum to if none cancelled
static double inertial_scale(const Robot* robot) {
    int nv = robot->nv;
    double* M = new_array(nv * nv);
    elv_mass_matrix(robot->model, robot->data, robot->state, M);
    double sum = 0.0;
    for (int i = 0; i < nv; i++) {
        double row = 0.0;
        for (int j = 0; j < nv; j++) {
            row += fabs(M[i * nv + j] * robot->state->a[j]);
        }
        sum += row * row;
    }
    free(M);
    return sqrt(sum);
}

static void check_residual(uint64_t seed) {
    RandomOptions options = random_options();
    options.has_drives = true;
    options.imposed = seed % 3 == 0 ? 0.4 : 0.0;
    CheckRandom r = check_random(seed);
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    ElvState* before = copy_state(&robot, robot.state);
    solve(&robot);
    int nv = robot.nv;
    double* tau = new_array(nv);
    double* residual = new_array(nv);
    elv_idm(robot.model, robot.data, robot.state, tau);
    elv_residual(robot.model, robot.data, robot.state, residual);
    double scale = pow(inertial_scale(&robot), 2.0), sum = 0.0;
    for (int i = 0; i < nv; i++) {
        bool is_driven = elv_model_is_driven(robot.model, i);
        // efforts before and after the subtraction
        scale += is_driven ? 0.0 : tau[i] * tau[i] + pow(tau[i] - residual[i], 2.0);
        sum += is_driven ? 0.0 : residual[i] * residual[i];
        // driven accelerations are those of the laws
        if (is_driven) {
            CHECK_BOUND(fabs(robot.state->a[i] - before->a[i]), 0.0, seed);
        }
    }
    CHECK_BOUND(sqrt(sum), 1e-13 * sqrt(scale), seed);
    // nothing but the accelerations has changed
    CHECK_BOUND(array_distance(robot.state->q, before->q, robot.nq), 1e-15, seed);
    CHECK_BOUND(array_distance(robot.state->v, before->v, nv), 0.0, seed);
    free(tau);
    free(residual);
    elv_state_free(before);
    robot_free(&robot);
}

static void test_residual(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= N_TREE; seed++) {
        check_residual(seed);
    }
}

// ---- power

static double total_energy(const Robot* robot, const ElvState* state) {
    ElvEnergy energy = elv_energy(robot->model, robot->data, state);
    return energy.kinetic + energy.elastic + energy.gravity;
}

// rate of the energy along the motion: differences of steps h, h/2, h/4, extrapolated twice; h small
// against the time in which the velocities change
static double energy_rate(const Robot* robot) {
    ElvState* moved = copy_state(robot, robot->state);
    double rate[3];
    double h0 = 0.02 / (1.0 + 0.1 * array_norm(robot->state->a, robot->nv));
    for (int i = 0; i < 3; i++) {
        double h = h0 * pow(0.5, i);
        advance_state(robot, robot->state, h, moved);
        rate[i] = total_energy(robot, moved);
        advance_state(robot, robot->state, -h, moved);
        rate[i] = (rate[i] - total_energy(robot, moved)) / (2.0 * h);
    }
    elv_state_free(moved);
    double once = (4.0 * rate[1] - rate[0]) / 3.0;
    double twice = (4.0 * rate[2] - rate[1]) / 3.0;
    return (16.0 * twice - once) / 15.0;
}

// without loads and damping, what the drives deliver is what the energy gains
static void check_power(uint64_t seed) {
    RandomOptions options = {.n_element_max = 4,
                             .nodes = 24,
                             .is_smooth = seed % 2 == 0,
                             .has_gravity = true,
                             .has_added_mass = true,
                             .has_rotors = true,
                             .has_drives = true,
                             .imposed = seed % 3 == 0 ? 0.4 : 0.0};
    CheckRandom r = check_random(seed);
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    solve(&robot);
    double* effort = new_array(robot.nv);
    elv_drive_efforts(robot.model, robot.data, robot.state, effort);
    double power = array_dot(effort, robot.state->v, robot.nv);
    // terms that may cancel: the power of each effort and of each inertia
    double scale = array_norm(effort, robot.nv) + inertial_scale(&robot);
    scale *= array_norm(robot.state->v, robot.nv);
    CHECK_BOUND(fabs(energy_rate(&robot) - power), 1e-9 * scale, seed);
    free(effort);
    robot_free(&robot);
}

static void test_power(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= N_TREE / 2; seed++) {
        check_power(seed);
    }
}

// ---- equivalence of acceleration and gravity

static void check_equivalence(uint64_t seed, ElvVec3 acceleration) {
    RandomOptions options = random_options();
    options.has_added_mass = false; // its mass and weight are not proportional
    options.n_element_max = 4;
    char text[3][64];
    const double a[3] = {acceleration.x, acceleration.y, acceleration.z};
    // gravity g - a on a carriage at rest
    ElvBodyDef carriage = elv_body_def_default();
    carriage.name = "carriage";
    carriage.mass = 3.0;
    options.carriage = &carriage;
    options.extra_gravity = elv_vec3_scale(-1.0, acceleration);
    CheckRandom r = check_random(seed);
    CheckRandom r_moving = r;
    Robot rest = random_tree(&r, &options);
    random_state(&r, &rest, 1.0);
    // gravity g on a carriage that accelerates by a
    carriage.joint.type = ELV_JOINT_FREE;
    carriage.joint.drive = ELV_DRIVE_MOTION;
    for (int k = 0; k < 3; k++) {
        snprintf(text[k], sizeof text[k], "0.5*%.17g*t^2", a[k]);
        carriage.joint.law[3 + k] = elv_law_def_formula(text[k]);
    }
    options.extra_gravity = elv_vec3(0.0, 0.0, 0.0);
    Robot moving = random_tree(&r_moving, &options);
    CHECK_TRUE(moving.nv == rest.nv + 6);
    moving.state->t = rest.state->t;
    memcpy(moving.state->q + 7, rest.state->q, (size_t)rest.nq * sizeof(double));
    memcpy(moving.state->v + 6, rest.state->v, (size_t)rest.nv * sizeof(double));
    solve(&rest);
    solve(&moving);
    double error = array_distance(moving.state->a + 6, rest.state->a, rest.nv);
    CHECK_BOUND(error, 1e-10 * array_norm(rest.state->a, rest.nv), seed);
    robot_free(&rest);
    robot_free(&moving);
}

static void test_equivalence(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        check_equivalence(seed, elv_vec3(3.0, -5.0, 7.0));
    }
}

// ---- failures

// the failure names the joint and leaves the accelerations as they were
static void check_failure(Robot* robot, ElvStatus expected, const char* element) {
    ElvError error;
    elv_error_clear(&error);
    for (int i = 0; i < robot->nv; i++) {
        robot->state->a[i] = 1.0 + i;
    }
    ElvStatus status = elv_forward_dynamics(robot->model, robot->data, robot->state, &error);
    assert_int_equal(status, expected);
    assert_int_equal(error.status, expected);
    assert_string_equal(error.element, element);
    CHECK_TRUE(strstr(error.message, element) != NULL);
    for (int i = 0; i < robot->nv; i++) {
        CHECK_NEAR(robot->state->a[i], 1.0 + i, 0.0);
    }
    robot_free(robot);
}

// an arm of three joints, the second of which carries nothing when the tip has no mass
static ElvBodyDef arm_body(const char* name, const char* parent, double mass) {
    ElvBodyDef def = elv_body_def_default();
    def.name = name;
    def.parent = parent;
    def.joint.type = ELV_JOINT_REVOLUTE;
    def.pose.p = elv_vec3(0.3, 0.0, 0.0);
    def.center = elv_vec3(0.1, 0.0, 0.0);
    def.mass = mass;
    return def;
}

static void test_massless_joint(void** context) {
    (void)context;
    for (int i = 0; i < 2; i++) {
        ElvSpec* spec = new_spec();
        ElvBodyDef def = arm_body("upper", "world", 1.0);
        add_body(spec, &def);
        def = arm_body("hand", "upper", 0.0);
        // a rotor makes the same joint regular
        def.joint.rotor_inertia[0] = i == 0 ? 0.0 : 0.1;
        add_body(spec, &def);
        Robot robot = robot_compile(spec);
        if (i == 0) {
            check_failure(&robot, ELV_ERROR_SINGULAR, "hand");
        } else {
            solve(&robot);
            robot_free(&robot);
        }
    }
}

// two slides along one line with nothing between them, in any direction: pivots lost to rounding
static void test_redundant_joint(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        CheckRandom r = check_random(seed);
        ElvSpec* spec = new_spec();
        ElvBodyDef def = arm_body("first", "world", 0.0);
        def.pose = random_pose(&r, 1.0);
        def.joint.type = ELV_JOINT_PRISMATIC;
        def.joint.axis = random_vec3(&r, 1.0);
        add_body(spec, &def);
        def.name = "second";
        def.parent = "first";
        def.pose = elv_pose_identity();
        def.mass = check_uniform(&r, 0.5, 2.0);
        add_body(spec, &def);
        Robot robot = robot_compile(spec);
        check_failure(&robot, ELV_ERROR_SINGULAR, "second");
    }
}

// a rod that may twist, without inertia against it
static void test_rod_without_inertia(void** context) {
    (void)context;
    static const double inertia[6] = {0.0, 0.0, 0.0, 1.0, 1.0, 1.0};
    ElvElementDef element = elv_element_def_default();
    element.modes[ELV_STRAIN_BEND_Y] = 2;
    element.modes[ELV_STRAIN_TWIST] = 1;
    ElvRodDef def = elv_rod_def_default();
    def.name = "string";
    def.length = 1.0;
    def.stiffness.n = def.inertia.n = 6;
    for (int k = 0; k < 6; k++) {
        def.stiffness.entry[k] = elv_law_def_value(1.0);
        def.inertia.entry[k] = elv_law_def_value(inertia[k]);
    }
    def.element = &element;
    def.n_element = 1;
    ElvSpec* spec = new_spec();
    add_rod(spec, &def);
    Robot robot = robot_compile(spec);
    check_failure(&robot, ELV_ERROR_SINGULAR, "string");
}

static void test_infinite_load(void** context) {
    (void)context;
    ElvError error;
    ElvSpec* spec = new_spec();
    ElvBodyDef def = arm_body("upper", "world", 1.0);
    add_body(spec, &def);
    def = arm_body("hand", "upper", 1.0);
    def.joint.drive = ELV_DRIVE_FORCE;
    def.joint.law[0] = elv_law_def_formula("1/t");
    add_body(spec, &def);
    ElvWrenchDef load = elv_wrench_def_default();
    load.at = "upper";
    CHECK_STATUS(elv_spec_add_wrench(spec, &load, &error), &error);
    Robot robot = robot_compile(spec);
    check_failure(&robot, ELV_ERROR_NUMERIC, "upper");
}

// every component driven, or none there: nothing to solve for
static void test_nothing_free(void** context) {
    (void)context;
    ElvSpec* spec = new_spec();
    ElvBodyDef def = arm_body("upper", "world", 1.0);
    def.joint.drive = ELV_DRIVE_MOTION;
    def.joint.law[0] = elv_law_def_formula("t^3");
    add_body(spec, &def);
    Robot robot = robot_compile(spec);
    robot.state->t = 2.0;
    solve(&robot);
    CHECK_NEAR(robot.state->q[0], 8.0, 1e-14);
    CHECK_NEAR(robot.state->v[0], 12.0, 1e-14);
    CHECK_NEAR(robot.state->a[0], 12.0, 1e-14);
    robot_free(&robot);
    spec = new_spec();
    def.joint = elv_joint_def_default();
    add_body(spec, &def);
    robot = robot_compile(spec);
    CHECK_TRUE(robot.nv == 0);
    solve(&robot);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_residual),        cmocka_unit_test(test_power),
        cmocka_unit_test(test_equivalence),     cmocka_unit_test(test_massless_joint),
        cmocka_unit_test(test_redundant_joint), cmocka_unit_test(test_rod_without_inertia),
        cmocka_unit_test(test_infinite_load),   cmocka_unit_test(test_nothing_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
