// SPDX-License-Identifier: Apache-2.0
// Coefficients of exp, T and T^-1 against 60-digit values, on both sides of their one threshold.
//
// Tolerance: some 20 roundings (4e-15 relative), times 4 pi^2/(4 pi^2 - s), by which a rounding of
// s grows in functions with a pole or a zero at a full turn. sin(x)/x has a zero at pi and is
// compared absolutely: its terms are of size 1.
#include "lie/coefficients.h"

#include "lie_reference.h"
#include "lie_sample.h"

static double tolerance(double s, double value) {
    double full_turn = 4.0 * sample_pi * sample_pi;
    return 4e-15 * fabs(value) * full_turn / (full_turn - s);
}

static void test_coefficients_match_reference(void** state) {
    (void)state;
    for (int i = 0; i < N_COEFFICIENT_REFERENCE; i++) {
        const CoefficientReference* r = &coefficient_reference[i];
        ElvMapCoefficients t = elv_tangent_coefficients(r->s, 2);
        CHECK_NEAR(t.a, r->cosc[0], tolerance(r->s, r->cosc[0]));
        CHECK_NEAR(t.a_d, r->cosc[1], tolerance(r->s, r->cosc[1]));
        CHECK_NEAR(t.a_dd, r->cosc[2], tolerance(r->s, r->cosc[2]));
        CHECK_NEAR(t.b, r->sinc_rest[0], tolerance(r->s, r->sinc_rest[0]));
        CHECK_NEAR(t.b_d, r->sinc_rest[1], tolerance(r->s, r->sinc_rest[1]));
        CHECK_NEAR(t.b_dd, r->sinc_rest[2], tolerance(r->s, r->sinc_rest[2]));
        ElvMapCoefficients inv = elv_tangent_inv_coefficients(r->s, 2);
        CHECK_NEAR(inv.a, -0.5, 0.0);
        CHECK_NEAR(inv.b, r->cot_rest[0], tolerance(r->s, r->cot_rest[0]));
        CHECK_NEAR(inv.b_d, r->cot_rest[1], tolerance(r->s, r->cot_rest[1]));
        CHECK_NEAR(inv.b_dd, r->cot_rest[2], tolerance(r->s, r->cot_rest[2]));
        ElvMapCoefficients e = elv_exp_coefficients(r->s, t);
        CHECK_NEAR(-e.a, r->sinc, 1e-15);
        CHECK_NEAR(e.b, r->cosc[0], tolerance(r->s, r->cosc[0]));
    }
}

// the table must hold a row on each side of the threshold, else the test above loses its point
static void test_reference_straddles_threshold(void** state) {
    (void)state;
    int n_below = 0, n_above = 0;
    for (int i = 0; i < N_COEFFICIENT_REFERENCE; i++) {
        double gap = coefficient_reference[i].s - ELV_SERIES_LIMIT;
        n_below += gap < 0.0 && gap > -1e-10;
        n_above += gap >= 0.0 && gap < 1e-10;
    }
    CHECK_TRUE(n_below == 1);
    CHECK_TRUE(n_above == 1);
}

static void test_lower_orders_agree(void** state) {
    (void)state;
    const double values[] = {0.0, 0.5, 9.0, 11.0, 30.0};
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        double s = values[i];
        ElvMapCoefficients t = elv_tangent_coefficients(s, 2);
        ElvMapCoefficients inv = elv_tangent_inv_coefficients(s, 2);
        for (int order = 0; order < 2; order++) {
            ElvMapCoefficients low = elv_tangent_coefficients(s, order);
            CHECK_TRUE(low.a == t.a && low.b == t.b);
            CHECK_TRUE(low.b_d == (order >= 1 ? t.b_d : 0.0) && low.b_dd == 0.0);
            low = elv_tangent_inv_coefficients(s, order);
            CHECK_TRUE(low.b == inv.b);
            CHECK_TRUE(low.b_d == (order >= 1 ? inv.b_d : 0.0) && low.b_dd == 0.0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coefficients_match_reference),
        cmocka_unit_test(test_reference_straddles_threshold),
        cmocka_unit_test(test_lower_orders_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
