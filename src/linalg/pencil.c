// SPDX-License-Identifier: Apache-2.0
// K x = value M x by the inverse problem M x = mu (K + shift M) x, value = 1/mu - shift. Rounding errs by
// a fraction of the largest mu, that is of the eigenvalues next to the shift: with a shift as large as the
// first eigenvalue that is not zero, those at zero are found far below it, and a mass matrix without mass
// in some direction does no harm. The first shift is a Rayleigh quotient of some coordinate; what it finds
// gives the next. The shift grows until K + shift M is positive definite. An eigenvalue no larger than what
// the rounding of K alone may cause, eps |x|^T |K| |x|, is taken for zero.
#include "linalg/pencil.h"

#include "linalg/eigen.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Eigenvalues below this fraction of the shift are taken for zero.
static const double ZERO = 1e-10;

/// Eigenvalues and Rayleigh quotients below this fraction of the largest quotient are rounding.
static const double NOTHING = 1e-18;

/// mu below this fraction of the largest: no mass.
static const double MASSLESS = 1e-14;

/// Units of rounding that the entries of K may err by.
static const double ROUNDING = 16.0 * DBL_EPSILON;

// no more growth than rounding of M allows: what has no mass has none
enum { MAX_PASS = 6, MAX_GROWTH = 14 };

bool elv_pencil_create(int n, ElvPencil* pencil) {
    size_t size = (size_t)n;
    memset(pencil, 0, sizeof *pencil);
    pencil->n = n;
    pencil->value = calloc(2 * size * size + 3 * size + 1, sizeof *pencil->value);
    if (!pencil->value) {
        return false;
    }
    pencil->size = pencil->value + size;
    pencil->noise = pencil->size + size;
    pencil->vector = pencil->noise + size;
    pencil->B = pencil->vector + size * size;
    return true;
}

void elv_pencil_free(ElvPencil* pencil) {
    free(pencil->value);
    memset(pencil, 0, sizeof *pencil);
}

// Rayleigh quotient of a single coordinate
static double quotient_of(size_t n, const double* K, const double* M, size_t i) {
    double mass = M[i * n + i];
    return mass > 0.0 ? K[i * n + i] / mass : 0.0;
}

static double largest_quotient(size_t n, const double* K, const double* M) {
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(quotient_of(n, K, M, i)));
    }
    return largest;
}

// smallest positive Rayleigh quotient of a single coordinate, but for rounding; the largest of any sign if
// there is none
static double first_shift(size_t n, const double* K, const double* M) {
    double shift = INFINITY;
    double largest = largest_quotient(n, K, M);
    for (size_t i = 0; i < n; i++) {
        double quotient = quotient_of(n, K, M, i);
        shift = quotient > NOTHING * largest ? fmin(shift, quotient) : shift;
    }
    return isfinite(shift) ? shift : largest > 0.0 ? largest : 1.0;
}

// all mu and their vectors for one shift; false where K + shift M is not positive definite
static bool solve_shifted(ElvPencil* pencil, const double* K, const double* M, double shift) {
    size_t n = (size_t)pencil->n;
    for (size_t i = 0; i < n; i++) {
        double entry = K[i * n + i] + shift * M[i * n + i];
        if (!(entry > 0.0)) {
            return false;
        }
        pencil->size[i] = 1.0 / sqrt(entry);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            double unit = pencil->size[i] * pencil->size[k];
            pencil->vector[i * n + k] = unit * M[i * n + k];
            pencil->B[i * n + k] = unit * (K[i * n + k] + shift * M[i * n + k]);
        }
    }
    return elv_eigen_definite(pencil->n, pencil->vector, pencil->B, pencil->value);
}

// from mu ascending to eigenvalues ascending, vectors in coordinates of unit mass
static void turn_back(ElvPencil* pencil, double shift) {
    size_t n = (size_t)pencil->n;
    double largest = n > 0 ? pencil->value[n - 1] : 0.0;
    memcpy(pencil->B, pencil->vector, n * n * sizeof *pencil->B);
    size_t n_finite = 0;
    for (size_t i = n; i > 0 && pencil->value[i - 1] > MASSLESS * largest; i--) {
        double unit = 1.0 / sqrt(pencil->value[i - 1]);
        for (size_t k = 0; k < n; k++) {
            pencil->vector[n_finite * n + k] = unit * pencil->size[k] * pencil->B[(i - 1) * n + k];
        }
        n_finite++;
    }
    for (size_t i = 0; i < n_finite; i++) {
        // scratch in B: values are reversed in place
        pencil->B[i] = 1.0 / pencil->value[n - 1 - i] - shift;
    }
    memcpy(pencil->value, pencil->B, n_finite * sizeof *pencil->value);
    pencil->n_finite = (int)n_finite;
}

static void find_noise(ElvPencil* pencil, const double* K) {
    size_t n = (size_t)pencil->n;
    for (size_t m = 0; m < (size_t)pencil->n_finite; m++) {
        const double* x = pencil->vector + m * n;
        double sum = 0.0;
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++) {
                sum += fabs(x[i] * K[i * n + k] * x[k]);
            }
        }
        pencil->noise[m] = ROUNDING * sum;
    }
}

// size of the smallest eigenvalue that is not zero, as those below nothing are; the shift itself if all are
static double smallest_elastic(const ElvPencil* pencil, double shift, double nothing) {
    double smallest = INFINITY;
    for (int i = 0; i < pencil->n_finite; i++) {
        double size = fabs(pencil->value[i]);
        bool is_zero = size <= fmax(fmax(ZERO * shift, nothing), pencil->noise[i]);
        smallest = is_zero ? smallest : fmin(smallest, size);
    }
    return isfinite(smallest) ? smallest : shift;
}

bool elv_pencil_solve(ElvPencil* pencil, const double* K, const double* M) {
    size_t n = (size_t)pencil->n;
    double shift = first_shift(n, K, M);
    double nothing = NOTHING * largest_quotient(n, K, M);
    pencil->n_finite = 0;
    for (int pass = 0; pass < MAX_PASS; pass++) {
        bool is_done = solve_shifted(pencil, K, M, shift);
        for (int i = 0; i < MAX_GROWTH && !is_done; i++) {
            shift *= 8.0;
            is_done = isfinite(shift) && solve_shifted(pencil, K, M, shift);
        }
        if (!is_done) {
            pencil->n_finite = 0;
            return false;
        }
        turn_back(pencil, shift);
        find_noise(pencil, K);
        pencil->scale = smallest_elastic(pencil, shift, nothing);
        double lowest = pencil->n_finite > 0 ? pencil->value[0] : 0.0;
        double next = fmax(pencil->scale, -2.0 * lowest);
        if (next > 0.1 * shift && next < 10.0 * shift) {
            break;
        }
        shift = next;
    }
    return true;
}

double elv_pencil_error(const ElvPencil* pencil, int i, double fraction) {
    return fraction / ROUNDING * pencil->noise[i];
}

double elv_pencil_smallest(ElvPencil* pencil, const double* K, const double* M) {
    size_t n = (size_t)pencil->n;
    if (elv_pencil_solve(pencil, K, M) && pencil->n_finite > 0) {
        return pencil->value[0];
    }
    memcpy(pencil->vector, K, n * n * sizeof *K);
    return n > 0 && elv_eigen_symmetric(pencil->n, pencil->vector, pencil->value) ? pencil->value[0]
                                                                                  : NAN;
}
