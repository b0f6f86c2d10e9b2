// SPDX-License-Identifier: Apache-2.0
// Words of `elver statics`.
#include "statics.h"

#include <math.h>
#include <string.h>

enum {
    OPTION_OUT,
    OPTION_SET,
    OPTION_JSON,
    OPTION_CONTINUE,
    OPTION_BRANCH,
    OPTION_BRANCH_AT,
    OPTION_MAX_STEP,
    OPTION_MAX_POINTS,
    OPTION_STABILITY,
    OPTION_STUDY,
    OPTION_QUIET
};

static const CliOption options_known[] = {
    {OPTION_OUT, 'o', "out", CLI_VALUE},          {OPTION_SET, 0, "set", CLI_VALUE},
    {OPTION_JSON, 0, "json", CLI_FLAG},           {OPTION_CONTINUE, 0, "continue", CLI_FLAG},
    {OPTION_BRANCH, 0, "branch", CLI_VALUE},      {OPTION_BRANCH_AT, 0, "branch-at", CLI_VALUE},
    {OPTION_MAX_STEP, 0, "max-step", CLI_VALUE},  {OPTION_MAX_POINTS, 0, "max-points", CLI_VALUE},
    {OPTION_STABILITY, 0, "stability", CLI_FLAG}, {OPTION_STUDY, 0, "mode-study", CLI_FLAG},
    {OPTION_QUIET, 'q', "quiet", CLI_FLAG},
};

static int take_branch(Statics* statics, const char* text) {
    bool is_plus = strcmp(text, "+") == 0;
    if (!is_plus && strcmp(text, "-") != 0) {
        return cli_complain("statics", CLI_USAGE, "--branch takes + or -, not '%s'", text);
    }
    statics->branch = is_plus ? 1 : -1;
    return CLI_DONE;
}

static int take_integer(const char* option, const char* text, int* value) {
    double number = 0.0;
    if (!cli_parse_number("statics", option, text, &number)) {
        return CLI_USAGE;
    }
    if (!(number >= 1.0 && number <= 1e9 && number == floor(number))) {
        return cli_complain("statics", CLI_USAGE, "%s: '%s' is no positive whole number", option,
                            text);
    }
    *value = (int)number;
    return CLI_DONE;
}

static int take_step(Statics* statics, const char* text) {
    if (!cli_parse_number("statics", "--max-step", text, &statics->max_step)) {
        return CLI_USAGE;
    }
    return statics->max_step > 0.0
               ? CLI_DONE
               : cli_complain("statics", CLI_USAGE, "--max-step: '%s' is not positive", text);
}

static int take(Statics* statics, int id, const char* value) {
    RunOptions* options = &statics->run.options;
    switch (id) {
    case CLI_OPERAND:
        if (options->model) {
            return cli_complain("statics", CLI_USAGE, "one model at a time: '%s' is too many",
                                value);
        }
        options->model = value;
        return CLI_DONE;
    case OPTION_OUT:
        options->out = value;
        return CLI_DONE;
    case OPTION_SET:
        return cli_override_set("statics", &options->overrides, value);
    case OPTION_JSON:
        options->is_json = true;
        return CLI_DONE;
    case OPTION_CONTINUE:
        statics->is_path = true;
        return CLI_DONE;
    case OPTION_BRANCH:
        return take_branch(statics, value);
    case OPTION_BRANCH_AT:
        return take_integer("--branch-at", value, &statics->branch_at);
    case OPTION_MAX_STEP:
        return take_step(statics, value);
    case OPTION_MAX_POINTS:
        return take_integer("--max-points", value, &statics->max_points);
    case OPTION_STABILITY:
        statics->has_stability = true;
        return CLI_DONE;
    case OPTION_STUDY:
        statics->is_study = true;
        return CLI_DONE;
    case OPTION_QUIET:
        options->is_quiet = true;
        return CLI_DONE;
    default:
        return CLI_USAGE;
    }
}

static int check(const Statics* statics) {
    const RunOptions* options = &statics->run.options;
    bool has_path_words = statics->branch != 0 || statics->branch_at > 0 ||
                          statics->max_step > 0.0 || statics->max_points > 0;
    if (has_path_words && !statics->is_path) {
        return cli_complain(
            "statics", CLI_USAGE,
            "--branch, --branch-at, --max-step and --max-points go with --continue");
    }
    if (statics->branch_at > 0 && statics->branch == 0) {
        return cli_complain("statics", CLI_USAGE, "--branch-at goes with --branch + or --branch -");
    }
    if (statics->is_study && (statics->is_path || statics->has_stability || options->out)) {
        return cli_complain(
            "statics", CLI_USAGE,
            "--mode-study prints a table of its own: no -o, --continue or --stability");
    }
    if (options->is_json && options->out && strcmp(options->out, "-") == 0) {
        return cli_complain("statics", CLI_USAGE, "--json and -o - would both use standard output");
    }
    return CLI_DONE;
}

bool statics_parse(int argc, char** argv, Statics* statics, int* code) {
    size_t n_option = sizeof options_known / sizeof options_known[0];
    CliParser parser = {"statics", options_known, n_option, argc, argv, 0, false, false};
    const char* value = NULL;
    statics->run.options.command = "statics";
    *code = CLI_DONE;
    for (int id = cli_next(&parser, &value); id != CLI_END; id = cli_next(&parser, &value)) {
        if (id == CLI_HELP) {
            cli_print_help("statics");
            return false;
        }
        *code = take(statics, id, value);
        if (*code != CLI_DONE) {
            return false;
        }
    }
    *code = check(statics);
    return *code == CLI_DONE;
}
