// SPDX-License-Identifier: Apache-2.0
// Stability of equilibria: pendulums up and down, Beck's column, which flutters under a following load of
// 20.0510 EI/L^2, divergence under a load that follows in part, a column under a cable.
#include "model_case.h"

#include "elver/analysis.h"

static ElvStabilityReport judge(const ModelCase* c) {
    ElvError error;
    ElvStabilityReport report;
    CHECK_STATUS(elv_stability(c->model, c->state, &report, &error), &error);
    return report;
}

static void test_pendulum(void** unused) {
    (void)unused;
    for (int i = 0; i < 2; i++) {
        double side = i == 0 ? 1.0 : -1.0;
        ModelCase c = case_open("gravity: [0, 0, -10]\n"
                                "tree:\n"
                                "  - {body: bob, joint: {revolute: {axis: y}}, mass: 2,\n"
                                "     center: [0, 0, %g], inertia: [0.5, 0.5, 0.5]}\n",
                                -0.5 * side);
        ElvStabilityReport report = judge(&c);
        CHECK_TRUE(report.is_conservative && !report.is_flutter);
        CHECK_TRUE(report.stability == (i == 0 ? ELV_STABILITY_STABLE : ELV_STABILITY_UNSTABLE));
        CHECK_NEAR(report.eigenvalue, side * 10.0, 1e-11);
        CHECK_TRUE(report.n_negative == i);
        CHECK_NEAR(report.growth, i == 0 ? 0.0 : sqrt(10.0), 1e-11);
        case_close(&c);
    }
}

// nothing holds it: not known
static void test_free_body(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree:\n"
                            "  - {body: box, joint: free, mass: 2, inertia: [0.5, 0.5, 0.5]}\n");
    CHECK_TRUE(judge(&c).stability == ELV_STABILITY_UNKNOWN);
    case_close(&c);
}

// a column of unit length, stiffness and mass under a load t that follows its tip
static ModelCase open_beck(void) {
    return case_open("tree:\n"
                     "  - {rod: rod, length: 1, stiffness: [1, 1, 1, 1, 1, 1],\n"
                     "     inertia: [1e-9, 1e-9, 1e-9, 1, 1, 1], strain: {bend_z: 10}}\n"
                     "loads:\n"
                     "  - {force: [\"-t\", 0, 0], at: rod.tip, frame: local}\n");
}

static void test_beck(void** unused) {
    (void)unused;
    ModelCase c = open_beck();
    double low = 10.0;
    double high = 30.0;
    for (int i = 0; i < 40; i++) {
        c.state->t = 0.5 * (low + high);
        ElvStabilityReport report = judge(&c);
        CHECK_TRUE(!report.is_conservative);
        if (report.stability == ELV_STABILITY_UNSTABLE) {
            CHECK_TRUE(report.is_flutter && report.growth > 0.0);
            high = c.state->t;
        } else {
            CHECK_TRUE(report.stability == ELV_STABILITY_STABLE);
            low = c.state->t;
        }
    }
    // from the frequency equation of Beck (1952): 20.0509536
    CHECK_NEAR(low, 20.0509536, 2e-5);
    case_close(&c);
}

// two bars, a quarter of the load follows: det K = 1 - 9/4 P + 3/4 P^2 vanishes at 0.54257
static void test_divergence(void** unused) {
    (void)unused;
    double critical = (2.25 - sqrt(2.25 * 2.25 - 3.0)) / 1.5;
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: low, joint: {revolute: {axis: z, stiffness: 1}}, mass: 1, center: [0.5, 0, "
        "0],\n"
        "     inertia: [0.1, 0.1, 0.1]}\n"
        "  - {body: high, parent: low, pose: {xyz: [1, 0, 0]}, mass: 1, center: [0.5, 0, 0],\n"
        "     joint: {revolute: {axis: z, stiffness: 1}}, inertia: [0.1, 0.1, 0.1]}\n"
        "frames:\n"
        "  - {name: top, on: high, pose: {xyz: [1, 0, 0]}}\n"
        "loads:\n"
        "  - {force: [\"-0.75*t\", 0, 0], at: top}\n"
        "  - {force: [\"-0.25*t\", 0, 0], at: top, frame: local}\n");
    c.state->t = 0.999 * critical;
    CHECK_TRUE(judge(&c).stability == ELV_STABILITY_STABLE);
    c.state->t = 1.001 * critical;
    ElvStabilityReport report = judge(&c);
    CHECK_TRUE(report.stability == ELV_STABILITY_UNSTABLE && !report.is_flutter);
    CHECK_TRUE(report.growth > 0.0);
    case_close(&c);
}

// a column pressed by a cable through its foot loses its stability at pi^2 EI / L^2; forces of cables that
// follow the motion have a potential
static void test_cable(void** unused) {
    (void)unused;
    double EI = 1e7 * 3.14159265358979323846 * pow(0.01, 4.0) / 64.0;
    double critical = pow(3.14159265358979323846, 2.0) * EI;
    for (int i = 0; i < 2; i++) {
        double tension = (i == 0 ? 0.9999 : 1.0001) * critical;
        ModelCase c = case_open(
            "tree:\n"
            "  - {rod: rod, length: 1, section: {circle: {diameter: 0.01}},\n"
            "     material: {density: 1000, young: 1e7}, strain: {bend_y: 10}, basis: legendre}\n"
            "actuators:\n"
            "  - {tendon: cable, path: [{at: world}, {at: rod.tip}], tension: %.17g}\n",
            tension);
        // the straight equilibrium: the force of the strand leads to the tip
        c.state->z[0] = tension;
        ElvStabilityReport report = judge(&c);
        CHECK_TRUE(report.is_conservative);
        CHECK_TRUE(report.stability == (i == 0 ? ELV_STABILITY_STABLE : ELV_STABILITY_UNSTABLE));
        CHECK_TRUE(report.n_negative == i);
        case_close(&c);
    }
}

// what cannot move is stable: everything driven, or the one coordinate held by a tendon
static void test_nothing_moves(void** unused) {
    (void)unused;
    static const char* const text[] = {
        "tree:\n"
        "  - {body: hub, joint: {revolute: {axis: z, motion: 0}}, mass: 1, inertia: [1, 1, 1]}\n",
        "tree:\n"
        "  - {rod: rod, length: 0.3, section: {circle: {radius: 0.01}},\n"
        "     material: {density: 1100, young: 2e6}, strain: {bend_z: 1}}\n"
        "actuators:\n"
        "  - {tendon: a, path: {rod: rod, y: 0.006}, pull: 0.002}\n"};
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open("%s", text[i]);
        ElvStaticsDef options = elv_model_statics(c.model);
        ElvError error;
        CHECK_STATUS(elv_statics_solve(c.model, c.state, 0.0, &options, NULL, &error), &error);
        ElvStabilityReport report = judge(&c);
        CHECK_TRUE(report.stability == ELV_STABILITY_STABLE && report.is_conservative);
        CHECK_TRUE(report.eigenvalue == 0.0 && report.n_negative == 0 && report.growth == 0.0);
        case_close(&c);
    }
}

// a state that is not finite is an error, and no verdict
static void test_not_finite(void** unused) {
    (void)unused;
    ModelCase c = case_open("gravity: [0, 0, -10]\n"
                            "tree:\n"
                            "  - {body: bob, joint: {revolute: {axis: y}}, mass: 2,\n"
                            "     center: [0, 0, -0.5], inertia: [0.5, 0.5, 0.5]}\n");
    ElvError error;
    ElvStabilityReport report;
    c.state->q[0] = NAN;
    CHECK_TRUE(elv_stability(c.model, c.state, &report, &error) == ELV_ERROR_NUMERIC);
    CHECK_TRUE(report.stability == ELV_STABILITY_UNKNOWN && strstr(error.message, "eigenvalues"));
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),   cmocka_unit_test(test_free_body),
        cmocka_unit_test(test_beck),       cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_cable),      cmocka_unit_test(test_nothing_moves),
        cmocka_unit_test(test_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
