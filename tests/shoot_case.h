// SPDX-License-Identifier: Apache-2.0
// Equilibria of shipped models and of texts by shooting and by modes, for tests of shooting.
#ifndef ELVER_TESTS_SHOOT_CASE_H
#define ELVER_TESTS_SHOOT_CASE_H

#include "model_case.h"

#include "elver/signal.h"
#include "elver/strong.h"

enum { SHOOT_ROW = 16, SHOOT_COLUMN = 48 };

/// Signals of the record, one row a load.
typedef struct {
    int n, n_column;
    double load[SHOOT_ROW];
    double value[SHOOT_ROW][SHOOT_COLUMN];
    ElvStaticsReport report;
    ElvSignals* signals;
} ShootPath;

static inline bool
shoot_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    ShootPath* path = user;
    CHECK_TRUE(path->n < SHOOT_ROW);
    path->load[path->n] = state->t;
    elv_signals_eval(path->signals, model, data, state, path->value[path->n++]);
    return true;
}

/// All equilibria of a model, its signals recorded; method: ELV_STATICS_SHOOTING or one with modes.
static inline ShootPath shoot_path(const ElvModel* model, const ElvStaticsDef* method) {
    ShootPath path = {.n = 0};
    ElvError error;
    ElvState* state = NULL;
    ElvRecordDef record = elv_model_record(model);
    ElvStaticsOptions options = {.method = *method, .record = shoot_record, .user = &path};
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(elv_signals_create(model, record.signal, record.n_signal, &path.signals, &error),
                 &error);
    path.n_column = elv_signals_n_column(path.signals);
    CHECK_TRUE(path.n_column <= SHOOT_COLUMN);
    CHECK_STATUS(elv_statics_run(model, state, &options, &path.report, &error), &error);
    CHECK_TRUE(path.report.n_load == path.n && path.n > 0);
    elv_signals_free(path.signals);
    elv_state_free(state);
    path.signals = NULL;
    return path;
}

/// A shipped model.
static inline ElvModel* shoot_model(const char* name, const ElvOverride* set, int n_set) {
    char file[512];
    ElvError error;
    ElvModel* model = NULL;
    snprintf(file, sizeof file, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(file, set, n_set, &model, &error), &error);
    return model;
}

/// Its path by shooting in so many segments, or by modes (segments 0).
static inline ShootPath shoot_shipped(
    const char* name, const ElvOverride* set, int n_set, int segments, ElvShootSolver solver) {
    ElvModel* model = shoot_model(name, set, n_set);
    ElvStaticsDef method = elv_model_statics(model);
    method.method = segments > 0 ? ELV_STATICS_SHOOTING : ELV_STATICS_NEWTON;
    method.shooting.segments = segments;
    method.shooting.solver = solver;
    ShootPath path = shoot_path(model, &method);
    elv_model_free(model);
    return path;
}

/// Largest difference of the columns first ... first + n - 1, over all rows.
static inline double
shoot_difference(const ShootPath* a, const ShootPath* b, int first, int n_column) {
    double most = 0.0;
    CHECK_TRUE(a->n == b->n);
    for (int i = 0; i < a->n; i++) {
        double d = largest_difference(a->value[i] + first, b->value[i] + first, (size_t)n_column);
        most = d <= most ? most : d;
    }
    return most;
}

#endif
