// SPDX-License-Identifier: Apache-2.0
// Dense Cholesky factorisation A = L L^T, row-major, in place.
#ifndef ELVER_LINALG_CHOLESKY_H
#define ELVER_LINALG_CHOLESKY_H

/// Factor the lower triangle of A (n x n, row stride n) in place. Returns -1 when done, or the
/// row whose pivot is not safely positive (relative to its diagonal entry): A is not definite.
int elv_cholesky_factor(int n, double* A);

/// Solve L L^T x = b in place.
void elv_cholesky_solve(int n, const double* L, double* b);

#endif
