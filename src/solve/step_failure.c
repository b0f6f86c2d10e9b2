// SPDX-License-Identifier: Apache-2.0
// Messages of time steps that cannot be made.
#include "solve/step_failure.h"

#include "joint/lumped.h"
#include "multibody/velocity_control.h"
#include "rod/rod.h"
#include "rod/rod_active.h"

#include <stdio.h>

bool elv_model_has_controller(const ElvModel* model) {
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        const ElvRodActive* active =
            node->info.is_rod ? ((const ElvRod*)node->joint)->active : NULL;
        bool is_led =
            node->info.is_rod
                ? active && (active->fields.n_control > 0 || active->fields.n_law > 0)
                : node->info.has_servo || ((const ElvLumped*)node->joint)->control.callback;
        if (is_led) {
            return true;
        }
    }
    for (int i = 0; i < model->n_device; i++) {
        if (model->device[i]->ops == &ELV_VELOCITY_CONTROL_OPS) {
            return true;
        }
    }
    return false;
}

// the last rod whose wake gives energy to the motion, where the fluid does on the whole; or NULL
static const char* pushed_tail(const ElvProblem* problem, const ElvState* now) {
    const char* tail = NULL;
    for (int j = 0; j < problem->model->n_node; j++) {
        const ElvNode* node = &problem->model->node[j];
        bool is_slender = node->info.is_rod && ((const ElvRod*)node->joint)->is_slender;
        tail = is_slender ? node->name : tail;
    }
    return tail && elv_power_to_fluid(problem->model, problem->data, now) < 0.0 ? tail : NULL;
}

// what keeps a motion from its target and grows
static void name_suspect(const ElvProblem* problem, char* suspect, size_t size) {
    const ElvDevice* device = elv_device_restless(problem->model, problem->rule.rate_n);
    if (device) {
        snprintf(suspect, size, "the controller '%.64s' may be unstable; ", device->name);
    } else if (elv_model_has_controller(problem->model)) {
        snprintf(suspect, size, "a controller may be unstable; ");
    }
}

ElvStatus elv_step_failure(const ElvProblem* problem,
                           const ElvScheme* scheme,
                           ElvStatus status,
                           const ElvState* now,
                           double dt,
                           const ElvNewtonReport* newton,
                           ElvError* error) {
    const char* name = elv_problem_culprit(problem, newton);
    double t = now->t;
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
    const char* tail = pushed_tail(problem, now);
    if (tail) {
        return elv_error_set(error, ELV_ERROR_STEP, tail, "",
                             "Newton does not converge at t = %.9g, not even with a step of %.3g s "
                             "(residual %.3g): the water puts energy in (power.fluid < 0), as "
                             "elongated body theory has it while the end of '%s' moves backwards, "
                             "and a limp rod rings until it curls up; give its material damping",
                             t, dt, newton->residual, tail);
    }
    // Newmark keeps what it does not resolve, and cannot do otherwise
    const char* help = scheme->radius < 1.0 || scheme->is_bdf2
                           ? "smaller steps, damping, or a smoother law may help"
                           : "this method does not damp motions that are faster than its steps, "
                             "which may grow until nothing helps; generalized-alpha damps them";
    char suspect[128] = "";
    name_suspect(problem, suspect, sizeof suspect);
    return elv_error_set(error, ELV_ERROR_STEP, name, "",
                         "Newton does not converge at t = %.9g, not even with a step of %.3g s "
                         "(residual %.3g, worst at '%s'): %s%s",
                         t, dt, newton->residual, name, suspect, help);
}
