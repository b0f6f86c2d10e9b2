// SPDX-License-Identifier: Apache-2.0
// Powers by account. On a motion M a + c - Q_ext = Upsilon + efforts of what is imposed, so that with R the residual of
// the dynamics
//     d/dt (kinetic + elastic + gravity) = v^T R + drives, channels, stresses + devices + loads - dissipated - fluid.
// v^T R is what imposed motions take, of joints and strains; R vanishes on what is free. With constraints reactions
// may be known or not: their power on the bodies and v^T R share what the constraints put in, and the sum of both
// does not depend on them. What a device puts in, less what its springs take up and its dampers lose, acts.
#include "multibody/device.h"

#include <string.h>

// v^T R: of what is imposed, or of all where reactions may be missing
static double residual_power(const ElvModel* model, ElvData* data, const ElvState* state) {
    double sum = 0.0;
    elv_residual(model, data, state, data->tau);
    for (int i = 0; i < model->nv; i++) {
        if (model->is_constrained || model->is_driven[i]) {
            sum += data->tau[i] * state->v[i];
        }
    }
    return sum;
}

// wrenches and efforts of devices on what moves
static double device_power(const ElvModel* model, ElvData* data, const ElvState* state) {
    double sum = 0.0;
    for (int p = 0; p < model->n_port; p++) {
        data->W[p] = elv_wrench_zero();
    }
    elv_device_load(model, data, state);
    for (int p = 0; p < model->n_port; p++) {
        sum -= elv_power(data->port[p].V, data->W[p]);
    }
    memset(data->upsilon, 0, (size_t)model->nv * sizeof *data->upsilon);
    elv_device_effort(model, data, state, data->upsilon);
    for (int i = 0; i < model->nv; i++) {
        sum += data->upsilon[i] * state->v[i];
    }
    return sum;
}

static double point_power(const ElvModel* model, const ElvData* data, double t) {
    double sum = 0.0;
    for (int i = 0; i < model->n_point; i++) {
        const ElvPointLoad* load = &model->point[i];
        if (elv_law_value(load->when, t, 0.0) != 0.0) {
            const ElvMotion* motion = &data->port[load->frame.port];
            sum += data->load * elv_power(motion->V, elv_point_wrench(load, motion, t));
        }
    }
    return sum;
}

ElvPowers elv_powers(const ElvModel* model, ElvData* data, const ElvState* state) {
    ElvPowers powers = {0.0, 0.0, 0.0, 0.0};
    // methods without modes know what they give to the fluid
    if (data->source) {
        powers.fluid = elv_power_to_fluid(model, data, state);
        return powers;
    }
    model = data->stand_in ? data->stand_in : model;
    powers.actuators = residual_power(model, data, state);
    powers.loads = point_power(model, data, state->t);
    powers.fluid = elv_power_to_fluid(model, data, state);

    ElvJointPower sum = {0.0, 0.0, 0.0};
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        ElvJointInput in = elv_joint_input(model, data, node, state);
        node->joint->ops->power(node->joint, data->work[j], &in, &sum);
    }

    ElvScene scene = {model, data, state, NULL};
    double stored = 0.0;
    double lost = 0.0;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->loss) {
            device->ops->loss(device, &scene, &lost, &stored);
        }
    }
    powers.actuators += sum.actuators + device_power(model, data, state) + stored + lost;
    powers.loads += sum.loads;
    powers.dissipated = sum.dissipated + lost;
    return powers;
}

double elv_work_error(const ElvModel* model, ElvData* data, const ElvState* state) {
    const ElvWork* work = &state->work;
    if (!work->is_kept) {
        return 0.0;
    }
    ElvEnergy energy = elv_energy(data->stand_in ? data->stand_in : model, data, state);
    double change = energy.kinetic + energy.elastic + energy.gravity - work->stored;
    return change - (work->actuators + work->loads - work->dissipated - work->fluid);
}
