// SPDX-License-Identifier: Apache-2.0
// Dense Cholesky factorisation A = L L^T, row-major, in place: inner loops are dot products of rows
// with unit stride.
#include "linalg/cholesky.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

static double row_dot(size_t n, const double* a, const double* b) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

int elv_cholesky_factor(int n_row, double* A) {
    size_t n = (size_t)n_row;
    for (size_t i = 0; i < n; i++) {
        double* row = A + i * n;
        for (size_t j = 0; j < i; j++) {
            const double* other = A + j * n;
            row[j] = (row[j] - row_dot(j, row, other)) / other[j];
        }
        double diagonal = row[i];
        double pivot = diagonal - row_dot(i, row, row);
        // a pivot lost to rounding means a singular matrix; NaN fails too
        if (!(pivot > 8.0 * DBL_EPSILON * diagonal)) {
            return (int)i;
        }
        row[i] = sqrt(pivot);
    }
    return -1;
}

void elv_cholesky_solve(int n_row, const double* L, double* b) {
    size_t n = (size_t)n_row;
    for (size_t i = 0; i < n; i++) {
        b[i] = (b[i] - row_dot(i, L + i * n, b)) / L[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        b[i] /= L[i * n + i];
        for (size_t j = 0; j < i; j++) {
            b[j] -= L[i * n + j] * b[i];
        }
    }
}
