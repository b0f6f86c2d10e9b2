// SPDX-License-Identifier: Apache-2.0
// What `elver run` does at every recording time: evaluate the signals, then write them to the
// trajectory file, to stdout, and to memory when there is a plot to draw.
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// length of a column's name up to its last dot
static size_t stem_length(const char* name) {
    const char* dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : strlen(name);
}

RunGroup run_next_group(const Run* run, int first) {
    const char* name = elv_signals_column_name(run->signals, first);
    const char* unit = elv_signals_column_unit(run->signals, first);
    RunGroup group = {first, 1, stem_length(name)};
    for (int i = first + 1; i < run->n_column; i++, group.n++) {
        const char* other = elv_signals_column_name(run->signals, i);
        if (stem_length(other) != group.n_stem || memcmp(other, name, group.n_stem) != 0 ||
            strcmp(elv_signals_column_unit(run->signals, i), unit) != 0) {
            break;
        }
    }
    return group;
}

void run_csv_header(const Run* run, const char* first) {
    printf("%s", first);
    for (int i = 0; i < run->n_column; i++) {
        printf(",%s", elv_signals_column_name(run->signals, i));
    }
    printf("\n");
}

// a line of CSV; what is not finite is refused as in files
static ElvStatus print_csv(Run* run, const ElvState* state) {
    for (int i = 0; i < run->n_column; i++) {
        if (!isfinite(run->value[i])) {
            const char* name = elv_signals_column_name(run->signals, i);
            return elv_error_set(&run->record_error, ELV_ERROR_NUMERIC, name, NULL,
                                 "the signal '%s' is not finite at t = %.9g s", name, state->t);
        }
    }
    cli_print_number(stdout, state->t);
    for (int i = 0; i < run->n_column; i++) {
        putchar(',');
        cli_print_number(stdout, run->value[i]);
    }
    putchar('\n');
    if (ferror(stdout)) {
        return elv_error_set(&run->record_error, ELV_ERROR_FILE, NULL, NULL,
                             "cannot write to standard output");
    }
    return ELV_OK;
}

// keep a record for the plot
static ElvStatus keep(Run* run, const ElvState* state) {
    size_t width = 1 + (size_t)run->n_column;
    if (run->n_record == run->n_room) {
        size_t n_room = run->n_room > 0 ? 2 * run->n_room : 256;
        double* grown = realloc(run->history, n_room * width * sizeof *grown);
        if (!grown) {
            return elv_error_set(&run->record_error, ELV_ERROR_MEMORY, NULL, NULL,
                                 "out of memory for the plot's data");
        }
        run->history = grown;
        run->n_room = n_room;
    }
    double* row = run->history + run->n_record * width;
    row[0] = state->t;
    memcpy(row + 1, run->value, (size_t)run->n_column * sizeof *row);
    return ELV_OK;
}

bool run_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Run* run = user;
    elv_signals_eval(run->signals, model, data, state, run->value);
    if (run->n_record == 0) {
        run->energy_start = elv_energy(model, data, state);
    }
    if (state->work.is_kept) {
        ElvEnergy energy = elv_energy(model, data, state);
        run->work_error = elv_work_error(model, data, state);
        run->energy_most = fmax(run->energy_most, energy.kinetic + energy.elastic);
    }
    if (elv_method_is_strong(elv_model_simulate(model).method)) {
        run->energy_last = elv_energy(model, data, state);
        run->momentum_last = elv_momentum(model, data, state);
    }
    run_watch_water(run, model, data, state);

    ElvStatus status = ELV_OK;
    if (run->writer) {
        status = elv_trajectory_append(run->writer, state, run->value, &run->record_error);
    }
    if (status == ELV_OK && run->is_csv) {
        status = print_csv(run, state);
    }
    if (status == ELV_OK && run->plot[0] != '\0') {
        status = keep(run, state);
    }
    run->record_status = status;
    run->n_record += status == ELV_OK ? 1 : 0;
    return status == ELV_OK;
}
