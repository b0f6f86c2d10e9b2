// SPDX-License-Identifier: Apache-2.0
// Energies and momenta: sums over bodies and rods in the one frame, moved to the world's origin.
#include "multibody/device.h"
#include "multibody/field_source.h"
#include "multibody/slender.h"
#include "rod/fluid_surface.h"

#include <string.h>

static void
measure_body(const ElvPort* port, const ElvMotion* motion, ElvVec3 gravity, ElvMeasure* sum) {
    ElvTwist eta = elv_twist_transform_inv(motion->g, motion->V);
    ElvWrench momentum = elv_inertia_apply(port->inertia, eta);
    ElvVec3 moment = elv_vec3_add(elv_vec3_scale(port->mass, motion->g.p),
                                  elv_mat3_apply(motion->g.R, port->moment));
    sum->kinetic += 0.5 * elv_power(eta, momentum);
    sum->gravity -= elv_vec3_dot(moment, gravity);
    sum->momentum = elv_wrench_add(sum->momentum, elv_wrench_transform(motion->g, momentum));
    sum->mass += port->mass;
    sum->moment = elv_vec3_add(sum->moment, moment);
}

// the potential of buoyancy, and what a body gives to the fluid
static void measure_fluid(const ElvPort* port,
                          const ElvMotion* motion,
                          const ElvFluidNow* now,
                          ElvMeasure* sum) {
    ElvTwist eta = elv_twist_transform_inv(motion->g, motion->V);
    if (port->fluid) {
        sum->gravity += elv_fluid_potential(port->fluid, now, &motion->g);
        sum->fluid += elv_fluid_power(port->fluid, now, &motion->g, eta);
    } else if (port->is_resisted) {
        sum->fluid += elv_power(eta, elv_inertia_apply(port->resistance, eta));
    }
}

static ElvMeasure measure(const ElvModel* model, ElvData* data, const ElvState* state) {
    ElvMeasure sum;
    memset(&sum, 0, sizeof sum);
    const ElvFieldSource* source = data->source;
    if (!source) {
        elv_idm_forward_pass(model, data, state);
    }
    for (int p = 0; p < model->n_port; p++) {
        if (model->port[p].is_massive) {
            measure_body(&model->port[p], &data->port[p], model->gravity, &sum);
        }
        measure_fluid(&model->port[p], &data->port[p], &data->fluid, &sum);
    }
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        if (source && node->info.is_rod) {
            source->measure(source->owner, j, data->origin, &sum);
            continue;
        }
        ElvJointInput in = elv_joint_input(model, data, node, state);
        node->joint->ops->measure(node->joint, data->work[j], &in, &sum);
    }
    sum.fluid -= elv_slender_power(model, data);
    ElvScene scene = {model, data, state, NULL};
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        sum.elastic += device->ops->energy ? device->ops->energy(device, &scene) : 0.0;
    }
    return sum;
}

ElvEnergy elv_energy(const ElvModel* model, ElvData* data, const ElvState* state) {
    ElvMeasure sum = measure(model, data, state);
    ElvEnergy energy;
    energy.kinetic = sum.kinetic;
    energy.elastic = sum.elastic;
    energy.gravity = sum.gravity - sum.mass * elv_vec3_dot(data->origin, model->gravity);
    return energy;
}

double elv_power_to_fluid(const ElvModel* model, ElvData* data, const ElvState* state) {
    return measure(model, data, state).fluid;
}

ElvMomentum elv_momentum(const ElvModel* model, ElvData* data, const ElvState* state) {
    ElvMeasure sum = measure(model, data, state);
    ElvMomentum momentum;
    momentum.linear = sum.momentum.frc;
    momentum.angular =
        elv_vec3_add(sum.momentum.mom, elv_vec3_cross(data->origin, sum.momentum.frc));
    momentum.mass = sum.mass;
    momentum.center = data->origin;
    if (sum.mass > 0.0) {
        momentum.center = elv_vec3_add_scaled(data->origin, 1.0 / sum.mass, sum.moment);
    }
    return momentum;
}
