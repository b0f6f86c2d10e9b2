// SPDX-License-Identifier: Apache-2.0
// A state made to satisfy the constraints of its model, as implicit methods do at a start: configuration,
// velocities, then accelerations and reactions.
#include "elver/integrate.h"
#include "multibody/loop.h"
#include "solve/newton.h"

#include <math.h>
#include <string.h>

// Velocity components that are not driven, less the constraints that springs do not soften; the station of a
// slider gives one back.
static int count_free(const ElvModel* model) {
    int n = 0;
    for (int i = 0; i < model->nv; i++) {
        n += !model->is_driven[i];
    }
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        bool is_loop = device->ops == &ELV_LOOP_OPS;
        for (int k = 0; k < device->n_z; k++) {
            bool is_soft = is_loop && device->ops->is_loose(device, k);
            n -= model->is_held[device->i_z + k] && !is_soft;
            n += model->is_place[device->i_z + k];
        }
    }
    return n;
}

// accelerations and reactions, as laws are just after state->t
static void release(ElvProblem* problem, ElvState* state) {
    double t = state->t;
    state->t = nextafter(t, INFINITY);
    (void)elv_device_follow(problem->model, problem->data, state);
    (void)elv_close_velocity(problem, state);
    if (!elv_consistent_acceleration(problem, state)) {
        // a massless coordinate: without its acceleration
        memset(state->a, 0, (size_t)state->nv * sizeof *state->a);
        elv_state_impose(problem->model, state);
    }
    state->t = t;
    state->step_past = 0.0;
}

ElvStatus
elv_close_loops(const ElvModel* model, ElvState* state, ElvClosureReport* report, ElvError* error) {
    ElvClosureReport closure = {0};
    ElvProblem problem;
    ElvStatus status = ELV_OK;
    if (model->is_constrained) {
        status = elv_problem_create(model, &problem, error);
        if (status != ELV_OK) {
            return status;
        }
        status = elv_close_start(&problem, state, &closure.opened, error);
        if (status == ELV_OK) {
            release(&problem, state);
            closure.n_redundant = elv_border_redundant(model, problem.data, &closure.redundant);
            closure.n_free = count_free(model) + closure.n_redundant;
        }
        elv_closure_watch(&problem, state, &closure);
        elv_problem_free(&problem);
    }
    if (report) {
        *report = closure;
    }
    return status;
}
