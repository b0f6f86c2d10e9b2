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

/// C = sum over i < n_block of A_i^T B_i, with A_i (6 x m) at A + i step_a, B_i (6 x n) at
/// B + i step_b, row strides m and n, both multiples of four; C (m x n).
void elv_block_gram(int n_block,
                    int m,
                    int n,
                    const double* A,
                    size_t step_a,
                    const double* B,
                    size_t step_b,
                    double* C);

/// C = A B with A (6 x k), row stride lda, B (k x n) and C (6 x n), n a multiple of four.
void elv_block_apply(int k, int n, const double* A, int lda, const double* B, double* C);

/// y = y0 + s sum over j < n of c_j x_j, with x_j at x + j size; size a multiple of four.
void elv_block_combine(
    int n, int size, double s, const double* c, const double* x, const double* y0, double* y);

#endif
