// SPDX-License-Identifier: Apache-2.0
// What to say of a time step that cannot be made.
#ifndef ELVER_SOLVE_STEP_FAILURE_H
#define ELVER_SOLVE_STEP_FAILURE_H

#include "solve/newton.h"
#include "solve/scheme.h"

/// Names the joint or device at fault, and what may help. status: of the last try, a step of length dt from t.
ElvStatus elv_step_failure(const ElvProblem* problem,
                           const ElvScheme* scheme,
                           ElvStatus status,
                           double t,
                           double dt,
                           const ElvNewtonReport* newton,
                           ElvError* error);

#endif
