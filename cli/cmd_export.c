// SPDX-License-Identifier: Apache-2.0
// `elver export`: a model back as YAML, on stdout or in a file; a trajectory as a table or as moving pictures, by the
// ending of the file.
#include "export.h"
#include "replay.h"

#include <stdlib.h>
#include <string.h>

enum { OPTION_OUT, OPTION_SET, OPTION_SIGNAL, OPTION_QUIET };

static const CliOption options_known[] = {
    {OPTION_OUT, 'o', "out", CLI_VALUE},
    {OPTION_SET, 0, "set", CLI_VALUE},
    {OPTION_SIGNAL, 0, "signal", CLI_VALUE},
    {OPTION_QUIET, 'q', "quiet", CLI_FLAG},
};

static int write_text(const char* out, const char* text) {
    if (!out || strcmp(out, "-") == 0) {
        fputs(text, stdout);
        return CLI_DONE;
    }
    CliFile file;
    int code = cli_file_begin("export", out, &file);
    if (code == CLI_DONE) {
        fputs(text, file.stream);
        code = cli_file_end(&file);
    }
    return code;
}

static int export_model(const ExportOptions* options) {
    CliModel loaded;
    int code = cli_model_load("export", options->input, &options->overrides, &loaded);
    if (code != CLI_DONE) {
        return code;
    }
    ElvError error;
    elv_error_clear(&error);
    char* text = NULL;
    ElvStatus status = elv_spec_write_text(loaded.spec, &text, &error);
    if (status != ELV_OK) {
        code = cli_complain_error("export", cli_exit_code(status), &error);
    } else {
        code = cli_guard_output("export", options->out, loaded.path);
        code = code == CLI_DONE ? write_text(options->out, text) : code;
    }
    elv_text_free(text);
    cli_model_free(&loaded);
    return code;
}

// ---- words

static int take(ExportOptions* options, int id, const char* value) {
    switch (id) {
    case CLI_OPERAND:
        if (options->input) {
            return cli_complain("export", CLI_USAGE,
                                "one model or trajectory at a time: '%s' is too many", value);
        }
        options->input = value;
        return CLI_DONE;
    case OPTION_OUT:
        options->out = value;
        return CLI_DONE;
    case OPTION_SET:
        return cli_override_set("export", &options->overrides, value);
    case OPTION_SIGNAL:
        options->signal[options->n_signal++] = value;
        return CLI_DONE;
    case OPTION_QUIET:
        options->is_quiet = true;
        return CLI_DONE;
    default:
        return CLI_USAGE;
    }
}

static bool parse(int argc, char** argv, ExportOptions* options, int* code) {
    size_t n_option = sizeof options_known / sizeof options_known[0];
    CliParser parser = {"export", options_known, n_option, argc, argv, 0, false, false};
    const char* value = NULL;
    *code = CLI_DONE;
    for (int id = cli_next(&parser, &value); id != CLI_END; id = cli_next(&parser, &value)) {
        if (id == CLI_HELP) {
            cli_print_help("export");
            return false;
        }
        *code = take(options, id, value);
        if (*code != CLI_DONE) {
            return false;
        }
    }
    return true;
}

// a model goes to standard output, to YAML, or to what is no file (a pipe, a device)
static int check_model_ending(const char* out) {
    bool is_known = !out || strcmp(out, "-") == 0 || cli_ends_in(out, ".yaml") ||
                    cli_ends_in(out, ".yml") || cli_is_special(out);
    if (is_known) {
        return CLI_DONE;
    }
    bool is_gltf = cli_ends_in(out, ".gltf");
    return cli_complain("export", CLI_USAGE,
                        "'%s': %smodels end in .yaml, signals in .csv or .npy, pictures in .glb or "
                        ".pvd",
                        out, is_gltf ? "glTF is written as one file, .glb; " : "");
}

// what the ending asks for; a model knows no motion
static int export_by_ending(const ExportOptions* options) {
    const char* out = options->out;
    bool is_table = cli_ends_in(out, ".csv") || cli_ends_in(out, ".npy");
    bool is_picture = cli_ends_in(out, ".glb") || cli_ends_in(out, ".pvd");
    if (!is_table && options->n_signal > 0) {
        return cli_complain("export", CLI_USAGE, "--signal goes with -o FILE.csv or FILE.npy");
    }
    if (!is_table && !is_picture) {
        int code = check_model_ending(out);
        return code == CLI_DONE ? export_model(options) : code;
    }
    if (options->overrides.n > 0) {
        return cli_complain("export", CLI_USAGE,
                            "--set changes models, and '%s' is made from a trajectory", out);
    }
    if (!options->input || !cli_is_trajectory(options->input)) {
        return cli_complain("export", CLI_USAGE,
                            "'%s' is made from a trajectory (.h5, or a folder of 'elver run'), "
                            "'elver run' makes one of a model",
                            out);
    }
    return is_table ? export_table(options) : export_view(options);
}

int cli_cmd_export(int argc, char** argv) {
    ExportOptions options;
    memset(&options, 0, sizeof options);
    options.signal = calloc((size_t)argc + 1, sizeof *options.signal);
    int code = CLI_FAILED;
    if (!options.signal) {
        cli_complain("export", CLI_FAILED, "out of memory");
    } else if (parse(argc, argv, &options, &code)) {
        code = export_by_ending(&options);
    }
    cli_overrides_free(&options.overrides);
    free(options.signal);
    return code;
}
