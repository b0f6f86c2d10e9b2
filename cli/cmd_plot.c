// SPDX-License-Identifier: Apache-2.0
// `elver plot OUT... [SIGNAL...]`: recorded signals as a figure for a paper, of one run or of several. Words that name a
// trajectory are runs, others are signals.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "plot.h"
#include "replay_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    OPTION_OUT,
    OPTION_TERMINAL,
    OPTION_TITLE,
    OPTION_FROM,
    OPTION_TO,
    OPTION_X,
    OPTION_TOGETHER,
    OPTION_QUIET
};

static const CliOption options_known[] = {
    {OPTION_OUT, 'o', "out", CLI_VALUE},
    {OPTION_TERMINAL, 0, "terminal", CLI_FLAG},
    {OPTION_TITLE, 0, "title", CLI_VALUE},
    {OPTION_FROM, 0, "from", CLI_VALUE},
    {OPTION_TO, 0, "to", CLI_VALUE},
    {OPTION_X, 0, "x", CLI_VALUE},
    {OPTION_TOGETHER, 0, "together", CLI_FLAG},
    {OPTION_QUIET, 'q', "quiet", CLI_FLAG},
};

typedef struct {
    const char** run;    // (n_run)
    const char** signal; // (n_signal)
    int n_run, n_signal;
    const char* out; // or NULL
    const char* title;
    const char* x;
    double from, to;
    bool is_terminal, is_together, is_quiet;
    char path[CLI_PATH]; // of the figure
    PlotFormat format;
    // the runs
    ReplayTable* table; // (n_run)
    char** label;       // (n_run)
} Plot;

// ---- words

static int take(Plot* plot, int id, const char* value) {
    switch (id) {
    case CLI_OPERAND:
        if (cli_is_trajectory(value)) {
            plot->run[plot->n_run++] = value;
        } else {
            plot->signal[plot->n_signal++] = value;
        }
        return CLI_DONE;
    case OPTION_OUT:
        plot->out = value;
        return CLI_DONE;
    case OPTION_TERMINAL:
        plot->is_terminal = true;
        return CLI_DONE;
    case OPTION_TITLE:
        plot->title = value;
        return CLI_DONE;
    case OPTION_FROM:
        return cli_parse_number("plot", "--from", value, &plot->from) ? CLI_DONE : CLI_USAGE;
    case OPTION_TO:
        return cli_parse_number("plot", "--to", value, &plot->to) ? CLI_DONE : CLI_USAGE;
    case OPTION_X:
        // what it is without --x
        plot->x = strcmp(value, "t") == 0 || strcmp(value, "time") == 0 ? NULL : value;
        return CLI_DONE;
    case OPTION_TOGETHER:
        plot->is_together = true;
        return CLI_DONE;
    case OPTION_QUIET:
        plot->is_quiet = true;
        return CLI_DONE;
    default:
        return CLI_USAGE;
    }
}

// a word that was meant as a run, maybe
static int explain_no_run(const Plot* plot) {
    const char* word = plot->n_signal > 0 ? plot->signal[0] : NULL;
    if (!word) {
        return cli_complain("plot", CLI_USAGE,
                            "nothing to plot: name a trajectory, .h5, .csv or a folder of 'elver "
                            "run'");
    }
    return cli_complain("plot", CLI_USAGE,
                        "'%s' is no trajectory (.h5, .csv, or a folder of 'elver run'); models are "
                        "simulated by 'elver run'",
                        word);
}

static int check_words(const Plot* plot) {
    if (plot->n_run == 0) {
        return explain_no_run(plot);
    }
    if (plot->is_terminal && plot->out) {
        return cli_complain("plot", CLI_USAGE, "either --terminal or -o FILE");
    }
    if (plot->from > plot->to) {
        return cli_complain("plot", CLI_USAGE, "--to must not be before --from");
    }
    PlotFormat format;
    if (plot->out && !plot_format(plot->out, &format)) {
        return cli_complain("plot", CLI_USAGE, "'%s': figures are .svg, .png or .pdf", plot->out);
    }
    return CLI_DONE;
}

static bool parse(int argc, char** argv, Plot* plot, int* code) {
    size_t n_option = sizeof options_known / sizeof options_known[0];
    CliParser parser = {"plot", options_known, n_option, argc, argv, 0, false, false};
    const char* value = NULL;
    *code = CLI_DONE;
    for (int id = cli_next(&parser, &value); id != CLI_END; id = cli_next(&parser, &value)) {
        if (id == CLI_HELP) {
            cli_print_help("plot");
            return false;
        }
        *code = take(plot, id, value);
        if (*code != CLI_DONE) {
            return false;
        }
    }
    *code = check_words(plot);
    return *code == CLI_DONE;
}

// ---- names

// length of a path without the ending of its file
static int stem_length(const char* path) {
    const char* dot = strrchr(path, '.');
    const char* slash = strrchr(path, '/');
    bool has_ending = dot && dot != path && (!slash || dot > slash + 1);
    return has_ending ? (int)(dot - path) : (int)strlen(path);
}

// as `--plot` of `elver run` names it: beside the first run
static int choose_path(Plot* plot) {
    // a plot without runs has been refused, which analysers do not see
    const char* first = plot->run[0] ? plot->run[0] : "";
    struct stat info;
    int n = 0;
    if (plot->is_terminal) {
        plot->format = PLOT_TERMINAL;
        return CLI_DONE;
    }
    if (plot->out) {
        n = snprintf(plot->path, CLI_PATH, "%s", plot->out);
    } else if (stat(first, &info) == 0 && S_ISDIR(info.st_mode)) {
        n = snprintf(plot->path, CLI_PATH, "%s/trajectory.svg", first);
    } else {
        n = snprintf(plot->path, CLI_PATH, "%.*s.svg", stem_length(first), first);
    }
    if (n >= CLI_PATH || !plot_format(plot->path, &plot->format)) {
        return cli_complain("plot", CLI_USAGE, "the name of the figure is too long");
    }
    return cli_can_write("plot", plot->path) ? CLI_DONE : CLI_USAGE;
}

// names of files without folder and ending, or whole ones where these are not different
static bool label_runs(Plot* plot) {
    bool is_unique = true;
    for (int i = 0; i < plot->n_run; i++) {
        size_t size = strlen(plot->run[i]) + 1;
        plot->label[i] = malloc(size);
        if (!plot->label[i]) {
            return false;
        }
        memcpy(plot->label[i], plot->run[i], size);
        char* label = plot->label[i];
        for (size_t n = size - 1; n > 1 && label[n - 1] == '/'; n--) {
            label[n - 1] = '\0';
        }
        label[stem_length(label)] = '\0';
        const char* slash = strrchr(label, '/');
        if (slash) {
            memmove(label, slash + 1, strlen(slash));
        }
        for (int k = 0; k < i; k++) {
            is_unique = is_unique && strcmp(label, plot->label[k]) != 0;
        }
    }
    for (int i = 0; i < plot->n_run && !is_unique; i++) {
        memcpy(plot->label[i], plot->run[i], strlen(plot->run[i]) + 1);
    }
    return true;
}

// ---- columns

// a signal must be known to one run at least; the others are told
static int choose_signal(Plot* plot, const char* word) {
    char why[ELV_SIZE_MESSAGE] = "";
    bool is_anywhere = false;
    for (int i = 0; i < plot->n_run; i++) {
        char reason[ELV_SIZE_MESSAGE];
        bool is_found = false;
        int code = replay_choose("plot", &plot->table[i], word, &is_found, reason);
        if (code != CLI_DONE) {
            return code;
        }
        is_anywhere = is_anywhere || is_found;
        if (why[0] == '\0') {
            memcpy(why, reason, sizeof why);
        }
    }
    if (!is_anywhere) {
        return cli_complain("plot", CLI_USAGE, "%s", why);
    }
    if (why[0] != '\0' && !plot->is_quiet) {
        cli_complain("plot", CLI_DONE, "note: %s", why);
    }
    return CLI_DONE;
}

static int choose_columns(Plot* plot) {
    int code = CLI_DONE;
    for (int i = 0; i < plot->n_signal && code == CLI_DONE; i++) {
        code = choose_signal(plot, plot->signal[i]);
    }
    for (int i = 0; i < plot->n_run && code == CLI_DONE && plot->n_signal == 0; i++) {
        code = replay_choose_all("plot", &plot->table[i]);
    }
    if (code == CLI_DONE && plot->x) {
        code = choose_signal(plot, plot->x);
    }
    int n_column = 0;
    for (int i = 0; i < plot->n_run && code == CLI_DONE; i++) {
        code = replay_prepare("plot", &plot->table[i]);
        n_column += plot->table[i].n_column;
    }
    if (code == CLI_DONE && n_column == 0) {
        return cli_complain("plot", CLI_USAGE,
                            "'%s' has no recorded signals: name some, such as 'energy'%s",
                            plot->run[0],
                            cli_replay_has_states(&plot->table[0].replay)
                                ? ", and they are computed from its states"
                                : "");
    }
    return code;
}

static int check_x(const Plot* plot) {
    bool is_there = !plot->x;
    for (int i = 0; i < plot->n_run; i++) {
        for (int k = 0; k < plot->table[i].n_column && !is_there; k++) {
            is_there = strcmp(plot->table[i].name[k], plot->x) == 0;
        }
    }
    if (!is_there) {
        return cli_complain("plot", CLI_USAGE,
                            "--x takes one column, and '%s' is a signal of several: add .x or .0",
                            plot->x);
    }
    bool is_statics = elv_trajectory_is_statics(plot->table[0].replay.trajectory);
    for (int i = 1; i < plot->n_run && !plot->x; i++) {
        if (elv_trajectory_is_statics(plot->table[i].replay.trajectory) != is_statics) {
            return cli_complain("plot", CLI_USAGE,
                                "'%s' is over %s, '%s' over %s: give a common column by --x",
                                plot->run[0], is_statics ? "loads" : "time", plot->run[i],
                                is_statics ? "time" : "loads");
        }
    }
    return CLI_DONE;
}

// ---- the figure

static int draw(const Plot* plot) {
    PlotTable* table = calloc((size_t)plot->n_run + 1, sizeof *table);
    if (!table) {
        return cli_complain("plot", CLI_FAILED, "out of memory");
    }
    size_t n_record = 0;
    for (int i = 0; i < plot->n_run; i++) {
        const ReplayTable* from = &plot->table[i];
        table[i].label = plot->n_run > 1 ? plot->label[i] : NULL;
        table[i].is_statics = elv_trajectory_is_statics(from->replay.trajectory);
        table[i].n_column = from->n_column;
        table[i].name = from->name;
        table[i].unit = from->unit;
        table[i].value = from->value;
        table[i].n_record = from->n_record;
        n_record += from->n_record;
    }
    PlotFigure figure = {"plot",      plot->title,  plot->x,          table,
                         plot->n_run, plot->format, plot->is_together};
    int n_panel = plot_count_panels(&figure);
    int code = CLI_USAGE;
    if (n_record == 0) {
        cli_complain("plot", CLI_USAGE, "no record lies between --from and --to");
    } else if (n_panel == 0) {
        cli_complain("plot", CLI_USAGE, "nothing is left to draw over '%s': name a signal",
                     plot->x);
    } else {
        code = plot_draw(&figure, plot->is_terminal ? NULL : plot->path);
    }
    if (code == CLI_DONE && !plot->is_terminal && !plot->is_quiet) {
        fprintf(stderr, "%s: %d panel%s, %d run%s, %zu records\n", plot->path, n_panel,
                n_panel == 1 ? "" : "s", plot->n_run, plot->n_run == 1 ? "" : "s", n_record);
    }
    free(table);
    return code;
}

static int carry_out(Plot* plot) {
    int code = CLI_DONE;
    for (int i = 0; i < plot->n_run && code == CLI_DONE; i++) {
        code = cli_replay_open("plot", plot->run[i], plot->is_quiet, &plot->table[i].replay);
    }
    code = code == CLI_DONE ? choose_columns(plot) : code;
    code = code == CLI_DONE ? check_x(plot) : code;
    code = code == CLI_DONE ? choose_path(plot) : code;
    for (int i = 0; i < plot->n_run && code == CLI_DONE && !plot->is_terminal; i++) {
        code = cli_guard_output("plot", plot->path, plot->run[i]);
    }
    cli_catch_signals();
    for (int i = 0; i < plot->n_run && code == CLI_DONE; i++) {
        code = replay_fill("plot", &plot->table[i], plot->from, plot->to, plot->is_quiet);
    }
    return code == CLI_DONE ? draw(plot) : code;
}

int cli_cmd_plot(int argc, char** argv) {
    size_t n = (size_t)argc + 1;
    Plot* plot = calloc(1, sizeof *plot);
    const char** word = calloc(2 * n, sizeof *word);
    char** label = calloc(n, sizeof *label);
    ReplayTable* table = calloc(n, sizeof *table);
    int code = CLI_FAILED;
    if (!plot || !word || !label || !table) {
        cli_complain("plot", CLI_FAILED, "out of memory");
    } else {
        plot->run = word;
        plot->signal = word + n;
        plot->label = label;
        plot->table = table;
        plot->from = -INFINITY;
        plot->to = INFINITY;
        if (parse(argc, argv, plot, &code)) {
            code = label_runs(plot) ? carry_out(plot)
                                    : cli_complain("plot", CLI_FAILED, "out of memory");
        }
        for (int i = 0; i < plot->n_run; i++) {
            replay_table_free(&table[i]);
            free(label[i]);
        }
    }
    free(table);
    free(label);
    free(word);
    free(plot);
    return code;
}
