// SPDX-License-Identifier: Apache-2.0
// Rows A of linear constraints A x = c, of any rank: the shortest solutions, what A leaves free,
// and what it loses where it is nearly singular. A itself is factored, not A A^T, so that no digits
// are lost twice.
#ifndef ELVER_LINALG_ROW_SPACE_H
#define ELVER_LINALG_ROW_SPACE_H

#include "base/arena.h"

/// A (m x n), rows scaled to lengths near one, is P^T [U S W^T 0] Q^T: reflections Q, then singular
/// values. Where A is far from singular and has no more rows than columns, it is P^T [L 0] Q^T
/// instead.
typedef struct {
    int m, n, k;        // k = min(m, n)
    int rank;           // directions that are kept; the others count as lost
    bool is_full;       // the form with L
    double* scale;      // factors on the rows of A                            (m)
    int* row;           // P: row in each place                                (m)
    double* L;          // rows after the reflections                          (m x n)
    double* reflection; // vectors of the reflections, of length sqrt(2) or 0  (k x n)
    double* G;          // columns of L, rotated: S U^T, then U^T              (k x m)
    double* W;          // W^T                                                 (k x k)
    double* sigma;      // singular values, falling; of the form with L its diagonal   (k)
    double* work;       //                                                     (m + n)
} ElvRowSpace;

/// Place all buffers.
void elv_row_space_layout(ElvRowSpace* space, int m, int n, ElvArena* arena);

/// Factor A (m x n), row-major, with m no more than at the layout; A may be L. Directions with
/// singular values at or below tol times the largest are lost. usual: how long rows are at other
/// times, so that one which vanishes now is not scaled up (m); NULL: as now. Returns false when a
/// number is not finite.
bool elv_row_space_factor(
    ElvRowSpace* space, int m, const double* A, const double* usual, double tol);

/// Singular values also where A is far from singular, which the factors need not show; the rank stays.
void elv_row_space_resolve(ElvRowSpace* space);

/// The shortest x (n) among those that bring A x nearest to c (m), the lost directions left out. x
/// must not be c.
void elv_row_space_solve(ElvRowSpace* space, const double* c, double* x);

/// The same for x that must not be moved by rounding errors of c: along singular value s of A,
/// relative to the largest, only s^2 / (s^2 + mu^2) of it. No direction is left out.
void elv_row_space_filter(ElvRowSpace* space, const double* c, double mu, double* x);

/// Of n - rank orthonormal vectors x that A takes to (nearly) zero, number i: h (n). The lost ones,
/// k - rank of them, come first.
void elv_row_space_kernel(const ElvRowSpace* space, int i, double* h);

/// The combination u (m) of rows that lost direction i has: u^T A is its singular value times its
/// kernel vector.
void elv_row_space_lost(const ElvRowSpace* space, int i, double* u);

#endif
