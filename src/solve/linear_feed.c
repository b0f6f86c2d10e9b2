// SPDX-License-Identifier: Apache-2.0
// How inputs of a linear model enter the residual and the equations of devices: exact columns.
#include "joint/lumped.h"
#include "multibody/integral_control.h"
#include "multibody/tidm.h"
#include "solve/linear_model.h"

#include <string.h>

double elv_linear_gear(const ElvLinearizer* l, const ElvInput* input) {
    int j = 0;
    while (j + 1 < l->model->n_node && l->model->node[j + 1].i_v <= input->i) {
        j++;
    }
    const ElvNode* node = &l->model->node[j];
    return ((const ElvLumped*)node->joint)->gear[input->i - node->i_v];
}

// d_residual = -J^T F of a unit component of a point load
static ElvStatus
feed_load(ElvLinearizer* l, const ElvInput* input, double* residual, ElvError* error) {
    const ElvPointLoad* load = &l->model->point[input->i];
    size_t nv = (size_t)l->model->nv;
    double* J = elv_pool_take(&l->pool, 6 * nv, sizeof *J);
    if (!J) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    double value[6] = {0.0};
    value[input->k] = 1.0;
    ElvWrench wrench = elv_wrench_from_array(value);
    elv_kinematics(l->model, l->data, l->base);
    if (load->axes == ELV_AXES_WORLD) {
        ElvMat3 R = elv_frame_pose(l->model, l->data, load->frame).R;
        wrench.mom = elv_mat3_apply_transpose(R, wrench.mom);
        wrench.frc = elv_mat3_apply_transpose(R, wrench.frc);
    }
    elv_wrench_to_array(wrench, value);
    elv_frame_jacobian(l->model, l->data, l->base, load->frame, J);
    for (size_t i = 0; i < nv; i++) {
        for (size_t k = 0; k < 6; k++) {
            residual[i] -= J[k * nv + i] * value[k];
        }
    }
    return ELV_OK;
}

// kp and kd by the slope of the effort's limit; the integral sees the set point too
static void feed_target(ElvLinearizer* l, const ElvInput* input, double* residual, double* d_c) {
    const ElvModel* model = l->model;
    const ElvNode* node = &model->node[input->i];
    const ElvJointControl* control = &((const ElvLumped*)node->joint)->control;
    ElvJointInput in = elv_joint_input(model, l->data, node, l->base);
    bool is_rate = input->kind == ELV_INPUT_TARGET_RATE;
    double gain = is_rate ? control->kd[input->k] : in.load * control->kp[input->k];
    residual[node->i_v + input->k] -= gain * elv_joint_control_slope(control, &in, input->k);
    for (int i = 0; i < model->n_device && !is_rate; i++) {
        const ElvDevice* device = model->device[i];
        const ElvIntegralControl* integral = (const ElvIntegralControl*)device;
        if (device->ops == &ELV_INTEGRAL_CONTROL_OPS && integral->i_node == input->i &&
            integral->component == input->k) {
            d_c[device->i_z] = 1.0;
        }
    }
}

static void feed_command(ElvLinearizer* l, const ElvInput* input, double* residual, double* d_c) {
    ElvData* data = l->data;
    const ElvDevice* device = l->model->device[input->i];
    ElvScene scene = {l->model, data, l->base, NULL};
    memset(data->e, 0, (size_t)l->model->n_port * 6 * sizeof *data->e);
    memset(data->tau, 0, (size_t)l->model->nv * sizeof *data->tau);
    device->ops->commands->vary(device, &scene, input->k, data->tau, d_c + device->i_z);
    elv_tidm_project(l->model, data, data->tau, residual);
}

ElvStatus elv_linear_feed_one(
    ElvLinearizer* l, const ElvInput* input, double* residual, double* d_c, ElvError* error) {
    memset(residual, 0, (size_t)l->model->nv * sizeof *residual);
    memset(d_c, 0, (size_t)l->model->nz * sizeof *d_c);
    switch (input->kind) {
    case ELV_INPUT_EFFORT:
        residual[input->i] = -elv_linear_gear(l, input);
        return ELV_OK;
    case ELV_INPUT_LOAD:
        return feed_load(l, input, residual, error);
    case ELV_INPUT_TARGET:
    case ELV_INPUT_TARGET_RATE:
        feed_target(l, input, residual, d_c);
        return ELV_OK;
    case ELV_INPUT_COMMAND:
        feed_command(l, input, residual, d_c);
        return ELV_OK;
    }
    return ELV_OK;
}

ElvStatus elv_linear_feed(ElvLinearizer* l, ElvError* error) {
    size_t nv = (size_t)l->model->nv;
    size_t nz = (size_t)l->model->nz;
    size_t n_input = (size_t)l->form.n_input;
    double* residual = elv_pool_take(&l->pool, nv + nz, sizeof *residual);
    if (!residual) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    ElvStatus status = ELV_OK;
    for (size_t k = 0; k < n_input && status == ELV_OK; k++) {
        double* d_c = residual + nv;
        status = elv_linear_feed_one(l, &l->input[k], residual, d_c, error);
        for (size_t i = 0; i < nv; i++) {
            l->U[i * n_input + k] = residual[i];
        }
        for (size_t i = 0; i < nz; i++) {
            l->V[i * n_input + k] = d_c[i];
        }
    }
    if (status != ELV_OK) {
        return status;
    }
    elv_pull_back(l->model, l->data, l->form.n_input, l->U);
    // rows of the components that move, which come in order
    for (size_t i = 0; i < (size_t)l->matrices.n; i++) {
        memmove(l->U + i * n_input, l->U + (size_t)l->matrices.index[i] * n_input,
                n_input * sizeof *l->U);
    }
    elv_linear_border_feed(&l->matrices.border, l->matrices.n, l->form.n_input, l->U, l->V);
    return ELV_OK;
}
