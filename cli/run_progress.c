// SPDX-License-Identifier: Apache-2.0
// How far `elver run`, `statics` and `inverse` are: after every step of time, or after every row.
#include "run.h"

#include <math.h>

bool run_progress_step(void* user, double t, const ElvIntegratorReport* report) {
    CliProgress* progress = &((Run*)user)->progress;
    if (cli_progress_is_due(progress)) {
        cli_progress_print(progress, t, "t = %.4g of %.4g s  %ld steps  %ld iterations", t,
                           progress->end, report->n_step, report->n_iteration);
    }
    return !cli_is_interrupted();
}

bool run_progress_row(Run* run, double x, const char* name, double value, long n_iteration) {
    CliProgress* progress = &run->progress;
    if (cli_progress_is_due(progress)) {
        cli_progress_print(progress, x, "%s = %.4g  %zu rows  %ld %s", name, value, run->n_record,
                           n_iteration, name[0] == 't' ? "steps" : "iterations");
    }
    return !cli_is_interrupted();
}
