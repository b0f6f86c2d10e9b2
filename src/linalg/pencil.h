// SPDX-License-Identifier: Apache-2.0
// The eigenvalues of small vibrations, K x = value M x, with those at zero told from small ones.
#ifndef ELVER_LINALG_PENCIL_H
#define ELVER_LINALG_PENCIL_H

#include <stdbool.h>

/// Room for n coordinates, and the last result.
typedef struct {
    int n;
    int n_finite;   // eigenvalues found: the others belong to directions without mass
    double scale;   // size of the smallest eigenvalue that is not zero
    double* value;  // ascending                                   (n_finite)
    double* noise;  // of each value: what rounding of K may cause (n_finite)
    double* vector; // x^T M x = 1, row by row                     (n_finite x n)
    double* B;      // scratch                                     (n x n)
    double* size;   // unit of each coordinate                     (n)
} ElvPencil;

/// False: no memory.
bool elv_pencil_create(int n, ElvPencil* pencil);
void elv_pencil_free(ElvPencil* pencil);

/// K symmetric, M symmetric and positive semidefinite, row-major (n x n). Eigenvalues near zero err by
/// rounding of the smallest that is not zero, not of the largest. False where K is negative in a
/// direction without mass, or LAPACK fails.
bool elv_pencil_solve(ElvPencil* pencil, const double* K, const double* M);

/// How far eigenvalue i may move when every entry of K errs by a fraction of itself.
double elv_pencil_error(const ElvPencil* pencil, int i, double fraction);

/// Smallest eigenvalue, or that of K itself where the pencil has none to trust.
double elv_pencil_smallest(ElvPencil* pencil, const double* K, const double* M);

#endif
