// SPDX-License-Identifier: Apache-2.0
// Start of implicit integration, and its restart at breakpoints of laws: positions and velocities that satisfy the
// constraints, accelerations consistent with the dynamics, accounts of energy, and a memory without past steps.
#include "solve/implicit.h"

#include <math.h>
#include <string.h>

// the first node on which an effort is not finite; NULL: there is none
static const char* infinite_node(const ElvProblem* problem) {
    const ElvModel* model = problem->model;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        for (int i = node->info.i_v; i < node->info.i_v + node->info.n_v; i++) {
            if (!isfinite(problem->residual[i])) {
                return node->name;
            }
        }
    }
    return NULL;
}

// consistent accelerations, and a fresh memory; returns the node whose efforts let none be found, or NULL
static const char* renew(ElvImplicit* self, ElvState* state) {
    const char* infinite = NULL;
    // laws are seen from the right of a breakpoint
    double t = state->t;
    state->t = nextafter(t, INFINITY);
    (void)elv_device_follow(self->head.model, self->problem.data, state);
    if (self->head.model->is_constrained) {
        (void)elv_close_velocity(&self->problem, state);
    }
    if (!elv_consistent_acceleration(&self->problem, state)) {
        infinite = infinite_node(&self->problem);
        // a massless coordinate: start without its acceleration
        memset(state->a, 0, (size_t)state->nv * sizeof *state->a);
        elv_state_impose(self->head.model, state);
    }
    elv_problem_chart(&self->problem, state);
    memcpy(state->aux, self->problem.w_dot, (size_t)state->nv * sizeof *state->aux);
    memcpy(state->effort, self->problem.scale, (size_t)self->problem.n * sizeof(double));
    state->t = t;
    state->step_past = 0.0;
    state->aux_lead = 0.0;
    state->n_calm = 0;
    self->must_restart = false;
    return infinite;
}

// velocities along directions that constraints lose at the start, as the motion out of it has them
static void settle_start(ElvImplicit* self, ElvState* state) {
    if (self->reduced) {
        (void)elv_close_velocity(&self->problem, state);
        elv_state_copy(self->before, state);
        bool is_settled = elv_reduced_velocity(self->reduced, self->problem.data, self->before) &&
                          elv_reduced_settle(self->reduced, self->problem.data, self->before);
        if (is_settled && self->reduced->rank_seen > self->reduced->space.rank) {
            memcpy(state->v, self->before->v, (size_t)state->nv * sizeof *state->v);
        }
    }
}

static bool is_breakpoint(ElvIntegrator* integrator, double t) {
    return elv_integrator_breakpoint(integrator, nextafter(t, -INFINITY), t) == t;
}

void elv_implicit_restart(ElvImplicit* self) {
    // what is not finite here ends the step that follows
    (void)renew(self, self->now);
    elv_implicit_open_work(self, self->now);
    elv_state_copy(self->before, self->now);
}

ElvStatus elv_implicit_start(ElvIntegrator* integrator, ElvState* state, ElvError* error) {
    ElvImplicit* self = (ElvImplicit*)integrator;
    memset(&self->report, 0, sizeof self->report);
    if (state->step_past > 0.0) {
        // a state that comes from a run of this kind goes on with its memory
        memcpy(self->problem.scale, state->effort, (size_t)self->problem.n * sizeof(double));
        self->must_restart = is_breakpoint(integrator, state->t);
    } else {
        memset(self->problem.scale, 0, (size_t)self->problem.n * sizeof(double));
        state->step_next = 0.0;
        ElvStatus status =
            elv_close_start(&self->problem, state, &self->report.closure.opened, error);
        if (status != ELV_OK) {
            return status;
        }
        settle_start(self, state);
        const char* infinite = renew(self, state);
        if (infinite) {
            return elv_error_set(error, ELV_ERROR_NUMERIC, infinite, "",
                                 "an effort on '%s' is not finite at t = %.9g: look for a load, a "
                                 "current or another law that is infinite there",
                                 infinite, state->t);
        }
        self->report.closure.n_redundant = elv_border_redundant(
            integrator->model, self->problem.data, &self->report.closure.redundant);
    }
    elv_implicit_open_work(self, state);
    elv_state_copy(self->now, state);
    elv_state_copy(self->before, state);
    return ELV_OK;
}
