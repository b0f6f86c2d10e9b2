// SPDX-License-Identifier: Apache-2.0
// The mass matrix of rods: closed forms for straight ones, equality with the IDM's columns to
// rounding (the quadrature is its own adjoint) also with few nodes and children, definiteness.
#include "model_case.h"

#include "linalg/cholesky.h"

enum { NV_MAX = 64 };

// rho A = 1.5, rho I_y = 0.01, rho I_z = 0.02, rho J = 0.03
#define ROD_TEXT                                                                                   \
    "tree:\n"                                                                                      \
    "  - rod: rod\n"                                                                               \
    "    length: 2\n"                                                                              \
    "    stiffness: [5, 3, 4, 7, 8, 9]\n"                                                          \
    "    inertia: [0.03, 0.01, 0.02, 1.5, 1.5, 1.5]\n"

// one uniform mode per strain: displacements X, X^2/2 and rotations X per unit
static void test_straight_rod(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT "    strain: {reissner: 1}\n");
    double M[36];
    elv_mass_matrix(c.model, c.data, c.state, M);
    double L = 2.0;
    double translation = 1.5 * L * L * L / 3.0;
    double sag = 1.5 * pow(L, 5) / 20.0;
    double mixed = 1.5 * pow(L, 4) / 8.0;
    double expected[36] = {0.0};
    expected[0] = 0.03 * L * L * L / 3.0;
    expected[7] = sag + 0.01 * L * L * L / 3.0;
    expected[14] = sag + 0.02 * L * L * L / 3.0;
    expected[21] = expected[28] = expected[35] = translation;
    // bending about z moves towards y, about y towards -z
    expected[6 * 2 + 4] = expected[6 * 4 + 2] = mixed;
    expected[6 * 1 + 5] = expected[6 * 5 + 1] = -mixed;
    CHECK_ARRAY_NEAR(M, expected, 36, 1e-14);
    case_close(&c);
}

// a free straight rod: its first block is the inertia of a slender rigid rod about the root
static void test_free_straight_rod(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT "    joint: free\n    strain: {bend_y: 2}\n");
    double M[64];
    elv_mass_matrix(c.model, c.data, c.state, M);
    double m = 3.0;
    double L = 2.0;
    double expected[36] = {0.0};
    expected[0] = 0.03 * L;
    expected[7] = m * L * L / 3.0 + 0.01 * L;
    expected[14] = m * L * L / 3.0 + 0.02 * L;
    expected[21] = expected[28] = expected[35] = m;
    // m hat(c), c = (L/2, 0, 0)
    expected[6 * 1 + 5] = expected[6 * 5 + 1] = -m * L / 2.0;
    expected[6 * 2 + 4] = expected[6 * 4 + 2] = m * L / 2.0;
    for (int i = 0; i < 6; i++) {
        CHECK_ARRAY_NEAR(M + 8 * i, expected + 6 * i, 6, 1e-14);
    }
    case_close(&c);
}

static void check_both(ModelCase* c, uint64_t seed) {
    double M[NV_MAX * NV_MAX], by_idm[NV_MAX * NV_MAX];
    size_t n = (size_t)c->nv;
    CHECK_TRUE(c->nv <= NV_MAX);
    case_randomize(c, seed, 0.8);
    elv_mass_matrix(c->model, c->data, c->state, M);
    elv_mass_matrix_idm(c->model, c->data, c->state, by_idm);
    double scale = largest(M, n * n);
    CHECK_ARRAY_NEAR(M, by_idm, n * n, 1e-13 * scale);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            CHECK_NEAR(M[i * n + j], M[j * n + i], 1e-13 * scale);
        }
    }
    CHECK_TRUE(elv_cholesky_factor(c->nv, M) == -1);
}

// with few nodes both are wrong by the same amount: agreement does not wait for convergence
static void test_both_mass_matrices(void** state) {
    (void)state;
    const char* const basis[] = {"legendre", "hermite", "piecewise_linear", "piecewise_constant"};
    for (int kind = 0; kind < 4; kind++) {
        for (int nodes = 6; nodes <= 14; nodes += 4) {
            ModelCase c = case_open(ROD_TEXT "    joint: spherical\n"
                                             "    strain: {reissner: 4}\n"
                                             "    basis: %s\n"
                                             "    nodes: %d\n",
                                    basis[kind], nodes);
            check_both(&c, (uint64_t)(10 * kind + nodes));
            case_close(&c);
        }
    }
}

// rods and bodies that hang on the middle, the tip and the root of a rod, and a rod on a rod
static void test_rods_with_children(void** state) {
    (void)state;
    ModelCase c = case_open(
        ROD_TEXT "    joint: {revolute: {axis: [1, 2, 3]}}\n"
                 "    strain: {kirchhoff: 3}\n"
                 "  - {body: tool, parent: rod.tip, mass: 1, center: [0.1, 0.2, 0.3],\n"
                 "     inertia: [0.1, 0.2, 0.25], joint: {prismatic: {axis: [1, 1, 0]}}}\n"
                 "  - {body: fin, parent: rod.at(0.4), mass: 0.5, center: [0, 0.2, 0],\n"
                 "     inertia: [0.1, 0.2, 0.25], joint: {revolute: {axis: x}}}\n"
                 "  - {body: foot, parent: rod.root, mass: 0.5, center: [0, 0.2, 0],\n"
                 "     inertia: [0.1, 0.2, 0.25], joint: spherical}\n"
                 "  - rod: branch\n"
                 "    parent: rod.at(0.4)\n"
                 "    pose: {rpy: [0.3, 0.5, 0.7]}\n"
                 "    length: 1\n"
                 "    stiffness: [5, 3, 4, 7, 8, 9]\n"
                 "    inertia: [[0.03, 0, 0, 0, 0.02, 0.01], [0, 0.02, 0, -0.02, 0, 0],\n"
                 "              [0, 0, 0.03, -0.01, 0, 0], [0, -0.02, -0.01, 1.5, 0, 0],\n"
                 "              [0.02, 0, 0, 0, 1.5, 0], [0.01, 0, 0, 0, 0, 1.5]]\n"
                 "    strain: {reissner: 2}\n");
    for (uint64_t seed = 1; seed <= 5; seed++) {
        check_both(&c, seed);
    }
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_rod),
        cmocka_unit_test(test_free_straight_rod),
        cmocka_unit_test(test_both_mass_matrices),
        cmocka_unit_test(test_rods_with_children),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
