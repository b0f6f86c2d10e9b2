// SPDX-License-Identifier: Apache-2.0
// Values of formulas, and their time derivatives where conventions matter: zeros, infinities,
// corners, and pieces that are not taken.
#include "check.h"
#include "elver/law.h"

#include <float.h>
#include <stdbool.h>

static const double pi = 3.14159265358979323846;
static const ElvParameter parameters[] = {{"a", 1.5}, {"omega_0", 2.0}, {"e", 10.0}};

static ElvLaw* compile(const char* text) {
    ElvLaw* law = NULL;
    ElvError error;
    // the last parameter hides a constant, and is kept for its own test
    ElvStatus status = elv_law_formula(text, parameters, 2, &law, &error);
    if (status != ELV_OK) {
        print_error("formula '%s', column %d:\n", text, error.column);
    }
    CHECK_STATUS(status, &error);
    return law;
}

static ElvJet eval(const char* text, double t, double s) {
    ElvLaw* law = compile(text);
    ElvJet jet = elv_law_eval(law, t, s);
    CHECK_TRUE(jet.v == elv_law_value(law, t, s) || isnan(jet.v));
    elv_law_free(law);
    return jet;
}

static void check_value(const char* text, double expected) {
    double value = eval(text, 3.0, 0.25).v;
    if (value != expected) {
        print_error("'%s' = %.17g, expected %.17g\n", text, value, expected);
    }
    CHECK_TRUE(value == expected);
}

// equal, with the same infinities; a NaN equals a NaN
static bool is_same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static void check_jet(const char* text, double t, double v, double d, double dd) {
    ElvJet jet = eval(text, t, 0.25);
    bool is_right = is_same(jet.v, v) && is_same(jet.d, d) && is_same(jet.dd, dd);
    if (!is_right) {
        print_error("'%s' at t = %g: (%.17g, %.17g, %.17g), expected (%g, %g, %g)\n", text, t,
                    jet.v, jet.d, jet.dd, v, d, dd);
    }
    CHECK_TRUE(is_right);
}

static void test_arithmetic_and_precedence(void** state) {
    (void)state;
    check_value("1", 1.0);
    check_value(".5", 0.5);
    check_value("5.", 5.0);
    check_value("1e-3", 1e-3);
    check_value("1.25E+2", 125.0);
    check_value("0.1", 0.1);
    check_value("123456789.123456789e-5", 123456789.123456789e-5);
    check_value("1e-400", 0.0);
    check_value("4.9406564584124654e-324", 4.9406564584124654e-324);
    check_value("1.7976931348623157e308", DBL_MAX);
    check_value(" 2 +\t3 *\n4 ", 14.0);
    check_value("2*3+4", 10.0);
    check_value("10-3-4", 3.0);
    check_value("64/4/2", 8.0);
    check_value("2^3^2", 512.0);
    check_value("2**3**2", 512.0);
    check_value("-2^2", -4.0);
    check_value("(-2)^2", 4.0);
    check_value("2^-1", 0.5);
    check_value("2^-t", 0.125);
    check_value("-t", -3.0);
    check_value("+t", 3.0);
    check_value("--t", 3.0);
    check_value("2*-t", -6.0);
    check_value("2--3", 5.0);
    check_value("-t^2", -9.0);
    check_value("(1+2)*(3+4)", 21.0);
    check_value("t*s", 0.75);
    check_value("pi", pi);
    check_value("e", 2.71828182845904523536);
    check_value("a*omega_0", 3.0);
    check_value("0^0", 1.0);
    check_value("(t-3)^0", 1.0);
}

static void test_logic(void** state) {
    (void)state;
    check_value("t < 3", 0.0);
    check_value("t <= 3", 1.0);
    check_value("t > 3", 0.0);
    check_value("t >= 3", 1.0);
    check_value("t == 3", 1.0);
    check_value("t != 3", 0.0);
    check_value("1 + 1 < 3", 1.0);
    check_value("not t < 3", 1.0);
    check_value("!(t < 3)", 1.0);
    check_value("not not t", 1.0);
    check_value("t > 1 and t < 4", 1.0);
    check_value("t > 1 && t < 2", 0.0);
    check_value("t < 1 or t > 2", 1.0);
    check_value("1 or 0 and 0", 1.0);
    check_value("(1 || 0) && 0", 0.0);
    check_value("not 0 and 0", 0.0);
    check_value("if(t > 2, 10, 20)", 10.0);
    check_value("if(t < 2, 10, 20)", 20.0);
    check_value("if(t < 2, 1, if(t < 4, 2, 3))", 2.0);
}

static void test_functions(void** state) {
    (void)state;
    check_value("min(t, 1)", 1.0);
    check_value("max(1, t)", 3.0);
    check_value("min(4, t, 2, 9)", 2.0);
    check_value("max(4, t, 2, 9, 1)", 9.0);
    check_value("abs(-t)", 3.0);
    check_value("sign(-t)", -1.0);
    check_value("sign(t - 3)", 0.0);
    check_value("floor(-0.5 + 0*t)", -1.0);
    check_value("ceil(t + 0.1)", 4.0);
    check_value("mod(t, 2)", 1.0);
    check_value("mod(-t, 2)", 1.0);
    check_value("mod(t, -2)", -1.0);
    check_value("mod(-6*s, 0.5)", 0.0);
    check_value("pow(t, 2)", 9.0);
    check_value("hypot(t, 4)", 5.0);
    check_value("atan2(t, -t)", 0.75 * pi);
    check_value("log10(1000)", 3.0);
    check_value("step(t - 3)", 1.0);
    check_value("step(t - 3.5)", 0.0);
    check_value("pulse(t, 3, 4)", 1.0);
    check_value("pulse(t, 2, 3)", 0.0);
    check_value("ramp(t, 2, 4)", 0.5);
    check_value("ramp(t, 4, 2)", 0.5);
    check_value("ramp(t, 0, 1)", 1.0);
    check_value("ramp(t, 8, 9)", 0.0);
    check_value("ramp(t, 9, 8)", 1.0);
    check_value("ramp(t, 3, 3)", 1.0);
    check_value("smooth(t, 2, 4)", 0.5);
    check_value("smooth(t, 5, 6)", 0.0);
    check_value("bump(t, 2, 4)", 1.0);
    check_value("bump(t, 2, 6)", exp(-1.0 / 3.0));
    check_value("bump(t, 3, 6)", 0.0);
    check_value("bump(t, 5, 6)", 0.0);
    check_value("smooth(t, 1, 2)", 1.0);
    check_value("triangle(t, 2, 4)", 1.0);
    check_value("triangle(t, 2.5, 4.5)", 0.5);
    check_value("triangle(t, 4, 5)", 0.0);
    check_value("triangle(t, 1, 2)", 0.0);
    check_value("triangle(t, 3, 3)", 0.0);
    check_value("smooth(t, 3, 3)", 1.0);
}

static void test_parameter_hides_constant(void** state) {
    (void)state;
    ElvLaw* law = NULL;
    ElvError error;
    CHECK_STATUS(elv_law_formula("e + a", parameters, 3, &law, &error), &error);
    CHECK_TRUE(elv_law_value(law, 0.0, 0.0) == 11.5);
    elv_law_free(law);
}

static void test_regular_at_zero(void** state) {
    (void)state;
    check_jet("t^2", 0.0, 0.0, 0.0, 2.0);
    check_jet("t^3", 0.0, 0.0, 0.0, 0.0);
    check_jet("t^1", 0.0, 0.0, 1.0, 0.0);
    check_jet("t^0", 0.0, 1.0, 0.0, 0.0);
    check_jet("(t^2)^2", 0.0, 0.0, 0.0, 0.0);
    check_jet("pow(-t, 3)", 2.0, -8.0, -12.0, -12.0);
    check_jet("(t - 1)^2", 1.0, 0.0, 0.0, 2.0);
    check_jet("0^t", 1.0, 0.0, 0.0, 0.0);
    check_jet("t^(2 + t)", 0.0, 0.0, 0.0, 2.0);
    check_jet("sqrt(0*t)", 0.0, 0.0, 0.0, 0.0);
    check_jet("sqrt(t^3)", 0.0, 0.0, 0.0, 0.0);
    check_jet("exp(-1/s^2) + 0/s", 0.0, exp(-16.0), 0.0, 0.0);
}

static void test_honest_infinities(void** state) {
    (void)state;
    double inf = (double)INFINITY;
    check_jet("sqrt(t)", 0.0, 0.0, inf, -inf);
    check_jet("sqrt(t + t^2)", 0.0, 0.0, inf, -inf);
    check_jet("sqrt(t^2)", 0.0, 0.0, 1.0, (double)NAN);
    check_jet("1/t", 0.0, inf, -inf, inf);
    check_jet("1/(s - 0.25)", 0.0, inf, 0.0, 0.0);
    check_jet("log(t)", 0.0, -inf, inf, -inf);
    check_jet("asin(t)", 1.0, asin(1.0), inf, inf);
    CHECK_TRUE(isnan(eval("log(-1 - t)", 0.0, 0.0).v));
    CHECK_TRUE(isnan(eval("mod(t, 0)", 1.0, 0.0).v));
}

static void test_corners_look_forward(void** state) {
    (void)state;
    check_jet("abs(t)", 0.0, 0.0, 1.0, 0.0);
    check_jet("abs(-2*t)", 0.0, 0.0, 2.0, 0.0);
    check_jet("abs(t^2)", 0.0, 0.0, 0.0, 2.0);
    check_jet("abs(-t^2)", 0.0, 0.0, 0.0, 2.0);
    check_jet("abs(s - 0.25)", 0.0, 0.0, 0.0, 0.0);
    check_jet("max(t, 0)", 0.0, 0.0, 1.0, 0.0);
    check_jet("max(0, t)", 0.0, 0.0, 1.0, 0.0);
    check_jet("min(0, t)", 0.0, 0.0, 0.0, 0.0);
    check_jet("min(t, 2*t)", 0.0, 0.0, 1.0, 0.0);
    check_jet("ramp(t, 1, 3)", 1.0, 0.0, 0.5, 0.0);
    check_jet("ramp(t, 1, 3)", 3.0, 1.0, 0.0, 0.0);
    check_jet("ramp(t, 3, 1)", 1.0, 1.0, -0.5, 0.0);
    check_jet("ramp(t, 3, 1)", 3.0, 0.0, 0.0, 0.0);
    check_jet("triangle(t, 1, 3)", 1.0, 0.0, 1.0, 0.0);
    check_jet("triangle(t, 1, 3)", 2.0, 1.0, -1.0, 0.0);
    check_jet("triangle(t, 1, 3)", 3.0, 0.0, 0.0, 0.0);
    check_jet("smooth(t, 1, 3)", 1.0, 0.0, 0.0, 0.0);
    check_jet("smooth(t, 1, 3)", 3.0, 1.0, 0.0, 0.0);
    check_jet("hypot(3*t, 4*t)", 0.0, 0.0, 5.0, 0.0);
    check_jet("hypot(3*t + 5*t^2, 4*t + 2.5*t^2)", 0.0, 0.0, 5.0, 10.0);
    check_jet("hypot(t^2, 0)", 0.0, 0.0, 0.0, 2.0);
    check_jet("sign(t)", 0.0, 0.0, 0.0, 0.0);
    check_jet("step(t)", 0.0, 1.0, 0.0, 0.0);
    check_jet("floor(t)", 2.0, 2.0, 0.0, 0.0);
    check_jet("mod(t, 1)", 2.0, 0.0, 1.0, 0.0);
    check_jet("if(t < 1, 0, (t - 1)^2)", 1.0, 0.0, 0.0, 2.0);
}

// near its ends a smooth rise is a cube: (2 pi)^2/6 u^3 (1 - (2 pi u)^2/20 + ...), with all its digits
static void test_smooth_near_its_ends(void** state) {
    (void)state;
    const double two_pi = 6.283185307179586;
    double before = 0.0;
    CHECK_NEAR(eval("smooth(t, 0, 1)", 5e-324, 0.0).v, 0.0, 0.0);
    for (double u = 1e-100; u < 1e-3; u *= 1.5) {
        ElvJet rise = eval("smooth(t, 0, 1)", u, 0.0);
        double x = two_pi * u;
        // the next term of the series is x^4/840, below 2e-12; roundings are a few parts in 1e16
        CHECK_TRUE(rise.v >= before && rise.v <= 1.0);
        CHECK_NEAR(rise.v / (x * x * x / (6.0 * two_pi) * (1.0 - x * x / 20.0)), 1.0,
                   1e-14 + x * x * x * x / 840.0);
        CHECK_NEAR(rise.d / (0.5 * x * x), 1.0, 1e-14 + x * x / 12.0);
        CHECK_NEAR(rise.dd / (two_pi * x), 1.0, 1e-14 + x * x / 6.0);
        before = rise.v;
    }
    // the end mirrors the start
    for (int k = 1; k <= 52; k++) {
        double u = ldexp(1.0, -k);
        ElvJet rise = eval("smooth(t, 0, 1)", u, 0.0);
        ElvJet end = eval("smooth(t, 0, 1)", 1.0 - u, 0.0);
        CHECK_TRUE(end.v >= 0.0 && end.v <= 1.0);
        CHECK_NEAR(end.v, 1.0 - rise.v, 2e-16);
        CHECK_NEAR(end.d, rise.d, 1e-15 * rise.d);
        CHECK_NEAR(end.dd, k == 1 ? rise.dd : -rise.dd, 1e-15 * fabs(rise.dd));
    }
    // both pieces of the rise, in order and alike where they meet, at 2 pi u = 1
    before = 0.0;
    for (int k = -1000; k <= 1000; k++) {
        double v = eval("smooth(t, 0, 1)", (1.0 + 1e-12 * k) / two_pi, 0.0).v;
        // a step raises it by (1 - cos 1)/(2 pi) 1e-12
        CHECK_TRUE(v > before);
        before = v;
    }
}

static void test_piece_not_taken_does_not_leak(void** state) {
    (void)state;
    check_jet("if(t > 0, log(t), 0)", -1.0, 0.0, 0.0, 0.0);
    check_jet("if(t == 0, 1, sin(t)/t)", 0.0, 1.0, 0.0, 0.0);
    check_jet("if(t < 0, sqrt(t), t)", 0.0, 0.0, 1.0, 0.0);
    check_jet("if(1, t, 1/0)", 2.0, 2.0, 1.0, 0.0);
    // but a condition that is no number gives none
    CHECK_TRUE(isnan(eval("if(log(-t), 1, 2)", 1.0, 0.0).v));
    CHECK_TRUE(isnan(eval("max(t, log(-t))", 1.0, 0.0).v));
    CHECK_TRUE(isnan(eval("max(log(-t), t)", 1.0, 0.0).v));
    CHECK_TRUE(isnan(eval("min(t, log(-t))", 1.0, 0.0).v));
    CHECK_TRUE(isnan(eval("min(log(-t), t)", 1.0, 0.0).v));
    CHECK_TRUE(isnan(eval("ramp(log(-t), 0, 1)", 1.0, 0.0).v));
    CHECK_TRUE(isnan(eval("triangle(log(-t), 0, 1)", 1.0, 0.0).v));
    CHECK_TRUE(isnan(eval("step(log(-t))", 1.0, 0.0).v));
    CHECK_TRUE(isnan(eval("pulse(t, log(-t), 1)", 1.0, 0.0).v));
    CHECK_TRUE(isnan(eval("sign(log(-t))", 1.0, 0.0).v));
    CHECK_TRUE(isnan(eval("not log(-t)", 1.0, 0.0).v));
    CHECK_TRUE(isnan(eval("1 and log(-t)", 1.0, 0.0).v));
    CHECK_TRUE(isnan(eval("1 or log(-t)", 1.0, 0.0).v));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic_and_precedence),
        cmocka_unit_test(test_logic),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_parameter_hides_constant),
        cmocka_unit_test(test_regular_at_zero),
        cmocka_unit_test(test_honest_infinities),
        cmocka_unit_test(test_corners_look_forward),
        cmocka_unit_test(test_smooth_near_its_ends),
        cmocka_unit_test(test_piece_not_taken_does_not_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
