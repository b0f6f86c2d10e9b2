// SPDX-License-Identifier: Apache-2.0
// Bodies that float, against closed forms: draught, heave, and the metacentre, which is I/V over the
// centre of buoyancy, I the second moment of the waterplane.
#include "model_case.h"

#include "elver/elver.h"

static const double pi = 3.14159265358979323846;
static const double g = 9.81;

// a body that may heave and roll about x, through its centre
static const char* const floater =
    "gravity: [0, 0, -9.81]\n"
    "fluid: {density: 1000, surface: 0.3}\n"
    "tree:\n"
    "  - {body: lift, joint: {prismatic: {axis: z, position: %.17g}}}\n"
    "  - {body: b, parent: lift, joint: {revolute: {axis: x, position: %.17g, damping: %.17g}}, "
    "shape: %s, density: %.17g,\n"
    "     fluid: {buoyancy: true}, resistance: [0, 0, 0, 0, 0, %.17g]}\n"
    "simulate: {method: generalized-alpha, step: 0.01, duration: 40}\n";

static void settle(ModelCase* c) {
    ElvError error;
    ElvStaticsReport report;
    ElvStaticsDef options = elv_statics_def_default();
    options.tolerance = 1e-13;
    CHECK_STATUS(elv_statics_solve(c->model, c->state, 0.0, &options, &report, &error), &error);
}

// K of heave and roll at rest
static void stiffness(ModelCase* c, double K[4], double M[4]) {
    ElvError error;
    CHECK_STATUS(elv_tangent_matrices(c->model, c->data, c->state, M, NULL, K, &error), &error);
}

// upright boxes of breadth B, height H, length 1: draught H rho/rho_w, K_zz = rho_w g A, K_roll =
// rho_w g V GM with GM = B^2/(12 T) + T/2 - H/2, without coupling
static void test_box(void** unused) {
    (void)unused;
    static const double breadth[4] = {1.0, 0.4, 2.0, 0.7};
    static const double height[4] = {0.2, 1.0, 1.0, 0.7};
    static const double density[4] = {250.0, 500.0, 800.0, 300.0};
    for (int k = 0; k < 4; k++) {
        char shape[96];
        double B = breadth[k];
        double H = height[k];
        double T = H * density[k] / 1000.0;
        double GM = B * B / (12.0 * T) + 0.5 * T - 0.5 * H;
        snprintf(shape, sizeof shape, "{box: {size: [1, %.17g, %.17g]}}", B, H);
        ModelCase c = case_open(floater, 0.3 - 0.2 * H, 0.0, 0.0, shape, density[k], 0.0);
        settle(&c);
        CHECK_NEAR(c.state->q[0], 0.3 + 0.5 * H - T, 1e-12);
        double K[4], M[4];
        stiffness(&c, K, M);
        // digits of the draught are left in the moments
        CHECK_NEAR(K[0], 1000.0 * g * B, 1e-8);
        CHECK_NEAR(K[3], 1000.0 * g * B * T * GM, 1e-8);
        CHECK_NEAR(K[1], 0.0, 1e-8);
        CHECK_NEAR(K[2], 0.0, 1e-8);
        // it heaves with omega^2 = g/T
        ElvModes* modes = NULL;
        ElvError error;
        CHECK_STATUS(elv_modes_create(c.model, c.state, &modes, &error), &error);
        double roll = g * GM / ((B * B + H * H) / 12.0);
        double heave = sqrt(g / T) / (2.0 * pi);
        CHECK_TRUE(modes->n_unstable == (GM < 0.0 ? 1 : 0));
        double miss = 1.0;
        for (int i = 0; i < modes->n_mode; i++) {
            miss = fmin(miss, fabs(modes->mode[i].frequency - heave));
        }
        CHECK_NEAR(miss, 0.0, 1e-10);
        miss = 1.0;
        for (int i = 0; i < modes->n_mode; i++) {
            miss = fmin(miss, fabs(modes->mode[i].frequency - sqrt(fabs(roll)) / (2.0 * pi)));
        }
        CHECK_NEAR(miss, 0.0, 1e-10);
        elv_modes_free(modes);
        case_close(&c);
    }
}

// an upright cylinder: I/V = r^2/(4 T)
static void test_cylinder(void** unused) {
    (void)unused;
    ModelCase c =
        case_open(floater, 0.31, 0.0, 0.0,
                  "{cylinder: {radius: 0.4, length: 0.3}, pose: {rpy: [0, pi/2, 0]}}", 600.0, 0.0);
    double T = 0.18;
    double V = pi * 0.16 * T;
    settle(&c);
    CHECK_NEAR(c.state->q[0], 0.3 + 0.15 - T, 1e-12);
    double K[4], M[4];
    stiffness(&c, K, M);
    CHECK_NEAR(K[0], 1000.0 * g * pi * 0.16, 1e-8);
    CHECK_NEAR(K[3], 1000.0 * g * V * (0.16 / (4.0 * T) + 0.5 * T - 0.15), 1e-8);
    case_close(&c);
}

// an ellipsoid at half draught: waterplane of semi-axes 1 and 0.5, I = pi/4 a b^3, the centre of
// buoyancy 3/8 c under it
static void test_ellipsoid(void** unused) {
    (void)unused;
    ModelCase c =
        case_open(floater, 0.31, 0.0, 0.0, "{ellipsoid: {radii: [1, 0.5, 0.3]}}", 500.0, 0.0);
    double V = 2.0 / 3.0 * pi * 0.15;
    settle(&c);
    CHECK_NEAR(c.state->q[0], 0.3, 1e-12);
    double K[4], M[4];
    stiffness(&c, K, M);
    CHECK_NEAR(K[0], 1000.0 * g * pi * 0.5, 1e-8);
    CHECK_NEAR(K[3], 1000.0 * g * (0.25 * pi * 0.125 - V * 0.375 * 0.3), 1e-8);
    case_close(&c);
}

// a flat box rights itself, a tall one capsizes until it lies: both come to rest within 40 s of
// damping
static void test_capsize(void** unused) {
    (void)unused;
    static const char* const shape[2] = {"{box: {size: [1, 1, 0.4]}}",
                                         "{box: {size: [1, 0.4, 1]}}"};
    const double angle[2] = {0.0, 0.5 * pi};
    for (int k = 0; k < 2; k++) {
        ElvError error;
        ModelCase c = case_open(floater, 0.3, k == 0 ? 0.4 : 0.01, 60.0, shape[k], 500.0, 600.0);
        ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
        CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
        CHECK_NEAR(c.state->q[1], angle[k], 1e-4);
        CHECK_NEAR(c.state->q[0], 0.3, 1e-4);
        case_close(&c);
    }
}

// a box thrown into the water keeps its energy, by tolerances: corners that dip in are kinks of a
// higher derivative
static void test_energy(void** unused) {
    (void)unused;
    static const char* const shape[2] = {
        "{box: {size: [0.5, 0.3, 0.2]}}",
        "{cylinder: {radius: 0.15, length: 0.5}, pose: {rpy: [0.3, 0.2, 0]}}"};
    for (int k = 0; k < 2; k++) {
        ElvError error;
        ModelCase c =
            case_open("gravity: [0, 0, -9.81]\n"
                      "fluid: {density: 1000, surface: 0}\n"
                      "tree:\n"
                      "  - {body: b, joint: {free: {position: {xyz: [0, 0, 0.5], rpy: [0.4, 0.3, "
                      "0]}, velocity: [1, 2, -1, 0.5, 0, 0]}}, shape: %s, density: 600, fluid: "
                      "{buoyancy: true, lift: [0, 0, 0]}}\n"
                      "simulate: {method: explicit, rel_tol: 1e-11, abs_tol: 1e-11, duration: 3}\n",
                      shape[k]);
        ElvEnergy start = elv_energy(c.model, c.data, c.state);
        ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
        CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
        ElvEnergy end = elv_energy(c.model, c.data, c.state);
        CHECK_NEAR(end.kinetic + end.gravity, start.kinetic + start.gravity,
                   1e-7 * (start.kinetic + start.gravity));
        case_close(&c);
    }
}

// with a volume of its own a body is cut as its shape, scaled to that
static void test_volume(void** unused) {
    (void)unused;
    ModelCase c = case_open("gravity: [0, 0, -9.81]\n"
                            "fluid: {density: 1000, surface: 0}\n"
                            "tree:\n"
                            "  - {body: b, joint: {prismatic: {axis: z}}, shape: {box: {size: [1, "
                            "1, 0.5]}}, density: 500, fluid: {buoyancy: true, volume: 4}}\n");
    settle(&c);
    // 2 x 2 x 1 m displace 250 kg at a draught of 1/16 m
    CHECK_NEAR(c.state->q[0], 0.5 - 0.0625, 1e-12);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),       cmocka_unit_test(test_cylinder),
        cmocka_unit_test(test_ellipsoid), cmocka_unit_test(test_capsize),
        cmocka_unit_test(test_energy),    cmocka_unit_test(test_volume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
