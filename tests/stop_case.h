// SPDX-License-Identifier: Apache-2.0
// A caller who stops a computation when he is asked for the k-th time, and says no more of it afterwards: the
// computation must not ask again, and must not go on.
#ifndef ELVER_TESTS_STOP_CASE_H
#define ELVER_TESTS_STOP_CASE_H

#include "model_case.h"

typedef struct {
    int n_call;
    int at; // 0: never
} StopAt;

static inline bool stop_now(void* user) {
    StopAt* own = user;
    return ++own->n_call == own->at;
}

static inline ElvStop stop_by(StopAt* own) {
    return (ElvStop){stop_now, own};
}

static inline void check_stopped(ElvStatus status, const ElvError* error, const StopAt* own) {
    CHECK_TRUE(status == ELV_ERROR_CANCELLED && error->status == ELV_ERROR_CANCELLED);
    CHECK_TRUE(strstr(error->message, "stopped by the caller") != NULL);
    CHECK_TRUE(own->n_call == own->at);
}

/// The next call to stop at: all of the first ones, then every so often, and the last ones.
static inline int next_stop(int at, int n_call) {
    return at < 8 || n_call - at < 4 ? at + 1 : at + 1 + n_call / 12;
}

static inline ModelCase open_model(const char* name, const ElvOverride* set, int n_set) {
    char path[512];
    ModelCase c = {0};
    ElvError error;
    snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(path, set, n_set, &c.model, &error), &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    c.nv = c.state->nv;
    return c;
}

static inline ElvState* copy_of(const ModelCase* c) {
    ElvState* copy = NULL;
    ElvError error;
    CHECK_STATUS(elv_state_create(c->model, &copy, &error), &error);
    elv_state_copy(copy, c->state);
    return copy;
}

/// Whether two states are the same to the last bit.
static inline bool is_same_state(const ElvState* a, const ElvState* b) {
    return a->t == b->t && memcmp(a->q, b->q, (size_t)a->nq * sizeof *a->q) == 0 &&
           memcmp(a->v, b->v, (size_t)a->nv * sizeof *a->v) == 0 &&
           (a->nz == 0 || memcmp(a->z, b->z, (size_t)a->nz * sizeof *a->z) == 0);
}

#endif
