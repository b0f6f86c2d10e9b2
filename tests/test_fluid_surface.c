// SPDX-License-Identifier: Apache-2.0
// Rods that pierce the surface, against closed forms of straight, thin ones: how deep they float,
// what rights them, how they bob. Nodes share a rod by their weights; Gauss nodes lie within
// 0.45/n^2 of the length of the middle of their parts, and stand for cells that reach the farther
// end: the wet length errs by twice that at most.
#include "model_case.h"

#include "elver/elver.h"

static const double pi = 3.14159265358979323846;
static const double g = 9.81;

// an upright spar of 1 m and a radius of 1 mm, far less than the distance of its nodes
static const char* const spar =
    "gravity: [0, 0, -9.81]\n"
    "fluid: {density: 1000, surface: 0.2}\n"
    "tree:\n"
    "  - {rod: spar, joint: {prismatic: {axis: x, position: %.17g}}, pose: {rpy: [0, pi/2, 0]},\n"
    "     length: 1, section: {circle: {radius: 1e-3}}, material: {density: %.17g}, nodes: %d,\n"
    "     fluid: {buoyancy: true}}\n"
    "simulate: {method: explicit, rel_tol: 1e-9, abs_tol: 1e-12, order: 5, duration: 1}\n";

static double misfit(int n) {
    return 0.9 / (n * n);
}

// density/1000 of the length is wet; the root is at height -x
static void test_draft(void** unused) {
    (void)unused;
    static const int nodes[] = {4, 8, 16, 64};
    for (int k = 0; k < 4; k++) {
        for (int i = 1; i < 20; i++) {
            double share = 0.05 * i;
            ElvError error;
            ElvStaticsReport report;
            ElvStaticsDef options = elv_statics_def_default();
            ModelCase c = case_open(spar, -0.6 - 0.3 * share, 1000.0 * share, nodes[k]);
            CHECK_STATUS(elv_statics_solve(c.model, c.state, 0.0, &options, &report, &error),
                         &error);
            CHECK_NEAR(-c.state->q[0], 0.2 + 1.0 - share, misfit(nodes[k]));
            // found means that little is left, also where the start is the equilibrium
            CHECK_TRUE(report.last_residual < 1e-9);
            case_close(&c);
        }
    }
}

// it bobs as on a spring of stiffness 1000 g A: omega^2 = 2 g for half the density. The stiffness of
// the cells errs by what neighbours overlap by, n misfit: the phase of a half turn by pi/2 of that,
// and the height where it ends by the square of it beside the offset.
static void test_bobbing(void** unused) {
    (void)unused;
    ElvError error;
    ModelCase c = case_open(spar, -0.65, 500.0, 64);
    ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
    options.t_end = pi / sqrt(2.0 * g);
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
    CHECK_NEAR(-c.state->q[0], 0.75, 0.05 * 64 * misfit(64) + 2.0 * misfit(64));
    case_close(&c);
}

// hinged at its lower end, 0.3 m under water, and inclined by a: the wet length is 0.3/sin(a), its
// middle lifts. The wet end errs by the misfit, the moment by that much more of lift there.
static void test_righting(void** unused) {
    (void)unused;
    static const char* const spaces[] = {"quadrature", "spectral"};
    for (int k = 0; k < 10; k++) {
        double a = 0.4 + 0.25 * (k / 2);
        ModelCase c =
            case_open("gravity: [0, 0, -9.81]\n"
                      "fluid: {density: 1000, surface: 0.3}\n"
                      "tree:\n"
                      "  - {rod: r, joint: {revolute: {axis: -y, position: %.17g}}, length: 1,\n"
                      "     section: {circle: {radius: 1e-3}}, material: {density: 500},\n"
                      "     nodes: 32, space: %s, fluid: {buoyancy: true}}\n",
                      a, spaces[k % 2]);
        double tau = 0.0;
        double area = pi * 1e-6;
        double wet = 0.3 / sin(a);
        double lift = 1000.0 * g * area;
        elv_idm(c.model, c.data, c.state, &tau);
        double expected = cos(a) * (0.5 * lift * 0.5 - 0.5 * lift * wet * wet);
        // weights of Clenshaw and Curtis are less regular: cells err by twice as much
        CHECK_NEAR(tau, expected, 2.0 * lift * misfit(32));
        case_close(&c);
    }
}

// a level rod has no spread: as before, the share of a circle of its radius
static void test_level(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("gravity: [0, 0, -9.81]\n"
                  "fluid: {density: 1000, surface: 0}\n"
                  "tree:\n"
                  "  - {rod: r, joint: {prismatic: {axis: z, position: 0.05}}, length: 1,\n"
                  "     section: {circle: {radius: 0.1}}, material: {density: 500},\n"
                  "     fluid: {buoyancy: true}}\n");
    double tau = 0.0;
    double share = (acos(0.5) - 0.5 * sqrt(0.75)) / pi;
    elv_idm(c.model, c.data, c.state, &tau);
    CHECK_NEAR(tau, (500.0 - 1000.0 * share) * g * pi * 0.01, 1e-11);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draft),
        cmocka_unit_test(test_bobbing),
        cmocka_unit_test(test_righting),
        cmocka_unit_test(test_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
