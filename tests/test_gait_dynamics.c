// SPDX-License-Identifier: Apache-2.0
// What a robot itself does in a cycle, where constraints leave something free: the snakeboard
// against its closed equations; and where the connection decides on all, the same as by it.
#include "connection_case.h"

static const double PI = 3.14159265358979323846;

// J_1 by its series
static double bessel_1(double x) {
    double term = 0.5 * x, sum = 0.0;
    for (int k = 0; k < 30; k++) {
        sum += term;
        term *= -0.25 * x * x / ((k + 1.0) * (k + 2.0));
    }
    return sum;
}

// ---- the snakeboard (models/snakeboard.yaml): l = 0.2, m = 4, I_r = 0.02, a = 0.7, b = 1, w = 3

// rates of (x, y, theta, xi): [ALI (4.17)], and a front wheel that rolls along its own direction
static void board_rates(double t, const double y[4], double rate[4]) {
    double phi = 0.7 * sin(3.0 * t), phi_dot = 2.1 * cos(3.0 * t), psi_ddot = -9.0 * sin(3.0 * t);
    double V = -0.4 * cos(phi) * cos(phi) * y[3];
    rate[0] = V * cos(y[2]);
    rate[1] = V * sin(y[2]);
    // the front axle is steered by -phi
    rate[2] = -V * tan(phi) / 0.2;
    rate[3] = tan(phi) * (phi_dot * y[3] - 0.02 * psi_ddot / (2.0 * 4.0 * 0.04));
}

// one period from rest by the method of Runge and Kutta: 4000 steps, errors below 1e-12
static void ride(double y[4]) {
    enum { N_STEP = 4000 };
    double h = 2.0 * PI / 3.0 / N_STEP;
    static const double node[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
    memset(y, 0, 4 * sizeof *y);
    for (int i = 0; i < N_STEP; i++) {
        double rate[4] = {0.0}, sum[4] = {0.0}, at[4];
        for (int s = 0; s < 4; s++) {
            for (int k = 0; k < 4; k++) {
                at[k] = y[k] + h * node[s] * rate[k];
            }
            board_rates(h * (i + node[s]), at, rate);
            for (int k = 0; k < 4; k++) {
                sum[k] += weight[s] * rate[k];
            }
        }
        for (int k = 0; k < 4; k++) {
            y[k] += h / 6.0 * sum[k];
        }
    }
}

static void test_snakeboard(void** unused) {
    (void)unused;
    ElvModel* model = example("snakeboard");
    ElvState* state = NULL;
    ElvGait gait;
    ElvError error;
    double change[3], y[4];
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(elv_gait_dynamics(model, state, 0.0, NULL, &gait, change, &error), &error);
    CHECK_NEAR(gait.period, 2.0 * PI / 3.0, 1e-9);
    ride(y);
    ElvVec3 turn = elv_so3_log(gait.net.R);
    CHECK_NEAR(gait.net.p.x, y[0], 1e-10);
    CHECK_NEAR(gait.net.p.y, y[1], 1e-10);
    CHECK_NEAR(turn.z, y[2], 1e-10);
    // xi grows by I_r b w^2 J_1(a) / (2 m l^2) in a second, and V = -2 l xi where the axles are
    // straight
    double V = -0.4 * 0.02 * 9.0 * bessel_1(0.7) / (2.0 * 4.0 * 0.04) * 2.0 * PI / 3.0;
    CHECK_NEAR(change[0], 0.0, 1e-10);
    CHECK_NEAR(change[1], V * cos(y[2]), 1e-10);
    CHECK_NEAR(change[2], V * sin(y[2]), 1e-10);
    // the connection has no momentum along what is free, and stays
    gait = cycle_of(model, ELV_CONNECTION_MECHANICAL, 0.0);
    CHECK_NEAR(elv_vec3_norm(gait.net.p), 0.0, 1e-12);
    elv_state_free(state);
    elv_model_free(model);
}

// ---- refused, and where both are the same

static void test_same_from_rest(void** unused) {
    (void)unused;
    ElvModel* model = example("falling-cat");
    ElvState* state = NULL;
    ElvGait own;
    ElvError error;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    elv_state_impose(model, state);
    // velocities of zero momentum: those of the connection
    Gait moving = gait_start(example("falling-cat"), 0.0, 0.0);
    elv_state_copy(state, moving.state);
    CHECK_STATUS(elv_gait_dynamics(model, state, 1.0, NULL, &own, NULL, &error), &error);
    ElvGait gait = cycle_of(model, ELV_CONNECTION_MECHANICAL, 1.0);
    CHECK_ARRAY_NEAR(&own.net.p.x, &gait.net.p.x, 3, 1e-9);
    CHECK_ARRAY_NEAR(&own.net.R.m[0][0], &gait.net.R.m[0][0], 9, 1e-9);
    gait_free(&moving);
    elv_state_free(state);
    elv_model_free(model);
}

static void test_no_root(void** unused) {
    (void)unused;
    ElvModel* model = model_of("elver: 1\nname: x\ntree:\n  - body: b\n    mass: 1\n    joint: "
                               "{prismatic: {axis: x, motion: \"sin(t)\"}}\n");
    ElvState* state = NULL;
    ElvGait gait;
    ElvError error;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    assert_int_equal(elv_gait_dynamics(model, state, 1.0, NULL, &gait, NULL, &error),
                     ELV_ERROR_INPUT);
    assert_string_equal(error.field, "motion");
    elv_state_free(state);
    elv_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snakeboard),
        cmocka_unit_test(test_same_from_rest),
        cmocka_unit_test(test_no_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
