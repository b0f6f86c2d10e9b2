// SPDX-License-Identifier: Apache-2.0
// Rods that must be the same: bases that span the same space (inverse dynamics, mass matrix and
// efforts then differ by the change of coordinates T alone: tau' = T^T tau, M' = T^T M T), rods
// cut into elements, and rods without modes, which are rigid bodies.
#include "model_case.h"

enum { NV_MAX = 24 };

static const double PI = 3.14159265358979323846;

#define ROD_TEXT                                                                                   \
    "gravity: [1, -2, -9]\n"                                                                       \
    "tree:\n"                                                                                      \
    "  - rod: rod\n"                                                                               \
    "    length: 2\n"                                                                              \
    "    stiffness: [5, 3, 4, 7, 8, 9]\n"                                                          \
    "    inertia: [0.03, 0.01, 0.02, 1.5, 1.5, 1.5]\n"                                             \
    "    damping: [0.5, 0.3, 0.4, 0.7, 0.8, 0.9]\n"

#define LOAD_TEXT                                                                                  \
    "loads:\n"                                                                                     \
    "  - {distributed: [0, 0.1, 0, 1, 2, 3], rod: rod, from: 0.2, to: 0.9, frame: local}\n"        \
    "  - {force: [1, 0, 2], at: rod.tip}\n"                                                        \
    "actuators: [{rod: rod, stress: {bend_y: \"1 + s\"}}]\n"

// y = T x, T (n x m)
static void apply(int n, int m, const double* T, const double* x, double* y) {
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < m; j++) {
            y[i] += T[i * m + j] * x[j];
        }
    }
}

static void check_transposed(
    int n, int m, const double* T, const double* fine, const double* coarse, double tol) {
    for (int j = 0; j < m; j++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) {
            sum += T[i * m + j] * fine[i];
        }
        CHECK_NEAR(coarse[j], sum, tol);
    }
}

// the coordinates of fine are T times those of coarse
static void check_equal(ModelCase* fine, ModelCase* coarse, const double* T) {
    int n = fine->nv;
    int m = coarse->nv;
    double tau[2][NV_MAX], M[2][NV_MAX * NV_MAX], MT[NV_MAX], column[NV_MAX];
    for (uint64_t seed = 1; seed <= 3; seed++) {
        case_randomize(coarse, seed, 0.8);
        apply(n, m, T, coarse->state->q, fine->state->q);
        apply(n, m, T, coarse->state->v, fine->state->v);
        apply(n, m, T, coarse->state->a, fine->state->a);
        // both integrate the same fields with 20 nodes a piece: only their steps differ
        elv_idm(fine->model, fine->data, fine->state, tau[0]);
        elv_idm(coarse->model, coarse->data, coarse->state, tau[1]);
        check_transposed(n, m, T, tau[0], tau[1], 1e-11 * largest(tau[0], (size_t)n));
        elv_internal_efforts(fine->model, fine->data, fine->state, tau[0]);
        elv_internal_efforts(coarse->model, coarse->data, coarse->state, tau[1]);
        check_transposed(n, m, T, tau[0], tau[1], 1e-12 * largest(tau[0], (size_t)n));
        elv_mass_matrix(fine->model, fine->data, fine->state, M[0]);
        elv_mass_matrix(coarse->model, coarse->data, coarse->state, M[1]);
        for (int k = 0; k < m; k++) {
            for (int i = 0; i < n; i++) {
                column[i] = T[i * m + k];
            }
            apply(n, n, M[0], column, MT);
            check_transposed(n, m, T, MT, M[1] + k * m, 1e-11 * largest(M[0], (size_t)(n * n)));
        }
        ElvPose tip[2] = {case_pose(fine, "rod.tip"), case_pose(coarse, "rod.tip")};
        CHECK_ARRAY_NEAR(&tip[0].p.x, &tip[1].p.x, 3, 1e-11);
    }
}

static ModelCase open_basis(const char* basis, int n_mode) {
    return case_open(ROD_TEXT "    strain: {bend_y: %d}\n    basis: %s\n    nodes: 20\n" LOAD_TEXT,
                     n_mode, basis);
}

// two halves with powers of their own coordinates
static ModelCase open_halves(int n_mode) {
    return case_open(ROD_TEXT
                     "    elements:\n"
                     "      - {to: 0.5, strain: {bend_y: %d}, basis: monomial, nodes: 20}\n"
                     "      - {strain: {bend_y: %d}, basis: monomial, nodes: 20}\n" LOAD_TEXT,
                     n_mode, n_mode);
}

static void test_polynomials(void** state) {
    (void)state;
    // coefficients of the shifted polynomials, by powers (rows) and degree (columns)
    const double legendre[16] = {1, -1, 1, -1, 0, 2, -6, 12, 0, 0, 6, -30, 0, 0, 0, 20};
    const double chebyshev[16] = {1, -1, 1, -1, 0, 2, -8, 18, 0, 0, 8, -48, 0, 0, 0, 32};
    ModelCase fine = open_basis("monomial", 4);
    ModelCase coarse = open_basis("legendre", 4);
    check_equal(&fine, &coarse, legendre);
    case_close(&coarse);
    coarse = open_basis("chebyshev", 4);
    check_equal(&fine, &coarse, chebyshev);
    case_close(&coarse);
    case_close(&fine);
}

// one element on [0, 1] seen from two: x = x'/2, x = (1 + x')/2
static void test_one_element_is_two(void** state) {
    (void)state;
    const double T[18] = {1, 0, 0, 0, 0.5, 0, 0, 0, 0.25, 1, 0.5, 0.25, 0, 0.5, 0.5, 0, 0, 0.25};
    ModelCase fine = open_halves(3);
    ModelCase coarse = open_basis("monomial", 3);
    check_equal(&fine, &coarse, T);
    case_close(&coarse);
    case_close(&fine);
}

static void test_piecewise_constant(void** state) {
    (void)state;
    const double T[4] = {1, 0, 0, 1};
    ModelCase fine = open_halves(1);
    ModelCase coarse = open_basis("piecewise_constant", 2);
    check_equal(&fine, &coarse, T);
    case_close(&coarse);
    case_close(&fine);
}

static void test_piecewise_linear(void** state) {
    (void)state;
    const double T[12] = {1, 0, 0, -1, 1, 0, 0, 1, 0, 0, -1, 1};
    ModelCase fine = open_halves(2);
    ModelCase coarse = open_basis("piecewise_linear", 3);
    check_equal(&fine, &coarse, T);
    case_close(&coarse);
    case_close(&fine);
}

// values a, b and slopes c, d (per unit of s, pieces of width 1/2): a + c/2 x + … as a cubic
static void test_hermite(void** state) {
    (void)state;
    const double T[48] = {1, 0,   0, 0,   0,  0,   0,  0.5, 0, 0,    0, 0, -3, -1,  3,  -0.5,
                          0, 0,   2, 0.5, -2, 0.5, 0,  0,   0, 0,    1, 0, 0,  0,   0,  0,
                          0, 0.5, 0, 0,   0,  0,   -3, -1,  3, -0.5, 0, 0, 2,  0.5, -2, 0.5};
    ModelCase fine = open_halves(4);
    ModelCase coarse = open_basis("hermite", 6);
    check_equal(&fine, &coarse, T);
    case_close(&coarse);
    case_close(&fine);
}

// straight lines are their own splines
static void test_table_of_lines(void** state) {
    (void)state;
    const double T[4] = {1, 0, 0, 1};
    ModelCase fine = open_basis("monomial", 2);
    ModelCase coarse = case_open(ROD_TEXT "    basis: {bend_y: {table: {s: [0, 0.3, 1],\n"
                                          "             modes: [[1, 1, 1], [0, 0.3, 1]]}}}\n"
                                          "    nodes: 20\n" LOAD_TEXT);
    check_equal(&fine, &coarse, T);
    case_close(&coarse);
    case_close(&fine);
}

// ---- rods without modes

// the same coordinates, velocities and accelerations: the same efforts and mass matrix
static void check_rigid(ModelCase* rod, ModelCase* body, double tol) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        double tau[2][6], M[2][36];
        case_randomize(rod, seed, 1.0);
        elv_state_copy(body->state, rod->state);
        elv_idm(rod->model, rod->data, rod->state, tau[0]);
        elv_idm(body->model, body->data, body->state, tau[1]);
        CHECK_ARRAY_NEAR(tau[0], tau[1], 6, tol);
        elv_mass_matrix(rod->model, rod->data, rod->state, M[0]);
        elv_mass_matrix(body->model, body->data, body->state, M[1]);
        CHECK_ARRAY_NEAR(M[0], M[1], 36, tol);
    }
}

// a slender straight rod: m L^2/12 and the sections' own inertia
static void test_straight_rod_is_rigid(void** state) {
    (void)state;
    ModelCase rod = case_open(ROD_TEXT "    joint: free\n");
    double m = 1.5 * 2.0;
    double J = m * 2.0 * 2.0 / 12.0;
    ModelCase body = case_open("gravity: [1, -2, -9]\n"
                               "tree:\n"
                               "  - {body: body, joint: free, mass: %.17g, center: [1, 0, 0],\n"
                               "     inertia: [%.17g, %.17g, %.17g]}\n",
                               m, 0.03 * 2.0, J + 0.01 * 2.0, J + 0.02 * 2.0);
    check_rigid(&rod, &body, 1e-13);
    case_close(&rod);
    case_close(&body);
}

// sections whose centre of mass lies at c off the axis: moved by X e_x and integrated
static void test_offset_rod_is_rigid(void** state) {
    (void)state;
    double L = 2.0;
    double mu = 1.5;
    ElvMat3 e = elv_mat3_hat(elv_vec3(1.0, 0.0, 0.0));
    ElvMat3 c = elv_mat3_hat(elv_vec3(0.1, 0.07, 0.13));
    ElvMat3 mixed = elv_mat3_add(elv_mat3_mul(e, c), elv_mat3_mul(c, e));
    // about the root: J_o L - mu L^2/2 (e c + c e) - mu L^3/3 e e
    ElvMat3 J = elv_mat3_diag(0.3 * L, 0.2 * L, 0.4 * L);
    J = elv_mat3_add(J, elv_mat3_scale(-mu * L * L / 2.0, mixed));
    J = elv_mat3_add(J, elv_mat3_scale(-mu * L * L * L / 3.0, elv_mat3_mul(e, e)));
    // about the centre of mass
    ElvMat3 center = elv_mat3_hat(elv_vec3(1.1, 0.07, 0.13));
    J = elv_mat3_add(J, elv_mat3_scale(mu * L, elv_mat3_mul(center, center)));
    ModelCase rod = case_open("gravity: [1, -2, -9]\n"
                              "tree:\n"
                              "  - rod: rod\n"
                              "    joint: free\n"
                              "    length: 2\n"
                              "    stiffness: [5, 3, 4, 7, 8, 9]\n"
                              "    inertia:\n"
                              "      - [0.3, 0, 0, 0, -0.195, 0.105]\n"
                              "      - [0, 0.2, 0, 0.195, 0, -0.15]\n"
                              "      - [0, 0, 0.4, -0.105, 0.15, 0]\n"
                              "      - [0, 0.195, -0.105, 1.5, 0, 0]\n"
                              "      - [-0.195, 0, 0.15, 0, 1.5, 0]\n"
                              "      - [0.105, -0.15, 0, 0, 0, 1.5]\n");
    ModelCase body = case_open("gravity: [1, -2, -9]\n"
                               "tree:\n"
                               "  - {body: body, joint: free, mass: 3, center: [1.1, 0.07, 0.13],\n"
                               "     inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]}\n",
                               J.m[0][0], J.m[1][1], J.m[2][2], J.m[0][1], J.m[0][2], J.m[1][2]);
    check_rigid(&rod, &body, 1e-13);
    case_close(&rod);
    case_close(&body);
}

// three quarters of a ring in the plane x y, by Simpson's rule on the circle
static void test_arc_is_rigid(void** state) {
    (void)state;
    enum { N = 2000 };
    double angle = 1.5 * PI;
    double r = 2.0 / angle;
    double m = 0.0;
    double c[3] = {0.0};
    double J[3][3] = {{0.0}};
    for (int i = 0; i <= 2 * N; i++) {
        double phi = angle * i / (2.0 * N);
        double w = (i == 0 || i == 2 * N ? 1.0 : i % 2 ? 4.0 : 2.0) * 2.0 / (6.0 * N);
        double cs = cos(phi);
        double sn = sin(phi);
        double x = r * sn;
        double y = r * (1.0 - cs);
        m += 1.5 * w;
        c[0] += 1.5 * w * x;
        c[1] += 1.5 * w * y;
        J[0][0] += w * (1.5 * y * y + 0.03 * cs * cs + 0.01 * sn * sn);
        J[1][1] += w * (1.5 * x * x + 0.03 * sn * sn + 0.01 * cs * cs);
        J[0][1] += w * (-1.5 * x * y + (0.03 - 0.01) * sn * cs);
        J[2][2] += w * (1.5 * (x * x + y * y) + 0.02);
    }
    c[0] /= m;
    c[1] /= m;
    // about the centre of mass
    J[0][0] -= m * c[1] * c[1];
    J[1][1] -= m * c[0] * c[0];
    J[0][1] += m * c[0] * c[1];
    J[2][2] -= m * (c[0] * c[0] + c[1] * c[1]);
    ModelCase rod =
        case_open(ROD_TEXT "    joint: free\n    reference: {bend_z: %.17g}\n", 1.0 / r);
    ModelCase body = case_open("gravity: [1, -2, -9]\n"
                               "tree:\n"
                               "  - {body: body, joint: free, mass: %.17g,\n"
                               "     center: [%.17g, %.17g, 0],\n"
                               "     inertia: [[%.17g, %.17g, 0], [%.17g, %.17g, 0],\n"
                               "               [0, 0, %.17g]]}\n",
                               m, c[0], c[1], J[0][0], J[0][1], J[0][1], J[1][1], J[2][2]);
    check_rigid(&rod, &body, 1e-11);
    case_close(&rod);
    case_close(&body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polynomials),
        cmocka_unit_test(test_one_element_is_two),
        cmocka_unit_test(test_piecewise_constant),
        cmocka_unit_test(test_piecewise_linear),
        cmocka_unit_test(test_hermite),
        cmocka_unit_test(test_table_of_lines),
        cmocka_unit_test(test_straight_rod_is_rigid),
        cmocka_unit_test(test_offset_rod_is_rigid),
        cmocka_unit_test(test_arc_is_rigid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
