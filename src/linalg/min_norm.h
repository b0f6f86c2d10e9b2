// SPDX-License-Identifier: Apache-2.0
// The shortest least-squares solution of a square system of any rank, row-major, in place: where some
// equations repeat others, multipliers are not unique, and these are the smallest ones.
#ifndef ELVER_LINALG_MIN_NORM_H
#define ELVER_LINALG_MIN_NORM_H

/// Numbers of workspace for an n x n system.
static inline int elv_min_norm_work(int n) {
    return 4 * n + 1;
}

/// Factor S (n x n) in place; S, work (elv_min_norm_work(n)) and column (n) are what solutions need.
/// rank: the rank to use, or -1 to count the pivots above tol times the first. Returns the rank used, which
/// is never more than the pivots that are not zero; -1 when a number of S is not finite.
/// Pivots in work[0] to [rank - 1], falling, with the scale of S, and the first one left out, if any, in
/// work[rank]; column[rank] to [n - 1] are then columns that the others make up.
int elv_min_norm_factor(int n, double* S, double* work, int* column, double tol, int rank);

/// Shortest z among those that bring S z nearest to b; what lies beyond the rank counts as zero in S.
/// Returns |b - S z|, the part of b that no z reaches. scratch: (n). z may be b.
double elv_min_norm_solve(int n,
                          int rank,
                          const double* S,
                          const double* work,
                          const int* column,
                          const double* b,
                          double* z,
                          double* scratch);

/// Vector i of n - rank orthonormal ones that S takes to zero: z (n). scratch: (n). Columns of zeros come last,
/// and each has its unit vector for itself.
void elv_min_norm_kernel(int n,
                         int rank,
                         const double* S,
                         const double* work,
                         const int* column,
                         int i,
                         double* z,
                         double* scratch);

#endif
