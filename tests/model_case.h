// SPDX-License-Identifier: Apache-2.0
// A model from formatted text with its workspace and state, for tests of whole models.
#ifndef ELVER_TESTS_MODEL_CASE_H
#define ELVER_TESTS_MODEL_CASE_H

#include "check.h"
#include "elver/dynamics.h"
#include "elver/io.h"

#include <stdarg.h>
#include <stdlib.h>

typedef struct {
    ElvModel* model;
    ElvData* data;
    ElvState* state;
    int nv;
} ModelCase;

/// Read a model; the text begins after "elver: 1" and takes the arguments of printf.
static inline ModelCase case_open(const char* format, ...) ELV_PRINTF(1, 2);

static inline ModelCase case_open(const char* format, ...) {
    char text[8192] = "elver: 1\n";
    size_t n_head = strlen(text);
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text + n_head, sizeof text - n_head, format, list);
    va_end(list);
    CHECK_TRUE(n >= 0 && n_head + (size_t)n < sizeof text);
    ModelCase c = {0};
    ElvError error;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "case", NULL, 0, &c.model, &error),
                 &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    c.nv = c.state->nv;
    return c;
}

static inline void case_close(ModelCase* c) {
    elv_state_free(c->state);
    elv_data_free(c->data);
    elv_model_free(c->model);
}

/// Random coordinates, velocities and accelerations; quaternions become unit.
static inline void case_randomize(ModelCase* c, uint64_t seed, double size) {
    CheckRandom random = check_random(seed);
    for (int i = 0; i < c->state->nq; i++) {
        c->state->q[i] = check_uniform(&random, -size, size);
    }
    for (int i = 0; i < c->nv; i++) {
        c->state->v[i] = check_uniform(&random, -size, size);
        c->state->a[i] = check_uniform(&random, -size, size);
    }
    elv_state_impose(c->model, c->state);
}

static inline ElvFrame case_frame(const ModelCase* c, const char* reference) {
    ElvFrame frame;
    ElvError error;
    CHECK_STATUS(elv_model_frame(c->model, reference, &frame, &error), &error);
    return frame;
}

/// Pose of a frame for the state as it is.
static inline ElvPose case_pose(ModelCase* c, const char* reference) {
    elv_kinematics(c->model, c->data, c->state);
    return elv_frame_pose(c->model, c->data, case_frame(c, reference));
}

static inline double largest(const double* x, size_t n) {
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        // keeps NaN
        most = fabs(x[i]) <= most ? most : fabs(x[i]);
    }
    return most;
}

static inline double largest_difference(const double* a, const double* b, size_t n) {
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        double d = fabs(a[i] - b[i]);
        most = d <= most ? most : d;
    }
    return most;
}

#endif
