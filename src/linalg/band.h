// SPDX-License-Identifier: Apache-2.0
// Band matrices: entry (i, j) is kept for i - below <= j <= i + above; LU with partial pivoting in place.
#ifndef ELVER_LINALG_BAND_H
#define ELVER_LINALG_BAND_H

#include <stddef.h>

/// Row i of the store holds columns i - below ... i + above + below: the last ones are room for the factors. Behind all
/// rows is room for the columns of the lower factor.
typedef struct {
    int n, below, above;
    double* a; // (elv_band_size)
} ElvBand;

/// Numbers in the store of a matrix.
size_t elv_band_size(int n, int below, int above);

/// All entries zero.
void elv_band_clear(ElvBand* band);

/// Where entry (i, j) stands, which must be within the band.
double* elv_band_at(const ElvBand* band, int i, int j);

/// y = A x, and y = A^T x.
void elv_band_apply(const ElvBand* band, const double* x, double* y);
void elv_band_apply_transpose(const ElvBand* band, const double* x, double* y);

/// N = A^T A + sigma 1; N has below = above = A->below + A->above.
void elv_band_normal(const ElvBand* A, double sigma, ElvBand* N);

/// Factor in place; pivot: (n). Returns -1 when done, or the column whose pivot is not above the rounding of its
/// largest entry, as the columns before have left it: the matrix is singular.
int elv_band_factor(ElvBand* band, int* pivot);

/// Solve A x = b in place with the factors.
void elv_band_solve(const ElvBand* band, const int* pivot, double* b);

#endif
