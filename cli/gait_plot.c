// SPDX-License-Identifier: Apache-2.0
// The plot of `elver gait`: over two imposed coordinates, the rows of the connection as arrows and
// its curvature as colours with contours, one line of panels for each free velocity of the root,
// and the gait as a curve in them. Over one coordinate, the connection is a curve.
#include "gait.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL = 380, N_LOOP = 401, N_ARROW = 21, N_SHOWN = 6 };

typedef struct {
    const Gait* gait;
    GaitField field;
    double loop[N_LOOP][2]; // imposed coordinates along the gait
    int n_shown;
    int shown[N_SHOWN]; // among free velocities
} Picture;

// ---- what is drawn

// coordinates along a cycle, or along the run where there is none
static int follow_gait(Picture* picture) {
    const Gait* gait = picture->gait;
    const ElvModel* model = gait->loaded.model;
    ElvState* state = NULL;
    ElvError error;
    double length = gait->has_gait ? gait->gait.period : elv_model_simulate(model).duration;
    ElvStatus status = elv_state_create(model, &state, &error);
    if (status != ELV_OK) {
        return cli_complain_error("gait", cli_exit_code(status), &error);
    }
    for (int i = 0; i < N_LOOP; i++) {
        state->t = gait->state->t + length * (double)i / (double)(N_LOOP - 1);
        elv_state_impose(model, state);
        for (int k = 0; k < picture->field.n_over; k++) {
            picture->loop[i][k] = state->q[picture->field.i_q[k]];
        }
    }
    elv_state_free(state);
    return CLI_DONE;
}

// a range that is not given is that of the gait, with some room
static void choose_range(Picture* picture) {
    GaitField* field = &picture->field;
    for (int k = 0; k < field->n_over && !picture->gait->options.has_range; k++) {
        double lo = picture->loop[0][k], hi = lo;
        for (int i = 0; i < N_LOOP; i++) {
            lo = fmin(lo, picture->loop[i][k]);
            hi = fmax(hi, picture->loop[i][k]);
        }
        double room = hi - lo > 1e-9 ? 0.2 * (hi - lo) : 1.0;
        field->lo[k] = lo - room;
        field->hi[k] = hi + room;
    }
}

// whether the connection of a free velocity vanishes all over the field
static bool is_zero(const Picture* picture, int i_free) {
    const GaitField* field = &picture->field;
    size_t n_free = (size_t)picture->gait->n_free;
    double own = 0.0, all = 0.0;
    for (size_t i = 0; i < field->n_row * field->width; i++) {
        size_t column = i % field->width;
        if (column >= (size_t)field->n_over) {
            double size = fabs(field->value[i]);
            bool is_own = (column - (size_t)field->n_over) % n_free == (size_t)i_free;
            all = fmax(all, size);
            own = is_own ? fmax(own, size) : own;
        }
    }
    return own <= 1e-9 * all && all > 0.0;
}

// free velocities up to the root, or the first ones of a robot without
static void choose_shown(Picture* picture) {
    const Gait* gait = picture->gait;
    const ElvModel* model = gait->loaded.model;
    int i_free = 0;
    bool is_past = false;
    for (int j = 0; j < elv_model_n_node(model); j++) {
        ElvNodeInfo node = elv_model_node(model, j);
        bool is_root = gait->report.n_group == 0 || !is_past;
        is_past = is_past || strcmp(node.name, gait->report.root) == 0;
        for (int k = 0; k < node.n_v; k++) {
            if (elv_model_is_driven(model, node.i_v + k)) {
                continue;
            }
            if (is_root && picture->n_shown < N_SHOWN && !is_zero(picture, i_free)) {
                picture->shown[picture->n_shown++] = i_free;
            }
            i_free++;
        }
    }
}

static int compare(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// what all but a twentieth of the lengths of columns stay below: near singular postures there is no
// largest one
static double usual_size(const GaitField* field, size_t column, size_t other) {
    double* size = calloc(field->n_row, sizeof *size);
    if (!size) {
        return 1.0;
    }
    for (size_t i = 0; i < field->n_row; i++) {
        const double* row = field->value + i * field->width;
        size[i] = other == column ? fabs(row[column]) : hypot(row[column], row[other]);
    }
    qsort(size, field->n_row, sizeof *size, compare);
    double usual = size[(field->n_row - 1) * 19 / 20];
    usual = usual > 0.0 ? usual : size[field->n_row - 1];
    free(size);
    return usual > 1e-9 ? usual : 1.0;
}

// ---- the script

static void write_quoted(FILE* stream, const char* before, const char* text, const char* after) {
    fputs(before, stream);
    cli_gnuplot_quoted(stream, text, strlen(text));
    fputs(after, stream);
}

static void write_data(FILE* stream, const Picture* picture) {
    const GaitField* field = &picture->field;
    fputs("$field << END_OF_DATA\n", stream);
    for (size_t i = 0; i < field->n_row; i++) {
        // lines of the grid are blocks
        fputs(i > 0 && field->n_over == 2 && i % field->n_point == 0 ? "\n" : "", stream);
        for (size_t k = 0; k < field->width; k++) {
            fprintf(stream, "%s%.9g", k > 0 ? " " : "", field->value[i * field->width + k]);
        }
        fputc('\n', stream);
    }
    fputs("END_OF_DATA\n$gait << END_OF_DATA\n", stream);
    for (int i = 0; i < N_LOOP; i++) {
        fprintf(stream, "%.9g %.9g\n", picture->loop[i][0], picture->loop[i][1]);
    }
    fputs("END_OF_DATA\n", stream);
}

static void write_axes(FILE* stream, const GaitField* field) {
    write_quoted(stream, "set xlabel ", field->name[0], "\n");
    fprintf(stream, "set xrange [%.9g:%.9g]\n", field->lo[0], field->hi[0]);
    if (field->n_over == 2) {
        write_quoted(stream, "set ylabel ", field->name[1], "\n");
        fprintf(stream, "set yrange [%.9g:%.9g]\n", field->lo[1], field->hi[1]);
    }
}

// rows of the connection as arrows, the longest usual ones as long as their distance
static void write_arrows(FILE* stream, const Picture* picture, int i_free) {
    const GaitField* field = &picture->field;
    size_t a = 2 + (size_t)i_free, b = a + (size_t)picture->gait->n_free;
    size_t stride = (field->n_point + N_ARROW - 1) / N_ARROW;
    double distance = fmin(field->hi[0] - field->lo[0], field->hi[1] - field->lo[1]) /
                      (double)(field->n_point - 1);
    double scale = 0.9 * (double)stride * distance / usual_size(field, a, b);
    // the name is that of the column without its coordinate
    write_quoted(stream, "set title ", strchr(field->name[a], ')') + 2, " . ': rows of A'\n");
    fprintf(stream,
            "s = %.9g\nm = %.9g\n"
            "size(x, y) = s*sqrt(x*x + y*y)\n"
            "u(x, y) = s*x*(size(x, y) > m ? m/size(x, y) : 1)\n"
            "plot $field every %zu:%zu using ($1 - u($%zu, $%zu)/2):($2 - u($%zu, $%zu)/2):"
            "(u($%zu, $%zu)):(u($%zu, $%zu)) with vectors lc rgb '#4878a8' notitle, "
            "$gait using 1:2 with lines lw 2 lc rgb '#c03020' title 'gait'\n",
            scale, (double)stride * distance, stride, stride, a + 1, b + 1, b + 1, a + 1, a + 1,
            b + 1, b + 1, a + 1);
}

static void write_curvature(FILE* stream, const Picture* picture, int i_free) {
    const GaitField* field = &picture->field;
    size_t column = 2 + 2 * (size_t)picture->gait->n_free + (size_t)i_free;
    double usual = usual_size(field, column, column);
    write_quoted(stream, "set title ", field->name[column], "\n");
    fprintf(stream,
            "set cbrange [%.9g:%.9g]\n"
            "set cntrparam levels incremental %.9g,%.9g,%.9g\n"
            "splot $field using 1:2:%zu with pm3d nocontour notitle, "
            "$field using 1:2:%zu with lines nosurface lc rgb '#606060' notitle, "
            "$gait using 1:2:(0) with lines nocontour lw 2 lc rgb '#c03020' title 'gait'\n",
            -usual, usual, -usual, 0.25 * usual, usual, column + 1, column + 1);
}

static void write_curve(FILE* stream, const Picture* picture, int i_free) {
    const GaitField* field = &picture->field;
    double lo = 0.0, hi = 0.0;
    for (size_t i = 0; i < field->n_row; i++) {
        double value = field->value[i * field->width + 1 + (size_t)i_free];
        lo = fmin(lo, value);
        hi = fmax(hi, value);
    }
    // a connection that vanishes has no range of its own
    double room = hi - lo > 1e-12 ? 0.05 * (hi - lo) : 1.0;
    write_quoted(stream, "set title ", field->name[1 + i_free], "\n");
    fprintf(stream, "set yrange [%.9g:%.9g]\n", lo - room, hi + room);
    fprintf(stream,
            "plot $field using 1:%d with lines lw 2 lc rgb '#4878a8' notitle, "
            "$gait using 1:(0) with lines lw 3 lc rgb '#c03020' title 'gait'\n",
            2 + i_free);
}

static void write_script(FILE* stream, const void* user) {
    const Picture* picture = user;
    int n_column = picture->field.n_over;
    const char* model = elv_model_name(picture->gait->loaded.model);
    write_data(stream, picture);
    fprintf(stream,
            "set terminal svg size %d,%d dynamic background rgb 'white' font 'sans,12' noenhanced\n"
            "set multiplot layout %d,%d title ",
            40 + (PANEL + 80) * n_column, 60 + PANEL * picture->n_shown, picture->n_shown,
            n_column);
    cli_gnuplot_quoted(stream, model, strlen(model));
    fputs("\nset palette defined (-1 '#3b6ab0', 0 '#f7f7f7', 1 '#b04a3b')\n"
          "set contour base\nset view map\nunset clabel\nset format '%.3g'\n",
          stream);
    write_axes(stream, &picture->field);
    for (int i = 0; i < picture->n_shown; i++) {
        if (n_column == 1) {
            write_curve(stream, picture, picture->shown[i]);
        } else {
            write_arrows(stream, picture, picture->shown[i]);
            write_curvature(stream, picture, picture->shown[i]);
        }
    }
    fputs("unset multiplot\n", stream);
}

int gait_plot(Gait* gait) {
    Picture* picture = calloc(1, sizeof *picture);
    if (!picture) {
        return cli_complain("gait", CLI_FAILED, "out of memory");
    }
    picture->gait = gait;
    int code = gait_field_choose(gait, true, &picture->field);
    code = code == CLI_DONE ? follow_gait(picture) : code;
    if (code == CLI_DONE) {
        choose_range(picture);
        code = gait_field_fill(gait, &picture->field);
    }
    if (code == CLI_DONE && !cli_is_interrupted()) {
        choose_shown(picture);
        code = cli_gnuplot("gait", gait->plot, write_script, picture);
    }
    gait_field_free(&picture->field);
    free(picture);
    return code;
}
