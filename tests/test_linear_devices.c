// SPDX-License-Identifier: Apache-2.0
// Linear models, modes and stability with unknowns of devices: servos against their polynomials, drones
// against differences of the explicit equations of motion, tensions, pulls and pressures against
// equilibria and against the simulation, tendons that do not stretch against stiff ones.
#include "linear_case.h"

#include "linalg/eigen.h"
#include "solve/newton.h"

// ---- servos

static const char servo[] =
    "tree:\n"
    "  - {body: arm, joint: {revolute: {axis: y, stiffness: 1, damping: 0.5, kp: %g, kd: %g, ki: "
    "%g,\n"
    "     max_effort: %s, target: %g}}, mass: 1, inertia: [0.5, 0.5, 0.5]}\n";

static void test_servo(void** unused) {
    (void)unused;
    // 0.5 (s + 1)(s + 2)(s + 3)
    static const double poles[3] = {-3.0, -2.0, -1.0};
    static const char* const outputs[] = {"arm.q", "arm.effort"};
    ElvError error;
    ElvLinearModel* m = NULL;
    ModelCase c = case_open(servo, 4.5, 2.5, 3.0, ".inf", 0.0);
    CHECK_STATUS(elv_linear_model_create(c.model, c.state, NULL, 0, outputs, 2, &m, &error),
                 &error);
    CHECK_TRUE(m->n_state == 3 && m->n_input == 2);
    assert_string_equal(m->input_name[0], "arm.target.0");
    assert_string_equal(m->input_name[1], "arm.target_rate.0");
    assert_string_equal(m->state_name[2], "arm.z.0");
    static const double A[9] = {0.0, 1.0, 0.0, -11.0, -6.0, 6.0, -1.0, 0.0, 0.0};
    static const double B[6] = {0.0, 0.0, 9.0, 5.0, 1.0, 0.0};
    static const double C[6] = {1.0, 0.0, 0.0, -4.5, -2.5, 3.0};
    static const double D[4] = {0.0, 0.0, 4.5, 2.5};
    CHECK_ARRAY_NEAR(m->A, A, 9, 1e-12);
    CHECK_ARRAY_NEAR(m->B, B, 6, 1e-12);
    CHECK_ARRAY_NEAR(m->C, C, 6, 1e-10);
    CHECK_ARRAY_NEAR(m->D, D, 4, 1e-10);
    double re[MAX_STATE];
    double im[MAX_STATE];
    eigenvalues(m->n_state, m->A, re, im);
    CHECK_ARRAY_NEAR(re, poles, 3, 1e-9);
    elv_linear_model_free(m);
    // the same from the modes, by frequency
    ElvModes* modes = NULL;
    CHECK_STATUS(elv_modes_create(c.model, c.state, &modes, &error), &error);
    CHECK_TRUE(modes->n_mode == 3 && modes->n_unstable == 0 && modes->is_damped);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(modes->mode[i].re, poles[2 - i], 1e-9);
    }
    elv_modes_free(modes);
    case_close(&c);
    // without integral: s^2 + 2 s + 10
    c = case_open(servo, 4.0, 0.5, 0.0, ".inf", 0.0);
    CHECK_STATUS(elv_linear_model_create(c.model, c.state, NULL, 0, outputs, 2, &m, &error),
                 &error);
    CHECK_TRUE(m->n_state == 2);
    eigenvalues(2, m->A, re, im);
    CHECK_NEAR(re[0], -1.0, 1e-9);
    CHECK_NEAR(fabs(im[0]), 3.0, 1e-9);
    elv_linear_model_free(m);
    case_close(&c);
}

// the slope of a limited effort: M tanh(x / M), x = kp target at the state
static void test_limited_servo(void** unused) {
    (void)unused;
    static const char* const outputs[] = {"arm.effort"};
    ElvError error;
    ElvLinearModel* m = NULL;
    ModelCase c = case_open(servo, 4.0, 2.0, 3.0, "0.8", 0.15);
    CHECK_STATUS(elv_linear_model_create(c.model, c.state, NULL, 0, outputs, 1, &m, &error),
                 &error);
    double part = tanh(4.0 * 0.15 / 0.8);
    double slope = 1.0 - part * part;
    double B[6] = {0.0, 0.0, 8.0 * slope, 4.0 * slope, 1.0, 0.0};
    double D[2] = {4.0 * slope, 2.0 * slope};
    CHECK_ARRAY_NEAR(m->B, B, 6, 1e-12);
    CHECK_ARRAY_NEAR(m->D, D, 2, 1e-9);
    CHECK_NEAR(m->C[2], 3.0 * slope, 1e-9);
    elv_linear_model_free(m);
    case_close(&c);
}

// J s^3 + kd s^2 + kp s + ki: stable for ki < kd kp / J
static void test_servo_stability(void** unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        ElvError error;
        ElvStabilityReport report;
        double limit = (2.0 + 0.5) * (4.0 + 1.0) / 0.5;
        ModelCase c = case_open(servo, 4.0, 2.0, (k == 0 ? 0.99 : 1.01) * limit, ".inf", 0.0);
        CHECK_STATUS(elv_stability(c.model, c.state, &report, &error), &error);
        CHECK_TRUE(!report.is_conservative);
        CHECK_TRUE(report.stability == (k == 0 ? ELV_STABILITY_STABLE : ELV_STABILITY_UNSTABLE));
        CHECK_TRUE(report.is_flutter == (k == 1));
        case_close(&c);
    }
}

// ---- drones

// w_dot and z_dot at (nu, w, z) beside the state, an equilibrium at rest: the chart turns by second order
static void rates_at(ModelCase* c, const ElvState* base, const double* x, double* x_dot) {
    ElvError error;
    int nv = c->nv;
    double zero[MAX_STATE] = {0.0};
    elv_chart_state(c->model, base->q, x, x + nv, zero, c->state);
    memcpy(c->state->z, x + 2 * nv, (size_t)c->state->nz * sizeof *x);
    CHECK_STATUS(elv_forward_dynamics(c->model, c->data, c->state, &error), &error);
    memcpy(x_dot, x + nv, (size_t)nv * sizeof *x);
    memcpy(x_dot + nv, c->state->a, (size_t)nv * sizeof *x);
    memcpy(x_dot + 2 * nv, c->state->z_rate, (size_t)c->state->nz * sizeof *x);
}

static void test_drones(void** unused) {
    (void)unused;
    ElvError error;
    ElvLinearModel* m = NULL;
    ElvState* base = NULL;
    ModelCase c = open_example("drones");
    int n = 2 * c.nv + c.state->nz;
    CHECK_TRUE(n == 60);
    CHECK_STATUS(elv_state_create(c.model, &base, &error), &error);
    CHECK_STATUS(elv_linear_model_create(c.model, base, NULL, 0, NULL, 0, &m, &error), &error);
    CHECK_TRUE(m->n_state == n && m->n_input == 12);
    assert_string_equal(m->input_name[5], "control.pilot1.linear.z");
    assert_string_equal(m->state_name[48], "control.pilot1.z.0");
    double* J = calloc((size_t)(n * n), sizeof *J);
    CHECK_TRUE(J != NULL);
    double x[MAX_STATE] = {0.0};
    double low[MAX_STATE];
    double high[MAX_STATE];
    double h = 1e-4;
    for (int k = 0; k < n; k++) {
        x[k] = -h;
        rates_at(&c, base, x, low);
        x[k] = h;
        rates_at(&c, base, x, high);
        x[k] = 0.0;
        for (int i = 0; i < n; i++) {
            J[i * n + k] = (high[i] - low[i]) / (2.0 * h);
        }
    }
    double size = largest(m->A, (size_t)(n * n));
    CHECK_ARRAY_NEAR(m->A, J, (size_t)(n * n), 1e-6 * size);
    // every eigenvalue of one has its like among those of the other
    double re[2][MAX_STATE];
    double im[2][MAX_STATE];
    eigenvalues(n, m->A, re[0], im[0]);
    eigenvalues(n, J, re[1], im[1]);
    int n_zero = 0;
    for (int i = 0; i < n; i++) {
        double nearest = INFINITY;
        for (int k = 0; k < n; k++) {
            nearest = fmin(nearest, hypot(re[0][i] - re[1][k], im[0][i] - im[1][k]));
        }
        double scale = hypot(re[0][i], im[0][i]);
        n_zero += scale < 1e-6 ? 1 : 0;
        CHECK_TRUE(nearest <= 1e-6 * fmax(scale, 1.0));
    }
    // equilibria of every place, and of every internal load that the integrals may hold
    CHECK_TRUE(n_zero == 12);
    free(J);
    elv_state_free(base);
    elv_linear_model_free(m);
    case_close(&c);
}

// the wanted velocity of one drone: F = kp u, z_dot = u
static void test_wanted_velocity(void** unused) {
    (void)unused;
    static const char* const inputs[] = {"control.pilot.linear"};
    static const char* const outputs[] = {"control.pilot.wrench.force.y"};
    ElvError error;
    ElvLinearModel* m = NULL;
    ModelCase c = case_open("tree: [{body: drone, joint: free, mass: 2, inertia: [1, 1, 1]}]\n"
                            "actuators:\n"
                            "  - {velocity_control: pilot, at: drone, kp: 6, ki: 3}\n");
    CHECK_STATUS(elv_linear_model_create(c.model, c.state, inputs, 1, outputs, 1, &m, &error),
                 &error);
    CHECK_TRUE(m->n_state == 18 && m->n_input == 3);
    assert_string_equal(m->input_name[1], "control.pilot.linear.y");
    CHECK_NEAR(m->B[10 * 3 + 1], 3.0, 1e-12);
    CHECK_NEAR(m->B[16 * 3 + 1], 1.0, 1e-12);
    CHECK_NEAR(m->A[10 * 18 + 10], -3.0, 1e-12);
    CHECK_NEAR(m->A[10 * 18 + 16], 1.5, 1e-12);
    CHECK_NEAR(m->D[1], 6.0, 1e-9);
    elv_linear_model_free(m);
    case_close(&c);
}

// ---- wheels

// A cart on two torque-driven wheels: V_dot = (tau_l + tau_r) / (m R), w_dot = (tau_r - tau_l) d / (J R).
static void test_wheels(void** unused) {
    (void)unused;
    static const char* const outputs[] = {"cart.v", "cart.a"};
    static const char* const inputs[] = {"wheel.left.torque", "wheel.right.torque"};
    const double m = 5.0, J = 0.4, d = 0.3, R = 0.1;
    ElvError error;
    ElvLinearModel* linear = NULL;
    ModelCase c = case_open("tree:\n"
                            "  - {body: cart, joint: planar, mass: 5, inertia: [0.4, 0.4, 0.4]}\n"
                            "frames:\n"
                            "  - {name: left_hub, on: cart, pose: {xyz: [0, 0.3, 0]}}\n"
                            "  - {name: right_hub, on: cart, pose: {xyz: [0, -0.3, 0]}}\n"
                            "constraints:\n"
                            "  - {wheel: left, at: left_hub, radius: 0.1, torque: 0}\n"
                            "  - {wheel: right, at: right_hub, radius: 0.1, torque: \"0*t\"}\n"
                            "simulate: {method: generalized-alpha, step: 0.01}\n");
    CHECK_STATUS(elv_linear_model_create(c.model, c.state, inputs, 2, outputs, 2, &linear, &error),
                 &error);
    CHECK_TRUE(linear->n_input == 2 && linear->n_output == 6);
    assert_string_equal(linear->input_name[0], inputs[0]);
    // accelerations: w, x, y
    const double D[6] = {-d / (J * R), d / (J * R), 1.0 / (m * R), 1.0 / (m * R), 0.0, 0.0};
    CHECK_ARRAY_NEAR(linear->D + 6, D, 6, 1e-9);
    elv_linear_model_free(linear);
    // without names they are found
    CHECK_STATUS(elv_linear_model_create(c.model, c.state, NULL, 0, outputs, 2, &linear, &error),
                 &error);
    CHECK_TRUE(linear->n_input == 2);
    assert_string_equal(linear->input_name[1], inputs[1]);
    elv_linear_model_free(linear);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wheels),        cmocka_unit_test(test_servo),
        cmocka_unit_test(test_limited_servo), cmocka_unit_test(test_servo_stability),
        cmocka_unit_test(test_drones),        cmocka_unit_test(test_wanted_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
