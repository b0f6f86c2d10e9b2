// SPDX-License-Identifier: Apache-2.0
// `elver linearize MODEL`: A, B, C, D of the motion near an equilibrium, as files or as JSON.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "analysis.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
    AnalysisOptions options;
    CliModel loaded;
    ElvState* state;
    ElvLinearModel* linear;
} Linearize;

/// One of the four matrices.
typedef struct {
    const char* name;
    const double* value;
    int n_row, n_column;
} Matrix;

enum { N_MATRIX = 4 };

static void list_matrices(const ElvLinearModel* m, Matrix matrix[N_MATRIX]) {
    matrix[0] = (Matrix){"A", m->A, m->n_state, m->n_state};
    matrix[1] = (Matrix){"B", m->B, m->n_state, m->n_input};
    matrix[2] = (Matrix){"C", m->C, m->n_output, m->n_state};
    matrix[3] = (Matrix){"D", m->D, m->n_output, m->n_input};
}

static void print_names(FILE* stream, const char* key, const char* const* name, int n) {
    fprintf(stream, ",\n  \"%s\": [", key);
    for (int i = 0; i < n; i++) {
        fputs(i > 0 ? ", " : "", stream);
        cli_json_text(stream, name[i]);
    }
    fputc(']', stream);
}

// names and, for programs that read standard output, the matrices
static void print_json(FILE* stream, const Linearize* l, bool has_matrices) {
    const ElvLinearModel* m = l->linear;
    fprintf(stream, "{\n  \"model\": ");
    cli_json_text(stream, elv_model_name(l->loaded.model));
    fprintf(stream, ",\n  \"load\": ");
    cli_json_number(stream, l->state->t);
    print_names(stream, "states", m->state_name, m->n_state);
    print_names(stream, "inputs", m->input_name, m->n_input);
    print_names(stream, "outputs", m->output_name, m->n_output);
    fprintf(stream, ",\n  \"output_values\": ");
    cli_json_numbers(stream, m->y, (size_t)m->n_output);
    Matrix matrix[N_MATRIX];
    list_matrices(m, matrix);
    for (int k = 0; k < N_MATRIX && has_matrices; k++) {
        fprintf(stream, ",\n  \"%s\": [", matrix[k].name);
        for (int i = 0; i < matrix[k].n_row; i++) {
            fputs(i > 0 ? ",\n    " : "\n    ", stream);
            cli_json_numbers(stream, matrix[k].value + (size_t)i * (size_t)matrix[k].n_column,
                             (size_t)matrix[k].n_column);
        }
        fprintf(stream, "]");
    }
    fprintf(stream, "\n}\n");
}

static int write_names(const Linearize* l) {
    char path[CLI_PATH + 16];
    snprintf(path, sizeof path, "%s/names.json", l->options.out);
    FILE* stream = fopen(path, "wb");
    if (!stream) {
        return cli_complain("linearize", CLI_USAGE, "cannot write '%s': %s", path, strerror(errno));
    }
    print_json(stream, l, false);
    bool is_bad = ferror(stream) != 0;
    is_bad = fclose(stream) != 0 || is_bad;
    return is_bad ? cli_complain("linearize", CLI_USAGE, "cannot write '%s': %s", path,
                                 strerror(errno))
                  : CLI_DONE;
}

static int write_folder(const Linearize* l) {
    static const char* const ending[] = {"csv", "npy"};
    const char* out = l->options.out;
    if (strlen(out) >= CLI_PATH - 16) {
        return cli_complain("linearize", CLI_USAGE, "the name of the folder is too long");
    }
    if (mkdir(out, 0777) != 0 && errno != EEXIST) {
        return cli_complain("linearize", CLI_USAGE, "cannot make the folder '%s': %s", out,
                            strerror(errno));
    }
    Matrix matrix[N_MATRIX];
    list_matrices(l->linear, matrix);
    int code = CLI_DONE;
    for (int k = 0; k < 2 * N_MATRIX && code == CLI_DONE; k++) {
        char path[CLI_PATH];
        const Matrix* one = &matrix[k / 2];
        snprintf(path, sizeof path, "%s/%s.%s", out, one->name, ending[k % 2]);
        code = analysis_write_table("linearize", path, NULL, (size_t)one->n_row,
                                    (size_t)one->n_column, one->value);
    }
    return code == CLI_DONE ? write_names(l) : code;
}

static int find_model(Linearize* l) {
    ElvError error;
    elv_error_clear(&error);
    const ElvModel* model = l->loaded.model;
    const AnalysisOptions* options = &l->options;
    ElvRecordDef record = elv_model_record(model);
    bool has_signals = options->n_signal > 0;
    ElvStatus status = analysis_rest(model, options, &l->state, &error);
    if (status == ELV_OK) {
        status = elv_linear_model_create(
            model, l->state, options->n_input > 0 ? options->input : NULL, options->n_input,
            has_signals ? options->signal : record.signal,
            has_signals ? options->n_signal : record.n_signal, &l->linear, &error);
    }
    if (status != ELV_OK) {
        return cli_complain_error("linearize", cli_exit_code(status), &error);
    }
    const ElvLinearModel* m = l->linear;
    int code = options->out ? write_folder(l) : CLI_DONE;
    if (code == CLI_DONE && (options->is_json || !options->out)) {
        print_json(stdout, l, true);
    }
    if (code == CLI_DONE && !options->is_json) {
        fprintf(stderr, "%s: %d states, %d input%s, %d output%s, at load %.9g\n",
                cli_model_title(&l->loaded), m->n_state, m->n_input, m->n_input == 1 ? "" : "s",
                m->n_output, m->n_output == 1 ? "" : "s", l->state->t);
    }
    if (code == CLI_DONE && m->n_input == 0) {
        fprintf(stderr,
                "  no joint is driven and no actuator takes an input; --input names loads, as "
                "loads[0].force.z\n");
    }
    return code;
}

int cli_cmd_linearize(int argc, char** argv) {
    Linearize* l = calloc(1, sizeof *l);
    int code = CLI_USAGE;
    if (!l) {
        return cli_complain("linearize", CLI_FAILED, "out of memory");
    }
    if (analysis_parse("linearize", argc, argv, &l->options, &code)) {
        code = cli_model_load("linearize", l->options.model, &l->options.overrides, &l->loaded);
        if (code == CLI_DONE) {
            code = cli_guard_output("linearize", l->options.out, l->loaded.path);
        }
        if (code == CLI_DONE) {
            cli_warn_water("linearize", l->loaded.model);
        }
        code = code == CLI_DONE ? find_model(l) : code;
    }
    elv_linear_model_free(l->linear);
    elv_state_free(l->state);
    cli_model_free(&l->loaded);
    cli_overrides_free(&l->options.overrides);
    free(l);
    return code;
}
