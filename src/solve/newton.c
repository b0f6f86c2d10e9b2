// SPDX-License-Identifier: Apache-2.0
// Newton's method on the residual [P23 (16)-(18), (22)], with the exact tangent and the tree solve.
//
// Convergence is judged by the efforts met at solutions so far and at the point in hand. Efforts at
// trial points do not count: one wild guess of a stiff motion would make any residual look small from
// then on. A trial of the line search is good when the Newton step from there, with the same tangent,
// is shorter (Deuflhard's natural monotonicity test, blind to the scales of residuals), or when the
// residual is smaller, both measured by the efforts at both points.
#include "solve/newton.h"

#include "multibody/tidm.h"

#include <float.h>
#include <math.h>
#include <string.h>

/// Factors of an earlier point stay as long as they promise to end within so many iterations.
static const double REUSE_LIMIT = 2.0;

enum { MAX_CUTS = 8 };

// relative norm of the residual of the last evaluation
static double measure(ElvProblem* problem) {
    int n = problem->model->nv;
    memcpy(problem->bound, problem->scale, (size_t)n * sizeof *problem->bound);
    elv_problem_raise(problem, problem->bound);
    return elv_residual_norm(n, problem->residual, problem->bound);
}

static void note(ElvNewtonReport* report, double norm) {
    report->residual = norm;
    if (report->n_iteration < ELV_NEWTON_TRACE) {
        report->trace[report->n_iteration] = norm;
    }
}

// tangent at the state of the last evaluation, factored, and the step it gives
static bool find_step(ElvProblem* problem, ElvNewtonReport* report) {
    elv_tidm_pass(problem->model, problem->data, problem->state, problem->nu, problem->a,
                  problem->b);
    report->singular_node = elv_tree_factor(problem->model, problem->data);
    report->n_jacobian++;
    if (report->singular_node >= 0) {
        return false;
    }
    elv_tree_solve(problem->model, problem->data, problem->residual, problem->d_nu);
    return true;
}

static double step_length(int n, const double* step) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += step[i] * step[i];
    }
    return sqrt(sum);
}

// whether the trial at length times d_nu is good; leaves the step still to go in d_next
static bool is_good_trial(ElvProblem* problem, double length) {
    int n = problem->model->nv;
    elv_tree_solve(problem->model, problem->data, problem->residual, problem->d_next);
    double step = step_length(n, problem->d_nu);
    if (step_length(n, problem->d_next) <= step * (1.0 - 0.5 * length)) {
        return true;
    }
    elv_problem_raise(problem, problem->bound);
    double before = elv_residual_norm(n, problem->before, problem->bound);
    double after = elv_residual_norm(n, problem->residual, problem->bound);
    return after < before * (1.0 - 1e-4 * length);
}

// go by the longest of d_nu, d_nu/2, d_nu/4 … that is good; false when none is
static bool line_search(ElvProblem* problem, ElvNewtonReport* report) {
    int n = problem->model->nv;
    double length = 1.0;
    memcpy(problem->before, problem->residual, (size_t)n * sizeof *problem->before);
    for (int cut = 0; cut <= MAX_CUTS; cut++, length *= 0.5) {
        for (int i = 0; i < n; i++) {
            problem->trial[i] = problem->nu[i] + length * problem->d_nu[i];
        }
        elv_problem_residual(problem, problem->trial);
        report->n_evaluation++;
        if (is_good_trial(problem, length)) {
            memcpy(problem->nu, problem->trial, (size_t)n * sizeof *problem->nu);
            return true;
        }
    }
    return false;
}

// whether the Newton step is lost in the rounding of the coordinates
static bool is_rounding(const ElvProblem* problem) {
    double step = 0.0;
    double size = 0.0;
    for (int i = 0; i < problem->state->nq; i++) {
        size = fmax(size, fabs(problem->state->q[i]));
    }
    for (int i = 0; i < problem->model->nv; i++) {
        bool is_driven = problem->model->is_driven[i];
        step = fmax(step, fabs(problem->d_nu[i]));
        size = fmax(size, is_driven ? 0.0 : fabs(problem->nu[i]));
    }
    return step <= 1e3 * DBL_EPSILON * size;
}

// whether linear convergence at the rate seen last reaches the tolerance soon
static bool is_worth_keeping(const ElvNewtonOptions* options, double before, double norm) {
    double rate = norm / before;
    return options->reuse_jacobian && rate < 1.0 && norm > 0.0 &&
           log(options->tol / norm) >= REUSE_LIMIT * log(rate);
}

static ElvStatus
iterate(ElvProblem* problem, const ElvNewtonOptions* options, ElvNewtonReport* report) {
    double norm = measure(problem);
    bool has_step = false;
    note(report, norm);
    while (!(norm <= options->tol)) {
        if (report->n_iteration >= options->max_iterations || !isfinite(norm)) {
            return ELV_ERROR_NUMERIC;
        }
        bool is_fresh = !has_step;
        if (is_fresh && !find_step(problem, report)) {
            return ELV_ERROR_SINGULAR;
        }
        if (is_rounding(problem)) {
            return ELV_OK;
        }
        bool is_better = line_search(problem, report);
        report->n_iteration++;
        if (!is_better) {
            // back to the best point, perhaps for another try with a tangent of its own
            elv_problem_residual(problem, problem->nu);
            report->n_evaluation++;
        }
        double before = norm;
        norm = measure(problem);
        note(report, norm);
        if (!is_better && is_fresh) {
            return ELV_ERROR_NUMERIC;
        }
        has_step = is_better && is_worth_keeping(options, before, norm);
        if (has_step) {
            memcpy(problem->d_nu, problem->d_next, (size_t)problem->model->nv * sizeof(double));
        }
    }
    return ELV_OK;
}

ElvStatus
elv_newton_solve(ElvProblem* problem, const ElvNewtonOptions* options, ElvNewtonReport* report) {
    memset(report, 0, sizeof *report);
    report->singular_node = -1;
    if (!problem->is_current) {
        elv_problem_residual(problem, problem->nu);
        report->n_evaluation++;
    }
    problem->is_current = false;
    ElvStatus status = iterate(problem, options, report);
    if (status == ELV_OK) {
        elv_problem_raise(problem, problem->scale);
    }
    return status;
}
