// SPDX-License-Identifier: Apache-2.0
// Dense LU factorisation with partial pivoting, row-major: the inner loops run along rows.
#include "linalg/lu.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

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
            for (size_t j = k + 1; j < n; j++) {
                A[i * n + j] -= factor * A[k * n + j];
            }
        }
    }
    return -1;
}

void elv_lu_solve(int n_row, const double* LU, const int* pivot, int n_rhs, double* B) {
    size_t n = (size_t)n_row;
    size_t m = (size_t)n_rhs;
    for (size_t k = 0; k < n; k++) {
        if (pivot[k] != (int)k) {
            swap_rows(m, B + k * m, B + (size_t)pivot[k] * m);
        }
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = k + 1; i < n; i++) {
            double factor = LU[i * n + k];
            for (size_t j = 0; j < m; j++) {
                B[i * m + j] -= factor * B[k * m + j];
            }
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = 0; j < m; j++) {
            B[k * m + j] /= LU[k * n + k];
        }
        for (size_t i = 0; i < k; i++) {
            double factor = LU[i * n + k];
            for (size_t j = 0; j < m; j++) {
                B[i * m + j] -= factor * B[k * m + j];
            }
        }
    }
}
