// SPDX-License-Identifier: Apache-2.0
// Internal efforts of a rod: elasticity and damping with closed stiffness, actuation stress against
// closed integrals [P20 (27)], its equilibrium, and the sums of energy and momentum against
// potentials, quadratic forms and differences of positions.
#include "model_case.h"

static const double LENGTH = 2.0;

// E I_y = 3, E I_z = 4, G J = 5, E A = 7
#define ROD_TEXT                                                                                   \
    "gravity: [0.3, -0.5, -9.81]\n"                                                                \
    "tree:\n"                                                                                      \
    "  - rod: rod\n"                                                                               \
    "    length: 2\n"                                                                              \
    "    stiffness: [5, 3, 4, 7, 8, 9]\n"                                                          \
    "    inertia: [0.03, 0.01, 0.02, 1.5, 1.5, 1.5]\n"                                             \
    "    damping: [0.5, 0.3, 0.4, 0.7, 0.8, 0.9]\n"

static void efforts_at(ModelCase* c, double t, double* upsilon) {
    c->state->t = t;
    elv_internal_efforts(c->model, c->data, c->state, upsilon);
}

// -(K q + D v), with the diagonal stiffness E I L / (2 m + 1) of Legendre modes
static void test_elasticity_and_damping(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT "    strain: {reissner: 3}\n");
    const double H[6] = {5, 3, 4, 7, 8, 9};
    const double D[6] = {0.5, 0.3, 0.4, 0.7, 0.8, 0.9};
    double upsilon[18];
    case_randomize(&c, 1, 1.0);
    efforts_at(&c, 0.0, upsilon);
    double elastic = 0.0;
    for (int i = 0; i < 18; i++) {
        double gram = LENGTH / (2.0 * (i % 3) + 1.0);
        double q = c.state->q[i];
        CHECK_NEAR(upsilon[i], -gram * (H[i / 3] * q + D[i / 3] * c.state->v[i]), 1e-13);
        elastic += 0.5 * gram * H[i / 3] * q * q;
    }
    CHECK_NEAR(elv_energy(c.model, c.data, c.state).elastic, elastic, 1e-13);
    case_close(&c);
}

// Q_ad = - integral of phi Lambda_ad dX, monomials: powers of s on part of the rod
static void test_stress_field(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT "    strain: {bend_y: 4, twist: 2}\n"
                                     "    basis: monomial\n"
                                     "actuators:\n"
                                     "  - {rod: rod, from: 0.2, to: 0.7, while: t < 1,\n"
                                     "     stress: {bend_y: \"3*(1 + t)*s\", stretch: 100}}\n"
                                     "  - {rod: rod, stress: {bend_y: 2, twist: \"-s^2\"}}\n");
    for (int i = 0; i < 3; i++) {
        double t = 0.4 * i + 0.3;
        double upsilon[6];
        efforts_at(&c, t, upsilon);
        // columns: twist 0 1, bend_y 0 … 3
        for (int m = 0; m < 2; m++) {
            CHECK_NEAR(upsilon[m], LENGTH / (m + 3.0), 1e-14);
        }
        for (int m = 0; m < 4; m++) {
            double part = (pow(0.7, m + 2) - pow(0.2, m + 2)) / (m + 2.0);
            double Q = (t < 1.0 ? 3.0 * (1.0 + t) * part : 0.0) + 2.0 / (m + 1.0);
            CHECK_NEAR(upsilon[2 + m], -LENGTH * Q, 1e-14);
        }
    }
    case_close(&c);
}

// Lambda = H (xi - xi_o) + Lambda_ad vanishes in a free rod: the strain is -Lambda_ad / (E I)
static void test_equilibrium_under_stress(void** state) {
    (void)state;
    ModelCase c =
        case_open(ROD_TEXT "    strain: {bend_y: 2, bend_z: 2}\n"
                           "actuators:\n"
                           "  - {rod: rod, stress: {bend_y: 0.6, bend_z: \"2*s - 1\"}}\n");
    const double q[4] = {-0.6 / 3.0, 0.0, 0.0, -1.0 / 4.0};
    memcpy(c.state->q, q, sizeof q);
    double upsilon[4];
    efforts_at(&c, 0.0, upsilon);
    CHECK_ARRAY_NEAR(upsilon, ((double[4]){0.0}), 4, 1e-15);
    case_close(&c);
}

// ---- sums

static double kinetic(ModelCase* c) {
    return elv_energy(c->model, c->data, c->state).kinetic;
}

// kinetic energy is 1/2 v^T M v
static void test_kinetic_energy(void** state) {
    (void)state;
    enum { NV = 18 };
    ModelCase c = case_open(ROD_TEXT "    strain: {reissner: 3}\n");
    double M[NV * NV];
    case_randomize(&c, 2, 0.8);
    elv_mass_matrix(c.model, c.data, c.state, M);
    double form = 0.0;
    for (int i = 0; i < NV; i++) {
        for (int j = 0; j < NV; j++) {
            form += 0.5 * c.state->v[i] * M[NV * i + j] * c.state->v[j];
        }
    }
    CHECK_NEAR(kinetic(&c), form, 1e-12 * form);
    case_close(&c);
}

// a straight rod that shears at a uniform rate: closed forms
static void test_sums_of_a_straight_rod(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT "    pose: {xyz: [1, 2, 3]}\n"
                                     "    strain: {shear_y: 1, twist: 1}\n");
    double mu = 1.5;
    double rate = 0.7;
    double spin = 0.4;
    c.state->v[0] = spin; // twist
    c.state->v[1] = rate; // shear_y: y velocity rate X
    ElvEnergy energy = elv_energy(c.model, c.data, c.state);
    double cube = LENGTH * LENGTH * LENGTH / 3.0;
    CHECK_NEAR(energy.kinetic, 0.5 * cube * (mu * rate * rate + 0.03 * spin * spin), 1e-14);
    double mass = mu * LENGTH;
    CHECK_NEAR(energy.gravity, -mass * (0.3 * 2.0 - 0.5 * 2.0 - 9.81 * 3.0), 1e-12);
    ElvMomentum momentum = elv_momentum(c.model, c.data, c.state);
    double p = mu * rate * LENGTH * LENGTH / 2.0;
    const double linear[3] = {0.0, p, 0.0};
    CHECK_ARRAY_NEAR(&momentum.linear.x, linear, 3, 1e-14);
    // about the origin: integral of (1 + X, 2, 3) x (0, mu rate X, 0), and the spin
    const double angular[3] = {-3.0 * p + 0.03 * spin * LENGTH * LENGTH / 2.0, 0.0,
                               p + mu * rate * cube};
    CHECK_ARRAY_NEAR(&momentum.angular.x, angular, 3, 1e-13);
    const double center[3] = {2.0, 2.0, 3.0};
    CHECK_ARRAY_NEAR(&momentum.center.x, center, 3, 1e-14);
    CHECK_NEAR(momentum.mass, mass, 1e-14);
    case_close(&c);
}

// linear momentum = mass times the velocity of the centre of mass, by differences of slope 2
static void test_momentum_of_a_bent_rod(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT "    strain: {reissner: 3}\n    nodes: 20\n");
    case_randomize(&c, 3, 0.8);
    double q[18];
    memcpy(q, c.state->q, sizeof q);
    ElvMomentum now = elv_momentum(c.model, c.data, c.state);
    double error[2];
    for (int k = 0; k < 2; k++) {
        double h = k == 0 ? 2e-3 : 1e-3;
        ElvVec3 center[2];
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < 18; i++) {
                c.state->q[i] = q[i] + (side ? h : -h) * c.state->v[i];
            }
            center[side] = elv_momentum(c.model, c.data, c.state).center;
        }
        ElvVec3 velocity = elv_vec3_scale(0.5 / h, elv_vec3_sub(center[1], center[0]));
        ElvVec3 p = elv_vec3_scale(now.mass, velocity);
        error[k] = largest_difference(&p.x, &now.linear.x, 3);
    }
    double slope = log2(error[0] / error[1]);
    CHECK_TRUE(slope > 1.95 && slope < 2.05 && error[1] < 1e-4);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elasticity_and_damping),
        cmocka_unit_test(test_stress_field),
        cmocka_unit_test(test_equilibrium_under_stress),
        cmocka_unit_test(test_kinetic_energy),
        cmocka_unit_test(test_sums_of_a_straight_rod),
        cmocka_unit_test(test_momentum_of_a_bent_rod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
