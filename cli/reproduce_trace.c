// SPDX-License-Identifier: Apache-2.0
// The path of the tip of a rod, which is what most figures compare.
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool record_tip(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    ReproducePath* path = user;
    (void)state;
    if (path->n < path->capacity) {
        path->at[path->n++] = elv_frame_pose(model, data, path->tip).p;
    }
    return true;
}

static ElvStatus make_room(ReproducePath* path, double duration, double every, ElvError* error) {
    reproduce_path_free(path);
    // the start, and a record at the end that is no multiple
    int capacity = (int)(duration / every) + 3;
    path->at = calloc((size_t)capacity, sizeof *path->at);
    if (!path->at) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    path->capacity = capacity;
    return ELV_OK;
}

ElvStatus reproduce_trace(const ElvModel* model,
                          const ElvSimulateDef* method,
                          double every,
                          ReproducePath* path,
                          ElvError* error) {
    ElvState* state = NULL;
    ElvStatus status = make_room(path, method->duration, every, error);
    if (status == ELV_OK) {
        status = elv_model_frame(model, "rod.tip", &path->tip, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &state, error);
    }
    if (status == ELV_OK) {
        ElvSimulateOptions options = elv_simulate_options_default(model, state);
        options.method = *method;
        options.t_end = state->t + method->duration;
        options.record_every = every;
        options.record = record_tip;
        options.user = path;
        clock_t start = clock();
        status = reproduce_simulate(model, state, &options, &path->report, error);
        path->cpu = (double)(clock() - start) / (double)CLOCKS_PER_SEC;
    }
    elv_state_free(state);
    return status;
}

void reproduce_path_free(ReproducePath* path) {
    free(path->at);
    ReproducePath none = {.n = 0};
    *path = none;
}

bool reproduce_path_copy(const ReproducePath* from, ReproducePath* to) {
    ElvVec3* at = calloc((size_t)from->capacity, sizeof *at);
    if (!at) {
        return false;
    }
    memcpy(at, from->at, (size_t)from->n * sizeof *at);
    *to = *from;
    to->at = at;
    return true;
}

double reproduce_distance(const ReproducePath* path, const ReproducePath* other) {
    double distance = path->n == other->n ? 0.0 : INFINITY;
    for (int i = 0; i < path->n && i < other->n; i++) {
        distance = fmax(distance, elv_vec3_norm(elv_vec3_sub(path->at[i], other->at[i])));
    }
    return distance;
}
