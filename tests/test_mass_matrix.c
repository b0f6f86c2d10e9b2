// SPDX-License-Identifier: Apache-2.0
// The mass matrix on random trees: composite inertias against columns of the IDM, symmetry,
// positive definiteness, and 1/2 v^T M v against the kinetic energy. Closed forms of three small
// mechanisms fix its scale.
#include "linalg/cholesky.h"

#include "random_tree.h"

enum { N_TREE = IS_SANITIZED ? 100 : 400 };

static const double TOL = 1e-11;

static void check_matrices(const Robot* robot, bool has_weight, uint64_t seed) {
    int nv = robot->nv;
    double* M = new_array(nv * nv);
    double* M_idm = new_array(nv * nv);
    double* p = new_array(nv);
    elv_mass_matrix(robot->model, robot->data, robot->state, M);
    // a quadratic form of the velocities
    array_apply(nv, M, robot->state->v, p);
    double kinetic = 0.5 * array_dot(robot->state->v, p, nv);
    ElvEnergy energy = elv_energy(robot->model, robot->data, robot->state);
    CHECK_BOUND(fabs(kinetic - energy.kinetic), TOL * energy.kinetic, seed);
    // one matrix by two algorithms
    elv_mass_matrix_idm(robot->model, robot->data, robot->state, M_idm);
    double error = array_distance(M, M_idm, nv * nv);
    CHECK_BOUND(error, TOL * array_norm(M, nv * nv), seed);
    if (!has_weight) {
        // without weights and loads to cancel, every entry
        CHECK_BOUND(scaled_difference(nv, M, M_idm, M), TOL, seed);
    }
    // symmetric to rounding: entries are sums of terms up to m r^2, r the distance to the base, some
    // 1e4 times the inertia of a rod about its own axis
    for (int i = 0; i < nv; i++) {
        for (int j = 0; j < nv; j++) {
            M_idm[i * nv + j] = M[j * nv + i];
        }
    }
    CHECK_BOUND(scaled_difference(nv, M, M_idm, M), 1e-12, seed);
    CHECK_TRUE(elv_cholesky_factor(nv, M) == -1);
    free(M);
    free(M_idm);
    free(p);
}

static void test_random_trees(void** context) {
    (void)context;
    RandomOptions options = random_options();
    for (uint64_t seed = 1; seed <= N_TREE; seed++) {
        CheckRandom r = check_random(1000 + seed);
        options.nodes = seed % 4 == 0 ? 24 : 0;
        options.has_gravity = options.has_loads = seed % 3 == 0;
        Robot robot = random_tree(&r, &options);
        random_state(&r, &robot, 1.0);
        check_matrices(&robot, options.has_gravity, 1000 + seed);
        robot_free(&robot);
    }
}

// ---- closed forms

// a rod that bends by one constant curvature, clamped at its root: with theta = k X the section at X
// moves by dp/dk; at k = 0 that is (0, X^2/2), and the section turns by X, so that
// M = rho (A l^5/20 + I l^3/3)
static void test_bending_rod(void** context) {
    (void)context;
    double rho = 800.0, l = 0.7, d = 0.1, A = 0.25 * acos(-1.0) * d * d, I = A * d * d / 16.0;
    ElvElementDef element = elv_element_def_default();
    element.modes[ELV_STRAIN_BEND_Z] = 1;
    ElvRodDef def = elv_rod_def_default();
    def.name = "rod";
    def.length = l;
    def.section.kind = ELV_SECTION_CIRCLE;
    def.section.outer[0] = elv_law_def_value(d);
    def.material.density = rho;
    def.material.young = 1e6;
    def.element = &element;
    def.n_element = 1;
    ElvSpec* spec = new_spec();
    add_rod(spec, &def);
    Robot robot = robot_compile(spec);
    double M = 0.0;
    double expected = rho * (A * pow(l, 5.0) / 20.0 + I * pow(l, 3.0) / 3.0);
    elv_mass_matrix(robot.model, robot.data, robot.state, &M);
    CHECK_NEAR(M, expected, 1e-13 * expected);
    // bent by k: p(X) = (sin kX, 1 - cos kX) / k, and M = rho A int |dp/dk|^2 dX + rho I l^3/3;
    // with u = kX, |dp/dk|^2 = (u^2 + 2 - 2 cos u - 2 u sin u) / k^4
    double k = 3.0;
    robot.state->q[0] = k;
    elv_mass_matrix(robot.model, robot.data, robot.state, &M);
    double u = k * l;
    double integral = (u * u * u / 3.0 + 2.0 * u - 4.0 * sin(u) + 2.0 * u * cos(u)) / pow(k, 5.0);
    expected = rho * (A * integral + I * pow(l, 3.0) / 3.0);
    CHECK_NEAR(M, expected, 1e-12 * expected);
    robot_free(&robot);
}

// two point masses on massless arms, relative angles: the double pendulum of every textbook
static void test_double_pendulum(void** context) {
    (void)context;
    double m1 = 1.3, m2 = 0.7, l1 = 0.6, l2 = 0.9, rotor = 0.05;
    ElvSpec* spec = new_spec();
    ElvBodyDef def = elv_body_def_default();
    def.name = "upper";
    def.joint.type = ELV_JOINT_REVOLUTE;
    def.body_pose.p = elv_vec3(l1, 0.0, 0.0);
    def.mass = m1;
    add_body(spec, &def);
    def.name = "lower";
    def.parent = "upper";
    def.body_pose.p = elv_vec3(l2, 0.0, 0.0);
    def.mass = m2;
    def.joint.rotor_inertia[0] = rotor;
    add_body(spec, &def);
    Robot robot = robot_compile(spec);
    robot.state->q[0] = 0.4;
    robot.state->q[1] = -1.1;
    double c = cos(-1.1);
    double m22 = m2 * l2 * l2;
    double m12 = m22 + m2 * l1 * l2 * c;
    double expected[4] = {m1 * l1 * l1 + m2 * (l1 * l1 + l2 * l2 + 2.0 * l1 * l2 * c), m12, m12,
                          m22 + rotor};
    double M[4];
    elv_mass_matrix(robot.model, robot.data, robot.state, M);
    CHECK_ARRAY_NEAR(M, expected, 4, 1e-15 * 4.0);
    robot_free(&robot);
}

// a free body: its own inertia matrix, about the origin of the body frame
static void test_free_body(void** context) {
    (void)context;
    ElvSpec* spec = new_spec();
    ElvBodyDef def = elv_body_def_default();
    def.name = "body";
    def.joint.type = ELV_JOINT_FREE;
    def.mass = 2.0;
    def.center = elv_vec3(0.1, -0.2, 0.3);
    def.inertia = elv_mat3_diag(0.3, 0.4, 0.5);
    def.has_inertia = true;
    add_body(spec, &def);
    Robot robot = robot_compile(spec);
    CheckRandom r = check_random(5);
    random_state(&r, &robot, 1.0);
    double M[36];
    elv_mass_matrix(robot.model, robot.data, robot.state, M);
    // J = J_c + m (|c|^2 1 - c c^T), H = m hat(c)
    double expected[6][6] = {
        {0.56, 0.04, -0.06, 0.0, -0.6, -0.4}, {0.04, 0.6, 0.12, 0.6, 0.0, -0.2},
        {-0.06, 0.12, 0.6, 0.4, 0.2, 0.0},    {0.0, 0.6, 0.4, 2.0, 0.0, 0.0},
        {-0.6, 0.0, 0.2, 0.0, 2.0, 0.0},      {-0.4, -0.2, 0.0, 0.0, 0.0, 2.0}};
    CHECK_ARRAY_NEAR(M, expected[0], 36, 1e-14);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_bending_rod),
        cmocka_unit_test(test_double_pendulum),
        cmocka_unit_test(test_free_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
