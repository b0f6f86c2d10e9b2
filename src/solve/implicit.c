// SPDX-License-Identifier: Apache-2.0
// Implicit time integration: predictor, Newton corrector, recovery of failing steps [P23 (10)-(18)].
//
// A step of length dt looks for the increment nu of the coordinates, charted from the start of the
// step, that makes the residual vanish at its end. Steps end at the multiples of the nominal step and
// at the breakpoints of laws; there, and at the start, accelerations are made consistent with the
// dynamics. A step that fails is tried from other predictors, then cut in half, at most max_halvings
// times. What the next step depends on is in the State alone: a run goes on from a copy of it with the
// same bits.
#include "solve/integrator.h"
#include "solve/newton.h"
#include "solve/scheme.h"
#include "solve/step_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ElvIntegrator head; // first: an Implicit* is an ElvIntegrator*
    ElvScheme scheme;
    ElvNewtonOptions newton;
    ElvProblem problem;
    ElvState* now;     // last accepted state
    ElvState* before;  // state at the start of the last step
    double *w, *w_dot; // rates at the start of the step                      (nv)
    double* rates_end; // rates at its end, then accelerations                (2 nv)
    double* defect;    // estimate of the error of its increment              (nv)
    double t_stop;     // breakpoint that ends the smooth interval
    bool must_restart; // now is at a breakpoint
    ElvIntegratorReport report;
} Implicit;

/// Ends of steps that are closer than this fraction of a step are the same.
static const double GRID_SLACK = 1e-6;

/// A predictor that asks for no more than so many times the largest efforts so far needs no rival.
static const double GOOD_GUESS = 1.0;

static double nominal_step(const Implicit* self) {
    return self->head.options.step > 0.0 ? self->head.options.step : 0.01;
}

// ---- start and restart

// consistent accelerations, and a fresh memory
static void restart(Implicit* self, ElvState* state) {
    // laws are seen from the right of a breakpoint
    double t = state->t;
    state->t = nextafter(t, INFINITY);
    if (!elv_consistent_acceleration(&self->problem, state)) {
        // a massless coordinate: start without its acceleration
        memset(state->a, 0, (size_t)state->nv * sizeof *state->a);
        elv_state_impose(self->head.model, state);
    }
    elv_problem_chart(&self->problem, state);
    memcpy(state->aux, self->problem.w_dot, (size_t)state->nv * sizeof *state->aux);
    memcpy(state->effort, self->problem.scale, (size_t)state->nv * sizeof *state->effort);
    state->t = t;
    state->step_past = 0.0;
    self->must_restart = false;
}

static bool is_breakpoint(ElvIntegrator* integrator, double t) {
    return elv_integrator_breakpoint(integrator, nextafter(t, -INFINITY), t) == t;
}

static ElvStatus implicit_start(ElvIntegrator* integrator, ElvState* state, ElvError* error) {
    Implicit* self = (Implicit*)integrator;
    (void)error;
    memset(&self->report, 0, sizeof self->report);
    if (state->step_past > 0.0) {
        // a state that comes from a run of this kind goes on with its memory
        memcpy(self->problem.scale, state->effort, (size_t)state->nv * sizeof(double));
        self->must_restart = is_breakpoint(integrator, state->t);
    } else {
        memset(self->problem.scale, 0, (size_t)state->nv * sizeof(double));
        state->step_next = 0.0;
        restart(self, state);
    }
    elv_state_copy(self->now, state);
    elv_state_copy(self->before, state);
    return ELV_OK;
}

// ---- one step

// Accelerations of motions that the first step cannot resolve must not enter the memory of a method that
// damps them: its high frequencies would first grow, by the powers of a triple root, before they decay.
static void filter_acceleration(Implicit* self, double dt) {
    ElvState* now = self->now;
    double h = sqrt(1.0 - self->scheme.radius) * dt;
    if (h > 0.0 && now->step_past == 0.0) {
        // laws are seen from the right of a breakpoint
        double t = now->t;
        now->t = nextafter(t, INFINITY);
        (void)elv_resolved_acceleration(&self->problem, now, h, now->aux);
        now->t = t;
    }
}

// the predictors, from the boldest
enum { AS_BEFORE, CONSTANT_VELOCITY, AT_REST, N_PREDICTOR };

static void predict(Implicit* self, int predictor, double dt) {
    int nv = self->now->nv;
    double* nu = self->problem.nu;
    self->problem.is_current = false;
    if (predictor == AS_BEFORE) {
        elv_scheme_extrapolate(&self->scheme, nv, dt, self->now, self->w, nu);
        return;
    }
    for (int i = 0; i < nv; i++) {
        nu[i] = predictor == AT_REST ? 0.0 : dt * self->w[i];
    }
}

// the predictors, best first: rivals are evaluated only where the boldest one is poor, as it is for
// motions that the step does not resolve, and only while they are better
static void rank_predictors(Implicit* self, double dt, int order[N_PREDICTOR]) {
    double norm[N_PREDICTOR];
    double last = INFINITY;
    int n = 0;
    for (int k = 0; k < N_PREDICTOR; k++) {
        predict(self, k, dt);
        norm[k] = elv_problem_guess(&self->problem);
        norm[k] = isnan(norm[k]) ? INFINITY : norm[k];
        self->report.n_evaluation++;
        int place = n++;
        for (; place > 0 && norm[k] < norm[order[place - 1]]; place--) {
            order[place] = order[place - 1];
        }
        order[place] = k;
        bool is_enough = k == 0 ? norm[k] <= GOOD_GUESS : norm[k] > last;
        last = norm[k];
        if (is_enough) {
            break;
        }
    }
    for (int k = n; k < N_PREDICTOR; k++) {
        order[k] = k;
    }
    if (order[0] != n - 1) {
        predict(self, order[0], dt);
    }
}

// one step of length dt from self->now; on success problem.state is its end
static ElvStatus try_step(Implicit* self, double dt, double t_end, ElvNewtonReport* newton) {
    ElvProblem* problem = &self->problem;
    size_t nv = (size_t)self->now->nv;
    filter_acceleration(self, dt);
    elv_problem_chart(problem, self->now);
    memcpy(self->w, problem->w, nv * sizeof *self->w);
    bool is_first = self->now->step_past == 0.0;
    memcpy(self->w_dot, is_first ? self->now->aux : problem->w_dot, nv * sizeof *self->w_dot);
    elv_scheme_begin(&self->scheme, self->now->nv, dt, self->now, self->w, self->w_dot, &problem->a,
                     &problem->b, problem->f, problem->h);
    // laws are seen from the left of a breakpoint
    problem->state->t = t_end < self->t_stop ? t_end : nextafter(self->t_stop, -INFINITY);
    int order[N_PREDICTOR];
    rank_predictors(self, dt, order);
    ElvStatus status = ELV_ERROR_NUMERIC;
    for (int k = 0; k < N_PREDICTOR && status != ELV_OK; k++) {
        if (k > 0) {
            predict(self, order[k], dt);
        }
        status = elv_newton_solve(problem, &self->newton, newton);
        self->report.n_iteration += newton->n_iteration;
        self->report.n_jacobian += newton->n_jacobian;
        self->report.n_evaluation += newton->n_evaluation;
    }
    return status;
}

// accept the end of the step as the new state
static void accept_step(Implicit* self, double dt, double t_end, const ElvNewtonReport* newton) {
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
    memcpy(now->effort, problem->scale, nv * sizeof(double));
    elv_scheme_end(&self->scheme, now->nv, dt, self->w, problem->nu, problem->w_dot, now);
    for (int i = 0; i < now->nv; i++) {
        now->aux[i] = elv_model_is_driven(self->head.model, i) ? problem->w_dot[i] : now->aux[i];
    }
    now->t = t_end;
    self->must_restart = t_end >= self->t_stop;
    self->report.n_step++;
    self->report.last_step = dt;
    self->report.last_iterations = newton->n_iteration;
    self->report.last_residual = newton->residual;
}

static ElvStatus give_up(const Implicit* self,
                         ElvStatus status,
                         double dt,
                         const ElvNewtonReport* newton,
                         ElvError* error) {
    const char* name = elv_problem_culprit(&self->problem, newton);
    if (status == ELV_ERROR_SINGULAR) {
        return elv_error_set(error, ELV_ERROR_SINGULAR, name, "",
                             "the tangent is singular at a coordinate of '%s' (t = %.9g): give it "
                             "mass, stiffness or damping, or fewer modes",
                             name, self->now->t);
    }
    return elv_error_set(
        error, ELV_ERROR_STEP, name, "",
        "Newton does not converge at t = %.9g, not even with a step of %.3g s "
        "(residual %.3g, worst at '%s'): smaller steps, damping, or a smoother law "
        "may help",
        self->now->t, dt, newton->residual, name);
}

// ---- the length of steps

// end of the next try: the nominal grid, the step that was cut or controlled, the limits
static double choose_end(const Implicit* self, double t_limit) {
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
static bool control_error(Implicit* self, double dt) {
    if (!self->head.options.is_adaptive) {
        return true;
    }
    const ElvState* now = self->now;
    double tried = now->step_next;
    elv_scheme_defect(&self->scheme, now->nv, dt, self->before, now, self->w, self->rates_end,
                      self->defect);
    double ratio = elv_step_error(self->head.model, &self->head.options, now, self->defect);
    double factor = ratio > 0.0 ? fmin(2.0, fmax(0.2, 0.9 / cbrt(ratio))) : 2.0;
    double next = factor * dt;
    // a step that a limit has cut says nothing against longer ones
    next = ratio <= 1.0 ? fmax(next, tried) : next;
    self->now->step_next = fmin(nominal_step(self), next);
    return ratio <= 1.0;
}

// back to the state before the step, but for the step to try
static void undo_step(Implicit* self) {
    double next = self->now->step_next;
    elv_state_copy(self->now, self->before);
    memcpy(self->problem.scale, self->now->effort, (size_t)self->now->nv * sizeof(double));
    self->now->step_next = next;
    self->must_restart = false;
    self->report.n_step--;
    self->report.n_reject++;
}

static ElvStatus
implicit_step(ElvIntegrator* integrator, double t_limit, ElvState* state, ElvError* error) {
    Implicit* self = (Implicit*)integrator;
    ElvState* now = self->now;
    if (t_limit <= now->t) {
        return ELV_OK;
    }
    if (self->must_restart) {
        restart(self, now);
        elv_state_copy(self->before, now);
    }
    // laws are searched one duration ahead, and no step goes further
    t_limit = fmin(t_limit, now->t + integrator->options.duration);
    self->t_stop = elv_integrator_breakpoint(integrator, now->t, t_limit);
    double step = nominal_step(self);
    double smallest = step * ldexp(1.0, -integrator->options.max_halvings);
    double asked = now->step_next;
    for (;;) {
        double t_end = choose_end(self, t_limit);
        double dt = t_end - now->t;
        ElvNewtonReport newton;
        ElvStatus status = try_step(self, dt, t_end, &newton);
        if (status == ELV_OK) {
            accept_step(self, dt, t_end, &newton);
            if (control_error(self, dt) || dt <= smallest) {
                break;
            }
            undo_step(self);
            continue;
        }
        now->step_next = 0.5 * dt;
        self->report.n_halving++;
        if (now->step_next < smallest) {
            now->step_next = asked;
            return give_up(self, status, dt, &newton, error);
        }
    }
    if (!integrator->options.is_adaptive && now->step_next > 0.0) {
        now->step_next = 2.0 * now->step_next < step ? 2.0 * now->step_next : 0.0;
    }
    elv_state_copy(state, now);
    return ELV_OK;
}

// cubic Hermite interpolation of nu between its ends, its derivative for the rates
static ElvStatus
implicit_interpolate(ElvIntegrator* integrator, double t, ElvState* state, ElvError* error) {
    Implicit* self = (Implicit*)integrator;
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
    const double* end = self->rates_end;
    int nv = state->nv;
    for (int i = 0; i < nv; i++) {
        double nu = self->now->nu_past[i];
        double s0 = dt * self->w[i];
        double s1 = dt * end[i];
        double c2 = 3.0 * nu - 2.0 * s0 - s1;
        double c3 = s0 + s1 - 2.0 * nu;
        problem->trial[i] = x * (s0 + x * (c2 + x * c3));
        problem->w[i] = (s0 + x * (2.0 * c2 + 3.0 * x * c3)) / dt;
        problem->w_dot[i] = (1.0 - x) * self->w_dot[i] + x * end[nv + i];
    }
    state->t = t;
    elv_chart_state(model, self->before->q, problem->trial, problem->w, problem->w_dot, state);
    return ELV_OK;
}

static ElvIntegratorReport implicit_report(const ElvIntegrator* integrator) {
    return ((const Implicit*)integrator)->report;
}

static void implicit_free(ElvIntegrator* integrator) {
    Implicit* self = (Implicit*)integrator;
    elv_problem_free(&self->problem);
    elv_state_free(self->now);
    elv_state_free(self->before);
    free(self->w);
    free(self);
}

static const ElvIntegratorOps implicit_ops = {
    .free = implicit_free,
    .start = implicit_start,
    .step = implicit_step,
    .interpolate = implicit_interpolate,
    .report = implicit_report,
};

ElvStatus elv_implicit_create(const ElvModel* model,
                              const ElvSimulateDef* options,
                              ElvIntegrator** integrator,
                              ElvError* error) {
    Implicit* self = calloc(1, sizeof *self);
    if (!self) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    size_t nv = (size_t)elv_model_nv(model);
    ElvStatus status = elv_integrator_init(&self->head, &implicit_ops, model, options, error);
    self->scheme = elv_scheme_from_options(options);
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
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &self->now, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &self->before, error);
    }
    if (status != ELV_OK) {
        elv_integrator_free(&self->head);
        return status;
    }
    *integrator = &self->head;
    return ELV_OK;
}
