// SPDX-License-Identifier: Apache-2.0
// The fluid of a model and what its elements feel of it, for listings and warnings.
#include "elver/dynamics.h"
#include "multibody/data.h"
#include "rod/fluid.h"
#include "rod/fluid_hull.h"

#include <string.h>

ElvFluidInfo elv_model_fluid(const ElvModel* model, double t) {
    const ElvFluid* fluid = model->fluid;
    ElvFluidInfo info;
    memset(&info, 0, sizeof info);
    if (!fluid) {
        return info;
    }
    ElvFluidNow now = elv_fluid_now(fluid, t, 1.0, false, elv_vec3(0.0, 0.0, 0.0));
    info.density = fluid->density;
    info.current = elv_fluid_current(&now, elv_vec3(0.0, 0.0, 0.0)).velocity;
    info.is_field = fluid->is_field;
    info.has_surface = fluid->has_surface;
    info.surface = fluid->surface;
    return info;
}

static void add_shape(const ElvFluidShape* shape, double weight, double rho, ElvFluidFelt* felt) {
    bool is_dragged = shape->normal[0] != 0.0 || shape->normal[1] != 0.0 ||
                      shape->tangential != 0.0 || elv_vec3_norm(shape->area) > 0.0 ||
                      elv_vec3_norm(shape->spin) > 0.0;
    felt->has_drag |= is_dragged;
    felt->has_lift |= shape->lift != 0.0 || elv_vec3_norm(shape->fin) > 0.0;
    felt->is_resisted |= shape->is_resisted;
    felt->displaced += weight * rho * shape->volume;
    felt->added = elv_vec3_add_scaled(
        felt->added, weight,
        elv_vec3(shape->added.M.m[0][0], shape->added.M.m[1][1], shape->added.M.m[2][2]));
}

ElvFluidFelt elv_model_fluid_felt(const ElvModel* model, int i_node) {
    const ElvNode* node = &model->node[i_node];
    const ElvRod* rod = node->info.is_rod ? (const ElvRod*)node->joint : NULL;
    const ElvFluidShape* body = model->port[node->i_port].fluid;
    ElvFluidFelt felt;
    memset(&felt, 0, sizeof felt);
    if (!model->fluid) {
        return felt;
    }
    for (int i = 0; rod && rod->fluid && i < rod->n_node; i++) {
        add_shape(&rod->fluid[i], rod->weight[i], model->fluid->density, &felt);
    }
    if (!rod && body) {
        add_shape(body, 1.0, model->fluid->density, &felt);
    }
    felt.is_slender = rod && rod->is_slender;
    felt.is_buoyant = felt.displaced > 0.0;
    felt.is_felt = rod ? rod->fluid != NULL : body != NULL;
    return felt;
}

const char* elv_fluid_rough_float(const ElvModel* model, const ElvState* state) {
    const ElvFluid* fluid = model->fluid;
    const char* found = NULL;
    ElvData* data = NULL;
    if (!fluid || !fluid->has_surface || elv_data_create(model, &data, NULL) != ELV_OK) {
        return NULL;
    }
    elv_idm_forward_pass(model, data, state);
    for (int j = 0; j < model->n_node && !found; j++) {
        const ElvNode* node = &model->node[j];
        const ElvFluidShape* shape = model->port[node->i_port].fluid;
        bool is_exact =
            shape && (shape->hull == ELV_SHAPE_SPHERE || elv_hull_is_clipped(shape->hull));
        if (!shape || is_exact || shape->volume == 0.0) {
            continue;
        }
        ElvVec3 x = elv_pose_apply(data->port[node->i_port].g, shape->center);
        double height = elv_vec3_dot(fluid->up, elv_vec3_add(data->origin, x)) - fluid->surface;
        found = height < shape->radius && height > -shape->radius ? node->name : NULL;
    }
    elv_data_free(data);
    return found;
}
