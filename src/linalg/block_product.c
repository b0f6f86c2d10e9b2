// SPDX-License-Identifier: Apache-2.0
// Products of small stacked matrices. A kernel holds a block of sums in registers, up to six rows of one
// or two vectors, and goes once through what is summed: every number is loaded for several products.
#include "linalg/block_product.h"

#include "base/real4.h"

// a block of the sum of A_i^T B_i: n_row rows, n_vector vectors
ELV_INLINE void gram_block(int n_row,
                           int n_vector,
                           int n_block,
                           int n,
                           const double* A,
                           int lda,
                           size_t step_a,
                           const double* B,
                           size_t step_b,
                           double* C) {
    ElvReal4 sum[4][2];
    for (int r = 0; r < n_row; r++) {
        for (int v = 0; v < n_vector; v++) {
            sum[r][v] = elv_real4_load(C + r * n + 4 * v);
        }
    }
    for (int i = 0; i < n_block; i++) {
        const double* a = A + (size_t)i * step_a;
        const double* b = B + (size_t)i * step_b;
// registers do not suffice for more than one row of A and B
#pragma GCC unroll 1
        for (int p = 0; p < 6; p++, a += lda, b += n) {
            for (int v = 0; v < n_vector; v++) {
                ElvReal4 x = elv_real4_load(b + 4 * v);
                for (int r = 0; r < n_row; r++) {
                    sum[r][v] += a[r] * x;
                }
            }
        }
    }
    for (int r = 0; r < n_row; r++) {
        for (int v = 0; v < n_vector; v++) {
            elv_real4_store(C + r * n + 4 * v, sum[r][v]);
        }
    }
}

// n_row rows of the sum of A_i^T B_i
ELV_INLINE void gram_rows(int n_row,
                          int n_block,
                          int n,
                          const double* A,
                          int lda,
                          size_t step_a,
                          const double* B,
                          size_t step_b,
                          double* C) {
    int c = 0;
    for (; c + 8 <= n; c += 8) {
        gram_block(n_row, 2, n_block, n, A, lda, step_a, B + c, step_b, C + c);
    }
    if (c < n) {
        gram_block(n_row, 1, n_block, n, A, lda, step_a, B + c, step_b, C + c);
    }
}

ELV_VECTOR_CLONES
void elv_block_gram(int n_block,
                    int m,
                    int n,
                    const double* A,
                    int lda,
                    size_t step_a,
                    const double* B,
                    size_t step_b,
                    double* C) {
    int r = 0;
    // three rows cost less as four with one of padding than one by one
    for (; r + 3 <= m; r += 4) {
        gram_rows(4, n_block, n, A + r, lda, step_a, B, step_b, C + (size_t)r * (size_t)n);
    }
    for (; r < m; r++) {
        gram_rows(1, n_block, n, A + r, lda, step_a, B, step_b, C + (size_t)r * (size_t)n);
    }
}

// a block of A B: n_row rows, n_vector vectors
ELV_INLINE void apply_block(
    int n_row, int n_vector, int k, int n, const double* A, int lda, const double* B, double* C) {
    ElvReal4 sum[6][2] = {{{0.0}}};
    for (int j = 0; j < k; j++) {
        ElvReal4 x0 = elv_real4_load(B + j * n);
        ElvReal4 x1 = elv_real4_load(B + j * n + 4 * (n_vector - 1));
        for (int r = 0; r < n_row; r++) {
            double a = A[r * lda + j];
            sum[r][0] += a * x0;
            if (n_vector == 2) {
                sum[r][1] += a * x1;
            }
        }
    }
    for (int r = 0; r < n_row; r++) {
        for (int v = 0; v < n_vector; v++) {
            elv_real4_store(C + r * n + 4 * v, sum[r][v]);
        }
    }
}

ELV_INLINE void
apply_rows(int n_row, int k, int n, const double* A, int lda, const double* B, double* C) {
    int c = 0;
    for (; c + 8 <= n; c += 8) {
        apply_block(n_row, 2, k, n, A, lda, B + c, C + c);
    }
    if (c < n) {
        apply_block(n_row, 1, k, n, A, lda, B + c, C + c);
    }
}

ELV_VECTOR_CLONES
void elv_block_apply(int m, int k, int n, const double* A, int lda, const double* B, double* C) {
    if (m == 3) {
        apply_rows(3, k, n, A, lda, B, C);
    } else {
        apply_rows(6, k, n, A, lda, B, C);
    }
}

// n_row combinations of a vector, or of two that lie `apart` numbers from each other (0: one)
ELV_INLINE void combine_block(int n_row,
                              int apart,
                              int n,
                              int size,
                              double s,
                              const double* c,
                              const double* x,
                              const double* y0,
                              double* y,
                              size_t step) {
    ElvReal4 sum[4][2] = {{{0.0}}};
    for (int j = 0; j < n; j++) {
        const double* value = x + (size_t)j * (size_t)size;
        for (int v = 0; v < (apart > 0 ? 2 : 1); v++) {
            ElvReal4 part = elv_real4_load(value + v * apart);
            for (int i = 0; i < n_row; i++) {
                sum[i][v] += c[i * n + j] * part;
            }
        }
    }
    for (int i = 0; i < n_row; i++) {
        for (int v = 0; v < (apart > 0 ? 2 : 1); v++) {
            ElvReal4 start = elv_real4_load(y0 + v * apart);
            elv_real4_store(y + (size_t)i * step + v * apart, start + s * sum[i][v]);
        }
    }
}

// n_row combinations, all numbers; the last vector overlaps the one before where size has a remainder
ELV_INLINE void combine_rows(int n_row,
                             int n,
                             int size,
                             double s,
                             const double* c,
                             const double* x,
                             const double* y0,
                             double* y,
                             size_t step) {
    if (size == 6) {
        combine_block(n_row, 2, n, 6, s, c, x, y0, y, step);
        return;
    }
    int k = 0;
    for (; k + 8 <= size; k += 8) {
        combine_block(n_row, 4, n, size, s, c, x + k, y0 + k, y + k, step);
    }
    if (k < size) {
        k = k + 4 <= size ? k : size - 4;
        combine_block(n_row, 0, n, size, s, c, x + k, y0 + k, y + k, step);
    }
    if (k + 4 < size) {
        k = size - 4;
        combine_block(n_row, 0, n, size, s, c, x + k, y0 + k, y + k, step);
    }
}

ELV_VECTOR_CLONES
void elv_block_combine(int n_out,
                       int n,
                       int size,
                       double s,
                       const double* c,
                       const double* x,
                       const double* y0,
                       double* y,
                       size_t step) {
    int i = 0;
    for (; i + 4 <= n_out; i += 4) {
        combine_rows(4, n, size, s, c + i * n, x, y0, y + (size_t)i * step, step);
    }
    for (; i + 2 <= n_out; i += 2) {
        combine_rows(2, n, size, s, c + i * n, x, y0, y + (size_t)i * step, step);
    }
    for (; i < n_out; i++) {
        combine_rows(1, n, size, s, c + i * n, x, y0, y + (size_t)i * step, step);
    }
}

// what elv_block_add_product is given
typedef struct {
    int k, row, column, ldb, ldc;
} Shape;

// n_row rows of A B, added to C, for two vectors of columns, one, or a single column (width 8, 4, 1); of
// the last vector only lanes from `first` on
ELV_INLINE void product_block(int n_row,
                              int width,
                              int first,
                              const Shape* shape,
                              const double* A,
                              const double* B,
                              double* C) {
    ElvReal4 sum[4][2] = {{{0.0}}};
    double single[4] = {0.0};
    const ptrdiff_t row = shape->row, column = shape->column, ldb = shape->ldb;
    for (int l = 0; l < shape->k; l++, A += column, B += ldb) {
        ElvReal4 b0 = elv_real4(0.0), b1 = b0;
        if (width > 1) {
            b0 = elv_real4_load(B);
            b1 = elv_real4_load(B + width - 4);
        }
        for (int i = 0; i < n_row; i++) {
            double a = A[i * row];
            single[i] += width == 1 ? a * B[0] : 0.0;
            sum[i][0] += a * b0;
            sum[i][1] += a * b1;
        }
    }
    for (int i = 0; i < n_row; i++) {
        double* c = C + i * shape->ldc;
        if (width == 1) {
            c[0] += single[i];
        } else if (first > 0) {
            elv_real4_store(c, elv_real4_load(c) + elv_real4_from_lane(sum[i][0], first));
        } else {
            elv_real4_store(c, elv_real4_load(c) + sum[i][0]);
        }
        if (width == 8) {
            elv_real4_store(c + 4, elv_real4_load(c + 4) + sum[i][1]);
        }
    }
}

// n_row rows of A B, all columns; what is left of at least four goes with those before it
ELV_INLINE void
product_rows(int n_row, int n, const Shape* shape, const double* A, const double* B, double* C) {
    int j = 0;
    for (; j + 8 <= n; j += 8) {
        product_block(n_row, 8, 0, shape, A, B + j, C + j);
    }
    if (j + 4 <= n) {
        product_block(n_row, 4, 0, shape, A, B + j, C + j);
        j += 4;
    }
    if (n - j >= 2 && n >= 4) {
        product_block(n_row, 4, 4 - (n - j), shape, A, B + n - 4, C + n - 4);
        return;
    }
    for (; j < n; j++) {
        product_block(n_row, 1, 0, shape, A, B + j, C + j);
    }
}

ELV_VECTOR_CLONES
void elv_block_add_product(int m,
                           int k,
                           int n,
                           const double* A,
                           int row,
                           int column,
                           const double* B,
                           int ldb,
                           double* C,
                           int ldc) {
    const Shape shape = {k, row, column, ldb, ldc};
    int i = 0;
    for (; i + 4 <= m; i += 4) {
        product_rows(4, n, &shape, A + i * row, B, C + i * ldc);
    }
    const double* a = A + i * row;
    double* c = C + i * ldc;
    switch (m - i) {
    case 3:
        product_rows(3, n, &shape, a, B, c);
        break;
    case 2:
        product_rows(2, n, &shape, a, B, c);
        break;
    case 1:
        product_rows(1, n, &shape, a, B, c);
        break;
    default:
        break;
    }
}
