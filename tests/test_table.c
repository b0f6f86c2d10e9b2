// SPDX-License-Identifier: Apache-2.0
// Tables: closed forms for step and linear; the spline against a dense solution of its defining
// conditions, against a small case by hand, and by its convergence order; checks of the input.
#include "check.h"
#include "elver/law.h"

#include <stdlib.h>

static ElvLaw*
make(ElvVariable variable, ElvTableKind kind, const double* x, const double* y, size_t n) {
    ElvLaw* law = NULL;
    ElvError error;
    CHECK_STATUS(elv_law_table(variable, kind, x, y, n, &law, &error), &error);
    return law;
}

static void check_jet(ElvJet jet, double v, double d, double dd, double tol) {
    CHECK_NEAR(jet.v, v, tol);
    CHECK_NEAR(jet.d, d, tol);
    CHECK_NEAR(jet.dd, dd, tol);
}

static void test_step(void** state) {
    (void)state;
    const double x[] = {0.0, 1.0, 3.0};
    const double y[] = {5.0, -2.0, 7.0};
    ElvLaw* law = make(ELV_VARIABLE_T, ELV_TABLE_STEP, x, y, 3);
    check_jet(elv_law_eval(law, -1.0, 0.0), 5.0, 0.0, 0.0, 0.0);
    check_jet(elv_law_eval(law, 0.999, 0.0), 5.0, 0.0, 0.0, 0.0);
    check_jet(elv_law_eval(law, 1.0, 0.0), -2.0, 0.0, 0.0, 0.0);
    check_jet(elv_law_eval(law, 2.999, 0.0), -2.0, 0.0, 0.0, 0.0);
    check_jet(elv_law_eval(law, 3.0, 0.0), 7.0, 0.0, 0.0, 0.0);
    check_jet(elv_law_eval(law, 9.0, 0.0), 7.0, 0.0, 0.0, 0.0);
    elv_law_free(law);

    // one point is a constant
    law = make(ELV_VARIABLE_T, ELV_TABLE_STEP, x, y, 1);
    check_jet(elv_law_eval(law, -1.0, 0.0), 5.0, 0.0, 0.0, 0.0);
    check_jet(elv_law_eval(law, 2.0, 0.0), 5.0, 0.0, 0.0, 0.0);
    elv_law_free(law);
}

static void test_linear(void** state) {
    (void)state;
    const double x[] = {0.0, 1.0, 3.0};
    const double y[] = {5.0, -2.0, 7.0};
    ElvLaw* law = make(ELV_VARIABLE_T, ELV_TABLE_LINEAR, x, y, 3);
    check_jet(elv_law_eval(law, -1e-9, 0.0), 5.0, 0.0, 0.0, 0.0);
    check_jet(elv_law_eval(law, 0.0, 0.0), 5.0, -7.0, 0.0, 0.0);
    check_jet(elv_law_eval(law, 0.25, 0.0), 3.25, -7.0, 0.0, 0.0);
    check_jet(elv_law_eval(law, 1.0, 0.0), -2.0, 4.5, 0.0, 0.0);
    check_jet(elv_law_eval(law, 2.0, 0.0), 2.5, 4.5, 0.0, 0.0);
    check_jet(elv_law_eval(law, 3.0, 0.0), 7.0, 0.0, 0.0, 0.0);
    CHECK_TRUE(isnan(elv_law_value(law, (double)NAN, 0.0)));
    elv_law_free(law);
}

static void test_table_of_s_does_not_move(void** state) {
    (void)state;
    const double x[] = {0.0, 1.0};
    const double y[] = {2.0, 4.0};
    ElvLaw* law = make(ELV_VARIABLE_S, ELV_TABLE_LINEAR, x, y, 2);
    check_jet(elv_law_eval(law, 99.0, 0.25), 2.5, 0.0, 0.0, 0.0);
    CHECK_TRUE(!elv_law_depends_on_t(law) && elv_law_depends_on_s(law));
    elv_law_free(law);
}

static void test_cubic_by_hand(void** state) {
    (void)state;
    // (0,0) (1,1) (2,0): 4 m = 6 (-1 - 1), so m = -3 in the middle, and on the first piece
    // f = x + (x^3 - x)(-3)/6 = 1.5 x - 0.5 x^3
    const double x[] = {0.0, 1.0, 2.0};
    const double y[] = {0.0, 1.0, 0.0};
    ElvLaw* law = make(ELV_VARIABLE_T, ELV_TABLE_CUBIC, x, y, 3);
    for (double t = 0.0; t < 1.0; t += 0.125) {
        check_jet(elv_law_eval(law, t, 0.0), 1.5 * t - 0.5 * t * t * t, 1.5 - 1.5 * t * t, -3.0 * t,
                  4e-16 * 4.0);
    }
    check_jet(elv_law_eval(law, 2.5, 0.0), 0.0, 0.0, 0.0, 0.0);
    check_jet(elv_law_eval(law, -0.5, 0.0), 0.0, 0.0, 0.0, 0.0);
    elv_law_free(law);

    // two points are a line
    law = make(ELV_VARIABLE_T, ELV_TABLE_CUBIC, x, y, 2);
    check_jet(elv_law_eval(law, 0.5, 0.0), 0.5, 1.0, 0.0, 0.0);
    elv_law_free(law);
}

enum { N_KNOT = 9, N_COEFFICIENT = 4 * (N_KNOT - 1) };

// dense elimination with row exchanges of an n x n system, in place
static void solve_dense(double A[][N_COEFFICIENT], double* b, int n) {
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            pivot = fabs(A[i][k]) > fabs(A[pivot][k]) ? i : pivot;
        }
        for (int j = 0; j < n; j++) {
            double swap = A[k][j];
            A[k][j] = A[pivot][j];
            A[pivot][j] = swap;
        }
        double swap = b[k];
        b[k] = b[pivot];
        b[pivot] = swap;
        for (int i = 0; i < n; i++) {
            double factor = i == k ? 0.0 : A[i][k] / A[k][k];
            for (int j = k; j < n && factor != 0.0; j++) {
                A[i][j] -= factor * A[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = 0; k < n; k++) {
        b[k] /= A[k][k];
    }
}

// coefficients c of each piece c0 + c1 u + c2 u^2 + c3 u^3, u = x - x_i, from the conditions that
// define the natural spline, written out one by one
static void dense_spline(const double* x, const double* y, double* c) {
    static double A[N_COEFFICIENT][N_COEFFICIENT];
    memset(A, 0, sizeof A);
    int row = 0;
    for (int i = 0; i + 1 < N_KNOT; i++) {
        double h = x[i + 1] - x[i];
        int p = 4 * i;
        int q = p + 4;
        // values at both ends
        A[row][p] = 1.0;
        c[row++] = y[i];
        A[row][p] = 1.0;
        A[row][p + 1] = h;
        A[row][p + 2] = h * h;
        A[row][p + 3] = h * h * h;
        c[row++] = y[i + 1];
        if (i + 2 < N_KNOT) {
            // equal slopes and curvatures at the inner knot
            A[row][p + 1] = 1.0;
            A[row][p + 2] = 2.0 * h;
            A[row][p + 3] = 3.0 * h * h;
            A[row][q + 1] = -1.0;
            c[row++] = 0.0;
            A[row][p + 2] = 2.0;
            A[row][p + 3] = 6.0 * h;
            A[row][q + 2] = -2.0;
            c[row++] = 0.0;
        } else {
            // no curvature at the last knot and at the first
            A[row][p + 2] = 2.0;
            A[row][p + 3] = 6.0 * h;
            c[row++] = 0.0;
            A[row][2] = 2.0;
            c[row++] = 0.0;
        }
    }
    solve_dense(A, c, N_COEFFICIENT);
}

static void test_cubic_against_dense_solution(void** state) {
    (void)state;
    CheckRandom random = check_random(11);
    for (int trial = 0; trial < 20; trial++) {
        double x[N_KNOT];
        double y[N_KNOT];
        double c[N_COEFFICIENT];
        for (int i = 0; i < N_KNOT; i++) {
            x[i] = (i > 0 ? x[i - 1] : -1.0) + check_uniform(&random, 0.3, 1.0);
            y[i] = check_uniform(&random, -1.0, 1.0);
        }
        dense_spline(x, y, c);
        ElvLaw* law = make(ELV_VARIABLE_T, ELV_TABLE_CUBIC, x, y, N_KNOT);
        for (int i = 0; i + 1 < N_KNOT; i++) {
            const double* k = c + 4 * i;
            double u = check_uniform(&random, 0.0, 1.0) * (x[i + 1] - x[i]);
            // curvatures reach 6 y/h^2, about 100, and the dense system loses a few digits
            check_jet(elv_law_eval(law, x[i] + u, 0.0), k[0] + u * (k[1] + u * (k[2] + u * k[3])),
                      k[1] + u * (2.0 * k[2] + u * 3.0 * k[3]), 2.0 * k[2] + 6.0 * k[3] * u, 1e-10);
            CHECK_NEAR(elv_law_value(law, x[i], 0.0), y[i], 0.0);
        }
        elv_law_free(law);
    }
}

// largest error of the spline of sin on [0, pi], whose curvature vanishes at both ends
static double spline_error(int n) {
    double* x = calloc(2 * (size_t)n, sizeof *x);
    CHECK_TRUE(x != NULL);
    double* y = x + n;
    for (int i = 0; i < n; i++) {
        x[i] = 3.14159265358979323846 * i / (n - 1);
        y[i] = sin(x[i]);
    }
    ElvLaw* law = make(ELV_VARIABLE_T, ELV_TABLE_CUBIC, x, y, (size_t)n);
    double worst = 0.0;
    for (double t = 0.0; t < 3.14; t += 0.001) {
        worst = fmax(worst, fabs(elv_law_value(law, t, 0.0) - sin(t)));
    }
    elv_law_free(law);
    free(x);
    return worst;
}

static void test_cubic_converges_with_order_four(void** state) {
    (void)state;
    double order = log2(spline_error(17) / spline_error(33));
    CHECK_NEAR(order, 4.0, 0.15);
}

static void
check_refused(ElvTableKind kind, const double* x, const double* y, size_t n, const char* expected) {
    ElvLaw* law = NULL;
    ElvError error;
    ElvStatus status = elv_law_table(ELV_VARIABLE_T, kind, x, y, n, &law, &error);
    CHECK_TRUE(status == ELV_ERROR_INPUT && law == NULL);
    if (!strstr(error.message, expected)) {
        print_error("'%s' does not contain '%s'\n", error.message, expected);
    }
    CHECK_TRUE(strstr(error.message, expected) != NULL);
    CHECK_TRUE(elv_law_table(ELV_VARIABLE_T, kind, x, y, n, &law, NULL) == ELV_ERROR_INPUT);
}

static void test_refused_input(void** state) {
    (void)state;
    const double x[] = {0.0, 1.0, 1.0, 3.0};
    const double y[] = {0.0, 1.0, 2.0, 3.0};
    const double with_nan[] = {0.0, (double)NAN, 2.0, 3.0};
    const double with_inf[] = {0.0, 1.0, 2.0, (double)INFINITY};
    const double wide[] = {-1.5e308, 0.0, 1.0, 1.5e308};
    const double tight[] = {0.0, 5e-324, 1.0, 2.0};
    check_refused(ELV_TABLE_STEP, x, y, 0, "a step table needs 1 point");
    check_refused(ELV_TABLE_LINEAR, x, y, 1, "a linear table needs 2 points or more, 1 given");
    check_refused(ELV_TABLE_CUBIC, x, y, 1, "a cubic table needs 2 points or more, 1 given");
    check_refused(ELV_TABLE_STEP, x, y, 4, "point 2 of the table has x = 1");
    check_refused(ELV_TABLE_LINEAR, with_nan, y, 4, "point 1 of the table");
    check_refused(ELV_TABLE_LINEAR, y, with_inf, 4, "point 3 of the table");
    check_refused(ELV_TABLE_CUBIC, wide, y, 4, "too wide");
    check_refused(ELV_TABLE_LINEAR, tight, y, 4, "too steep between points 0 and 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step),
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_table_of_s_does_not_move),
        cmocka_unit_test(test_cubic_by_hand),
        cmocka_unit_test(test_cubic_against_dense_solution),
        cmocka_unit_test(test_cubic_converges_with_order_four),
        cmocka_unit_test(test_refused_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
