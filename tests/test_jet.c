// SPDX-License-Identifier: Apache-2.0
// Time derivatives of formulas: closed forms in long double, and central differences of random
// formulas, whose error must fall with the square of the step.
#include "check.h"
#include "elver/law.h"

#include <stdarg.h>

static const double pi = 3.14159265358979323846;

static ElvLaw* compile(const char* text) {
    ElvLaw* law = NULL;
    ElvError error;
    CHECK_STATUS(elv_law_formula(text, NULL, 0, &law, &error), &error);
    return law;
}

static ElvJet eval(const char* text, double t, double s) {
    ElvLaw* law = compile(text);
    ElvJet jet = elv_law_eval(law, t, s);
    elv_law_free(law);
    return jet;
}

typedef struct {
    const char* text;
    long double v, d, dd;
} Closed;

static void check_closed(const Closed* c, size_t n, double t) {
    for (size_t i = 0; i < n; i++) {
        ElvJet jet = eval(c[i].text, t, 0.25);
        const double actual[3] = {jet.v, jet.d, jet.dd};
        const double expected[3] = {(double)c[i].v, (double)c[i].d, (double)c[i].dd};
        for (int k = 0; k < 3; k++) {
            // relative, with the size of the jet where one of its parts passes zero
            double size = fmax(fabs(expected[k]), 0.01 * fabs(expected[0]));
            if (!(fabs(actual[k] - expected[k]) <= 1e-13 * size)) {
                print_error("'%s' at t = %g, derivative %d\n", c[i].text, t, k);
            }
            CHECK_NEAR(actual[k], expected[k], 1e-13 * size);
        }
    }
}

static void test_closed_forms_elementary(void** state) {
    (void)state;
    const double times[] = {0.137, 0.5, 0.81};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        long double t = (long double)times[i];
        long double q = sqrtl(1.0L - t * t);
        long double w = 1.0L + t * t;
        long double sech = 1.0L / coshl(t);
        long double sec = 1.0L / cosl(t);
        const Closed cases[] = {
            {"sin(3*t)", sinl(3 * t), 3 * cosl(3 * t), -9 * sinl(3 * t)},
            {"cos(2*t + 1)", cosl(2 * t + 1), -2 * sinl(2 * t + 1), -4 * cosl(2 * t + 1)},
            {"tan(t)", tanl(t), sec * sec, 2 * sec * sec * tanl(t)},
            {"asin(t)", asinl(t), 1 / q, t / (q * q * q)},
            {"acos(t)", acosl(t), -1 / q, -t / (q * q * q)},
            {"atan(t)", atanl(t), 1 / w, -2 * t / (w * w)},
            {"atan2(t, 1)", atanl(t), 1 / w, -2 * t / (w * w)},
            {"atan2(1, t)", atan2l(1, t), -1 / w, 2 * t / (w * w)},
            {"atan2(sin(t), cos(t))", t, 1, 0},
            {"sinh(t)", sinhl(t), coshl(t), sinhl(t)},
            {"cosh(t)", coshl(t), sinhl(t), coshl(t)},
            {"tanh(t)", tanhl(t), sech * sech, -2 * tanhl(t) * sech * sech},
            {"exp(-2*t)", expl(-2 * t), -2 * expl(-2 * t), 4 * expl(-2 * t)},
            {"log(t)", logl(t), 1 / t, -1 / (t * t)},
            {"log10(t)", log10l(t), 1 / (t * logl(10)), -1 / (t * t * logl(10))},
            {"sqrt(t)", sqrtl(t), 0.5L / sqrtl(t), -0.25L / (t * sqrtl(t))},
            {"hypot(t, 1)", sqrtl(w), t / sqrtl(w), 1 / (w * sqrtl(w))},
            {"hypot(1, t)", sqrtl(w), t / sqrtl(w), 1 / (w * sqrtl(w))},
            {"1/t", 1 / t, -1 / (t * t), 2 / (t * t * t)},
            {"t/3", t / 3, 1 / 3.0L, 0},
            {"t^3", t * t * t, 3 * t * t, 6 * t},
            {"t^-2", 1 / (t * t), -2 / (t * t * t), 6 / (t * t * t * t)},
            {"t^2.5", powl(t, 2.5L), 2.5L * powl(t, 1.5L), 3.75L * sqrtl(t)},
            {"2^t", powl(2, t), logl(2) * powl(2, t), logl(2) * logl(2) * powl(2, t)},
            {"t^t", powl(t, t), powl(t, t) * (1 + logl(t)),
             powl(t, t) * ((1 + logl(t)) * (1 + logl(t)) + 1 / t)},
        };
        check_closed(cases, sizeof cases / sizeof cases[0], times[i]);
    }
}

static void test_closed_forms_composed(void** state) {
    (void)state;
    const double times[] = {0.137, 0.31, 0.46};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        long double t = (long double)times[i];
        long double p = 3.14159265358979323846264L;
        long double es = expl(sinl(t));
        long double u = (t - 0.125L) / 0.5L;
        const Closed cases[] = {
            {"20 + 20*sin(5*pi*t)", 20 + 20 * sinl(5 * p * t), 100 * p * cosl(5 * p * t),
             -500 * p * p * sinl(5 * p * t)},
            {"exp(sin(t))", es, cosl(t) * es, (cosl(t) * cosl(t) - sinl(t)) * es},
            {"sin(t^2)", sinl(t * t), 2 * t * cosl(t * t),
             2 * cosl(t * t) - 4 * t * t * sinl(t * t)},
            {"t*exp(-t)", t * expl(-t), (1 - t) * expl(-t), (t - 2) * expl(-t)},
            {"sin(t)/t", sinl(t) / t, (t * cosl(t) - sinl(t)) / (t * t),
             ((2 - t * t) * sinl(t) - 2 * t * cosl(t)) / (t * t * t)},
            {"sin(2*pi*(s - t))", sinl(2 * p * (0.25L - t)), -2 * p * cosl(2 * p * (0.25L - t)),
             -4 * p * p * sinl(2 * p * (0.25L - t))},
            {"abs(t - 1)^3", (1 - t) * (1 - t) * (1 - t), -3 * (1 - t) * (1 - t), 6 * (1 - t)},
            {"max(t^2, -1)", t * t, 2 * t, 2},
            {"min(t^2, 1)", t * t, 2 * t, 2},
            {"mod(t^2 + 7, 1)", t * t, 2 * t, 2},
            {"mod(9, 4 + t)", 9 - 2 * (4 + t), -2, 0},
            {"mod(9, 4 + t^2)", 9 - 2 * (4 + t * t), -4 * t, -4},
            {"if(t < 1, t^2, 5)", t * t, 2 * t, 2},
            {"ramp(t^2, 0, 2)", t * t / 2, t, 1},
            {"triangle(t, 0, 2)", t, 1, 0},
            {"triangle(t, -1, 1)", 1 - t, -1, 0},
            {"smooth(t, 0.125, 0.625)", u - sinl(2 * p * u) / (2 * p), 2 * (1 - cosl(2 * p * u)),
             8 * p * sinl(2 * p * u)},
            {"floor(10*t) * t^2", floorl(10 * t) * t * t, floorl(10 * t) * 2 * t,
             floorl(10 * t) * 2},
        };
        check_closed(cases, sizeof cases / sizeof cases[0], times[i]);
    }
}

static void test_tails_keep_their_digits(void** state) {
    (void)state;
    // 1 - tanh^2 at 20 is 1.7e-17: a difference from 1 would lose it all
    ElvJet jet = eval("tanh(t)", 20.0, 0.0);
    CHECK_NEAR(jet.d / (4.0 * exp(-40.0)), 1.0, 1e-14);
    // and 1 - cos(2 pi u) near the start of a smooth rise
    jet = eval("smooth(t, 0, 1)", 1e-6, 0.0);
    CHECK_NEAR(jet.d / (2.0 * pi * pi * 1e-12), 1.0, 1e-11);
}

// text of a random smooth formula, with moderate derivatives, appended to out
typedef struct {
    CheckRandom random;
    char text[4096];
    size_t n;
} Writer;

ELV_PRINTF(2, 3)
static void put(Writer* w, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(w->text + w->n, sizeof w->text - w->n, format, arguments);
    va_end(arguments);
    CHECK_TRUE(n >= 0 && (size_t)n < sizeof w->text - w->n);
    w->n += (size_t)n;
}

// each pattern keeps its argument inside the domain of its function
static const char* const patterns[] = {
    "sin(#)",
    "cos(#)",
    "tanh(#)",
    "atan(#)",
    "exp(sin(#))",
    "sqrt(2 + sin(#))",
    "log(2 + cos(#))",
    "#/(2 + sin(#))",
    "#*#",
    "# + #",
    "# - #",
    "-#",
    "hypot(#, 2)",
    "atan2(#, 3)",
    "sin(#)^2",
    "(2 + sin(#))^cos(#)",
    "asin(sin(#)/2)",
    "acos(cos(#)/2)",
    "sinh(sin(#))",
    "cosh(cos(#))",
    "tan(sin(#)/2)",
    "log10(3 + #^2)",
    "2^sin(#)",
    "smooth(sin(#), -2, 2)",
    "bump(sin(#), -2, 2)",
};

static void write_formula(Writer* w, int depth) {
    if (depth == 0) {
        double factor = check_uniform(&w->random, 0.3, 1.5);
        double shift = check_uniform(&w->random, -1.0, 1.0);
        put(w, "(%.3f*t + %.3f*s - (%.3f))", factor, shift, shift);
        return;
    }
    int n_pattern = (int)(sizeof patterns / sizeof patterns[0]);
    const char* pattern = patterns[check_integer(&w->random, n_pattern)];
    put(w, "(");
    for (; *pattern != '\0'; pattern++) {
        if (*pattern == '#') {
            write_formula(w, depth - 1);
        } else {
            put(w, "%c", *pattern);
        }
    }
    put(w, ")");
}

static void test_central_differences(void** state) {
    (void)state;
    // errors of central differences with steps h and h/2, summed over formulas: the ratio is 4
    // for both derivatives; for each formula the extrapolated difference must agree to O(h^4)
    const double h = 1.0 / 256.0;
    double total[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
    for (uint64_t seed = 1; seed <= 400; seed++) {
        Writer w = {check_random(seed), "", 0};
        write_formula(&w, 1 + (int)(seed % 3));
        ElvLaw* law = compile(w.text);
        double t = check_uniform(&w.random, -1.0, 1.0);
        double s = check_uniform(&w.random, 0.0, 1.0);
        ElvJet here = elv_law_eval(law, t, s);
        double difference[2][2];
        for (int k = 0; k < 2; k++) {
            double step = k == 0 ? h : 0.5 * h;
            ElvJet after = elv_law_eval(law, t + step, s);
            ElvJet before = elv_law_eval(law, t - step, s);
            difference[0][k] = (after.v - before.v) / (2.0 * step);
            difference[1][k] = (after.d - before.d) / (2.0 * step);
            total[0][k] += fabs(difference[0][k] - here.d);
            total[1][k] += fabs(difference[1][k] - here.dd);
        }
        double better = (4.0 * difference[0][1] - difference[0][0]) / 3.0;
        double better2 = (4.0 * difference[1][1] - difference[1][0]) / 3.0;
        double size = 1.0 + fabs(here.v) + fabs(here.d) + fabs(here.dd);
        // h^4/120 times a fifth derivative of some thousands of the size: 1e-7
        if (!(fabs(better - here.d) <= 1e-7 * size && fabs(better2 - here.dd) <= 1e-6 * size)) {
            print_error("seed %d: %s\n", (int)seed, w.text);
        }
        CHECK_NEAR(better, here.d, 1e-7 * size);
        CHECK_NEAR(better2, here.dd, 1e-6 * size);
        elv_law_free(law);
    }
    CHECK_NEAR(total[0][0] / total[0][1], 4.0, 0.05);
    CHECK_NEAR(total[1][0] / total[1][1], 4.0, 0.05);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms_elementary),
        cmocka_unit_test(test_closed_forms_composed),
        cmocka_unit_test(test_tails_keep_their_digits),
        cmocka_unit_test(test_central_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
