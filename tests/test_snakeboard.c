// SPDX-License-Identifier: Apache-2.0
// The snakeboard [ALI section 4.2] of models/: closed forms of its motion and torques, what grows
// and what is kept, the balance of power, torques by the projective recursion, and torques that are
// played back.
#include "locomotion_case.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846;

// ---- the snakeboard (models/snakeboard.yaml)

enum { BOARD_GAUSS = 5 };

static const double B_L = 0.2, B_M = 4.0, B_IR = 0.02, B_IW = 0.001, B_A = 0.7, B_B = 1.0,
                    B_W = 3.0;

// -I_r / (2 m l^2) times the integral of sin(phi) psi_ddot from 0 to t, by Gauss
static double board_integral(double t) {
    static const double x[BOARD_GAUSS] = {-0.906179845938664, -0.538469310105683, 0.0,
                                          0.538469310105683, 0.906179845938664};
    static const double w[BOARD_GAUSS] = {0.236926885056189, 0.478628670499366, 0.568888888888889,
                                          0.478628670499366, 0.236926885056189};
    const int n = 2000;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < BOARD_GAUSS; k++) {
            double s = t * ((double)i + 0.5 * (1.0 + x[k])) / n;
            sum += 0.5 * w[k] * t / n * sin(B_A * sin(B_W * s)) * -B_B * B_W * B_W * sin(B_W * s);
        }
    }
    return -B_IR / (2.0 * B_M * B_L * B_L) * sum;
}

static void test_snakeboard(void** unused) {
    (void)unused;
    static const char* const signal[] = {"rotor.effort", "front.effort", "back.effort"};
    Gait gait = gait_start(constraint_model("snakeboard"), 0.0, 0.0);
    for (int k = 0; k <= 40; k++) {
        double t = 0.25 * k, value[3];
        gait_go(&gait, t);
        gait_see(&gait, signal, 3, value);
        const double *q = gait.state->q, *v = gait.state->v, *a = gait.state->a;
        double phi = B_A * sin(B_W * t), phi_dot = B_A * B_W * cos(B_W * t);
        double phi_ddot = -B_W * B_W * phi, psi_ddot = -B_B * B_W * B_W * sin(B_W * t);
        double c = cos(phi), s = sin(phi);
        // the speed along the board, V = -2 l cos(phi)^2 xi, and its rate
        double ct = cos(q[0]), st = sin(q[0]);
        double V = ct * v[1] + st * v[2];
        double V_dot = ct * a[1] + st * a[2] + v[0] * (ct * v[2] - st * v[1]);
        double xi = -V / (2.0 * B_L * c * c);
        double xi_dot = (-V_dot / (2.0 * B_L) + 2.0 * c * s * phi_dot * xi) / (c * c);
        // (4.17), (4.20)
        CHECK_NEAR(xi_dot, s / c * (phi_dot * xi - B_IR * psi_ddot / (2.0 * B_M * B_L * B_L)),
                   1e-10);
        CHECK_NEAR(value[0],
                   B_IR * ((1.0 - B_IR / (B_M * B_L * B_L) * s * s) * psi_ddot +
                           2.0 * c * c * phi_dot * xi),
                   1e-10);
        CHECK_NEAR(value[2] - value[1], 2.0 * B_IW * phi_ddot, 1e-10);
        CHECK_NEAR(xi * c, board_integral(t), 1e-9);
    }
    gait_free(&gait);
}

// over whole periods xi cos(phi) grows by I_r b w^2 J_1(a) / (2 m l^2) in a second; J_1 by its
// series
static void test_snakeboard_growth(void** unused) {
    (void)unused;
    double bessel = 0.0, term = 0.5 * B_A;
    for (int k = 0; k < 20; k++) {
        bessel += term;
        term *= -0.25 * B_A * B_A / ((k + 1.0) * (k + 2.0));
    }
    Gait gait = gait_start(constraint_model("snakeboard"), 0.0, 0.0);
    for (int k = 1; k <= 5; k++) {
        double t = 2.0 * PI / B_W * k;
        gait_go(&gait, t);
        double V =
            cos(gait.state->q[0]) * gait.state->v[1] + sin(gait.state->q[0]) * gait.state->v[2];
        double growth = B_IR * B_B * B_W * B_W * bessel / (2.0 * B_M * B_L * B_L);
        CHECK_NEAR(-V / (2.0 * B_L) / t, growth, 1e-10);
    }
    gait_free(&gait);
}

// a rotor that is still moves nothing from rest; one that turns evenly keeps xi cos(phi)
static void test_snakeboard_kept(void** unused) {
    (void)unused;
    const char* const law[] = {"0", "2*t"};
    for (int i = 0; i < 2; i++) {
        const ElvOverride change[] = {{"rotor.joint.revolute.motion", law[i]},
                                      {"board.joint", "{planar: {velocity: [0, 0.3, 0]}}"}};
        char path[512];
        ElvError error;
        ElvModel* model = NULL;
        snprintf(path, sizeof path, "%s/models/snakeboard.yaml", ELVER_SOURCE_DIR);
        CHECK_STATUS(elv_model_read_file(path, change, 1 + i, &model, &error), &error);
        Gait gait = gait_start(model, 0.0, 0.0);
        for (int k = 0; k <= 10; k++) {
            double t = 0.3 * k;
            gait_go(&gait, t);
            double V =
                cos(gait.state->q[0]) * gait.state->v[1] + sin(gait.state->q[0]) * gait.state->v[2];
            double kept = V / cos(B_A * sin(B_W * t));
            CHECK_NEAR(kept, i == 0 ? 0.0 : 0.3, 1e-11);
        }
        gait_free(&gait);
    }
}

static void test_snakeboard_power(void** unused) {
    (void)unused;
    Gait gait = gait_start(constraint_model("snakeboard"), 0.0, 1e-13);
    for (int k = 1; k <= 6; k++) {
        (void)gait_balance(&gait, 0.7 * k, 0.01, NULL, 0, 1e-9);
    }
    gait_free(&gait);
}

// leaves with wheels on a body without: there it is right
static void test_projective_snakeboard(void** unused) {
    (void)unused;
    Gait gait = gait_start(constraint_model("snakeboard"), 0.0, 0.0);
    double tau[6], effort[6];
    ElvWrench left;
    ElvError error;
    gait_go(&gait, 1.3);
    CHECK_STATUS(
        elv_locomotion_projective_torques(gait.model, gait.data, gait.state, tau, &left, &error),
        &error);
    elv_drive_efforts(gait.model, gait.data, gait.state, effort);
    CHECK_ARRAY_NEAR(tau + 3, effort + 3, 3, 1e-14);
    gait_free(&gait);
}

// ---- torques played back by the forward dynamics return the motion

enum { N_KNOT = 401, TEXT = 200000 };

static size_t print_table(char* text, size_t size, const double* tau) {
    size_t n = (size_t)snprintf(text, size, "{table: {t: [");
    for (int k = 0; k < N_KNOT; k++) {
        n += (size_t)snprintf(text + n, size - n, "%s%.17g", k ? ", " : "", 0.005 * k);
    }
    n += (size_t)snprintf(text + n, size - n, "], values: [");
    for (int k = 0; k < N_KNOT; k++) {
        n += (size_t)snprintf(text + n, size - n, "%s%.17g", k ? ", " : "", tau[k]);
    }
    return n + (size_t)snprintf(text + n, size - n, "], interpolation: cubic}}");
}

static void test_played_back(void** unused) {
    (void)unused;
    static double tau[3][N_KNOT];
    static const char* const key[] = {"rotor.joint", "front.joint", "back.joint"};
    static const double speed[] = {3.0, -2.1, 2.1};
    Gait gait = gait_start(constraint_model("snakeboard"), 0.0, 0.0);
    double end[6];
    for (int k = 0; k < N_KNOT; k++) {
        double effort[6];
        gait_go(&gait, 0.005 * k);
        elv_drive_efforts(gait.model, gait.data, gait.state, effort);
        for (int i = 0; i < 3; i++) {
            tau[i][k] = effort[3 + i];
        }
    }
    memcpy(end, gait.state->q, sizeof end);
    gait_free(&gait);
    ElvOverride change[3];
    char* text[3];
    for (int i = 0; i < 3; i++) {
        text[i] = malloc(TEXT);
        CHECK_TRUE(text[i]);
        size_t n =
            (size_t)snprintf(text[i], TEXT, "{revolute: {axis: z, velocity: %g, force: ", speed[i]);
        n += print_table(text[i] + n, TEXT - n, tau[i]);
        n += (size_t)snprintf(text[i] + n, TEXT - n, "}}");
        CHECK_TRUE(n < TEXT);
        change[i] = (ElvOverride){key[i], text[i]};
    }
    char path[512];
    ElvError error;
    ElvModel* model = NULL;
    snprintf(path, sizeof path, "%s/models/snakeboard.yaml", ELVER_SOURCE_DIR);
    CHECK_STATUS(elv_model_read_file(path, change, 3, &model, &error), &error);
    gait = gait_start(model, 0.0, 0.0);
    gait_go(&gait, 2.0);
    CHECK_ARRAY_NEAR(gait.state->q, end, 6, 1e-6);
    gait_free(&gait);
    for (int i = 0; i < 3; i++) {
        free(text[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snakeboard),
        cmocka_unit_test(test_snakeboard_growth),
        cmocka_unit_test(test_snakeboard_kept),
        cmocka_unit_test(test_snakeboard_power),
        cmocka_unit_test(test_projective_snakeboard),
        cmocka_unit_test(test_played_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
