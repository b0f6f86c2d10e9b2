// SPDX-License-Identifier: Apache-2.0
// The local error of a time step against its tolerance.
#ifndef ELVER_SOLVE_STEP_ERROR_H
#define ELVER_SOLVE_STEP_ERROR_H

#include "elver/integrate.h"

/// Largest error of the increment by component, over rel_tol times the size of the joint's coordinates
/// plus abs_tol; the step is good when it is at most 1. defect: (nv).
double elv_step_error(const ElvModel* model,
                      const ElvSimulateDef* options,
                      const ElvState* state,
                      const double* defect);

#endif
