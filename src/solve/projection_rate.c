// SPDX-License-Identifier: Apache-2.0
// The projective method [P20 (55)-(58)]. A shape that is damped and held by constraints moves by
//     D q_dot + K q = -Q_c(q) + J^T Lambda,    J q_dot = -k_p Phi                          [P20 (55)]
// with Phi the defects of the constraints: a feedback that closes them at the rate k_p. The rates are a
// particular solution of the constraints and a motion in the kernel H of J, on which Lambda does no work:
//     q_dot = -k_p J^+ Phi + H q_dot_r,                                                    [P20 (56)]
//     q_dot_r = -(H^T D H)^-1 H^T (K q + Q_c - k_p D J^+ Phi).                             [P20 (57)]
// The paper measures the defect of a clamped end by the logarithm Psi of its pose, and lets Psi_dot = -k_p Psi
// (printed without the minus, [P20 (58)]). Here loops measure it by sines and shifts: the same, to first order.
//
// Coordinates are scaled so that D has ones on its diagonal, rows of J so that their largest entry is one.
#include "linalg/cholesky.h"
#include "linalg/min_norm.h"
#include "solve/projection.h"

#include <math.h>
#include <string.h>

/// Pivots below this, rows and columns scaled, are zero.
static const double RANK_TOL = 1e-10;

// scales of coordinates by D; false where nothing damps one
static bool scale_coordinates(ElvProjection* p) {
    size_t n = (size_t)p->n;
    for (size_t k = 0; k < n; k++) {
        double own = p->D[k * n + k];
        if (!(own > 0.0) || !isfinite(own)) {
            return false;
        }
        p->scale[k] = 1.0 / sqrt(own);
    }
    return true;
}

// J, scaled, in a square that is filled up with zeros, and its factors
static bool factor_rows(ElvProjection* p) {
    size_t n = (size_t)p->n;
    size_t size = (size_t)p->n_square;
    double largest = 0.0;
    memset(p->factor, 0, size * size * sizeof *p->factor);
    for (int i = 0; i < p->n_row; i++) {
        p->row_scale[i] = 0.0;
        for (size_t k = 0; k < n; k++) {
            double entry = p->J[(size_t)i * n + k] * p->scale[k];
            p->factor[(size_t)i * size + k] = entry;
            p->row_scale[i] = fmax(p->row_scale[i], fabs(entry));
        }
        largest = fmax(largest, p->row_scale[i]);
    }
    for (int i = 0; i < p->n_row; i++) {
        // a row of rounding errors stays small
        double own = p->row_scale[i];
        p->row_scale[i] = 1.0 / (own > RANK_TOL * largest ? own : largest > 0.0 ? largest : 1.0);
        for (size_t k = 0; k < n; k++) {
            p->factor[(size_t)i * size + k] *= p->row_scale[i];
        }
    }
    p->rank = elv_min_norm_factor(p->n_square, p->factor, p->work, p->column, RANK_TOL, -1);
    return p->rank >= 0;
}

// -k_p J^+ Phi, scaled
static void set_particular(ElvProjection* p, double gain) {
    double* b = p->particular;
    memset(b, 0, (size_t)p->n_square * sizeof *b);
    for (int i = 0; i < p->n_row; i++) {
        b[i] = -gain * p->row_scale[i] * p->defect[i];
    }
    (void)elv_min_norm_solve(p->n_square, p->rank, p->factor, p->work, p->column, b, b, p->vector);
}

// H, a vector in each row; returns how many there are
static int set_kernel(ElvProjection* p) {
    int m = 0;
    for (int i = p->rank; i < p->n_square; i++) {
        // columns that only fill up the square
        if (p->column[i] < p->n) {
            elv_min_norm_kernel(p->n_square, p->rank, p->factor, p->work, p->column, i - p->rank,
                                p->H + (size_t)m * (size_t)p->n_square, p->vector);
            m++;
        }
    }
    return m;
}

// y = D x, scaled
static void apply_damping(const ElvProjection* p, const double* x, double* y) {
    size_t n = (size_t)p->n;
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < n; k++) {
            sum += p->D[i * n + k] * p->scale[k] * x[k];
        }
        y[i] = p->scale[i] * sum;
    }
}

static double dot(int n, const double* a, const double* b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// q_dot_r of m motions; false where nothing damps one
static bool set_reduced(ElvProjection* p, int m) {
    size_t n = (size_t)p->n;
    size_t size = (size_t)p->n_square;
    double* DH = p->DH;
    double* HDH = p->DH + n * n;
    double* force = p->vector;
    apply_damping(p, p->particular, force);
    for (size_t k = 0; k < n; k++) {
        force[k] += p->scale[k] * p->force[k];
    }
    for (int i = 0; i < m; i++) {
        const double* h = p->H + (size_t)i * size;
        apply_damping(p, h, DH + (size_t)i * n);
        for (int k = 0; k <= i; k++) {
            HDH[i * m + k] = dot(p->n, DH + (size_t)i * n, p->H + (size_t)k * size);
        }
        p->reduced[i] = -dot(p->n, h, force);
    }
    if (elv_cholesky_factor(m, HDH) >= 0) {
        return false;
    }
    elv_cholesky_solve(m, HDH, p->reduced);
    return true;
}

// q_dot; false when it is not finite
static bool set_rate(ElvProjection* p, int m) {
    bool is_finite = true;
    memset(p->rate, 0, (size_t)p->model->nv * sizeof *p->rate);
    for (int k = 0; k < p->n; k++) {
        double sum = p->particular[k];
        for (int i = 0; i < m; i++) {
            sum += p->H[(size_t)i * (size_t)p->n_square + (size_t)k] * p->reduced[i];
        }
        p->rate[p->coordinate[k]] = p->scale[k] * sum;
        is_finite = is_finite && isfinite(sum);
    }
    return is_finite;
}

// what of -k_p Phi is not in the range of J
static void set_missed(ElvProjection* p, double gain) {
    p->missed = 0.0;
    for (int i = 0; i < p->n_row; i++) {
        double sum = gain * p->defect[i];
        for (int k = 0; k < p->n; k++) {
            sum += p->J[(size_t)i * (size_t)p->n + (size_t)k] * p->rate[p->coordinate[k]];
        }
        p->missed = fmax(p->missed, fabs(sum));
    }
}

bool elv_projection_rate(ElvProjection* projection,
                         ElvProblem* problem,
                         const double* nu,
                         double gain) {
    elv_projection_see(projection, problem, nu);
    if (!scale_coordinates(projection) || !factor_rows(projection)) {
        return false;
    }
    set_particular(projection, gain);
    int m = set_kernel(projection);
    if (!set_reduced(projection, m) || !set_rate(projection, m)) {
        return false;
    }
    set_missed(projection, gain);
    return true;
}
