// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of small vibrations: zeros far below the smallest other value though the stiffest is 1e8
// times as large, directions without mass, negative values.
#include "linalg/pencil.h"

#include "check.h"

enum { N = 7 };

// K = T^T diag(k) T, M = T^T diag(m) T with T unit upper triangular: eigenvalues k/m
static void make_pencil(const double* k, const double* m, double* K, double* M) {
    CheckRandom random = check_random(5);
    double T[N * N] = {0.0};
    for (int i = 0; i < N; i++) {
        for (int j = i; j < N; j++) {
            T[i * N + j] = i == j ? 1.0 : check_uniform(&random, -0.5, 0.5);
        }
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            K[i * N + j] = M[i * N + j] = 0.0;
            for (int l = 0; l < N; l++) {
                K[i * N + j] += k[l] * T[l * N + i] * T[l * N + j];
                M[i * N + j] += m[l] * T[l * N + i] * T[l * N + j];
            }
        }
    }
}

static void test_zeros(void** unused) {
    (void)unused;
    static const double k[N] = {2e8, 1e8, 1e4, 50.0, 3.0, 0.0, 0.0};
    static const double m[N] = {1.0, 1.0, 1.0, 2.0, 1.0, 2.0, 1.0};
    double K[N * N];
    double M[N * N];
    ElvPencil pencil;
    CHECK_TRUE(elv_pencil_create(N, &pencil));
    make_pencil(k, m, K, M);
    CHECK_TRUE(elv_pencil_solve(&pencil, K, M));
    CHECK_TRUE(pencil.n_finite == N);
    // K itself has its zeros by cancellation of entries of 1e8: that much is lost before
    CHECK_NEAR(pencil.value[0], 0.0, 1e-7);
    CHECK_NEAR(pencil.value[1], 0.0, 1e-7);
    CHECK_NEAR(pencil.scale, 3.0, 1e-6);
    for (int i = 2; i < N; i++) {
        double exact = k[N - 1 - i] / m[N - 1 - i];
        CHECK_NEAR(pencil.value[i], exact, 1e-6 * exact);
    }
    elv_pencil_free(&pencil);
}

// strains and a base that nothing holds: K has exact zeros, as those of rods have; the usual form would
// give 1e8 times rounding
static void test_exact_zeros(void** unused) {
    (void)unused;
    static const double m[N] = {1.0, 2.0, 1.0, 2.0, 1.0, 1.0, 3.0};
    double K[N * N];
    double M[N * N];
    ElvPencil pencil;
    CHECK_TRUE(elv_pencil_create(N, &pencil));
    make_pencil(m, m, K, M);
    memset(K, 0, sizeof K);
    for (int i = 2; i < N; i++) {
        K[i * N + i] = i < N - 2 ? 3.0 : 1e8;
    }
    CHECK_TRUE(elv_pencil_solve(&pencil, K, M));
    CHECK_NEAR(pencil.value[0], 0.0, 1e-13);
    CHECK_NEAR(pencil.value[1], 0.0, 1e-13);
    CHECK_TRUE(pencil.value[2] > 0.1 && pencil.n_finite == N);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) {
            double sum = 0.0;
            for (int a = 0; a < N * N; a++) {
                sum += pencil.vector[i * N + a / N] * M[a] * pencil.vector[k * N + a % N];
            }
            CHECK_NEAR(sum, i == k ? 1.0 : 0.0, 1e-6);
        }
    }
    elv_pencil_free(&pencil);
}

static void test_without_mass(void** unused) {
    (void)unused;
    static const double k[N] = {-4.0, 1.0, 3.0, 50.0, 10.0, 7.0, 2.0};
    static const double m[N] = {1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0};
    static const double exact[] = {-4.0, 1.0, 2.0, 3.0, 50.0};
    static const double bad[N] = {4.0, 1.0, 3.0, 50.0, -10.0, 7.0, 2.0};
    double K[N * N];
    double M[N * N];
    ElvPencil pencil;
    CHECK_TRUE(elv_pencil_create(N, &pencil));
    make_pencil(k, m, K, M);
    CHECK_TRUE(elv_pencil_solve(&pencil, K, M));
    CHECK_TRUE(pencil.n_finite == 5);
    CHECK_ARRAY_NEAR(pencil.value, exact, 5, 1e-11);
    CHECK_NEAR(elv_pencil_smallest(&pencil, K, M), -4.0, 1e-11);
    // negative without mass: there is no frequency, but the stiffness itself tells
    make_pencil(bad, m, K, M);
    CHECK_TRUE(!elv_pencil_solve(&pencil, K, M));
    CHECK_TRUE(elv_pencil_smallest(&pencil, K, M) < 0.0);
    elv_pencil_free(&pencil);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_exact_zeros),
        cmocka_unit_test(test_without_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
