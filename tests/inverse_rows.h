// SPDX-License-Identifier: Apache-2.0
// All rows of an inverse problem, for tests.
#ifndef ELVER_TESTS_INVERSE_ROWS_H
#define ELVER_TESTS_INVERSE_ROWS_H

#include "model_case.h"

#include "elver/inverse.h"
#include "elver/signal.h"

enum { MAX_ROW = 400, MAX_COLUMN = 96 };

/// Rows of an inverse problem.
typedef struct {
    ElvSignals* signals;
    int n, n_column;
    double t[MAX_ROW];
    double value[MAX_ROW][MAX_COLUMN];
    ElvInverseReport report;
} Rows;

static inline bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Rows* rows = user;
    CHECK_TRUE(rows->n < MAX_ROW);
    rows->t[rows->n] = state->t;
    elv_signals_eval(rows->signals, model, data, state, rows->value[rows->n++]);
    return true;
}

static inline Rows* run_rows(const ElvModel* model) {
    static Rows rows;
    ElvError error;
    ElvState* state;
    ElvRecordDef def = elv_model_record(model);
    memset(&rows, 0, sizeof rows);
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(elv_signals_create(model, def.signal, def.n_signal, &rows.signals, &error),
                 &error);
    rows.n_column = elv_signals_n_column(rows.signals);
    CHECK_TRUE(rows.n_column <= MAX_COLUMN);
    ElvInverseOptions options = elv_inverse_options_default(model);
    options.record = record;
    options.user = &rows;
    CHECK_STATUS(elv_inverse_run(model, state, &options, &rows.report, &error), &error);
    CHECK_TRUE(rows.report.n_sample == rows.n && rows.n > 0);
    elv_signals_free(rows.signals);
    elv_state_free(state);
    return &rows;
}

#endif
