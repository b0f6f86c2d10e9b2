// SPDX-License-Identifier: Apache-2.0
// Joint efforts by the projective recursion of [ALI (3.73)-(3.85)] (locomotion.h tells its limits).
//
// A wheeled body on the ground has twists eta = H eta_r, H the orthonormal kernel of V_z, Omega_x,
// Omega_y and the sideways velocities of its wheels, in its own axes; other bodies have H = 1.
// Wheels are fixed to their bodies, so that H is constant. From the leaves, with f the inertial
// less the external wrench of a body,
//     F_r = H^T (f + sum Ad^T H_j F_rj),     tau_j = (H_j^T A_j)^T F_rj.        [ALI (3.83)-(3.85)]
// H^T H = 1, so that Ad_r = H_j^T Ad H_i of [ALI (3.75)] appears as both of its factors.
#include "elver/locomotion.h"

#include "multibody/velocity_rows.h"
#include "multibody/wheel.h"

#include <math.h>
#include <string.h>

/// Rows of a body that are less than this beside the others are not new.
static const double NEW_ROW = 1e-9;

// whether a wheel holds a body sideways
static bool is_held_by(const ElvDevice* device, int port) {
    const ElvWheel* wheel = (const ElvWheel*)device;
    return elv_device_is_wheel(device) && wheel->frame.port == port && !wheel->is_omni;
}

// Directions of the rows of a body, orthonormal, in its own axes; returns how many
//                                                                               [ALI (3.37)-(3.38)]
static int list_rows(const ElvModel* model, int port, double (*direction)[6]) {
    static const double ground[3][6] = {{0.0, 0.0, 0.0, 0.0, 0.0, 1.0},
                                        {1.0, 0.0, 0.0, 0.0, 0.0, 0.0},
                                        {0.0, 1.0, 0.0, 0.0, 0.0, 0.0}};
    int n = 0;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (!is_held_by(device, port)) {
            continue;
        }
        for (int k = 0; k < 3 && n < 3; k++) {
            (void)elv_velocity_row_reduce(ground[k], direction, n++);
        }
        // n . (V + Omega x c) in the body's axes
        const ElvWheel* wheel = (const ElvWheel*)device;
        ElvVec3 side = elv_mat3_apply(wheel->frame.pose.R, wheel->side);
        ElvVec3 arm = elv_vec3_cross(wheel->frame.pose.p, side);
        const double row[6] = {arm.x, arm.y, arm.z, side.x, side.y, side.z};
        n += n < 6 && elv_velocity_row_reduce(row, direction, n) > NEW_ROW;
    }
    return n;
}

// H H^T: what the wheels of a body let through of a wrench, in its own axes
static ElvWrench project(const ElvModel* model, int port, ElvWrench F) {
    double direction[7][6];
    double f[6];
    int n = list_rows(model, port, direction);
    elv_wrench_to_array(F, f);
    for (int i = 0; i < n; i++) {
        double along = 0.0;
        for (int k = 0; k < 6; k++) {
            along += direction[i][k] * f[k];
        }
        for (int k = 0; k < 6; k++) {
            f[k] -= along * direction[i][k];
        }
    }
    return elv_wrench_from_array(f);
}

// without the forces of wheels, which the projection is to replace
static void release_wheels(const ElvModel* model, ElvData* data, const ElvState* state) {
    ElvScene scene = {model, data, state, NULL};
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (elv_device_is_wheel(device) && device->n_z > 0) {
            ElvWrench* W = &data->W[((const ElvWheel*)device)->frame.port];
            ElvWrench kept = *W;
            *W = elv_wrench_zero();
            device->ops->load(device, &scene);
            *W = elv_wrench_sub(kept, *W);
        }
    }
}

ElvStatus elv_locomotion_projective_torques(const ElvModel* model,
                                            ElvData* data,
                                            const ElvState* state,
                                            double* tau,
                                            ElvWrench* left,
                                            ElvError* error) {
    for (int j = 0; j < model->n_node; j++) {
        if (model->node[j].info.is_rod) {
            return elv_error_set(
                error, ELV_ERROR_INPUT, model->node[j].name, "",
                "the projective recursion is for trees of bodies, and '%s' is a rod",
                model->node[j].name);
        }
    }
    *left = elv_wrench_zero();
    elv_kinematics(model, data, state);
    elv_place_wrenches(model, data, state);
    release_wheels(model, data, state);
    elv_screw_pass(model, data);
    for (int j = model->n_node - 1; j >= 0; j--) {
        const ElvNode* node = &model->node[j];
        const ElvTwist* screw = data->screw + node->i_screw;
        ElvPose g = data->port[node->i_port].g;
        ElvWrench F = elv_wrench_transform_inv(g, data->W[node->i_port]);
        F = project(model, node->i_port, F);
        ElvWrench W = elv_wrench_transform(g, F);
        for (int k = 0; k < node->joint->n_v; k++) {
            tau[node->i_v + k] = elv_power(screw[k], W);
        }
        data->W[node->parent_port] = elv_wrench_add(data->W[node->parent_port], W);
        *left = j == 0 ? F : *left;
    }
    return ELV_OK;
}
