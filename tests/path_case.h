// SPDX-License-Identifier: Apache-2.0
// Paths of equilibria of example models, with all their points.
#ifndef ELVER_TESTS_PATH_CASE_H
#define ELVER_TESTS_PATH_CASE_H

#include "model_case.h"

#include "elver/analysis.h"

enum { MAX_POINT = 400 };

/// What a path of equilibria was like, point by point.
typedef struct {
    ElvFrame tip; // whose places are kept
    int n;
    double load[MAX_POINT], stability[MAX_POINT], length[MAX_POINT];
    ElvVec3 place[MAX_POINT];
    bool is_branch[MAX_POINT];
    ElvContinuationKind kind[MAX_POINT];
    int n_negative[MAX_POINT];
    double null_vector[MAX_POINT][3]; // its first components, of critical points
} Path;

static inline bool path_on_point(void* user,
                                 const ElvModel* model,
                                 ElvData* data,
                                 const ElvState* state,
                                 const ElvContinuationPoint* point) {
    Path* path = user;
    int i = path->n++;
    CHECK_TRUE(i < MAX_POINT);
    path->load[i] = state->t;
    path->stability[i] = point->eigenvalue;
    path->length[i] = point->length;
    path->place[i] = elv_frame_pose(model, data, path->tip).p;
    path->is_branch[i] = point->is_branch;
    path->kind[i] = point->kind;
    path->n_negative[i] = point->n_negative;
    CHECK_TRUE((point->null_vector != NULL) == (point->kind != ELV_POINT_REGULAR));
    for (int k = 0; k < 3 && point->null_vector; k++) {
        path->null_vector[i][k] = k < state->nv ? point->null_vector[k] : 0.0;
    }
    return true;
}

/// Follow the path of a model and its loads, on a branch of the first bifurcation or not.
static inline Path*
follow(ModelCase* c, const char* tip, int branch, ElvContinuationReport* report) {
    ElvError error;
    Path* path = calloc(1, sizeof *path);
    CHECK_TRUE(path != NULL);
    path->tip = case_frame(c, tip);
    ElvContinuationOptions options = elv_continuation_options_default(c->model);
    options.record = path_on_point;
    options.user = path;
    options.branch = branch;
    CHECK_STATUS(elv_statics_continue(c->model, c->state, &options, report, &error), &error);
    CHECK_TRUE(report->n_point == path->n);
    CHECK_NEAR(c->state->t, path->load[path->n - 1], 0.0);
    return path;
}

/// A model of models/, without ending, with other loads (NULL: its own).
static inline ModelCase open_example(const char* name, const char* loads) {
    char file[512];
    ElvError error;
    ModelCase c = {0};
    const ElvOverride set[] = {{"statics.loads", loads}};
    snprintf(file, sizeof file, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(file, set, loads ? 1 : 0, &c.model, &error), &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    c.nv = c.state->nv;
    return c;
}

#endif
