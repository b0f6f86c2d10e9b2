// SPDX-License-Identifier: Apache-2.0
// The Chebyshev grid: what must be exact for polynomials is (to the rounding of the grid, about
// 1e-16 n^2), and a smooth function is differentiated and integrated with spectral accuracy.
#include "linalg/chebyshev.h"

#include "check.h"

enum { MAX = ELV_MAX_CHEBYSHEV };

static double power(double x, int k) {
    double y = 1.0;
    for (int i = 0; i < k; i++) {
        y *= x;
    }
    return y;
}

// T_k(2 x - 1), its derivative and its integral from 0: well conditioned at any degree
static double shifted(double x, int k) {
    return cos(k * acos(fmin(1.0, fmax(-1.0, 2.0 * x - 1.0))));
}

static void test_nodes(void** unused) {
    (void)unused;
    for (int n = 2; n <= MAX; n++) {
        double x[MAX], w[MAX];
        elv_chebyshev_grid(n, x, w);
        CHECK_NEAR(x[0], 0.0, 0.0);
        CHECK_NEAR(x[n - 1], 1.0, 0.0);
        for (int i = 0; i < n; i++) {
            CHECK_TRUE(w[i] > 0.0);
            CHECK_TRUE(i == 0 || x[i] > x[i - 1]);
            // symmetric about 1/2, extrema of T_(n-1)
            CHECK_NEAR(x[i] + x[n - 1 - i], 1.0, 1e-15);
            CHECK_NEAR(w[i], w[n - 1 - i], 1e-15);
            CHECK_NEAR(fabs(shifted(x[i], n - 1)), 1.0, 1e-12);
        }
    }
}

// exact for degrees up to n - 1 and, odd functions about the middle being free, n for odd n
static void test_weights_integrate(void** unused) {
    (void)unused;
    for (int n = 2; n <= MAX; n++) {
        double x[MAX], w[MAX];
        elv_chebyshev_grid(n, x, w);
        for (int k = 0; k < n + n % 2; k++) {
            double sum = 0.0;
            for (int i = 0; i < n; i++) {
                sum += w[i] * power(x[i], k);
            }
            CHECK_NEAR(sum, 1.0 / (k + 1), 1e-14);
        }
        // and no further: x^(n + 1) would need Gauss nodes
        if (n <= 6) {
            int k = n + n % 2;
            double sum = 0.0;
            for (int i = 0; i < n; i++) {
                sum += w[i] * power(x[i], k);
            }
            CHECK_TRUE(fabs(sum - 1.0 / (k + 1)) > 1e-6);
        }
    }
}

static void test_derivative(void** unused) {
    (void)unused;
    static double D[MAX * MAX];
    for (int n = 2; n <= MAX; n++) {
        double x[MAX], w[MAX];
        elv_chebyshev_grid(n, x, w);
        elv_chebyshev_derivative(n, D);
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int j = 0; j < n; j++) {
                    sum += D[i * n + j] * power(x[j], k);
                }
                double expected = k == 0 ? 0.0 : k * power(x[i], k - 1);
                // the largest entries of D, 2 n^2/3 at the ends, times rounding
                CHECK_NEAR(sum, expected, 1e-15 * n * n * n);
            }
        }
    }
}

// y' = f, y(0) = 0: the derivative of C f is f where it is collocated, and y is exact to degree n - 1
static void test_cumulative(void** unused) {
    (void)unused;
    static double D[MAX * MAX], C[MAX * MAX];
    for (int n = 2; n <= MAX; n++) {
        double x[MAX], w[MAX];
        elv_chebyshev_grid(n, x, w);
        elv_chebyshev_derivative(n, D);
        elv_chebyshev_cumulative(n, D, C);
        for (int k = 0; k <= n - 2; k++) {
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int j = 0; j < n; j++) {
                    sum += C[i * n + j] * power(x[j], k);
                }
                CHECK_NEAR(sum, power(x[i], k + 1) / (k + 1), 1e-16 * n * n + 1e-15);
            }
        }
        for (int i = 0; i < n; i++) {
            CHECK_NEAR(C[i], 0.0, 0.0);
            CHECK_NEAR(C[i * n], 0.0, 0.0);
        }
    }
}

static void test_interpolation(void** unused) {
    (void)unused;
    CheckRandom r = check_random(7);
    for (int n = 2; n <= MAX; n++) {
        double x[MAX], w[MAX], row[MAX];
        elv_chebyshev_grid(n, x, w);
        for (int trial = 0; trial < 10; trial++) {
            double y = trial == 0 ? 0.0 : trial == 1 ? 1.0 : check_uniform(&r, 0.0, 1.0);
            elv_chebyshev_interpolation(n, y, row);
            for (int k = 0; k < n; k++) {
                double sum = 0.0;
                for (int j = 0; j < n; j++) {
                    sum += row[j] * shifted(x[j], k);
                }
                CHECK_NEAR(sum, shifted(y, k), 1e-12);
            }
        }
        elv_chebyshev_interpolation(n, x[n / 2], row);
        for (int j = 0; j < n; j++) {
            CHECK_NEAR(row[j], j == n / 2 ? 1.0 : 0.0, 0.0);
        }
    }
}

// exp(3 x): Chebyshev coefficients fall as (3/4)^n / n!, and so must the errors
static void test_spectral_convergence(void** unused) {
    (void)unused;
    static double D[MAX * MAX], C[MAX * MAX];
    double before = 1.0;
    for (int n = 4; n <= 16; n += 2) {
        double x[MAX], w[MAX], f[MAX];
        elv_chebyshev_grid(n, x, w);
        elv_chebyshev_derivative(n, D);
        elv_chebyshev_cumulative(n, D, C);
        for (int i = 0; i < n; i++) {
            f[i] = exp(3.0 * x[i]);
        }
        double worst = 0.0;
        for (int i = 0; i < n; i++) {
            double integral = 0.0;
            for (int j = 0; j < n; j++) {
                integral += C[i * n + j] * f[j];
            }
            worst = fmax(worst, fabs(integral - (f[i] - 1.0) / 3.0));
        }
        // two more nodes: at least (n/1.5)^2 / 4 times better, until rounding
        CHECK_TRUE(worst < 1e-13 || worst < before * 9.0 / (double)(n * n));
        before = worst;
    }
    CHECK_TRUE(before < 1e-13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes),         cmocka_unit_test(test_weights_integrate),
        cmocka_unit_test(test_derivative),    cmocka_unit_test(test_cumulative),
        cmocka_unit_test(test_interpolation), cmocka_unit_test(test_spectral_convergence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
