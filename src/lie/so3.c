// SPDX-License-Identifier: Apache-2.0
// Rotations: exponential, logarithm, tangent maps, quaternions and roll-pitch-yaw angles.
//
// T(theta) = sum_k (-hat(theta))^k/(k + 1)!, from R = exp(theta) and R^T R_dot = hat(T theta_dot).
// The logarithm goes through the quaternion, which is well conditioned at a half turn.
// Coefficients and their threshold: lie/coefficients.h.
#include "elver/lie.h"

#include "lie/so3_map.h"

#include <math.h>

static double norm_squared(ElvVec3 a) {
    return elv_vec3_dot(a, a);
}

ElvMat3 elv_so3_exp(ElvVec3 theta) {
    double s = norm_squared(theta);
    return elv_so3_map(theta, elv_exp_coefficients(s, elv_tangent_coefficients(s, 0)));
}

ElvVec3 elv_so3_log(ElvMat3 R) {
    return elv_quat_log(elv_quat_from_matrix(R));
}

ElvMat3 elv_so3_tangent(ElvVec3 theta) {
    return elv_so3_map(theta, elv_tangent_coefficients(norm_squared(theta), 0));
}

ElvMat3 elv_so3_tangent_inv(ElvVec3 theta) {
    return elv_so3_map(theta, elv_tangent_inv_coefficients(norm_squared(theta), 0));
}

ElvMat3 elv_so3_tangent_dot(ElvVec3 theta, ElvVec3 theta_dot) {
    return elv_so3_map_dot(theta, elv_tangent_coefficients(norm_squared(theta), 1), theta_dot);
}

ElvMat3 elv_so3_tangent_inv_dot(ElvVec3 theta, ElvVec3 theta_dot) {
    return elv_so3_map_dot(theta, elv_tangent_inv_coefficients(norm_squared(theta), 1), theta_dot);
}

ElvMat3 elv_so3_tangent_diff(ElvVec3 theta, ElvVec3 a) {
    return elv_so3_map_diff(theta, elv_tangent_coefficients(norm_squared(theta), 1), a);
}

ElvMat3 elv_so3_tangent_inv_diff(ElvVec3 theta, ElvVec3 a) {
    return elv_so3_map_diff(theta, elv_tangent_inv_coefficients(norm_squared(theta), 1), a);
}

ElvQuat elv_quat_from_matrix(ElvMat3 R) {
    double trace = R.m[0][0] + R.m[1][1] + R.m[2][2];
    ElvQuat q;
    // divide by the largest component: 4 w^2 = 1 + trace, 4 x^2 = 1 + 2 R00 - trace, and so on
    if (trace >= R.m[0][0] && trace >= R.m[1][1] && trace >= R.m[2][2]) {
        q = elv_quat(1.0 + trace, R.m[2][1] - R.m[1][2], R.m[0][2] - R.m[2][0],
                     R.m[1][0] - R.m[0][1]);
    } else if (R.m[0][0] >= R.m[1][1] && R.m[0][0] >= R.m[2][2]) {
        q = elv_quat(R.m[2][1] - R.m[1][2], 1.0 + R.m[0][0] - R.m[1][1] - R.m[2][2],
                     R.m[0][1] + R.m[1][0], R.m[0][2] + R.m[2][0]);
    } else if (R.m[1][1] >= R.m[2][2]) {
        q = elv_quat(R.m[0][2] - R.m[2][0], R.m[0][1] + R.m[1][0],
                     1.0 + R.m[1][1] - R.m[0][0] - R.m[2][2], R.m[1][2] + R.m[2][1]);
    } else {
        q = elv_quat(R.m[1][0] - R.m[0][1], R.m[0][2] + R.m[2][0], R.m[1][2] + R.m[2][1],
                     1.0 + R.m[2][2] - R.m[0][0] - R.m[1][1]);
    }
    // of the two quaternions of a rotation, the one with w >= 0
    q = elv_quat_normalize(q);
    return q.w < 0.0 ? elv_quat(-q.w, -q.x, -q.y, -q.z) : q;
}

ElvQuat elv_quat_exp(ElvVec3 theta) {
    // with s = (x/2)^2: cos(x/2) = 1 - s a and sin(x/2)/(x/2) = 1 - s b of T
    double s = 0.25 * norm_squared(theta);
    ElvMapCoefficients c = elv_tangent_coefficients(s, 0);
    double half_sinc = 0.5 * (1.0 - s * c.b);
    return elv_quat(1.0 - s * c.a, half_sinc * theta.x, half_sinc * theta.y, half_sinc * theta.z);
}

ElvVec3 elv_quat_log(ElvQuat q) {
    // q and -q are one rotation: take the angle up to pi
    double sign = q.w < 0.0 ? -1.0 : 1.0;
    ElvVec3 v = elv_vec3(sign * q.x, sign * q.y, sign * q.z);
    double n = elv_vec3_norm(v);
    // angle over length: atan2 keeps full accuracy down to n = 0, where the limit is 2/w
    double scale = n > 0.0 ? 2.0 * atan2(n, sign * q.w) / n : 2.0 / (sign * q.w);
    return elv_vec3_scale(scale, v);
}

ElvMat3 elv_so3_from_rpy(double roll, double pitch, double yaw) {
    double cr = cos(roll), sr = sin(roll);
    double cp = cos(pitch), sp = sin(pitch);
    double cy = cos(yaw), sy = sin(yaw);
    ElvMat3 R;
    R.m[0][0] = cy * cp;
    R.m[0][1] = cy * sp * sr - sy * cr;
    R.m[0][2] = cy * sp * cr + sy * sr;
    R.m[1][0] = sy * cp;
    R.m[1][1] = sy * sp * sr + cy * cr;
    R.m[1][2] = sy * sp * cr - cy * sr;
    R.m[2][0] = -sp;
    R.m[2][1] = cp * sr;
    R.m[2][2] = cp * cr;
    return R;
}

ElvVec3 elv_so3_to_rpy(ElvMat3 R) {
    double yaw = atan2(R.m[1][0], R.m[0][0]);
    double cy = cos(yaw), sy = sin(yaw);
    // Rz(-yaw) R = Ry(pitch) Rx(roll): this holds for whatever yaw was found at pitch = +-pi/2
    double roll = atan2(sy * R.m[0][2] - cy * R.m[1][2], cy * R.m[1][1] - sy * R.m[0][1]);
    double pitch = atan2(-R.m[2][0], cy * R.m[0][0] + sy * R.m[1][0]);
    return elv_vec3(roll, pitch, yaw);
}
