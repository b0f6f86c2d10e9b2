// SPDX-License-Identifier: Apache-2.0
// `elver reproduce [FIGURE]`: figures and tables of the papers from the shipped examples.
#include "reproduce.h"

#include <string.h>

/// What can be reproduced.
static const struct {
    const char* name;
    const char* text;
    int (*run)(void);                                 // without options, or
    int (*run_with)(const ReproduceOptions* options); // with them
} figures[] = {
    {"p23-table1", "cost of four single rods, beside the published columns", reproduce_p23_table1,
     NULL},
    {"rkmk-table3",
     "errors of six schemes of finite differences, as published and as they should be",
     reproduce_rkmk_table3, NULL},
    {"ocp-dtc", "critical time step of shooting over stiffness, density, length and segments",
     reproduce_ocp_dtc, NULL},
    {"ocp-singular", "how forward dynamics as a singular Riccati sweep fails",
     reproduce_ocp_singular, NULL},
    {"ocp-gauss", "Gauss' constraint, which every acceleration but the true one raises",
     reproduce_ocp_gauss, NULL},
    {"p23-fig16", "swimmer with tendons: torques, the phase between them, speed", NULL,
     reproduce_p23_fig16},
    {"ocp-fig6", "swimmer with controlled strains: velocity of its head by four methods", NULL,
     reproduce_ocp_fig6},
    {"methods", "one rod by six methods, which converge to one trajectory", NULL,
     reproduce_methods},
};

enum { N_FIGURE = sizeof figures / sizeof figures[0] };

enum { OPTION_OUT, OPTION_PLOT, OPTION_QUICK, OPTION_JSON };

static const CliOption options_reproduce[] = {
    {OPTION_OUT, 'o', "out", CLI_VALUE},
    {OPTION_PLOT, 0, "plot", CLI_VALUE_SVG},
    {OPTION_QUICK, 0, "quick", CLI_FLAG},
    {OPTION_JSON, 0, "json", CLI_FLAG},
};

static int reproduce(const char* name, const ReproduceOptions* options, bool has_option) {
    const char* names[N_FIGURE];
    for (int i = 0; i < N_FIGURE; i++) {
        names[i] = figures[i].name;
        if (strcmp(name, names[i]) != 0) {
            continue;
        }
        if (figures[i].run_with) {
            return figures[i].run_with(options);
        }
        return has_option ? cli_complain("reproduce", CLI_USAGE, "%s takes no options", name)
                          : figures[i].run();
    }
    const char* near = elv_suggest(name, names, N_FIGURE);
    return cli_complain("reproduce", CLI_USAGE,
                        near ? "no figure '%s', did you mean '%s'?"
                             : "no figure '%s'; see `elver reproduce`",
                        name, near);
}

static void take(ReproduceOptions* options, int id, const char* value) {
    switch (id) {
    case OPTION_OUT:
        options->out = value;
        break;
    case OPTION_PLOT:
        options->has_plot = true;
        options->plot = value;
        break;
    case OPTION_QUICK:
        options->is_quick = true;
        break;
    default:
        options->is_json = true;
        break;
    }
}

int cli_cmd_reproduce(int argc, char** argv) {
    CliParser parser = {.command = "reproduce",
                        .option = options_reproduce,
                        .n_option = sizeof options_reproduce / sizeof options_reproduce[0],
                        .argc = argc,
                        .argv = argv};
    ReproduceOptions options = {0};
    const char* word = NULL;
    const char* name = NULL;
    bool has_option = false;
    for (int id = cli_next(&parser, &word); id != CLI_END; id = cli_next(&parser, &word)) {
        if (id == CLI_HELP) {
            cli_print_help("reproduce");
            return CLI_DONE;
        }
        if (id == CLI_BAD) {
            return CLI_USAGE;
        }
        if (id != CLI_OPERAND) {
            take(&options, id, word);
            has_option = true;
        } else if (name) {
            return cli_complain("reproduce", CLI_USAGE, "one figure at a time");
        } else {
            name = word;
        }
    }
    if (name) {
        return reproduce(name, &options, has_option);
    }
    for (int i = 0; i < N_FIGURE; i++) {
        printf("%-12s %s\n", figures[i].name, figures[i].text);
    }
    return CLI_DONE;
}
