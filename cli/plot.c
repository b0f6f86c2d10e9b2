// SPDX-License-Identifier: Apache-2.0
// The plot of a run: what `--plot` draws while the records are in memory; and the formats of figures.
#include "plot.h"

#include "run.h"

#include <stdlib.h>
#include <string.h>

bool run_can_plot(const Run* run) {
    return run->plot[0] == '\0' || cli_can_write(run->options.command, run->plot);
}

int run_plot(const Run* run) {
    size_t n = (size_t)run->n_column;
    const char** text = calloc(2 * n + 1, sizeof *text);
    if (!text) {
        return cli_complain(run->options.command, CLI_FAILED, "out of memory");
    }
    for (int i = 0; i < run->n_column; i++) {
        text[i] = elv_signals_column_name(run->signals, i);
        text[n + (size_t)i] = elv_signals_column_unit(run->signals, i);
    }
    PlotTable table = {.is_statics = run->is_static,
                       .n_column = run->n_column,
                       .name = text,
                       .unit = text + n,
                       .value = run->history,
                       .n_record = run->n_record};
    PlotFigure figure = {.command = run->options.command,
                         .title = elv_model_name(run->loaded.model),
                         .table = &table,
                         .n_table = 1,
                         .format = PLOT_SVG};
    (void)plot_format(run->plot, &figure.format);
    int code = plot_draw(&figure, run->plot);
    free(text);
    return code;
}

bool plot_format(const char* path, PlotFormat* format) {
    static const char* const ending[] = {".svg", ".png", ".pdf"};
    size_t n = strlen(path);
    for (int i = 0; i < 3; i++) {
        if (n > 4 && strcmp(path + n - 4, ending[i]) == 0) {
            *format = (PlotFormat)i;
            return true;
        }
    }
    return false;
}
