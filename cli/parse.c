// SPDX-License-Identifier: Apache-2.0
// Options of the commands: --name, --name VALUE, --name=VALUE, -x, -x VALUE, -xVALUE, and -- before
// operands that begin with a dash. Unknown options are answered with the nearest known one.
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTION = 32 };

static int complain_unknown(const CliParser* parser, const char* word, size_t n_name) {
    char given[64];
    snprintf(given, sizeof given, "%.*s", (int)(n_name < 60 ? n_name : 60), word);
    const char* name[MAX_OPTION];
    size_t n = 0;
    for (size_t i = 0; i < parser->n_option && n < MAX_OPTION; i++) {
        name[n++] = parser->option[i].name;
    }
    const char* nearest = elv_suggest(given, name, n);
    if (nearest) {
        cli_complain(parser->command, CLI_USAGE, "unknown option '--%s', did you mean '--%s'?",
                     given, nearest);
    } else {
        cli_complain(parser->command, CLI_USAGE,
                     "unknown option '--%s'; 'elver %s --help' lists them", given, parser->command);
    }
    return CLI_BAD;
}

bool cli_ends_in(const char* word, const char* ending) {
    size_t n = word ? strlen(word) : 0;
    size_t n_ending = strlen(ending);
    return n > n_ending && strcmp(word + n - n_ending, ending) == 0;
}

static bool is_plot_option(const CliOption* option) {
    return option->argument == CLI_VALUE_SVG || option->argument == CLI_VALUE_PLOT;
}

// a name that the plot may have
static bool is_plot_name(const CliOption* option, const char* word) {
    return cli_ends_in(word, ".svg") || (option->argument == CLI_VALUE_PLOT &&
                                         (cli_ends_in(word, ".png") || cli_ends_in(word, ".pdf")));
}

// a picture of another kind: surely meant as the name of the plot
static bool is_other_picture(const char* word) {
    static const char* const endings[] = {".png", ".pdf", ".jpg", ".jpeg", ".eps", ".gif"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (cli_ends_in(word, endings[i])) {
            return true;
        }
    }
    return false;
}

static int complain_picture(const CliParser* parser, const CliOption* option, const char* word) {
    cli_complain(parser->command, CLI_USAGE, "--%s '%s': plots are .svg%s files", option->name,
                 word, option->argument == CLI_VALUE_PLOT ? ", .png or .pdf" : "");
    return CLI_BAD;
}

// the value of an option: attached (may be NULL), or the next word
static int
find_value(CliParser* parser, const CliOption* option, const char* attached, const char** value) {
    *value = attached;
    if (option->argument == CLI_FLAG && attached) {
        cli_complain(parser->command, CLI_USAGE, "the option '--%s' takes no value", option->name);
        return CLI_BAD;
    }
    if (is_plot_option(option) && attached && !is_plot_name(option, attached)) {
        return complain_picture(parser, option, attached);
    }
    if (option->argument == CLI_FLAG || attached) {
        return option->id;
    }
    const char* next = parser->i < parser->argc ? parser->argv[parser->i] : NULL;
    if (is_plot_option(option)) {
        bool is_name = next && next[0] != '-' && is_plot_name(option, next);
        if (next && !is_name && is_other_picture(next)) {
            return complain_picture(parser, option, next);
        }
        *value = is_name ? next : NULL;
        parser->i += is_name;
        return option->id;
    }
    if (!next) {
        cli_complain(parser->command, CLI_USAGE, "the option '--%s' needs a value", option->name);
        return CLI_BAD;
    }
    *value = next;
    parser->i++;
    return option->id;
}

// results go to one place: the first of two would be lost without a word
static int
take_value(CliParser* parser, const CliOption* option, const char* attached, const char** value) {
    int id = find_value(parser, option, attached, value);
    if (id == CLI_BAD || strcmp(option->name, "out") != 0) {
        return id;
    }
    if (parser->has_out) {
        cli_complain(parser->command, CLI_USAGE, "-o once only: '%s' is too many", *value);
        return CLI_BAD;
    }
    parser->has_out = true;
    return id;
}

static int next_long(CliParser* parser, const char* word, const char** value) {
    const char* equals = strchr(word, '=');
    size_t n_name = equals ? (size_t)(equals - word) : strlen(word);
    if (strcmp(word, "help") == 0) {
        return CLI_HELP;
    }
    for (size_t i = 0; i < parser->n_option; i++) {
        const CliOption* option = &parser->option[i];
        if (strlen(option->name) == n_name && memcmp(option->name, word, n_name) == 0) {
            return take_value(parser, option, equals ? equals + 1 : NULL, value);
        }
    }
    return complain_unknown(parser, word, n_name);
}

static int next_short(CliParser* parser, const char* word, const char** value) {
    if (strcmp(word, "h") == 0) {
        return CLI_HELP;
    }
    for (size_t i = 0; i < parser->n_option; i++) {
        const CliOption* option = &parser->option[i];
        if (option->letter == word[0]) {
            return take_value(parser, option, word[1] != '\0' ? word + 1 : NULL, value);
        }
    }
    cli_complain(parser->command, CLI_USAGE, "unknown option '-%s'; 'elver %s --help' lists them",
                 word, parser->command);
    return CLI_BAD;
}

int cli_next(CliParser* parser, const char** value) {
    *value = NULL;
    if (parser->i >= parser->argc) {
        return CLI_END;
    }
    const char* word = parser->argv[parser->i++];
    if (!parser->is_literal && strcmp(word, "--") == 0) {
        parser->is_literal = true;
        return cli_next(parser, value);
    }
    // "-" alone is an operand
    if (parser->is_literal || word[0] != '-' || word[1] == '\0') {
        *value = word;
        return CLI_OPERAND;
    }
    return word[1] == '-' ? next_long(parser, word + 2, value)
                          : next_short(parser, word + 1, value);
}

bool cli_parse_number(const char* command, const char* option, const char* text, double* value) {
    char* end = NULL;
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*value)) {
        cli_complain(command, CLI_USAGE, "%s: '%s' is not a number", option, text);
        return false;
    }
    return true;
}
