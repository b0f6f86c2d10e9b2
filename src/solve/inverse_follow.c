// SPDX-License-Identifier: Apache-2.0
// A mechanism followed in time: a prediction of second order from the last motion, which is then closed. Where
// closing moves it far, it may have been drawn to another branch, and the step is halved; so it is where
// the loops cannot be closed, until it is certain that the mechanism does not get further.
#include "solve/inverse.h"

#include <math.h>
#include <string.h>

/// Closing moves coordinates by no more than this (rad, or sizes of the robot), else a step is too long.
static const double FAR = 0.02;

enum { MAX_HALVING = 24 };

// the state at t by a second-order prediction, closed; false in is_near when closing moved it far
static ElvStatus try_step(ElvInverse* self, double t, bool* is_near, ElvError* error) {
    const ElvModel* model = self->model;
    ElvProblem* problem = &self->problem;
    ElvState* next = self->next;
    double dt = t - self->now->t;
    elv_state_copy(next, self->now);
    elv_problem_chart(problem, self->now);
    for (int i = 0; i < model->nv; i++) {
        problem->nu[i] = dt * (problem->w[i] + 0.5 * dt * problem->w_dot[i]);
        problem->w[i] += dt * problem->w_dot[i];
    }
    next->t = t;
    elv_chart_state(model, problem->q_n, problem->nu, problem->w, problem->w_dot, next);
    memcpy(self->q, next->q, (size_t)model->nq * sizeof *self->q);
    ElvStatus status = elv_inverse_solve(self, next, self->now->t, error);
    double moved = 0.0;
    for (int i = 0; i < model->nq; i++) {
        moved = fmax(moved, fabs(next->q[i] - self->q[i]));
    }
    *is_near = moved <= FAR * fmin(1.0, model->size);
    return status;
}

// the joint that closing has moved farthest from its prediction
static const char* farthest_joint(const ElvInverse* self) {
    const ElvModel* model = self->model;
    const char* name = "";
    double most = 0.0;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        for (int i = node->i_q; i < node->i_q + node->joint->n_q; i++) {
            double moved = fabs(self->next->q[i] - self->q[i]);
            name = moved > most ? node->name : name;
            most = fmax(most, moved);
        }
    }
    return name;
}

// Why the mechanism cannot be followed to t, as seen there, or after the shortest step, to t_next
static ElvStatus fail_follow(ElvInverse* self, double t, double t_next, ElvError* error) {
    bool is_near = false;
    ElvStatus status = try_step(self, t, &is_near, error);
    if (status == ELV_OK) {
        status = try_step(self, t_next, &is_near, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    const char* name = farthest_joint(self);
    return elv_error_set(error, ELV_ERROR_NUMERIC, name, "joint",
                         "'%s' would have to jump after t = %.9g: a law jumps there, or the "
                         "mechanism has come to a singular position",
                         name, self->now->t);
}

ElvStatus elv_inverse_follow(ElvInverse* self, double t, ElvError* error) {
    double step = t - self->now->t;
    double smallest = fabs(step) * ldexp(1.0, -MAX_HALVING);
    while (self->now->t != t) {
        bool is_near = false;
        double t_next = fabs(t - self->now->t) <= fabs(step) ? t : self->now->t + step;
        ElvStatus status = try_step(self, t_next, &is_near, error);
        if (status == ELV_OK && is_near) {
            ElvState* past = self->now;
            self->now = self->next;
            self->next = past;
            self->n_step++;
            step *= 2.0;
            if (elv_brake_ask(self->problem.brake)) {
                return ELV_ERROR_CANCELLED;
            }
            continue;
        }
        if (elv_brake_ask(self->problem.brake)) {
            return ELV_ERROR_CANCELLED;
        }
        step = 0.5 * (t_next - self->now->t);
        if (status == ELV_ERROR_SINGULAR || fabs(step) < smallest) {
            return fail_follow(self, t, t_next, error);
        }
    }
    return ELV_OK;
}
