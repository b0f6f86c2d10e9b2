// SPDX-License-Identifier: Apache-2.0
// Shortest least-squares solutions: matrices of known rank and singular values, whose pseudo-inverse is
// known too; full rank against LU; rank found, given and too large; scaling; nothing to solve.
#include "check.h"
#include "linalg/lu.h"
#include "linalg/min_norm.h"

#include <stdbool.h>

enum { N_MAX = 30 };

/// S = U diag(sigma) V^T with U, V orthogonal: columns in rows.
typedef struct {
    int n, rank;
    double U[N_MAX * N_MAX], V[N_MAX * N_MAX], sigma[N_MAX];
    double S[N_MAX * N_MAX];
} Known;

typedef struct {
    double S[N_MAX * N_MAX], work[4 * N_MAX + 1], scratch[N_MAX];
    int column[N_MAX];
} Factors;

static double dot(int n, const double* a, const double* b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// rows orthonormal: Gram-Schmidt, twice
static void random_orthogonal(CheckRandom* r, int n, double* Q) {
    for (int i = 0; i < n; i++) {
        double* row = Q + i * n;
        for (int j = 0; j < n; j++) {
            row[j] = check_uniform(r, -1.0, 1.0);
        }
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 0; k < i; k++) {
                double along = dot(n, row, Q + k * n);
                for (int j = 0; j < n; j++) {
                    row[j] -= along * Q[k * n + j];
                }
            }
            double norm = sqrt(dot(n, row, row));
            for (int j = 0; j < n; j++) {
                row[j] /= norm;
            }
        }
    }
}

// singular values between 0.1 and 1: pivots of a rank are then far above rounding
static void random_known(CheckRandom* r, int n, int rank, bool is_symmetric, Known* known) {
    known->n = n;
    known->rank = rank;
    random_orthogonal(r, n, known->U);
    random_orthogonal(r, n, known->V);
    if (is_symmetric) {
        memcpy(known->V, known->U, sizeof known->U);
    }
    memset(known->S, 0, sizeof known->S);
    for (int k = 0; k < rank; k++) {
        known->sigma[k] = check_uniform(r, 0.1, 1.0);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                known->S[i * n + j] += known->sigma[k] * known->U[k * n + i] * known->V[k * n + j];
            }
        }
    }
}

// z = sum of v_k (u_k . b) / sigma_k; returns the norm of what the u_k leave of b
static double pseudo_inverse(const Known* known, const double* b, double* z) {
    int n = known->n;
    double missed = 0.0;
    memset(z, 0, (size_t)n * sizeof *z);
    for (int k = 0; k < n; k++) {
        double along = dot(n, known->U + k * n, b);
        missed = k < known->rank ? missed : hypot(missed, along);
        for (int j = 0; j < n && k < known->rank; j++) {
            z[j] += known->V[k * n + j] * along / known->sigma[k];
        }
    }
    return missed;
}

static int factor(const Known* known, double tol, int rank, Factors* f) {
    memset(f, 0xFF, sizeof *f);
    memcpy(f->S, known->S, sizeof f->S);
    return elv_min_norm_factor(known->n, f->S, f->work, f->column, tol, rank);
}

static double solve(const Known* known, int rank, Factors* f, const double* b, double* z) {
    return elv_min_norm_solve(known->n, rank, f->S, f->work, f->column, b, z, f->scratch);
}

// condition at most 10, |b| at most sqrt(n): errors of order n eps cond^2 |z|, far below 1e-11
static void check_known(CheckRandom* r, const Known* known) {
    static Factors found, given;
    int n = known->n;
    double b[N_MAX], z[N_MAX], expected[N_MAX];
    assert_int_equal(factor(known, 1e-10, -1, &found), known->rank);
    assert_int_equal(factor(known, 0.0, known->rank, &given), known->rank);
    for (int trial = 0; trial < 3; trial++) {
        // reachable first
        for (int i = 0; i < n; i++) {
            z[i] = check_uniform(r, -1.0, 1.0);
        }
        for (int i = 0; i < n; i++) {
            b[i] = trial == 0 ? dot(n, known->S + i * n, z) : check_uniform(r, -1.0, 1.0);
        }
        double missed = pseudo_inverse(known, b, expected);
        CHECK_NEAR(solve(known, known->rank, &found, b, z), missed, 1e-12);
        CHECK_ARRAY_NEAR(z, expected, (size_t)n, 1e-11);
        for (int i = 0; i < n && trial == 0; i++) {
            CHECK_NEAR(dot(n, known->S + i * n, z), b[i], 1e-12);
        }
        // nothing along the kernel
        for (int k = known->rank; k < n; k++) {
            CHECK_NEAR(dot(n, known->V + k * n, z), 0.0, 1e-11);
        }
        // in place, with the rank given
        CHECK_NEAR(solve(known, known->rank, &given, b, b), missed, 1e-12);
        CHECK_ARRAY_NEAR(b, expected, (size_t)n, 1e-11);
    }
}

static void test_known_ranks(void** state) {
    (void)state;
    static Known known;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        CheckRandom r = check_random(seed);
        int n = 1 + check_integer(&r, N_MAX);
        random_known(&r, n, check_integer(&r, n + 1), seed % 2 == 0, &known);
        check_known(&r, &known);
    }
}

static void test_full_rank(void** state) {
    (void)state;
    static Known known;
    static Factors f;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        CheckRandom r = check_random(seed);
        double LU[N_MAX * N_MAX], b[N_MAX], z[N_MAX];
        int pivot[N_MAX];
        int n = 1 + check_integer(&r, N_MAX);
        random_known(&r, n, n, false, &known);
        memcpy(LU, known.S, sizeof LU);
        for (int i = 0; i < n; i++) {
            b[i] = check_uniform(&r, -1.0, 1.0);
        }
        assert_int_equal(factor(&known, 1e-10, -1, &f), n);
        CHECK_NEAR(solve(&known, n, &f, b, z), 0.0, 0.0);
        assert_int_equal(elv_lu_factor(n, LU, pivot), -1);
        elv_lu_solve(n, LU, pivot, 1, b);
        CHECK_ARRAY_NEAR(z, b, (size_t)n, 1e-11);
    }
}

// a rank above what is there stops at the first pivot that is zero; one below cuts the matrix off
static void test_other_ranks(void** state) {
    (void)state;
    double work[13], scratch[3], z[3];
    int column[3];
    const double b[3] = {8.0, 3.0, 5.0};
    double S[9] = {0, 4, 0, 3, 0, 0, 0, 0, 0};
    assert_int_equal(elv_min_norm_factor(3, S, work, column, 0.0, 3), 2);
    CHECK_NEAR(elv_min_norm_solve(3, 2, S, work, column, b, z, scratch), 5.0, 1e-15);
    CHECK_ARRAY_NEAR(z, ((const double[3]){1.0, 2.0, 0.0}), 3, 1e-15);
    const double pivots[3] = {4.0, 3.0, 0.0};
    CHECK_ARRAY_NEAR(work, pivots, 3, 1e-15);
    assert_int_equal(column[2], 2);

    double cut[9] = {0, 4, 0, 3, 0, 0, 0, 0, 0};
    assert_int_equal(elv_min_norm_factor(3, cut, work, column, 0.0, 1), 1);
    CHECK_NEAR(elv_min_norm_solve(3, 1, cut, work, column, b, z, scratch), sqrt(34.0), 1e-14);
    CHECK_ARRAY_NEAR(z, ((const double[3]){0.0, 2.0, 0.0}), 3, 1e-15);
    CHECK_ARRAY_NEAR(work, pivots, 2, 1e-15);
}

// n - rank orthonormal vectors that S takes to zero; a column of zeros has its unit vector for itself
static void test_kernel(void** state) {
    (void)state;
    CheckRandom r = check_random(5);
    static Known known;
    static Factors f;
    static double z[N_MAX][N_MAX];
    for (int i = 0; i < 20; i++) {
        int n = 2 + check_integer(&r, 20);
        int rank = check_integer(&r, n);
        random_known(&r, n, rank, false, &known);
        int empty = i % 2 ? check_integer(&r, n) : -1;
        for (int k = 0; k < n && empty >= 0; k++) {
            known.S[k * n + empty] = 0.0;
        }
        memcpy(f.S, known.S, sizeof f.S);
        rank = elv_min_norm_factor(n, f.S, f.work, f.column, 1e-10, -1);
        CHECK_TRUE(rank >= 0 && rank < n);
        int n_unit = 0;
        for (int k = 0; k < n - rank; k++) {
            elv_min_norm_kernel(n, rank, f.S, f.work, f.column, k, z[k], f.scratch);
            for (int row = 0; row < n; row++) {
                CHECK_NEAR(dot(n, known.S + row * n, z[k]), 0.0, 1e-14);
            }
            for (int j = 0; j <= k; j++) {
                CHECK_NEAR(dot(n, z[j], z[k]), j == k, 1e-14);
            }
            n_unit += empty >= 0 && f.column[rank + k] == empty && z[k][empty] == 1.0;
        }
        CHECK_TRUE(empty < 0 || n_unit == 1);
    }
}

// pivots 1 and 1e-6: the tolerance decides
static void test_tolerance(void** state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        double work[9];
        int column[2];
        double S[4] = {1.0, 0.0, 0.0, 1e-6};
        assert_int_equal(elv_min_norm_factor(2, S, work, column, i ? 1e-5 : 1e-7, -1), i ? 1 : 2);
    }
}

// neither tiny nor huge matrices lose their rank: squares of these numbers are zero or infinite
static void test_scale(void** state) {
    (void)state;
    static const double size[4] = {1e-300, 1e-150, 1e200, 1e300};
    for (int i = 0; i < 4; i++) {
        double work[9], z[2], scratch[2];
        int column[2];
        double S[4] = {2.0 * size[i], 4.0 * size[i], 1.0 * size[i], 2.0 * size[i]};
        const double b[2] = {10.0 * size[i], 5.0 * size[i]};
        assert_int_equal(elv_min_norm_factor(2, S, work, column, 1e-12, -1), 1);
        CHECK_NEAR(elv_min_norm_solve(2, 1, S, work, column, b, z, scratch) / size[i], 0.0, 1e-14);
        CHECK_ARRAY_NEAR(z, ((const double[2]){1.0, 2.0}), 2, 1e-15);
    }
}

static void test_small(void** state) {
    (void)state;
    double work[9], scratch[2], z[2];
    int column[2];
    double one[1] = {-4.0};
    const double b[2] = {3.0, 4.0};
    assert_int_equal(elv_min_norm_factor(1, one, work, column, 1e-12, -1), 1);
    CHECK_NEAR(elv_min_norm_solve(1, 1, one, work, column, b, z, scratch), 0.0, 0.0);
    CHECK_NEAR(z[0], -0.75, 1e-16);
    // rank 0: no z reaches anything
    double nothing[4] = {0.0};
    assert_int_equal(elv_min_norm_factor(2, nothing, work, column, 1e-12, -1), 0);
    CHECK_NEAR(elv_min_norm_solve(2, 0, nothing, work, column, b, z, scratch), 5.0, 1e-15);
    CHECK_ARRAY_NEAR(z, ((const double[2]){0.0, 0.0}), 2, 0.0);
    double some[4] = {1.0, 0.0, 0.0, 1.0};
    assert_int_equal(elv_min_norm_factor(2, some, work, column, 1e-12, 0), 0);
    // no unknowns, and no numbers
    assert_int_equal(elv_min_norm_factor(0, nothing, work, column, 1e-12, -1), 0);
    double broken[4] = {1.0, 0.0, NAN, 1.0};
    assert_int_equal(elv_min_norm_factor(2, broken, work, column, 1e-12, -1), -1);
    broken[2] = INFINITY;
    assert_int_equal(elv_min_norm_factor(2, broken, work, column, 1e-12, 2), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_ranks), cmocka_unit_test(test_full_rank),
        cmocka_unit_test(test_other_ranks), cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_scale),       cmocka_unit_test(test_small),
        cmocka_unit_test(test_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
