// SPDX-License-Identifier: Apache-2.0
// From the records of the runs of a figure to what is drawn: lines in the plane, with a name, a style and a panel.
#include "figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- lists

static FigureSeries* add_series(FigureDrawing* drawing, int panel, SeriesStyle style) {
    size_t n = (size_t)drawing->n + 1;
    FigureSeries* grown = realloc(drawing->series, n * sizeof *grown);
    if (!grown) {
        return NULL;
    }
    drawing->series = grown;
    FigureSeries* series = &grown[drawing->n++];
    *series = (FigureSeries){.panel = panel, .style = style};
    return series;
}

static bool add_point(FigureSeries* series, double x, double y) {
    if (series->n == series->n_room) {
        int n_room = series->n_room > 0 ? 2 * series->n_room : 64;
        double* grown = realloc(series->x, (size_t)n_room * sizeof *grown);
        if (!grown) {
            return false;
        }
        series->x = grown;
        grown = realloc(series->y, (size_t)n_room * sizeof *grown);
        if (!grown) {
            return false;
        }
        series->y = grown;
        series->n_room = n_room;
    }
    series->x[series->n] = x;
    series->y[series->n++] = y;
    return true;
}

void figure_drawing_free(FigureDrawing* drawing) {
    for (int i = 0; i < drawing->n; i++) {
        free(drawing->series[i].x);
        free(drawing->series[i].y);
    }
    free(drawing->series);
    *drawing = (FigureDrawing){.n = 0};
}

// ---- views

static bool read_axis(const char** text, double axis[3]) {
    double sign = **text == '-' ? -1.0 : 1.0;
    *text += **text == '-';
    int i = **text - 'x';
    if (i < 0 || i > 2) {
        return false;
    }
    axis[0] = axis[1] = axis[2] = 0.0;
    axis[i] = sign;
    ++*text;
    *text += **text == ',';
    return true;
}

bool figure_view(const char* view, double row[2][3]) {
    // from the side and from above: turned by 30 degrees, seen from 20 degrees above
    static const double right[2] = {0.8660254037844386, 0.5};
    static const double up[3] = {-0.17101007166283436, 0.29619813272602386, 0.9396926207859084};
    double axis[3][3] = {{0.0}};
    int n = 0;
    while (n < 3 && read_axis(&view, axis[n])) {
        n++;
    }
    for (int k = 0; k < 3; k++) {
        row[0][k] = n < 3 ? axis[0][k] : right[0] * axis[0][k] + right[1] * axis[1][k];
        row[1][k] =
            n < 3 ? axis[1][k] : up[0] * axis[0][k] + up[1] * axis[1][k] + up[2] * axis[2][k];
    }
    return n == 3;
}

// ---- records

static const double* record_of(const FigureData* data, int i) {
    return data->value + (size_t)i * figure_width(data);
}

// the record nearest to a time
static int nearest(const FigureData* data, double t) {
    int best = 0;
    for (int i = 1; i < data->n_record; i++) {
        if (fabs(record_of(data, i)[0] - t) < fabs(record_of(data, best)[0] - t)) {
            best = i;
        }
    }
    return best;
}

static int n_time(const FigurePanel* panel, const FigureData* data) {
    return panel->n_time > 0 ? panel->n_time : data->n_record;
}

static int record_at(const FigurePanel* panel, const FigureData* data, int i) {
    return panel->n_time > 0 ? nearest(data, panel->first + i * panel->step) : i;
}

static bool is_within(const FigurePanel* panel, double t) {
    return t >= panel->since && (panel->until <= 0.0 || t <= panel->until);
}

/// One panel being filled from one run.
typedef struct {
    const Figure* figure;
    const FigureData* data;
    FigureDrawing* drawing;
    const FigurePanel* panel;
    int i_panel;
    int i_run; // within the panel
    const FigureRun* run;
} Fill;

static void name_run(const Fill* fill, FigureSeries* series, const char* label) {
    const char* run = fill->panel->n_run > 1 ? fill->run->label : NULL;
    if (run && label) {
        snprintf(series->label, FIGURE_NAME, "%.40s, %.40s", label, run);
    } else {
        snprintf(series->label, FIGURE_NAME, "%.80s", run ? run : label ? label : "");
    }
    series->has_key = series->label[0] != '\0';
}

// ---- kinds of panels

static bool fill_curves(const Fill* fill) {
    const FigurePanel* panel = fill->panel;
    const FigureData* data = fill->data;
    int i_x = panel->x ? figure_column(data, panel->x) : 0;
    double x_scale = panel->x_scale != 0.0 ? panel->x_scale : 1.0;
    bool is_good = true;
    int n_curve = 0;
    while (n_curve < FIGURE_CURVES && panel->curve[n_curve].y) {
        n_curve++;
    }
    for (int i = 0; i < n_curve && is_good; i++) {
        const FigureCurve* curve = &panel->curve[i];
        FigureSeries* series = add_series(fill->drawing, fill->i_panel, SERIES_LINE);
        int i_y = figure_column(data, curve->y);
        int i_minus = curve->minus ? figure_column(data, curve->minus) : 0;
        double scale = curve->scale != 0.0 ? curve->scale : 1.0;
        is_good = series != NULL;
        if (!series) {
            break;
        }
        series->index = fill->i_run * n_curve + i;
        series->layer = panel->is_compared ? 1 + fill->i_run : 0;
        name_run(fill, series, curve->label);
        for (int k = 0; k < data->n_record && is_good; k++) {
            const double* row = record_of(data, k);
            double y = row[i_y] - (i_minus > 0 ? row[i_minus] : 0.0);
            if (is_within(panel, row[0])) {
                is_good = add_point(series, x_scale * row[i_x], scale * y);
            }
        }
    }
    return is_good;
}

static void name_time(const Fill* fill, FigureSeries* series, double t, int i, int n) {
    enum { N_KEY = 8 };
    const FigureRun* run = fill->run;
    const char* what = !run->is_static ? "t" : run->load ? run->load : "load";
    const char* unit = !run->is_static ? "s" : run->unit ? run->unit : "";
    snprintf(series->label, FIGURE_NAME, "%s = %.6g%s%s", what, fabs(t) < 1e-9 ? 0.0 : t,
             unit[0] != '\0' ? " " : "", unit);
    series->has_key = n <= N_KEY || i == 0 || i == n - 1;
    series->fraction = n > 1 ? (double)i / (n - 1) : 0.0;
    if (fill->panel->n_run > 1 && fill->run->label) {
        series->style = SERIES_LINE;
        series->index = fill->i_run;
        series->layer = fill->panel->is_compared ? 1 + fill->i_run : 0;
        series->has_key = i == 0;
        snprintf(series->label, FIGURE_NAME, "%.80s", fill->run->label);
    }
}

static bool add_projected(FigureSeries* series, double row[2][3], const double* p) {
    double x = row[0][0] * p[0] + row[0][1] * p[1] + row[0][2] * p[2];
    double y = row[1][0] * p[0] + row[1][1] * p[1] + row[1][2] * p[2];
    return add_point(series, x, y);
}

// stations of a rod, or the origin of a frame; which is which shows in what was asked for
static bool add_word(const Fill* fill, FigureSeries* series, const char* word, const double* row) {
    double axis[2][3];
    char signal[FIGURE_NAME];
    bool is_good = true;
    figure_view(fill->panel->view, axis);
    int column = figure_rod_column(fill->data, word);
    if (column == 0) {
        snprintf(signal, sizeof signal, "%.80s.position", word);
        return add_projected(series, axis, row + figure_column(fill->data, signal));
    }
    for (int i = 0; i < FIGURE_STATIONS && is_good; i++) {
        is_good = add_projected(series, axis, row + column + 3 * (size_t)i);
    }
    return is_good;
}

// the lines of one record
static bool add_shape(const Fill* fill, int i, int n) {
    const double* row = record_of(fill->data, record_at(fill->panel, fill->data, i));
    FigureSeries* series = add_series(fill->drawing, fill->i_panel, SERIES_TIME);
    if (!series) {
        return false;
    }
    name_time(fill, series, row[0], i, n);
    char word[FIGURE_NAME];
    for (const char* at = figure_word(fill->panel->line, word); at; at = figure_word(at, word)) {
        bool is_good = true;
        if (word[0] == '|') {
            FigureSeries* next = add_series(fill->drawing, fill->i_panel, SERIES_TIME);
            if (!next) {
                return false;
            }
            series = next;
            name_time(fill, series, row[0], i, n);
            series->has_key = false;
        } else {
            is_good = add_word(fill, series, word, row);
        }
        if (!is_good) {
            return false;
        }
    }
    return true;
}

static bool add_paths(const Fill* fill) {
    char word[FIGURE_NAME];
    char signal[FIGURE_NAME];
    double axis[2][3];
    bool is_good = true;
    figure_view(fill->panel->view, axis);
    for (const char* at = figure_word(fill->panel->path, word); at && is_good;
         at = figure_word(at, word)) {
        FigureSeries* series = add_series(fill->drawing, fill->i_panel, SERIES_PATH);
        if (!series) {
            return false;
        }
        snprintf(series->label, FIGURE_NAME, "path of %.80s", word);
        snprintf(signal, sizeof signal, "%.80s.position", word);
        int column = figure_column(fill->data, signal);
        for (int k = 0; k < fill->data->n_record && is_good; k++) {
            const double* row = record_of(fill->data, k);
            is_good = !is_within(fill->panel, row[0]) || add_projected(series, axis, row + column);
        }
    }
    return is_good;
}

static bool fill_shapes(const Fill* fill) {
    bool is_good = !fill->panel->path || add_paths(fill);
    int n = n_time(fill->panel, fill->data);
    for (int i = 0; i < n && is_good && fill->panel->line; i++) {
        is_good = add_shape(fill, i, n);
    }
    return is_good;
}

static bool fill_profile(const Fill* fill) {
    int n = n_time(fill->panel, fill->data);
    double x_scale = fill->panel->x_scale != 0.0 ? fill->panel->x_scale : 1.0;
    bool is_good = true;
    for (int i = 0; i < n && is_good; i++) {
        const double* row = record_of(fill->data, record_at(fill->panel, fill->data, i));
        FigureSeries* series = add_series(fill->drawing, fill->i_panel, SERIES_TIME);
        is_good = series != NULL;
        if (!series) {
            break;
        }
        name_time(fill, series, row[0], i, n);
        for (int k = 0; k < FIGURE_POINTS && is_good; k++) {
            char signal[FIGURE_NAME];
            figure_field(fill->panel->field, k, signal);
            is_good = add_point(series, x_scale * figure_point(k),
                                row[figure_column(fill->data, signal)]);
        }
    }
    return is_good;
}

static bool fill_bars(const Fill* fill) {
    const double* row = record_of(fill->data, nearest(fill->data, fill->panel->at));
    FigureSeries* series = add_series(fill->drawing, fill->i_panel, SERIES_BARS);
    bool is_good = series != NULL;
    char word[FIGURE_NAME];
    int i = 0;
    if (!series) {
        return false;
    }
    snprintf(series->label, FIGURE_NAME, "t = %.4g s", row[0]);
    for (const char* at = figure_word(fill->panel->line, word); at && is_good;
         at = figure_word(at, word)) {
        is_good = add_point(series, fill->panel->first + i++ * fill->panel->step,
                            row[figure_column(fill->data, word)]);
    }
    return is_good;
}

// ---- all panels

static bool add_marks(FigureDrawing* drawing, const FigurePanel* panel, int i_panel) {
    for (int i = 0; i < FIGURE_MARKS && panel->mark[i].label; i++) {
        FigureSeries* series = add_series(drawing, i_panel, SERIES_MARK);
        if (!series || !add_point(series, panel->mark[i].x, panel->mark[i].y)) {
            return false;
        }
        snprintf(series->label, FIGURE_NAME, "%.80s", panel->mark[i].label);
        series->has_key = true;
    }
    return true;
}

static bool fill_panel(const Fill* fill) {
    if (fill->data->n_record == 0) {
        return true;
    }
    switch (fill->panel->kind) {
    case PANEL_SHAPES:
        return fill_shapes(fill);
    case PANEL_PROFILE:
        return fill_profile(fill);
    case PANEL_BARS:
        return fill_bars(fill);
    default:
        return fill_curves(fill);
    }
}

bool figure_build(const Figure* figure, const FigureData* data, FigureDrawing* drawing) {
    bool is_good = true;
    for (int i = 0; i < figure_n_panel(figure) && is_good; i++) {
        const FigurePanel* panel = &figure->panel[i];
        int n = panel->n_run > 0 ? panel->n_run : 1;
        for (int k = 0; k < n && is_good; k++) {
            int run = panel->run + k;
            Fill fill = {figure, &data[run], drawing, panel, i, k, &figure->run[run]};
            is_good = fill_panel(&fill);
        }
        is_good = is_good && add_marks(drawing, panel, i);
    }
    return is_good;
}
