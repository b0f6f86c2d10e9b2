// SPDX-License-Identifier: Apache-2.0
// `elver inverse MODEL`: efforts of the drives of a mechanism whose motion is imposed, one row a sample.
// Signals and outputs are those of `elver run`; without signals in the model file the motion and the
// efforts of all drives are written, and the wrenches of all loops.
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Run run; // first: the callbacks of a run take it
    ElvInverseReport report;
    ElvSignals* drives; // efforts of all drives, then their velocities
    int n_drive;        // components
    double* value;      // of drives                        (2 n_drive)
    double* effort;     // largest, by component            (n_drive)
    double* power;      // largest, by component            (n_drive)
} Inverse;

// ---- signals

// a growing list of names
typedef struct {
    char** text;
    int n;
} Names;

static bool add_name(Names* names, const char* head, const char* owner, const char* tail) {
    size_t size = strlen(head) + strlen(owner) + strlen(tail) + 1;
    char** grown = realloc(names->text, ((size_t)names->n + 1) * sizeof *grown);
    if (!grown) {
        return false;
    }
    names->text = grown;
    char* text = malloc(size);
    if (!text) {
        return false;
    }
    snprintf(text, size, "%s%s%s", head, owner, tail);
    names->text[names->n++] = text;
    return true;
}

static void free_names(Names* names) {
    for (int i = 0; i < names->n; i++) {
        free(names->text[i]);
    }
    free(names->text);
    *names = (Names){NULL, 0};
}

// a quantity of every joint with an imposed motion
static bool add_of_drives(const ElvModel* model, const char* quantity, Names* names) {
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        if (!node.is_rod && node.drive == ELV_DRIVE_MOTION && node.n_v > 0 &&
            !add_name(names, "", node.name, quantity)) {
            return false;
        }
    }
    return true;
}

// what is recorded where the model file does not say
static bool add_defaults(const ElvModel* model, Names* names) {
    bool is_added = add_of_drives(model, ".q", names) && add_of_drives(model, ".v", names) &&
                    add_of_drives(model, ".effort", names);
    for (int i = 0; i < elv_model_n_device(model) && is_added; i++) {
        ElvDeviceInfo device = elv_model_device(model, i);
        if (strcmp(device.kind, "loop") == 0) {
            is_added = add_name(names, "loop.", device.name, ".wrench");
        }
    }
    return is_added;
}

static ElvStatus out_of_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
}

static ElvStatus make_signals(const ElvModel* model, ElvSignals** signals, ElvError* error) {
    ElvRecordDef recorded = elv_model_record(model);
    if (recorded.n_signal > 0) {
        return elv_signals_create(model, recorded.signal, recorded.n_signal, signals, error);
    }
    Names names = {NULL, 0};
    bool is_added = add_defaults(model, &names);
    ElvStatus status = is_added ? elv_signals_create(model, (const char* const*)names.text, names.n,
                                                     signals, error)
                                : out_of_memory(error);
    free_names(&names);
    return status;
}

// the signals of all drives, for the summary
static ElvStatus make_drives(Inverse* inverse, ElvError* error) {
    const ElvModel* model = inverse->run.loaded.model;
    Names names = {NULL, 0};
    bool is_added = add_of_drives(model, ".effort", &names) && add_of_drives(model, ".v", &names);
    ElvStatus status = is_added ? elv_signals_create(model, (const char* const*)names.text, names.n,
                                                     &inverse->drives, error)
                                : out_of_memory(error);
    free_names(&names);
    if (status != ELV_OK) {
        return status;
    }
    size_t n = (size_t)elv_signals_n_column(inverse->drives);
    inverse->n_drive = (int)n / 2;
    inverse->value = calloc(2 * n + 1, sizeof *inverse->value);
    if (!inverse->value) {
        return out_of_memory(error);
    }
    inverse->effort = inverse->value + n;
    inverse->power = inverse->effort + n / 2;
    return ELV_OK;
}

static ElvStatus prepare(Inverse* inverse, ElvError* error) {
    Run* run = &inverse->run;
    const ElvModel* model = run->loaded.model;
    ElvStatus status = make_signals(model, &run->signals, error);
    status = status == ELV_OK ? make_drives(inverse, error) : status;
    status = status == ELV_OK ? elv_state_create(model, &run->state, error) : status;
    if (status != ELV_OK) {
        return status;
    }
    run->n_column = elv_signals_n_column(run->signals);
    run->value = calloc((size_t)run->n_column + 1, sizeof *run->value);
    return run->value ? ELV_OK : out_of_memory(error);
}

// ---- the samples

static bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Inverse* inverse = user;
    int n = inverse->n_drive;
    elv_signals_eval(inverse->drives, model, data, state, inverse->value);
    for (int i = 0; i < n; i++) {
        double effort = inverse->value[i];
        double power = effort * inverse->value[n + i];
        inverse->effort[i] = fmax(inverse->effort[i], fabs(effort));
        inverse->power[i] = fmax(inverse->power[i], fabs(power));
    }
    return run_record(&inverse->run, model, data, state) && !run_is_interrupted();
}

static void compute(Inverse* inverse) {
    Run* run = &inverse->run;
    ElvInverseOptions options = elv_inverse_options_default(run->loaded.model);
    options.record = record;
    options.user = inverse;
    run->t_start = options.t_start;
    run->t_end = options.t_start + options.duration;
    run_catch_signals();
    if (run->is_csv) {
        run_csv_header(run);
    }
    double cpu_start = run_cpu_time();
    run->status =
        elv_inverse_run(run->loaded.model, run->state, &options, &inverse->report, &run->error);
    run->cpu = run_cpu_time() - cpu_start;
    // a row that could not be kept is the reason, not the stop it led to
    if (run->record_status != ELV_OK) {
        run->status = run->record_status;
        run->error = run->record_error;
    }
    run->is_complete = run->status == ELV_OK;
}

// ---- after

static void print_failure(const Run* run) {
    cli_complain_error("inverse", CLI_FAILED, &run->error);
    if (run->n_record == 0) {
        fprintf(stderr, "  there is no row\n");
    } else if (run->options.out && !run->is_csv) {
        fprintf(stderr, "  the rows until t = %.9g s are kept in %s\n", run->state->t,
                run->options.out);
    }
}

static void print_people(const Inverse* inverse) {
    const Run* run = &inverse->run;
    fprintf(stderr, "%s: t = %.9g to %.9g s\n", cli_model_title(&run->loaded), run->t_start,
            run->state->t);
    if (run->options.out && !run->is_csv) {
        fprintf(stderr, "  results   %s (%zu record%s of %d column%s)\n", run->options.out,
                run->n_record, run->n_record == 1 ? "" : "s", run->n_column,
                run->n_column == 1 ? "" : "s");
    } else if (!run->options.out && !run->is_csv) {
        fprintf(stderr, "  results   not kept; -o FILE keeps them\n");
    }
    if (run->is_plotted) {
        fprintf(stderr, "  plot      %s\n", run->plot);
    }
    fprintf(stderr, "  motion    %ld steps, CPU time %.3g s\n", inverse->report.n_step, run->cpu);
    for (int i = 0; i < inverse->n_drive; i++) {
        fprintf(stderr, "  %s  at most %.6g %s, %.6g W\n",
                elv_signals_column_name(inverse->drives, i), inverse->effort[i],
                elv_signals_column_unit(inverse->drives, i), inverse->power[i]);
    }
}

static void print_json(const Inverse* inverse) {
    const Run* run = &inverse->run;
    printf("{\n  \"model\": ");
    cli_json_text(stdout, elv_model_name(run->loaded.model));
    cli_json_member_text("file", run->loaded.path);
    cli_json_member_text("out", run->n_record > 0 ? run->options.out : NULL);
    cli_json_member_text("plot", run->is_plotted ? run->plot : NULL);
    printf(",\n  \"complete\": %s", run->is_complete ? "true" : "false");
    cli_json_member_text("error", run->is_complete ? NULL : elv_status_text(run->status));
    cli_json_member_text("message", run->is_complete ? NULL : run->error.message);
    cli_json_member_number("t_start", run->t_start);
    cli_json_member_number("t_end", run->state->t);
    printf(",\n  \"records\": %zu,\n  \"columns\": %d,\n  \"steps\": %ld", run->n_record,
           run->n_column, inverse->report.n_step);
    cli_json_member_number("cpu_s", run->cpu);
    printf(",\n  \"drives\": {");
    for (int i = 0; i < inverse->n_drive && run->n_record > 0; i++) {
        printf("%s\n    ", i > 0 ? "," : "");
        cli_json_text(stdout, elv_signals_column_name(inverse->drives, i));
        printf(": {\"largest\": ");
        cli_json_number(stdout, inverse->effort[i]);
        printf(", \"power\": ");
        cli_json_number(stdout, inverse->power[i]);
        printf("}");
    }
    printf("\n  },\n  \"final\": {");
    for (int i = 0; i < run->n_column && run->n_record > 0; i++) {
        printf("%s\n    ", i > 0 ? "," : "");
        cli_json_text(stdout, elv_signals_column_name(run->signals, i));
        printf(": ");
        cli_json_number(stdout, run->value[i]);
    }
    printf("\n  }\n}\n");
}

// ---- the command

// compute, keep, report, plot
static int carry_out(Inverse* inverse) {
    Run* run = &inverse->run;
    compute(inverse);
    run_close_output(run);
    int code = run->is_complete ? CLI_DONE : CLI_FAILED;
    // what cannot even begin is bad input
    bool is_input = run->status == ELV_ERROR_INPUT || run->status == ELV_ERROR_SINGULAR;
    code = is_input && run->n_record == 0 ? CLI_USAGE : code;
    if (run->status != ELV_OK) {
        print_failure(run);
    }
    if (run->plot[0] != '\0' && run->n_record > 0) {
        run->is_plotted = run_plot(run) == CLI_DONE;
        code = run->is_plotted ? code : CLI_FAILED;
    }
    if (run->options.is_json) {
        print_json(inverse);
    } else if (!run->options.is_quiet && run->n_record > 0) {
        print_people(inverse);
    }
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
    status = status == ELV_OK ? run_open_output(run, false, &error) : status;
    if (status != ELV_OK) {
        return cli_complain_error("inverse", cli_exit_code(status), &error);
    }
    if (run->n_column == 0) {
        return cli_complain("inverse", CLI_USAGE,
                            "no joint has a 'motion' and there is no loop: nothing to compute; "
                            "name signals with --signal");
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
