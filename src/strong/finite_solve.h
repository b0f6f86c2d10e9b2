// SPDX-License-Identifier: Apache-2.0
// The shooting of a step in time: Newton's method on the unknowns at the root.
#ifndef ELVER_STRONG_FINITE_SOLVE_H
#define ELVER_STRONG_FINITE_SOLVE_H

#include "strong/finite_sweep.h"

typedef enum {
    ELV_FINITE_FOUND,
    ELV_FINITE_LOST,     // the first shot has no end
    ELV_FINITE_LAW,      // a constitutive law has no solution on the first shot
    ELV_FINITE_STALLED,  // nothing makes the residual smaller
    ELV_FINITE_ROUNDING, // the residual is what rounding leaves, and too large
    ELV_FINITE_SINGULAR, // the tip does not answer to the root
    ELV_FINITE_LIMIT,    // of iterations
    ELV_FINITE_STOPPED   // by the brake
} ElvFiniteEnd;

typedef struct {
    ElvFiniteEnd end;
    ElvStatus law; // of ELV_FINITE_LAW
    int n_iteration;
    int n_shot;
    double
        residual; // at the tip, relative to the largest wrench; forces, and moments over the length
    double growth; // of a wrench from root to tip
} ElvFiniteReport;

/// Solve for x (n + 6), a guess in, from which the search starts. largest: wrench beside which a residual is
/// small. The sweep's grid and root have begun the step.
ElvFiniteReport
elv_finite_solve(ElvFiniteSweep* sweep, double tol, int max_iterations, double largest, double* x);

/// Largest wrench of the fields, moments over the length.
double elv_finite_largest(const ElvFiniteGrid* grid, const ElvFieldNode* node);

#endif
