// SPDX-License-Identifier: Apache-2.0
// The workspace: one layout function that runs twice, first measuring, then placing.
#include "multibody/device.h"

#include "linalg/min_norm.h"

#include <stdlib.h>

// the tangent of one joint and its elimination
static void tangent_layout(const ElvJoint* joint, ElvArena* arena, ElvData* d, int i) {
    size_t n_v = (size_t)joint->n_v;
    size_t n_port = (size_t)joint->n_port;
    ElvJointTangent t;
    t.Xq = elv_arena_take(arena, n_port * ELV_N_VARIATION * n_v, sizeof *t.Xq);
    t.P = elv_arena_take(arena, n_port * 6 * n_v, sizeof *t.P);
    t.Qq = elv_arena_take(arena, n_v * n_v, sizeof *t.Qq);
    t.Qx = elv_arena_take(arena, n_v * ELV_N_VARIATION, sizeof *t.Qx);
    t.Wq = elv_arena_take(arena, 6 * n_v, sizeof *t.Wq);
    t.Wx = elv_arena_take(arena, (size_t)6 * ELV_N_VARIATION, sizeof *t.Wx);
    ElvEliminated e;
    e.LU = elv_arena_take(arena, n_v * n_v, sizeof *e.LU);
    e.pivot = elv_arena_take(arena, n_v, sizeof *e.pivot);
    e.AB = elv_arena_take(arena, n_v * ELV_N_VARIATION, sizeof *e.AB);
    e.Y = elv_arena_take(arena, 6 * n_v, sizeof *e.Y);
    e.z = elv_arena_take(arena, n_v, sizeof *e.z);
    if (d->tangent) {
        d->tangent[i] = t;
        d->eliminated[i] = e;
    }
}

// the channels of one joint
static void channel_layout(const ElvNode* node, ElvArena* arena, ElvData* d) {
    size_t n_v = (size_t)node->joint->n_v;
    for (int i = 0; i < node->joint->n_channel; i++) {
        ElvChannel channel = {0};
        channel.effort = elv_arena_take(arena, n_v, sizeof(double));
        channel.d_value = elv_arena_take(arena, n_v, sizeof(double));
        channel.d_factor = elv_arena_take(arena, n_v, sizeof(double));
        if (d->channel) {
            d->channel[node->i_channel + i] = channel;
        }
    }
}

// what the unknowns of devices need
static void border_layout(const ElvModel* model, ElvArena* arena, ElvData* d) {
    size_t nv = (size_t)model->nv;
    size_t nz = (size_t)model->nz + 6 * (size_t)model->n_anchor;
    d->channel = elv_arena_take(arena, (size_t)model->n_channel, sizeof *d->channel);
    d->border_Y = elv_arena_take(arena, nz * nv, sizeof *d->border_Y);
    d->border_S = elv_arena_take(arena, nz * nz, sizeof *d->border_S);
    d->border_copy = elv_arena_take(arena, model->is_constrained ? nz * nz : 0, sizeof(double));
    d->border_pivot = elv_arena_take(arena, nz, sizeof *d->border_pivot);
    d->border_work = elv_arena_take(arena, (size_t)elv_min_norm_work((int)nz) + nz, sizeof(double));
    d->border_scale = elv_arena_take(arena, 2 * nz, sizeof *d->border_scale);
    d->border_arm = elv_arena_take(arena, (size_t)model->n_device, sizeof *d->border_arm);
    d->border_rank = -1;
    d->border_pinned = -1;
    d->gap = elv_arena_take(arena, (size_t)model->n_loop, sizeof *d->gap);
    d->d_z = elv_arena_take(arena, nz, sizeof *d->d_z);
    d->d_c = elv_arena_take(arena, nz, sizeof *d->d_c);
    for (int i = 0; i < model->n_node; i++) {
        channel_layout(&model->node[i], arena, d);
    }
}

static void device_layout(const ElvModel* model, ElvArena* arena, const ElvData* d) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        void* work = device->ops->layout ? device->ops->layout(device, model, arena) : NULL;
        if (d->device_work) {
            d->device_work[i] = work;
        }
    }
}

static size_t largest_joint(const ElvModel* model) {
    size_t largest = 0;
    for (int i = 0; i < model->n_node; i++) {
        size_t n_v = (size_t)model->node[i].joint->n_v;
        largest = n_v > largest ? n_v : largest;
    }
    return largest;
}

// of the tree solve: tangents at the ports, and what elimination leaves of them
static void solve_layout(const ElvModel* model, ElvArena* arena, ElvData* d) {
    size_t n_node = (size_t)model->n_node;
    size_t n_port = (size_t)model->n_port;
    d->unknown = elv_arena_take(arena, n_node, sizeof *d->unknown);
    d->N = elv_arena_take(arena, n_node * 3 * 36, sizeof *d->N);
    d->tangent = elv_arena_take(arena, n_node, sizeof *d->tangent);
    d->K = elv_arena_take(arena, n_port * 6 * ELV_N_VARIATION, sizeof *d->K);
    d->has_K = elv_arena_take(arena, n_port, sizeof *d->has_K);
    d->eliminated = elv_arena_take(arena, n_node, sizeof *d->eliminated);
    d->E = elv_arena_take(arena, n_port * 6 * ELV_N_VARIATION, sizeof *d->E);
    d->has_E = elv_arena_take(arena, n_port, sizeof *d->has_E);
    d->G = elv_arena_take(arena, ELV_N_VARIATION * largest_joint(model), sizeof *d->G);
    d->e = elv_arena_take(arena, n_port * 6, sizeof *d->e);
    d->x = elv_arena_take(arena, n_port * ELV_N_VARIATION, sizeof *d->x);
}

static ElvData* data_layout(const ElvModel* model, ElvArena* arena) {
    size_t nv = (size_t)model->nv;
    size_t n_port = (size_t)model->n_port;
    ElvData* data = elv_arena_take(arena, 1, sizeof *data);
    ElvData d = {0};
    d.load = 1.0;
    d.closure = 1.0;
    d.work = elv_arena_take(arena, (size_t)model->n_node, sizeof *d.work);
    d.u = elv_arena_take(arena, (size_t)model->n_channel, sizeof *d.u);
    d.device_work = elv_arena_take(arena, (size_t)model->n_device, sizeof *d.device_work);
    d.port = elv_arena_take(arena, n_port, sizeof *d.port);
    d.W = elv_arena_take(arena, n_port, sizeof *d.W);
    d.screw = elv_arena_take(arena, model->n_screw, sizeof *d.screw);
    d.I = elv_arena_take(arena, n_port, sizeof *d.I);
    d.momentum = elv_arena_take(arena, nv, sizeof *d.momentum);
    d.M = elv_arena_take(arena, nv * nv, sizeof *d.M);
    d.tau = elv_arena_take(arena, nv, sizeof *d.tau);
    d.upsilon = elv_arena_take(arena, nv, sizeof *d.upsilon);
    d.effort = elv_arena_take(arena, nv, sizeof *d.effort);
    d.v = elv_arena_take(arena, nv, sizeof *d.v);
    d.a = elv_arena_take(arena, nv, sizeof *d.a);
    d.free_index = elv_arena_take(arena, nv, sizeof *d.free_index);
    solve_layout(model, arena, &d);
    border_layout(model, arena, &d);
    for (int i = 0; i < model->n_node; i++) {
        tangent_layout(model->node[i].joint, arena, &d, i);
    }
    for (int i = 0; i < model->n_node; i++) {
        const ElvJoint* joint = model->node[i].joint;
        elv_arena_next(arena);
        void* work = joint->ops->layout(joint, arena);
        if (d.work) {
            d.work[i] = work;
        }
    }
    device_layout(model, arena, &d);
    if (data) {
        *data = d;
    }
    return data;
}

// the bytes of what lasts, and of what joints share
static ElvArena measure(const ElvModel* model) {
    ElvArena arena = {.is_shared = true};
    data_layout(model, &arena);
    return arena;
}

size_t elv_data_memsize(const ElvModel* model) {
    ElvArena measured = measure(model);
    return measured.size + measured.most_scratch;
}

ElvStatus elv_data_create(const ElvModel* model, ElvData** data, ElvError* error) {
    ElvArena measured = measure(model);
    size_t size = measured.size + measured.most_scratch;
    ElvArena arena = {.base = aligned_alloc(ELV_ARENA_ALIGN, size), .is_shared = true};
    *data = NULL;
    if (!arena.base) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    arena.scratch = arena.base + measured.size;
    *data = data_layout(model, &arena);
    return ELV_OK;
}

void elv_data_free(ElvData* data) {
    // the struct is the first thing in its block
    free(data);
}
