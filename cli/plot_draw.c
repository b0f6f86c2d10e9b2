// SPDX-License-Identifier: Apache-2.0
// Signals as a picture: a script for gnuplot with one panel for each signal and unit, one below the other over a common
// axis. Components differ by colour and, in one run, by dashes; runs by dashes and marks: a print in grey can be read.
// POSIX: the size of a terminal.
#define _DEFAULT_SOURCE // NOLINT(bugprone-reserved-identifier): sizes of terminals

#include "plot_panel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// of the page, in points
enum { LEFT = 92, AXIS = 520, KEY = 76, PANEL = 205, BELOW = 32, FOOT = 18, ENTRY = 17 };

enum { N_COLOUR = 8, N_DASH = 5, N_MARK = 6, MAX_KEY = 44, N_LABEL = 256, N_LINE = 6 };

// dark and light in turn: they differ in grey too
static const char* const colours[N_COLOUR] = {"#0b3c6f", "#d9730d", "#0f8a6a", "#b04a9a",
                                              "#5aa9dd", "#8a2b2b", "#7a8594", "#c9a400"};
static const char* const dashes[N_DASH] = {"solid", "(14,5)", "(3,4)", "(14,4,3,4)", "(24,6)"};
static const int marks[N_MARK] = {7, 4, 8, 6, 5, 12};

typedef struct {
    const PlotFigure* figure;
    PlotPanel* panel; // (n_panel)
    int n_panel;
    int n_key;   // letters of the longest entry of a legend
    int n_entry; // of the longest legend
    int height;  // of a panel, points
} Picture;

// ---- labels

// "position (m/s^2)", with the powers raised
static void print_label(const char* name, size_t n, const char* unit, char* text, size_t size) {
    bool has_unit = unit[0] != '\0' && strcmp(unit, "-") != 0;
    size_t at = (size_t)snprintf(text, size, "%.*s%s", (int)n, name, has_unit ? " (" : "");
    for (const char* c = unit; has_unit && *c != '\0' && at + 8 < size; c++) {
        const char* raised = strncmp(c, "^2", 2) == 0   ? "\xc2\xb2"
                             : strncmp(c, "^3", 2) == 0 ? "\xc2\xb3"
                                                        : NULL;
        if (raised) {
            at += (size_t)snprintf(text + at, size - at, "%s", raised);
            c++;
        } else {
            text[at++] = *c;
            text[at] = '\0';
        }
    }
    if (has_unit && at + 2 < size) {
        snprintf(text + at, size - at, ")");
    }
}

static void write_text(FILE* stream, const char* option, const char* text) {
    fprintf(stream, "set %s ", option);
    cli_gnuplot_quoted(stream, text, strlen(text));
    fputc('\n', stream);
}

// what a curve is called in the legend: its component, its run, or both
static void
key_text(const PlotTable* table, const PlotPanel* panel, const char* column, char* text) {
    bool is_whole = panel->n_stem == 0 || strlen(column) <= panel->n_stem;
    const char* own = is_whole ? column : column + panel->n_stem + 1;
    bool has_own = strlen(column) > panel->n_stem || !table->label;
    snprintf(text, N_LABEL, "%s%s%s", table->label ? table->label : "",
             table->label && has_own ? ": " : "", has_own ? own : "");
}

static void x_text(const PlotFigure* figure, char* text, size_t size) {
    const PlotTable* table = &figure->table[0];
    int i = plot_x_column(figure, table);
    if (i > 0) {
        print_label(figure->x, strlen(figure->x), table->unit[i - 1], text, size);
    } else {
        snprintf(text, size, "%s", table->is_statics ? "load" : "t (s)");
    }
}

// an interval with some room at both ends, never empty; what is only rounding is a constant
static void write_range(FILE* stream, char axis, double lo, double hi, double room) {
    bool is_empty = !(hi > lo);
    if (!(lo <= hi)) {
        lo = hi = 0.0;
    }
    bool is_constant = is_empty || hi - lo < 1e-12 * fmax(fabs(lo), fabs(hi));
    double pad = is_constant ? 0.1 * fmax(fabs(lo), 1e-9) : room * (hi - lo);
    fprintf(stream, "set %crange [%.17g:%.17g]\n", axis, lo - pad, hi + pad);
}

static void extend(const PlotTable* table, int column, double* lo, double* hi) {
    size_t width = 1 + (size_t)table->n_column;
    for (size_t i = 0; i < table->n_record; i++) {
        double value = table->value[i * width + (size_t)column];
        if (isfinite(value)) {
            *lo = fmin(*lo, value);
            *hi = fmax(*hi, value);
        }
    }
}

static void write_ranges(FILE* stream, const Picture* picture, const PlotPanel* panel) {
    const PlotFigure* figure = picture->figure;
    double lo[2] = {INFINITY, INFINITY};
    double hi[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < figure->n_table; k++) {
        const PlotTable* table = &figure->table[k];
        int i_x = plot_x_column(figure, table);
        if (i_x < 0) {
            continue;
        }
        extend(table, i_x, &lo[0], &hi[0]);
        for (int i = 0; i < table->n_column; i++) {
            if (plot_panel_has(panel, table->name[i], table->unit[i]) &&
                !plot_is_x(figure, table->name[i])) {
                extend(table, 1 + i, &lo[1], &hi[1]);
            }
        }
    }
    write_range(stream, 'x', lo[0], hi[0], figure->x ? 0.03 : 0.0);
    write_range(stream, 'y', lo[1], hi[1], 0.05);
}

// ---- curves

// a component among those of its panel and a run among runs make a style
static void write_style(FILE* stream, const PlotFigure* figure, int run, int component, size_t n) {
    if (figure->format == PLOT_TERMINAL) {
        fprintf(stream, "with lines lt %d", 1 + component + run * 3);
        return;
    }
    bool is_several = figure->n_table > 1;
    const char* dash = dashes[(is_several ? run : component) % N_DASH];
    fprintf(stream, "with %s lw 1.8 lc rgb '%s' dt %s", is_several ? "linespoints" : "lines",
            colours[component % N_COLOUR], dash);
    if (is_several) {
        // a few marks along the curve, not side by side
        size_t every = (n < PLOT_POINTS ? n : PLOT_POINTS) / 8 + 1;
        fprintf(stream, " pt %d ps 0.7 pi %zu", marks[run % N_MARK], every + (size_t)run);
    }
}

static void write_panel(FILE* stream, const Picture* picture, const PlotPanel* panel) {
    const PlotFigure* figure = picture->figure;
    char label[N_LABEL];
    bool is_first = true;
    write_ranges(stream, picture, panel);
    print_label(panel->stem, panel->n_stem, panel->unit, label, sizeof label);
    write_text(stream, figure->format == PLOT_TERMINAL ? "title" : "ylabel", label);
    fputs("plot ", stream);
    for (int k = 0; k < figure->n_table; k++) {
        const PlotTable* table = &figure->table[k];
        int i_x = plot_x_column(figure, table);
        int component = 0;
        for (int i = 0; i < table->n_column && i_x >= 0; i++) {
            const char* name = table->name[i];
            if (!plot_panel_has(panel, name, table->unit[i]) || plot_is_x(figure, name)) {
                continue;
            }
            fprintf(stream, "%s$data%d using %d:%d ", is_first ? "" : ", ", k, 1 + i_x, 2 + i);
            write_style(stream, figure, k, component++, table->n_record);
            fputs(" title ", stream);
            key_text(table, panel, name, label);
            cli_gnuplot_quoted(stream, label, strlen(label));
            is_first = false;
        }
    }
    fputs(is_first ? "NaN notitle\n" : "\n", stream);
}

// ---- the page

static int longest_key(const PlotFigure* figure, const PlotPanel* panel, int n_panel) {
    size_t longest = 4;
    for (int k = 0; k < figure->n_table; k++) {
        const PlotTable* table = &figure->table[k];
        for (int i = 0; i < table->n_column; i++) {
            for (int j = 0; j < n_panel; j++) {
                char text[N_LABEL];
                if (plot_panel_has(&panel[j], table->name[i], table->unit[i])) {
                    key_text(table, &panel[j], table->name[i], text);
                    longest = strlen(text) > longest ? strlen(text) : longest;
                }
            }
        }
    }
    return longest < MAX_KEY ? (int)longest : MAX_KEY;
}

static int page_width(const Picture* picture) {
    // gnuplot sets long legends in two columns
    return LEFT + AXIS + (KEY + 7 * picture->n_key) * (picture->n_entry > N_LINE ? 2 : 1);
}

static int page_head(const Picture* picture) {
    return picture->figure->title ? 36 : 12;
}

static int page_height(const Picture* picture) {
    return page_head(picture) + picture->height * picture->n_panel + FOOT;
}

// entries of the longest legend, which must find room beside its panel
static int count_entries(const PlotFigure* figure, const PlotPanel* panel, int n_panel) {
    int most = 0;
    for (int j = 0; j < n_panel; j++) {
        int n = 0;
        for (int k = 0; k < figure->n_table; k++) {
            const PlotTable* table = &figure->table[k];
            for (int i = 0; i < table->n_column; i++) {
                n += plot_panel_has(&panel[j], table->name[i], table->unit[i]);
            }
        }
        most = n > most ? n : most;
    }
    return most;
}

static void write_terminal(FILE* stream, const Picture* picture) {
    int width = page_width(picture);
    int height = page_height(picture);
    fputs("set encoding utf8\n", stream);
    switch (picture->figure->format) {
    case PLOT_PNG:
        fprintf(stream,
                "set terminal pngcairo size %d,%d fontscale 2 linewidth 2 pointscale 2 "
                "font 'sans,10' noenhanced\n",
                2 * width, 2 * height);
        break;
    case PLOT_PDF:
        // as many inches as points on a page of this width
        fprintf(stream, "set terminal pdfcairo size %.2fin,%.2fin font 'sans,10' noenhanced\n",
                width / 110.0, height / 110.0);
        break;
    case PLOT_SVG:
        fprintf(stream,
                "set terminal svg size %d,%d dynamic background rgb 'white' font 'sans,12' "
                "noenhanced\n",
                width, height);
        break;
    default:
        break;
    }
}

static void write_page(FILE* stream, const Picture* picture) {
    const PlotFigure* figure = picture->figure;
    char label[N_LABEL];
    write_terminal(stream, picture);
    fputs("set multiplot", stream);
    if (figure->title) {
        fputs(" title ", stream);
        cli_gnuplot_quoted(stream, figure->title, strlen(figure->title));
    }
    double width = page_width(picture);
    double height = page_height(picture);
    fprintf(stream,
            "\nset grid lc rgb '#c4cad1' lw 0.6 dt solid\n"
            "set border lw 0.9\n"
            "set tics nomirror scale 0.6\n"
            "set key at graph 1.02,graph 1 left top Left reverse samplen 3.2 spacing 1.1\n"
            "set lmargin at screen %.6g\n"
            "set rmargin at screen %.6g\n"
            "set format y '%%.4g'\n",
            LEFT / width, (LEFT + AXIS) / width);
    for (int i = 0; i < picture->n_panel; i++) {
        // the axis is named once, below the last panel
        if (i + 1 == picture->n_panel) {
            x_text(figure, label, sizeof label);
            write_text(stream, "xlabel", label);
        }
        double top = page_head(picture) + picture->height * i;
        fprintf(stream, "set tmargin at screen %.6g\nset bmargin at screen %.6g\n",
                1.0 - top / height, 1.0 - (top + picture->height - BELOW) / height);
        write_panel(stream, picture, &picture->panel[i]);
    }
    fputs("unset multiplot\n", stream);
}

// panels as letters, one below the other
static void write_letters(FILE* stream, const Picture* picture) {
    struct winsize size;
    memset(&size, 0, sizeof size);
    bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40;
    int width = is_known ? size.ws_col - 1 : 79;
    char label[N_LABEL];
    fprintf(stream, "set encoding utf8\nset terminal dumb size %d,%d noenhanced\n",
            width < 160 ? width : 160, 22);
    x_text(picture->figure, label, sizeof label);
    write_text(stream, "xlabel", label);
    fputs("set key outside right top samplen 1\nset format y '%.4g'\n", stream);
    for (int i = 0; i < picture->n_panel; i++) {
        write_panel(stream, picture, &picture->panel[i]);
    }
}

static void write_script(FILE* stream, const void* user) {
    const Picture* picture = user;
    for (int k = 0; k < picture->figure->n_table; k++) {
        plot_write_data(stream, &picture->figure->table[k], k);
    }
    if (picture->figure->format == PLOT_TERMINAL) {
        write_letters(stream, picture);
    } else {
        write_page(stream, picture);
    }
}

int plot_draw(const PlotFigure* figure, const char* path) {
    Picture picture = {.figure = figure};
    picture.panel = plot_panels(figure, &picture.n_panel);
    if (!picture.panel) {
        return cli_complain(figure->command, CLI_FAILED, "out of memory");
    }
    int code = CLI_FAILED;
    if (picture.n_panel == 0) {
        code = cli_complain(figure->command, CLI_FAILED, "no plot: no signals were recorded");
    } else {
        picture.n_key = longest_key(figure, picture.panel, picture.n_panel);
        picture.n_entry = count_entries(figure, picture.panel, picture.n_panel);
        int beside = picture.n_entry * ENTRY + BELOW;
        picture.height = beside > PANEL ? beside : PANEL;
        code = cli_gnuplot(figure->command, path, write_script, &picture);
    }
    free(picture.panel);
    return code;
}
