// SPDX-License-Identifier: Apache-2.0
// Constraints in tests: their tangents and derivatives against differences, and runs of models whose motion
// has a closed form.
#ifndef ELVER_TESTS_CONSTRAINT_CASE_H
#define ELVER_TESTS_CONSTRAINT_CASE_H

#include "border_case.h"
#include "elver/elver.h"

// ---- tangents and derivatives

/// The tangent of a step from a random state: differences of the residual fall with slope 2, then round.
static inline void constraint_tangent(const ModelCase* c, uint64_t seed) {
    ElvProblem problem = border_start(c->model, seed);
    double coarse = border_error(&problem, 1e-2, seed);
    double fine = border_error(&problem, 1e-3, seed);
    double finest = border_error(&problem, 1e-5, seed);
    CHECK_TRUE(coarse > 0.0 && fine < coarse / 50.0);
    CHECK_NEAR(finest, 0.0, 1e-7);
    elv_problem_free(&problem);
}

/// Rows where accelerations are the unknowns: the equations are linear in these and in z, so that any
/// difference is a derivative, but for rounding.
static inline void constraint_acceleration(const ModelCase* c, uint64_t seed) {
    ElvProblem problem = border_start(c->model, seed);
    const ElvModel* model = c->model;
    ElvState* state = problem.state;
    CheckRandom random = check_random(seed);
    double direction[64] = {0.0}, d_c[64], d_residual[64], before[64], after[64];
    CHECK_TRUE(problem.n <= 64);
    for (int i = 0; i < problem.n; i++) {
        bool is_driven = i < model->nv && model->is_driven[i];
        direction[i] = is_driven ? 0.0 : check_uniform(&random, -1.0, 1.0);
    }
    elv_residual(model, problem.data, state, problem.residual);
    elv_border_motion(model, problem.data, state, 2, 0.0, before);
    elv_tidm_pass(model, problem.data, state, NULL, 0.0, 1.0);
    ElvBorderRule rule = problem.rule;
    rule.is_motion = true;
    elv_border_apply(model, problem.data, state, &rule, direction, direction + model->nv,
                     d_residual, d_c);
    for (int i = 0; i < model->nv; i++) {
        state->a[i] += direction[i];
    }
    for (int k = 0; k < model->nz; k++) {
        state->z[k] += direction[model->nv + k];
    }
    elv_kinematics(model, problem.data, state);
    elv_border_motion(model, problem.data, state, 2, 0.0, after);
    for (int k = 0; k < model->nz; k++) {
        double size = 1.0 + fabs(before[k]) + fabs(after[k]);
        CHECK_NEAR(d_c[k], after[k] - before[k], 1e-12 * size);
    }
    elv_problem_free(&problem);
}

/// Defects at a level, a time t after the state that the problem was charted from, with constant
/// accelerations of the chart (problem->f and h are its rates there).
static inline void
constraint_defects(ElvProblem* problem, double t_start, double t, int level, double* c) {
    const ElvModel* model = problem->model;
    for (int i = 0; i < model->nv; i++) {
        problem->nu[i] = t * problem->f[i] + 0.5 * t * t * problem->h[i];
        problem->w[i] = problem->f[i] + t * problem->h[i];
    }
    problem->state->t = t_start + t;
    elv_chart_state(model, problem->q_n, problem->nu, problem->w, problem->h, problem->state);
    elv_kinematics(model, problem->data, problem->state);
    elv_border_motion(model, problem->data, problem->state, level, 0.0, c);
}

/// Largest difference of level + 1 from a central difference of a level, of the rows that `is_asked` tells.
static inline double constraint_rate_error(
    ElvProblem* problem, double t_start, int level, double h, bool (*is_asked)(int level, int k)) {
    double exact[64], after[64], before[64];
    double worst = 0.0;
    CHECK_TRUE(problem->model->nz <= 64);
    constraint_defects(problem, t_start, 0.0, level + 1, exact);
    constraint_defects(problem, t_start, h, level, after);
    constraint_defects(problem, t_start, -h, level, before);
    for (int k = 0; k < problem->model->nz; k++) {
        double rate = (after[k] - before[k]) / (2.0 * h);
        worst =
            is_asked(level, k) ? fmax(worst, fabs(exact[k] - rate) / (1.0 + fabs(rate))) : worst;
    }
    return worst;
}

/// Level 2 for unknowns of a step of length h: by h^2 where positions are asked for, by h where velocities are.
static inline void constraint_weights(ElvProblem* problem, bool (*is_asked)(int level, int k)) {
    const double h = 0.3;
    double plain[64], weighed[64];
    elv_border_motion(problem->model, problem->data, problem->state, 2, 0.0, plain);
    elv_border_motion(problem->model, problem->data, problem->state, 2, h, weighed);
    for (int k = 0; k < problem->model->nz; k++) {
        double weight = is_asked(0, k) ? h * h : is_asked(1, k) ? h : 1.0;
        CHECK_NEAR(weighed[k], weight * plain[k], 1e-14 * fabs(plain[k]));
    }
}

/// While constraints are mounted, positions are asked for what is left of their defects at the start.
static inline void constraint_mount(const ModelCase* c, uint64_t seed) {
    ElvProblem problem = border_start(c->model, seed);
    ElvScene scene = {c->model, problem.data, problem.state, NULL};
    double open[64], half[64], closed[64];
    elv_border_motion(c->model, problem.data, problem.state, 0, 0.0, open);
    for (int i = 0; i < c->model->n_device; i++) {
        const ElvDevice* device = c->model->device[i];
        device->ops->open(device, &scene);
    }
    problem.data->closure = 0.5;
    elv_border_motion(c->model, problem.data, problem.state, 0, 0.0, half);
    problem.data->closure = 0.0;
    elv_border_motion(c->model, problem.data, problem.state, 0, 0.0, closed);
    CHECK_TRUE(largest(open, (size_t)c->model->nz) > 1e-2);
    for (int k = 0; k < c->model->nz; k++) {
        CHECK_NEAR(half[k], 0.5 * open[k], 1e-15);
        CHECK_NEAR(closed[k], 0.0, 1e-15);
    }
    elv_problem_free(&problem);
}

/// Levels 1 and 2 against time differences of those below: slope 2, then rounding.
static inline void
constraint_levels(const ModelCase* c, uint64_t seed, bool (*is_asked)(int level, int k)) {
    ElvProblem problem = border_start(c->model, seed);
    // border_start leaves the rates of its chart in f and h
    double t = problem.state->t;
    constraint_weights(&problem, is_asked);
    for (int level = 0; level < 2; level++) {
        double coarse = constraint_rate_error(&problem, t, level, 1e-2, is_asked);
        double fine = constraint_rate_error(&problem, t, level, 1e-3, is_asked);
        double finest = constraint_rate_error(&problem, t, level, 1e-5, is_asked);
        CHECK_TRUE(fine <= coarse / 50.0);
        CHECK_NEAR(finest, 0.0, 1e-8);
    }
    elv_problem_free(&problem);
}

// ---- runs

enum { RUN_COLUMN = 32 };

/// One run with a record at every step.
typedef struct ConstraintRun ConstraintRun;
struct ConstraintRun {
    ElvMethod method;
    double step, t_end;
    const char* const* signal;
    int n_signal;
    // at each record: signals are in value
    void (*see)(ConstraintRun* run, ElvData* data, const ElvState* state);
    void* user;

    const ElvModel* model;
    ElvSignals* signals;
    double value[RUN_COLUMN];
    ElvIntegratorReport report;
};

static inline bool
constraint_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    ConstraintRun* run = user;
    elv_signals_eval(run->signals, model, data, state, run->value);
    for (int i = 0; i < elv_signals_n_column(run->signals); i++) {
        CHECK_TRUE(isfinite(run->value[i]));
    }
    if (run->see) {
        run->see(run, data, state);
    }
    return true;
}

/// Simulate a model from its initial state; everything must succeed.
static inline void constraint_run(const ElvModel* model, ConstraintRun* run) {
    ElvError error;
    ElvState* state = NULL;
    run->model = model;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(elv_signals_create(model, run->signal, run->n_signal, &run->signals, &error),
                 &error);
    CHECK_TRUE(elv_signals_n_column(run->signals) <= RUN_COLUMN);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    options.method.method = run->method;
    options.method.step = run->step;
    options.record_every = run->step;
    options.t_end = run->t_end;
    options.record = constraint_record;
    options.user = run;
    CHECK_STATUS(elv_simulate(model, state, &options, &run->report, &error), &error);
    elv_signals_free(run->signals);
    elv_state_free(state);
}

/// A model of models/.
static inline ElvModel* constraint_model(const char* name) {
    char path[512];
    ElvError error;
    ElvModel* model = NULL;
    snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(path, NULL, 0, &model, &error), &error);
    return model;
}

/// A motion with a closed form: numbers made of signals, and what they should be.
typedef struct {
    const char* const* signal;
    int n_signal;
    int n;                                           // numbers
    void (*numbers)(const double* value, double* x); // from the signals
    void (*exact)(double t, double* x);
} ConstraintForm;

/// At t_end the errors with a step, its half and its quarter fall by four each; what these two leave after
/// extrapolation is of the fourth order, and below 1e-6 of the largest number (at least 1).
static inline void constraint_converge(const ElvModel* model,
                                       const ConstraintForm* form,
                                       ElvMethod method,
                                       double step,
                                       double t_end) {
    double x[3][RUN_COLUMN], exact[RUN_COLUMN], error[3], left = 0.0;
    form->exact(t_end, exact);
    for (int i = 0; i < 3; i++) {
        ConstraintRun run = {.method = method,
                             .step = ldexp(step, -i),
                             .t_end = t_end,
                             .signal = form->signal,
                             .n_signal = form->n_signal};
        constraint_run(model, &run);
        form->numbers(run.value, x[i]);
        error[i] = largest_difference(x[i], exact, (size_t)form->n);
    }
    for (int k = 0; k < form->n; k++) {
        left = fmax(left, fabs((4.0 * x[2][k] - x[1][k]) / 3.0 - exact[k]));
    }
    CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.1);
    CHECK_NEAR(log2(error[1] / error[2]), 2.0, 0.1);
    CHECK_NEAR(left, 0.0, 1e-6 * fmax(1.0, largest(exact, (size_t)form->n)));
}

#endif
