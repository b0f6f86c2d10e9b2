// SPDX-License-Identifier: Apache-2.0
// Band matrices against dense ones filled with the same entries.
#include "check.h"
#include "linalg/band.h"
#include "linalg/lu.h"

#include <stdlib.h>

enum { N = 23, BELOW = 4, ABOVE = 3, STORE = N * (2 * (2 * (BELOW + ABOVE)) + 1 + BELOW + ABOVE) };

typedef struct {
    double store[STORE];
    double dense[N * N];
    ElvBand band;
} Sample;

static void fill(Sample* s, uint64_t seed) {
    CheckRandom r = check_random(seed);
    memset(s, 0, sizeof *s);
    s->band = (ElvBand){N, BELOW, ABOVE, s->store};
    CHECK_TRUE(elv_band_size(N, BELOW, ABOVE) <= STORE);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            if (j >= i - BELOW && j <= i + ABOVE) {
                // weak diagonal: rows must be exchanged
                s->dense[i * N + j] = check_uniform(&r, -1.0, 1.0) * (i == j ? 1e-3 : 1.0);
                *elv_band_at(&s->band, i, j) = s->dense[i * N + j];
            }
        }
    }
}

static void random_vector(double* x, uint64_t seed) {
    CheckRandom r = check_random(seed);
    for (int i = 0; i < N; i++) {
        x[i] = check_uniform(&r, -1.0, 1.0);
    }
}

static void test_products_are_those_of_the_dense_matrix(void** state) {
    (void)state;
    Sample s;
    double x[N], y[N], z[N], expected[N] = {0.0}, transposed[N] = {0.0};
    fill(&s, 1);
    random_vector(x, 2);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            expected[i] += s.dense[i * N + j] * x[j];
            transposed[j] += s.dense[i * N + j] * x[i];
        }
    }
    elv_band_apply(&s.band, x, y);
    elv_band_apply_transpose(&s.band, x, z);
    CHECK_ARRAY_NEAR(y, expected, N, 1e-15);
    CHECK_ARRAY_NEAR(z, transposed, N, 1e-15);
}

static void test_solution_is_that_of_the_dense_matrix(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed < 20; seed++) {
        Sample s;
        int pivot[N], dense_pivot[N];
        double b[N], expected[N];
        fill(&s, seed);
        random_vector(b, seed + 100);
        memcpy(expected, b, sizeof b);
        CHECK_TRUE(elv_lu_factor(N, s.dense, dense_pivot) == -1);
        elv_lu_solve(N, s.dense, dense_pivot, 1, expected);
        CHECK_TRUE(elv_band_factor(&s.band, pivot) == -1);
        elv_band_solve(&s.band, pivot, b);
        double size = 0.0;
        for (int i = 0; i < N; i++) {
            size = fmax(size, fabs(expected[i]));
        }
        // condition numbers of such matrices stay below 1e5
        CHECK_ARRAY_NEAR(b, expected, N, 1e-10 * size);
    }
}

static void test_normal_matrix(void** state) {
    (void)state;
    static Sample s;
    static double store[STORE];
    fill(&s, 7);
    ElvBand normal = {N, BELOW + ABOVE, BELOW + ABOVE, store};
    CHECK_TRUE(elv_band_size(N, BELOW + ABOVE, BELOW + ABOVE) <= STORE);
    elv_band_normal(&s.band, 0.25, &normal);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double sum = i == j ? 0.25 : 0.0;
            for (int k = 0; k < N; k++) {
                sum += s.dense[k * N + i] * s.dense[k * N + j];
            }
            if (abs(i - j) <= BELOW + ABOVE) {
                CHECK_NEAR(*elv_band_at(&normal, i, j), sum, 1e-15);
            } else {
                CHECK_NEAR(sum, 0.0, 0.0);
            }
        }
    }
}

static void test_singular_matrix_is_found(void** state) {
    (void)state;
    Sample s;
    int pivot[N];
    fill(&s, 3);
    // column 9 is twice column 8 where both have entries, and nothing elsewhere
    for (int i = 0; i < N; i++) {
        for (int j = 8; j <= 9; j++) {
            if (j >= i - BELOW && j <= i + ABOVE) {
                *elv_band_at(&s.band, i, j) = (i >= 6 && i <= 12) ? (j - 7.0) * (i + 1.0) : 0.0;
            }
        }
    }
    CHECK_TRUE(elv_band_factor(&s.band, pivot) == 9);
    fill(&s, 3);
    *elv_band_at(&s.band, 5, 5) = NAN;
    CHECK_TRUE(elv_band_factor(&s.band, pivot) >= 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products_are_those_of_the_dense_matrix),
        cmocka_unit_test(test_solution_is_that_of_the_dense_matrix),
        cmocka_unit_test(test_normal_matrix),
        cmocka_unit_test(test_singular_matrix_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
