// SPDX-License-Identifier: Apache-2.0
// The runs of studies, of which there may be dozens: each shows how far it is, and Ctrl-C ends it and the study.
#include "progress.h"
#include "reproduce.h"

/// What hears of every step; records go on to whom they are for.
typedef struct {
    const ElvSimulateOptions* inner;
    CliProgress progress;
} Watched;

static bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    const ElvSimulateOptions* inner = ((Watched*)user)->inner;
    return !inner->record || inner->record(inner->user, model, data, state);
}

static bool step(void* user, double t, const ElvIntegratorReport* report) {
    CliProgress* progress = &((Watched*)user)->progress;
    if (cli_progress_is_due(progress)) {
        cli_progress_print(progress, t, "of a run: t = %.4g of %.4g s  %ld steps", t, progress->end,
                           report->n_step);
    }
    return !cli_is_interrupted();
}

ElvStatus reproduce_check(ElvError* error) {
    if (cli_is_interrupted()) {
        return elv_error_set(error, ELV_ERROR_CANCELLED, "", "", "interrupted");
    }
    return ELV_OK;
}

ElvStatus reproduce_simulate(const ElvModel* model,
                             ElvState* state,
                             const ElvSimulateOptions* options,
                             ElvIntegratorReport* report,
                             ElvError* error) {
    Watched watched = {.inner = options};
    ElvSimulateOptions outer = *options;
    outer.record = record;
    outer.progress = step;
    outer.method.stop = cli_stop();
    outer.user = &watched;
    cli_progress_start(&watched.progress, state->t, options->t_end, false);
    // short runs follow each other: the line of the first would never be due
    watched.progress.wall_last = 0.0;
    ElvStatus status = elv_simulate(model, state, &outer, report, error);
    cli_progress_clear(&watched.progress);
    ElvStatus wish = reproduce_check(error);
    return wish != ELV_OK ? wish : status;
}
