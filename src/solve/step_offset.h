// SPDX-License-Identifier: Apache-2.0
// Velocities with which the steps of a method begin, where constraints determine the motion.
#ifndef ELVER_SOLVE_STEP_OFFSET_H
#define ELVER_SOLVE_STEP_OFFSET_H

#include "solve/newton.h"
#include "solve/scheme.h"

/// What to add to the velocities at a state for a step of length dt: offset (nv), zero where the method goes on as
/// before. is_projected: the velocities of the state were made to satisfy the constraints.
void elv_step_offset(ElvProblem* problem,
                     const ElvScheme* scheme,
                     bool is_projected,
                     double dt,
                     const ElvState* state,
                     double* offset);

#endif
