// SPDX-License-Identifier: Apache-2.0
// The field of `elver gait`: the connection and its curvature over a grid of two imposed
// coordinates.
#include "gait.h"

#include <stdlib.h>
#include <string.h>

enum { N_TEXT = 2 * ELV_SIZE_NAME };

void gait_name(const ElvModel* model, int i_v, char text[N_TEXT]) {
    text[0] = '\0';
    for (int j = 0; j < elv_model_n_node(model); j++) {
        ElvNodeInfo node = elv_model_node(model, j);
        if (i_v >= node.i_v && i_v < node.i_v + node.n_v) {
            if (node.n_v == 1) {
                (void)snprintf(text, N_TEXT, "%.96s", node.name);
            } else {
                (void)snprintf(text, N_TEXT, "%.96s.%d", node.name, i_v - node.i_v);
            }
        }
    }
}

// place of an imposed velocity among imposed ones, and its coordinate; -1: no such, or none of a
// line
static int find_imposed(const ElvModel* model, const char* name, size_t n_name, int* i_q) {
    int place = -1, n = 0;
    for (int j = 0; j < elv_model_n_node(model); j++) {
        ElvNodeInfo node = elv_model_node(model, j);
        for (int k = 0; k < node.n_v; k++) {
            char text[N_TEXT];
            int i_v = node.i_v + k;
            gait_name(model, i_v, text);
            if (!elv_model_is_driven(model, i_v)) {
                continue;
            }
            bool is_it = name ? strlen(text) == n_name && strncmp(text, name, n_name) == 0
                              : (size_t)n == n_name;
            if (is_it && node.n_q == node.n_v) {
                place = n;
                *i_q = node.i_q + k;
            }
            n++;
        }
    }
    return place;
}

int gait_field_choose(const Gait* gait, bool takes_one, GaitField* field) {
    const ElvModel* model = gait->loaded.model;
    const char* over = gait->options.over;
    const char* comma = over ? strchr(over, ',') : NULL;
    memset(field, 0, sizeof *field);
    if (over && !comma && !takes_one) {
        return cli_complain("gait", CLI_USAGE, "--over takes two imposed coordinates: A,B");
    }
    int n_wanted = over && !comma ? 1 : 2;
    for (int i = 0; i < n_wanted; i++) {
        const char* name = i == 0 ? over : over ? comma + 1 : NULL;
        size_t n = !over ? (size_t)i : i == 0 && comma ? (size_t)(comma - over) : strlen(name);
        field->place[i] = find_imposed(model, name, n, &field->i_q[i]);
        if (field->place[i] < 0 && over) {
            return cli_complain("gait", CLI_USAGE,
                                "--over: '%.*s' is no imposed coordinate of a joint or rod", (int)n,
                                name);
        }
        if (field->place[i] < 0) {
            break;
        }
        field->n_over++;
    }
    if (field->n_over == 2 && field->place[0] == field->place[1]) {
        return cli_complain("gait", CLI_USAGE, "--over takes two different coordinates: '%s'",
                            over);
    }
    if (field->n_over < (takes_one ? 1 : 2)) {
        return cli_complain("gait", CLI_USAGE,
                            takes_one
                                ? "a plot needs an imposed coordinate, and the model has %d"
                                : "a field needs two imposed coordinates, and the model has %d",
                            gait->n_imposed);
    }
    for (int i = 0; i < field->n_over; i++) {
        field->lo[i] = gait->options.from;
        field->hi[i] = gait->options.to;
    }
    field->n_point = (size_t)gait->options.points;
    return CLI_DONE;
}

// one row: the coordinates, A of each, curvature
static ElvStatus
fill_row(Gait* gait, const GaitField* field, double* A, double* row, ElvError* error) {
    const ElvModel* model = gait->loaded.model;
    int n = gait->n_free;
    double* next = row + field->n_over;
    ElvStatus status = elv_connection(model, gait->state, gait->kind, A, error);
    for (int k = 0; k < field->n_over && status == ELV_OK; k++) {
        row[k] = gait->state->q[field->i_q[k]];
        for (int i = 0; i < n; i++) {
            *next++ = A[i * gait->n_imposed + field->place[k]];
        }
    }
    if (status == ELV_OK && field->n_over == 2) {
        status = elv_connection_curvature(model, gait->state, gait->kind, field->place[0],
                                          field->place[1], next, error);
    }
    return status;
}

// the other coordinates stay
static ElvStatus fill(Gait* gait, GaitField* field, double* A, ElvError* error) {
    double* q = gait->state->q;
    double kept[2] = {0.0, 0.0};
    for (int k = 0; k < field->n_over; k++) {
        kept[k] = q[field->i_q[k]];
    }
    ElvStatus status = ELV_OK;
    CliProgress progress;
    cli_progress_start(&progress, 0.0, (double)field->n_row, gait->options.is_quiet);
    for (size_t i = 0; i < field->n_row && status == ELV_OK; i++) {
        // what is there when the user has enough is kept
        if (cli_is_interrupted()) {
            field->n_row = i;
            break;
        }
        if (cli_progress_is_due(&progress)) {
            cli_progress_print(&progress, (double)i, "point %zu of %zu", i, field->n_row);
        }
        for (int k = 0; k < field->n_over; k++) {
            bool is_slow = k == 0 && field->n_over == 2;
            size_t at = is_slow ? i / field->n_point : i % field->n_point;
            double x = (double)at / (double)(field->n_point - 1);
            q[field->i_q[k]] = field->lo[k] + x * (field->hi[k] - field->lo[k]);
        }
        if (i < field->n_row) {
            status = fill_row(gait, field, A, field->value + i * field->width, error);
        }
    }
    cli_progress_clear(&progress);
    for (int k = 0; k < field->n_over; k++) {
        q[field->i_q[k]] = kept[k];
    }
    return status;
}

// heads of the columns
static void set_names(const Gait* gait, GaitField* field) {
    const ElvModel* model = gait->loaded.model;
    char over[2][N_TEXT] = {"", ""};
    int n_imposed = 0, n = 0, n_over = field->n_over;
    for (int k = 0; k < elv_model_nv(model); k++) {
        if (elv_model_is_driven(model, k)) {
            for (int i = 0; i < n_over; i++) {
                if (field->place[i] == n_imposed) {
                    gait_name(model, k, over[i]);
                }
            }
            n_imposed++;
        }
    }
    for (int i = 0; i < n_over; i++) {
        (void)snprintf(field->name[i], sizeof *field->name, "%s", over[i]);
    }
    for (int k = 0; k < elv_model_nv(model); k++) {
        char text[N_TEXT];
        if (elv_model_is_driven(model, k)) {
            continue;
        }
        gait_name(model, k, text);
        for (int i = 0; i < n_over; i++) {
            (void)snprintf(field->name[n_over + i * gait->n_free + n], sizeof *field->name,
                           "A(%.120s).%.120s", over[i], text);
        }
        if (n_over == 2) {
            (void)snprintf(field->name[n_over + 2 * gait->n_free + n], sizeof *field->name,
                           "curvature.%.120s", text);
        }
        n++;
    }
}

int gait_field_fill(Gait* gait, GaitField* field) {
    bool is_plane = field->n_over == 2;
    field->n_row = is_plane ? field->n_point * field->n_point : field->n_point;
    field->width = (size_t)field->n_over + (is_plane ? 3 : 1) * (size_t)gait->n_free;
    field->value = calloc(field->n_row * field->width + 1, sizeof *field->value);
    field->name = calloc(field->width + 1, sizeof *field->name);
    double* A = calloc((size_t)(gait->n_free * gait->n_imposed) + 1, sizeof *A);
    ElvError error;
    elv_error_clear(&error);
    if (!field->value || !field->name || !A) {
        free(A);
        return cli_complain("gait", CLI_FAILED, "out of memory");
    }
    set_names(gait, field);
    ElvStatus status = fill(gait, field, A, &error);
    free(A);
    return status == ELV_OK ? CLI_DONE : cli_complain_error("gait", cli_exit_code(status), &error);
}

void gait_field_free(GaitField* field) {
    free(field->value);
    free(field->name);
}

int gait_write_field(Gait* gait) {
    GaitField field;
    int code = gait_field_choose(gait, false, &field);
    code = code == CLI_DONE ? gait_field_fill(gait, &field) : code;
    const char** head = calloc(field.width + 1, sizeof *head);
    if (!head) {
        code = cli_complain("gait", CLI_FAILED, "out of memory");
    } else if (code == CLI_DONE) {
        for (size_t k = 0; k < field.width; k++) {
            head[k] = field.name[k];
        }
        code = analysis_write_table("gait", gait->options.out, head, field.n_row, field.width,
                                    field.value);
    }
    free(head);
    gait_field_free(&field);
    return code;
}
