// SPDX-License-Identifier: Apache-2.0
// Alpha methods whose steps end on constraints have velocities that do not quite satisfy these: with increments
// given, nu = dt w + dt^2 ((1/2 - beta) aux + beta aux') leaves w off by elv_scheme_offset dt^2 times the
// jerk; and rotations, whose rotation vector over a step is that of a constant velocity but for
// dt^3/12 Omega x Omega_dot (Magnus), by dt^2/12 of that. A step that began with the true velocities would
// set off an oscillation of the multipliers, of the order of dt, that Newmark's method never damps. So
// velocities are moved to those of the method at a start, and whenever step or method change.
#include "solve/step_offset.h"

#include <math.h>
#include <string.h>

/// Steps whose lengths differ by less than this fraction are the same.
static const double SAME = 1e-6;

/// Differences for rates are taken over this fraction of a step.
static const double SHORT = 1e-3;

// whether the last step was one of the same kind
static bool goes_on(const ElvScheme* scheme, double dt, const ElvState* state) {
    return fabs(dt - state->step_past) <= SAME * dt &&
           fabs(elv_scheme_lead(scheme) * dt - state->aux_lead) <= SAME * dt;
}

void elv_step_offset(ElvProblem* problem,
                     const ElvScheme* scheme,
                     bool is_projected,
                     double dt,
                     const ElvState* state,
                     double* offset) {
    bool is_needed = problem->model->is_constrained && !scheme->is_bdf2 &&
                     (is_projected || !goes_on(scheme, dt, state));
    if (!is_needed ||
        !elv_constrained_velocity(problem, state, state->aux, elv_scheme_offset(scheme) * dt * dt,
                                  dt * dt / 12.0, SHORT * dt, offset)) {
        memset(offset, 0, (size_t)state->nv * sizeof *offset);
    }
}
