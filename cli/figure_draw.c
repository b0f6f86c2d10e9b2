// SPDX-License-Identifier: Apache-2.0
// A figure as SVG through gnuplot: panels side by side, equal scales for shapes, early times blue and late ones orange.
#include "figure.h"

#include <math.h>
#include <string.h>

enum { PANEL_WIDTH = 430, ONE_WIDTH = 640, PANEL_HEIGHT = 330, HEAD = 34, N_COLOUR = 6 };

static const char* const colours[N_COLOUR] = {"#2b6cb0", "#d9730d", "#2f855a",
                                              "#8e4ec6", "#c53030", "#5a6472"};

typedef struct {
    const Figure* figure;
    const FigureDrawing* drawing;
} Drawing;

int figure_n_column(const Figure* figure) {
    int n = figure_n_panel(figure);
    if (figure->n_column > 0) {
        return figure->n_column;
    }
    return n == 4 ? 2 : n < 3 ? n : 3;
}

void figure_size(const Figure* figure, int size[2]) {
    int n_column = figure_n_column(figure);
    int n_row = (figure_n_panel(figure) + n_column - 1) / n_column;
    size[0] = n_column == 1 ? ONE_WIDTH : PANEL_WIDTH * n_column;
    size[1] = HEAD + PANEL_HEIGHT * n_row;
}

// ---- colours

static void write_time_colour(FILE* stream, double fraction) {
    static const double stop[3][3] = {
        {43.0, 108.0, 176.0}, {150.0, 84.0, 160.0}, {221.0, 107.0, 32.0}};
    int i = fraction < 0.5 ? 0 : 1;
    double u = fmin(2.0 * fraction - i, 1.0);
    int rgb[3];
    for (int k = 0; k < 3; k++) {
        rgb[k] = (int)lround(stop[i][k] + u * (stop[i + 1][k] - stop[i][k]));
    }
    fprintf(stream, "rgb '#%02x%02x%02x'", (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
}

static void write_style(FILE* stream, const FigureSeries* series) {
    switch (series->style) {
    case SERIES_LINE:
        fprintf(stream, "with lines lw %s dt %d lc rgb '%s'", series->layer == 1 ? "4" : "1.6",
                series->layer > 1 ? series->layer : 1, colours[series->index % N_COLOUR]);
        break;
    case SERIES_TIME:
        fputs(series->n == 1 ? "with points pt 7 ps 0.6 lc " : "with lines lw 1.6 lc ", stream);
        write_time_colour(stream, series->fraction);
        break;
    case SERIES_PATH:
        fputs("with lines lw 1 lc rgb '#9aa5b1'", stream);
        break;
    case SERIES_BARS:
        fputs("with impulses lw 6 lc rgb '#2b6cb0'", stream);
        break;
    default:
        fputs("with points pt 6 ps 1.2 lw 1.5 lc rgb '#1a202c'", stream);
        break;
    }
}

// ---- data

static void write_data(FILE* stream, const FigureDrawing* drawing) {
    for (int i = 0; i < drawing->n; i++) {
        const FigureSeries* series = &drawing->series[i];
        fprintf(stream, "$d%d << EOD\n", i);
        for (int k = 0; k < series->n; k++) {
            fprintf(stream, "%.7g %.7g\n", series->x[k], series->y[k]);
        }
        fputs("EOD\n", stream);
    }
}

/// Least and largest coordinates of a panel.
typedef struct {
    double lo[2], hi[2];
} Bounds;

static Bounds find_bounds(const FigureDrawing* drawing, int panel) {
    Bounds b = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < drawing->n; i++) {
        const FigureSeries* series = &drawing->series[i];
        for (int k = 0; series->panel == panel && k < series->n; k++) {
            b.lo[0] = fmin(b.lo[0], series->x[k]);
            b.hi[0] = fmax(b.hi[0], series->x[k]);
            b.lo[1] = fmin(b.lo[1], series->y[k]);
            b.hi[1] = fmax(b.hi[1], series->y[k]);
        }
    }
    for (int k = 0; k < 2; k++) {
        if (!(b.lo[k] <= b.hi[k])) {
            b.lo[k] = b.hi[k] = 0.0;
        }
    }
    return b;
}

// ---- ranges and axes

static void write_range(FILE* stream, char axis, double lo, double hi, double slack) {
    double room = hi > lo ? slack * (hi - lo) : fmax(fabs(hi), 1.0) * 0.1;
    // what is only rounding is a constant
    if (hi - lo < 1e-9 * fmax(fabs(hi), fabs(lo))) {
        room = fmax(fabs(hi), 1e-12) * 0.1;
    }
    // and what is nothing but rounding is zero
    if (fmax(fabs(hi), fabs(lo)) < 1e-10) {
        lo = hi = 0.0;
        room = 1.0;
    }
    fprintf(stream, "set %crange [%.9g:%.9g]\n", axis, lo - room, hi + room);
}

static void write_label(FILE* stream, const char* option, const char* text) {
    fprintf(stream, "set %s ", option);
    cli_gnuplot_quoted(stream, text, strlen(text));
    fputc('\n', stream);
}

// the largest of 1, 2, 5, 10 ... that is not above a length
static double round_length(double length) {
    double unit = length > 0.0 ? pow(10.0, floor(log10(length))) : 1.0;
    return length >= 5.0 * unit ? 5.0 * unit : length >= 2.0 * unit ? 2.0 * unit : unit;
}

// the axes of the world in the corner of a view in space, as long as is written beside them
static void write_triad(FILE* stream, const FigurePanel* panel, const Bounds* b) {
    double row[2][3];
    figure_view(panel->view, row);
    double size = round_length(0.25 * fmax(b->hi[0] - b->lo[0], b->hi[1] - b->lo[1]));
    double x = b->lo[0] - 0.4 * size;
    double y = b->lo[1] - 0.4 * size;
    for (int k = 0; k < 3; k++) {
        double dx = size * row[0][k];
        double dy = size * row[1][k];
        fprintf(stream,
                "set arrow from first %.9g,%.9g rto first %.9g,%.9g head size graph 0.02,20 "
                "filled lw 1.2 lc rgb '#5a6472'\n"
                "set label '%c' at first %.9g,%.9g center tc rgb '#5a6472'\n",
                x, y, dx, dy, 'x' + k, x + 1.35 * dx, y + 1.35 * dy);
    }
    fprintf(stream,
            "set label 'arrows: %g m' at first %.9g,%.9g offset 0,-1.9 left tc rgb '#5a6472'\n"
            "unset xtics\nunset ytics\nunset grid\nunset border\n",
            size, x, y);
}

// ranges of equal scale that fill the panel
static void write_equal_ranges(FILE* stream, const Bounds* b, double room, double aspect) {
    double size = fmax(b->hi[0] - b->lo[0], b->hi[1] - b->lo[1]);
    double slack = room * (size > 0.0 ? size : 1.0);
    double half[2];
    for (int k = 0; k < 2; k++) {
        half[k] = 0.5 * (b->hi[k] - b->lo[k]) + slack;
    }
    half[0] = fmax(half[0], aspect * half[1]);
    half[1] = fmax(half[1], half[0] / aspect);
    fputs("set size ratio -1\n", stream);
    for (int k = 0; k < 2; k++) {
        double middle = 0.5 * (b->lo[k] + b->hi[k]);
        fprintf(stream, "set %crange [%.9g:%.9g]\n", 'x' + k, middle - half[k], middle + half[k]);
    }
}

static void
write_shape_axes(FILE* stream, const FigurePanel* panel, const Bounds* b, double aspect) {
    double row[2][3];
    char label[16];
    bool is_space = figure_view(panel->view, row);
    if (panel->is_stretched) {
        write_range(stream, 'x', b->lo[0], b->hi[0], 0.05);
        write_range(stream, 'y', b->lo[1], b->hi[1], 0.1);
    } else {
        write_equal_ranges(stream, b, is_space ? 0.12 : 0.07, aspect);
    }
    if (is_space) {
        write_triad(stream, panel, b);
        return;
    }
    const char* comma = strchr(panel->view, ',');
    int n = comma ? (int)(comma - panel->view) : 0;
    snprintf(label, sizeof label, "%.*s (m)", n, panel->view);
    write_label(stream, "xlabel", label);
    snprintf(label, sizeof label, "%.8s (m)", comma ? comma + 1 : "");
    write_label(stream, "ylabel", label);
}

static void write_axes(FILE* stream, const Figure* figure, int i, const Bounds* b) {
    const FigurePanel* panel = &figure->panel[i];
    fputs("set size noratio\nset xtics auto nomirror\nset ytics auto nomirror\nset grid lc rgb "
          "'#e2e8f0'\n"
          "unset arrow\nunset label\nset xlabel ''\nset ylabel ''\n"
          "set border 3 lc rgb '#5a6472'\n",
          stream);
    write_label(stream, "title", panel->title ? panel->title : "");
    if (panel->kind == PANEL_SHAPES) {
        write_shape_axes(stream, panel, b, figure_n_column(figure) == 1 ? 2.1 : 1.45);
        return;
    }
    bool is_bar = panel->kind == PANEL_BARS;
    double lo = is_bar ? fmin(b->lo[1], 0.0) : b->lo[1];
    double hi = is_bar ? fmax(b->hi[1], 0.0) : b->hi[1];
    write_range(stream, 'x', b->lo[0], b->hi[0], is_bar ? 0.08 : 0.0);
    write_range(stream, 'y', lo, hi, 0.06);
    bool is_static = figure->run[panel->run].is_static;
    write_label(stream, "xlabel", panel->x_label ? panel->x_label : is_static ? "load" : "t (s)");
    write_label(stream, "ylabel", panel->y_label ? panel->y_label : "");
}

static void write_curves(FILE* stream, const Drawing* it, int panel) {
    bool has_any = false;
    for (int i = 0; i < it->drawing->n; i++) {
        const FigureSeries* series = &it->drawing->series[i];
        if (series->panel != panel || series->n == 0) {
            continue;
        }
        fprintf(stream, "%s$d%d using 1:2 ", has_any ? ", " : "plot ", i);
        write_style(stream, series);
        if (series->has_key) {
            fputs(" title ", stream);
            cli_gnuplot_quoted(stream, series->label, strlen(series->label));
        } else {
            fputs(" notitle", stream);
        }
        has_any = true;
    }
    fputs(has_any ? "\n" : "plot 0 notitle\n", stream);
}

static void write_script(FILE* stream, const void* user) {
    const Drawing* it = user;
    int n = figure_n_panel(it->figure);
    int n_column = figure_n_column(it->figure);
    int size[2];
    figure_size(it->figure, size);
    char title[256];
    write_data(stream, it->drawing);
    snprintf(title, sizeof title, "[%s %s] %.180s", it->figure->paper, it->figure->number,
             it->figure->title);
    fprintf(stream,
            "set terminal svg size %d,%d dynamic background rgb 'white' font 'sans,12' noenhanced\n"
            "set multiplot layout %d,%d title ",
            size[0], size[1], (n + n_column - 1) / n_column, n_column);
    cli_gnuplot_quoted(stream, title, strlen(title));
    fputs(" font 'sans,13'\n"
          "set tics nomirror\n"
          "set key outside below center horizontal samplen 1.5 font 'sans,10'\n"
          "set title font 'sans,12'\n"
          "set bmargin 5.5\n"
          "set format '%.4g'\n"
          "set xtics autofreq\n",
          stream);
    for (int i = 0; i < n; i++) {
        Bounds bounds = find_bounds(it->drawing, i);
        write_axes(stream, it->figure, i, &bounds);
        write_curves(stream, it, i);
    }
    fputs("unset multiplot\n", stream);
}

int figure_draw(const Figure* figure, const FigureDrawing* drawing, const char* path) {
    Drawing it = {figure, drawing};
    return cli_gnuplot("reproduce", path, write_script, &it);
}
