// SPDX-License-Identifier: Apache-2.0
// Equilibria of rods bent by tendons, against numbers made by an independent program (tests/golden):
// the cantilever of [P20 table I] with four ways to lead a tendon and one that ends half-way, and the
// tendon robot of [OCP] with the direction of its tendon taken at rest or from the strain.
//
// Tolerances. The references integrate the same modes by a quadrature of their own and are good to some
// 1e-10 m for lengths of 0.4 and 1 m; what is left of Newton's method is smaller. Hence 1e-9 m wherever
// both programs have the same modes. Columns `exact` are rods without modes, from an equation solved at
// each section, good to 1e-10 m; a rod with n modes differs from them by its truncation.
#include "actuation_case.h"

enum { N_LOAD_CABLE = 5, N_LOAD_TACR = 9 };

static const double SAME_MODES = 1e-9; // m
static const double EXACT = 1e-9;      // m

// largest distance of the tip, in the first three columns of the trace, from three columns of the table
static double tip_distance(const Trace* trace, const Reference* r, const char* column) {
    char x[32];
    double most = 0.0;
    snprintf(x, sizeof x, "%s.x", column);
    int i_x = reference_column(r, x);
    int i_tip = trace_column(trace, "rod.tip.position.x");
    CHECK_TRUE(trace->n_row == r->n_row);
    for (int i = 0; i < r->n_row; i++) {
        CHECK_NEAR(trace->t[i], r->value[i][0], 0.0);
        double d = trace_distance(trace, i, i_tip, r->value[i] + i_x);
        most = d <= most ? most : d; // keeps NaN
    }
    return most;
}

// every tension is the one asked for
static void check_tensions(const Trace* trace, const char* column) {
    int i_tension = trace_column(trace, column);
    for (int i = 0; i < trace->n_row; i++) {
        CHECK_NEAR(trace->value[i][i_tension], trace->t[i], 0.0);
    }
}

// ---- the cantilever, one element with n modes for each strain

static Trace* cable_path(const char* model, const char* strains, int n) {
    char strain[128];
    int length = 0;
    // "twist bend_y": {twist: n, bend_y: n}
    for (const char* at = strains; *at != '\0'; at += strcspn(at, " "), at += *at == ' ') {
        length += snprintf(strain + length, sizeof strain - (size_t)length, "%s%.*s: %d",
                           length > 0 ? ", " : "{", (int)strcspn(at, " "), at, n);
    }
    snprintf(strain + length, sizeof strain - (size_t)length, "}");
    const ElvOverride set[] = {{"rod.strain", strain}};
    Trace* trace = example_statics(model, set, 1);
    CHECK_TRUE(trace->n_row == N_LOAD_CABLE);
    check_tensions(trace, "tendon.cable.tension");
    return trace;
}

static void check_cable(const char* model, const char* strains, bool has_exact) {
    Reference* r = reference_read(model);
    for (int n = 5; n <= 9; n += 2) {
        char column[16];
        snprintf(column, sizeof column, "n%d", n);
        Trace* trace = cable_path(model, strains, n);
        CHECK_NEAR(tip_distance(trace, r, column), 0.0, SAME_MODES);
        // the strain is a polynomial but for 1e-9 of it: seven modes hold it
        if (has_exact && n >= 7) {
            CHECK_NEAR(tip_distance(trace, r, "exact"), 0.0, EXACT);
        }
        trace_free(trace);
    }
    free(r);
}

static void test_parallel(void** unused) {
    (void)unused;
    check_cable("cable-parallel", "bend_y bend_z", false);
    // the moment T d about (0, -1, 1)/sqrt(2) is constant: an arc of curvature T d/EI, d = r/2, but that the
    // tendon shortens with the rod's inside: none of it, for an inextensible rod. Exact to rounding
    Trace* trace = cable_path("cable-parallel", "bend_y bend_z", 1);
    for (int i = 0; i < trace->n_row; i++) {
        const double EI = 1e6 * acos(-1.0) * 1e-8 / 4.0;
        double kappa = trace->t[i] * 0.005 / EI;
        double lift = (1.0 - cos(kappa)) / kappa / sqrt(2.0);
        const double tip[3] = {sin(kappa) / kappa, lift, lift};
        CHECK_ARRAY_NEAR(trace->value[i], tip, 3, 1e-12);
        // the tendon lies nearer to the centre than the axis, by d
        double length = trace->value[i][trace_column(trace, "tendon.cable.length")];
        CHECK_NEAR(length, 1.0 - 0.005 * kappa, 1e-12);
    }
    trace_free(trace);
}

static void test_convergent_and_cross(void** unused) {
    (void)unused;
    check_cable("cable-convergent", "bend_y bend_z", true);
    check_cable("cable-cross", "bend_y bend_z", true);
}

// a helix is no polynomial. Legendre coefficients of sin(2 pi s) fall like the spherical Bessel functions
// j_n(pi), about pi^n/(2n + 1)!!: from degree n - 2 to degree n by (2n - 1)(2n + 1)/pi^2 at least
static void test_spiral(void** unused) {
    (void)unused;
    check_cable("cable-spiral", "twist bend_y bend_z", false);
    Reference* r = reference_read("cable-spiral");
    double before = INFINITY, error = INFINITY;
    for (int n = 5; n <= 13; n += 2) {
        Trace* trace = cable_path("cable-spiral", "twist bend_y bend_z", n);
        error = tip_distance(trace, r, "exact");
        double fall = (2.0 * n - 1.0) * (2.0 * n + 1.0) / (acos(-1.0) * acos(-1.0));
        CHECK_TRUE(error < before / fall || error < EXACT);
        before = error;
        trace_free(trace);
    }
    CHECK_TRUE(error < EXACT);
    free(r);
}

// ---- a tendon that ends half-way: the curvature jumps there

static void test_truncated(void** unused) {
    (void)unused;
    Reference* r = reference_read("cable-truncated");
    // an element ends where the tendon does: each curvature is constant, so the rod is exact
    Trace* trace = example_statics("cable-truncated", NULL, 0);
    CHECK_NEAR(tip_distance(trace, r, "exact"), 0.0, EXACT);
    trace_free(trace);
    // one element of n modes: the projection of the jump on polynomials, whatever the basis. Fourteen modes
    // wiggle so much that the reference's steps along the rod show: 2e-9 m, where ours, with two and three
    // times as many nodes, change by 1e-11 m
    const int n_modes[] = {5, 10, 14};
    for (int k = 0; k < 3; k++) {
        char elements[128], column[8];
        snprintf(elements, sizeof elements,
                 "[{to: 1, strain: {bend_y: %d, bend_z: %d}, basis: %s}]", n_modes[k], n_modes[k],
                 k == 1 ? "chebyshev" : "legendre");
        snprintf(column, sizeof column, "n%d", n_modes[k]);
        const ElvOverride set[] = {{"rod.elements", elements}};
        trace = example_statics("cable-truncated", set, 1);
        CHECK_NEAR(tip_distance(trace, r, column), 0.0, k == 2 ? 1e-8 : SAME_MODES);
        // and far from the rod itself: the comparison can tell them apart
        CHECK_TRUE(tip_distance(trace, r, "exact") > 1e-5);
        trace_free(trace);
    }
    free(r);
}

// ---- the tendon robot, hanging in gravity

static void check_tacr(const char* model, bool neglects) {
    const int n_modes[] = {5, 7, 10};
    Reference* r = reference_read(model);
    for (int k = 0; k < 3; k++) {
        char strain[64], column[32];
        snprintf(strain, sizeof strain, "{twist: %d, bend_y: %d, bend_z: %d}", n_modes[k],
                 n_modes[k], n_modes[k]);
        snprintf(column, sizeof column, "%s.n%d", neglects ? "neglected" : "full", n_modes[k]);
        const ElvOverride set[] = {{"rod.strain", strain},
                                   {"tendon.strain_dependence", neglects ? "false" : "true"}};
        Trace* trace = example_statics(model, set, 2);
        CHECK_TRUE(trace->n_row == N_LOAD_TACR);
        check_tensions(trace, "tendon.tendon.tension");
        CHECK_NEAR(tip_distance(trace, r, column), 0.0, SAME_MODES);
        trace_free(trace);
    }
    free(r);
}

static void test_tacr(void** unused) {
    (void)unused;
    check_tacr("tacr-convergent", true);
    check_tacr("tacr-convergent", false);
    check_tacr("tacr-spiral", true);
    check_tacr("tacr-spiral", false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parallel), cmocka_unit_test(test_convergent_and_cross),
        cmocka_unit_test(test_spiral),   cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_tacr),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
