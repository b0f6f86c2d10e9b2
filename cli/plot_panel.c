// SPDX-License-Identifier: Apache-2.0
// Which signals share a panel of a plot: those of one stem ("arm.tip.position" of its x, y and z) and unit, or all of
// one unit, over the runs of the figure.
#include "plot_panel.h"

#include <stdlib.h>
#include <string.h>

static size_t stem_length(const char* name) {
    const char* dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : strlen(name);
}

bool plot_is_x(const PlotFigure* figure, const char* name) {
    return figure->x && strcmp(figure->x, name) == 0;
}

// runs from a table have no units: those of others stand for them
bool plot_panel_has(const PlotPanel* panel, const char* name, const char* unit) {
    bool is_unit = strcmp(panel->unit, unit) == 0 || unit[0] == '\0' || panel->unit[0] == '\0';
    bool is_signal =
        stem_length(name) == panel->n_stem && memcmp(name, panel->stem, panel->n_stem) == 0;
    return is_unit && (is_signal || panel->n_stem == 0);
}

// panels in the order in which signals come; returns how many
static int find_panels(const PlotFigure* figure, PlotPanel* panel, int n_room) {
    int n = 0;
    for (int k = 0; k < figure->n_table; k++) {
        const PlotTable* table = &figure->table[k];
        for (int i = 0; i < table->n_column; i++) {
            bool is_known = plot_is_x(figure, table->name[i]);
            for (int j = 0; j < n && !is_known; j++) {
                is_known = plot_panel_has(&panel[j], table->name[i], table->unit[i]);
            }
            if (!is_known && n < n_room) {
                const char* stem = figure->is_together ? "" : table->name[i];
                PlotPanel made = {stem, stem_length(stem), table->unit[i]};
                panel[n++] = made;
            }
        }
    }
    return n;
}

PlotPanel* plot_panels(const PlotFigure* figure, int* n_panel) {
    int n_room = 0;
    for (int k = 0; k < figure->n_table; k++) {
        n_room += figure->table[k].n_column;
    }
    PlotPanel* panel = calloc((size_t)n_room + 1, sizeof *panel);
    *n_panel = panel ? find_panels(figure, panel, n_room) : 0;
    return panel;
}

int plot_count_panels(const PlotFigure* figure) {
    int n = 0;
    free(plot_panels(figure, &n));
    return n;
}

int plot_x_column(const PlotFigure* figure, const PlotTable* table) {
    for (int i = 0; i < table->n_column && figure->x; i++) {
        if (strcmp(figure->x, table->name[i]) == 0) {
            return 1 + i;
        }
    }
    return figure->x ? -1 : 0;
}
