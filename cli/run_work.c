// SPDX-License-Identifier: Apache-2.0
// Accounts of energy in the summary of `elver run`, where the run has kept them.
#include "run.h"

#include <math.h>

/// More than this share of what went through may not be left open without a word.
static const double MOST_OPEN = 0.01;

// the work of all accounts, or the energy that went to and fro
static double went_through(const Run* run) {
    const ElvWork* work = &run->state->work;
    double sum =
        fabs(work->actuators) + fabs(work->loads) + fabs(work->dissipated) + fabs(work->fluid);
    return fmax(sum, run->energy_most);
}

void run_print_work(const Run* run) {
    const ElvWork* work = &run->state->work;
    if (work->is_kept) {
        fprintf(
            stderr,
            "  work      actuators %.6g J, loads %.6g J, dissipated %.6g J, fluid %.6g J, error "
            "%.3g J\n",
            work->actuators, work->loads, work->dissipated, work->fluid, run->work_error);
    }
    double through = went_through(run);
    if (work->is_kept && fabs(run->work_error) > MOST_OPEN * through) {
        fprintf(
            stderr,
            "            warning: the accounts do not close, the error is %.2g %% of %.3g J: time "
            "steps\n"
            "            %s energy; halve --step and compare\n",
            100.0 * fabs(run->work_error) / through, through,
            run->work_error > 0.0 ? "made" : "lost");
    }
}

void run_json_work(const Run* run) {
    const ElvWork* work = &run->state->work;
    const double value[5] = {work->actuators, work->loads, work->dissipated, work->fluid,
                             run->work_error};
    const char* const name[5] = {"actuators", "loads", "dissipated", "fluid", "error"};
    for (int i = 0; i < 5 && work->is_kept; i++) {
        printf("%s\"%s\": ", i == 0 ? ",\n  \"work\": {" : ", ", name[i]);
        cli_json_number(stdout, value[i]);
    }
    printf("%s", work->is_kept ? "}" : "");
}
