// SPDX-License-Identifier: Apache-2.0
// Modes with damping, or without potential: (lambda^2 M + lambda D + K) x = 0 as a problem of first order
// in (x, lambda x), solved about a shift. With time in units of 1/shift, Q = K + D + M and
//     T = [-Q^-1 (D + M), -Q^-1 M; I - Q^-1 (D + M), -Q^-1 M]
// has the eigenvalues 1/(lambda - 1), so that rounding does not spoil the small lambda, and directions
// without mass only give lambda = infinity. Rigid modes are then the null vectors of K: lambda = 0 is a
// double eigenvalue with one vector, which rounding splits.
// What controllers remember joins as further coordinates z without mass, lambda z = C x + lambda C_w x + E z.
#include "solve/modes.h"

#include "linalg/eigen.h"
#include "linalg/lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Singular values of K, scaled, below this are zero.
static const double NULL_SPACE = 1e-11;

/// A vector whose coordinates are below this share of what is remembered does not move.
static const double STILL = 1e-10;

/// The problem of first order.
typedef struct {
    int n;
    double shift;    // 1/s
    double* size;    // unit of each coordinate                      (n)
    double *K, *DM;  // K, and D + M                                 (n x n)
    double* M;       //                                              (n x n)
    double* T;       //                                              (2n x 2n)
    double* vector;  //                                              (2n x 2n)
    double *re, *im; // eigenvalues of T, then lambda / shift       (2n)
    int* pivot;      //                                             (n)
} FirstOrder;

static bool open_first_order(int n, FirstOrder* p) {
    size_t size = (size_t)n;
    memset(p, 0, sizeof *p);
    p->n = n;
    p->pivot = calloc(size + 1, sizeof *p->pivot);
    p->size = calloc(5 * size + 11 * size * size + 1, sizeof *p->size);
    if (!p->pivot || !p->size) {
        return false;
    }
    p->re = p->size + size;
    p->im = p->re + 2 * size;
    p->K = p->im + 2 * size;
    p->DM = p->K + size * size;
    p->M = p->DM + size * size;
    p->T = p->M + size * size;
    p->vector = p->T + 4 * size * size;
    return true;
}

static void close_first_order(FirstOrder* p) {
    free(p->pivot);
    free(p->size);
}

/// Entries of K, D and M.
typedef struct {
    double K, D, M;
} Entry;

// entry (i, k) of the matrices with what is remembered behind the coordinates
static Entry entry_of(const ElvMatrices* matrices, size_t i, size_t k) {
    size_t n = (size_t)matrices->n;
    const ElvBorder* border = &matrices->border;
    size_t nz = (size_t)border->nz;
    Entry entry = {0.0, 0.0, 0.0};
    if (i < n && k < n) {
        entry = (Entry){matrices->K[i * n + k], matrices->D[i * n + k], matrices->M[i * n + k]};
    } else if (i < n) {
        entry.K = border->B[i * nz + (size_t)border->own[k - n]];
    } else if (k < n) {
        size_t own = (size_t)border->own[i - n];
        entry.K = -border->C[own * n + k];
        entry.D = -border->C_w[own * n + k];
    } else {
        entry.K = -border->E[(size_t)border->own[i - n] * nz + (size_t)border->own[k - n]];
        entry.D = i == k ? 1.0 : 0.0;
    }
    return entry;
}

// coordinates and time in units of their own
static void scale_problem(const ElvMatrices* matrices, FirstOrder* p) {
    size_t n = (size_t)p->n;
    double s = p->shift;
    for (size_t i = 0; i < n; i++) {
        Entry own = entry_of(matrices, i, i);
        double entry = fabs(own.K) + s * fabs(own.D) + s * s * fabs(own.M);
        p->size[i] = entry > 0.0 ? 1.0 / sqrt(entry) : 1.0;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            size_t at = i * n + k;
            Entry entry = entry_of(matrices, i, k);
            double unit = p->size[i] * p->size[k];
            p->K[at] = unit * entry.K;
            p->M[at] = unit * s * s * entry.M;
            p->DM[at] = unit * s * entry.D + p->M[at];
        }
    }
}

// eigenvalues in units of the shift; infinite ones for directions without mass
static bool solve_first_order(const ElvMatrices* matrices, FirstOrder* p) {
    size_t n = (size_t)p->n;
    scale_problem(matrices, p);
    // Q in the first rows of vector, Q^-1 [D + M, M] in the others
    double* Q = p->vector;
    double* X = p->vector + n * n;
    for (size_t i = 0; i < n * n; i++) {
        Q[i] = p->K[i] + p->DM[i];
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(X + i * 2 * n, p->DM + i * n, n * sizeof *X);
        memcpy(X + i * 2 * n + n, p->M + i * n, n * sizeof *X);
    }
    if (elv_lu_factor(p->n, Q, p->pivot) >= 0) {
        return false;
    }
    elv_lu_solve(p->n, Q, p->pivot, 2 * p->n, X);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 2 * n; k++) {
            double entry = -X[i * 2 * n + k];
            p->T[i * 2 * n + k] = entry;
            p->T[(n + i) * 2 * n + k] = entry + (i == k ? 1.0 : 0.0);
        }
    }
    if (!elv_eigen_general(2 * p->n, p->T, p->re, p->im, p->vector)) {
        return false;
    }
    for (size_t i = 0; i < 2 * n; i++) {
        double square = p->re[i] * p->re[i] + p->im[i] * p->im[i];
        bool is_finite = sqrt(square) > 1e-13;
        p->re[i] = is_finite ? 1.0 + p->re[i] / square : INFINITY;
        p->im[i] = is_finite ? -p->im[i] / square : 0.0;
    }
    return true;
}

static bool is_zero(const FirstOrder* p, int i) {
    return hypot(p->re[i], p->im[i]) <= 1e-5;
}

// smallest |lambda| that is not zero, in units of the shift
static double smallest_other(const FirstOrder* p) {
    double smallest = INFINITY;
    for (int i = 0; i < 2 * p->n; i++) {
        double size = hypot(p->re[i], p->im[i]);
        smallest = is_zero(p, i) ? smallest : fmin(smallest, size);
    }
    return smallest;
}

// a frequency of the right order to begin with: the lowest of single coordinates, but for rounding
static double first_shift(const ElvMatrices* matrices) {
    size_t n = (size_t)matrices->n;
    double highest = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        double lowest = INFINITY;
        for (size_t i = 0; i < n; i++) {
            double K = fabs(matrices->K[i * n + i]);
            double M = fabs(matrices->M[i * n + i]);
            double square = M > 0.0 ? K / M : 0.0;
            highest = fmax(highest, square);
            lowest = pass > 0 && square > 1e-20 * highest ? fmin(lowest, square) : lowest;
        }
        if (pass > 0 && isfinite(lowest)) {
            return sqrt(lowest);
        }
    }
    return 1.0;
}

static bool find_eigenvalues(const ElvMatrices* matrices, FirstOrder* p) {
    p->shift = first_shift(matrices);
    for (int pass = 0; pass < 6; pass++) {
        bool is_solved = solve_first_order(matrices, p);
        // the shift may be an eigenvalue itself
        for (int i = 0; i < 4 && !is_solved; i++) {
            p->shift *= 1.37;
            is_solved = solve_first_order(matrices, p);
        }
        double smallest = is_solved ? smallest_other(p) : 1.0;
        if (!is_solved) {
            return false;
        }
        if (!isfinite(smallest) || (smallest > 0.1 && smallest < 10.0)) {
            break;
        }
        p->shift *= smallest;
    }
    return true;
}

// whether a vector (in the units of the problem) moves anything: what is remembered may change alone
static bool
has_motion(const ElvMatrices* matrices, const FirstOrder* p, const double* x, const double* y) {
    double moving = 0.0;
    double largest = 0.0;
    for (int k = 0; k < p->n; k++) {
        double size = hypot(x[k], y ? y[k] : 0.0);
        largest = fmax(largest, size);
        moving = k < matrices->n ? largest : moving;
    }
    return moving > STILL * largest;
}

// the null vectors of K; returns their number, or -1
static int put_rigid(const ElvMatrices* matrices, FirstOrder* p, ElvModes* modes) {
    int n = p->n;
    int n_rigid = 0;
    // T and DM are free by now: values in size of T
    double* value = p->T;
    double* vector = p->DM;
    double* x = p->T + n;
    double* y = p->T + 2 * (size_t)n;
    if (!elv_eigen_singular(n, p->K, value, vector)) {
        return -1;
    }
    for (int i = n - 1; i >= 0 && value[i] <= NULL_SPACE; i--, n_rigid++) {
        if (!has_motion(matrices, p, vector + (size_t)i * (size_t)n, NULL)) {
            continue;
        }
        for (int k = 0; k < n; k++) {
            x[k] = p->size[k] * vector[(size_t)i * (size_t)n + (size_t)k];
            y[k] = 0.0;
        }
        elv_modes_put(matrices, modes, 0.0, 0.0, x, y);
        modes->mode[modes->n_mode - 1].is_rigid = true;
    }
    return n_rigid;
}

static void put_others(const ElvMatrices* matrices, FirstOrder* p, int n_rigid, ElvModes* modes) {
    size_t n = (size_t)p->n;
    double* x = p->T;
    double* y = p->T + n;
    for (size_t i = 0; i < 2 * n; i++) {
        // lambda - 1 is the inverse of what was solved: the pair comes with the other sign first
        bool is_pair = p->im[i] != 0.0;
        size_t second = is_pair ? i + 1 : i;
        const double* vector = p->vector + i * 2 * n;
        bool is_left_out = !isfinite(p->re[i]) || (n_rigid > 0 && is_zero(p, (int)i)) ||
                           !has_motion(matrices, p, vector, is_pair ? vector + 2 * n : NULL);
        for (size_t k = 0; k < n && !is_left_out; k++) {
            x[k] = p->size[k] * vector[k];
            y[k] = is_pair ? -p->size[k] * vector[2 * n + k] : 0.0;
        }
        if (!is_left_out) {
            elv_modes_put(matrices, modes, p->shift * p->re[i], p->shift * fabs(p->im[i]), x, y);
        }
        i = second;
    }
}

ElvStatus elv_modes_damped(const ElvMatrices* matrices, ElvModes* modes, ElvError* error) {
    FirstOrder p;
    if (!open_first_order(matrices->n + matrices->border.n_own, &p)) {
        close_first_order(&p);
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    bool is_solved = find_eigenvalues(matrices, &p);
    int n_rigid = is_solved ? put_rigid(matrices, &p, modes) : -1;
    if (n_rigid >= 0) {
        put_others(matrices, &p, n_rigid, modes);
    }
    close_first_order(&p);
    modes->is_damped = true;
    if (n_rigid < 0) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                             "the eigenvalues of the linearised motion were not found: is there a "
                             "direction without mass, damping and stiffness?");
    }
    return ELV_OK;
}
