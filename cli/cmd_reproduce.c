// SPDX-License-Identifier: Apache-2.0
// `elver reproduce [FIGURE|all]`: figures and tables of the papers from the shipped examples, and studies of our own.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "figure.h"
#include "progress.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// What belongs to no figure.
static const struct {
    const char* name;
    const char* text;
    int (*run)(void);                                 // without options, or
    int (*run_with)(const ReproduceOptions* options); // with them
} studies[] = {
    {"ocp-dtc", "critical time step of shooting over stiffness, density, length and segments",
     reproduce_ocp_dtc, NULL},
    {"ocp-singular", "how forward dynamics as a singular Riccati sweep fails",
     reproduce_ocp_singular, NULL},
    {"ocp-gauss", "Gauss' constraint, which every acceleration but the true one raises",
     reproduce_ocp_gauss, NULL},
    {"methods", "one rod by six methods, which converge to one trajectory", NULL,
     reproduce_methods},
};

enum { N_STUDY = sizeof studies / sizeof studies[0], MAX_NAME = 256 };

enum { OPTION_OUT, OPTION_PLOT, OPTION_QUICK, OPTION_JSON };

static const CliOption options_reproduce[] = {
    {OPTION_OUT, 'o', "out", CLI_VALUE},
    {OPTION_PLOT, 0, "plot", CLI_VALUE_SVG},
    {OPTION_QUICK, 0, "quick", CLI_FLAG},
    {OPTION_JSON, 0, "json", CLI_FLAG},
};

// ---- the list

static void print_list(void) {
    for (int i = 0; FIGURE_LISTS[i]; i++) {
        const FigureList* list = FIGURE_LISTS[i];
        printf("%s%s: %s\n", i > 0 ? "\n" : "", list->paper, list->title);
        for (int k = 0; k < list->n; k++) {
            const Figure* figure = &list->figure[k];
            printf("  %-14s %-8s %s\n", figure->id, figure_kind_text(figure->kind), figure->title);
        }
    }
    printf("\nStudies\n");
    for (int i = 0; i < N_STUDY; i++) {
        printf("  %-14s %-8s %s\n", studies[i].name, "study", studies[i].text);
    }
}

// ---- folders

static int make_folder(const char* folder) {
    struct stat info;
    if (strcmp(folder, "-") == 0) {
        return cli_complain("reproduce", CLI_USAGE, "files go to a folder, not to standard output");
    }
    if (mkdir(folder, 0777) == 0) {
        return CLI_DONE;
    }
    int reason = errno;
    if (reason != EEXIST) {
        return cli_complain("reproduce", CLI_USAGE, "cannot make the folder '%s': %s", folder,
                            strerror(reason));
    }
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return cli_complain("reproduce", CLI_USAGE, "'%s' is no folder", folder);
    }
    if (access(folder, W_OK | X_OK) != 0) {
        return cli_complain("reproduce", CLI_USAGE, "cannot write to the folder '%s': %s", folder,
                            strerror(errno));
    }
    return CLI_DONE;
}

// ---- one figure

static void print_fact(const char* head, const char* text) {
    if (text) {
        printf("%s %s\n", head, text);
    }
}

static void print_facts(const Figure* figure, const char* folder) {
    static const char* const ending[] = {".svg", ".csv", ".html", ".txt"};
    printf("[%s %s] %s\n", figure->paper, figure->number, figure->title);
    print_fact("the paper:", figure->facts);
    print_fact("here:", figure->ours);
    print_fact(figure->kind == FIGURE_DRAWING   ? "a drawing:"
               : figure->kind == FIGURE_MISSING ? "not made:"
                                                : "not given:",
               figure->lacks);
    for (int i = 0; i < figure_n_run(figure); i++) {
        printf("run: ");
        figure_print_command(stdout, &figure->run[i]);
        printf("\n");
    }
    for (size_t i = 0; folder && i < sizeof ending / sizeof ending[0]; i++) {
        if (figure_has_file(figure, folder, ending[i])) {
            printf("file: %s/%s%s\n", folder, figure->id, ending[i]);
        }
    }
}

static int reproduce_figure(const Figure* figure, const ReproduceOptions* options) {
    bool is_file = options->out && cli_ends_in(options->out, ".csv");
    bool has_more = options->is_json || options->has_plot;
    if (figure->study && figure->has_files && (is_file || has_more)) {
        return figure->study(options);
    }
    if (has_more || is_file || (options->is_quick && !figure->study)) {
        return cli_complain("reproduce", CLI_USAGE, "%s takes -o FOLDER alone", figure->id);
    }
    if (figure->kind == FIGURE_DRAWING || figure->kind == FIGURE_MISSING) {
        print_facts(figure, NULL);
        return figure->kind == FIGURE_DRAWING ? CLI_DONE : CLI_FAILED;
    }
    const char* folder = options->out ? options->out : ".";
    int code = make_folder(folder);
    if (code != CLI_DONE) {
        return code;
    }
    code = figure_make(figure, folder, options->is_quick, options->out != NULL);
    if (code == CLI_DONE) {
        bool is_printed = figure->kind == FIGURE_TABLE && !options->out;
        print_facts(figure, is_printed ? NULL : folder);
    }
    return code;
}

static int reproduce_all(const ReproduceOptions* options) {
    const char* folder = options->out ? options->out : "figures";
    if (options->is_json || options->has_plot || options->is_quick) {
        return cli_complain("reproduce", CLI_USAGE, "all takes -o FOLDER alone");
    }
    int code = make_folder(folder);
    return code == CLI_DONE ? figure_make_all(folder) : code;
}

// ---- the command

static int refuse_name(const char* name) {
    const char* names[MAX_NAME];
    int n = 0;
    for (int i = 0; i < N_STUDY; i++) {
        names[n++] = studies[i].name;
    }
    for (int i = 0; i < figure_count() && n < MAX_NAME; i++) {
        names[n++] = figure_at(i)->id;
    }
    const char* near = elv_suggest(name, names, (size_t)n);
    return cli_complain("reproduce", CLI_USAGE,
                        near ? "no figure '%s', did you mean '%s'?"
                             : "no figure '%s'; see `elver reproduce`",
                        name, near);
}

static int reproduce(const char* name, const ReproduceOptions* options, bool has_option) {
    if (strcmp(name, "all") == 0) {
        return reproduce_all(options);
    }
    for (int i = 0; i < N_STUDY; i++) {
        if (strcmp(name, studies[i].name) != 0) {
            continue;
        }
        if (studies[i].run_with) {
            return studies[i].run_with(options);
        }
        return has_option ? cli_complain("reproduce", CLI_USAGE, "%s takes no options", name)
                          : studies[i].run();
    }
    const Figure* figure = figure_find(name);
    return figure ? reproduce_figure(figure, options) : refuse_name(name);
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
        cli_catch_signals();
        return reproduce(name, &options, has_option);
    }
    print_list();
    return CLI_DONE;
}
