// SPDX-License-Identifier: Apache-2.0
// Products of small stacked matrices, blocked so that sums stay in registers: blocks of 4 x 4 for
// A^T B, of 6 x 4 for A B, of 4 and 8 numbers for linear combinations. Plain loops of fixed length,
// which compilers turn into vector instructions.
#include "linalg/block_product.h"

// one 4 x 4 block of the sum of A_i^T B_i
static void gram_block(int n_block,
                       int m,
                       int n,
                       const double* restrict A,
                       size_t step_a,
                       const double* restrict B,
                       size_t step_b,
                       double* restrict C) {
    double sum[4][4] = {{0.0}};
    for (int i = 0; i < n_block; i++) {
        const double* a = A + (size_t)i * step_a;
        const double* b = B + (size_t)i * step_b;
        for (int p = 0; p < 6; p++, a += m, b += n) {
            for (int r = 0; r < 4; r++) {
                for (int c = 0; c < 4; c++) {
                    sum[r][c] += a[r] * b[c];
                }
            }
        }
    }
    for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 4; c++) {
            C[r * n + c] = sum[r][c];
        }
    }
}

void elv_block_gram(int n_block,
                    int m,
                    int n,
                    const double* A,
                    size_t step_a,
                    const double* B,
                    size_t step_b,
                    double* C) {
    for (int r = 0; r < m; r += 4) {
        for (int c = 0; c < n; c += 4) {
            gram_block(n_block, m, n, A + r, step_a, B + c, step_b,
                       C + (size_t)r * (size_t)n + (size_t)c);
        }
    }
}

void elv_block_apply(
    int k, int n, const double* restrict A, int lda, const double* restrict B, double* restrict C) {
    for (int c = 0; c < n; c += 4) {
        double sum[6][4] = {{0.0}};
        for (int j = 0; j < k; j++) {
            const double* b = B + (size_t)j * (size_t)n + (size_t)c;
            for (int r = 0; r < 6; r++) {
                double a = A[r * lda + j];
                for (int i = 0; i < 4; i++) {
                    sum[r][i] += a * b[i];
                }
            }
        }
        for (int r = 0; r < 6; r++) {
            for (int i = 0; i < 4; i++) {
                C[(size_t)r * (size_t)n + (size_t)(c + i)] = sum[r][i];
            }
        }
    }
}

void elv_block_combine(int n,
                       int size,
                       double s,
                       const double* restrict c,
                       const double* restrict x,
                       const double* restrict y0,
                       double* restrict y) {
    int i = 0;
    for (; i + 8 <= size; i += 8) {
        double sum[8] = {0.0};
        for (int j = 0; j < n; j++) {
            const double* column = x + (size_t)j * (size_t)size + (size_t)i;
            for (int k = 0; k < 8; k++) {
                sum[k] += c[j] * column[k];
            }
        }
        for (int k = 0; k < 8; k++) {
            y[i + k] = y0[i + k] + s * sum[k];
        }
    }
    for (; i < size; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            sum += c[j] * x[(size_t)j * (size_t)size + (size_t)i];
        }
        y[i] = y0[i] + s * sum;
    }
}
