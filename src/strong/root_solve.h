// SPDX-License-Identifier: Apache-2.0
// Roots of r(x) = 0 with a band Jacobian, x in a vector space or on a manifold: Newton's method made global by
// Levenberg and Marquardt's damping or by Powell's dogleg in a trust region.                   [OCP (73)]
#ifndef ELVER_STRONG_ROOT_SOLVE_H
#define ELVER_STRONG_ROOT_SOLVE_H

#include "base/brake.h"
#include "elver/status.h"
#include "linalg/band.h"

#include <stdbool.h>

/// The problem: an accepted point, and a trial point beside it. Residuals, and steps by which points move, come in
/// units of the caller in which both are of the order of one.
typedef struct {
    int n, below, above; // size and band of the Jacobian
    void* user;

    /// Residual (n) of the trial point; false: it has none.
    bool (*residual)(void* user, double* r);

    /// Jacobian of the residual at the accepted point; J is zero at the call. false: it has none.
    bool (*jacobian)(void* user, ElvBand* J);

    /// The trial point becomes the accepted one moved by a step (n).
    void (*move)(void* user, const double* step);

    /// The accepted point becomes the trial one.
    void (*accept)(void* user);

    /// What a residual is, relative to what it is made of: compared with the tolerance.
    double (*norm)(void* user, const double* r);
} ElvRootProblem;

typedef enum {
    ELV_ROOT_FOUND,
    ELV_ROOT_LIMIT,    // of iterations
    ELV_ROOT_STALLED,  // nothing makes the residual smaller
    ELV_ROOT_SINGULAR, // the Jacobian is
    ELV_ROOT_LOST,     // the first point has no residual, or an accepted one no Jacobian
    ELV_ROOT_STOPPED   // by the brake
} ElvRootEnd;

typedef struct {
    bool is_dogleg; // else Levenberg-Marquardt; cut steps of Newton's where either gets stuck
    double tol;
    int max_iterations;
    bool keeps_jacobian; // first look how far the factors of an earlier search lead
    ElvBrake* brake;     // asked at every trial point; NULL: none
} ElvRootOptions;

typedef struct {
    ElvRootEnd end;
    int n_iteration;
    int n_residual;
    int n_jacobian;
    double norm;    // at the end
    double step;    // largest component of the last step
    int i_singular; // column at which the Jacobian is singular, or -1
} ElvRootReport;

/// Workspace.
typedef struct {
    ElvBand J, factor, normal;                  // Jacobian, its factors, those of J^T J + sigma
    int *pivot, *normal_pivot;                  // (n)
    double *r, *trial;                          // residuals of both points     (n)
    double *newton, *gradient, *step, *product; // (n)
    bool
        has_factor; // factor and pivot are those of a Jacobian; to be cleared where it has become another
    void* block;
} ElvRootWork;

// root_work.c
ELV_NODISCARD ElvStatus elv_root_work_create(const ElvRootProblem* problem,
                                             ElvRootWork* work,
                                             ElvError* error);
void elv_root_work_free(ElvRootWork* work);

/// Look for a root from the point that is both trial and accepted. Ends with the last point accepted, which is the best
/// one but where the search got stuck; the trial point may be another, but is the same at a root that was found without
/// old factors. Steps with these count as iterations, but not against their limit, and being stuck doubles that.
/// Allocates nothing.
ElvRootReport
elv_root_solve(const ElvRootProblem* problem, const ElvRootOptions* options, ElvRootWork* work);

#endif
