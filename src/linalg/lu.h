// SPDX-License-Identifier: Apache-2.0
// Dense LU factorisation with partial pivoting, row-major, in place.
#ifndef ELVER_LINALG_LU_H
#define ELVER_LINALG_LU_H

/// Factor A (n_row x n_row) in place; pivot: (n_row) row exchanges. Returns -1 when done, or the column in which
/// no pivot stands above the rounding of the elimination: A is singular.
int elv_lu_factor(int n_row, double* A, int* pivot);

/// Solve A X = B in place for n_rhs right-hand sides; B: (n_row x n_rhs), row-major.
void elv_lu_solve(int n_row, const double* LU, const int* pivot, int n_rhs, double* B);

#endif
