// SPDX-License-Identifier: Apache-2.0
// Runs of shipped models with some signals recorded, for the figures of swimmers.
#include "reproduce_swimmer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    SwimmerRun* run = user;
    if (run->n == run->capacity) {
        return false;
    }
    double* row = run->value + (size_t)run->n * (size_t)run->n_column;
    row[0] = state->t;
    elv_signals_eval(run->signals, model, data, state, row + 1);
    run->n++;
    return !run->look || run->look(run->user, model, data, state);
}

static ElvStatus simulate(const ElvModel* model, double every, SwimmerRun* run, ElvError* error) {
    ElvState* state = NULL;
    ElvIntegratorReport report;
    ElvStatus status = elv_state_create(model, &state, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    run->n_column = 1 + elv_signals_n_column(run->signals);
    // the start, and a record at the end that is no multiple
    run->capacity = (int)(options.method.duration / every) + 3;
    run->value = calloc((size_t)run->capacity * (size_t)run->n_column, sizeof *run->value);
    options.record_every = every;
    options.record = record;
    options.user = run;
    status = run->value ? reproduce_simulate(model, state, &options, &report, error)
                        : elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    elv_state_free(state);
    return status;
}

int swimmer_run(const char* model,
                const char* const* set,
                int n_set,
                const char* const* signal,
                int n_signal,
                double every,
                SwimmerRun* run) {
    CliOverrides overrides = {0};
    CliModel loaded = {0};
    ElvError error;
    int code = CLI_DONE;
    elv_error_clear(&error);
    for (int i = 0; i < n_set && code == CLI_DONE; i++) {
        code = cli_override_set("reproduce", &overrides, set[i]);
    }
    if (code == CLI_DONE) {
        code = cli_model_load("reproduce", model, &overrides, &loaded);
    }
    cli_overrides_free(&overrides);
    if (code != CLI_DONE) {
        return code;
    }
    ElvStatus status = elv_signals_create(loaded.model, signal, n_signal, &run->signals, &error);
    if (status == ELV_OK) {
        status = simulate(loaded.model, every, run, &error);
    }
    cli_model_free(&loaded);
    return status == ELV_OK ? CLI_DONE
                            : cli_complain_error("reproduce", cli_exit_code(status), &error);
}

void swimmer_run_free(SwimmerRun* run) {
    elv_signals_free(run->signals);
    free(run->value);
    SwimmerRun none = {.n = 0};
    *run = none;
}

FILE* swimmer_open(const char* out, int* code) {
    if (strcmp(out, "-") == 0) {
        *code = cli_complain("reproduce", CLI_USAGE, "-o needs the name of a file");
        return NULL;
    }
    FILE* file = fopen(out, "w");
    if (!file) {
        *code = cli_complain("reproduce", CLI_USAGE, "cannot write %s: %s", out, strerror(errno));
    }
    return file;
}
