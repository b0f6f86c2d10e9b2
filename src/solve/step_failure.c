// SPDX-License-Identifier: Apache-2.0
// Messages of time steps that cannot be made.
#include "solve/step_failure.h"

#include <stdio.h>

ElvStatus elv_step_failure(const ElvProblem* problem,
                           const ElvScheme* scheme,
                           ElvStatus status,
                           double t,
                           double dt,
                           const ElvNewtonReport* newton,
                           ElvError* error) {
    const char* name = elv_problem_culprit(problem, newton);
    if (status == ELV_ERROR_STEP) {
        return elv_device_range(problem->model, problem->state, error);
    }
    if (status == ELV_ERROR_SINGULAR) {
        return elv_error_set(error, ELV_ERROR_SINGULAR, name, "",
                             "the tangent is singular at a coordinate of '%s' (t = %.9g): give it "
                             "mass, stiffness or damping, or fewer modes",
                             name, t);
    }
    double gap = 0.0;
    const char* loop = elv_problem_open_loop(problem, &gap);
    // a method that damps nothing opens loops by what grows
    if (loop && (scheme->radius < 1.0 || scheme->is_bdf2)) {
        return elv_error_set(
            error, ELV_ERROR_STEP, loop, "",
            "'%s' cannot be kept closed beyond t = %.9g, not even with a step of %.3g "
            "s (%.3g m or rad are left): the mechanism is at a singular "
            "configuration, a dead point, or is driven to where it cannot go",
            loop, t, dt, gap);
    }
    // Newmark keeps what it does not resolve, and cannot do otherwise
    const char* help = scheme->radius < 1.0 || scheme->is_bdf2
                           ? "smaller steps, damping, or a smoother law may help"
                           : "this method does not damp motions that are faster than its steps, "
                             "which may grow until nothing helps; generalized-alpha damps them";
    // what a controller keeps away from its target grows
    char suspect[128] = "";
    const ElvDevice* device = elv_device_restless(problem->model, problem->rule.rate_n);
    if (device) {
        snprintf(suspect, sizeof suspect, "the controller '%.64s' may be unstable; ", device->name);
    } else if (problem->model->is_active) {
        snprintf(suspect, sizeof suspect, "a controller may be unstable; ");
    }
    return elv_error_set(error, ELV_ERROR_STEP, name, "",
                         "Newton does not converge at t = %.9g, not even with a step of %.3g s "
                         "(residual %.3g, worst at '%s'): %s%s",
                         t, dt, newton->residual, name, suspect, help);
}
