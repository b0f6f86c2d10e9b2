// SPDX-License-Identifier: Apache-2.0
// Least squares with unknowns that must not be negative: against all subsets of columns, each solved by normal
// equations; columns that repeat each other; what the triangle of the rows keeps.
#include "check.h"
#include "linalg/cholesky.h"
#include "linalg/nnls.h"

enum { MAX_N = 6, MAX_M = 12 };

typedef struct {
    int m, n;
    double A[MAX_M][MAX_N], b[MAX_M];
} Problem;

static double distance(const Problem* p, const double* x) {
    double sum = 0.0;
    for (int i = 0; i < p->m; i++) {
        double r = -p->b[i];
        for (int j = 0; j < p->n; j++) {
            r += p->A[i][j] * x[j];
        }
        sum += r * r;
    }
    return sqrt(sum);
}

static double solve(const Problem* p, double* x) {
    double room[2 * (MAX_N + 1) * (MAX_N + 1) + 2 * MAX_N];
    int used[MAX_N];
    bool is_used[MAX_N];
    ElvNnls nnls;
    CHECK_TRUE((size_t)elv_nnls_size(p->n) <= sizeof room / sizeof *room);
    elv_nnls_start(&nnls, p->n, room, used, is_used);
    for (int i = 0; i < p->m; i++) {
        double row[MAX_N + 1];
        memcpy(row, p->A[i], (size_t)p->n * sizeof *row);
        row[p->n] = p->b[i];
        elv_nnls_add(&nnls, row);
    }
    return elv_nnls_solve(&nnls, x);
}

// the best of all subsets whose own least squares has no negative number
static double best_subset(const Problem* p, double* best) {
    double least = INFINITY;
    for (int set = 0; set < 1 << p->n; set++) {
        int column[MAX_N], n = 0;
        for (int j = 0; j < p->n; j++) {
            if (set >> j & 1) {
                column[n++] = j;
            }
        }
        double G[MAX_N * MAX_N] = {0.0}, z[MAX_N] = {0.0}, x[MAX_N] = {0.0};
        for (int a = 0; a < n; a++) {
            for (int i = 0; i < p->m; i++) {
                z[a] += p->A[i][column[a]] * p->b[i];
                for (int c = 0; c < n; c++) {
                    G[a * n + c] += p->A[i][column[a]] * p->A[i][column[c]];
                }
            }
        }
        if (n > 0 && elv_cholesky_factor(n, G) >= 0) {
            continue;
        }
        elv_cholesky_solve(n, G, z);
        bool is_allowed = true;
        for (int a = 0; a < n; a++) {
            x[column[a]] = z[a];
            is_allowed = is_allowed && z[a] >= 0.0;
        }
        if (is_allowed && distance(p, x) < least) {
            least = distance(p, x);
            memcpy(best, x, sizeof x);
        }
    }
    return least;
}

static void test_random_against_all_subsets(void** unused) {
    (void)unused;
    CheckRandom random = check_random(5);
    int n_bound = 0;
    for (int trial = 0; trial < 300; trial++) {
        Problem p = {.n = 1 + check_integer(&random, MAX_N)};
        p.m = p.n + check_integer(&random, MAX_M - p.n);
        for (int i = 0; i < p.m; i++) {
            p.b[i] = check_uniform(&random, -1.0, 1.0);
            for (int j = 0; j < p.n; j++) {
                // columns of very different length
                p.A[i][j] = check_uniform(&random, -1.0, 1.0) * pow(10.0, 2 * j - 5);
            }
        }
        double x[MAX_N], expected[MAX_N];
        double left = solve(&p, x);
        double least = best_subset(&p, expected);
        CHECK_NEAR(left, least, 1e-9);
        CHECK_NEAR(left, distance(&p, x), 1e-12);
        for (int j = 0; j < p.n; j++) {
            CHECK_TRUE(x[j] >= 0.0);
            CHECK_NEAR(x[j], expected[j], 1e-7 * (1.0 + fabs(expected[j])));
            n_bound += x[j] == 0.0;
        }
    }
    // many of the bounds were met
    CHECK_TRUE(n_bound > 100);
}

// two tendons that pull against each other: one of them is enough, and b tells which
static void test_antagonists(void** unused) {
    (void)unused;
    for (int side = -1; side <= 1; side += 2) {
        Problem p = {.m = 3, .n = 2, .A = {{1.0, -1.0}, {2.0, -2.0}, {0.5, -0.5}}};
        for (int i = 0; i < 3; i++) {
            p.b[i] = 3.0 * side * p.A[i][0];
        }
        double x[2];
        CHECK_NEAR(solve(&p, x), 0.0, 1e-14);
        CHECK_NEAR(x[0], side > 0 ? 3.0 : 0.0, 1e-14);
        CHECK_NEAR(x[1], side > 0 ? 0.0 : 3.0, 1e-14);
    }
}

// the same column twice, a column of zeros, and nothing that helps
static void test_columns_without_use(void** unused) {
    (void)unused;
    Problem p = {.m = 3,
                 .n = 3,
                 .A = {{1.0, 1.0, 0.0}, {1.0, 1.0, 0.0}, {0.0, 0.0, 0.0}},
                 .b = {2.0, 4.0, 1.0}};
    double x[3];
    CHECK_NEAR(solve(&p, x), sqrt(3.0), 1e-14);
    CHECK_NEAR(x[0] + x[1], 3.0, 1e-14);
    CHECK_TRUE((x[0] == 0.0) != (x[1] == 0.0) && x[2] == 0.0);
    for (int i = 0; i < 3; i++) {
        p.b[i] = -p.b[i];
    }
    CHECK_NEAR(solve(&p, x), sqrt(21.0), 1e-14);
    CHECK_TRUE(x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0);
}

// columns that differ by 1e-5: rounding is enlarged by 1e5, by normal equations it would be by 1e10
static void test_triangle_keeps_what_normal_equations_lose(void** unused) {
    (void)unused;
    double e = 1e-5;
    Problem p = {.m = 3, .n = 2, .A = {{1.0, 1.0}, {e, 0.0}, {0.0, e}}};
    for (int i = 0; i < 3; i++) {
        p.b[i] = 2.0 * p.A[i][0] + 3.0 * p.A[i][1];
    }
    double x[2];
    CHECK_NEAR(solve(&p, x), 0.0, 1e-15);
    CHECK_NEAR(x[0], 2.0, 1e-9);
    CHECK_NEAR(x[1], 3.0, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_against_all_subsets),
        cmocka_unit_test(test_antagonists),
        cmocka_unit_test(test_columns_without_use),
        cmocka_unit_test(test_triangle_keeps_what_normal_equations_lose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
