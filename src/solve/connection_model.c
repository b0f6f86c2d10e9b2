// SPDX-License-Identifier: Apache-2.0
// Companions of a model for motions of first order (connection.h): the same tree, coordinates and
// devices, another inertia. Joints and rods are copied with it; all else is shared.
#include "solve/connection_model.h"

#include "joint/lumped.h"
#include "rod/fluid_load.h"
#include "rod/rod.h"

// what a fluid acts on, without added inertia; NULL where there is none, and without memory
static const ElvFluidShape* copy_shapes(const ElvFluidShape* shape, int n, ElvPool* pool) {
    ElvFluidShape* copy = shape ? elv_pool_copy(pool, shape, (size_t)n, sizeof *shape) : NULL;
    for (int i = 0; i < n && copy; i++) {
        copy[i].added = elv_inertia_zero();
    }
    return copy;
}

static const ElvJoint* copy_rod(const ElvRod* rod, bool is_metric, ElvPool* pool) {
    ElvRod* copy = elv_pool_copy(pool, rod, 1, sizeof *rod);
    ElvInertia* inertia = elv_pool_take(pool, (size_t)rod->n_node, sizeof *inertia);
    if (!copy || !inertia) {
        return NULL;
    }
    for (int i = 0; i < rod->n_node; i++) {
        inertia[i] = is_metric && rod->resistance ? *rod->resistance : elv_inertia_zero();
    }
    copy->inertia = inertia;
    copy->keeps_volume = false;
    // without inertia there is no wake
    copy->is_slender = false;
    copy->added_end[0] = copy->added_end[1] = elv_inertia_zero();
    copy->fluid = copy_shapes(rod->fluid, rod->n_node, pool);
    return rod->fluid && !copy->fluid ? NULL : &copy->joint;
}

static const ElvJoint* copy_lumped(const ElvLumped* lumped, bool is_metric, ElvPool* pool) {
    ElvLumped* copy = elv_pool_copy(pool, lumped, 1, sizeof *lumped);
    for (int k = 0; k < 6 && copy; k++) {
        copy->rotor_inertia[k] = is_metric ? lumped->damping[k] : 0.0;
    }
    return copy ? &copy->joint : NULL;
}

const ElvModel* elv_connection_model(const ElvModel* model, bool is_metric, ElvPool* pool) {
    ElvModel* copy = elv_pool_copy(pool, model, 1, sizeof *model);
    ElvNode* node = elv_pool_copy(pool, model->node, (size_t)model->n_node, sizeof *node);
    ElvPort* port = elv_pool_copy(pool, model->port, (size_t)model->n_port, sizeof *port);
    if (!copy || !node || !port) {
        return NULL;
    }
    for (int j = 0; j < model->n_node; j++) {
        const ElvJoint* joint = model->node[j].joint;
        node[j].joint = model->node[j].info.is_rod
                            ? copy_rod((const ElvRod*)joint, is_metric, pool)
                            : copy_lumped((const ElvLumped*)joint, is_metric, pool);
        if (!node[j].joint) {
            return NULL;
        }
    }
    for (int p = 0; p < model->n_port; p++) {
        port[p].inertia = is_metric ? model->port[p].resistance : elv_inertia_zero();
        port[p].is_massive = is_metric ? port[p].is_resisted : port[p].is_massive;
        port[p].fluid = copy_shapes(model->port[p].fluid, 1, pool);
        if (model->port[p].fluid && !port[p].fluid) {
            return NULL;
        }
    }
    copy->node = node;
    copy->port = port;
    return copy;
}

void elv_connection_damping(const ElvModel* model, double* G) {
    size_t nv = (size_t)model->nv;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        size_t n = (size_t)node->joint->n_v, i_v = (size_t)node->i_v;
        const double* D = node->info.is_rod ? ((const ElvRod*)node->joint)->D : NULL;
        for (size_t i = 0; i < n * n && D; i++) {
            G[(i_v + i / n) * nv + i_v + i % n] += D[i];
        }
    }
}
