// SPDX-License-Identifier: Apache-2.0
// Swimming at low Reynolds number by waves of bending (@flagellum) against resistive force theory.
//
// Small amplitudes, slope e = b k: to first order the filament moves across its axis alone, by y =
// y_0 + h + phi (x - L/2), y_0 = b sin(k x - w t), and is free of force and torque: y_t has no mean
// and no first moment. Along the axis, to second order, C_t times the integral of u_x is (C_n -
// C_t) times that of y_t y_x, and u_x is U on average. With P the projection on what is orthogonal
// to 1 and x,
//     U = (r - 1)/L <integral of (P y_0t) y_0x> = -(r - 1) w b^2 k (1/2 - |(1 - P) cos|^2 / L),   r = C_n/C_t
// and for whole waves |(1 - P) cos|^2 = 6/(L k^2) on average:
//     |U| = (w/k) (r - 1) e^2/2 (1 - 12/(k L)^2).
// The next term is smaller by e^2.
//
// Any amplitude, without ends: in the frame of the wave, which moves at U_w, material runs along
// the curve at speed c, and the mean force along x is C_n U_w - (C_n - C_t) U_w B - C_t c a = 0
// with a = <cos theta>, B = <cos^2 theta> over the arc. The wave runs over the material at V = c a,
// and |U| = V - U_w = V m/(1 + m), m = (r - 1)(1 - B).
#include "model_case.h"

#include "elver/elver.h"

static const double pi = 3.14159265358979323846;

// speed over a period, from its displacement: the shape at its end is that at its beginning, and so
// is the heading
static double swim(double slope, double n, double C_n) {
    static const char* const path[3] = {"slope", "n", "C_n"};
    const double value[3] = {slope, n, C_n};
    char text[3][32];
    ElvOverride override[3];
    ElvError error;
    ModelCase c = {0};
    for (int k = 0; k < 3; k++) {
        snprintf(text[k], sizeof text[k], "%.17g", value[k]);
        override[k] = (ElvOverride){path[k], text[k]};
    }
    CHECK_STATUS(elv_model_read_file(ELVER_SOURCE_DIR "/models/flagellum.yaml", override, 3,
                                     &c.model, &error),
                 &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    ElvPose start = case_pose(&c, "tail.root");
    ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
    options.t_end = 1.0;
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
    ElvPose end = case_pose(&c, "tail.root");
    // no net turn: a beat and its mirror image half a period later
    CHECK_ARRAY_NEAR(&end.R.m[0][0], &start.R.m[0][0], 9, 1e-8);
    case_close(&c);
    ElvVec3 shift = elv_vec3_sub(end.p, start.p);
    // against the wave
    CHECK_TRUE(shift.x < 0.0);
    return elv_vec3_norm(shift);
}

static double small_amplitude(double slope, double n, double C_n) {
    double k = 2.0 * pi * n;
    return 1.0 / n * (C_n - 1.0) * slope * slope / 2.0 * (1.0 - 12.0 / (k * k));
}

// below 1 % at slopes of 0.08 and less, and a quarter of it at half the slope
static void test_small_amplitude(void** unused) {
    (void)unused;
    static const double waves[3] = {1.0, 2.0, 3.0};
    for (int i = 0; i < 3; i++) {
        double C_n = 1.5 + 0.5 * i;
        double error[3];
        for (int k = 0; k < 3; k++) {
            double slope = 0.08 / (1 << k);
            error[k] = swim(slope, waves[i], C_n) / small_amplitude(slope, waves[i], C_n) - 1.0;
        }
        CHECK_NEAR(error[0], 0.0, 1e-2);
        CHECK_TRUE(error[0] / error[1] > 3.8 && error[0] / error[1] < 4.2);
        CHECK_TRUE(error[1] / error[2] > 3.8 && error[1] / error[2] < 4.2);
    }
}

// theta of the wave, curvature -e K sin(K x) by arc: e cos(K x) and averages over it, by the
// rectangle rule for periods
static double endless(double slope, double n, double C_n) {
    enum { N = 64 };
    double a = 0.0, B = 0.0;
    for (int i = 0; i < N; i++) {
        double theta = slope * cos(2.0 * pi * i / N);
        a += cos(theta) / N;
        B += cos(theta) * cos(theta) / N;
    }
    double m = (C_n - 1.0) * (1.0 - B);
    return a / n * m / (1.0 + m);
}

// many waves at a large amplitude: ends matter by 12/(k L)^2 or so, 1/n^2, and by 1/n at most
static void test_large_amplitude(void** unused) {
    (void)unused;
    double four = swim(0.8, 4.0, 2.0) / endless(0.8, 4.0, 2.0) - 1.0;
    double eight = swim(0.8, 8.0, 2.0) / endless(0.8, 8.0, 2.0) - 1.0;
    CHECK_NEAR(eight, 0.0, 1e-2);
    CHECK_TRUE(fabs(four / eight) > 3.0 && fabs(four / eight) < 5.0);
}

// equal resistances along and across push nothing
static void test_isotropic(void** unused) {
    (void)unused;
    ModelCase c = {0};
    ElvError error;
    ElvOverride override[1] = {{"C_n", "1"}};
    CHECK_STATUS(elv_model_read_file(ELVER_SOURCE_DIR "/models/flagellum.yaml", override, 1,
                                     &c.model, &error),
                 &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    ElvPose start = case_pose(&c, "tail.root");
    ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
    options.t_end = 1.0;
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
    ElvVec3 end = case_pose(&c, "tail.root").p;
    CHECK_ARRAY_NEAR(&end.x, &start.p.x, 3, 1e-9);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_amplitude),
        cmocka_unit_test(test_large_amplitude),
        cmocka_unit_test(test_isotropic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
