// SPDX-License-Identifier: Apache-2.0
// What `elver run` tells of methods without modes: steps along the rods, their error, segments.
#include "run.h"

#include <stdio.h>

static bool is_shooting(const Run* run) {
    return elv_model_simulate(run->loaded.model).method == ELV_METHOD_SHOOTING;
}

// steps along the rods that leave more of the length than this spoil digits that people read
static bool is_coarse(const Run* run) {
    return is_shooting(run) && !(run->report.strong.space_error <= 1e-4);
}

static int count_rods(const ElvModel* model) {
    int n = 0;
    for (int i = 0; i < elv_model_n_node(model); i++) {
        n += elv_model_node(model, i).is_rod;
    }
    return n > 0 ? n : 1;
}

void run_print_shooting(const Run* run) {
    const ElvStrongReport* report = &run->report.strong;
    if (!is_shooting(run)) {
        return;
    }
    fprintf(stderr, "  shooting  %d segment%s, %d steps along the rods", report->n_segment,
            report->n_segment == 1 ? "" : "s", report->n_step);
    if (report->space_error > 0.0) {
        fprintf(stderr, ", which leave about %.1g of the length in a step in time",
                report->space_error);
    }
    if (is_coarse(run)) {
        fprintf(stderr,
                ":\n            warning: that is too much; use more steps along the rods "
                "(simulate.steps: %d)",
                2 * report->n_step / count_rods(run->loaded.model));
    }
    fprintf(stderr, "\n            critical time step about %.2g s; variations grow by %.2g\n",
            report->critical_step, report->growth);
}

void run_json_strong(const Run* run) {
    const ElvStrongReport* report = &run->report.strong;
    if (!elv_method_is_strong(elv_model_simulate(run->loaded.model).method)) {
        return;
    }
    cli_json_member_text("failure", run_shot_end(report->end));
    printf(",\n  \"steps_along_rods\": %d", report->n_step);
    cli_json_member_number("segment_growth", report->growth);
    cli_json_member_number("critical_step", report->critical_step);
    if (is_shooting(run)) {
        printf(",\n  \"segments\": %d", report->n_segment);
        cli_json_member_number("space_error", report->space_error);
        cli_json_member_text("warning", is_coarse(run) ? "the steps along the rods are too long: "
                                                         "use more of them (simulate.steps)"
                                                       : NULL);
    }
}
