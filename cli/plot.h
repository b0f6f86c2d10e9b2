// SPDX-License-Identifier: Apache-2.0
// Plots of recorded signals, of one run or of several: those of `elver plot` and of `--plot`.
#ifndef ELVER_CLI_PLOT_H
#define ELVER_CLI_PLOT_H

#include "cli.h"

/// Records of one run: time or load first, then the columns.
typedef struct {
    const char* label; // of the run in legends; NULL with one run
    bool is_statics;   // the first column is a load
    int n_column;
    const char* const* name; // (n_column)
    const char* const* unit; // (n_column)
    const double* value;     // (n_record x (1 + n_column))
    size_t n_record;
} PlotTable;

typedef enum { PLOT_SVG, PLOT_PNG, PLOT_PDF, PLOT_TERMINAL } PlotFormat;

typedef struct {
    const char* command;
    const char* title;      // or NULL
    const char* x;          // column to draw the others over; NULL: time or load
    const PlotTable* table; // (n_table)
    int n_table;
    PlotFormat format;
    bool is_together; // signals of one unit in one panel
} PlotFigure;

/// Panels of a figure: one for each signal and unit, or for each unit (plot_panel.c).
int plot_count_panels(const PlotFigure* figure);

/// Draw to a file (path), or on standard output (PLOT_TERMINAL). Prints why it fails and returns an exit code.
int plot_draw(const PlotFigure* figure, const char* path);

/// Records as a data block $dataK of gnuplot (plot_data.c). Of more than PLOT_POINTS, those that a picture can show: of
/// every piece the first one, and those with the least and the largest value of a column.
enum { PLOT_POINTS = 4000 };
void plot_write_data(FILE* stream, const PlotTable* table, int k);

/// The format that the ending of a name asks for; false when there is none such.
bool plot_format(const char* path, PlotFormat* format);

#endif
