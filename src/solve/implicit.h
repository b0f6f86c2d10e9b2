// SPDX-License-Identifier: Apache-2.0
// Inside of an implicit integrator: what a step needs, and its start.
#ifndef ELVER_SOLVE_IMPLICIT_H
#define ELVER_SOLVE_IMPLICIT_H

#include "solve/integrator.h"
#include "solve/newton.h"
#include "solve/reduced.h"
#include "solve/scheme.h"

typedef struct {
    ElvIntegrator head;      // first: an ElvImplicit* is an ElvIntegrator*
    ElvScheme steady;        // the method of the options
    ElvScheme calming;       // the one for the first steps
    ElvScheme recovery;      // the one after a failure
    const ElvScheme* scheme; // the one of the step in hand
    ElvNewtonOptions newton;
    ElvProblem problem;
    ElvReduced* reduced; // for starts where constraints lose a direction; NULL: not needed
    ElvState* now;       // last accepted state
    ElvState* before;    // state at the start of the last step
    ElvState* mean;      // an end of it at its mean rate, for accounts of energy
    double *w, *w_dot;   // rates at the start of the step                      (nv)
    double* rates_end;   // rates at its end, then accelerations                (2 nv)
    double* defect;      // added to w, then the estimated error of its increment (nv)
    double t_stop;       // breakpoint that ends the smooth interval
    bool must_restart;   // now is at a breakpoint
    ElvIntegratorReport report;
} ElvImplicit;

/// Start at a state. One that comes from a run of this kind goes on with its memory; any other is made to satisfy
/// the constraints, with accelerations consistent with the dynamics.
ELV_NODISCARD ElvStatus elv_implicit_start(ElvIntegrator* integrator,
                                           ElvState* state,
                                           ElvError* error);

/// Go on from a breakpoint of a law, where accelerations and powers may jump.
void elv_implicit_restart(ElvImplicit* self);

/// Open the accounts of energy of a state, if the run is to keep any.
void elv_implicit_open_work(ElvImplicit* self, ElvState* state);

/// Accounts at a state within the last step, or at its end, with the increment nu (nv) up to there.
ElvWork elv_implicit_work(ElvImplicit* self, const ElvState* to, const double* nu);

#endif
