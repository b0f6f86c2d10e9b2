// SPDX-License-Identifier: Apache-2.0
// Where the rows of `elver run`, `statics` and `inverse` go, and what is left when they end.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

ElvStatus run_open_output(Run* run, bool is_static, ElvError* error) {
    const char* out = run->options.out;
    run->is_static = is_static;
    bool is_stdout = out && strcmp(out, "-") == 0;
    run->is_csv = is_stdout || (!out && !run->options.is_json && !isatty(STDOUT_FILENO));
    if (!out || is_stdout) {
        return ELV_OK;
    }
    char* text = NULL;
    ElvStatus status = elv_spec_write_text(run->loaded.spec, &text, error);
    if (status == ELV_OK) {
        status = (is_static ? elv_trajectory_create_statics : elv_trajectory_create)(
            out, run->loaded.model, run->signals, text, &run->writer, error);
    }
    elv_text_free(text);
    return status;
}

void run_close_output(Run* run) {
    ElvTrajectoryWriter* writer = run->writer;
    run->writer = NULL;
    if (!writer || run->n_record == 0) {
        elv_trajectory_discard(writer);
        return;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_trajectory_close(writer, run->is_complete, &error);
    if (status != ELV_OK && run->status == ELV_OK) {
        run->status = status;
        run->error = error;
        run->is_complete = false;
    }
}

double run_cpu_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void run_release(Run* run) {
    elv_trajectory_discard(run->writer);
    elv_signals_free(run->signals);
    elv_state_free(run->state);
    cli_model_free(&run->loaded);
    cli_overrides_free(&run->options.overrides);
    free(run->value);
    free(run->history);
}
