// SPDX-License-Identifier: Apache-2.0
// Complete orthogonal decomposition by Householder reflections 1 - tau v v^T, v led by a one:
//     S P = Q [R11 R12; 0 0],  [R11 R12] = [T 0] Z,  z = P Z^T [T^-1 (Q^T b)_1; 0]
// with P from column pivoting and T upper triangular (Golub and Van Loan, Matrix Computations, 5.5).
// S is divided by a power of two first, so that squares neither overflow nor vanish. In place: T on and
// above the diagonal of the first columns, the vectors of Q below it, those of Z to its right.
#include "linalg/min_norm.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// where things are in the workspace
typedef struct {
    double* pivot;    // |R_kk|                       (n)
    double* tau_q;    // of the reflections in Q      (n)
    double* tau_z;    // of the reflections in Z      (n)
    double* row;      // scratch: sums over rows      (n)
    double* exponent; // of the power of two taken out of S (1)
} Parts;

static Parts parts_of(int n, double* work) {
    return (Parts){work, work + n, work + 2 * n, work + 3 * n, work + 4 * n};
}

// divide S by the power of two next to its largest number; false when one is not finite
static bool take_scale(size_t n, double* S, double* taken) {
    double most = 0.0;
    for (size_t i = 0; i < n * n; i++) {
        if (!isfinite(S[i])) {
            return false;
        }
        most = fmax(most, fabs(S[i]));
    }
    int exponent = 0;
    (void)frexp(most, &exponent);
    for (size_t i = 0; i < n * n; i++) {
        S[i] = ldexp(S[i], -exponent);
    }
    *taken = exponent;
    return true;
}

// reflection that takes (alpha, x) of norm `norm` to (beta, 0): v = (1, x / divisor)
static double reflect(double* alpha, double norm, double* divisor) {
    double beta = *alpha > 0.0 ? -norm : norm;
    double tau = (beta - *alpha) / beta;
    *divisor = *alpha - beta;
    *alpha = beta;
    return tau;
}

// squares of what is left of the columns, from row k on; returns the longest one
static size_t longest_column(size_t n, size_t k, const double* S, double* square) {
    for (size_t j = k; j < n; j++) {
        square[j] = 0.0;
    }
    for (size_t i = k; i < n; i++) {
        for (size_t j = k; j < n; j++) {
            square[j] += S[i * n + j] * S[i * n + j];
        }
    }
    size_t best = k;
    for (size_t j = k + 1; j < n; j++) {
        best = square[j] > square[best] ? j : best;
    }
    return best;
}

static void swap_columns(size_t n, size_t a, size_t b, double* S, int* column) {
    for (size_t i = 0; i < n; i++) {
        double t = S[i * n + a];
        S[i * n + a] = S[i * n + b];
        S[i * n + b] = t;
    }
    int t = column[a];
    column[a] = column[b];
    column[b] = t;
}

// column k of Q and R: reflect what is below the diagonal to zero, in all columns to the right
static double eliminate_column(size_t n, size_t k, double norm, double* S, double* row) {
    double divisor = 1.0;
    double tau = reflect(&S[k * n + k], norm, &divisor);
    for (size_t j = k + 1; j < n; j++) {
        row[j] = S[k * n + j];
    }
    // row = v^T S
    for (size_t i = k + 1; i < n; i++) {
        S[i * n + k] /= divisor;
        for (size_t j = k + 1; j < n; j++) {
            row[j] += S[i * n + k] * S[i * n + j];
        }
    }
    // S -= tau v row
    for (size_t i = k; i < n; i++) {
        double factor = tau * (i == k ? 1.0 : S[i * n + k]);
        for (size_t j = k + 1; j < n; j++) {
            S[i * n + j] -= factor * row[j];
        }
    }
    return tau;
}

// row k of T and Z: reflect R12 to zero, in all rows above
static double eliminate_row(size_t n, size_t k, size_t rank, double* S) {
    double* v = S + k * n;
    double divisor = 1.0;
    double square = v[k] * v[k];
    for (size_t j = rank; j < n; j++) {
        square += v[j] * v[j];
    }
    double tau = reflect(&v[k], sqrt(square), &divisor);
    for (size_t j = rank; j < n; j++) {
        v[j] /= divisor;
    }
    for (size_t i = 0; i < k; i++) {
        double* row = S + i * n;
        double sum = row[k];
        for (size_t j = rank; j < n; j++) {
            sum += row[j] * v[j];
        }
        row[k] -= tau * sum;
        for (size_t j = rank; j < n; j++) {
            row[j] -= tau * sum * v[j];
        }
    }
    return tau;
}

int elv_min_norm_factor(int n, double* S, double* work, int* column, double tol, int rank) {
    size_t size = (size_t)n;
    Parts p = parts_of(n, work);
    if (!take_scale(size, S, p.exponent)) {
        return -1;
    }
    for (int j = 0; j < n; j++) {
        column[j] = j;
    }
    // S P = Q R, as far as there are pivots
    int end = rank >= 0 && rank < n ? rank : n;
    int k = 0;
    for (; k < n; k++) {
        size_t best = longest_column(size, (size_t)k, S, p.row);
        p.pivot[k] = sqrt(p.row[best]);
        double least = rank >= 0 ? 0.0 : tol * p.pivot[0];
        if (k >= end || !(p.pivot[k] > least)) {
            break;
        }
        if (best != (size_t)k) {
            swap_columns(size, (size_t)k, best, S, column);
        }
        p.tau_q[k] = eliminate_column(size, (size_t)k, p.pivot[k], S, p.row);
    }
    // [R11 R12] = [T 0] Z, from the last row up
    for (int i = k - 1; i >= 0 && k < n; i--) {
        p.tau_z[i] = eliminate_row(size, (size_t)i, (size_t)k, S);
    }
    // pivots as S has them
    for (int i = 0; i < n && i <= k; i++) {
        p.pivot[i] = ldexp(p.pivot[i], (int)*p.exponent);
    }
    return k;
}

// c = Q^T c
static void apply_q(size_t n, size_t rank, const double* S, const double* tau, double* c) {
    for (size_t k = 0; k < rank; k++) {
        double sum = c[k];
        for (size_t i = k + 1; i < n; i++) {
            sum += S[i * n + k] * c[i];
        }
        c[k] -= tau[k] * sum;
        for (size_t i = k + 1; i < n; i++) {
            c[i] -= tau[k] * sum * S[i * n + k];
        }
    }
}

// c = Z^T c
static void apply_z(size_t n, size_t rank, const double* S, const double* tau, double* c) {
    for (size_t k = 0; k < rank && rank < n; k++) {
        const double* v = S + k * n;
        double sum = c[k];
        for (size_t j = rank; j < n; j++) {
            sum += v[j] * c[j];
        }
        c[k] -= tau[k] * sum;
        for (size_t j = rank; j < n; j++) {
            c[j] -= tau[k] * sum * v[j];
        }
    }
}

double elv_min_norm_solve(int n,
                          int rank,
                          const double* S,
                          const double* work,
                          const int* column,
                          const double* b,
                          double* z,
                          double* scratch) {
    size_t size = (size_t)n;
    size_t r = (size_t)rank;
    double* c = scratch;
    for (size_t i = 0; i < size; i++) {
        c[i] = b[i];
    }
    apply_q(size, r, S, work + n, c);
    // below the rank stands what no z reaches
    double missed = 0.0;
    for (size_t i = r; i < size; i++) {
        missed = hypot(missed, c[i]);
        c[i] = 0.0;
    }
    // T y = c
    for (size_t i = r; i-- > 0;) {
        for (size_t j = i + 1; j < r; j++) {
            c[i] -= S[i * size + j] * c[j];
        }
        c[i] /= S[i * size + i];
    }
    apply_z(size, r, S, work + 2 * size, c);
    for (size_t j = 0; j < size; j++) {
        z[column[j]] = ldexp(c[j], -(int)work[4 * size]);
    }
    return missed;
}

void elv_min_norm_kernel(int n,
                         int rank,
                         const double* S,
                         const double* work,
                         const int* column,
                         int i,
                         double* z,
                         double* scratch) {
    size_t size = (size_t)n;
    double* c = scratch;
    for (size_t j = 0; j < size; j++) {
        c[j] = j == (size_t)rank + (size_t)i ? 1.0 : 0.0;
    }
    apply_z(size, (size_t)rank, S, work + 2 * size, c);
    for (size_t j = 0; j < size; j++) {
        z[column[j]] = c[j];
    }
}
