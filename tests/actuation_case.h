// SPDX-License-Identifier: Apache-2.0
// Signals of example models along their paths of equilibria or their motions, and tables of reference
// numbers with named columns (tests/golden).
#ifndef ELVER_TESTS_ACTUATION_CASE_H
#define ELVER_TESTS_ACTUATION_CASE_H

#include "elver/elver.h"
#include "robot.h"

enum { TRACE_ROW = 1024, TRACE_COLUMN = 24 };

// ---- reference numbers

/// tests/golden/NAME.csv: a line of names, then numbers.
typedef struct {
    char name[TRACE_COLUMN][32];
    int n_row, n_column;
    double value[TRACE_ROW][TRACE_COLUMN];
} Reference;

/// Free it with free().
static inline Reference* reference_read(const char* name) {
    char path[512], line[2048];
    snprintf(path, sizeof path, "%s/tests/golden/%s.csv", ELVER_SOURCE_DIR, name);
    FILE* file = fopen(path, "r");
    Reference* r = calloc(1, sizeof *r);
    CHECK_TRUE(file && r && fgets(line, sizeof line, file));
    for (char* at = strtok(line, ",\n"); at; at = strtok(NULL, ",\n")) {
        CHECK_TRUE(r->n_column < TRACE_COLUMN && strlen(at) < sizeof r->name[0]);
        strcpy(r->name[r->n_column++], at);
    }
    for (; fgets(line, sizeof line, file); r->n_row++) {
        char* at = line;
        CHECK_TRUE(r->n_row < TRACE_ROW);
        for (int i = 0; i < r->n_column; i++) {
            char* end = at;
            r->value[r->n_row][i] = strtod(at, &end);
            CHECK_TRUE(end > at && (*end == ',' || i == r->n_column - 1));
            at = end + 1;
        }
    }
    fclose(file);
    return r;
}

/// Index of a column; it must be there.
static inline int reference_column(const Reference* r, const char* name) {
    for (int i = 0; i < r->n_column; i++) {
        if (strcmp(r->name[i], name) == 0) {
            return i;
        }
    }
    print_error("the table has no column '%s'\n", name);
    fail();
    return -1;
}

// ---- what a model does

/// Columns of signals at every recorded time or load.
typedef struct {
    ElvSignals* signals;
    int n_row, n_column;
    double t[TRACE_ROW];
    double value[TRACE_ROW][TRACE_COLUMN];
} Trace;

static inline bool
trace_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Trace* trace = user;
    CHECK_TRUE(trace->n_row < TRACE_ROW);
    trace->t[trace->n_row] = state->t;
    elv_signals_eval(trace->signals, model, data, state, trace->value[trace->n_row++]);
    return true;
}

/// An empty trace of the given signals; those of the model itself for NULL. Free it with trace_free.
static inline Trace* trace_create(const ElvModel* model, const char* const* signal, int n_signal) {
    ElvError error;
    ElvRecordDef own = elv_model_record(model);
    Trace* trace = calloc(1, sizeof *trace);
    CHECK_TRUE(trace != NULL);
    CHECK_STATUS(elv_signals_create(model, signal ? signal : own.signal,
                                    signal ? n_signal : own.n_signal, &trace->signals, &error),
                 &error);
    trace->n_column = elv_signals_n_column(trace->signals);
    CHECK_TRUE(trace->n_column <= TRACE_COLUMN);
    return trace;
}

static inline void trace_free(Trace* trace) {
    elv_signals_free(trace->signals);
    free(trace);
}

static inline int trace_column(const Trace* trace, const char* name) {
    for (int i = 0; i < trace->n_column; i++) {
        if (strcmp(elv_signals_column_name(trace->signals, i), name) == 0) {
            return i;
        }
    }
    print_error("no column '%s' was recorded\n", name);
    fail();
    return -1;
}

/// A shipped model with some of its values changed.
static inline ElvModel* example_model(const char* name, const ElvOverride* set, int n_set) {
    char file[512];
    ElvError error;
    ElvModel* model = NULL;
    snprintf(file, sizeof file, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(file, set, n_set, &model, &error), &error);
    return model;
}

/// Its equilibria, and the signals that it records there.
static inline Trace* example_statics(const char* name, const ElvOverride* set, int n_set) {
    ElvError error;
    ElvState* state = NULL;
    ElvStaticsReport report;
    ElvModel* model = example_model(name, set, n_set);
    Trace* trace = trace_create(model, NULL, 0);
    ElvStaticsOptions options = elv_statics_options_default(model);
    options.record = trace_record;
    options.user = trace;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(elv_statics_run(model, state, &options, &report, &error), &error);
    CHECK_TRUE(trace->n_row == options.method.n_load && report.n_load == trace->n_row);
    CHECK_TRUE(report.last_residual <= options.method.tolerance);
    elv_state_free(state);
    elv_model_free(model);
    return trace;
}

/// How a model is simulated, where it is not as its file says (0: as there).
typedef struct {
    ElvMethod method;
    double step, rel_tol, t_end, every;
} Motion;

/// Its motion, and the signals that it records on the way.
static inline Trace*
example_motion(const char* name, const ElvOverride* set, int n_set, const Motion* motion) {
    ElvError error;
    ElvState* state = NULL;
    ElvModel* model = example_model(name, set, n_set);
    Trace* trace = trace_create(model, NULL, 0);
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    options.method.method = motion->method;
    options.method.step = motion->step;
    options.method.rel_tol = motion->rel_tol > 0.0 ? motion->rel_tol : options.method.rel_tol;
    options.method.abs_tol =
        motion->rel_tol > 0.0 ? 1e-2 * motion->rel_tol : options.method.abs_tol;
    options.t_end = motion->t_end > 0.0 ? motion->t_end : options.t_end;
    options.record_every = motion->every > 0.0 ? motion->every : options.record_every;
    options.record = trace_record;
    options.user = trace;
    CHECK_STATUS(elv_simulate(model, state, &options, NULL, &error), &error);
    elv_state_free(state);
    elv_model_free(model);
    return trace;
}

/// Distance of three columns of a trace from three numbers.
static inline double trace_distance(const Trace* trace, int row, int column, const double* p) {
    return array_distance(trace->value[row] + column, p, 3);
}

#endif
