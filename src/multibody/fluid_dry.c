// SPDX-License-Identifier: Apache-2.0
// Added inertia above the surface: M_a and what a current or elongated body theory makes of it act
// as under water everywhere (docs/theory/water.md), which is wrong for what is in the air.
#include "multibody/fluid_dry.h"

#include "multibody/data.h"
#include "rod/fluid.h"
#include "rod/fluid_wet.h"

#include <math.h>
#include <string.h>

static bool has_added(const ElvFluidShape* shape) {
    double sum = 0.0;
    for (int i = 0; i < 9; i++) {
        sum += fabs(shape->added.M.m[i / 3][i % 3]) + fabs(shape->added.J.m[i / 3][i % 3]);
    }
    return sum > 0.0;
}

// whether a section or body is above the surface; what has no size is where its centre is
static bool is_dry(const ElvFluidShape* shape, const ElvFluidNow* now, const ElvPose* g) {
    ElvVec3 x = elv_vec3_add(now->origin, elv_pose_apply(*g, shape->center));
    if (!(shape->radius > 0.0)) {
        return elv_vec3_dot(now->fluid->up, x) > now->fluid->surface;
    }
    return elv_fluid_wet(shape, now, g).share <= 0.0;
}

// the share of a rod's length
static double dry_share(const ElvRod* rod, const ElvRodWork* work, const ElvFluidNow* now) {
    double dry = 0.0;
    double length = 0.0;
    for (int i = 0; i < rod->n_node; i++) {
        double weight = has_added(&rod->fluid[i]) ? rod->weight[i] : 0.0;
        length += weight;
        dry += is_dry(&rod->fluid[i], now, &work->g[i]) ? weight : 0.0;
    }
    // sums in the same order: a rod that is wholly dry has exactly 1
    return length > 0.0 ? dry / length : 0.0;
}

ElvFluidDry elv_fluid_dry(const ElvModel* model, ElvData* data, const ElvState* state) {
    ElvFluidDry found;
    memset(&found, 0, sizeof found);
    if (!model->fluid || !model->fluid->has_surface || data->source) {
        return found;
    }
    elv_idm_forward_pass(model, data, state);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        const ElvFluidShape* body = model->port[node->i_port].fluid;
        const ElvRod* rod = node->info.is_rod ? (const ElvRod*)node->joint : NULL;
        double share = 0.0;
        if (rod && rod->fluid) {
            share = dry_share(rod, (const ElvRodWork*)data->work[j], &data->fluid);
        } else if (!rod && body && has_added(body)) {
            share = is_dry(body, &data->fluid, &data->port[node->i_port].g) ? 1.0 : 0.0;
        }
        bool is_slender = rod && rod->is_slender;
        bool is_worse = share > found.share || (share == found.share && is_slender);
        if (share > 0.0 && is_worse) {
            found.name = node->name;
            found.is_rod = rod != NULL;
            found.is_slender = is_slender;
            found.share = share;
        }
    }
    return found;
}

bool elv_fluid_may_dry(const ElvModel* model) {
    bool has_slender = false;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        has_slender |= node->info.is_rod && ((const ElvRod*)node->joint)->is_slender;
    }
    return has_slender && model->fluid && model->fluid->has_surface;
}

ElvStatus
elv_fluid_check_dry(const ElvModel* model, ElvData* data, const ElvState* state, ElvError* error) {
    ElvFluidDry dry = elv_fluid_dry(model, data, state);
    if (dry.is_slender && dry.share >= 1.0) {
        return elv_error_set(error, ELV_ERROR_INPUT, dry.name, "fluid.lighthill",
                             "rod '%s' is above the water, whose surface is at %g m, and "
                             "elongated body theory moves what is in water: put it below, or take "
                             "'lighthill' and 'added_mass' away",
                             dry.name, model->fluid->surface);
    }
    return ELV_OK;
}
