// SPDX-License-Identifier: Apache-2.0
// `elver statics MODEL`: equilibria under loads that are stepped, one row each. Signals and outputs
// are those of `elver run`, with the column `load` in place of the time.
#include "statics.h"

#include <stdlib.h>
#include <string.h>

// ---- before

static ElvStatus prepare(Statics* statics, ElvError* error) {
    Run* run = &statics->run;
    const ElvModel* model = run->loaded.model;
    ElvRecordDef record = elv_model_record(model);
    ElvStatus status =
        elv_signals_create(model, record.signal, record.n_signal, &run->signals, error);
    if (status == ELV_OK && statics_is_shooting(statics)) {
        status = elv_chain_check(model, true, error);
    }
    if (status == ELV_OK) {
        status = statics_append_column(statics, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &run->state, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    run->n_column = elv_signals_n_column(run->signals);
    run->value = calloc((size_t)run->n_column + 1, sizeof *run->value);
    return run->value ? ELV_OK
                      : elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
}

// ---- the path

static void print_header(const Run* run) {
    printf("load");
    for (int i = 0; i < run->n_column; i++) {
        printf(",%s", elv_signals_column_name(run->signals, i));
    }
    printf("\n");
}

static bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Statics* statics = user;
    Run* run = &statics->run;
    if (run->n_record == 0) {
        statics->load_start = state->t;
    }
    if (statics->has_stability) {
        run->value[run->n_column - 1] = statics_judge_row(statics, model, state);
    }
    return run_record(run, model, data, state) &&
           run_progress_row(run, (double)run->n_record, "load", state->t,
                            statics->report.n_iteration);
}

static void step_loads(Statics* statics) {
    Run* run = &statics->run;
    ElvStaticsOptions options = elv_statics_options_default(run->loaded.model);
    options.record = record;
    options.user = statics;
    options.has_conjugate = statics->has_stability;
    options.method.stop = cli_stop();
    cli_catch_signals();
    int n_load = options.method.n_load > 0 ? options.method.n_load : 1;
    cli_progress_start(&run->progress, 0.0, n_load, run->options.is_quiet);
    if (run->is_csv) {
        print_header(run);
    }
    double cpu_start = run_cpu_time();
    if (statics->is_path) {
        statics_follow(statics);
    } else {
        run->status =
            elv_statics_run(run->loaded.model, run->state, &options, &statics->report, &run->error);
    }
    run->cpu = run_cpu_time() - cpu_start;
    cli_progress_clear(&run->progress);
    // a row that could not be kept is the reason, not the stop it led to
    if (run->record_status != ELV_OK) {
        run->status = run->record_status;
        run->error = run->record_error;
    }
    run->is_complete = run->status == ELV_OK;
}

// ---- after

static void print_failure(const Run* run) {
    if (cli_is_interrupted()) {
        cli_complain("statics", CLI_FAILED, "interrupted after %zu rows", run->n_record);
    } else {
        cli_complain_error("statics", CLI_FAILED, &run->error);
    }
    if (run->n_record == 0) {
        fprintf(stderr, "  there is no row\n");
    } else if (run->options.out && !run->is_csv) {
        fprintf(stderr, "  the rows until then are kept in %s\n", run->options.out);
    }
}

static void print_shooting(const ElvShootReport* report) {
    if (report->n_segment > 0) {
        fprintf(stderr,
                "  shooting   %d segment%s, %d steps, error %.2g of the length; variations grow by "
                "%.2g\n",
                report->n_segment, report->n_segment == 1 ? "" : "s", report->n_step,
                report->space_error, report->growth);
    }
}

static void print_people(const Statics* statics) {
    const Run* run = &statics->run;
    const ElvStaticsReport* report = &statics->report;
    fprintf(stderr, "%s: %zu %s", cli_model_title(&run->loaded), run->n_record,
            run->n_record == 1 ? "equilibrium" : "equilibria");
    if (run->n_record > 0) {
        fprintf(stderr, ", load %.9g to %.9g", statics->load_start, run->state->t);
    }
    fprintf(stderr, "\n");
    if (run->options.out && !run->is_csv && run->n_record > 0) {
        fprintf(stderr, "  results    %s (%zu row%s of %d column%s)\n", run->options.out,
                run->n_record, run->n_record == 1 ? "" : "s", run->n_column,
                run->n_column == 1 ? "" : "s");
    } else if (!run->options.out && !run->is_csv) {
        fprintf(stderr, "  results    not kept; -o FILE keeps them\n");
    }
    if (statics->is_path) {
        statics_print_path(statics);
    } else {
        fprintf(stderr,
                "  Newton     %ld iteration%s, %ld increment%s, %ld cut; last residual %.2g\n",
                report->n_iteration, report->n_iteration == 1 ? "" : "s", report->n_increment,
                report->n_increment == 1 ? "" : "s", report->n_halving, report->last_residual);
    }
    print_shooting(&report->shooting);
    if (report->n_relaxation > 0) {
        fprintf(stderr, "  relaxation %ld steps\n", report->n_relaxation);
    }
    run_print_closure(&report->closure, "  loops      ");
    fprintf(stderr, "  CPU time   %.3g s\n", run->cpu);
    if (run->n_record == 0) {
        return;
    }
    statics_print_stability(statics);
    run_print_signals(run);
}

static void print_json(const Statics* statics) {
    const Run* run = &statics->run;
    const ElvStaticsReport* report = &statics->report;
    printf("{\n  \"model\": ");
    cli_json_text(stdout, elv_model_name(run->loaded.model));
    cli_json_member_text("file", run->loaded.path);
    cli_json_member_text("out", run->n_record > 0 ? run->options.out : NULL);
    printf(",\n  \"complete\": %s", run->is_complete ? "true" : "false");
    cli_json_member_text("error", run->is_complete ? NULL : elv_status_text(run->status));
    cli_json_member_text("message", run->is_complete ? NULL : run->error.message);
    printf(",\n  \"equilibria\": %zu,\n  \"columns\": %d", run->n_record, run->n_column);
    printf(",\n  \"increments\": %ld,\n  \"iterations\": %ld,\n  \"cut\": %ld", report->n_increment,
           report->n_iteration, report->n_halving);
    printf(",\n  \"relaxation_steps\": %ld", report->n_relaxation);
    if (report->shooting.n_segment > 0) {
        cli_json_member_text("failure", run_shot_end(report->shooting.end));
        printf(",\n  \"segments\": %d,\n  \"steps\": %d", report->shooting.n_segment,
               report->shooting.n_step);
        cli_json_member_number("space_error", report->shooting.space_error);
        cli_json_member_number("segment_growth", report->shooting.growth);
    }
    cli_json_member_number("loop_gap", report->closure.gap);
    printf(",\n  \"redundant_constraints\": %d", report->closure.n_redundant);
    cli_json_member_text("loose", report->loose);
    if (statics->is_path) {
        statics_json_path(statics);
    }
    cli_json_member_number("cpu_s", run->cpu);
    if (run->n_record > 0) {
        cli_json_member_number("load", run->state->t);
        if (!statics->is_path) {
            cli_json_member_number("residual", report->last_residual);
        }
        statics_json_stability(statics);
        printf(",\n  \"final\": {");
        for (int i = 0; i < run->n_column; i++) {
            printf("%s\n    ", i > 0 ? "," : "");
            cli_json_text(stdout, elv_signals_column_name(run->signals, i));
            printf(": ");
            cli_json_number(stdout, run->value[i]);
        }
        printf("\n  }");
    }
    printf("\n}\n");
}

// ---- the command

static int carry_out(Statics* statics) {
    Run* run = &statics->run;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = prepare(statics, &error);
    if (status == ELV_OK) {
        status = run_open_output(run, true, &error);
    }
    if (status != ELV_OK) {
        cli_model_locate(&run->loaded, &error);
        return cli_complain_error("statics", cli_exit_code(status), &error);
    }
    step_loads(statics);
    statics_judge(statics);
    run_close_output(run);
    // what cannot even begin is bad input
    bool is_input = run->status == ELV_ERROR_INPUT && run->n_record == 0;
    if (is_input) {
        cli_model_locate(&run->loaded, &run->error);
        return cli_complain_error("statics", CLI_USAGE, &run->error);
    }
    if (run->status != ELV_OK) {
        print_failure(run);
    }
    if (run->options.is_json) {
        print_json(statics);
    } else if (!run->options.is_quiet) {
        print_people(statics);
    }
    int code = run->status == ELV_OK ? statics_check_branch(statics) : CLI_DONE;
    return run->is_complete ? code : is_input ? CLI_USAGE : CLI_FAILED;
}

static int run_request(Statics* statics) {
    Run* run = &statics->run;
    const RunOptions* options = &run->options;
    int code = cli_model_load("statics", options->model, &options->overrides, &run->loaded);
    if (code == CLI_DONE && statics->is_path &&
        elv_model_statics(run->loaded.model).method == ELV_STATICS_SHOOTING) {
        return cli_complain("statics", CLI_USAGE,
                            "--continue follows paths of models with modes, which the method "
                            "shooting does without: put --set statics.method=newton");
    }
    if (code == CLI_DONE && statics->is_study) {
        return cli_mode_study("statics", &run->loaded, true, options->is_json);
    }
    if (code == CLI_DONE) {
        code = cli_guard_output("statics", options->out, run->loaded.path);
    }
    if (code == CLI_DONE && !options->is_quiet) {
        cli_warn_water("statics", run->loaded.model);
    }
    return code == CLI_DONE ? carry_out(statics) : code;
}

int cli_cmd_statics(int argc, char** argv) {
    Statics* statics = calloc(1, sizeof *statics);
    int code = CLI_DONE;
    if (!statics) {
        return cli_complain("statics", CLI_FAILED, "out of memory");
    }
    if (statics_parse(argc, argv, statics, &code)) {
        code = run_request(statics);
    }
    run_release(&statics->run);
    statics_free_path(statics);
    free(statics);
    return code;
}
