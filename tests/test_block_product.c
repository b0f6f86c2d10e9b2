// SPDX-License-Identifier: Apache-2.0
// Block products against plain loops, for all small sizes, so that every block and remainder is met; what
// lies around the results stays as it was. Sums differ by their order: n roundings of terms of size 1.
#include "check.h"
#include "linalg/block_product.h"

#include <float.h>
#include <stdbool.h>

enum { N_MAX = 2000 };

static void fill(CheckRandom* r, int n, double* x) {
    for (int i = 0; i < n; i++) {
        x[i] = check_uniform(r, -1.0, 1.0);
    }
}

static void test_gram(void** state) {
    (void)state;
    CheckRandom r = check_random(1);
    double A[N_MAX], B[N_MAX], C[N_MAX], expected[N_MAX];
    for (int m = 1; m <= 9; m++) {
        for (int n = 4; n <= 20; n += 4) {
            int n_block = 1 + check_integer(&r, 5);
            int lda = elv_padded(m);
            size_t step_a = (size_t)(9 * lda), step_b = (size_t)(6 * n);
            fill(&r, N_MAX, A);
            fill(&r, N_MAX, B);
            fill(&r, N_MAX, C);
            memcpy(expected, C, sizeof C);
            for (int i = 0; i < n_block; i++) {
                for (int p = 0; p < 6 * m * n; p++) {
                    int row = p / n % m, col = p % n, k = p / n / m;
                    expected[row * n + col] += A[(size_t)i * step_a + (size_t)(k * lda + row)] *
                                               B[(size_t)i * step_b + (size_t)(k * n + col)];
                }
            }
            elv_block_gram(n_block, m, n, A, lda, step_a, B, step_b, C);
            CHECK_ARRAY_NEAR(C, expected, (size_t)(m * n), 31.0 * DBL_EPSILON * 31.0);
            CHECK_ARRAY_NEAR(C + lda * n, expected + lda * n, (size_t)(N_MAX - lda * n), 0.0);
        }
    }
}

static void test_apply(void** state) {
    (void)state;
    CheckRandom r = check_random(2);
    double A[N_MAX], B[N_MAX], C[N_MAX], expected[N_MAX];
    for (int k = 1; k <= 18; k++) {
        for (int n = 4; n <= 20; n += 4) {
            int m = k % 2 == 0 ? 6 : 3;
            int lda = k + check_integer(&r, 3);
            fill(&r, N_MAX, A);
            fill(&r, N_MAX, B);
            fill(&r, N_MAX, C);
            memcpy(expected, C, sizeof C);
            for (int i = 0; i < m * n; i++) {
                expected[i] = 0.0;
                for (int j = 0; j < k; j++) {
                    expected[i] += A[i / n * lda + j] * B[j * n + i % n];
                }
            }
            elv_block_apply(m, k, n, A, lda, B, C);
            CHECK_ARRAY_NEAR(C, expected, N_MAX, 18.0 * DBL_EPSILON * 18.0);
        }
    }
}

static void test_combine(void** state) {
    (void)state;
    CheckRandom r = check_random(3);
    double c[N_MAX], x[N_MAX], y0[N_MAX], y[N_MAX], expected[N_MAX];
    for (int size = 4; size <= 24; size++) {
        for (int n_out = 1; n_out <= 7; n_out++) {
            int n = 1 + check_integer(&r, 12);
            int step = size + check_integer(&r, 3);
            fill(&r, N_MAX, c);
            fill(&r, N_MAX, x);
            fill(&r, N_MAX, y0);
            fill(&r, N_MAX, y);
            memcpy(expected, y, sizeof y);
            for (int i = 0; i < n_out * size; i++) {
                double sum = 0.0;
                for (int j = 0; j < n; j++) {
                    sum += c[i / size * n + j] * x[j * size + i % size];
                }
                expected[i / size * step + i % size] = y0[i % size] - 0.7 * sum;
            }
            elv_block_combine(n_out, n, size, -0.7, c, x, y0, y, (size_t)step);
            CHECK_ARRAY_NEAR(y, expected, N_MAX, 13.0 * DBL_EPSILON * 13.0);
        }
    }
    // in place
    memcpy(y, y0, sizeof y);
    elv_block_combine(1, 5, 20, 2.0, c, x, y0, expected, 0);
    elv_block_combine(1, 5, 20, 2.0, c, x, y, y, 0);
    CHECK_ARRAY_NEAR(y, expected, 20, 0.0);
}

static void test_add_product(void** state) {
    (void)state;
    CheckRandom r = check_random(4);
    double A[N_MAX], B[N_MAX], C[N_MAX], expected[N_MAX];
    for (int m = 1; m <= 9; m++) {
        for (int n = 1; n <= 18; n++) {
            int k = 1 + check_integer(&r, 10);
            int ldb = n + check_integer(&r, 3), ldc = n + check_integer(&r, 3);
            bool is_transposed = check_integer(&r, 2) == 0;
            int row = is_transposed ? 1 : k, column = is_transposed ? m : 1;
            fill(&r, N_MAX, A);
            fill(&r, N_MAX, B);
            fill(&r, N_MAX, C);
            memcpy(expected, C, sizeof C);
            for (int i = 0; i < m * n; i++) {
                for (int l = 0; l < k; l++) {
                    expected[i / n * ldc + i % n] +=
                        A[i / n * row + l * column] * B[l * ldb + i % n];
                }
            }
            elv_block_add_product(m, k, n, A, row, column, B, ldb, C, ldc);
            CHECK_ARRAY_NEAR(C, expected, N_MAX, 11.0 * DBL_EPSILON * 11.0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gram),
        cmocka_unit_test(test_apply),
        cmocka_unit_test(test_combine),
        cmocka_unit_test(test_add_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
