// SPDX-License-Identifier: Apache-2.0
// Products of small stacked matrices, blocked so that sums stay in registers. Row strides are
// multiples of four: columns are padded with zeros.
#ifndef ELVER_LINALG_BLOCK_PRODUCT_H
#define ELVER_LINALG_BLOCK_PRODUCT_H

#include <stddef.h>

/// Columns rounded up to the block size.
static inline int elv_padded(int n) {
    return (n + 3) / 4 * 4;
}

/// C += sum over i < n_block of A_i^T B_i, with A_i (6 x m), row stride lda, at A + i step_a and B_i (6 x n)
/// at B + i step_b; C (m x n). lda and n are multiples of four; as many rows of C exist.
void elv_block_gram(int n_block,
                    int m,
                    int n,
                    const double* A,
                    int lda,
                    size_t step_a,
                    const double* B,
                    size_t step_b,
                    double* C);

/// C = A B with A (m x k), row stride lda, B (k x n) and C (m x n); m is 3 or 6, n a multiple of four.
void elv_block_apply(int m, int k, int n, const double* A, int lda, const double* B, double* C);

/// y_i = y0 + s sum over j < n of c_ij x_j for i < n_out, with c (n_out x n), x_j at x + j size and y_i at
/// y + i step; size at least four. y0 may be y when n_out is 1 and size a multiple of four.
void elv_block_combine(int n_out,
                       int n,
                       int size,
                       double s,
                       const double* c,
                       const double* x,
                       const double* y0,
                       double* y,
                       size_t step);

/// C += A B with A (m x k), its entry (i, l) at A[i row + l column], so that a transposed matrix is as good;
/// B (k x n) and C (m x n) with row strides ldb and ldc, any n.
void elv_block_add_product(int m,
                           int k,
                           int n,
                           const double* A,
                           int row,
                           int column,
                           const double* B,
                           int ldb,
                           double* C,
                           int ldc);

#endif
