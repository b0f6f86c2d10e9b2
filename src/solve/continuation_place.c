// SPDX-License-Identifier: Apache-2.0
// Places on a path of equilibria: Newton on the residual R(nu, t) = 0 within a plane, by block elimination
//     d_nu = d_0 + d_t nu_t,   d_0 = -K^-1 R,   nu_t = -K^-1 dR/dt
// so that each iteration is one factorisation of the (bordered) tree and two solves, and goes through limit
// points, where K alone is singular. dR/dt is a central difference at fixed nu: it takes in loads, drives and
// imposed motions alike, and steers the iteration without entering its result.
#include "solve/continuation.h"

#include "multibody/tidm.h"

#include <math.h>
#include <string.h>

/// Steps of the difference in t, against the range of loads.
static const double DIFFERENCE = 1e-5;

/// A correction as long as this is rounding.
static const double ROUNDING = 1e-14;

/// Relative residual from which on constraints are open.
static const double CLOSED = 1e-8;

double elv_continuation_product(const ElvContinuation* c, const double* x, const double* y) {
    double sum = 0.0;
    for (int i = 0; i < c->n; i++) {
        sum += c->weight[i] * x[i] * y[i];
    }
    return sum;
}

void elv_continuation_chart(ElvContinuation* c, const ElvPlace* place) {
    elv_problem_chart(&c->problem, place->state);
    memset(c->problem.nu, 0, (size_t)c->n * sizeof(double));
    c->problem.state->t = place->state->t;
    c->t_chart = place->state->t;
}

// dR/dt at problem.nu, then R there, with the workspace that its tangent needs
static void evaluate(ElvContinuation* c) {
    ElvProblem* problem = &c->problem;
    double t = problem->state->t;
    double dt = DIFFERENCE * c->range;
    size_t size = (size_t)c->n * sizeof(double);
    problem->state->t = t - dt;
    elv_problem_residual(problem, problem->nu);
    memcpy(c->R_t, problem->residual, size);
    problem->state->t = t + dt;
    elv_problem_residual(problem, problem->nu);
    for (int i = 0; i < c->n; i++) {
        c->R_t[i] = (problem->residual[i] - c->R_t[i]) / (2.0 * dt);
    }
    problem->state->t = t;
    elv_problem_residual(problem, problem->nu);
}

// K factored, nu_t and, in problem.d_nu, d_0; false where K is singular
static bool eliminate(ElvContinuation* c) {
    ElvProblem* problem = &c->problem;
    elv_tidm_pass(c->model, problem->data, problem->state, problem->nu, 0.0, 0.0);
    c->report.n_jacobian++;
    if (elv_border_factor(c->model, problem->data, problem->state, &problem->rule) >= 0) {
        return false;
    }
    if (c->model->is_constrained) {
        // a straight rod carries its load without any effort to compare a residual with
        memcpy(problem->scale, c->scale, (size_t)c->n * sizeof(double));
        elv_problem_floor(problem);
        memcpy(c->scale, problem->scale, (size_t)c->n * sizeof(double));
    }
    elv_problem_solve(problem, c->R_t, c->nu_t);
    elv_problem_solve(problem, problem->residual, problem->d_nu);
    return true;
}

// relative residual, against efforts at equilibria so far and here
static double measure(ElvContinuation* c) {
    memcpy(c->problem.bound, c->scale, (size_t)c->n * sizeof(double));
    elv_problem_raise(&c->problem, c->problem.bound);
    return elv_problem_norm(&c->problem, c->problem.residual, c->problem.bound);
}

// whether the constraints are kept, after the measure: what no motion closes leaves no step to go either
static bool is_closed(const ElvContinuation* c) {
    const ElvProblem* problem = &c->problem;
    bool is_kept = true;
    for (int k = 0; k < c->model->nz && c->model->is_constrained; k++) {
        int i = c->model->nv + k;
        double gap = c->model->is_held[k] ? fabs(problem->residual[i]) : 0.0;
        is_kept = is_kept && gap <= CLOSED * problem->bound[i];
    }
    return is_kept;
}

// one Newton step within the plane; its length, or NaN
static double correct_once(ElvContinuation* c, const ElvPlane* plane) {
    ElvProblem* problem = &c->problem;
    if (!eliminate(c)) {
        return NAN;
    }
    double unit = 1.0 / (c->range * c->range);
    double value = plane->normal_t * (problem->state->t - c->t_chart) * unit;
    double by_0 = 0.0;
    double by_t = plane->normal_t * unit;
    if (plane->normal) {
        value += elv_continuation_product(c, plane->normal, problem->nu);
        by_0 = elv_continuation_product(c, plane->normal, problem->d_nu);
        by_t += elv_continuation_product(c, plane->normal, c->nu_t);
    }
    double dt = (plane->target - value - by_0) / by_t;
    for (int i = 0; i < c->n; i++) {
        problem->d_nu[i] += dt * c->nu_t[i];
        problem->nu[i] += problem->d_nu[i];
    }
    problem->state->t += dt;
    return sqrt(elv_continuation_product(c, problem->d_nu, problem->d_nu) + dt * dt * unit);
}

int elv_continuation_correct(ElvContinuation* c, const ElvPlane* plane) {
    double past = INFINITY;
    for (int i = 1; i <= c->options.method.max_iterations && !elv_brake_ask(&c->brake); i++) {
        evaluate(c);
        // where the path is singular, rounding of a good guess would lead away from it
        if (i == 1 && c->model->is_constrained && measure(c) <= c->options.method.tolerance) {
            elv_problem_raise(&c->problem, c->scale);
            return i;
        }
        double step = correct_once(c, plane);
        c->report.n_iteration++;
        if (!isfinite(step) || step > 2.0 * past) {
            return 0;
        }
        past = step;
        elv_problem_residual(&c->problem, c->problem.nu);
        if (measure(c) <= c->options.method.tolerance || (step <= ROUNDING && is_closed(c))) {
            elv_problem_raise(&c->problem, c->scale);
            return i;
        }
    }
    return 0;
}

void elv_continuation_take(const ElvContinuation* c, ElvPlace* place) {
    const ElvState* state = c->problem.state;
    memcpy(place->state->q, state->q, (size_t)state->nq * sizeof(double));
    memcpy(place->state->z, state->z, (size_t)state->nz * sizeof(double));
    memset(place->state->v, 0, (size_t)state->nv * sizeof(double));
    memset(place->state->a, 0, (size_t)state->nv * sizeof(double));
    place->state->t = state->t;
}

// multiply the determinant of a place by that of the factors of a block
static void read_block(int n, const double* LU, const int* pivot, ElvPlace* place) {
    for (int k = 0; k < n; k++) {
        double entry = LU[k * n + k];
        place->sign = (pivot[k] != k) != (entry < 0.0) ? -place->sign : place->sign;
        place->log_det += log(fabs(entry));
    }
}

// logarithm and sign of the determinant in the last factorisation
static void read_determinant(const ElvContinuation* c, ElvPlace* place) {
    const ElvData* data = c->problem.data;
    place->log_det = 0.0;
    place->sign = 1;
    for (int j = 0; j < c->model->n_node; j++) {
        const ElvEliminated* e = &data->eliminated[j];
        const ElvJoint* joint = c->model->node[j].joint;
        read_block(joint->is_motion_driven ? 0 : joint->n_v, e->LU, e->pivot, place);
    }
    read_block(c->model->nz, data->border_S, data->border_pivot, place);
}

void elv_continuation_pin(ElvContinuation* c, int rank) {
    c->problem.data->border_pinned = rank;
}

bool elv_continuation_tangent(ElvContinuation* c, ElvPlace* place) {
    elv_continuation_chart(c, place);
    evaluate(c);
    if (!eliminate(c)) {
        return false;
    }
    place->rank = c->problem.data->border_rank;
    if (!c->model->is_constrained) {
        read_determinant(c, place);
    }
    double square = elv_continuation_product(c, c->nu_t, c->nu_t) + 1.0 / (c->range * c->range);
    double unit = 1.0 / sqrt(square);
    for (int i = 0; i < c->n; i++) {
        place->tangent[i] = unit * c->nu_t[i];
    }
    place->tangent_t = unit;
    return isfinite(unit) && unit > 0.0;
}

int elv_continuation_step(
    ElvContinuation* c, const ElvPlace* from, double length, ElvPlace* to, double* off) {
    ElvProblem* problem = &c->problem;
    const ElvPlane plane = {from->tangent, from->tangent_t, length};
    elv_continuation_chart(c, from);
    for (int i = 0; i < c->n; i++) {
        problem->nu[i] = length * from->tangent[i];
    }
    problem->state->t = c->t_chart + length * from->tangent_t;
    int n_iteration = elv_continuation_correct(c, &plane);
    if (n_iteration == 0) {
        return 0;
    }
    elv_continuation_take(c, to);
    to->length = from->length + length;
    double square = 0.0;
    for (int i = 0; i < c->n; i++) {
        double miss = problem->nu[i] - length * from->tangent[i];
        square += c->weight[i] * miss * miss;
    }
    *off = sqrt(square) / fabs(length);
    return n_iteration;
}
