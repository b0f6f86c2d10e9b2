// SPDX-License-Identifier: Apache-2.0
// Panels of a plot, and the columns that belong to them.
#ifndef ELVER_CLI_PLOT_PANEL_H
#define ELVER_CLI_PLOT_PANEL_H

#include "plot.h"

/// A panel: the columns of all runs whose signal and unit are these.
typedef struct {
    const char* stem; // "": any signal
    size_t n_stem;
    const char* unit;
} PlotPanel;

/// Whether a column belongs to a panel.
bool plot_panel_has(const PlotPanel* panel, const char* name, const char* unit);

/// The panels of a figure, in the order in which signals come, for free(); NULL: out of memory.
PlotPanel* plot_panels(const PlotFigure* figure, int* n_panel);

/// Whether a column is the one that the others are drawn over, and where that is in a table: 0 is time or load, -1
/// missing.
bool plot_is_x(const PlotFigure* figure, const char* name);
int plot_x_column(const PlotFigure* figure, const PlotTable* table);

#endif
