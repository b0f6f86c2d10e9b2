// SPDX-License-Identifier: Apache-2.0
// LU with partial pivoting: residuals on random systems, one that needs its row exchanges, scaling,
// and matrices that are singular or not finite.
#include "check.h"
#include "linalg/lu.h"

#include <float.h>

enum { N_MAX = 40, M_MAX = 20 };

static void random_matrix(CheckRandom* r, int n, double* A) {
    for (int i = 0; i < n * n; i++) {
        A[i] = check_uniform(r, -1.0, 1.0);
    }
}

// largest |A X - B| / (|A| |X|), row by row
static double backward_error(int n, int m, const double* A, const double* X, const double* B) {
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < m; k++) {
            double sum = -B[i * m + k], size = fabs(B[i * m + k]);
            for (int j = 0; j < n; j++) {
                sum += A[i * n + j] * X[j * m + k];
                size += fabs(A[i * n + j] * X[j * m + k]);
            }
            worst = fmax(worst, fabs(sum) / size);
        }
    }
    return worst;
}

// backward stable: n eps times the growth of the pivots, which is small for random matrices
static void test_random_systems(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        CheckRandom r = check_random(seed);
        double A[N_MAX * N_MAX], LU[N_MAX * N_MAX], B[N_MAX * M_MAX], X[N_MAX * M_MAX];
        int pivot[N_MAX];
        int n = 1 + check_integer(&r, N_MAX);
        int m = 1 + check_integer(&r, M_MAX);
        random_matrix(&r, n, A);
        for (int i = 0; i < n * m; i++) {
            B[i] = check_uniform(&r, -1.0, 1.0);
        }
        memcpy(LU, A, sizeof A);
        memcpy(X, B, sizeof B);
        assert_int_equal(elv_lu_factor(n, LU, pivot), -1);
        elv_lu_solve(n, LU, pivot, m, X);
        CHECK_NEAR(backward_error(n, m, A, X, B), 0.0, 50.0 * n * DBL_EPSILON);
    }
}

// zeros on the diagonal: only exchanges help; the solution is known
static void test_needs_exchanges(void** state) {
    (void)state;
    double A[16] = {0, 2, 0, 0, 0, 0, 0, 4, 8, 0, 0, 0, 0, 0, 16, 0};
    double B[4] = {2, 4, 8, 16};
    const double ones[4] = {1, 1, 1, 1};
    int pivot[4];
    assert_int_equal(elv_lu_factor(4, A, pivot), -1);
    elv_lu_solve(4, A, pivot, 1, B);
    CHECK_ARRAY_NEAR(B, ones, 4, 0.0);
}

// rows of very different size are no singularity
static void test_scaled_rows(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        CheckRandom r = check_random(seed);
        enum { N = 6 };
        double A[N * N], LU[N * N], X[N], B[N] = {0.0};
        int pivot[N];
        random_matrix(&r, N, A);
        for (int i = 0; i < N; i++) {
            double scale = pow(10.0, check_uniform(&r, -12.0, 12.0));
            for (int j = 0; j < N; j++) {
                A[i * N + j] *= scale;
                B[i] += A[i * N + j];
            }
        }
        memcpy(LU, A, sizeof A);
        memcpy(X, B, sizeof B);
        assert_int_equal(elv_lu_factor(N, LU, pivot), -1);
        elv_lu_solve(N, LU, pivot, 1, X);
        CHECK_TRUE(isfinite(X[0]));
    }
}

// small numbers are no singularity either: a robot may be a micrometre long
static void test_small_matrix(void** state) {
    (void)state;
    double A[4] = {2e-30, 1e-30, 1e-30, 2e-30};
    double B[2] = {3e-30, 3e-30};
    const double ones[2] = {1.0, 1.0};
    int pivot[2];
    assert_int_equal(elv_lu_factor(2, A, pivot), -1);
    elv_lu_solve(2, A, pivot, 1, B);
    CHECK_ARRAY_NEAR(B, ones, 2, 1e-15);
}

static void test_singular(void** state) {
    (void)state;
    int pivot[3];
    // a zero row, equal rows, a sum of rows
    double zero[9] = {1, 2, 3, 0, 0, 0, 4, 5, 7};
    double equal[9] = {1, 2, 3, 1, 2, 3, 4, 5, 7};
    double sum[9] = {1, 2, 3, 4, 5, 7, 5, 7, 10};
    assert_int_equal(elv_lu_factor(3, zero, pivot), 2);
    assert_int_equal(elv_lu_factor(3, equal, pivot), 2);
    assert_int_equal(elv_lu_factor(3, sum, pivot), 2);
    double nothing[1] = {0.0};
    assert_int_equal(elv_lu_factor(1, nothing, pivot), 0);
    double not_finite[4] = {NAN, 1, 1, 1};
    CHECK_TRUE(elv_lu_factor(2, not_finite, pivot) >= 0);
    double infinite[4] = {INFINITY, 1, 1, 1};
    CHECK_TRUE(elv_lu_factor(2, infinite, pivot) >= 0);
    assert_int_equal(elv_lu_factor(0, NULL, pivot), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_systems), cmocka_unit_test(test_needs_exchanges),
        cmocka_unit_test(test_scaled_rows),    cmocka_unit_test(test_small_matrix),
        cmocka_unit_test(test_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
