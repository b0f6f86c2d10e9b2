// SPDX-License-Identifier: Apache-2.0
// Motions of models with loops: numbers recorded on the way, closure and drift of every step, and how two
// motions differ.
#ifndef ELVER_TESTS_LOOP_RUN_H
#define ELVER_TESTS_LOOP_RUN_H

#include "elver/elver.h"
#include "robot.h"

#include <stdarg.h>

/// A robot from the text of a model file after its first line, with the arguments of printf.
static inline Robot loop_robot(const char* format, ...) ELV_PRINTF(1, 2);

static inline Robot loop_robot(const char* format, ...) {
    char text[8192] = "elver: 1\n";
    size_t n_head = strlen(text);
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text + n_head, sizeof text - n_head, format, list);
    va_end(list);
    CHECK_TRUE(n >= 0 && n_head + (size_t)n < sizeof text);
    ElvError error;
    ElvModel* model = NULL;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "case", NULL, 0, &model, &error), &error);
    return robot_of(model);
}

enum { LOOP_ROW = 256, LOOP_COLUMN = 20, LOOP_SIGNAL = 8 };

/// What is recorded beyond signals, into value; returns how many.
typedef int (*LoopExtra)(const ElvModel* model,
                         ElvData* data,
                         const ElvState* state,
                         double* value);

/// How a model is to be run: the options of its own, but for these.
typedef struct {
    ElvMethod method;
    double step, t_end, every;
    double spectral_radius; // 0: as it is
    double newton_tol;      // 0: as it is
    bool projects_velocity;
    const char* signal[LOOP_SIGNAL]; // up to NULL
    LoopExtra extra;                 // may be NULL
} LoopOptions;

typedef struct {
    int n_row, n_column;
    double t[LOOP_ROW];
    double value[LOOP_ROW][LOOP_COLUMN];
    double energy[LOOP_ROW]; // kinetic, elastic and gravity
    double gap, drift;       // largest of all loops, all steps
    ElvIntegratorReport report;
    ElvStatus status;
    ElvError error;
    // while it runs
    ElvSignals* signals;
    LoopExtra extra;
} LoopRun;

static inline bool
loop_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    LoopRun* run = user;
    CHECK_TRUE(run->n_row < LOOP_ROW);
    double* value = run->value[run->n_row];
    run->t[run->n_row] = state->t;
    int n = elv_signals_n_column(run->signals);
    elv_signals_eval(run->signals, model, data, state, value);
    n += run->extra ? run->extra(model, data, state, value + n) : 0;
    CHECK_TRUE(n <= LOOP_COLUMN);
    run->n_column = n;
    ElvEnergy e = elv_energy(model, data, state);
    run->energy[run->n_row++] = e.kinetic + e.elastic + e.gravity;
    return true;
}

/// Signals "loop.NAME.QUANTITY" of all loops of a model, and their largest number at a state.
static inline double
loop_largest(const ElvModel* model, ElvData* data, const ElvState* state, const char* quantity) {
    double most = 0.0;
    double* tau = new_array(elv_model_nv(model));
    elv_idm(model, data, state, tau);
    free(tau);
    for (int i = 0; i < elv_model_n_device(model); i++) {
        char text[96];
        double value[2];
        ElvError error;
        ElvSignals* signals = NULL;
        ElvDeviceInfo info = elv_model_device(model, i);
        const char* name = text;
        if (strcmp(info.kind, "loop") != 0) {
            continue;
        }
        snprintf(text, sizeof text, "loop.%s.%s", info.name, quantity);
        CHECK_STATUS(elv_signals_create(model, &name, 1, &signals, &error), &error);
        elv_signals_eval(signals, model, data, state, value);
        // NaN must win
        most = value[0] <= most ? most : value[0];
        most = value[1] <= most ? most : value[1];
        elv_signals_free(signals);
    }
    return most;
}

/// Every step of a run that ends where the last one did, for the closure at each of them.
static inline void
loop_measure_steps(Robot* robot, const ElvSimulateDef* method, double t_end, LoopRun* run) {
    ElvError error;
    ElvIntegrator* integrator = NULL;
    ElvState* state = copy_state(robot, robot->state);
    CHECK_STATUS(elv_integrator_create(robot->model, method, &integrator, &error), &error);
    CHECK_STATUS(elv_integrator_start(integrator, state, &error), &error);
    while (state->t < t_end) {
        CHECK_STATUS(elv_integrator_step(integrator, t_end, state, &error), &error);
        run->gap = fmax(run->gap, loop_largest(robot->model, robot->data, state, "gap"));
        run->drift = fmax(run->drift, loop_largest(robot->model, robot->data, state, "drift"));
    }
    elv_integrator_free(integrator);
    elv_state_free(state);
}

static inline ElvSimulateOptions loop_options(const Robot* robot, const LoopOptions* options) {
    ElvSimulateOptions all = elv_simulate_options_default(robot->model, robot->state);
    all.method.method = options->method;
    all.method.step = options->step;
    all.method.projects_velocity = options->projects_velocity;
    if (options->spectral_radius > 0.0) {
        all.method.spectral_radius = options->spectral_radius;
    }
    if (options->newton_tol > 0.0) {
        all.method.newton_tol = options->newton_tol;
    }
    all.t_end = options->t_end;
    all.record_every = options->every;
    return all;
}

/// Simulate a robot from its state; run->status says how it went. Free the run with free().
static inline LoopRun* loop_try(Robot* robot, const LoopOptions* options) {
    ElvError error;
    LoopRun* run = calloc(1, sizeof *run);
    CHECK_TRUE(run != NULL);
    int n_signal = 0;
    while (n_signal < LOOP_SIGNAL && options->signal[n_signal]) {
        n_signal++;
    }
    run->extra = options->extra;
    CHECK_STATUS(elv_signals_create(robot->model, options->signal, n_signal, &run->signals, &error),
                 &error);
    ElvSimulateOptions all = loop_options(robot, options);
    all.record = loop_record;
    all.user = run;
    ElvState* state = copy_state(robot, robot->state);
    run->status = elv_simulate(robot->model, state, &all, &run->report, &run->error);
    elv_state_free(state);
    elv_signals_free(run->signals);
    run->signals = NULL;
    return run;
}

/// The same; it must succeed.
static inline LoopRun* loop_simulate(Robot* robot, const LoopOptions* options) {
    LoopRun* run = loop_try(robot, options);
    CHECK_STATUS(run->status, &run->error);
    return run;
}

/// Richardson's extrapolation of runs of order 2 with steps dt and dt / 2, into the latter.
static inline void loop_extrapolate(const LoopRun* coarse, LoopRun* fine) {
    CHECK_TRUE(coarse->n_row == fine->n_row && coarse->n_column == fine->n_column);
    for (int i = 0; i < fine->n_row; i++) {
        for (int k = 0; k < fine->n_column; k++) {
            fine->value[i][k] = (4.0 * fine->value[i][k] - coarse->value[i][k]) / 3.0;
        }
    }
}

/// Largest difference of columns [from, to) of two runs.
static inline double loop_distance(const LoopRun* a, const LoopRun* b, int from, int to) {
    double worst = 0.0;
    CHECK_TRUE(a->n_row == b->n_row && to <= a->n_column && to <= b->n_column);
    for (int i = 0; i < a->n_row; i++) {
        CHECK_NEAR(a->t[i], b->t[i], 1e-9);
        for (int k = from; k < to; k++) {
            double error = fabs(a->value[i][k] - b->value[i][k]);
            // NaN must win
            worst = error <= worst ? worst : error;
        }
    }
    return worst;
}

#endif
