// SPDX-License-Identifier: Apache-2.0
// Accelerations at a state, and the part of them that steps can resolve, with the multipliers of
// constraints: the dynamics hold, and so do the second derivatives of the constraints (index 1).
#include "multibody/tidm.h"
#include "solve/newton.h"

#include <math.h>
#include <string.h>

// Residual at a state; the equations of devices behind it: second derivatives of constraints, scaled for
// unknowns of a step of length h (0: for accelerations)
static void residual_at(ElvProblem* problem, const ElvState* state, double h) {
    const ElvModel* model = problem->model;
    elv_residual(model, problem->data, state, problem->residual);
    for (int i = 0; i < model->nv; i++) {
        problem->residual[i] = model->is_driven[i] ? 0.0 : problem->residual[i];
    }
    if (model->is_constrained) {
        elv_channel_pass(model, problem->data, state);
        elv_border_motion(model, problem->data, state, 2, h, problem->residual + model->nv);
    }
}

// the same where only imposed accelerations act
static void residual_at_rest(ElvProblem* problem, ElvState* state, double h) {
    memset(state->a, 0, (size_t)state->nv * sizeof *state->a);
    elv_state_impose(problem->model, state);
    residual_at(problem, state, h);
}

// more inertia in all joints
static void add_ballast(ElvProblem* problem) {
    const ElvModel* model = problem->model;
    for (int j = 0; j < model->n_node; j++) {
        int n = model->node[j].joint->n_v;
        for (int k = 0; k < n; k++) {
            problem->data->tangent[j].Qq[k * n + k] += problem->ballast;
        }
    }
}

bool elv_solve_tangent(ElvProblem* problem, const ElvState* state, bool is_motion) {
    const ElvModel* model = problem->model;
    if (is_motion && problem->ballast > 0.0) {
        add_ballast(problem);
    }
    if (model->is_constrained) {
        ElvBorderRule rule = problem->rule;
        rule.is_motion = is_motion;
        rule.step = 0.0;
        if (elv_border_factor(model, problem->data, state, &rule) >= 0) {
            return false;
        }
        elv_border_solve(model, problem->data, state, &rule, problem->residual,
                         problem->residual + model->nv, problem->d_nu, problem->d_nu + model->nv);
    } else {
        if (elv_tree_factor(model, problem->data) >= 0) {
            return false;
        }
        elv_tree_solve(model, problem->data, problem->residual, problem->d_nu);
    }
    bool is_finite = true;
    for (int i = 0; i < (model->is_constrained ? problem->n : model->nv); i++) {
        is_finite = is_finite && isfinite(problem->d_nu[i]);
    }
    return is_finite;
}

// accelerations and multipliers that take away the residual
static bool undo_residual(ElvProblem* problem, ElvState* state) {
    const ElvModel* model = problem->model;
    elv_tidm_pass(model, problem->data, state, NULL, 0.0, 1.0);
    if (!elv_solve_tangent(problem, state, true)) {
        return false;
    }
    for (int i = 0; i < state->nv; i++) {
        state->a[i] += problem->d_nu[i];
    }
    for (int k = 0; k < model->nz && model->is_constrained; k++) {
        state->z[k] += problem->d_nu[model->nv + k];
    }
    return true;
}

bool elv_consistent_acceleration(ElvProblem* problem, ElvState* state) {
    residual_at_rest(problem, state, 0.0);
    elv_problem_raise(problem, problem->scale);
    return undo_residual(problem, state);
}

bool elv_refine_acceleration(ElvProblem* problem, ElvState* state) {
    residual_at(problem, state, 0.0);
    return undo_residual(problem, state);
}

// ---- what steps resolve

// Residual of a motion with constant chart accelerations (w_dot NULL: those of the start), a time delta after
// its start (n)
static void residual_after(ElvProblem* problem,
                           const ElvState* start,
                           const double* w_dot,
                           double h,
                           double delta,
                           double* out) {
    const ElvModel* model = problem->model;
    elv_problem_chart(problem, start);
    if (w_dot) {
        memcpy(problem->w_dot, w_dot, (size_t)model->nv * sizeof *w_dot);
    }
    for (int i = 0; i < model->nv; i++) {
        problem->nu[i] = delta * problem->w[i];
        problem->w[i] += delta * problem->w_dot[i];
    }
    problem->state->t = start->t + delta;
    elv_chart_state(model, problem->q_n, problem->nu, problem->w, problem->w_dot, problem->state);
    memcpy(problem->state->z, problem->z_n, (size_t)model->nz * sizeof(double));
    elv_device_place(model, problem->data, problem->state);
    elv_residual(model, problem->data, problem->state, out);
    if (model->is_constrained) {
        elv_border_motion(model, problem->data, problem->state, 2, h, out + model->nv);
    }
}

// -M times the rate of the accelerations at a state, by a difference so small that it is linear for the
// fastest motions: what it would take to keep them as they are
static void resist_change(ElvProblem* problem,
                          const ElvState* state,
                          const double* w_dot,
                          double h,
                          double delta,
                          double* out) {
    residual_after(problem, state, w_dot, h, 0.0, problem->before);
    residual_after(problem, state, w_dot, h, delta, out);
    int n = problem->model->is_constrained ? problem->n : state->nv;
    for (int i = 0; i < n; i++) {
        out[i] = (out[i] - problem->before[i]) / delta;
    }
}

// Filter the accelerations at a state, which then are zero but for drives: -M w_dot is in `before`, and
// P (w_dot + lead d/dt w_dot) in d_next, the latter from the resistance to change in `bound`
static bool filter(ElvProblem* problem, ElvState* state, double h, double lead) {
    const ElvModel* model = problem->model;
    size_t size = (size_t)state->nv * sizeof(double);
    // h^2 times the matrix is the tangent of a step with w = nu / h, w_dot = nu / h^2
    double b = 1.0 / (h * h);
    residual_at_rest(problem, state, h);
    memcpy(problem->before, problem->residual, size);
    elv_problem_chart(problem, state);
    memset(problem->nu, 0, size);
    elv_tidm_pass(model, problem->data, state, problem->nu, 1.0 / h, b);
    for (int i = 0; i < state->nv && lead != 0.0; i++) {
        problem->residual[i] += model->is_driven[i] ? 0.0 : lead * problem->bound[i];
    }
    for (int i = state->nv; i < problem->n && lead != 0.0 && model->is_constrained; i++) {
        problem->residual[i] += lead * problem->bound[i];
    }
    bool is_solved = elv_solve_tangent(problem, state, false);
    for (int i = 0; i < state->nv && is_solved; i++) {
        problem->d_next[i] = b * problem->d_nu[i];
    }
    return is_solved;
}

bool elv_resolved_acceleration(
    ElvProblem* problem, ElvState* state, double h, double lead, double* w_dot) {
    size_t size = (size_t)state->nv * sizeof(double);
    if (lead != 0.0) {
        resist_change(problem, state, NULL, h, 1e-5 * fabs(lead), problem->bound);
    }
    memcpy(problem->trial, state->a, size);
    bool is_solved = filter(problem, state, h, lead);
    for (int i = 0; i < state->nv && is_solved; i++) {
        w_dot[i] = problem->w_dot[i] + problem->d_next[i];
    }
    memcpy(state->a, problem->trial, size);
    return is_solved;
}

// h^2/2 w_dot' M P w_dot: the energy that is free in motions above 1/h, and what others gain in a time h
static double free_energy(ElvProblem* problem, ElvState* state, double h) {
    memcpy(problem->trial, state->a, (size_t)state->nv * sizeof(double));
    bool is_solved = filter(problem, state, h, 0.0);
    memcpy(state->a, problem->trial, (size_t)state->nv * sizeof(double));
    double sum = 0.0;
    for (int i = 0; i < state->nv && is_solved; i++) {
        sum -= problem->before[i] * problem->d_next[i];
    }
    return 0.5 * h * h * sum;
}

bool elv_start_is_fast(ElvProblem* problem, ElvState* state, double dt) {
    // for half the step it is a quarter if all is resolved, and the same if nothing is
    return free_energy(problem, state, dt) < 2.0 * free_energy(problem, state, 0.5 * dt);
}

// ---- velocities of steps with constraints

// resist_change by a difference of second order, to one side: laws may jump at the start
static void resist_smoothly(
    ElvProblem* problem, const ElvState* state, const double* w_dot, double delta, double* out) {
    resist_change(problem, state, w_dot, 0.0, delta, out);
    memcpy(problem->trial, out, (size_t)problem->n * sizeof *out);
    resist_change(problem, state, w_dot, 0.0, 0.5 * delta, out);
    for (int i = 0; i < problem->n; i++) {
        out[i] = 2.0 * out[i] - problem->trial[i];
    }
}

// rates of constraints (nz) with factor times Omega x Omega_dot added to what turns joints with such charts
static void turned_rates(
    ElvProblem* problem, const ElvState* state, const double* w_dot, double factor, double* c) {
    const ElvModel* model = problem->model;
    elv_state_copy(problem->state, state);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        bool is_turn =
            !node->info.is_rod && !node->joint->is_motion_driven &&
            (node->info.joint == ELV_JOINT_SPHERICAL || node->info.joint == ELV_JOINT_FREE);
        if (is_turn) {
            double* v = problem->state->v + node->i_v;
            const double* a = w_dot + node->i_v;
            ElvVec3 omega = elv_vec3(v[0], v[1], v[2]);
            ElvVec3 more = elv_vec3_cross(omega, elv_vec3(a[0], a[1], a[2]));
            v[0] += factor * more.x;
            v[1] += factor * more.y;
            v[2] += factor * more.z;
        }
    }
    elv_kinematics(model, problem->data, problem->state);
    elv_border_motion(model, problem->data, problem->state, 1, 0.0, c);
}

bool elv_constrained_velocity(ElvProblem* problem,
                              const ElvState* state,
                              const double* w_dot,
                              double factor,
                              double turn,
                              double delta,
                              double* change) {
    const ElvModel* model = problem->model;
    size_t nv = (size_t)model->nv;
    double* c = problem->residual + nv;
    double* turned = problem->d_next;
    // the jerk that constraints determine, by what their second derivatives become while accelerations stay
    resist_smoothly(problem, state, w_dot, delta, problem->bound);
    turned_rates(problem, state, w_dot, turn, turned);
    residual_at(problem, state, 0.0);
    elv_border_motion(model, problem->data, state, 1, 0.0, c);
    memset(problem->residual, 0, nv * sizeof *problem->residual);
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < device->n_z; k++) {
            int i_z = device->i_z + k;
            bool is_loose = device->ops->is_loose && device->ops->is_loose(device, k);
            double offset = factor * problem->bound[model->nv + i_z] + c[i_z] - turned[i_z];
            c[i_z] = model->is_held[i_z] && !is_loose ? c[i_z] + offset : 0.0;
        }
    }
    elv_tidm_pass(model, problem->data, state, NULL, 0.0, 1.0);
    bool is_solved = elv_solve_tangent(problem, state, true);
    // rates of a chart are linear in velocities
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        node->joint->ops->chart_rates(node->joint, state->q + node->i_q, problem->d_nu + node->i_v,
                                      state->a + node->i_v, change + node->i_v,
                                      problem->w_dot + node->i_v);
    }
    return is_solved;
}
