// SPDX-License-Identifier: Apache-2.0
// `elver inverse MODEL`: the inverse problem that a model poses, one row a sample: efforts of drives for imposed joints,
// stresses and tensions for imposed strains, tensions or a wrench for a tip. Outputs are those of `elver run`; rows of
// loads have the column `load` in place of the time.
#include "inverse.h"

#include <math.h>
#include <stdlib.h>

static ElvStatus prepare(Inverse* inverse, ElvError* error) {
    Run* run = &inverse->run;
    const ElvModel* model = run->loaded.model;
    inverse->kind = elv_inverse_kind(model);
    inverse->is_static = elv_inverse_is_static(model);
    ElvStatus status = inverse_make_signals(inverse, error);
    status = status == ELV_OK ? inverse_make_drives(inverse, error) : status;
    status = status == ELV_OK ? elv_state_create(model, &run->state, error) : status;
    if (status != ELV_OK) {
        return status;
    }
    run->n_column = elv_signals_n_column(run->signals);
    run->value = calloc((size_t)run->n_column + 1, sizeof *run->value);
    return run->value ? ELV_OK
                      : elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
}

// ---- the samples

static bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Inverse* inverse = user;
    Run* run = &inverse->run;
    int n = inverse->n_drive;
    run->t_start = run->n_record == 0 ? state->t : run->t_start;
    if (inverse->report.n_missed == 1 && !inverse->report.row.is_reached) {
        inverse->t_missed = state->t;
    }
    elv_signals_eval(inverse->drives, model, data, state, inverse->value);
    for (int i = 0; i < n; i++) {
        double effort = inverse->value[i];
        double power = effort * inverse->value[n + i];
        inverse->effort[i] = fmax(inverse->effort[i], fabs(effort));
        inverse->power[i] = fmax(inverse->power[i], fabs(power));
    }
    inverse_fill_own(inverse);
    double x = inverse->kind == ELV_INVERSE_TIP ? (double)run->n_record : state->t;
    return run_record(run, model, data, state) &&
           run_progress_row(run, x, inverse->is_static ? "load" : "t", state->t,
                            inverse->report.n_step);
}

static void compute(Inverse* inverse) {
    Run* run = &inverse->run;
    ElvInverseOptions options = elv_inverse_options_default(run->loaded.model);
    options.record = record;
    options.stop = cli_stop();
    options.user = inverse;
    run->t_start = options.t_start;
    run->t_end = options.t_start + options.duration;
    cli_catch_signals();
    bool is_tip = inverse->kind == ELV_INVERSE_TIP;
    int n_load = elv_model_statics(run->loaded.model).n_load;
    cli_progress_start(&run->progress, is_tip ? 0.0 : run->t_start,
                       is_tip ? (n_load > 0 ? n_load : 1) : run->t_end, run->options.is_quiet);
    if (run->is_csv) {
        run_csv_header(run, inverse->is_static ? "load" : "t");
    }
    double cpu_start = run_cpu_time();
    run->status =
        elv_inverse_run(run->loaded.model, run->state, &options, &inverse->report, &run->error);
    run->cpu = run_cpu_time() - cpu_start;
    cli_progress_clear(&run->progress);
    // a row that could not be kept is the reason, not the stop it led to
    if (run->record_status != ELV_OK) {
        run->status = run->record_status;
        run->error = run->record_error;
    }
    run->is_complete = run->status == ELV_OK;
}

// ---- the command

// compute, keep, report, plot
static int carry_out(Inverse* inverse) {
    Run* run = &inverse->run;
    compute(inverse);
    run_close_output(run);
    bool is_done = run->is_complete && inverse->report.n_missed == 0;
    int code = is_done ? CLI_DONE : CLI_FAILED;
    // what cannot even begin is bad input
    bool is_input = run->status == ELV_ERROR_INPUT || run->status == ELV_ERROR_SINGULAR;
    code = is_input && run->n_record == 0 ? CLI_USAGE : code;
    if (run->status != ELV_OK) {
        inverse_print_failure(inverse);
    }
    inverse_print_missed(inverse);
    if (run->plot[0] != '\0' && run->n_record > 0) {
        run->is_plotted = run_plot(run) == CLI_DONE;
        code = run->is_plotted ? code : CLI_FAILED;
    }
    inverse_print_summary(inverse);
    return code;
}

static int run_request(Inverse* inverse) {
    Run* run = &inverse->run;
    const RunOptions* options = &run->options;
    int code = cli_model_load("inverse", options->model, &options->overrides, &run->loaded);
    code = code == CLI_DONE ? cli_guard_output("inverse", options->out, run->loaded.path) : code;
    code = code == CLI_DONE ? cli_guard_output("inverse", options->plot, run->loaded.path) : code;
    if (code != CLI_DONE) {
        return code;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = prepare(inverse, &error);
    status = status == ELV_OK ? run_open_output(run, inverse->is_static, &error) : status;
    if (status != ELV_OK) {
        return cli_complain_error("inverse", cli_exit_code(status), &error);
    }
    if (run->n_column == 0) {
        return cli_complain(
            "inverse", CLI_USAGE,
            "no joint has a 'motion', no rod has one, and there is no loop: nothing to "
            "compute; name signals with --signal");
    }
    return run_plot_name(run) && run_can_plot(run) ? carry_out(inverse) : CLI_USAGE;
}

int cli_cmd_inverse(int argc, char** argv) {
    Inverse* inverse = calloc(1, sizeof *inverse);
    int code = CLI_DONE;
    if (!inverse) {
        return cli_complain("inverse", CLI_FAILED, "out of memory");
    }
    if (run_parse("inverse", argc, argv, &inverse->run.options, &code)) {
        code = run_request(inverse);
    }
    run_release(&inverse->run);
    elv_signals_free(inverse->drives);
    free(inverse->value);
    free(inverse);
    return code;
}
