// SPDX-License-Identifier: Apache-2.0
// `elver statics MODEL`: equilibria under loads that are stepped, one row each. Signals and outputs
// are those of `elver run`, with the column `load` in place of the time.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    Run run; // first: the callbacks of a run take it
    ElvStaticsReport report;
    double load_start;
} Statics;

// ---- before

static ElvStatus prepare(Run* run, ElvError* error) {
    const ElvModel* model = run->loaded.model;
    ElvRecordDef record = elv_model_record(model);
    ElvStatus status =
        elv_signals_create(model, record.signal, record.n_signal, &run->signals, error);
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

// open the file, or choose standard output
static ElvStatus open_output(Run* run, ElvError* error) {
    const char* out = run->options.out;
    bool is_stdout = out && strcmp(out, "-") == 0;
    run->is_csv = is_stdout || (!out && !run->options.is_json && !isatty(STDOUT_FILENO));
    if (!out || is_stdout) {
        return ELV_OK;
    }
    char* text = NULL;
    ElvStatus status = elv_spec_write_text(run->loaded.spec, &text, error);
    if (status == ELV_OK) {
        status = elv_trajectory_create_statics(out, run->loaded.model, run->signals, text,
                                               &run->writer, error);
    }
    elv_text_free(text);
    return status;
}

// ---- the path

static double cpu_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_header(const Run* run) {
    printf("load");
    for (int i = 0; i < run->n_column; i++) {
        printf(",%s", elv_signals_column_name(run->signals, i));
    }
    printf("\n");
}

static bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Statics* statics = user;
    if (statics->run.n_record == 0) {
        statics->load_start = state->t;
    }
    return run_record(&statics->run, model, data, state) && !run_is_interrupted();
}

static void step_loads(Statics* statics) {
    Run* run = &statics->run;
    ElvStaticsOptions options = elv_statics_options_default(run->loaded.model);
    options.record = record;
    options.user = statics;
    run_catch_signals();
    if (run->is_csv) {
        print_header(run);
    }
    double cpu_start = cpu_time();
    run->status =
        elv_statics_run(run->loaded.model, run->state, &options, &statics->report, &run->error);
    run->cpu = cpu_time() - cpu_start;
    // a row that could not be kept is the reason, not the stop it led to
    if (run->record_status != ELV_OK) {
        run->status = run->record_status;
        run->error = run->record_error;
    }
    run->is_complete = run->status == ELV_OK;
}

// ---- after

// let the results appear; without any row nothing is left
static void close_output(Run* run) {
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

static void print_failure(const Run* run) {
    cli_complain_error("statics", CLI_FAILED, &run->error);
    if (run->n_record == 0) {
        fprintf(stderr, "  there is no row\n");
    } else if (run->options.out && !run->is_csv) {
        fprintf(stderr, "  the rows until then are kept in %s\n", run->options.out);
    }
}

static const char* const stability_name[] = {"unknown", "stable", "unstable"};

static const char* describe_stability(ElvStability stability) {
    switch (stability) {
    case ELV_STABILITY_STABLE:
        return "stable: a minimum of the energy";
    case ELV_STABILITY_UNSTABLE:
        return "unstable: 'statics: {method: relaxation}' from a shape beside it leads elsewhere";
    default:
        return "not decided: a load has no potential";
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
    fprintf(stderr, "  Newton     %ld iterations, %ld increments, %ld cut; last residual %.2g\n",
            report->n_iteration, report->n_increment, report->n_halving, report->last_residual);
    if (report->n_relaxation > 0) {
        fprintf(stderr, "  relaxation %ld steps\n", report->n_relaxation);
    }
    fprintf(stderr, "  CPU time   %.3g s\n", run->cpu);
    if (run->n_record == 0) {
        return;
    }
    fprintf(stderr, "  stability  %s\n", describe_stability(report->stability));
    run_print_signals(run);
}

static void json_text(const char* key, const char* text) {
    printf(",\n  \"%s\": ", key);
    if (text) {
        cli_json_text(stdout, text);
    } else {
        printf("null");
    }
}

static void json_number(const char* key, double value) {
    printf(",\n  \"%s\": ", key);
    cli_json_number(stdout, value);
}

static void print_json(const Statics* statics) {
    const Run* run = &statics->run;
    const ElvStaticsReport* report = &statics->report;
    printf("{\n  \"model\": ");
    cli_json_text(stdout, elv_model_name(run->loaded.model));
    json_text("file", run->loaded.path);
    json_text("out", run->n_record > 0 ? run->options.out : NULL);
    printf(",\n  \"complete\": %s", run->is_complete ? "true" : "false");
    json_text("error", run->is_complete ? NULL : elv_status_text(run->status));
    json_text("message", run->is_complete ? NULL : run->error.message);
    printf(",\n  \"equilibria\": %zu,\n  \"columns\": %d", run->n_record, run->n_column);
    printf(",\n  \"increments\": %ld,\n  \"iterations\": %ld,\n  \"cut\": %ld", report->n_increment,
           report->n_iteration, report->n_halving);
    printf(",\n  \"relaxation_steps\": %ld", report->n_relaxation);
    json_number("cpu_s", run->cpu);
    if (run->n_record > 0) {
        json_number("load", run->state->t);
        json_number("residual", report->last_residual);
        json_text("stability", stability_name[report->stability]);
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
    ElvStatus status = prepare(run, &error);
    if (status == ELV_OK) {
        status = open_output(run, &error);
    }
    if (status != ELV_OK) {
        return cli_complain_error("statics", cli_exit_code(status), &error);
    }
    step_loads(statics);
    close_output(run);
    if (run->status != ELV_OK) {
        print_failure(run);
    }
    if (run->options.is_json) {
        print_json(statics);
    } else {
        print_people(statics);
    }
    return run->is_complete ? CLI_DONE : CLI_FAILED;
}

static const CliOption options_known[] = {
    {CLI_OPTION_OUT, 'o', "out", CLI_VALUE},
    {CLI_OPTION_SET, 0, "set", CLI_VALUE},
    {CLI_OPTION_JSON, 0, "json", CLI_FLAG},
};

static int run_request(Statics* statics, const CliRequest* request) {
    Run* run = &statics->run;
    run->options.out = request->out;
    run->options.is_json = request->is_json;
    if (request->is_json && request->out && strcmp(request->out, "-") == 0) {
        return cli_complain("statics", CLI_USAGE, "--json and -o - would both use standard output");
    }
    int code = cli_model_load("statics", request->model, &request->overrides, &run->loaded);
    if (code == CLI_DONE) {
        code = cli_guard_output("statics", request->out, run->loaded.path);
    }
    return code == CLI_DONE ? carry_out(statics) : code;
}

int cli_cmd_statics(int argc, char** argv) {
    CliRequest request;
    int code = CLI_DONE;
    Statics* statics = calloc(1, sizeof *statics);
    bool goes_on = cli_request("statics", options_known, 3, argc, argv, &request, &code);
    if (!statics) {
        code = cli_complain("statics", CLI_FAILED, "out of memory");
    } else if (goes_on) {
        code = run_request(statics, &request);
    }
    cli_overrides_free(&request.overrides);
    if (statics) {
        elv_trajectory_discard(statics->run.writer);
        elv_signals_free(statics->run.signals);
        elv_state_free(statics->run.state);
        cli_model_free(&statics->run.loaded);
        free(statics->run.value);
    }
    free(statics);
    return code;
}
