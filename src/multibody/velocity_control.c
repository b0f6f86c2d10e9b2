// SPDX-License-Identifier: Apache-2.0
// Velocity controller of a frame [P23 (68)-(69)], in its own axes:
//     F = kp e + ki z,   z_dot = e,   e = (R^T Omega_d; R^T V_d) - eta.
// Variations, with Z the spatial variation of the pose: d_eta = Ad_g^-1 Z_dot, d(R^T u) = R^T (u x Z_angular).
#include "multibody/velocity_control.h"

#include "base/number_text.h"
#include "joint/variation.h"
#include "multibody/device_command.h"

#include <math.h>
#include <string.h>

static const ElvVelocityControl* as_control(const ElvDevice* device) {
    return (const ElvVelocityControl*)device;
}

static ElvPose control_pose(const ElvVelocityControl* control, const ElvData* data) {
    return elv_pose_compose(data->port[control->frame.port].g, control->frame.pose);
}

static ElvTwist target(const ElvVelocityControl* control, double t) {
    double value[6];
    for (int k = 0; k < 6; k++) {
        value[k] = elv_law_value(control->velocity[k], t, 0.0);
    }
    return elv_twist_from_array(value);
}

// (a_k x_k), a twist weighted to a wrench
static ElvWrench weigh(const double gain[6], ElvTwist e) {
    double value[6];
    elv_twist_to_array(e, value);
    for (int k = 0; k < 6; k++) {
        value[k] *= gain[k];
    }
    return elv_wrench_from_array(value);
}

void elv_velocity_control_measure(const ElvVelocityControl* control,
                                  const ElvScene* scene,
                                  ElvTwist* error,
                                  ElvWrench* wrench) {
    ElvPose g = control_pose(control, scene->data);
    ElvTwist wanted = target(control, scene->state->t);
    ElvTwist eta = elv_twist_transform_inv(g, scene->data->port[control->frame.port].V);
    *error = elv_twist_sub(elv_twist(elv_mat3_apply_transpose(g.R, wanted.ang),
                                     elv_mat3_apply_transpose(g.R, wanted.lin)),
                           eta);
    ElvTwist z = elv_twist_from_array(scene->state->z + control->device.i_z);
    *wrench = elv_wrench_add(weigh(control->kp, *error), weigh(control->ki, z));
}

static void load(const ElvDevice* device, const ElvScene* scene) {
    const ElvVelocityControl* control = as_control(device);
    ElvTwist error;
    ElvWrench F;
    elv_velocity_control_measure(control, scene, &error, &F);
    ElvWrench* W = &scene->data->W[control->frame.port];
    *W = elv_wrench_sub(*W, elv_wrench_transform(control_pose(control, scene->data), F));
}

static void equation(const ElvDevice* device, const ElvScene* scene, double* c, double* size) {
    const ElvVelocityControl* control = as_control(device);
    ElvTwist error;
    ElvWrench F;
    elv_velocity_control_measure(control, scene, &error, &F);
    elv_twist_to_array(error, c);
    double wanted[6];
    elv_twist_to_array(target(control, scene->state->t), wanted);
    for (int k = 0; k < 6; k++) {
        size[k] = fabs(wanted[k]) + fabs(c[k]);
    }
}

// d_e under x = (Z, Z_dot, Z_ddot)
static ElvTwist vary(const ElvVelocityControl* control, const ElvScene* scene, const double* x) {
    ElvPose g = control_pose(control, scene->data);
    ElvTwist wanted = target(control, scene->state->t);
    ElvVec3 Z = elv_vec3(x[0], x[1], x[2]);
    ElvTwist d_eta = elv_twist_transform_inv(g, elv_twist_from_array(x + 6));
    ElvTwist turned = elv_twist(elv_mat3_apply_transpose(g.R, elv_vec3_cross(wanted.ang, Z)),
                                elv_mat3_apply_transpose(g.R, elv_vec3_cross(wanted.lin, Z)));
    return elv_twist_sub(turned, d_eta);
}

// d(-W) = ad_Z^T W - Ad_g^-T kp d_e
static void variation(const ElvDevice* device, const ElvScene* scene) {
    const ElvVelocityControl* control = as_control(device);
    ElvData* data = scene->data;
    int p = control->frame.port;
    ElvPose g = control_pose(control, data);
    double* K = data->K + (size_t)p * 6 * ELV_N_VARIATION;
    ElvTwist error;
    ElvWrench F;
    elv_velocity_control_measure(control, scene, &error, &F);
    ElvWrench W = elv_wrench_transform(g, F);
    elv_variation_follower(&W, 1.0, K);
    for (int column = 0; column < 12; column++) {
        double x[ELV_N_VARIATION] = {0.0};
        double d_W[6];
        x[column] = 1.0;
        ElvWrench d_F = weigh(control->kp, vary(control, scene, x));
        elv_wrench_to_array(elv_wrench_transform(g, d_F), d_W);
        for (int i = 0; i < 6; i++) {
            K[i * ELV_N_VARIATION + column] -= d_W[i];
        }
    }
    data->has_K[p] = true;
}

static void column(const ElvDevice* device, const ElvScene* scene, int k, double* residual) {
    (void)residual;
    const ElvVelocityControl* control = as_control(device);
    double unit[6] = {0.0};
    double W[6];
    unit[k] = control->ki[k];
    ElvPose g = control_pose(control, scene->data);
    elv_wrench_to_array(elv_wrench_transform(g, elv_wrench_from_array(unit)), W);
    double* e = scene->data->e + (size_t)control->frame.port * 6;
    for (int i = 0; i < 6; i++) {
        e[i] -= W[i];
    }
}

static void row(const ElvDevice* device,
                const ElvScene* scene,
                const double* d_nu,
                const double* d_z,
                double* d_c) {
    (void)d_nu;
    (void)d_z;
    const ElvVelocityControl* control = as_control(device);
    const double* x = scene->data->x + (size_t)control->frame.port * ELV_N_VARIATION;
    elv_twist_to_array(vary(control, scene, x), d_c);
}

static ElvStatus check(const ElvDevice* device, double t, ElvError* error) {
    char when[ELV_NUMBER_TEXT];
    double wanted[6];
    elv_twist_to_array(target(as_control(device), t), wanted);
    for (int k = 0; k < 6; k++) {
        if (!isfinite(wanted[k])) {
            return elv_error_set(error, ELV_ERROR_NUMERIC, device->name,
                                 k < 3 ? "angular" : "linear",
                                 "the velocity that '%s' is to keep is not a number %s",
                                 device->name, elv_time_text(t, when));
        }
    }
    return ELV_OK;
}

static const char* const label_twist[] = {"angular.x", "angular.y", "angular.z",
                                          "linear.x",  "linear.y",  "linear.z"};
static const char* const label_wrench[] = {"moment.x", "moment.y", "moment.z",
                                           "force.x",  "force.y",  "force.z"};
static const char* const unit_error[] = {"rad/s", "rad/s", "rad/s", "m/s", "m/s", "m/s"};
static const char* const unit_integral[] = {"rad", "rad", "rad", "m", "m", "m"};
static const char* const unit_wrench[] = {"N m", "N m", "N m", "N", "N", "N"};

static const ElvDeviceQuantity quantities[] = {
    {"error", 6, label_twist, unit_error},
    {"integral", 6, label_twist, unit_integral},
    {"wrench", 6, label_wrench, unit_wrench},
};

static void measure(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    ElvTwist e;
    ElvWrench F;
    elv_velocity_control_measure(as_control(device), scene, &e, &F);
    if (i == 0) {
        elv_twist_to_array(e, value);
    } else if (i == 1) {
        memcpy(value, scene->state->z + device->i_z, 6 * sizeof *value);
    } else {
        elv_wrench_to_array(F, value);
    }
}

const ElvDeviceOps ELV_VELOCITY_CONTROL_OPS = {
    .kind = "control",
    .quantity = quantities,
    .n_quantity = 3,
    .measure = measure,
    .load = load,
    .equation = equation,
    .variation = variation,
    .column = column,
    .row = row,
    .check = check,
    .commands = &ELV_VELOCITY_COMMANDS,
};
