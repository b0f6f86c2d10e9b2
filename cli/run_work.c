// SPDX-License-Identifier: Apache-2.0
// Accounts of energy in the summary of `elver run`, where the run has kept them.
#include "run.h"

void run_print_work(const Run* run) {
    const ElvWork* work = &run->state->work;
    if (work->is_kept) {
        fprintf(
            stderr,
            "  work      actuators %.6g J, loads %.6g J, dissipated %.6g J, fluid %.6g J, error "
            "%.3g J\n",
            work->actuators, work->loads, work->dissipated, work->fluid, run->work_error);
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
