// SPDX-License-Identifier: Apache-2.0
// Gauss' principle of least constraint: the true acceleration has the least value among all that the joints allow.
// Within the modes the difference is half the square of the change in the mass matrix; beyond them it is the kinetic
// energy that the change would have as a velocity.
#include "model_case.h"

#include "chain_case.h"
#include "elver/strong_inverse.h"
#include "multibody/model.h"
#include "rod/rod.h"

static double
gauss(ElvRiccati* riccati, const ElvAccelerationChange* change, ElvGaussEfforts efforts) {
    double value;
    ElvError error;
    CHECK_STATUS(elv_riccati_gauss(riccati, change, efforts, &value, &error), &error);
    return value;
}

// a change by modal accelerations d
typedef struct {
    const ElvModel* model;
    const double* d;
    double scale;
} ModalChange;

static void
modal_change(void* user, int i_node, double s, double xi[6], double xi_dot[6], double xi_ddot[6]) {
    const ModalChange* change = user;
    const ElvNode* node = &change->model->node[i_node];
    const ElvRod* rod = (const ElvRod*)node->joint;
    double none[64] = {0.0};
    (void)xi, (void)xi_dot;
    double on[6], off[6];
    elv_twist_to_array(elv_rod_strain_at(rod, change->d + node->i_v, s), on);
    elv_twist_to_array(elv_rod_strain_at(rod, none, s), off);
    for (int k = 0; k < 6; k++) {
        xi_ddot[k] = change->scale * (on[k] - off[k]);
    }
}

static double quadratic(const double* M, int n, const double* d) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            sum += M[i * n + j] * d[i] * d[j];
        }
    }
    return sum;
}

// at any acceleration: C(a + d) - C(a) = d^T r(a) + d^T M d / 2, r the residual of the dynamics
static void check_differences(ModelCase* c, ElvRiccati* riccati, uint64_t seed, bool is_true) {
    static double M[64 * 64];
    double d[64], r[64];
    ElvError error;
    CHECK_TRUE(c->nv <= 64);
    elv_mass_matrix(c->model, c->data, c->state, M);
    elv_residual(c->model, c->data, c->state, r);
    CHECK_STATUS(elv_riccati_solve_state(riccati, c->state, false, &error), &error);
    double at = gauss(riccati, NULL, ELV_GAUSS_LAW);
    CheckRandom random = check_random(seed);
    for (int trial = 0; trial < 5; trial++) {
        for (int i = 0; i < c->nv; i++) {
            d[i] = check_uniform(&random, -1.0, 1.0);
        }
        ModalChange user = {c->model, d, 1.0};
        ElvAccelerationChange change = {d, modal_change, &user};
        double half = 0.5 * quadratic(M, c->nv, d);
        double slope = 0.0;
        for (int i = 0; i < c->nv; i++) {
            slope += d[i] * r[i];
        }
        double difference = gauss(riccati, &change, ELV_GAUSS_LAW) - at;
        double size = fabs(at) + half + fabs(slope);
        CHECK_NEAR(difference, slope + half, 1e-9 * size);
        if (is_true) {
            CHECK_TRUE(difference > 0.0);
            CHECK_NEAR(slope, 0.0, 1e-9 * size);
        }
    }
}

static void test_forward_dynamics_has_the_least_constraint(void** unused) {
    (void)unused;
    static const char* const JOINT[] = {"free", "{revolute: {axis: [0, 1, 1], damping: 0.2, "
                                                "stiffness: 1, force: 0.7, rotor_inertia: 0.02}}"};
    for (uint64_t i = 0; i < 2; i++) {
        ModelCase c = case_open(CHAIN_JOINT, JOINT[i]);
        ElvRiccati* riccati;
        ElvError error;
        CHECK_STATUS(elv_riccati_create(c.model, 0, &riccati, &error), &error);
        case_randomize(&c, 20 + i, 0.3);
        // any acceleration, then the true one
        check_differences(&c, riccati, 1, false);
        CHECK_STATUS(elv_forward_dynamics(c.model, c.data, c.state, &error), &error);
        check_differences(&c, riccati, 2, true);
        elv_riccati_free(riccati);
        case_close(&c);
    }
}

// ---- changes that no mode knows

typedef struct {
    double w, phase;
} Wave;

static void
wave_change(void* user, int i_node, double s, double xi[6], double xi_dot[6], double xi_ddot[6]) {
    const Wave* wave = user;
    (void)i_node, (void)xi, (void)xi_dot;
    for (int k = 0; k < 6; k++) {
        xi_ddot[k] = sin(wave->w * s + wave->phase + k);
    }
}

// with the efforts that a motion needs, its own acceleration is the true one: any change of it raises the constraint
static void test_needed_efforts_make_the_motion_true(void** unused) {
    (void)unused;
    ModelCase c = case_open(CHAIN_JOINT, "free");
    ElvRiccati* riccati;
    ElvError error;
    CHECK_STATUS(elv_riccati_create(c.model, 64, &riccati, &error), &error);
    case_randomize(&c, 6, 0.4);
    CHECK_STATUS(elv_riccati_solve_state(riccati, c.state, true, &error), &error);
    double at = gauss(riccati, NULL, ELV_GAUSS_FOUND);
    CheckRandom random = check_random(9);
    for (int trial = 0; trial < 8; trial++) {
        Wave wave = {check_uniform(&random, 0.0, 40.0), check_uniform(&random, 0.0, 6.0)};
        double a[6];
        for (int k = 0; k < 6; k++) {
            a[k] = trial % 2 ? check_uniform(&random, -0.1, 0.1) : 0.0;
        }
        ElvAccelerationChange change = {a, wave_change, &wave};
        CHECK_TRUE(gauss(riccati, &change, ELV_GAUSS_FOUND) > at);
    }
    elv_riccati_free(riccati);
    case_close(&c);
}

// a straight rod at rest, clamped: changing xi_ddot by e cos(w s) in bending costs e^2/2 int mu y^2 + J y'^2
static void
bend_wave(void* user, int i_node, double s, double xi[6], double xi_dot[6], double xi_ddot[6]) {
    (void)i_node, (void)xi, (void)xi_dot;
    xi_ddot[2] = cos(*(const double*)user * s);
}

static void test_cost_of_a_bending_wave(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree:\n"
                            "  - {rod: rod, length: 1, inertia: [0, 0, 0.3, 2, 2, 2], stiffness: "
                            "[1, 1, 1, 1, 1, 1], strain: {bend_z: 1}}\n");
    ElvRiccati* riccati;
    ElvError error;
    double w = 7.0;
    CHECK_STATUS(elv_riccati_create(c.model, 0, &riccati, &error), &error);
    CHECK_STATUS(elv_riccati_solve_state(riccati, c.state, false, &error), &error);
    ElvAccelerationChange change = {NULL, bend_wave, &w};
    CHECK_TRUE(gauss(riccati, NULL, ELV_GAUSS_FOUND) == 0.0);
    // theta_ddot = sin(w s)/w, y_ddot = (1 - cos(w s))/w^2
    double turn = (0.5 - sin(2.0 * w) / (4.0 * w)) / (w * w);
    double move = (1.5 - 2.0 * sin(w) / w + sin(2.0 * w) / (4.0 * w)) / pow(w, 4.0);
    CHECK_NEAR(gauss(riccati, &change, ELV_GAUSS_FOUND), 0.5 * (0.3 * turn + 2.0 * move), 1e-14);
    // a clamped root has nothing to change
    double a[6] = {1.0};
    double value;
    change.a = a;
    CHECK_TRUE(elv_riccati_gauss(riccati, &change, ELV_GAUSS_FOUND, &value, &error) ==
               ELV_ERROR_INPUT);
    elv_riccati_free(riccati);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forward_dynamics_has_the_least_constraint),
        cmocka_unit_test(test_needed_efforts_make_the_motion_true),
        cmocka_unit_test(test_cost_of_a_bending_wave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
