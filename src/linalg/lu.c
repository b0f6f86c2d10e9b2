// SPDX-License-Identifier: Apache-2.0
// Dense LU factorisation with partial pivoting, row-major: the inner loops run along rows, of the matrix in
// the factorisation, of the right-hand sides in the solution.
#include "linalg/lu.h"

#include "base/real4.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

// y -= factor x
ELV_INLINE void subtract_scaled(size_t n, double factor, const double* x, double* y) {
    size_t j = 0;
    for (; j + 4 <= n; j += 4) {
        elv_real4_store(y + j, elv_real4_load(y + j) - factor * elv_real4_load(x + j));
    }
    // at most three are left, which the compiler must not take for many
    if (n % 4 >= 2) {
        y[j] -= factor * x[j];
        y[j + 1] -= factor * x[j + 1];
        j += 2;
    }
    if (n % 2 == 1) {
        y[j] -= factor * x[j];
    }
}

static void swap_rows(size_t m, double* a, double* b) {
    for (size_t j = 0; j < m; j++) {
        double t = a[j];
        a[j] = b[j];
        b[j] = t;
    }
}

static int find_pivot(size_t n, size_t k, const double* A) {
    size_t best = k;
    for (size_t i = k + 1; i < n; i++) {
        if (fabs(A[i * n + k]) > fabs(A[best * n + k])) {
            best = i;
        }
    }
    return (int)best;
}

ELV_VECTOR_CLONES
int elv_lu_factor(int n_row, double* A, int* pivot) {
    size_t n = (size_t)n_row;
    for (size_t k = 0; k < n; k++) {
        int best = find_pivot(n, k, A);
        pivot[k] = best;
        if (best != (int)k) {
            swap_rows(n, A + k * n, A + (size_t)best * n);
        }
        // the pivot must stand above the rounding of what was subtracted from it; NaN fails too
        double subtracted = 0.0;
        for (size_t i = 0; i < k; i++) {
            subtracted += fabs(A[k * n + i] * A[i * n + k]);
        }
        double diagonal = A[k * n + k];
        double rounding = (double)n * DBL_EPSILON * subtracted;
        if (!(fabs(diagonal) > rounding) || !isfinite(diagonal)) {
            return (int)k;
        }
        for (size_t i = k + 1; i < n; i++) {
            double factor = A[i * n + k] / diagonal;
            A[i * n + k] = factor;
            subtract_scaled(n - k - 1, factor, A + k * n + k + 1, A + i * n + k + 1);
        }
    }
    return -1;
}

// forward and back substitution for `width` columns of B (8, 4 or 1), a row of them in registers
ELV_INLINE void substitute(size_t n, size_t m, size_t width, const double* LU, double* B) {
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t count = 0; count < n; count++) {
            // from the first row to the last, then back
            size_t i = pass == 0 ? count : n - 1 - count;
            size_t first = pass == 0 ? 0 : i + 1;
            size_t last = pass == 0 ? i : n;
            double* row = B + i * m;
            double divisor = pass == 0 ? 1.0 : LU[i * n + i];
            ElvReal4 sum[2];
            double single = row[0];
            for (size_t v = 0; v < width / 4; v++) {
                sum[v] = elv_real4_load(row + 4 * v);
            }
            for (size_t k = first; k < last; k++) {
                double factor = LU[i * n + k];
                single -= width == 1 ? factor * B[k * m] : 0.0;
                for (size_t v = 0; v < width / 4; v++) {
                    sum[v] -= factor * elv_real4_load(B + k * m + 4 * v);
                }
            }
            for (size_t v = 0; v < width / 4; v++) {
                elv_real4_store(row + 4 * v, sum[v] / divisor);
            }
            if (width == 1) {
                row[0] = single / divisor;
            }
        }
    }
}

ELV_VECTOR_CLONES
void elv_lu_solve(int n_row, const double* LU, const int* pivot, int n_rhs, double* B) {
    size_t n = (size_t)n_row;
    size_t m = (size_t)n_rhs;
    for (size_t k = 0; k < n; k++) {
        if (pivot[k] != (int)k) {
            swap_rows(m, B + k * m, B + (size_t)pivot[k] * m);
        }
    }
    size_t j = 0;
    for (; j + 8 <= m; j += 8) {
        substitute(n, m, 8, LU, B + j);
    }
    for (; j + 4 <= m; j += 4) {
        substitute(n, m, 4, LU, B + j);
    }
    for (; j < m; j++) {
        substitute(n, m, 1, LU, B + j);
    }
}
