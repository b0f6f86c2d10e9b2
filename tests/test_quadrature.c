// SPDX-License-Identifier: Apache-2.0
// Gauss-Legendre quadrature against closed integrals: the degree of exactness of the rule and of
// its cumulative matrix, the error of the first degree beyond it, adjointness, single rows.
// Tolerances: sums of at most 64 terms of size 1, each with a few units of rounding.
#include "linalg/quadrature.h"

#include "check.h"

enum { N_MAX = ELV_MAX_QUADRATURE };

static const double PI = 3.14159265358979323846;

typedef struct {
    int n;
    double x[N_MAX], w[N_MAX], C[N_MAX * N_MAX];
} Rule;

static Rule make_rule(int n) {
    Rule rule = {.n = n};
    elv_gauss_legendre(n, rule.x, rule.w);
    elv_gauss_cumulative(n, rule.x, rule.w, rule.C);
    return rule;
}

// Chebyshev polynomial of degree k on [0, 1], without a recurrence
static double chebyshev(int k, double x) {
    return cos(k * acos(2.0 * x - 1.0));
}

// its integral from 0 to x
static double chebyshev_integral(int k, double x) {
    if (k == 0) {
        return x;
    }
    if (k == 1) {
        return x * x - x;
    }
    double value = chebyshev(k + 1, x) / (k + 1) - chebyshev(k - 1, x) / (k - 1);
    double at_zero = (k % 2 ? 1.0 : -1.0) * (1.0 / (k + 1) - 1.0 / (k - 1));
    return 0.25 * (value - at_zero);
}

static void test_known_rules(void** state) {
    (void)state;
    Rule one = make_rule(1);
    CHECK_NEAR(one.x[0], 0.5, 1e-16);
    CHECK_NEAR(one.w[0], 1.0, 1e-15);
    CHECK_NEAR(one.C[0], 0.5, 1e-15);

    Rule two = make_rule(2);
    CHECK_NEAR(two.x[0], 0.5 - sqrt(3.0) / 6.0, 1e-15);
    CHECK_NEAR(two.w[0], 0.5, 1e-15);
    // the two-stage Gauss method of Runge-Kutta tables
    const double C2[4] = {0.25, 0.25 - sqrt(3.0) / 6.0, 0.25 + sqrt(3.0) / 6.0, 0.25};
    CHECK_ARRAY_NEAR(two.C, C2, 4, 1e-15);

    Rule three = make_rule(3);
    CHECK_NEAR(three.x[2], 0.5 + sqrt(15.0) / 10.0, 1e-15);
    CHECK_NEAR(three.x[1], 0.5, 1e-16);
    CHECK_NEAR(three.w[1], 4.0 / 9.0, 1e-15);
    CHECK_NEAR(three.w[2], 5.0 / 18.0, 1e-15);
}

static void test_nodes_are_ordered_and_symmetric(void** state) {
    (void)state;
    for (int n = 1; n <= N_MAX; n++) {
        Rule rule = make_rule(n);
        double sum = 0.0;
        for (int i = 0; i < n; i++) {
            CHECK_TRUE(rule.x[i] > (i == 0 ? 0.0 : rule.x[i - 1]) && rule.x[i] < 1.0);
            CHECK_TRUE(rule.w[i] > 0.0);
            CHECK_NEAR(rule.x[i] + rule.x[n - 1 - i], 1.0, 1e-15);
            CHECK_NEAR(rule.w[i], rule.w[n - 1 - i], 1e-15);
            sum += rule.w[i];
        }
        CHECK_NEAR(sum, 1.0, 1e-14);
    }
}

// degrees up to 2 n - 1, by monomials and by Chebyshev polynomials
static void test_exactness(void** state) {
    (void)state;
    for (int n = 1; n <= N_MAX; n++) {
        Rule rule = make_rule(n);
        for (int k = 0; k < 2 * n; k++) {
            double power = 0.0;
            double wave = 0.0;
            for (int i = 0; i < n; i++) {
                power += rule.w[i] * pow(rule.x[i], k);
                wave += rule.w[i] * chebyshev(k, rule.x[i]);
            }
            CHECK_NEAR(power, 1.0 / (k + 1), 1e-14);
            CHECK_NEAR(wave, k % 2 ? 0.0 : 1.0 / (1.0 - (double)k * k), 1e-14);
        }
    }
}

// degree 2 n is missed by (n!)^4 / ((2 n + 1) (2 n)!^2)
static void test_first_error(void** state) {
    (void)state;
    double ratio = 1.0; // (n!)^2 / (2 n)!
    for (int n = 1; n <= 8; n++) {
        ratio *= n / (2.0 * (2.0 * n - 1.0));
        Rule rule = make_rule(n);
        double sum = 0.0;
        for (int i = 0; i < n; i++) {
            sum += rule.w[i] * pow(rule.x[i], 2 * n);
        }
        CHECK_NEAR(1.0 / (2 * n + 1) - sum, ratio * ratio / (2 * n + 1), 1e-15);
    }
}

static void test_cumulative_exactness(void** state) {
    (void)state;
    for (int n = 1; n <= N_MAX; n++) {
        Rule rule = make_rule(n);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                double power = 0.0;
                double wave = 0.0;
                for (int j = 0; j < n; j++) {
                    power += rule.C[i * n + j] * pow(rule.x[j], k);
                    wave += rule.C[i * n + j] * chebyshev(k, rule.x[j]);
                }
                CHECK_NEAR(power, pow(rule.x[i], k + 1) / (k + 1), 1e-14);
                CHECK_NEAR(wave, chebyshev_integral(k, rule.x[i]), 1e-14);
            }
        }
    }
}

// forward and backward integration are adjoint: relative to w_i w_j, rounding alone is left
static void test_adjointness(void** state) {
    (void)state;
    for (int n = 1; n <= N_MAX; n++) {
        Rule rule = make_rule(n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double sum = rule.w[i] * rule.C[i * n + j] + rule.w[j] * rule.C[j * n + i];
                CHECK_NEAR(sum / (rule.w[i] * rule.w[j]), 1.0, 2e-14);
            }
        }
    }
}

static void test_rows(void** state) {
    (void)state;
    CheckRandom random = check_random(11);
    for (int n = 1; n <= N_MAX; n++) {
        Rule rule = make_rule(n);
        double row[N_MAX];
        // at the nodes it is the matrix, at the ends nothing and the weights
        for (int i = 0; i < n; i++) {
            elv_gauss_cumulative_row(n, rule.x, rule.w, rule.x[i], row);
            CHECK_ARRAY_NEAR(row, rule.C + i * n, (size_t)n, 0.0);
        }
        double zero[N_MAX] = {0.0};
        elv_gauss_cumulative_row(n, rule.x, rule.w, 0.0, row);
        CHECK_ARRAY_NEAR(row, zero, (size_t)n, 1e-15);
        elv_gauss_cumulative_row(n, rule.x, rule.w, 1.0, row);
        CHECK_ARRAY_NEAR(row, rule.w, (size_t)n, 1e-15);
        // in between, exact for degree n - 1
        double y = check_uniform(&random, 0.0, 1.0);
        elv_gauss_cumulative_row(n, rule.x, rule.w, y, row);
        for (int k = 0; k < n; k++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++) {
                sum += row[j] * chebyshev(k, rule.x[j]);
            }
            CHECK_NEAR(sum, chebyshev_integral(k, y), 1e-14);
        }
    }
}

// a smooth function that is no polynomial: the error falls geometrically to rounding
static void test_spectral_convergence(void** state) {
    (void)state;
    double last = 1.0;
    for (int n = 2; n <= 12; n += 2) {
        Rule rule = make_rule(n);
        double sum = 0.0;
        for (int i = 0; i < n; i++) {
            sum += rule.w[i] * sin(PI * rule.x[i]);
        }
        double error = fabs(sum - 2.0 / PI);
        CHECK_TRUE(error < 0.05 * last || error < 1e-15);
        last = error;
    }
    CHECK_TRUE(last < 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_rules),
        cmocka_unit_test(test_nodes_are_ordered_and_symmetric),
        cmocka_unit_test(test_exactness),
        cmocka_unit_test(test_first_error),
        cmocka_unit_test(test_cumulative_exactness),
        cmocka_unit_test(test_adjointness),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_spectral_convergence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
