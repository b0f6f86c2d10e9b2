// SPDX-License-Identifier: Apache-2.0
// Implicit time integration: predictor, Newton corrector, recovery of failing steps [P23 (10)-(18)].
//
// A step of length dt looks for the increment nu of the coordinates, charted from the start of the
// step, that makes the residual vanish at its end. Steps end at the multiples of the nominal step and
// at the breakpoints of laws; there, and at the start, they begin anew (implicit_start.c). A step
// that fails is tried from other predictors, then cut in half, at most max_halvings times. Methods
// that damp what steps do not resolve do so thoroughly in the first steps, if it has much of the energy,
// and after a failure; a step that creates energy counts as one. What the next step depends on is in
// the State alone: a run goes on from a copy of it with the same bits.
#include "solve/implicit.h"

#include "multibody/rod_contact.h"
#include "solve/predictor.h"
#include "solve/step_energy.h"
#include "solve/step_error.h"
#include "solve/step_failure.h"
#include "solve/step_offset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Ends of steps that are closer than this fraction of a step are the same.
static const double GRID_SLACK = 1e-6;

/// Three steps of the calming method leave nothing of infinite frequencies.
enum { CALMING_STEPS = 3, RECOVERY_STEPS = 4, EASY_ITERATIONS = 5 };

/// A method that damps may create no more than a fraction of the energy: a small one while fast motions
/// are calmed. Later, steps that were easy to solve are not asked.
static const double STRICT_GROWTH = 0.02;
static const double LAX_GROWTH = 0.25;

static double nominal_step(const ElvImplicit* self) {
    return self->head.options.step > 0.0 ? self->head.options.step : 0.01;
}

// ---- one step

static const ElvScheme* choose_scheme(const ElvImplicit* self) {
    int n = self->now->n_calm;
    return n < 0 ? &self->recovery : n < CALMING_STEPS ? &self->calming : &self->steady;
}

// Accelerations of motions that the first step cannot resolve must not enter the memory of a method that
// damps them: its high frequencies would first grow, by the powers of a multiple root, before they decay.
static void filter_acceleration(ElvImplicit* self, double dt) {
    double h = sqrt(1.0 - self->scheme->radius) * dt;
    double lead = elv_scheme_lead(self->scheme) * dt;
    if (h > 0.0 && self->now->step_past == 0.0) {
        (void)elv_resolved_acceleration(&self->problem, self->now, h, lead, self->now->aux);
    }
}

// what a first step needs to know
static void begin_step(ElvImplicit* self, double dt) {
    ElvState* now = self->now;
    // laws are seen from the right of a breakpoint
    double t = now->t;
    now->t = nextafter(t, INFINITY);
    if (self->steady.radius < 1.0 && now->step_past == 0.0 && now->n_calm == 0 &&
        !elv_start_is_fast(&self->problem, now, dt)) {
        now->n_calm = CALMING_STEPS;
    }
    self->scheme = choose_scheme(self);
    filter_acceleration(self, dt);
    elv_step_offset(&self->problem, self->scheme, self->head.options.projects_velocity, dt, now,
                    self->defect);
    now->t = t;
}

// one step of length dt from self->now; on success problem.state is its end
static ElvStatus try_step(ElvImplicit* self, double dt, double t_end, ElvNewtonReport* newton) {
    ElvProblem* problem = &self->problem;
    size_t nv = (size_t)self->now->nv;
    begin_step(self, dt);
    elv_problem_chart(problem, self->now);
    for (size_t i = 0; i < nv; i++) {
        self->w[i] = problem->w[i] + self->defect[i];
    }
    bool is_first = self->now->step_past == 0.0;
    memcpy(self->w_dot, is_first ? self->now->aux : problem->w_dot, nv * sizeof *self->w_dot);
    elv_scheme_begin(self->scheme, self->now->nv, dt, self->now, self->w, self->w_dot, &problem->a,
                     &problem->b, problem->f, problem->h);
    problem->rule.step = 0.5 * dt;
    // laws are seen from the left of a breakpoint
    problem->state->t = t_end < self->t_stop ? t_end : nextafter(self->t_stop, -INFINITY);
    ElvPredictor order[ELV_N_PREDICTOR];
    self->report.n_evaluation +=
        elv_predictor_order(problem, self->scheme, dt, self->now, self->w, order);
    ElvStatus status = ELV_ERROR_NUMERIC;
    for (int k = 0; k < ELV_N_PREDICTOR && status != ELV_OK && !self->head.brake.is_on; k++) {
        if (k > 0) {
            elv_predict(problem, self->scheme, order[k], dt, self->now, self->w);
        }
        status = elv_newton_solve(problem, &self->newton, newton);
        self->report.n_iteration += newton->n_iteration;
        self->report.n_jacobian += newton->n_jacobian;
        self->report.n_evaluation += newton->n_evaluation;
    }
    if (status == ELV_OK && !elv_problem_is_finite(problem)) {
        return ELV_ERROR_NUMERIC;
    }
    bool is_within =
        status != ELV_OK || elv_device_range(problem->model, problem->state, NULL) == ELV_OK;
    return is_within ? status : ELV_ERROR_STEP;
}

// accept the end of the step as the new state
static void accept_step(ElvImplicit* self, double dt, double t_end, const ElvNewtonReport* newton) {
    ElvProblem* problem = &self->problem;
    ElvState* now = self->now;
    size_t nv = (size_t)now->nv;
    elv_problem_settle(problem, dt, self->w);
    elv_state_copy(self->before, now);
    memcpy(self->rates_end, problem->w, nv * sizeof(double));
    memcpy(self->rates_end + nv, problem->w_dot, nv * sizeof(double));
    memcpy(now->q, problem->state->q, (size_t)now->nq * sizeof(double));
    memcpy(now->v, problem->state->v, nv * sizeof(double));
    memcpy(now->a, problem->state->a, nv * sizeof(double));
    memcpy(now->effort, problem->scale, (size_t)problem->n * sizeof(double));
    elv_border_accept(self->head.model, &problem->rule, problem->state->z, now);
    elv_scheme_end(self->scheme, now->nv, dt, self->w, problem->nu, problem->w_dot, now);
    if (self->head.options.projects_velocity && self->head.model->is_constrained) {
        elv_close_step(problem, t_end, now);
    }
    for (int i = 0; i < now->nv; i++) {
        now->aux[i] = elv_model_is_driven(self->head.model, i) ? problem->w_dot[i] : now->aux[i];
    }
    now->t = t_end;
    now->n_calm = now->n_calm < CALMING_STEPS ? now->n_calm + 1 : CALMING_STEPS;
    self->must_restart = t_end >= self->t_stop;
    self->report.n_step++;
    self->report.last_step = dt;
    self->report.last_iterations = newton->n_iteration;
    self->report.last_residual = newton->residual;
}

// ---- the length of steps

// end of the next try: the nominal grid, the step that was cut or controlled, the limits
static double choose_end(const ElvImplicit* self, double t_limit) {
    double step = nominal_step(self);
    double t = self->now->t;
    double t_stop = fmin(t_limit, self->t_stop);
    double next = self->now->step_next;
    double t_end = step * (floor(t / step + GRID_SLACK) + 1.0);
    if (next > 0.0) {
        t_end = self->head.options.is_adaptive ? t + next : fmin(t_end, t + next);
    }
    return t_end > t_stop - GRID_SLACK * step ? t_stop : t_end;
}

// whether the error estimate lets the step pass; sets the next step
static bool control_error(ElvImplicit* self, double dt) {
    if (!self->head.options.is_adaptive) {
        return true;
    }
    const ElvState* now = self->now;
    double tried = now->step_next;
    elv_scheme_defect(self->scheme, now->nv, dt, self->before, now, self->w, self->rates_end,
                      self->defect);
    double ratio = elv_step_error(self->head.model, &self->head.options, now, self->defect);
    double factor = ratio > 0.0 ? fmin(2.0, fmax(0.2, 0.9 / cbrt(ratio))) : 2.0;
    double next = factor * dt;
    // a step that a limit has cut says nothing against longer ones
    next = ratio <= 1.0 ? fmax(next, tried) : next;
    self->now->step_next = fmin(nominal_step(self), next);
    return ratio <= 1.0;
}

// whether the step has created no energy; asked of methods that damp, where it is in doubt
static bool is_balanced(ElvImplicit* self, const ElvNewtonReport* newton) {
    bool is_steady = self->scheme == &self->steady;
    return self->steady.radius == 1.0 || (is_steady && newton->n_iteration <= EASY_ITERATIONS) ||
           elv_step_growth(&self->problem, self->before, self->now, self->now->nu_past) <=
               (is_steady ? LAX_GROWTH : STRICT_GROWTH);
}

// back to the state before the step, but for the step to try
static void undo_step(ElvImplicit* self) {
    double next = self->now->step_next;
    elv_state_copy(self->now, self->before);
    memcpy(self->problem.scale, self->now->effort, (size_t)self->problem.n * sizeof(double));
    self->now->step_next = next;
    self->must_restart = false;
    self->report.n_step--;
}

// the next step: shorter ones are tried until one is sound, or the shortest has failed
static ElvStatus find_step(ElvImplicit* self, double t_limit, ElvError* error) {
    ElvState* now = self->now;
    double smallest = nominal_step(self) * ldexp(1.0, -self->head.options.max_halvings);
    double asked = now->step_next;
    int calm = now->n_calm;
    for (;;) {
        double t_end = choose_end(self, t_limit);
        double dt = t_end - now->t;
        ElvNewtonReport newton;
        ElvStatus status = try_step(self, dt, t_end, &newton);
        // a law that leaves its range is no matter of the step's length
        if (elv_device_check(self->head.model, self->problem.state->t, error) != ELV_OK) {
            now->step_next = asked;
            return ELV_ERROR_NUMERIC;
        }
        if (status == ELV_OK) {
            accept_step(self, dt, t_end, &newton);
            bool is_sound = 0.5 * dt < smallest || is_balanced(self, &newton);
            if (is_sound && (control_error(self, dt) || dt <= smallest)) {
                return ELV_OK;
            }
            undo_step(self);
            if (is_sound) {
                self->report.n_reject++;
                continue;
            }
        }
        if (self->head.brake.is_on) {
            now->step_next = asked;
            now->n_calm = calm;
            return ELV_ERROR_CANCELLED;
        }
        // shorter, and by a method that leaves nothing of what is fast
        now->step_next = 0.5 * dt;
        now->n_calm = -RECOVERY_STEPS;
        self->report.n_halving++;
        if (now->step_next < smallest) {
            now->step_next = asked;
            now->n_calm = calm;
            return elv_step_failure(&self->problem, &self->steady, status, now, dt, &newton, error);
        }
    }
}

static ElvStatus
implicit_step(ElvIntegrator* integrator, double t_limit, ElvState* state, ElvError* error) {
    ElvImplicit* self = (ElvImplicit*)integrator;
    ElvState* now = self->now;
    if (t_limit <= now->t) {
        return ELV_OK;
    }
    if (self->must_restart) {
        elv_implicit_restart(self);
    }
    // laws are searched one duration ahead, and no step goes further
    t_limit = fmin(t_limit, now->t + integrator->options.duration);
    self->t_stop = elv_integrator_breakpoint(integrator, now->t, t_limit);
    ElvStatus status = find_step(self, t_limit, error);
    if (status != ELV_OK) {
        return status;
    }
    if (integrator->model->is_constrained) {
        elv_closure_watch(&self->problem, now, &self->report.closure);
    }
    now->work = elv_implicit_work(self, now, now->nu_past);
    // back to the nominal step, by doubling
    if (!integrator->options.is_adaptive && now->step_next > 0.0) {
        double next = 2.0 * now->step_next;
        now->step_next = next < nominal_step(self) ? next : 0.0;
    }
    elv_state_copy(state, now);
    return ELV_OK;
}

// cubic Hermite interpolation of nu between its ends, its derivative for the rates
static ElvStatus
implicit_interpolate(ElvIntegrator* integrator, double t, ElvState* state, ElvError* error) {
    ElvImplicit* self = (ElvImplicit*)integrator;
    const ElvModel* model = integrator->model;
    double dt = self->now->t - self->before->t;
    double x = dt > 0.0 ? (t - self->before->t) / dt : 1.0;
    if (t == self->now->t) {
        elv_state_copy(state, self->now);
        return ELV_OK;
    }
    if (!(x >= 0.0 && x <= 1.0)) {
        return elv_error_set(error, ELV_ERROR_STEP, "", "", "t = %.9g is not within the last step",
                             t);
    }
    ElvProblem* problem = &self->problem;
    int nv = state->nv;
    elv_scheme_interpolate(nv, dt, x, self->w, self->rates_end, self->now->nu_past, problem->trial,
                           problem->w);
    for (int i = 0; i < nv; i++) {
        problem->w_dot[i] = (1.0 - x) * self->w_dot[i] + x * self->rates_end[nv + i];
    }
    state->t = t;
    elv_border_between(self->before, self->now, x, state);
    elv_chart_state(model, self->before->q, problem->trial, problem->w, problem->w_dot, state);
    elv_device_place(model, problem->data, state);
    state->work = elv_implicit_work(self, state, problem->trial);
    return ELV_OK;
}

static ElvIntegratorReport implicit_report(const ElvIntegrator* integrator) {
    return ((const ElvImplicit*)integrator)->report;
}

static void implicit_free(ElvIntegrator* integrator) {
    ElvImplicit* self = (ElvImplicit*)integrator;
    elv_problem_free(&self->problem);
    elv_reduced_free(self->reduced);
    elv_state_free(self->now);
    elv_state_free(self->before);
    elv_state_free(self->mean);
    free(self->w);
    free(self);
}

static const ElvIntegratorOps implicit_ops = {
    .free = implicit_free,
    .start = elv_implicit_start,
    .step = implicit_step,
    .interpolate = implicit_interpolate,
    .report = implicit_report,
};

ElvStatus elv_implicit_create(const ElvModel* model,
                              const ElvSimulateDef* options,
                              ElvIntegrator** integrator,
                              ElvError* error) {
    ElvStatus status = elv_rod_contact_refuse(model, error);
    if (status == ELV_OK) {
        status = elv_model_refuse_volume(model, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    ElvImplicit* self = calloc(1, sizeof *self);
    if (!self) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    size_t nv = (size_t)elv_model_nv(model);
    status = elv_integrator_init(&self->head, &implicit_ops, model, options, error);
    self->steady = elv_scheme_from_options(options);
    self->calming = elv_scheme_calming(&self->steady);
    self->recovery = elv_scheme_recovery(&self->steady);
    self->newton.tol = options->newton_tol;
    self->newton.max_iterations = options->max_iterations;
    self->newton.reuse_jacobian = options->reuse_jacobian;
    self->w = calloc(5 * nv + 1, sizeof *self->w);
    if (status == ELV_OK && !self->w) {
        status = elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    if (status == ELV_OK) {
        self->w_dot = self->w + nv;
        self->rates_end = self->w + 2 * nv;
        self->defect = self->w + 4 * nv;
        status = elv_problem_create(model, &self->problem, error);
        self->problem.brake = &self->head.brake;
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &self->now, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &self->before, error);
    }
    if (status == ELV_OK && self->head.options.keeps_work) {
        status = elv_state_create(model, &self->mean, error);
    }
    if (status == ELV_OK && elv_reduced_is_wanted(model)) {
        status = elv_reduced_create(model, &self->reduced, error);
    }
    if (status != ELV_OK) {
        elv_integrator_free(&self->head);
        return status;
    }
    *integrator = &self->head;
    return ELV_OK;
}
