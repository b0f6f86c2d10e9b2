// SPDX-License-Identifier: Apache-2.0
// A small robot for the tests of files of moving pictures: a rod that bends, with a box at its tip and a tendon, at three
// times; and the file as bytes. The including file defines _POSIX_C_SOURCE.
#ifndef ELVER_TESTS_VIEW_FILE_CASE_H
#define ELVER_TESTS_VIEW_FILE_CASE_H

#include "check.h"
#include "elver/elver.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N_FRAME = 3, N_STATION = 5 };

static const char robot_text[] =
    "elver: 1\n"
    "name: small robot\n"
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {rod: arm, length: 1, section: {rectangle: {y: 0.1, z: 0.04}},\n"
    "     material: {density: 1000, young: 1e6}, strain: {bend_y: 2}}\n"
    "  - {body: tool, parent: arm.tip, shape: {box: {size: [0.1, 0.2, 0.3]}}, density: 500}\n"
    "  - {body: bare, parent: tool, mass: 1}\n"
    "actuators:\n"
    "  - {tendon: pull, path: {rod: arm, z: 0.01}, tension: \"5 + t\"}\n";

typedef struct {
    ElvModel* model;
    ElvState* state;
    ElvData* data;
    ElvView* view;
    double* tau;
    double* value[N_FRAME]; // records
    double t[N_FRAME];
    int n_value;
    char folder[64];
} Robot;

static inline int open_robot(void** context) {
    Robot* r = calloc(1, sizeof *r);
    ElvError error;
    elv_error_clear(&error);
    CHECK_STATUS(
        elv_model_read_text(robot_text, strlen(robot_text), "robot", NULL, 0, &r->model, &error),
        &error);
    CHECK_STATUS(elv_state_create(r->model, &r->state, &error), &error);
    CHECK_STATUS(elv_data_create(r->model, &r->data, &error), &error);
    ElvViewOptions options = elv_view_options_default();
    options.stations = N_STATION;
    CHECK_STATUS(elv_view_create(r->model, &options, &r->view, &error), &error);
    r->n_value = elv_view_n_value(r->view);
    r->tau = calloc((size_t)elv_model_nv(r->model) + 1, sizeof *r->tau);
    for (int i = 0; i < N_FRAME; i++) {
        r->state->t = r->t[i] = 0.25 * i;
        r->state->q[0] = 0.5 * i;
        r->state->q[1] = -0.3 * i;
        r->value[i] = calloc((size_t)r->n_value + 1, sizeof *r->value[i]);
        elv_idm(r->model, r->data, r->state, r->tau);
        elv_view_eval(r->view, r->model, r->data, r->state, r->value[i]);
    }
    strcpy(r->folder, "/tmp/elver-view-XXXXXX");
    assert_non_null(mkdtemp(r->folder));
    *context = r;
    return 0;
}

static inline int close_robot(void** context) {
    Robot* r = *context;
    for (int i = 0; i < N_FRAME; i++) {
        free(r->value[i]);
    }
    free(r->tau);
    elv_view_free(r->view);
    elv_data_free(r->data);
    elv_state_free(r->state);
    elv_model_free(r->model);
    // fails if anything was left there
    int status = rmdir(r->folder);
    free(r);
    return status;
}

// write the first n records
static inline void write_robot(const Robot* r, const char* path, int n) {
    ElvViewFile* file = NULL;
    ElvError error;
    elv_error_clear(&error);
    CHECK_STATUS(elv_view_file_create(path, &file, &error), &error);
    CHECK_STATUS(elv_view_file_begin(file, r->view, "a \"title\" <&>", &error), &error);
    for (int i = 0; i < n; i++) {
        CHECK_STATUS(elv_view_file_append(file, r->t[i], r->value[i], &error), &error);
    }
    CHECK_STATUS(elv_view_file_close(file, &error), &error);
}

static inline char* read_bytes(const char* path, size_t* size) {
    FILE* stream = fopen(path, "rb");
    if (!stream) {
        fail_msg("no file %s", path);
    }
    fseek(stream, 0, SEEK_END);
    *size = (size_t)ftell(stream);
    rewind(stream);
    char* bytes = calloc(*size + 1, 1);
    assert_int_equal(fread(bytes, 1, *size, stream), *size);
    fclose(stream);
    return bytes;
}

#define WITH_ROBOT(test) cmocka_unit_test_setup_teardown(test, open_robot, close_robot)

#endif
