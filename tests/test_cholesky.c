// SPDX-License-Identifier: Apache-2.0
// Cholesky factorisation: integer factors recovered to the bit, residuals of random and of badly
// conditioned matrices, and the row named when a matrix is indefinite, singular or not a number.
#include "linalg/cholesky.h"

#include "check.h"

#include <float.h>

enum { N_MAX = 40 };

// lower triangle of L L^T, marks above the diagonal
static void multiply(int n, const double* L, double* A) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k <= j; k++) {
                sum += L[i * n + k] * L[j * n + k];
            }
            A[i * n + j] = j <= i ? sum : -77.0;
        }
    }
}

// products and square roots of small integers are exact
static void test_integer_factor(void** state) {
    (void)state;
    const double L[16] = {2, 0, 0, 0, -1, 3, 0, 0, 4, 0, 1, 0, 5, -2, 3, 7};
    double A[16];
    multiply(4, L, A);
    CHECK_TRUE(elv_cholesky_factor(4, A) == -1);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            // the upper triangle is left alone
            CHECK_TRUE(A[4 * i + j] == (j <= i ? L[4 * i + j] : -77.0));
        }
    }
    // b = L L^T x for x = (1, -2, 3, -4)
    double b[4];
    const double x[4] = {1.0, -2.0, 3.0, -4.0};
    for (int i = 0; i < 4; i++) {
        b[i] = 0.0;
        for (int k = 0; k < 4; k++) {
            double y = 0.0; // (L^T x)_k
            for (int j = k; j < 4; j++) {
                y += L[4 * j + k] * x[j];
            }
            b[i] += k <= i ? L[4 * i + k] * y : 0.0;
        }
    }
    elv_cholesky_solve(4, A, b);
    CHECK_ARRAY_NEAR(b, x, 4, 1e-13);
}

static void test_sizes(void** state) {
    (void)state;
    CHECK_TRUE(elv_cholesky_factor(0, NULL) == -1);
    elv_cholesky_solve(0, NULL, NULL);
    double A = 9.0;
    double b = 18.0;
    CHECK_TRUE(elv_cholesky_factor(1, &A) == -1 && A == 3.0);
    elv_cholesky_solve(1, &A, &b);
    CHECK_TRUE(b == 2.0);
}

// || A x - b || against the bound of backward stability, n eps || A || || x ||
static void check_residual(int n, const double* A, const double* b, const double* x) {
    double norm_A = 0.0;
    double norm_x = 0.0;
    double norm_r = 0.0;
    for (int i = 0; i < n; i++) {
        double r = -b[i];
        double row = 0.0;
        for (int j = 0; j < n; j++) {
            double a = j <= i ? A[i * n + j] : A[j * n + i];
            r += a * x[j];
            row += fabs(a);
        }
        norm_A = fmax(norm_A, row);
        norm_x = fmax(norm_x, fabs(x[i]));
        norm_r = fmax(norm_r, fabs(r));
    }
    CHECK_TRUE(norm_r <= 4.0 * n * DBL_EPSILON * norm_A * norm_x);
}

static void test_random_residual(void** state) {
    (void)state;
    CheckRandom random = check_random(3);
    for (int trial = 0; trial < 200; trial++) {
        int n = 1 + check_integer(&random, N_MAX);
        double L[N_MAX * N_MAX], A[N_MAX * N_MAX], kept[N_MAX * N_MAX], b[N_MAX], x[N_MAX];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                L[i * n + j] = j < i    ? check_uniform(&random, -1.0, 1.0)
                               : j == i ? check_uniform(&random, 0.5, 2.0)
                                        : 0.0;
            }
            b[i] = x[i] = check_uniform(&random, -1.0, 1.0);
        }
        multiply(n, L, A);
        memcpy(kept, A, sizeof A);
        CHECK_TRUE(elv_cholesky_factor(n, A) == -1);
        elv_cholesky_solve(n, A, x);
        check_residual(n, kept, b, x);
    }
}

// condition number 1e10: the residual stays small though the solution loses digits
static void test_hilbert(void** state) {
    (void)state;
    enum { N = 8 };
    double A[N * N], kept[N * N], b[N], x[N];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            A[i * N + j] = kept[i * N + j] = 1.0 / (i + j + 1);
        }
        b[i] = x[i] = i % 2 ? -1.0 : 1.0;
    }
    CHECK_TRUE(elv_cholesky_factor(N, A) == -1);
    elv_cholesky_solve(N, A, x);
    check_residual(N, kept, b, x);
}

// rows scaled by powers of two: the factor scales with them to the bit, whatever their size
static void test_scaling(void** state) {
    (void)state;
    const double plain[9] = {4.0, 0.0, 0.0, 1.0, 3.0, 0.0, -2.0, 0.5, 5.0};
    const double scale[3] = {0x1p-40, 1.0, 0x1p30};
    double A[9], B[9];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A[3 * i + j] = plain[3 * i + j];
            B[3 * i + j] = plain[3 * i + j] * scale[i] * scale[j];
        }
    }
    CHECK_TRUE(elv_cholesky_factor(3, A) == -1);
    CHECK_TRUE(elv_cholesky_factor(3, B) == -1);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            CHECK_TRUE(B[3 * i + j] == A[3 * i + j] * scale[i]);
        }
    }
}

static void test_not_definite(void** state) {
    (void)state;
    // one negative direction, met in the row given
    for (int bad = 0; bad < 4; bad++) {
        double A[16] = {0.0};
        for (int i = 0; i < 4; i++) {
            A[5 * i] = i == bad ? -1.0 : 2.0;
        }
        CHECK_TRUE(elv_cholesky_factor(4, A) == bad);
    }
    // positive diagonal, eigenvalues 3 and -1
    double indefinite[4] = {1.0, 2.0, 2.0, 1.0};
    CHECK_TRUE(elv_cholesky_factor(2, indefinite) == 1);
    double zero[4] = {0.0};
    CHECK_TRUE(elv_cholesky_factor(2, zero) == 0);
}

// rank n - 1: the last row is a combination of the others, exactly or up to rounding
static void test_singular(void** state) {
    (void)state;
    double exact[4] = {1.0, 3.0, 3.0, 9.0};
    CHECK_TRUE(elv_cholesky_factor(2, exact) == 1);

    CheckRandom random = check_random(5);
    int n_missed = 0;
    for (int trial = 0; trial < 200; trial++) {
        int n = 2 + check_integer(&random, 10);
        double L[N_MAX * N_MAX], A[N_MAX * N_MAX];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                L[i * n + j] = j < i ? check_uniform(&random, -1.0, 1.0) : j == i ? 1.0 : 0.0;
            }
        }
        L[n * n - 1] = 0.0;
        multiply(n, L, A);
        n_missed += elv_cholesky_factor(n, A) != n - 1;
    }
    // rounding may leave a pivot of a few units: rare, never the rule
    CHECK_TRUE(n_missed <= 10);
}

static void test_not_a_number(void** state) {
    (void)state;
    for (int bad = 0; bad < 3; bad++) {
        double A[9] = {4.0, 1.0, 1.0, 1.0, 4.0, 1.0, 1.0, 1.0, 4.0};
        A[4 * bad] = (double)NAN;
        CHECK_TRUE(elv_cholesky_factor(3, A) == bad);
        double B[9] = {4.0, 1.0, 1.0, 1.0, 4.0, 1.0, 1.0, 1.0, 4.0};
        B[4 * bad] = (double)INFINITY;
        CHECK_TRUE(elv_cholesky_factor(3, B) == bad);
    }
    double C[4] = {1.0, (double)NAN, (double)NAN, 1.0};
    CHECK_TRUE(elv_cholesky_factor(2, C) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integer_factor),  cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_random_residual), cmocka_unit_test(test_hilbert),
        cmocka_unit_test(test_scaling),         cmocka_unit_test(test_not_definite),
        cmocka_unit_test(test_singular),        cmocka_unit_test(test_not_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
