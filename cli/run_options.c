// SPDX-License-Identifier: Apache-2.0
// Options of `elver run` and `elver inverse`. Those that change the model become overrides of the model file, so that
// the model that is stored beside the results says all that was simulated.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "run.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    OPTION_OUT,
    OPTION_SET,
    OPTION_METHOD,
    OPTION_DURATION,
    OPTION_STEP,
    OPTION_EVERY,
    OPTION_REL_TOL,
    OPTION_ABS_TOL,
    OPTION_SIGNAL,
    OPTION_RESTART,
    OPTION_RESTART_TIME,
    OPTION_PLOT,
    OPTION_JSON,
    OPTION_STUDY,
    OPTION_QUIET
};

static const CliOption options_run[] = {
    {OPTION_OUT, 'o', "out", CLI_VALUE},
    {OPTION_SET, 0, "set", CLI_VALUE},
    {OPTION_METHOD, 0, "method", CLI_VALUE},
    {OPTION_DURATION, 0, "duration", CLI_VALUE},
    {OPTION_STEP, 0, "step", CLI_VALUE},
    {OPTION_EVERY, 0, "every", CLI_VALUE},
    {OPTION_REL_TOL, 0, "rel-tol", CLI_VALUE},
    {OPTION_ABS_TOL, 0, "abs-tol", CLI_VALUE},
    {OPTION_SIGNAL, 0, "signal", CLI_VALUE},
    {OPTION_RESTART, 0, "restart", CLI_VALUE},
    {OPTION_RESTART_TIME, 0, "restart-time", CLI_VALUE},
    {OPTION_PLOT, 0, "plot", CLI_VALUE_PLOT},
    {OPTION_JSON, 0, "json", CLI_FLAG},
    {OPTION_STUDY, 0, "mode-study", CLI_FLAG},
    {OPTION_QUIET, 'q', "quiet", CLI_FLAG},
};

static const CliOption options_inverse[] = {
    {OPTION_OUT, 'o', "out", CLI_VALUE},         {OPTION_SET, 0, "set", CLI_VALUE},
    {OPTION_DURATION, 0, "duration", CLI_VALUE}, {OPTION_EVERY, 0, "every", CLI_VALUE},
    {OPTION_SIGNAL, 0, "signal", CLI_VALUE},     {OPTION_PLOT, 0, "plot", CLI_VALUE_PLOT},
    {OPTION_JSON, 0, "json", CLI_FLAG},          {OPTION_QUIET, 'q', "quiet", CLI_FLAG},
};

// a list of signals as YAML text, grown by one
typedef struct {
    char* text;
    size_t n;
} SignalList;

static bool add_signal(SignalList* list, const char* name) {
    char* grown = realloc(list->text, list->n + 2 * strlen(name) + 8);
    if (!grown) {
        return false;
    }
    list->text = grown;
    // the closing bracket is overwritten each time
    size_t n = list->n > 0 ? list->n - 1 : 0;
    grown[n] = n > 0 ? ',' : '[';
    grown[n + 1] = '\'';
    n += 2;
    for (const char* c = name; *c != '\0'; c++) {
        if (*c == '\'') {
            grown[n++] = '\'';
        }
        grown[n++] = *c;
    }
    grown[n++] = '\'';
    grown[n++] = ']';
    grown[n] = '\0';
    list->n = n;
    return true;
}

static int out_of_memory(const RunOptions* options) {
    return cli_complain(options->command, CLI_FAILED, "out of memory");
}

// a text that replaces one of the model file; returns an exit code, as all below that take words
static int
override_text(RunOptions* options, const char* option, const char* key, const char* text) {
    return cli_override(&options->overrides, option, key, text) ? CLI_DONE : out_of_memory(options);
}

// a number that replaces one of the model file
static int
override_number(RunOptions* options, const char* option, const char* key, const char* text) {
    double value = 0.0;
    return cli_parse_number(options->command, option, text, &value)
               ? override_text(options, option, key, text)
               : CLI_USAGE;
}

static int take_override(RunOptions* options, int id, const char* value) {
    switch (id) {
    case OPTION_METHOD:
        return override_text(options, "--method", "simulate.method", value);
    case OPTION_DURATION:
        return override_number(options, "--duration", "simulate.duration", value);
    case OPTION_STEP:
        return override_number(options, "--step", "simulate.step", value);
    case OPTION_EVERY:
        return override_number(options, "--every", "record.every", value);
    case OPTION_REL_TOL:
        return override_number(options, "--rel-tol", "simulate.rel_tol", value);
    case OPTION_ABS_TOL:
        return override_number(options, "--abs-tol", "simulate.abs_tol", value);
    default:
        return cli_override_set(options->command, &options->overrides, value);
    }
}

// says what is wrong with the word
static int take(RunOptions* options, SignalList* signals, int id, const char* value) {
    switch (id) {
    case CLI_OPERAND:
        if (options->model) {
            bool is_plot = options->has_plot && !options->plot;
            return cli_complain(options->command, CLI_USAGE,
                                "one model at a time: '%s' is too many%s", value,
                                is_plot ? "; names after --plot end in .svg, .png or .pdf" : "");
        }
        options->model = value;
        return CLI_DONE;
    case OPTION_OUT:
        options->out = value;
        return CLI_DONE;
    case OPTION_SIGNAL:
        return add_signal(signals, value) ? CLI_DONE : out_of_memory(options);
    case OPTION_RESTART:
        options->restart = value;
        return CLI_DONE;
    case OPTION_RESTART_TIME:
        return cli_parse_number(options->command, "--restart-time", value, &options->restart_time)
                   ? CLI_DONE
                   : CLI_USAGE;
    case OPTION_PLOT:
        options->has_plot = true;
        options->plot = value;
        return CLI_DONE;
    case OPTION_JSON:
        options->is_json = true;
        return CLI_DONE;
    case OPTION_STUDY:
        options->is_study = true;
        return CLI_DONE;
    case OPTION_QUIET:
        options->is_quiet = true;
        return CLI_DONE;
    case CLI_BAD:
        return CLI_USAGE;
    default:
        return take_override(options, id, value);
    }
}

static bool parse_words(CliParser* parser, RunOptions* options, SignalList* signals, int* code) {
    const char* value = NULL;
    for (int id = cli_next(parser, &value); id != CLI_END; id = cli_next(parser, &value)) {
        if (id == CLI_HELP) {
            cli_print_help(options->command);
            *code = CLI_DONE;
            return false;
        }
        *code = take(options, signals, id, value);
        if (*code != CLI_DONE) {
            return false;
        }
    }
    if (options->is_study && (options->out || options->has_plot || options->restart)) {
        *code = cli_complain(options->command, CLI_USAGE,
                             "--mode-study prints a table of its own: no -o, --plot or --restart");
    } else if (!options->restart && !isnan(options->restart_time)) {
        *code = cli_complain(options->command, CLI_USAGE, "--restart-time needs --restart FILE");
    } else if (options->is_json && options->out && strcmp(options->out, "-") == 0) {
        *code = cli_complain(options->command, CLI_USAGE,
                             "--json and -o - would both use standard output");
    } else if (signals->text) {
        *code = override_text(options, "--signal", "record.signals", signals->text);
    }
    return *code == CLI_DONE;
}

bool run_parse(const char* command, int argc, char** argv, RunOptions* options, int* code) {
    bool is_run = strcmp(command, "run") == 0;
    size_t n_option = is_run ? sizeof options_run / sizeof options_run[0]
                             : sizeof options_inverse / sizeof options_inverse[0];
    CliParser parser = {
        command, is_run ? options_run : options_inverse, n_option, argc, argv, 0, false, false};
    SignalList signals = {NULL, 0};
    memset(options, 0, sizeof *options);
    options->command = command;
    options->restart_time = NAN;
    *code = CLI_DONE;
    bool goes_on = parse_words(&parser, options, &signals, code);
    free(signals.text);
    return goes_on;
}

// ---- the plot's name

static bool is_folder(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// letters, digits and dashes of the model's name
static int slug(const char* name, char* text, size_t size) {
    size_t n = 0;
    for (const char* c = name; *c != '\0' && n + 6 < size; c++) {
        bool is_word = isalnum((unsigned char)*c) || *c == '_' || *c == '.';
        if (is_word || (n > 0 && text[n - 1] != '-')) {
            text[n++] = is_word ? *c : '-';
        }
    }
    return snprintf(text + n, size - n, "%s.svg", n > 0 ? "" : "elver") + (int)n;
}

bool run_plot_name(Run* run) {
    const RunOptions* options = &run->options;
    const char* out = options->out;
    int n = 0;
    if (!options->has_plot) {
        run->plot[0] = '\0';
    } else if (options->plot) {
        n = snprintf(run->plot, CLI_PATH, "%s", options->plot);
    } else if (!out || strcmp(out, "-") == 0) {
        n = slug(elv_model_name(run->loaded.model), run->plot, CLI_PATH);
    } else if (is_folder(out)) {
        n = snprintf(run->plot, CLI_PATH, "%s/trajectory.svg", out);
    } else {
        const char* dot = strrchr(out, '.');
        const char* slash = strrchr(out, '/');
        bool has_ending = dot && dot != out && (!slash || dot > slash + 1);
        int n_stem = has_ending ? (int)(dot - out) : (int)strlen(out);
        n = snprintf(run->plot, CLI_PATH, "%.*s.svg", n_stem, out);
    }
    if (n >= CLI_PATH) {
        cli_complain(options->command, CLI_USAGE, "the name of the plot is too long");
    }
    return n < CLI_PATH;
}
