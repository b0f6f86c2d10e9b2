// SPDX-License-Identifier: Apache-2.0
// Breakpoints of laws: exact lists for tables and formulas, and the property that a formula of
// steps changes its value between a breakpoint and its neighbours, and nowhere else.
#include "check.h"
#include "elver/law.h"

#include <stdbool.h>

enum { N_OUT = 5000 };

static ElvLaw* compile(const char* text) {
    ElvLaw* law = NULL;
    ElvError error;
    ElvParameter parameter = {"T", 0.5};
    CHECK_STATUS(elv_law_formula(text, &parameter, 1, &law, &error), &error);
    return law;
}

// the breakpoints in [0, 10] must be these, to the bit when tol is zero
static void
check_list(const char* text, ElvVariable variable, const double* expected, size_t n, double tol) {
    static double out[N_OUT];
    ElvLaw* law = compile(text);
    size_t n_found = elv_law_breakpoints(law, variable, 0.0, 10.0, out, N_OUT);
    bool is_right = n_found == n;
    for (size_t i = 0; i < n && is_right; i++) {
        is_right = fabs(out[i] - expected[i]) <= tol && (i == 0 || out[i] > out[i - 1]);
    }
    if (!is_right) {
        print_error("'%s': %d breakpoints, expected %d\n", text, (int)n_found, (int)n);
        for (size_t i = 0; i < n_found && i < 20; i++) {
            print_error("  %.17g (expected %.17g)\n", out[i], i < n ? expected[i] : (double)NAN);
        }
    }
    CHECK_TRUE(is_right);
    elv_law_free(law);
}

#define CHECK_T(text, ...)                                                                         \
    do {                                                                                           \
        const double list[] = {__VA_ARGS__};                                                       \
        check_list(text, ELV_VARIABLE_T, list, sizeof list / sizeof list[0], 0.0);                 \
    } while (0)

static void test_exact_lists(void** state) {
    (void)state;
    CHECK_T("if(t < 1, 2, 3)", 1.0);
    CHECK_T("t <= 1", 1.0);
    CHECK_T("t > 1", 1.0);
    CHECK_T("1 >= t", 1.0);
    CHECK_T("t == 1", 1.0);
    CHECK_T("t != 0.3", 0.3);
    CHECK_T("t > 1 and t < 2 or t > 7", 1.0, 2.0, 7.0);
    CHECK_T("not (t < T)", 0.5);
    CHECK_T("if(t - 4, 1, 2)", 4.0);
    CHECK_T("abs(t - 0.1)", 0.1);
    CHECK_T("abs((t - 0.1)*3)", 0.1);
    CHECK_T("abs(3*t - 0.3)", 0.3 / 3.0);
    CHECK_T("sign(2*t - 1)", 0.5);
    CHECK_T("step(t - 2)", 2.0);
    CHECK_T("step(2 - t)", 2.0);
    CHECK_T("max(t, 2*t - 3)", 3.0);
    CHECK_T("min(t, 3, 7)", 3.0);
    CHECK_T("max(0, 1, t)", 1.0);
    CHECK_T("pulse(t, 1, 2)", 1.0, 2.0);
    CHECK_T("ramp(t, 0.25, 2)", 0.25, 2.0);
    CHECK_T("ramp(t, 2, 0.25)", 0.25, 2.0);
    CHECK_T("ramp(t, 1, 2*t - 3)", 1.0, 3.0);
    CHECK_T("triangle(t, 4 - t, 8)", 2.0, 4.0, 8.0);
    CHECK_T("smooth(t, 0, 0.25)", 0.0, 0.25);
    CHECK_T("triangle(t, 1, 2)", 1.0, 1.5, 2.0);
    CHECK_T("triangle(2*t, 1, 2)", 0.5, 0.75, 1.0);
    CHECK_T("floor(t/2)", 0.0, 2.0, 4.0, 6.0, 8.0, 10.0);
    CHECK_T("ceil(t/4 + 0.5)", 2.0, 6.0, 10.0);
    CHECK_T("floor(5 - t/2)", 0.0, 2.0, 4.0, 6.0, 8.0, 10.0);
    CHECK_T("mod(t, 2.5)", 0.0, 2.5, 5.0, 7.5, 10.0);
    CHECK_T("mod(t, -2.5)", 0.0, 2.5, 5.0, 7.5, 10.0);
    CHECK_T("mod(t - 1, 4)", 1.0, 5.0, 9.0);
    CHECK_T("t < 10", 10.0);
    CHECK_T("t < 0", 0.0);
    CHECK_T("-t < 0", 0.0);
    CHECK_T("abs(t)", 0.0);
    CHECK_T("abs(t) + abs(2*t)", 0.0);
    CHECK_T("if(floor(t) < 3, if(t > 9.5, 1, 2), 3) * (t > 9.75)", 0.0, 1.0, 2.0, 3.0, 4.0, 5.0,
            6.0, 7.0, 8.0, 9.0, 9.5, 9.75, 10.0);
    CHECK_T("max(t - 1, 0) > 0", 1.0);
    CHECK_T("abs(t - 1) + (t < 1) + floor(t/20) + max(t, 1) + 0*step(t - 1)", 0.0, 1.0);
}

static void test_nothing_to_find(void** state) {
    (void)state;
    static const char* const texts[] = {
        "1",          "t",       "sin(t)",      "t < 11",     "t < -1",     "s < 0.5",
        "abs(t + s)", "1 < 2",   "t < s",       "abs(t^2+1)", "floor(s)",   "t - t < 1",
        "max(1, 2)",  "sqrt(t)", "log(t-20)<1", "mod(t, 0)",  "if(s,t,-t)", "0*t < 1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        check_list(texts[i], ELV_VARIABLE_T, NULL, 0, 0.0);
    }
}

static void test_variables_are_kept_apart(void** state) {
    (void)state;
    const char* text = "if(t < 1, if(s < 0.5, t, 2*t), abs(t - s))";
    const double of_t[] = {1.0};
    const double of_s[] = {0.5};
    check_list(text, ELV_VARIABLE_T, of_t, 1, 0.0);
    check_list(text, ELV_VARIABLE_S, of_s, 1, 0.0);
    const double bump[] = {0.25, 0.5, 0.75};
    check_list("sin(t)*triangle(s, 0.25, 0.75)", ELV_VARIABLE_S, bump, 3, 0.0);
    const double root[] = {0.5};
    check_list("abs(s^2 - 0.25)*t", ELV_VARIABLE_S, root, 1, 0.0);
}

static void test_curved_conditions(void** state) {
    (void)state;
    const double pi = 3.14159265358979323846;
    const double of_sin[] = {0.0, pi, 2.0 * pi, 3.0 * pi};
    // sin is evaluated to an ulp of its argument, so its zeros come out to that
    check_list("abs(sin(t))", ELV_VARIABLE_T, of_sin, 4, 2e-15);
    const double of_square[] = {2.0};
    check_list("t^2 < 4", ELV_VARIABLE_T, of_square, 1, 0.0);
    const double of_root[] = {1.41421356237309504880};
    check_list("max(t*t, 2)", ELV_VARIABLE_T, of_root, 1, 2.3e-16);
    const double of_exp[] = {0.69314718055994530942};
    check_list("if(exp(t) >= 2, 1, 0)", ELV_VARIABLE_T, of_exp, 1, 2.3e-16);
    const double of_floor[] = {1.0, 1.41421356237309504880, 1.73205080756887729353, 2.0};
    check_list("floor(min(t, 2)^2)", ELV_VARIABLE_T, of_floor, 4, 3e-16);

    const double of_mod[] = {0.0, 1.0 / 6.0, 0.4, 0.75, 4.0 / 3.0, 2.5, 6.0};
    check_list("mod(7, t + 1)", ELV_VARIABLE_T, of_mod, 7, 1e-15);
    // where a solved and a sampled point differ by rounding alone, the solved one stands
    const double solved[] = {1.414213562373096};
    check_list("(t*t < 2) + (t < 1.414213562373096)", ELV_VARIABLE_T, solved, 1, 0.0);

    // two roots between neighbouring samples are found from the turn between them
    const double pair[] = {5.002, 5.0022};
    check_list("(t - 5.0021)^2 > 1e-8", ELV_VARIABLE_T, pair, 2, 1e-11);
    check_list("(t - 5.0021)^2 < 1e-8", ELV_VARIABLE_T, pair, 2, 1e-11);
    check_list("abs(1e-8 - (t - 5.0021)^2)", ELV_VARIABLE_T, pair, 2, 1e-11);
    const double summit[] = {5.0011, 5.0031};
    check_list("floor(1.00000001 - 0.01*(t - 5.0021)^2)", ELV_VARIABLE_T, summit, 2, 1e-10);
    // a jump of the operand itself
    const double wave[] = {0.5, 1.0, 1.5, 2.0, 2.5};
    check_list("if(mod(min(t, 2.5), 1) < 0.5, 1, -1)", ELV_VARIABLE_T, wave, 5, 0.0);
}

static void test_random_thresholds_are_exact(void** state) {
    (void)state;
    CheckRandom random = check_random(21);
    for (int trial = 0; trial < 2000; trial++) {
        // the threshold itself, however it is written
        double c = check_uniform(&random, 0.0, 10.0);
        char text[160];
        double out[4];
        snprintf(text, sizeof text, "if(t < %.17g, 1, 2)", c);
        ElvLaw* law = compile(text);
        CHECK_TRUE(elv_law_breakpoints(law, ELV_VARIABLE_T, 0.0, 10.0, out, 4) == 1);
        CHECK_TRUE(out[0] == c);
        elv_law_free(law);

        // a slope: the first number for which the comparison has changed, as evaluated
        double a = check_uniform(&random, 0.1, 7.0) * (trial % 2 ? 1.0 : -1.0);
        snprintf(text, sizeof text, "(%.17g)*t - (%.17g) < (%.17g)/3", a, a * c, 0.1 * a);
        law = compile(text);
        size_t n = elv_law_breakpoints(law, ELV_VARIABLE_T, -1.0, 12.0, out, 4);
        CHECK_TRUE(n == 1);
        // both sides are equal over a few numbers, where the products are rounded alike
        double before = elv_law_value(law, out[0] - 1e-14, 0.0);
        double after = elv_law_value(law, out[0] + 1e-14, 0.0);
        CHECK_TRUE(before != after);
        CHECK_NEAR(out[0], c + 0.1 / 3.0, 1e-14);
        elv_law_free(law);
    }
}

// a staircase changes across every breakpoint, and not between them; sides that rounding lets meet
// over several numbers leave the place open by a few ulps of the operand
static void check_staircase(const char* text, double lo, double hi) {
    static double out[N_OUT];
    ElvLaw* law = compile(text);
    size_t n = elv_law_breakpoints(law, ELV_VARIABLE_T, lo, hi, out, N_OUT);
    CHECK_TRUE(n > 2 && n < N_OUT);
    const double open = 1e-14;
    CHECK_TRUE(elv_law_value(law, lo, 0.0) == elv_law_value(law, out[0] - open, 0.0));
    for (size_t i = 0; i < n; i++) {
        double left = elv_law_value(law, out[i] - open, 0.0);
        double right = elv_law_value(law, out[i] + open, 0.0);
        if (left == right) {
            print_error("'%s' does not change at %.17g\n", text, out[i]);
        }
        CHECK_TRUE(left != right);
        double next = i + 1 < n ? out[i + 1] : hi + 1e-3;
        CHECK_TRUE(next - out[i] > 1e-4);
        CHECK_TRUE(elv_law_value(law, next - open, 0.0) == right);
        CHECK_TRUE(elv_law_value(law, 0.5 * (out[i] + next), 0.0) == right);
    }
    elv_law_free(law);
}

static void test_staircases(void** state) {
    (void)state;
    check_staircase("floor(t)", 0.5, 10.25);
    check_staircase("floor(3*t + 0.1)", -5.0, 10.05);
    check_staircase("ceil(t/0.7)", 0.1, 10.0);
    check_staircase("floor(-2.3*t)", 0.1, 10.0);
    check_staircase("if(mod(t, 0.1) < 0.05, 1, 2)", 0.01, 3.02);
    check_staircase("sign(sin(5*t))", 0.1, 10.0);
    check_staircase("floor(2.9*sin(t))", 0.1, 10.0);
    check_staircase("(t > 1) + (t*t > 5) + 2*floor(exp(t/3))", 0.0, 10.0);
    check_staircase("if(cos(2*pi*t) > 0.3, 1, 2)", 0.0, 20.0);
}

static void test_tables(void** state) {
    (void)state;
    const double x[] = {0.0, 0.1, 0.7, 2.0, 3.0};
    const double y[] = {1.0, 2.0, 0.0, 5.0, 4.0};
    for (int kind = ELV_TABLE_STEP; kind <= ELV_TABLE_CUBIC; kind++) {
        ElvLaw* law = NULL;
        ElvError error;
        double out[8];
        CHECK_STATUS(elv_law_table(ELV_VARIABLE_S, (ElvTableKind)kind, x, y, 5, &law, &error),
                     &error);
        CHECK_TRUE(elv_law_breakpoints(law, ELV_VARIABLE_T, 0.0, 9.0, out, 8) == 0);
        CHECK_TRUE(elv_law_breakpoints(law, ELV_VARIABLE_S, 0.1, 2.0, out, 8) == 3);
        CHECK_ARRAY_NEAR(out, x + 1, 3, 0.0);
        CHECK_TRUE(elv_law_breakpoints(law, ELV_VARIABLE_S, -INFINITY, INFINITY, out, 8) == 5);
        CHECK_ARRAY_NEAR(out, x, 5, 0.0);
        elv_law_free(law);
    }
}

static void test_ranges_and_capacity(void** state) {
    (void)state;
    double out[4] = {-1.0, -1.0, -1.0, -1.0};
    ElvLaw* law = compile("floor(t) + (t < 2.5)");
    // more exist than fit: the first are written, all are counted
    CHECK_TRUE(elv_law_breakpoints(law, ELV_VARIABLE_T, 1.5, 4.5, out, 2) == 4);
    CHECK_TRUE(out[0] == 2.0 && out[1] == 2.5 && out[2] == -1.0);
    CHECK_TRUE(elv_law_breakpoints(law, ELV_VARIABLE_T, 1.5, 4.5, NULL, 0) == 4);
    // and nothing is written past the last
    out[1] = -1.0;
    CHECK_TRUE(elv_law_breakpoints(law, ELV_VARIABLE_T, 2.25, 2.75, out, 4) == 1);
    CHECK_TRUE(out[0] == 2.5 && out[1] == -1.0 && out[2] == -1.0);
    // both ends belong to the range; empty and undefined ranges hold nothing
    CHECK_TRUE(elv_law_breakpoints(law, ELV_VARIABLE_T, 2.0, 2.5, out, 4) == 2);
    CHECK_TRUE(elv_law_breakpoints(law, ELV_VARIABLE_T, 2.5, 2.5, out, 4) == 1);
    CHECK_TRUE(elv_law_breakpoints(law, ELV_VARIABLE_T, 3.0, 2.0, out, 4) == 0);
    CHECK_TRUE(elv_law_breakpoints(law, ELV_VARIABLE_T, (double)NAN, 2.0, out, 4) == 0);
    elv_law_free(law);

    law = compile("t < 1.25");
    CHECK_TRUE(elv_law_breakpoints(law, ELV_VARIABLE_T, -INFINITY, INFINITY, out, 4) == 1);
    CHECK_TRUE(out[0] == 1.25);
    elv_law_free(law);
}

static void test_crowds_are_bounded(void** state) {
    (void)state;
    static double out[N_OUT];
    static const char* const texts[] = {"floor(1e9*t) + (t < 5) + (t < 6) + (t < 7)",
                                        "mod(t, 1e-12) + (t < 5) + (t < 6) + (t < 7)",
                                        "floor(exp(3*t)) + (t < 5) + (t < 6) + (t < 7)",
                                        "floor(1e300*t) + (t < 5) + (t < 6) + (t < 7)",
                                        "sign(sin(1e5*t)) + (t < 5) + (t < 6) + (t < 7)"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ElvLaw* law = compile(texts[i]);
        size_t n = elv_law_breakpoints(law, ELV_VARIABLE_T, 0.0, 10.0, out, N_OUT);
        CHECK_TRUE(n >= 1 && n <= 4096);
        int n_single = 0;
        for (size_t k = 0; k < n; k++) {
            n_single += out[k] == 5.0 || out[k] == 6.0 || out[k] == 7.0;
            CHECK_TRUE(k == 0 || out[k] > out[k - 1]);
        }
        CHECK_TRUE(n_single == 3);
        elv_law_free(law);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_lists),
        cmocka_unit_test(test_nothing_to_find),
        cmocka_unit_test(test_variables_are_kept_apart),
        cmocka_unit_test(test_curved_conditions),
        cmocka_unit_test(test_random_thresholds_are_exact),
        cmocka_unit_test(test_staircases),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_ranges_and_capacity),
        cmocka_unit_test(test_crowds_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
