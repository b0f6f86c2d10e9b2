// SPDX-License-Identifier: Apache-2.0
// The workspace: one layout function that runs twice, first measuring, then placing.
#include "multibody/data.h"

#include <stdlib.h>

static ElvData* data_layout(const ElvModel* model, ElvArena* arena) {
    size_t nv = (size_t)model->nv;
    size_t n_port = (size_t)model->n_port;
    ElvData* data = elv_arena_take(arena, 1, sizeof *data);
    ElvData d = {0};
    d.work = elv_arena_take(arena, (size_t)model->n_node, sizeof *d.work);
    d.port = elv_arena_take(arena, n_port, sizeof *d.port);
    d.W = elv_arena_take(arena, n_port, sizeof *d.W);
    d.screw = elv_arena_take(arena, model->n_screw, sizeof *d.screw);
    d.I = elv_arena_take(arena, n_port, sizeof *d.I);
    d.momentum = elv_arena_take(arena, nv, sizeof *d.momentum);
    d.M = elv_arena_take(arena, nv * nv, sizeof *d.M);
    d.tau = elv_arena_take(arena, nv, sizeof *d.tau);
    d.upsilon = elv_arena_take(arena, nv, sizeof *d.upsilon);
    d.v = elv_arena_take(arena, nv, sizeof *d.v);
    d.a = elv_arena_take(arena, nv, sizeof *d.a);
    d.free_index = elv_arena_take(arena, nv, sizeof *d.free_index);
    for (int i = 0; i < model->n_node; i++) {
        const ElvJoint* joint = model->node[i].joint;
        void* work = joint->ops->layout(joint, arena);
        if (d.work) {
            d.work[i] = work;
        }
    }
    if (data) {
        *data = d;
    }
    return data;
}

size_t elv_data_memsize(const ElvModel* model) {
    ElvArena arena = {NULL, 0};
    data_layout(model, &arena);
    return arena.size;
}

ElvStatus elv_data_create(const ElvModel* model, ElvData** data, ElvError* error) {
    size_t size = elv_data_memsize(model);
    ElvArena arena = {aligned_alloc(ELV_ARENA_ALIGN, size), 0};
    *data = NULL;
    if (!arena.base) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    *data = data_layout(model, &arena);
    return ELV_OK;
}

void elv_data_free(ElvData* data) {
    // the struct is the first thing in its block
    free(data);
}
