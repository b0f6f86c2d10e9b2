// SPDX-License-Identifier: Apache-2.0
// All figures and tables of the papers, and what can be said of any of them.
#include "figure.h"

#include <string.h>

const FigureList* const FIGURE_LISTS[] = {&FIGURES_P23,  &FIGURES_P20,  &FIGURES_OCP,
                                          &FIGURES_RKMK, &FIGURES_ALI4, &FIGURES_ALI6,
                                          &FIGURES_ALI8, NULL};

int figure_count(void) {
    int n = 0;
    for (int i = 0; FIGURE_LISTS[i]; i++) {
        n += FIGURE_LISTS[i]->n;
    }
    return n;
}

const Figure* figure_at(int i) {
    for (int k = 0; FIGURE_LISTS[k]; k++) {
        if (i < FIGURE_LISTS[k]->n) {
            return &FIGURE_LISTS[k]->figure[i];
        }
        i -= FIGURE_LISTS[k]->n;
    }
    return NULL;
}

const Figure* figure_find(const char* id) {
    for (int i = 0; i < figure_count(); i++) {
        if (strcmp(figure_at(i)->id, id) == 0) {
            return figure_at(i);
        }
    }
    return NULL;
}

int figure_n_run(const Figure* figure) {
    int n = 0;
    while (n < FIGURE_RUNS && figure->run[n].model) {
        n++;
    }
    return n;
}

int figure_n_panel(const Figure* figure) {
    int n = 0;
    while (n < FIGURE_PANELS && figure->panel[n].title) {
        n++;
    }
    return n;
}

const char* figure_kind_text(FigureKind kind) {
    static const char* const text[] = {"figure", "table", "drawing", "missing"};
    return text[kind];
}

void figure_print_command(FILE* stream, const FigureRun* run) {
    fprintf(stream, "elver %s %s", run->is_static ? "statics" : "run", run->model);
    for (int i = 0; i < FIGURE_SETS && run->set[i]; i++) {
        bool is_plain = strpbrk(run->set[i], " *()[]{},'<>") == NULL;
        fprintf(stream, is_plain ? " --set %s" : " --set \"%s\"", run->set[i]);
    }
}
