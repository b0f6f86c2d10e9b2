// SPDX-License-Identifier: Apache-2.0
// Differentiation and interpolation on any nodes: exact for polynomials of degree n - 1, against
// closed forms on Gauss, Chebyshev and irregular nodes.
#include "linalg/barycentric.h"

#include "check.h"
#include "linalg/chebyshev.h"
#include "linalg/quadrature.h"

enum { N_MAX = ELV_MAX_QUADRATURE };

// Chebyshev polynomial of degree k on [0, 1] and its derivative
static double value(int k, double x) {
    return cos(k * acos(2.0 * x - 1.0));
}

static double slope(int k, double x) {
    double angle = acos(2.0 * x - 1.0);
    return 2.0 * k * sin(k * angle) / sin(angle);
}

// all degrees below n; D has entries of size n^2 (rows sum to 0), so rounding is n^3 of 1e-16 at most
static void check_nodes(int n, const double* x) {
    static double D[N_MAX * N_MAX];
    double row[N_MAX];
    elv_barycentric_derivative(n, x, D);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++) {
                sum += D[i * n + j] * value(k, x[j]);
            }
            if (x[i] > 0.0 && x[i] < 1.0) {
                CHECK_NEAR(sum, slope(k, x[i]), 1e-15 * n * n * n);
            }
        }
        for (int i = 0; i <= 20; i++) {
            double y = x[0] + (x[n - 1] - x[0]) * i / 20.0;
            double sum = 0.0;
            elv_barycentric_interpolation(n, x, y, row);
            for (int j = 0; j < n; j++) {
                sum += row[j] * value(k, x[j]);
            }
            CHECK_NEAR(sum, value(k, y), 1e-14 * n);
        }
    }
}

static void test_exact_degree(void** state) {
    (void)state;
    for (int n = 2; n <= N_MAX; n += n < 8 ? 1 : 14) {
        double x[N_MAX], w[N_MAX];
        elv_gauss_legendre(n, x, w);
        check_nodes(n, x);
        elv_chebyshev_grid(n, x, w);
        check_nodes(n, x);
    }
    const double irregular[5] = {0.05, 0.1, 0.4, 0.45, 0.9};
    check_nodes(5, irregular);
}

// the derivative matrix of Chebyshev nodes by its own formula
static void test_same_as_chebyshev(void** state) {
    (void)state;
    double x[12], w[12], D[144], expected[144];
    elv_chebyshev_grid(12, x, w);
    elv_chebyshev_derivative(12, expected);
    elv_barycentric_derivative(12, x, D);
    CHECK_ARRAY_NEAR(D, expected, 144, 1e-12);
}

// at a node the value there alone, beyond the nodes the polynomial
static void test_at_and_beyond_nodes(void** state) {
    (void)state;
    const double x[3] = {0.2, 0.5, 0.7};
    double row[3];
    elv_barycentric_interpolation(3, x, 0.5, row);
    CHECK_TRUE(row[0] == 0.0 && row[1] == 1.0 && row[2] == 0.0);
    elv_barycentric_interpolation(3, x, 1.0, row);
    CHECK_NEAR(row[0] * 0.04 + row[1] * 0.25 + row[2] * 0.49, 1.0, 1e-15);
    double one = 0.0;
    elv_barycentric_derivative(1, x, &one);
    CHECK_TRUE(one == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_degree),
        cmocka_unit_test(test_same_as_chebyshev),
        cmocka_unit_test(test_at_and_beyond_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
