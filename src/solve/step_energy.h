// SPDX-License-Identifier: Apache-2.0
// The energy balance of a time step.
#ifndef ELVER_SOLVE_STEP_ENERGY_H
#define ELVER_SOLVE_STEP_ENERGY_H

#include "solve/newton.h"

/// How much more energy there is in motion and strain at the end of a step with increment nu than at its
/// start, beyond what loads, gravity, actuators and drives can have brought, relative to what there was:
/// 0 when it is explained, infinite when there was none. nu: (nv). Overwrites problem->data, residual, trial
/// and before.
double
elv_step_growth(ElvProblem* problem, const ElvState* from, const ElvState* to, const double* nu);

#endif
