// SPDX-License-Identifier: Apache-2.0
// The plot of a run: a script for gnuplot with one panel for each signal and unit.
#include "run.h"

#include <math.h>
#include <string.h>

enum { PANEL_HEIGHT = 230, PANEL_WIDTH = 900, MAX_POINT = 4000 };

static int count_panels(const Run* run) {
    int n = 0;
    for (int i = 0; i < run->n_column; i += run_next_group(run, i).n) {
        n++;
    }
    return n;
}

// records as a data block; long histories are thinned to what a picture can show
static void write_data(FILE* stream, const Run* run) {
    size_t width = 1 + (size_t)run->n_column;
    size_t stride = (run->n_record + MAX_POINT - 1) / MAX_POINT;
    fputs("$data << END_OF_DATA\n", stream);
    for (size_t i = 0; i < run->n_record; i++) {
        if (i % stride != 0 && i + 1 < run->n_record) {
            continue;
        }
        for (size_t j = 0; j < width; j++) {
            fprintf(stream, "%s%.9g", j > 0 ? " " : "", run->history[i * width + j]);
        }
        fputc('\n', stream);
    }
    fputs("END_OF_DATA\n", stream);
}

// an interval with some room at both ends, never empty
static void write_range(FILE* stream, char axis, double lo, double hi, double room) {
    double pad = hi > lo ? room * (hi - lo) : 0.1 * fmax(fabs(lo), 1e-9);
    fprintf(stream, "set %crange [%.17g:%.17g]\n", axis, lo - pad, hi + pad);
}

static void write_ranges(FILE* stream, const Run* run, RunGroup panel) {
    size_t width = 1 + (size_t)run->n_column;
    const double* first = run->history;
    double lo = first[1 + panel.first];
    double hi = lo;
    for (size_t i = 0; i < run->n_record; i++) {
        for (int k = 0; k < panel.n; k++) {
            double value = run->history[i * width + 1 + (size_t)(panel.first + k)];
            lo = fmin(lo, value);
            hi = fmax(hi, value);
        }
    }
    write_range(stream, 'x', first[0], run->history[(run->n_record - 1) * width], 0.0);
    write_range(stream, 'y', lo, hi, 0.05);
}

static void write_panel(FILE* stream, const Run* run, RunGroup panel) {
    const char* name = elv_signals_column_name(run->signals, panel.first);
    const char* unit = elv_signals_column_unit(run->signals, panel.first);
    write_ranges(stream, run, panel);
    fputs("set title ", stream);
    cli_gnuplot_quoted(stream, name, panel.n_stem);
    fputs("\nset ylabel ", stream);
    cli_gnuplot_quoted(stream, unit, strlen(unit));
    fputs("\nplot ", stream);
    for (int k = 0; k < panel.n; k++) {
        const char* column = elv_signals_column_name(run->signals, panel.first + k);
        const char* label = strlen(column) > panel.n_stem ? column + panel.n_stem + 1 : column;
        fprintf(stream, "%s$data using 1:%d with lines lw 1.5 title ", k > 0 ? ", " : "",
                panel.first + k + 2);
        cli_gnuplot_quoted(stream, label, strlen(label));
    }
    fputc('\n', stream);
}

static void write_script(FILE* stream, const void* user) {
    const Run* run = user;
    int n_panel = count_panels(run);
    const char* model = elv_model_name(run->loaded.model);
    write_data(stream, run);
    fprintf(stream,
            "set terminal svg size %d,%d dynamic background rgb 'white' font 'sans,12' noenhanced\n"
            "set multiplot layout %d,1 title ",
            PANEL_WIDTH, 40 + PANEL_HEIGHT * n_panel, n_panel);
    cli_gnuplot_quoted(stream, model, strlen(model));
    fputs("\n"
          "set grid\n"
          "set key outside right top\n"
          "set lmargin 14\n"
          "set rmargin 16\n"
          "set bmargin 3.5\n"
          "set format y '%.4g'\n"
          "set xlabel 't (s)'\n",
          stream);
    for (int i = 0; i < run->n_column;) {
        RunGroup panel = run_next_group(run, i);
        write_panel(stream, run, panel);
        i += panel.n;
    }
    fputs("unset multiplot\n", stream);
}

bool run_can_plot(const Run* run) {
    return run->plot[0] == '\0' || cli_can_write(run->options.command, run->plot);
}

int run_plot(const Run* run) {
    if (run->n_column == 0) {
        return cli_complain(run->options.command, CLI_FAILED, "no plot: no signals were recorded");
    }
    return cli_gnuplot(run->options.command, run->plot, write_script, run);
}
