// SPDX-License-Identifier: Apache-2.0
// A time step in progress, for tests of tangents: the state at an unknown nu, charted from the start
// of the step, its residual, and numerical derivatives of that.
#ifndef ELVER_TESTS_STEP_CASE_H
#define ELVER_TESTS_STEP_CASE_H

#include "multibody/tidm.h"
#include "random_tree.h"

/// state(nu) with rates w = a nu + f, w_dot = b nu + h.
typedef struct {
    Robot* robot;
    double a, b;
    double *q_n, *nu, *f, *h, *w, *w_dot;
    ElvState* state;
} Step;

/// From the robot's state; with a = 0 nothing moves.
static inline Step step_create(CheckRandom* r, Robot* robot, double a, double b) {
    Step step = {.robot = robot, .a = a, .b = b};
    step.q_n = new_array(robot->nq);
    step.nu = new_array(robot->nv);
    step.f = new_array(robot->nv);
    step.h = new_array(robot->nv);
    step.w = new_array(robot->nv);
    step.w_dot = new_array(robot->nv);
    step.state = copy_state(robot, robot->state);
    memcpy(step.q_n, robot->state->q, (size_t)robot->nq * sizeof(double));
    for (int i = 0; i < robot->nv; i++) {
        bool moves = a != 0.0;
        step.nu[i] = check_uniform(r, -0.3, 0.3);
        step.f[i] = moves ? check_uniform(r, -1.0, 1.0) : 0.0;
        step.h[i] = moves ? check_uniform(r, -1.0, 1.0) : 0.0;
    }
    return step;
}

static inline void step_free(Step* step) {
    free(step->q_n);
    free(step->nu);
    free(step->f);
    free(step->h);
    free(step->w);
    free(step->w_dot);
    elv_state_free(step->state);
}

/// The residual at nu; step->state is left there.
static inline void step_residual(Step* step, const double* nu, double* residual) {
    const ElvModel* model = step->robot->model;
    ElvState* state = step->state;
    for (int i = 0; i < model->nv; i++) {
        step->w[i] = step->a * nu[i] + step->f[i];
        step->w_dot[i] = step->b * nu[i] + step->h[i];
    }
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        node->joint->ops->chart_state(node->joint, step->q_n + node->i_q, nu + node->i_v,
                                      step->w + node->i_v, step->w_dot + node->i_v,
                                      state->q + node->i_q, state->v + node->i_v,
                                      state->a + node->i_v);
    }
    elv_state_impose(model, state);
    elv_residual(model, step->robot->data, state, residual);
}

/// The tangent at step->nu as a matrix (nv x nv); free it.
static inline double* step_tangent(Step* step) {
    size_t n = (size_t)step->robot->nv;
    double* jacobian = new_array((int)(n * n));
    double* residual = new_array((int)n);
    step_residual(step, step->nu, residual);
    elv_tidm_pass(step->robot->model, step->robot->data, step->state, step->nu, step->a, step->b);
    elv_tidm_matrix(step->robot->model, step->robot->data, jacobian);
    free(residual);
    return jacobian;
}

static inline double array_largest(const double* x, int n) {
    double value = 0.0;
    for (int i = 0; i < n; i++) {
        value = fmax(value, fabs(x[i]));
    }
    return value;
}

/// Column k of the tangent by differences of order 2 or 4 and step h.
static inline void
step_difference(Step* step, int k, double h, int order, double* scratch, double* column) {
    static const double second[5] = {0.0, -0.5, 0.0, 0.5, 0.0};
    static const double fourth[5] = {1.0 / 12, -8.0 / 12, 0.0, 8.0 / 12, -1.0 / 12};
    int n = step->robot->nv;
    double* nu = scratch;
    double* residual = scratch + n;
    memcpy(nu, step->nu, (size_t)n * sizeof *nu);
    memset(column, 0, (size_t)n * sizeof *column);
    for (int side = -2; side <= 2; side++) {
        double weight = order == 2 ? second[side + 2] : fourth[side + 2];
        if (weight != 0.0) {
            nu[k] = step->nu[k] + side * h;
            step_residual(step, nu, residual);
            for (int i = 0; i < n; i++) {
                column[i] += weight * residual[i] / h;
            }
        }
    }
}

/// Largest difference between a tangent and differences of step h, relative to its largest entry.
/// Columns of driven components do not count.
static inline double tangent_error(Step* step, const double* jacobian, double h, int order) {
    int n = step->robot->nv;
    double* scratch = new_array(2 * n);
    double* column = new_array(n);
    double worst = 0.0;
    double scale = array_largest(jacobian, n * n);
    for (int k = 0; k < n; k++) {
        if (step->robot->model->is_driven[k]) {
            continue;
        }
        step_difference(step, k, h, order, scratch, column);
        for (int i = 0; i < n; i++) {
            double error = fabs(column[i] - jacobian[(size_t)i * (size_t)n + (size_t)k]);
            // NaN must win
            worst = error <= worst ? worst : error;
        }
    }
    free(scratch);
    free(column);
    return scale > 0.0 ? worst / scale : worst;
}

#endif
