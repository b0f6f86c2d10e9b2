// SPDX-License-Identifier: Apache-2.0
// Dense eigenvalues: a thin layer over LAPACK (LAPACKE). LAPACK stores by columns: a symmetric matrix is
// the same either way, any other is transposed first, and vectors come back as rows.
#include "linalg/eigen.h"

#include <stdlib.h>

#include <lapacke.h>

static void transpose(int n, double* A) {
    for (size_t i = 0; i < (size_t)n; i++) {
        for (size_t k = 0; k < i; k++) {
            double entry = A[i * (size_t)n + k];
            A[i * (size_t)n + k] = A[k * (size_t)n + i];
            A[k * (size_t)n + i] = entry;
        }
    }
}

bool elv_eigen_symmetric(int n, double* A, double* value) {
    return n == 0 || LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', n, A, n, value) == 0;
}

bool elv_eigen_definite(int n, double* A, double* B, double* value) {
    return n == 0 || LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'L', n, A, n, B, n, value) == 0;
}

bool elv_eigen_general(int n, double* A, double* re, double* im, double* vector) {
    transpose(n, A);
    return n == 0 ||
           LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', n, A, n, re, im, NULL, 1, vector, n) == 0;
}

bool elv_eigen_singular(int n, double* A, double* value, double* vector) {
    double* rest = calloc((size_t)n + 1, sizeof *rest);
    // read by columns A is its transpose, whose left vectors are the right ones of A
    bool is_done = rest && (n == 0 || LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'N', n, n, A, n, value,
                                                     vector, n, NULL, 1, rest) == 0);
    free(rest);
    return is_done;
}
