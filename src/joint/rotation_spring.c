// SPDX-License-Identifier: Apache-2.0
// U = 1/2 sum k_i Theta_i^2 with Theta = log R. Along a motion Theta_dot = T(Theta)^-1 Omega, so
// that U_dot = (k Theta) . T^-1 Omega and the moment dual to Omega is -T(Theta)^-T (k Theta).
#include "joint/rotation_spring.h"

double elv_rotation_spring(const double stiffness[3], ElvQuat q, double effort[3]) {
    // most joints have no such spring: spare them the logarithm
    if (stiffness[0] == 0.0 && stiffness[1] == 0.0 && stiffness[2] == 0.0) {
        return 0.0;
    }

    ElvVec3 theta = elv_quat_log(q);
    ElvVec3 pull = elv_vec3(stiffness[0] * theta.x, stiffness[1] * theta.y, stiffness[2] * theta.z);
    ElvVec3 moment = elv_mat3_apply_transpose(elv_so3_tangent_inv(theta), pull);
    effort[0] -= moment.x;
    effort[1] -= moment.y;
    effort[2] -= moment.z;
    return 0.5 * elv_vec3_dot(pull, theta);
}

void elv_rotation_spring_tangent(const double stiffness[3], ElvQuat q, int ld, double* K) {
    ElvVec3 theta = elv_quat_log(q);
    ElvVec3 pull = elv_vec3(stiffness[0] * theta.x, stiffness[1] * theta.y, stiffness[2] * theta.z);
    // the moment is T(Theta)^-T pull = T(-Theta)^-1 pull; d_Theta = T(Theta)^-1 u
    ElvMat3 T_inv = elv_so3_tangent_inv(theta);
    ElvMat3 turn = elv_so3_tangent_inv_diff(elv_vec3_scale(-1.0, theta), pull);
    ElvMat3 stretch = elv_mat3_mul(elv_mat3_transpose(T_inv),
                                   elv_mat3_diag(stiffness[0], stiffness[1], stiffness[2]));
    ElvMat3 tangent = elv_mat3_mul(elv_mat3_sub(stretch, turn), T_inv);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            K[i * ld + j] += tangent.m[i][j];
        }
    }
}
