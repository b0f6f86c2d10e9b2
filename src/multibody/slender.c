// SPDX-License-Identifier: Apache-2.0
// Wrenches of elongated body theory at the ends of slender rods, in the one frame       [OCP (91)].
// All three tasks walk the same ends: the tip of each slender rod, and its root where another one
// goes before it.
#include "multibody/slender.h"

#include "joint/variation.h"
#include "rod/rod.h"

/// An end of a slender rod, and where the walk over them is.
typedef struct {
    int i_node, side;
    int port;
    double sign; // of Phi on it
    const ElvInertia* added;
} End;

static const End BEFORE_FIRST = {.i_node = -1, .side = 1};

// whether Phi acts on the root (side 0) or tip (side 1) of a node
static bool has_flux(const ElvNode* node, int side) {
    return node->info.is_rod && ((const ElvRod*)node->joint)->is_slender &&
           (side == 1 || node->follows_slender);
}

// go to the next end; false: there is none
static bool next_end(const ElvModel* model, End* end) {
    do {
        end->i_node += end->side;
        end->side = 1 - end->side;
    } while (end->i_node < model->n_node && !has_flux(&model->node[end->i_node], end->side));
    if (!model->fluid || end->i_node >= model->n_node) {
        return false;
    }
    const ElvNode* node = &model->node[end->i_node];
    end->port = node->i_port + (end->side == 0 ? 0 : node->joint->n_port - 1);
    end->sign = end->side == 0 ? -1.0 : 1.0;
    end->added = &((const ElvRod*)node->joint)->added_end[end->side];
    return true;
}

// Phi there, in section axes, with its derivatives unless NULL
static ElvWrench
flux_at(const ElvData* data, const End* end, ElvTwist* eta, ElvMat6* by_pose, ElvMat6* by_eta) {
    const ElvMotion* at = &data->port[end->port];
    *eta = elv_twist_transform_inv(at->g, at->V);
    return elv_fluid_flux(end->added, &data->fluid, &at->g, *eta, by_pose, by_eta);
}

void elv_slender_load(const ElvModel* model, ElvData* data) {
    ElvTwist eta;
    for (End end = BEFORE_FIRST; next_end(model, &end);) {
        ElvWrench flux = flux_at(data, &end, &eta, NULL, NULL);
        ElvWrench* W = &data->W[end.port];
        *W = elv_wrench_add_scaled(*W, -end.sign,
                                   elv_wrench_transform(data->port[end.port].g, flux));
    }
}

double elv_slender_power(const ElvModel* model, const ElvData* data) {
    ElvTwist eta;
    double power = 0.0;
    for (End end = BEFORE_FIRST; next_end(model, &end);) {
        ElvWrench flux = flux_at(data, &end, &eta, NULL, NULL);
        power += end.sign * elv_power(eta, flux);
    }
    return power;
}

void elv_slender_variation(const ElvModel* model, ElvData* data) {
    ElvTwist eta;
    for (End end = BEFORE_FIRST; next_end(model, &end);) {
        ElvMat6 by_pose, by_eta;
        ElvWrench flux = flux_at(data, &end, &eta, &by_pose, &by_eta);
        elv_variation_wrench(&data->port[end.port].g, &flux, &by_pose, &by_eta, -end.sign,
                             data->K + (size_t)end.port * 6 * ELV_N_VARIATION);
        data->has_K[end.port] = true;
    }
}
