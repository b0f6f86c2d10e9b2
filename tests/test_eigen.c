// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and vectors against their definitions on random matrices.
#include "linalg/eigen.h"

#include "check.h"

enum { N = 7 };

static void fill_random(CheckRandom* random, double* A) {
    for (int i = 0; i < N * N; i++) {
        A[i] = check_uniform(random, -1.0, 1.0);
    }
}

// B + B^T, or B^T B + I / 2
static void make_symmetric(CheckRandom* random, bool is_definite, double* A) {
    double B[N * N];
    fill_random(random, B);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) {
            double sum = i == k ? 0.5 : 0.0;
            for (int j = 0; j < N; j++) {
                sum += B[j * N + i] * B[j * N + k];
            }
            A[i * N + k] = is_definite ? sum : B[i * N + k] + B[k * N + i];
        }
    }
}

static double row_times(const double* A, int i, const double* x) {
    double sum = 0.0;
    for (int k = 0; k < N; k++) {
        sum += A[i * N + k] * x[k];
    }
    return sum;
}

static void test_symmetric(void** unused) {
    (void)unused;
    CheckRandom random = check_random(1);
    double A[N * N];
    double vector[N * N];
    double value[N];
    make_symmetric(&random, false, A);
    memcpy(vector, A, sizeof A);
    CHECK_TRUE(elv_eigen_symmetric(N, vector, value));
    for (int m = 0; m < N; m++) {
        CHECK_TRUE(m == 0 || value[m] >= value[m - 1]);
        for (int i = 0; i < N; i++) {
            CHECK_NEAR(row_times(A, i, vector + m * N), value[m] * vector[m * N + i], 1e-13);
        }
    }
    A[0] = NAN;
    CHECK_TRUE(!elv_eigen_symmetric(N, A, value));
}

static void test_definite(void** unused) {
    (void)unused;
    CheckRandom random = check_random(2);
    double A[N * N];
    double B[N * N];
    double vector[N * N];
    double lost[N * N];
    double value[N];
    make_symmetric(&random, false, A);
    make_symmetric(&random, true, B);
    memcpy(vector, A, sizeof A);
    memcpy(lost, B, sizeof B);
    CHECK_TRUE(elv_eigen_definite(N, vector, lost, value));
    for (int m = 0; m < N; m++) {
        double mass = 0.0;
        for (int i = 0; i < N; i++) {
            double by_B = row_times(B, i, vector + m * N);
            mass += by_B * vector[m * N + i];
            CHECK_NEAR(row_times(A, i, vector + m * N), value[m] * by_B, 1e-12);
        }
        CHECK_NEAR(mass, 1.0, 1e-12);
    }
    // A itself is not definite
    memcpy(lost, A, sizeof A);
    CHECK_TRUE(!elv_eigen_definite(N, vector, lost, value));
}

static void test_general(void** unused) {
    (void)unused;
    CheckRandom random = check_random(3);
    double A[N * N];
    double lost[N * N];
    double vector[N * N];
    double re[N];
    double im[N];
    int n_pair = 0;
    fill_random(&random, A);
    memcpy(lost, A, sizeof A);
    CHECK_TRUE(elv_eigen_general(N, lost, re, im, vector));
    for (int m = 0; m < N; m++) {
        const double* x = vector + m * N;
        const double* y = im[m] != 0.0 ? x + N : NULL;
        for (int i = 0; i < N; i++) {
            // A (x + i y) = (re + i im)(x + i y)
            CHECK_NEAR(row_times(A, i, x), re[m] * x[i] - (y ? im[m] * y[i] : 0.0), 1e-13);
            if (y) {
                CHECK_NEAR(row_times(A, i, y), re[m] * y[i] + im[m] * x[i], 1e-13);
            }
        }
        CHECK_TRUE(!y || im[m] > 0.0);
        n_pair += y ? 1 : 0;
        m += y ? 1 : 0;
    }
    CHECK_TRUE(n_pair > 0);
}

static void test_singular(void** unused) {
    (void)unused;
    CheckRandom random = check_random(4);
    double A[N * N];
    double lost[N * N];
    double vector[N * N];
    double value[N];
    fill_random(&random, A);
    // the last column is the sum of the first two
    for (int i = 0; i < N; i++) {
        A[i * N + N - 1] = A[i * N] + A[i * N + 1];
    }
    memcpy(lost, A, sizeof A);
    CHECK_TRUE(elv_eigen_singular(N, lost, value, vector));
    CHECK_NEAR(value[N - 1], 0.0, 1e-14);
    CHECK_TRUE(value[N - 2] > 1e-3 && value[0] >= value[1]);
    for (int i = 0; i < N; i++) {
        CHECK_NEAR(row_times(A, i, vector + (N - 1) * N), 0.0, 1e-14);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symmetric),
        cmocka_unit_test(test_definite),
        cmocka_unit_test(test_general),
        cmocka_unit_test(test_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
