// SPDX-License-Identifier: Apache-2.0
// Universal joint: q = two angles, about the unit axis n, fixed in the base frame, then about n2,
// fixed in the moving frame.
//   pose        R = exp(q_1 n) exp(q_2 n2), p = 0
//   twist       s v, s_1 = (n_m; 0), s_2 = (n2; 0), n_m = exp(-q_2 n2) n: the first axis as seen
//               from the moving frame; n_m_dot = v_2 n_m x n2
//   projection  tau = (n_m . moment, n2 . moment)
#include "joint/joint_types.h"

static ElvPose pose(const ElvLumped* joint, const double* q) {
    ElvMat3 R1 = elv_so3_exp(elv_vec3_scale(q[0], joint->axis));
    ElvMat3 R2 = elv_so3_exp(elv_vec3_scale(q[1], joint->axis2));
    return elv_pose(elv_mat3_mul(R1, R2), elv_vec3(0.0, 0.0, 0.0));
}

// the first axis in the moving frame
static ElvVec3 moving_axis(const ElvLumped* joint, const double* q) {
    return elv_mat3_apply(elv_so3_exp(elv_vec3_scale(-q[1], joint->axis2)), joint->axis);
}

static void screws(const ElvLumped* joint, const double* q, ElvTwist* s) {
    s[0] = elv_twist(moving_axis(joint, q), elv_vec3(0.0, 0.0, 0.0));
    s[1] = elv_twist(joint->axis2, elv_vec3(0.0, 0.0, 0.0));
}

static ElvTwist bias(const ElvLumped* joint, const double* q, const double* v) {
    ElvVec3 turn = elv_vec3_cross(moving_axis(joint, q), joint->axis2);
    return elv_twist(elv_vec3_scale(v[0] * v[1], turn), elv_vec3(0.0, 0.0, 0.0));
}

const ElvLumpedType elv_joint_universal = {
    .n_q = 2,
    .n_v = 2,
    .n_law_motion = 2,
    .pose = pose,
    .screws = screws,
    .bias = bias,
};
