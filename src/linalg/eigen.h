// SPDX-License-Identifier: Apache-2.0
// Dense eigenvalues, over LAPACK. Matrices are row-major, and so are the results: vector k is row k.
#ifndef ELVER_LINALG_EIGEN_H
#define ELVER_LINALG_EIGEN_H

#include <stdbool.h>

/// A symmetric: eigenvalues ascending, A becomes their vectors, of unit length. False: not finite, no
/// memory or no convergence, as in all that follow.
bool elv_eigen_symmetric(int n, double* A, double* value);

/// A x = value B x, both symmetric and B positive definite: values ascending, A becomes the vectors with
/// x^T B x = 1, B is lost. False also where B is not positive definite.
bool elv_eigen_definite(int n, double* A, double* B, double* value);

/// Any A (lost): eigenvalues re + i im, in pairs; vector: row k for a real one, rows k and k + 1 the real
/// and imaginary part of a pair whose first has im > 0.
bool elv_eigen_general(int n, double* A, double* re, double* im, double* vector);

/// Singular values of A (lost), descending; vector: right singular vectors, in the same order.
bool elv_eigen_singular(int n, double* A, double* value, double* vector);

#endif
