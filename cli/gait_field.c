// SPDX-License-Identifier: Apache-2.0
// The field of `elver gait`: the connection and its curvature over a grid of two imposed coordinates.
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

// place of an imposed velocity among imposed ones, and its coordinate; -1: no such, or none of a line
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

static int choose(const Gait* gait, int place[2], int i_q[2]) {
    const ElvModel* model = gait->loaded.model;
    const char* over = gait->options.over;
    const char* comma = over ? strchr(over, ',') : NULL;
    if (over && !comma) {
        return cli_complain("gait", CLI_USAGE, "--over takes two imposed coordinates: A,B");
    }
    for (int i = 0; i < 2; i++) {
        const char* name = i == 0 ? over : over ? comma + 1 : NULL;
        size_t n = !over ? (size_t)i : i == 0 ? (size_t)(comma - over) : strlen(name);
        place[i] = find_imposed(model, name, n, &i_q[i]);
        if (place[i] < 0 && over) {
            return cli_complain("gait", CLI_USAGE,
                                "--over: '%.*s' is no imposed coordinate of a joint or rod", (int)n,
                                name);
        }
        if (place[i] < 0) {
            return cli_complain("gait", CLI_USAGE,
                                "a field needs two imposed coordinates, and the model has %d",
                                gait->n_imposed);
        }
    }
    return CLI_DONE;
}

// one row: the two coordinates, A of both, curvature
static ElvStatus
fill_row(Gait* gait, const int place[2], const int i_q[2], double* A, double* row, ElvError* e) {
    const ElvModel* model = gait->loaded.model;
    int n = gait->n_free;
    row[0] = gait->state->q[i_q[0]];
    row[1] = gait->state->q[i_q[1]];
    ElvStatus status = elv_connection(model, gait->state, gait->kind, A, e);
    for (int i = 0; i < n && status == ELV_OK; i++) {
        row[2 + i] = A[i * gait->n_imposed + place[0]];
        row[2 + n + i] = A[i * gait->n_imposed + place[1]];
    }
    if (status == ELV_OK) {
        status = elv_connection_curvature(model, gait->state, gait->kind, place[0], place[1],
                                          row + 2 + 2 * n, e);
    }
    return status;
}

static int fill(Gait* gait, const int place[2], const int i_q[2], double* value) {
    const GaitOptions* options = &gait->options;
    size_t width = 2 + 3 * (size_t)gait->n_free;
    size_t n = (size_t)options->points;
    double* A = calloc((size_t)(gait->n_free * gait->n_imposed) + 1, sizeof *A);
    double* q = gait->state->q;
    double kept[2] = {q[i_q[0]], q[i_q[1]]};
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = A ? ELV_OK : ELV_ERROR_MEMORY;
    for (size_t i = 0; i < n * n && status == ELV_OK; i++) {
        double step = (options->to - options->from) / (double)(n - 1);
        q[i_q[0]] = options->from + (double)(i / n) * step;
        q[i_q[1]] = options->from + (double)(i % n) * step;
        status = fill_row(gait, place, i_q, A, value + i * width, &error);
    }
    q[i_q[0]] = kept[0];
    q[i_q[1]] = kept[1];
    free(A);
    return status == ELV_OK ? CLI_DONE : cli_complain_error("gait", cli_exit_code(status), &error);
}

// heads of the columns, one after another in one block
static void set_names(const Gait* gait, const int place[2], char (*name)[3 * N_TEXT]) {
    const ElvModel* model = gait->loaded.model;
    char over[2][N_TEXT] = {"", ""};
    int n_imposed = 0, n = 0;
    for (int k = 0; k < elv_model_nv(model); k++) {
        if (elv_model_is_driven(model, k)) {
            for (int i = 0; i < 2; i++) {
                if (place[i] == n_imposed) {
                    gait_name(model, k, over[i]);
                }
            }
            n_imposed++;
        }
    }
    (void)snprintf(name[0], sizeof *name, "%s", over[0]);
    (void)snprintf(name[1], sizeof *name, "%s", over[1]);
    for (int k = 0; k < elv_model_nv(model); k++) {
        char text[N_TEXT];
        if (elv_model_is_driven(model, k)) {
            continue;
        }
        gait_name(model, k, text);
        (void)snprintf(name[2 + n], sizeof *name, "A(%s).%s", over[0], text);
        (void)snprintf(name[2 + gait->n_free + n], sizeof *name, "A(%s).%s", over[1], text);
        (void)snprintf(name[2 + 2 * gait->n_free + n], sizeof *name, "curvature.%s", text);
        n++;
    }
}

int gait_write_field(Gait* gait) {
    int place[2] = {-1, -1}, i_q[2] = {0, 0};
    int code = choose(gait, place, i_q);
    if (code != CLI_DONE) {
        return code;
    }
    size_t width = 2 + 3 * (size_t)gait->n_free;
    size_t n_row = (size_t)gait->options.points * (size_t)gait->options.points;
    double* value = calloc(n_row * width, sizeof *value);
    char(*name)[3 * N_TEXT] = calloc(width, sizeof *name);
    const char** head = calloc(width, sizeof *head);
    if (!value || !name || !head) {
        code = cli_complain("gait", CLI_FAILED, "out of memory");
    }
    if (code == CLI_DONE) {
        set_names(gait, place, name);
        for (size_t k = 0; k < width; k++) {
            head[k] = name[k];
        }
        code = fill(gait, place, i_q, value);
    }
    if (code == CLI_DONE) {
        code = analysis_write_table("gait", gait->options.out, head, n_row, width, value);
    }
    free(value);
    free(name);
    free(head);
    return code;
}
