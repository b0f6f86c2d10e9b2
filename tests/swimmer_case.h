// SPDX-License-Identifier: Apache-2.0
// Runs of the shipped swimmers, with changes, for tests: some signals at every record.
#ifndef ELVER_TESTS_SWIMMER_CASE_H
#define ELVER_TESTS_SWIMMER_CASE_H

#include "model_case.h"

#include "elver/integrate.h"
#include "elver/signal.h"

// the build with sanitizers has no time for all of it
enum { SWIMMER_IS_FULL = !IS_SANITIZED };

enum { SWIMMER_COLUMN = 8 };

/// Rows of signals; the first column is the time.
typedef struct {
    int n, n_column, capacity;
    double (*row)[SWIMMER_COLUMN];
    ElvSignals* signals;
} Swim;

static inline bool
swim_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Swim* swim = user;
    CHECK_TRUE(swim->n < swim->capacity);
    swim->row[swim->n][0] = state->t;
    elv_signals_eval(swim->signals, model, data, state, swim->row[swim->n++] + 1);
    return true;
}

/// A shipped model with values put over some of its keys.
static inline ElvModel* swim_model(const char* name, const ElvOverride* set, int n_set) {
    char file[512];
    ElvError error;
    ElvModel* model = NULL;
    snprintf(file, sizeof file, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(file, set, n_set, &model, &error), &error);
    return model;
}

/// Run it from rest and record; free with swim_free.
static inline Swim swim_run(const char* name,
                            const ElvOverride* set,
                            int n_set,
                            double duration,
                            const char* const* signal,
                            int n_signal) {
    Swim swim = {.capacity = 2048};
    ElvError error;
    ElvState* state = NULL;
    ElvIntegratorReport report;
    ElvModel* model = swim_model(name, set, n_set);
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(elv_signals_create(model, signal, n_signal, &swim.signals, &error), &error);
    swim.n_column = 1 + elv_signals_n_column(swim.signals);
    CHECK_TRUE(swim.n_column <= SWIMMER_COLUMN);
    swim.row = calloc((size_t)swim.capacity, sizeof *swim.row);
    assert_non_null(swim.row);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    options.t_end = duration;
    options.record_every = 0.01;
    options.record = swim_record;
    options.user = &swim;
    CHECK_STATUS(elv_simulate(model, state, &options, &report, &error), &error);
    elv_state_free(state);
    elv_model_free(model);
    return swim;
}

static inline void swim_free(Swim* swim) {
    elv_signals_free(swim->signals);
    free(swim->row);
}

/// How far some columns of a run went from where they began.
static inline double swim_moved(const Swim* swim, int from, int to) {
    double most = 0.0;
    for (int i = 0; i < swim->n; i++) {
        for (int k = from; k < to; k++) {
            most = fmax(most, fabs(swim->row[i][k] - swim->row[0][k]));
        }
    }
    return most;
}

/// Largest value of a column, and largest difference of some columns of two runs.
static inline double swim_largest(const Swim* swim, int column) {
    double most = 0.0;
    for (int i = 0; i < swim->n; i++) {
        most = fmax(most, fabs(swim->row[i][column]));
    }
    return most;
}

static inline double swim_distance(const Swim* a, const Swim* b, int from, int to) {
    double most = 0.0;
    CHECK_TRUE(a->n == b->n);
    for (int i = 0; i < a->n; i++) {
        for (int k = from; k < to; k++) {
            double d = fabs(a->row[i][k] - b->row[i][k]);
            most = d <= most ? most : d;
        }
    }
    return most;
}

#endif
