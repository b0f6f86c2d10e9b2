// SPDX-License-Identifier: Apache-2.0
// Rows of constraints by reflections and rotations: matrices that are made of known singular
// values, of full and of lost rank, wide, square and tall; the shortest solutions, kernels, lost
// directions and their precision.
#include "linalg/row_space.h"

#include "check.h"

#include <stdlib.h>

enum { MOST = 12 };

typedef struct {
    int m, n;
    double A[MOST * MOST];
    double left[MOST * MOST];  // vector of singular value i in row i   (k x m)
    double right[MOST * MOST]; //                                       (k x n)
    ElvRowSpace space;
    void* block;
} Case;

static double dot(int n, const double* a, const double* b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// k orthonormal vectors of length n, in rows
static void random_basis(CheckRandom* random, int k, int n, double* x) {
    for (int i = 0; i < k; i++) {
        double* own = x + i * n;
        for (int r = 0; r < n; r++) {
            own[r] = check_uniform(random, -1.0, 1.0);
        }
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < i; j++) {
                double along = dot(n, own, x + j * n);
                for (int r = 0; r < n; r++) {
                    own[r] -= along * x[j * n + r];
                }
            }
        }
        double length = sqrt(dot(n, own, own));
        for (int r = 0; r < n; r++) {
            own[r] /= length;
        }
    }
}

static Case open_case(uint64_t seed, int m, int n, const double* sigma, int k, double tol) {
    Case c = {.m = m, .n = n};
    CheckRandom random = check_random(seed);
    random_basis(&random, k, m, c.left);
    random_basis(&random, k, n, c.right);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            for (int l = 0; l < k; l++) {
                c.A[i * n + j] += c.left[l * m + i] * sigma[l] * c.right[l * n + j];
            }
        }
    }
    ElvArena arena = {0};
    elv_row_space_layout(&c.space, m, n, &arena);
    c.block = aligned_alloc(ELV_ARENA_ALIGN, arena.size + ELV_ARENA_ALIGN);
    memset(c.block, 0xFF, arena.size);
    arena = (ElvArena){.base = c.block};
    elv_row_space_layout(&c.space, m, n, &arena);
    CHECK_TRUE(elv_row_space_factor(&c.space, m, c.A, NULL, tol));
    return c;
}

static void apply(const Case* c, const double* x, double* y) {
    for (int i = 0; i < c->m; i++) {
        y[i] = dot(c->n, c->A + i * c->n, x);
    }
}

// A x = A x_0 has x = x_0 less its part in the kernel
static void check_shortest(Case* c, int rank, uint64_t seed, double tol) {
    CheckRandom random = check_random(seed);
    double x0[MOST], x[MOST], y[MOST], expected[MOST] = {0.0};
    for (int i = 0; i < c->n; i++) {
        x0[i] = check_uniform(&random, -1.0, 1.0);
    }
    for (int l = 0; l < rank; l++) {
        double along = dot(c->n, x0, c->right + l * c->n);
        for (int i = 0; i < c->n; i++) {
            expected[i] += along * c->right[l * c->n + i];
        }
    }
    apply(c, expected, y);
    elv_row_space_solve(&c->space, y, x);
    CHECK_ARRAY_NEAR(x, expected, (size_t)c->n, tol);
}

static void check_kernel(Case* c, int rank, double tol) {
    double h[MOST][MOST], y[MOST];
    for (int i = 0; i < c->n - rank; i++) {
        elv_row_space_kernel(&c->space, i, h[i]);
        apply(c, h[i], y);
        for (int r = 0; r < c->m; r++) {
            CHECK_NEAR(y[r], 0.0, tol);
        }
        for (int j = 0; j <= i; j++) {
            CHECK_NEAR(dot(c->n, h[i], h[j]), i == j ? 1.0 : 0.0, 1e-14);
        }
    }
}

static void test_ranks(void** unused) {
    (void)unused;
    const double sigma[] = {3.0, 2.0, 1.5, 1.0, 0.5, 0.4, 0.3, 0.2};
    const int shape[][3] = {{3, 8, 3},  {8, 8, 8},  {8, 8, 5}, {8, 3, 3},
                            {10, 4, 2}, {4, 10, 2}, {1, 1, 1}, {6, 6, 1}};
    for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
        for (uint64_t seed = 1; seed <= 10; seed++) {
            int rank = shape[i][2];
            Case c = open_case(seed, shape[i][0], shape[i][1], sigma, rank, 1e-8);
            assert_int_equal(c.space.rank, rank);
            // rounding times the largest condition number of the rows
            check_shortest(&c, rank, seed, 1e-12);
            check_kernel(&c, rank, 1e-13);
            free(c.block);
        }
    }
}

// one direction is small, but not lost: rounding is divided by it, not by its square
static void test_small(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        for (double small = 1e-2; small > 1e-7; small *= 0.1) {
            const double sigma[] = {1.0, 0.8, 0.6, small};
            Case c = open_case(seed, 4, 6, sigma, 4, 1e-9);
            assert_int_equal(c.space.rank, 4);
            check_shortest(&c, 4, seed, 1e-14 / small);
            free(c.block);
        }
    }
}

// u^T A is small along every lost direction, and lies along its kernel vector
static void test_lost(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        for (int zero = 0; zero < 2; zero++) {
            const double small = zero ? 0.0 : 1e-10;
            const double sigma[] = {1.0, 0.7, small};
            Case c = open_case(seed, 3, 5, sigma, 3, 1e-8);
            double u[MOST], h[MOST], row[MOST] = {0.0};
            assert_int_equal(c.space.rank, 2);
            elv_row_space_lost(&c.space, 0, u);
            elv_row_space_kernel(&c.space, 0, h);
            for (int i = 0; i < 3; i++) {
                for (int k = 0; k < 5; k++) {
                    row[k] += u[i] * c.A[i * 5 + k];
                }
            }
            // u is as long as rows are scaled: by no more than the inverse of the shortest
            double scale = sqrt(dot(3, u, u));
            CHECK_TRUE(scale > 0.1);
            CHECK_NEAR(sqrt(dot(5, row, row)), 0.0, 10.0 * (small + 1e-15) * scale);
            if (!zero) {
                CHECK_NEAR(fabs(dot(5, row, h)), sqrt(dot(5, row, row)), 1e-4 * small * scale);
                CHECK_NEAR(fabs(dot(5, h, c.right + 10)), 1.0, 1e-9);
            }
            check_kernel(&c, 2, 10.0 * (small + 1e-15));
            free(c.block);
        }
    }
}

// the filter leaves s^2 / (s^2 + mu^2) of the solution along each direction; rows of equal length
// here
static void test_filter(void** unused) {
    (void)unused;
    const double A[] = {1.0, 0.0, 1.0, 1e-6};
    const double mu = 1e-6;
    double y[2], x[2];
    Case c = {.m = 2, .n = 2};
    ElvArena arena = {0};
    elv_row_space_layout(&c.space, 2, 2, &arena);
    c.block = aligned_alloc(ELV_ARENA_ALIGN, arena.size + ELV_ARENA_ALIGN);
    arena = (ElvArena){.base = c.block};
    elv_row_space_layout(&c.space, 2, 2, &arena);
    CHECK_TRUE(elv_row_space_factor(&c.space, 2, A, NULL, 1e-9));
    // singular values sqrt(2) and 1e-6 / sqrt(2), the latter along the second axis
    double s = 0.5e-6;
    y[0] = 1.0;
    y[1] = 1.0 + 1e-6;
    elv_row_space_filter(&c.space, y, mu, x);
    CHECK_NEAR(x[0], 1.0, 1e-6);
    CHECK_NEAR(x[1], s * s / (s * s + mu * mu), 1e-6);
    elv_row_space_filter(&c.space, y, 0.0, x);
    CHECK_NEAR(x[1], 1.0, 1e-9);
    free(c.block);
}

// a row that nearly vanishes is scaled up, unless it is known to be longer at other times
static void test_usual(void** unused) {
    (void)unused;
    const double A[] = {1.0, 0.0, 0.0, 1e-3};
    const double usual[] = {1.0, 1.0};
    Case c = {.m = 2, .n = 2};
    ElvArena arena = {0};
    elv_row_space_layout(&c.space, 2, 2, &arena);
    c.block = aligned_alloc(ELV_ARENA_ALIGN, arena.size + ELV_ARENA_ALIGN);
    arena = (ElvArena){.base = c.block};
    elv_row_space_layout(&c.space, 2, 2, &arena);
    CHECK_TRUE(elv_row_space_factor(&c.space, 2, A, NULL, 1e-2));
    assert_int_equal(c.space.rank, 2);
    CHECK_TRUE(elv_row_space_factor(&c.space, 2, A, usual, 1e-2));
    assert_int_equal(c.space.rank, 1);
    free(c.block);
}

// overdetermined: the nearest, which leaves a remainder across the columns
static void test_least_squares(void** unused) {
    (void)unused;
    const double A[] = {1.0, 0.0, 0.0, 1.0, 0.6, 0.8};
    const double c_of[] = {1.0, 2.0, 3.0};
    double x[2];
    Case c = {.m = 3, .n = 2};
    ElvArena arena = {0};
    elv_row_space_layout(&c.space, 3, 2, &arena);
    c.block = aligned_alloc(ELV_ARENA_ALIGN, arena.size + ELV_ARENA_ALIGN);
    arena = (ElvArena){.base = c.block};
    elv_row_space_layout(&c.space, 3, 2, &arena);
    CHECK_TRUE(elv_row_space_factor(&c.space, 3, A, NULL, 1e-9));
    elv_row_space_solve(&c.space, c_of, x);
    for (int k = 0; k < 2; k++) {
        double sum = 0.0;
        for (int i = 0; i < 3; i++) {
            sum += A[i * 2 + k] * (dot(2, A + i * 2, x) - c_of[i]);
        }
        CHECK_NEAR(sum, 0.0, 1e-14);
    }
    const double bad[] = {NAN, 0.0, 0.0, 1.0, 0.6, 0.8};
    CHECK_TRUE(!elv_row_space_factor(&c.space, 3, bad, NULL, 1e-9));
    // no rows at all: everything is free
    CHECK_TRUE(elv_row_space_factor(&c.space, 0, A, NULL, 1e-9));
    assert_int_equal(c.space.rank, 0);
    elv_row_space_kernel(&c.space, 1, x);
    CHECK_TRUE(x[0] == 0.0 && x[1] == 1.0);
    free(c.block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks), cmocka_unit_test(test_small),
        cmocka_unit_test(test_lost),  cmocka_unit_test(test_filter),
        cmocka_unit_test(test_usual), cmocka_unit_test(test_least_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
