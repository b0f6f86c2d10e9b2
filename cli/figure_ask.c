// SPDX-License-Identifier: Apache-2.0
// What a run of a figure must record: all signals and rods that its panels draw.
#include "figure.h"

#include <stdlib.h>
#include <string.h>

static int find(const FigureData* data, const char* signal) {
    for (int i = 0; i < data->n_name; i++) {
        if (strcmp(data->name[i], signal) == 0) {
            return i;
        }
    }
    return -1;
}

bool figure_ask(FigureData* data, const char* signal) {
    if (find(data, signal) >= 0) {
        return true;
    }
    size_t n = (size_t)data->n_name + 1;
    char(*names)[FIGURE_NAME] = realloc(data->name, n * sizeof *names);
    if (!names) {
        return false;
    }
    data->name = names;
    int* columns = realloc(data->column, n * sizeof *columns);
    if (!columns) {
        return false;
    }
    data->column = columns;
    snprintf(names[data->n_name], FIGURE_NAME, "%.90s", signal);
    columns[data->n_name++] = 0;
    return true;
}

int figure_column(const FigureData* data, const char* signal) {
    int i = find(data, signal);
    return i < 0 ? 0 : data->column[i];
}

size_t figure_width(const FigureData* data) {
    return 1 + (size_t)data->n_column + 3 * (size_t)FIGURE_STATIONS * (size_t)data->n_rod;
}

int figure_rod_column(const FigureData* data, const char* name) {
    for (int i = 0; i < data->n_rod; i++) {
        if (strcmp(data->rod[i].name, name) == 0) {
            return 1 + data->n_column + 3 * FIGURE_STATIONS * i;
        }
    }
    return 0;
}

static int find_rod(const ElvModel* model, const char* name) {
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        if (node.is_rod && strcmp(node.name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool ask_rod(FigureData* data, const char* name, int i_node) {
    if (figure_rod_column(data, name) > 0) {
        return true;
    }
    FigureRod* grown = realloc(data->rod, ((size_t)data->n_rod + 1) * sizeof *grown);
    if (!grown) {
        return false;
    }
    data->rod = grown;
    FigureRod* rod = &grown[data->n_rod++];
    rod->i_node = i_node;
    snprintf(rod->name, FIGURE_NAME, "%.90s", name);
    return true;
}

// words of a line: all stations of rods, the origin of frames
static bool ask_line(const char* line, const ElvModel* model, FigureData* data) {
    char word[FIGURE_NAME];
    char signal[FIGURE_NAME];
    bool is_good = true;
    for (const char* at = figure_word(line, word); at && is_good; at = figure_word(at, word)) {
        int i_node = find_rod(model, word);
        if (i_node >= 0) {
            is_good = ask_rod(data, word, i_node);
        } else if (word[0] != '|') {
            snprintf(signal, sizeof signal, "%.80s.position", word);
            is_good = figure_ask(data, signal);
        }
    }
    return is_good;
}

static bool ask_words(const char* line, FigureData* data) {
    char word[FIGURE_NAME];
    bool is_good = true;
    for (const char* at = figure_word(line, word); at && is_good; at = figure_word(at, word)) {
        is_good = figure_ask(data, word);
    }
    return is_good;
}

static bool ask_panel(const FigurePanel* panel, const ElvModel* model, FigureData* data) {
    bool is_good = !panel->x || figure_ask(data, panel->x);
    for (int i = 0; i < FIGURE_CURVES && panel->curve[i].y && is_good; i++) {
        const FigureCurve* curve = &panel->curve[i];
        is_good = figure_ask(data, curve->y) && (!curve->minus || figure_ask(data, curve->minus));
    }
    char signal[FIGURE_NAME];
    for (int i = 0; i < FIGURE_POINTS && panel->field && is_good; i++) {
        figure_field(panel->field, i, signal);
        is_good = figure_ask(data, signal);
    }
    if (is_good && panel->line) {
        is_good = panel->kind == PANEL_BARS ? ask_words(panel->line, data)
                                            : ask_line(panel->line, model, data);
    }
    return is_good && (!panel->path || ask_line(panel->path, model, data));
}

bool figure_ask_all(const Figure* figure, int run, const ElvModel* model, FigureData* data) {
    bool is_good = true;
    for (int i = 0; i < figure_n_panel(figure) && is_good; i++) {
        const FigurePanel* panel = &figure->panel[i];
        int n = panel->n_run > 0 ? panel->n_run : 1;
        if (run >= panel->run && run < panel->run + n) {
            is_good = ask_panel(panel, model, data);
        }
    }
    return is_good;
}
