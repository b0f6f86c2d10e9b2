// SPDX-License-Identifier: Apache-2.0
// Newton's method on the residual [P23 (16)-(18), (22)], with the exact tangent and the tree solve.
//
// Convergence is judged by the efforts met at solutions so far and at the point in hand. Efforts at
// trial points do not count: one wild guess of a stiff motion would make any residual look small from
// then on. A trial of the line search is good when the Newton step from there, with the same tangent,
// is shorter (Deuflhard's natural monotonicity test, blind to the scales of residuals), or when the
// residual is smaller, both measured by the efforts at both points. That test leaves a step in hand:
// it is the next one where factors are kept, and the last one, without another residual, where the
// convergence seen so far promises more than the tolerance asks for.
#include "solve/newton.h"

#include "multibody/tidm.h"

#include <float.h>
#include <math.h>
#include <string.h>

/// Factors of an earlier point stay as long as they promise to end within so many iterations.
static const double REUSE_LIMIT = 3.0;

/// With kept factors residuals fall by twice the rate of the Newton step before (the derivative of a
/// square), and as much again is safe; rates that are worse than FAST_RATE say little.
static const double RATE_SAFETY = 4.0;
static const double FAST_RATE = 0.1;

/// Constraints may be open by this many tolerances where rounding ends an iteration.
static const double ROUNDING_SLACK = 100.0;

/// A residual so much larger than the efforts it is the sum of is no rounding: numbers have run away.
static const double ABSURD = 100.0;

enum { MAX_CUTS = 8 };

// a step this small beside the coordinates is lost in their rounding
static const double ROUNDING_STEP = 1e3 * DBL_EPSILON;

// relative residual that says nothing where the step is lost in rounding
static const double CANCELLED = 1e-6;

// relative norm of the residual of the last evaluation
static double measure(ElvProblem* problem) {
    memcpy(problem->bound, problem->scale, (size_t)problem->n * sizeof *problem->bound);
    elv_problem_raise(problem, problem->bound);
    return elv_problem_norm(problem, problem->residual, problem->bound);
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
    report->singular_node =
        elv_border_factor(problem->model, problem->data, problem->state, &problem->rule);
    report->n_jacobian++;
    if (report->singular_node >= 0) {
        return false;
    }
    elv_problem_floor(problem);
    elv_problem_solve(problem, problem->residual, problem->d_nu);
    return true;
}

static double step_length(int n, const double* step) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += step[i] * step[i];
    }
    return sqrt(sum);
}

// whether the coordinates of a Newton step are lost in their rounding
static bool is_still(const ElvProblem* problem, const double* d_nu) {
    double step = 0.0;
    double size = 0.0;
    for (int i = 0; i < problem->state->nq; i++) {
        size = fmax(size, fabs(problem->state->q[i]));
    }
    for (int i = 0; i < problem->model->nv; i++) {
        bool is_driven = problem->model->is_driven[i];
        step = fmax(step, fabs(d_nu[i]));
        size = fmax(size, is_driven ? 0.0 : fabs(problem->nu[i]));
    }
    return step <= ROUNDING_STEP * size;
}

// whether all of a Newton step is
static bool is_rounding(const ElvProblem* problem, const double* d_nu) {
    bool is_lost = is_still(problem, d_nu);
    for (int k = 0; k < problem->model->nz; k++) {
        double d_z = fabs(d_nu[problem->model->nv + k]);
        is_lost = is_lost && d_z <= ROUNDING_STEP * fabs(problem->state->z[k]);
    }
    return is_lost;
}

// whether the trial at length times d_nu is good; leaves the step still to go in d_next
static bool is_good_trial(ElvProblem* problem, double length) {
    int n = problem->model->nv;
    elv_problem_solve(problem, problem->residual, problem->d_next);
    double step = step_length(n, problem->d_nu);
    // where devices alone move, the coordinates have no say
    if (step_length(n, problem->d_next) <= step * (1.0 - 0.5 * length) ||
        (problem->model->nz > 0 && is_still(problem, problem->d_nu))) {
        return true;
    }
    elv_problem_raise(problem, problem->bound);
    double before = elv_problem_norm(problem, problem->before, problem->bound);
    double after = elv_problem_norm(problem, problem->residual, problem->bound);
    return after < before * (1.0 - 1e-4 * length);
}

// go by the longest of d_nu, d_nu/2, d_nu/4 … that is good; false when none is
static bool line_search(ElvProblem* problem, ElvNewtonReport* report) {
    int n = problem->n;
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

// whether linear convergence at the rate seen last reaches the tolerance soon
static bool is_worth_keeping(const ElvNewtonOptions* options, double before, double norm) {
    double rate = norm / before;
    return options->reuse_jacobian && rate < 1.0 && norm > 0.0 &&
           log(options->tol / norm) >= REUSE_LIMIT * log(rate);
}

// the rate of convergence that the last iteration promises: the worse of residuals and steps
static double promised_rate(const ElvProblem* problem, double before, double norm) {
    int n = problem->model->nv;
    double steps = step_length(n, problem->d_next) / step_length(n, problem->d_nu);
    return fmax(norm / before, steps);
}

// whether the step in hand is the last one: what it promises to leave is below the tolerance
static bool is_last_step(const ElvNewtonOptions* options,
                         const ElvNewtonReport* report,
                         double rate,
                         double norm) {
    return options->reuse_jacobian && report->n_iteration < options->max_iterations &&
           norm > options->tol && rate < FAST_RATE && RATE_SAFETY * rate * norm <= options->tol;
}

// go by the step in hand, and trust that it leaves so little
static void take_last_step(ElvProblem* problem, ElvNewtonReport* report, double promise) {
    for (int i = 0; i < problem->n; i++) {
        problem->nu[i] += problem->d_next[i];
    }
    elv_problem_place(problem, problem->nu);
    report->n_iteration++;
    note(report, promise);
}

// go by d_nu as far as it is good, and measure; false when nothing of it is
static bool improve(ElvProblem* problem, ElvNewtonReport* report, double* norm) {
    bool is_better = line_search(problem, report);
    report->n_iteration++;
    if (!is_better) {
        // back to the best point, perhaps for another try with a tangent of its own
        elv_problem_residual(problem, problem->nu);
        report->n_evaluation++;
    }
    *norm = measure(problem);
    note(report, *norm);
    return is_better;
}

// A step that is lost in rounding is the last one. But where constraints have become dependent, no step
// closes some of them, and what is left open is no rounding.
static ElvStatus accept_rounding(const ElvProblem* problem,
                                 const ElvNewtonOptions* options,
                                 double norm,
                                 ElvNewtonReport* report) {
    const ElvModel* model = problem->model;
    if (!(norm < ABSURD)) {
        return ELV_ERROR_NUMERIC;
    }
    for (int k = 0; k < model->nz && model->is_constrained; k++) {
        int i = model->nv + k;
        double allowed = ROUNDING_SLACK * options->tol * problem->bound[i];
        if (model->is_held[k] && fabs(problem->residual[i]) > allowed) {
            return ELV_ERROR_NUMERIC;
        }
    }
    // where forces cancel to their rounding, what is left is measured by itself: the step that it
    // asks for tells more
    if (report->residual > CANCELLED) {
        note(report, ROUNDING_STEP);
    }
    return ELV_OK;
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
        if (elv_brake_ask(problem->brake)) {
            return ELV_ERROR_CANCELLED;
        }
        bool is_fresh = !has_step;
        if (is_fresh && !find_step(problem, report)) {
            return ELV_ERROR_SINGULAR;
        }
        if (is_rounding(problem, problem->d_nu)) {
            return accept_rounding(problem, options, norm, report);
        }
        double before = norm;
        bool is_better = improve(problem, report, &norm);
        if (!is_better && is_fresh) {
            return ELV_ERROR_NUMERIC;
        }
        // what is left to do, by the factors in hand
        if (is_better && norm > options->tol && is_rounding(problem, problem->d_next)) {
            return accept_rounding(problem, options, norm, report);
        }
        double rate = is_better ? promised_rate(problem, before, norm) : 1.0;
        if (is_last_step(options, report, rate, norm)) {
            take_last_step(problem, report, RATE_SAFETY * rate * norm);
            return ELV_OK;
        }
        has_step = is_better && is_worth_keeping(options, before, norm);
        if (has_step) {
            memcpy(problem->d_nu, problem->d_next, (size_t)problem->n * sizeof(double));
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
