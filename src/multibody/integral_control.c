// SPDX-License-Identifier: Apache-2.0
// Integrals of controllers as devices: c = q_d(t) - q with q the value of the channel, and u = z. The
// joint knows what z does to its effort: ki times the slope of the effort's limit.
#include "multibody/integral_control.h"

#include "base/number_text.h"

#include <math.h>

static const ElvIntegralControl* as_control(const ElvDevice* device) {
    return (const ElvIntegralControl*)device;
}

static const ElvChannel* channel_of(const ElvIntegralControl* control, const ElvScene* scene) {
    return &scene->data->channel[control->i_channel];
}

static void input(const ElvDevice* device, const ElvScene* scene) {
    scene->data->u[as_control(device)->i_channel] = scene->state->z[device->i_z];
}

static void equation(const ElvDevice* device, const ElvScene* scene, double* c, double* size) {
    const ElvIntegralControl* control = as_control(device);
    double wanted = elv_law_value(control->target, scene->state->t, 0.0);
    double value = channel_of(control, scene)->value;
    c[0] = wanted - value;
    size[0] = fabs(wanted) + fabs(value);
}

static void column(const ElvDevice* device, const ElvScene* scene, int k, double* residual) {
    (void)k;
    const ElvIntegralControl* control = as_control(device);
    const ElvNode* node = &scene->model->node[control->i_node];
    residual[node->i_v + control->component] -=
        channel_of(control, scene)->effort[control->component];
}

static void row(const ElvDevice* device,
                const ElvScene* scene,
                const double* d_nu,
                const double* d_z,
                double* d_c) {
    (void)d_z;
    const ElvIntegralControl* control = as_control(device);
    const ElvNode* node = &scene->model->node[control->i_node];
    // joints with scalar coordinates alone have channels: d_q = c d_nu
    d_c[0] = -scene->data->unknown[control->i_node].c * d_nu[node->i_v + control->component];
}

static ElvStatus check(const ElvDevice* device, double t, ElvError* error) {
    char when[ELV_NUMBER_TEXT];
    if (!isfinite(elv_law_value(as_control(device)->target, t, 0.0))) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, "joint.target",
                             "the target of joint '%s' is not a number %s", device->name,
                             elv_time_text(t, when));
    }
    return ELV_OK;
}

static const char* const unit_integral[] = {"-"};

static const ElvDeviceQuantity quantities[] = {
    {"value", 1, NULL, unit_integral},
};

static void measure(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    (void)i;
    value[0] = scene->state->z[device->i_z];
}

const ElvDeviceOps ELV_INTEGRAL_CONTROL_OPS = {
    .kind = "integral",
    .quantity = quantities,
    .n_quantity = 1,
    .measure = measure,
    .input = input,
    .equation = equation,
    .column = column,
    .row = row,
    .check = check,
};

int elv_integral_control_count(const ElvNode* node) {
    return node->joint->ops->integral ? node->joint->n_channel : 0;
}

void elv_integral_control_init(ElvIntegralControl* control,
                               const ElvModel* model,
                               int i_node,
                               int i) {
    const ElvNode* node = &model->node[i_node];
    *control = (ElvIntegralControl){0};
    control->device.ops = &ELV_INTEGRAL_CONTROL_OPS;
    control->device.name = node->name;
    control->device.n_z = 1;
    control->device.is_differential = true;
    control->i_node = i_node;
    control->i_channel = node->i_channel + i;
    control->target = node->joint->ops->integral(node->joint, i, &control->component);
}
