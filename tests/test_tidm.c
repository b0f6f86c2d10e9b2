// SPDX-License-Identifier: Apache-2.0
// The tangent of the residual against differences of the residual itself, in the unknowns of a time
// step (charts of SO(3) x R^3 for joints with quaternions).
//
// Poses come from Magnus steps and variations from quadrature, so that tangent and differences agree
// down to the spatial error of the nodes, and to rounding where there are many nodes.
#include "step_case.h"

/// Coefficients a, b of a small step, a large one, and of statics.
static const double steps[3][2] = {{200.0, 40000.0}, {2.0, 4.0}, {0.0, 0.0}};

static RandomOptions tree_options(int nodes, double a, bool is_floating) {
    RandomOptions options = random_options();
    options.nodes = nodes;
    options.is_smooth = true;
    options.n_element_max = 4;
    options.is_floating = is_floating;
    // in statics nothing moves
    options.has_drives = a != 0.0;
    return options;
}

static Robot tree_of(CheckRandom* r, const RandomOptions* options, double a) {
    Robot robot = random_tree(r, options);
    random_state(r, &robot, a != 0.0 ? 1.0 : 0.0);
    return robot;
}

static void fail_tree(const Robot* robot, uint64_t seed, double error) {
    print_error("seed %llu: error %.3g, %d components\n", (unsigned long long)seed, error,
                robot->nv);
    for (int j = 0; j < robot->model->n_node; j++) {
        const ElvNode* node = &robot->model->node[j];
        print_error("  %s: joint %d, rod %d, driven %d, %d components\n", node->name,
                    node->info.joint, node->info.is_rod, node->joint->is_motion_driven,
                    node->joint->n_v);
    }
    CHECK_TRUE(false);
}

// ---- slope

// central differences of step h err by h^2: a quarter of the step, a sixteenth of the error
static void check_slope(uint64_t seed, double a, double b, bool is_floating) {
    CheckRandom r = check_random(seed);
    RandomOptions options = tree_options(24, a, is_floating);
    Robot robot = tree_of(&r, &options, a);
    Step step = step_create(&r, &robot, a, b);
    double* jacobian = step_tangent(&step);
    double coarse = tangent_error(&step, jacobian, 2e-2, 2);
    double fine = tangent_error(&step, jacobian, 5e-3, 2);
    // nearly linear trees reach the floor at once
    if (!(coarse < 1e-8) && !(coarse / fine > 14.0 && coarse / fine < 18.0)) {
        print_error("slope %.3g\n", coarse / fine);
        fail_tree(&robot, seed, fine);
    }
    free(jacobian);
    step_free(&step);
    robot_free(&robot);
}

static void test_slope_is_two(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= (IS_SANITIZED ? 5 : 20); seed++) {
        for (int k = 0; k < 3; k++) {
            check_slope(seed + 100 * (uint64_t)k, steps[k][0], steps[k][1], seed % 2 == 0);
        }
    }
}

// ---- floor

// differences of order 4: truncation h^4 = 1e-12, rounding 1e-16 / h, both times a small factor
static double floor_error(Robot* robot, CheckRandom* r, double a, double b) {
    Step step = step_create(r, robot, a, b);
    double* jacobian = step_tangent(&step);
    double error = tangent_error(&step, jacobian, 1e-3, 4);
    free(jacobian);
    step_free(&step);
    return error;
}

static void test_many_nodes(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= (IS_SANITIZED ? 10 : 60); seed++) {
        for (int k = 0; k < 3; k++) {
            CheckRandom r = check_random(seed + 1000 * (uint64_t)k);
            RandomOptions options = tree_options(24, steps[k][0], seed % 2 == 0);
            options.imposed = options.has_drives && seed % 3 == 0 ? 0.4 : 0.0;
            Robot robot = tree_of(&r, &options, steps[k][0]);
            double error = floor_error(&robot, &r, steps[k][0], steps[k][1]);
            if (!(error < 1e-9)) {
                fail_tree(&robot, seed, error);
            }
            robot_free(&robot);
        }
    }
}

// resistance and added inertia, by both ways of integration along rods
static void test_fluid(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= (IS_SANITIZED ? 6 : 40); seed++) {
        CheckRandom r = check_random(seed + 5000);
        RandomOptions options = tree_options(24, steps[seed % 2][0], seed % 3 == 0);
        options.has_fluid = true;
        options.space = seed % 4 == 0 ? ELV_SPACE_SPECTRAL : ELV_SPACE_QUADRATURE;
        Robot robot = tree_of(&r, &options, steps[seed % 2][0]);
        double error = floor_error(&robot, &r, steps[seed % 2][0], steps[seed % 2][1]);
        if (!(error < 1e-9)) {
            fail_tree(&robot, seed, error);
        }
        robot_free(&robot);
    }
}

// a rod of 12 modes, bent and twisted through several turns
static Robot bent_rod(int nodes) {
    ElvSpec* spec = new_spec();
    ElvRodDef def = elv_rod_def_default();
    ElvElementDef element = elv_element_def_default();
    CheckRandom r = check_random(7);
    def.name = "rod";
    def.length = 1.0;
    def.section.kind = ELV_SECTION_CIRCLE;
    def.section.outer[0] = elv_law_def_value(0.05);
    def.material.density = 1000.0;
    def.material.young = 1e5;
    def.element = &element;
    def.n_element = 1;
    element.nodes = nodes;
    for (int k = 0; k < 3; k++) {
        element.modes[k] = 4;
    }
    elv_spec_set_gravity(spec, elv_vec3(0.0, 0.0, -9.81));
    add_rod(spec, &def);
    Robot robot = robot_compile(spec);
    for (int i = 0; i < robot.nq; i++) {
        robot.state->q[i] = check_uniform(&r, -8.0, 8.0);
    }
    return robot;
}

// tangent of the bent rod, and its distance from differences
static double* bent_tangent(int nodes, double* error, int* n) {
    CheckRandom r = check_random(3);
    Robot robot = bent_rod(nodes);
    Step step = step_create(&r, &robot, 200.0, 40000.0);
    double* jacobian = step_tangent(&step);
    *error = tangent_error(&step, jacobian, 1e-3, 4);
    *n = robot.nv;
    step_free(&step);
    robot_free(&robot);
    return jacobian;
}

// the mismatch is the spatial error, which falls spectrally: two nodes more, five times less
static void test_spatial_error(void** unused) {
    (void)unused;
    int n;
    double error, last = INFINITY;
    double* exact = bent_tangent(48, &error, &n);
    double scale = array_largest(exact, n * n);
    for (int nodes = 8; nodes <= 16; nodes += 2) {
        double* jacobian = bent_tangent(nodes, &error, &n);
        double spatial = 0.0;
        for (int i = 0; i < n * n; i++) {
            spatial = fmax(spatial, fabs(jacobian[i] - exact[i]) / scale);
        }
        CHECK_TRUE(error < 10.0 * spatial);
        CHECK_TRUE(error < last / 5.0);
        last = error;
        free(jacobian);
    }
    // the default nodes of such a rod, and many
    free(bent_tangent(0, &error, &n));
    CHECK_TRUE(error < 1e-7);
    free(bent_tangent(24, &error, &n));
    CHECK_TRUE(error < 1e-9);
    free(exact);
}

// ---- every joint, every kind of load, fixed and floating

// the joint, with spring, damper and rotor, carries a body, a rod and what acts on them
static Robot joint_sample(ElvJointType type, bool is_floating, ElvAxes axes, CheckRandom* r) {
    ElvError error;
    ElvSpec* spec = new_spec();
    ElvBodyDef body = elv_body_def_default();
    body.name = "base";
    body.mass = 2.0;
    body.inertia = elv_mat3_diag(0.3, 0.4, 0.5);
    body.has_inertia = true;
    body.joint.type = is_floating ? ELV_JOINT_FREE : ELV_JOINT_FIXED;
    add_body(spec, &body);
    body.name = "arm";
    body.parent = "base";
    body.pose = random_pose(r, 0.3);
    body.body_pose = random_pose(r, 0.3);
    body.center = random_vec3(r, 0.2);
    body.joint.type = type;
    body.joint.axis = random_vec3(r, 1.0);
    body.joint.axis2 = random_vec3(r, 1.0);
    body.joint.pitch = 0.1;
    for (int k = 0; k < 6; k++) {
        body.joint.stiffness[k] = check_uniform(r, 1.0, 2.0);
        body.joint.rest[k] = check_uniform(r, -0.2, 0.2);
        body.joint.damping[k] = check_uniform(r, 0.1, 0.2);
        body.joint.rotor_inertia[k] = check_uniform(r, 0.1, 0.2);
    }
    add_body(spec, &body);
    ElvRodDef rod = elv_rod_def_default();
    ElvElementDef element = elv_element_def_default();
    rod.name = "rod";
    rod.parent = "arm";
    rod.length = 0.8;
    rod.section.kind = ELV_SECTION_CIRCLE;
    rod.section.outer[0] = elv_law_def_value(0.1);
    rod.material.density = 500.0;
    rod.material.young = 1e4;
    rod.material.damping[ELV_STRAIN_BEND_Y] = 0.01;
    rod.element = &element;
    rod.n_element = 1;
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        element.modes[k] = 2;
    }
    add_rod(spec, &rod);
    ElvWrenchDef point = elv_wrench_def_default();
    ElvDistributedDef along = elv_distributed_def_default();
    point.at = "rod.at(0.6)";
    along.rod = "rod";
    point.axes = along.axes = axes;
    for (int k = 0; k < 6; k++) {
        point.wrench[k] = elv_law_def_value(check_uniform(r, -2.0, 2.0));
        along.wrench[k] = elv_law_def_value(check_uniform(r, -2.0, 2.0));
    }
    CHECK_STATUS(elv_spec_add_wrench(spec, &point, &error), &error);
    CHECK_STATUS(elv_spec_add_distributed(spec, &along, &error), &error);
    elv_spec_set_gravity(spec, random_vec3(r, 10.0));
    return robot_compile(spec);
}

// away from turns by pi, where springs on rotations jump
static void calm_state(CheckRandom* r, const Robot* robot, double size) {
    random_state(r, robot, size);
    for (int j = 0; j < robot->model->n_node; j++) {
        const ElvNode* node = &robot->model->node[j];
        if (node->joint->n_q > node->joint->n_v) {
            robot->state->q[node->i_q] = 1.0;
        }
    }
    elv_state_impose(robot->model, robot->state);
}

static void test_every_joint(void** unused) {
    (void)unused;
    for (int type = 0; type < ELV_N_JOINT_TYPE; type++) {
        for (int kind = 0; kind < 4; kind++) {
            for (int k = 0; k < 3; k++) {
                CheckRandom r = check_random((uint64_t)(100 * type + 10 * kind + k));
                Robot robot = joint_sample((ElvJointType)type, kind % 2 == 1,
                                           kind < 2 ? ELV_AXES_WORLD : ELV_AXES_LOCAL, &r);
                calm_state(&r, &robot, k < 2 ? 1.0 : 0.0);
                double error = floor_error(&robot, &r, steps[k][0], steps[k][1]);
                if (!(error < 1e-9)) {
                    fail_tree(&robot, r.seed, error);
                }
                robot_free(&robot);
            }
        }
    }
}

// ---- the mass matrix

// with accelerations varied alone the tangent is the mass matrix, by another algorithm
static void test_mass_matrix(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        CheckRandom r = check_random(seed);
        RandomOptions options = tree_options(0, 0.0, seed % 2 == 0);
        Robot robot = tree_of(&r, &options, 1.0);
        double* M = new_array(robot.nv * robot.nv);
        double* J = new_array(robot.nv * robot.nv);
        double* tau = new_array(robot.nv);
        elv_mass_matrix(robot.model, robot.data, robot.state, M);
        elv_residual(robot.model, robot.data, robot.state, tau);
        elv_tidm_pass(robot.model, robot.data, robot.state, NULL, 0.0, 1.0);
        elv_tidm_matrix(robot.model, robot.data, J);
        CHECK_BOUND(scaled_difference(robot.nv, J, M, M), 1e-12, seed);
        free(M);
        free(J);
        free(tau);
        robot_free(&robot);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slope_is_two), cmocka_unit_test(test_many_nodes),
        cmocka_unit_test(test_fluid),        cmocka_unit_test(test_spatial_error),
        cmocka_unit_test(test_every_joint),  cmocka_unit_test(test_mass_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
