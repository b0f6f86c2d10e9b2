// SPDX-License-Identifier: Apache-2.0
// The method of Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23): columns enter one by one, that
// of the steepest descent first; where the solution on the columns in use has numbers below zero, it is
// approached as far as the first one that vanishes, whose column leaves again.
#include "linalg/nnls.h"

#include <float.h>
#include <math.h>
#include <string.h>

// descent that counts as none, beside |b| and the length of the column; a new direction that counts as an old one
static const double NO_DESCENT = 1e-13;
static const double NO_DIRECTION = 1e-12;

void elv_nnls_start(ElvNnls* nnls, int n, double* room, int* used, bool* is_used) {
    int square = (n + 1) * (n + 1);
    nnls->n = n;
    nnls->R = room;
    nnls->Q = room + square;
    nnls->z = room + 2 * square;
    nnls->slope = nnls->z + n;
    nnls->used = used;
    nnls->is_used = is_used;
    memset(room, 0, (size_t)elv_nnls_size(n) * sizeof *room);
}

// turn rows x and y, of which columns from ... to - 1 count, so that y[from] vanishes
static void rotate(int from, int to, double* x, double* y) {
    double r = hypot(x[from], y[from]);
    if (r == 0.0) {
        return;
    }
    double c = x[from] / r;
    double s = y[from] / r;
    for (int j = from; j < to; j++) {
        double a = x[j];
        x[j] = c * a + s * y[j];
        y[j] = c * y[j] - s * a;
    }
    y[from] = 0.0;
}

void elv_nnls_add(ElvNnls* nnls, double* row) {
    int m = nnls->n + 1;
    for (int i = 0; i < m; i++) {
        rotate(i, m, nnls->R + i * m, row);
    }
}

// least squares on the n_used columns in use: z, in their order; false: the last one repeats the others
static bool solve_used(ElvNnls* nnls, int n_used) {
    int m = nnls->n + 1;
    double* Q = nnls->Q;
    // rows of the triangle with the columns in use and b
    double length = 0.0;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n_used; j++) {
            Q[i * m + j] = nnls->R[i * m + nnls->used[j]];
        }
        Q[i * m + n_used] = nnls->R[i * m + nnls->n];
        length = hypot(length, Q[i * m + n_used - 1]);
    }
    for (int j = 0; j < n_used; j++) {
        for (int i = j + 1; i < m; i++) {
            rotate(j, n_used + 1, Q + j * m, Q + i * m);
        }
    }
    if (!(fabs(Q[(n_used - 1) * (m + 1)]) > NO_DIRECTION * length)) {
        return false;
    }
    for (int i = n_used - 1; i >= 0; i--) {
        double sum = Q[i * m + n_used];
        for (int j = i + 1; j < n_used; j++) {
            sum -= Q[i * m + j] * nnls->z[j];
        }
        nnls->z[i] = sum / Q[i * m + i];
    }
    return true;
}

// b - A x in the rows of the triangle, into the last column of Q; returns its length
static double residual(const ElvNnls* nnls, const double* x) {
    int m = nnls->n + 1;
    double length = 0.0;
    for (int i = 0; i < m; i++) {
        double r = nnls->R[i * m + nnls->n];
        for (int j = i; j < nnls->n; j++) {
            r -= nnls->R[i * m + j] * x[j];
        }
        nnls->Q[i * m + nnls->n] = r;
        length = hypot(length, r);
    }
    return length;
}

// descent along each column, per unit of its length; after residual
static void find_slopes(const ElvNnls* nnls) {
    int m = nnls->n + 1;
    for (int j = 0; j < nnls->n; j++) {
        double length = 0.0;
        double slope = 0.0;
        for (int i = 0; i <= j; i++) {
            length = hypot(length, nnls->R[i * m + j]);
            slope += nnls->R[i * m + j] * nnls->Q[i * m + nnls->n];
        }
        nnls->slope[j] = length > 0.0 ? slope / length : 0.0;
    }
}

// go towards z until a number vanishes, and take the columns that did out of use; returns how many stay
static int back_off(ElvNnls* nnls, int n_used, double* x) {
    double share = 1.0;
    int first = -1;
    for (int k = 0; k < n_used; k++) {
        double from = x[nnls->used[k]];
        double reach = from / (from - nnls->z[k]);
        if (nnls->z[k] <= 0.0 && (first < 0 || reach < share)) {
            share = reach;
            first = k;
        }
    }
    int n_left = 0;
    for (int k = 0; k < n_used; k++) {
        int j = nnls->used[k];
        x[j] += share * (nnls->z[k] - x[j]);
        if (k == first || x[j] <= 0.0) {
            x[j] = 0.0;
            nnls->is_used[j] = false;
        } else {
            nnls->used[n_left++] = j;
        }
    }
    return n_left;
}

static bool is_positive(const ElvNnls* nnls, int n_used) {
    for (int k = 0; k < n_used; k++) {
        if (!(nnls->z[k] > 0.0)) {
            return false;
        }
    }
    return true;
}

// bring in the steepest column that leads anywhere; false: there is none
static bool enter(ElvNnls* nnls, int* n_used, double size) {
    for (;;) {
        int best = -1;
        for (int j = 0; j < nnls->n; j++) {
            bool is_better = best < 0 || nnls->slope[j] > nnls->slope[best];
            if (!nnls->is_used[j] && nnls->slope[j] > NO_DESCENT * size && is_better) {
                best = j;
            }
        }
        if (best < 0) {
            return false;
        }
        nnls->used[*n_used] = best;
        if (solve_used(nnls, *n_used + 1) && nnls->z[*n_used] > 0.0) {
            nnls->is_used[best] = true;
            ++*n_used;
            return true;
        }
        nnls->slope[best] = 0.0;
    }
}

double elv_nnls_solve(ElvNnls* nnls, double* x) {
    int n_used = 0;
    memset(x, 0, (size_t)nnls->n * sizeof *x);
    memset(nnls->is_used, 0, (size_t)nnls->n * sizeof *nnls->is_used);
    double size = residual(nnls, x);
    double left = size;
    // no set of columns comes twice: the bound is against rounding alone
    for (int round = 0; round < 10 * (nnls->n + 1); round++) {
        left = residual(nnls, x);
        find_slopes(nnls);
        if (!enter(nnls, &n_used, size)) {
            break;
        }
        bool is_solved = true;
        while (is_solved && !is_positive(nnls, n_used)) {
            n_used = back_off(nnls, n_used, x);
            is_solved = n_used > 0 && solve_used(nnls, n_used);
        }
        // where rounding leaves no solution, what backing off has made of x is good enough
        for (int k = 0; k < n_used && is_solved; k++) {
            x[nnls->used[k]] = nnls->z[k];
        }
    }
    return left;
}
