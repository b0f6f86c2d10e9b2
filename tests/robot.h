// SPDX-License-Identifier: Apache-2.0
// A compiled model with a state and a workspace, for tests of the multibody layer, and the small
// linear algebra that their oracles need.
#ifndef ELVER_TESTS_ROBOT_H
#define ELVER_TESTS_ROBOT_H

#include "elver/elver.h"
#include "multibody/data.h"

#include "check.h"

#include <stdlib.h>

typedef struct {
    ElvModel* model;
    ElvData* data;
    ElvState* state;
    int nv, nq;
} Robot;

/// Takes over the model.
static inline Robot robot_of(ElvModel* model) {
    ElvError error;
    Robot robot = {.model = model, .nv = elv_model_nv(model), .nq = elv_model_nq(model)};
    CHECK_STATUS(elv_data_create(model, &robot.data, &error), &error);
    CHECK_STATUS(elv_state_create(model, &robot.state, &error), &error);
    return robot;
}

/// Compiles the spec and frees it.
static inline Robot robot_compile(ElvSpec* spec) {
    ElvError error;
    ElvModel* model = NULL;
    CHECK_STATUS(elv_spec_compile(spec, &model, &error), &error);
    elv_spec_free(spec);
    return robot_of(model);
}

/// A model of the source tree, e.g. "models/rigid-chain.yaml".
static inline Robot robot_read(const char* file) {
    ElvError error;
    ElvModel* model = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", ELVER_SOURCE_DIR, file);
    CHECK_STATUS(elv_model_read_file(path, NULL, 0, &model, &error), &error);
    return robot_of(model);
}

static inline void robot_free(Robot* robot) {
    elv_data_free(robot->data);
    elv_state_free(robot->state);
    elv_model_free(robot->model);
    *robot = (Robot){0};
}

static inline ElvSpec* new_spec(void) {
    ElvError error;
    ElvSpec* spec = NULL;
    CHECK_STATUS(elv_spec_create("test", &spec, &error), &error);
    return spec;
}

static inline void add_body(ElvSpec* spec, const ElvBodyDef* def) {
    ElvError error;
    CHECK_STATUS(elv_spec_add_body(spec, def, &error), &error);
}

static inline void add_rod(ElvSpec* spec, const ElvRodDef* def) {
    ElvError error;
    CHECK_STATUS(elv_spec_add_rod(spec, def, &error), &error);
}

static inline ElvFrame frame_of(const Robot* robot, const char* reference) {
    ElvError error;
    ElvFrame frame;
    CHECK_STATUS(elv_model_frame(robot->model, reference, &frame, &error), &error);
    return frame;
}

/// A copy of a state; free with elv_state_free.
static inline ElvState* copy_state(const Robot* robot, const ElvState* state) {
    ElvError error;
    ElvState* copy = NULL;
    CHECK_STATUS(elv_state_create(robot->model, &copy, &error), &error);
    elv_state_copy(copy, state);
    return copy;
}

/// state moved by time h along its own velocities and accelerations, to first order in h: central
/// differences of a function of (q, v) along it give the function's time derivative.
static inline void advance_state(const Robot* robot, const ElvState* from, double h, ElvState* to) {
    double* q_dot = calloc((size_t)robot->nq + 1, sizeof *q_dot);
    elv_state_rate(robot->model, from, q_dot);
    for (int i = 0; i < robot->nq; i++) {
        to->q[i] = from->q[i] + h * q_dot[i];
    }
    for (int i = 0; i < robot->nv; i++) {
        to->v[i] = from->v[i] + h * from->a[i];
        to->a[i] = from->a[i];
    }
    to->t = from->t;
    free(q_dot);
}

static inline double* new_array(int n) {
    double* x = calloc((size_t)n + 1, sizeof *x);
    CHECK_TRUE(x != NULL);
    return x;
}

static inline double array_norm(const double* x, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

static inline double array_dot(const double* x, const double* y, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/// y = A x, A (n x n)
static inline void array_apply(int n, const double* A, const double* x, double* y) {
    for (int i = 0; i < n; i++) {
        y[i] = array_dot(A + (size_t)i * (size_t)n, x, n);
    }
}

static inline double array_distance(const double* x, const double* y, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    }
    return sqrt(sum);
}

/// Largest |A_ij - B_ij| / sqrt(D_i D_j): each entry against the bound that the positive definite
/// matrix of diagonal D puts on it.
static inline double scaled_difference(int n, const double* A, const double* B, const double* M) {
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double scale = sqrt(M[i * n + i] * M[j * n + j]);
            double error = fabs(A[i * n + j] - B[i * n + j]) / scale;
            // NaN must win
            worst = error <= worst ? worst : error;
        }
    }
    return worst;
}

static inline void check_bound_at(
    double error, double tol, const char* what, uint64_t seed, const char* file, int line) {
    if (!(error <= tol)) {
        print_error("%s:%d: seed %llu: %s = %.3g exceeds %.3g\n", file, line,
                    (unsigned long long)seed, what, error, tol);
        _fail(file, line);
    }
}

/// error <= tol, for a case made from a seed.
#define CHECK_BOUND(error, tol, seed)                                                              \
    check_bound_at((error), (tol), #error, (seed), __FILE__, __LINE__)

#endif
