// SPDX-License-Identifier: Apache-2.0
// `elver run MODEL`: load, open the output, simulate, keep what was recorded, report, plot.
// Whatever can be refused is refused before the simulation starts.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// whether the method can simulate the model at all
static ElvStatus try_method(const ElvModel* model, ElvError* error) {
    ElvSimulateDef method = elv_model_simulate(model);
    ElvIntegrator* integrator = NULL;
    ElvStatus status = elv_integrator_create(model, &method, &integrator, error);
    elv_integrator_free(integrator);
    return status;
}

// methods without modes have no coordinates of rods to record, nor to start from
static ElvStatus check_strong(const Run* run, ElvError* error) {
    ElvMethod method = elv_model_simulate(run->loaded.model).method;
    if (!elv_method_is_strong(method)) {
        return ELV_OK;
    }
    if (run->options.restart) {
        return elv_error_set(error, ELV_ERROR_INPUT, "simulate", "method",
                             "the method %s cannot restart: files do not hold its fields along the "
                             "rods",
                             elv_method_name(method));
    }
    ElvStatus status = elv_signals_refuse_modal(run->signals, elv_method_name(method), error);
    return status == ELV_OK ? elv_chain_check(run->loaded.model, false, error) : status;
}

// state, signals and buffers
static ElvStatus prepare(Run* run, ElvError* error) {
    const ElvModel* model = run->loaded.model;
    ElvRecordDef record = elv_model_record(model);
    ElvStatus status =
        elv_signals_create(model, record.signal, record.n_signal, &run->signals, error);
    if (status == ELV_OK) {
        status = check_strong(run, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &run->state, error);
    }
    if (status == ELV_OK) {
        status = try_method(model, error);
    }
    if (status == ELV_OK && run->options.restart) {
        status = elv_trajectory_read_state(run->options.restart, model, run->options.restart_time,
                                           run->state, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    run->n_column = elv_signals_n_column(run->signals);
    run->value = calloc((size_t)run->n_column + 1, sizeof *run->value);
    if (!run->value) {
        return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
    }
    return ELV_OK;
}

static void simulate(Run* run) {
    const ElvModel* model = run->loaded.model;
    ElvSimulateOptions options = elv_simulate_options_default(model, run->state);
    options.record = run_record;
    options.progress = run_progress_step;
    options.method.stop = cli_stop();
    options.user = run;
    run->t_start = run->state->t;
    run->t_end = options.t_end;

    cli_catch_signals();
    cli_progress_start(&run->progress, run->t_start, run->t_end, run->options.is_quiet);
    if (run->is_csv) {
        run_csv_header(run, "t");
    }
    double cpu_start = run_cpu_time();
    run->status = elv_simulate(model, run->state, &options, &run->report, &run->error);
    run->cpu = run_cpu_time() - cpu_start;
    cli_progress_clear(&run->progress);

    // a record that could not be kept is the reason, not the stop it led to
    if (run->record_status != ELV_OK) {
        run->status = run->record_status;
        run->error = run->record_error;
    }
    run->is_complete = run->status == ELV_OK;
}

// simulate, keep, report, plot
static int carry_out(Run* run) {
    simulate(run);
    run_close_output(run);
    int code = run->is_complete ? CLI_DONE : CLI_FAILED;
    // a model that cannot even start is a bad one, as 'elver check' says too
    bool has_started = run->n_record > 0 && run->status != ELV_ERROR_SINGULAR;
    if (!run->is_complete && run->report.n_step == 0 && !has_started) {
        code = cli_start_code(run->status);
    }
    if (run->status != ELV_OK) {
        cli_model_locate(&run->loaded, &run->error);
        run_print_failure(run);
    }
    if (run->plot[0] != '\0' && run->n_record > 0) {
        run->is_plotted = run_plot(run) == CLI_DONE;
        code = run->is_plotted ? code : CLI_FAILED;
    }
    run_print_summary(run);
    return code;
}

// what is read from stays as it is
static int guard(const Run* run) {
    const char* const output[] = {run->options.out, run->options.plot};
    int code = CLI_DONE;
    for (int i = 0; i < 2 && code == CLI_DONE; i++) {
        code = cli_guard_output("run", output[i], run->loaded.path);
        if (code == CLI_DONE) {
            code = cli_guard_output("run", output[i], run->options.restart);
        }
    }
    return code;
}

// a table of times alone is rarely what was wanted
static void warn_empty(const Run* run) {
    const char* out = run->options.out;
    bool is_table = run->is_csv || (out && (cli_ends_in(out, ".csv") || cli_ends_in(out, ".npy")));
    if (is_table && run->n_column == 0 && !run->options.is_quiet) {
        cli_complain("run", CLI_DONE,
                     "warning: the model records no signals, only the time is written; name some "
                     "with --signal");
    }
}

// shots fail below a step that can be foretold
static void warn_critical(const Run* run) {
    ElvSimulateDef method = elv_model_simulate(run->loaded.model);
    ElvError error;
    double least = 0.0;
    double step = method.step > 0.0 ? method.step : 0.01;
    if (!elv_method_is_strong(method.method) || run->options.is_quiet ||
        elv_shoot_critical_step(run->loaded.model, &method, &least, &error) != ELV_OK ||
        step >= least) {
        return;
    }
    if (method.method == ELV_METHOD_SHOOTING) {
        cli_complain("run", CLI_DONE,
                     "warning: steps of %.3g s are below the critical one of shooting with %d "
                     "segment%s, about %.2g s; more segments lower it",
                     step, method.shooting.segments, method.shooting.segments == 1 ? "" : "s",
                     least);
    } else {
        cli_complain("run", CLI_DONE,
                     "warning: steps of %.3g s are below the critical one of the method %s, about "
                     "%.2g s; method shooting with segments has a lower one",
                     step, elv_method_name(method.method), least);
    }
}

// finite differences whose history is interpolated too coarsely for their steps
static void warn_interpolation(const Run* run) {
    static const double least = 0.01;
    ElvSimulateDef method = elv_model_simulate(run->loaded.model);
    ElvFiniteDamping damping;
    ElvError error;
    if ((method.method != ELV_METHOD_RKMK && method.method != ELV_METHOD_TILL) ||
        run->options.is_quiet ||
        elv_finite_damping(run->loaded.model, &method, &damping, &error) != ELV_OK ||
        damping.interpolation <= fmax(least, damping.time)) {
        return;
    }
    bool is_linear = method.finite.interpolation == ELV_HISTORY_LINEAR;
    cli_complain("run", CLI_DONE,
                 "warning: at steps of %.3g s the interpolation of the past between %d nodes damps "
                 "waves as long as a rod by about %.2g of the critical damping, and shorter steps "
                 "by more; use more nodes%s, or longer steps",
                 method.step > 0.0 ? method.step : 0.01, method.finite.nodes, damping.interpolation,
                 is_linear ? " or 'interpolation: cubic'" : "");
}

static int run_model(Run* run) {
    int code = cli_model_load("run", run->options.model, &run->options.overrides, &run->loaded);
    if (code == CLI_DONE && run->options.is_study) {
        return cli_mode_study("run", &run->loaded, false, run->options.is_json);
    }
    if (code == CLI_DONE) {
        code = guard(run);
    }
    if (code != CLI_DONE) {
        return code;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = prepare(run, &error);
    if (status == ELV_OK && run->options.has_plot && run->n_column == 0) {
        return cli_complain("run", CLI_USAGE,
                            "nothing to plot: the model records no signals; name some with "
                            "--signal");
    }
    if (status == ELV_OK) {
        status = run_open_output(run, false, &error);
    }
    if (status != ELV_OK) {
        cli_model_locate(&run->loaded, &error);
        return cli_complain_error("run", cli_exit_code(status), &error);
    }
    warn_empty(run);
    warn_critical(run);
    warn_interpolation(run);
    if (!run->options.is_quiet) {
        cli_warn_motion("run", run->loaded.model);
    }
    return run_plot_name(run) && run_can_plot(run) ? carry_out(run) : CLI_USAGE;
}

int cli_cmd_run(int argc, char** argv) {
    Run* run = calloc(1, sizeof *run);
    if (!run) {
        return cli_complain("run", CLI_FAILED, "out of memory");
    }
    int code = CLI_USAGE;
    if (run_parse("run", argc, argv, &run->options, &code)) {
        code = run_model(run);
    }
    run_release(run);
    free(run);
    return code;
}
