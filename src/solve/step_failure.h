// SPDX-License-Identifier: Apache-2.0
// What to say of a time step that cannot be made.
#ifndef ELVER_SOLVE_STEP_FAILURE_H
#define ELVER_SOLVE_STEP_FAILURE_H

#include "solve/newton.h"
#include "solve/scheme.h"

/// Names the joint or device at fault, and what may help. status: of the last try, a step of length dt from `now`.
ElvStatus elv_step_failure(const ElvProblem* problem,
                           const ElvScheme* scheme,
                           ElvStatus status,
                           const ElvState* now,
                           double dt,
                           const ElvNewtonReport* newton,
                           ElvError* error);

/// Whether a joint, a rod or a frame is led by feedback: by gains or by a callback.
bool elv_model_has_controller(const ElvModel* model);

#endif
