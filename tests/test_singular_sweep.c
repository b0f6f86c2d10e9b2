// SPDX-License-Identifier: Apache-2.0
// The singular Riccati sweep of forward dynamics, an experiment: on a thick rod it finds the strain acceleration that
// the stress belongs to, with the order of its steps; S grows as e^(2 l / r), and slender rods are lost.
#include "model_case.h"

#include "elver/singular_sweep.h"

static ElvSingularReport
sweep_bent(double slenderness, const char* strain, int steps, double noise, double bend) {
    ModelCase c = case_open("gravity: [0, -9.81, 0]\n"
                            "tree:\n"
                            "  - {rod: rod, length: 1, section: {circle: {radius: %.17g}},\n"
                            "     material: {density: 1000, young: 1e6, poisson: 0.3}, strain: %s, "
                            "basis: legendre}\n",
                            1.0 / slenderness, strain);
    ElvRiccati* riccati;
    ElvSingularReport report;
    ElvError error;
    ElvSingularOptions options = {.steps = steps, .nodes = 20, .noise = noise};
    case_randomize(&c, 2, 0.2);
    for (int i = 0; i < c.nv; i++) {
        c.state->q[i] *= bend;
    }
    CHECK_STATUS(elv_riccati_create(c.model, 64, &riccati, &error), &error);
    CHECK_STATUS(elv_riccati_solve_state(riccati, c.state, false, &error), &error);
    CHECK_STATUS(elv_singular_sweep(riccati, &options, &report, &error), &error);
    CHECK_NEAR(report.growth, 2.0 * slenderness, 1e-9 * slenderness);
    elv_riccati_free(riccati);
    case_close(&c);
    return report;
}

static ElvSingularReport sweep(double slenderness, const char* strain, int steps, double noise) {
    return sweep_bent(slenderness, strain, steps, noise, 1.0);
}

static void test_thick_rod_is_solved(void** unused) {
    (void)unused;
    static const char* const STRAIN[] = {"{bend_z: 3}", "{kirchhoff: 2}", "{reissner: 2}"};
    for (int i = 0; i < 3; i++) {
        ElvSingularReport report = sweep(2.0, STRAIN[i], 64, 0.0);
        // two derivatives by polynomials of degree 19 enlarge rounding some 1e5 times
        CHECK_TRUE(report.is_finite && report.error < 1e-6 && report.drift < 1e-6);
    }
    // order 8, as far as rounding lets it be seen
    double coarse = sweep(2.0, "{bend_z: 3}", 4, 0.0).error;
    double fine = sweep(2.0, "{bend_z: 3}", 8, 0.0).error;
    CHECK_TRUE(log2(coarse / fine) > 6.0);
}

// what was lost to rounding before is lost to a small error of the stress
static void test_error_of_the_stress_is_enlarged(void** unused) {
    (void)unused;
    CHECK_TRUE(sweep(2.0, "{bend_z: 3}", 64, 1e-9).error > 1e4 * 1e-9);
    CHECK_TRUE(sweep(5.0, "{bend_z: 3}", 64, 1e-9).error > 1e7 * 1e-9);
}

// straight and in a plane S has a closed form: with k = sqrt(mass / rotary inertia) = 2 / r and d = l - X the force per
// transverse acceleration is -mass sinh(k d) / k, the largest entry in units of mass and length
static void test_growth_along_a_straight_rod(void** unused) {
    (void)unused;
    for (int i = 0; i < 3; i++) {
        static const double SLENDERNESS[3] = {2.0, 4.0, 6.0};
        double k = 2.0 * SLENDERNESS[i];
        ElvSingularReport report = sweep_bent(SLENDERNESS[i], "{bend_z: 3}", 512, 0.0, 0.0);
        CHECK_NEAR(report.size, sinh(k) / k, 1e-6 * sinh(k));
    }
}

// e^40 on the way: no step is short enough
static void test_slender_rods_are_lost(void** unused) {
    (void)unused;
    for (int steps = 32; steps <= 512; steps *= 4) {
        ElvSingularReport report = sweep_bent(20.0, "{bend_z: 3}", steps, 0.0, 0.0);
        CHECK_TRUE(!report.is_finite || report.error > 1.0);
    }
}

static void test_errors(void** unused) {
    (void)unused;
    static const char* const TEXT[] = {
        "tree:\n"
        "  - {rod: a, length: 1, stiffness: [1, 1, 1, 1, 1, 1], inertia: [1, 1, 1, 1, 1, 1], "
        "strain: {bend_z: 1}}\n"
        "  - {rod: b, parent: a.tip, length: 1, stiffness: [1, 1, 1, 1, 1, 1], inertia: [1, 1, 1, "
        "1, 1, 1], strain: {bend_z: 1}}\n",
        "tree:\n"
        "  - {rod: a, length: 1, stiffness: [1, 1, 1, 1, 1, 1], inertia: [1, 1, 0, 1, 1, 1], "
        "strain: {bend_z: 1}}\n",
        // Lambda* does not give the strain of what meets the flux of a slender rod
        "fluid: {density: 1000}\ntree:\n"
        "  - {rod: a, length: 1, section: {circle: {radius: 0.1}}, material: {density: 1000, "
        "young: "
        "1e6}, strain: {twist: 1}, fluid: {added_mass: 1, lighthill: true}}\n"};
    for (int i = 0; i < 3; i++) {
        ModelCase c = case_open("%s", TEXT[i]);
        ElvRiccati* riccati;
        ElvSingularReport report;
        ElvError error;
        ElvSingularOptions options = {.steps = 8, .nodes = 8};
        CHECK_STATUS(elv_riccati_create(c.model, 4, &riccati, &error), &error);
        CHECK_STATUS(elv_riccati_solve_state(riccati, c.state, false, &error), &error);
        CHECK_TRUE(elv_singular_sweep(riccati, &options, &report, &error) ==
                   (i == 1 ? ELV_ERROR_SINGULAR : ELV_ERROR_INPUT));
        CHECK_TRUE(i != 2 || strstr(error.message, "twist"));
        elv_riccati_free(riccati);
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thick_rod_is_solved),
        cmocka_unit_test(test_error_of_the_stress_is_enlarged),
        cmocka_unit_test(test_growth_along_a_straight_rod),
        cmocka_unit_test(test_slender_rods_are_lost),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
