// SPDX-License-Identifier: Apache-2.0
// Free joint: q = quaternion (w, x, y, z), then position p in the base frame; v is the twist
// (Omega; V) of the moving frame, in its own axes.
//   pose        R = R(q), p
//   twist       s v, s = 1 in the moving frame, constant; q_dot = (1/2 quat (0, Omega), R V)
//   projection  tau = (moment; force) in the moving frame
// An imposed motion is given by roll, pitch, yaw, x, y, z: V = R^T p_dot and
// V_dot = R^T p_ddot - Omega x V.
#include "joint/joint_types.h"

#include "joint/rotation_spring.h"
#include "joint/rpy_motion.h"

static ElvQuat quat(const double* q) {
    return elv_quat(q[0], q[1], q[2], q[3]);
}

static ElvPose pose(const ElvLumped* joint, const double* q) {
    (void)joint;
    return elv_pose(elv_quat_to_matrix(quat(q)), elv_vec3(q[4], q[5], q[6]));
}

static void screws(const ElvLumped* joint, const double* q, ElvTwist* s) {
    (void)joint;
    (void)q;
    for (int k = 0; k < 6; k++) {
        double unit[6] = {0.0};
        unit[k] = 1.0;
        s[k] = elv_twist_from_array(unit);
    }
}

static double spring(const ElvLumped* joint, const double* q, double* effort) {
    double energy = elv_rotation_spring(joint->stiffness, quat(q), effort);

    // position: U = 1/2 sum k_i p_i^2, force -R^T (k p) along V
    const double* k = joint->stiffness + 3;
    ElvVec3 pull = elv_vec3(k[0] * q[4], k[1] * q[5], k[2] * q[6]);
    ElvVec3 pull_body = elv_mat3_apply_transpose(elv_quat_to_matrix(quat(q)), pull);
    effort[3] -= pull_body.x;
    effort[4] -= pull_body.y;
    effort[5] -= pull_body.z;
    return energy + 0.5 * elv_vec3_dot(pull, elv_vec3(q[4], q[5], q[6]));
}

static void spring_tangent(const ElvLumped* joint, const double* q, double* K) {
    elv_rotation_spring_tangent(joint->stiffness, quat(q), 6, K);
    // d(R^T k p) = R^T k R d_lin + (R^T k p) x d_ang
    const double* k = joint->stiffness + 3;
    ElvMat3 R = elv_quat_to_matrix(quat(q));
    ElvMat3 k_R = elv_mat3_mul(elv_mat3_diag(k[0], k[1], k[2]), R);
    ElvMat3 lin = elv_mat3_mul(elv_mat3_transpose(R), k_R);
    ElvVec3 pull = elv_mat3_apply_transpose(k_R, elv_vec3(q[4], q[5], q[6]));
    ElvMat3 ang = elv_mat3_hat(pull);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            K[6 * (i + 3) + j] += ang.m[i][j];
            K[6 * (i + 3) + j + 3] += lin.m[i][j];
        }
    }
}

static void rate(const double* q, const double* v, double* q_dot) {
    ElvQuat d = elv_quat_rate(quat(q), elv_vec3(v[0], v[1], v[2]));
    ElvVec3 p_dot = elv_mat3_apply(elv_quat_to_matrix(quat(q)), elv_vec3(v[3], v[4], v[5]));
    q_dot[0] = d.w;
    q_dot[1] = d.x;
    q_dot[2] = d.y;
    q_dot[3] = d.z;
    q_dot[4] = p_dot.x;
    q_dot[5] = p_dot.y;
    q_dot[6] = p_dot.z;
}

static void impose(const ElvJet* law, double* q, double* v, double* a) {
    ElvRpyMotion motion = elv_rpy_motion(law);
    q[0] = motion.quat.w;
    q[1] = motion.quat.x;
    q[2] = motion.quat.y;
    q[3] = motion.quat.z;
    q[4] = law[3].v;
    q[5] = law[4].v;
    q[6] = law[5].v;

    // velocity and acceleration of the origin, in the moving axes
    ElvMat3 R = elv_quat_to_matrix(motion.quat);
    ElvVec3 p_dot = elv_vec3(law[3].d, law[4].d, law[5].d);
    ElvVec3 p_ddot = elv_vec3(law[3].dd, law[4].dd, law[5].dd);
    ElvVec3 V = elv_mat3_apply_transpose(R, p_dot);
    ElvVec3 V_dot =
        elv_vec3_sub(elv_mat3_apply_transpose(R, p_ddot), elv_vec3_cross(motion.omega, V));
    elv_twist_to_array(elv_twist(motion.omega, V), v);
    elv_twist_to_array(elv_twist(motion.omega_dot, V_dot), a);
}

const ElvLumpedType elv_joint_free = {
    .n_q = 7,
    .n_v = 6,
    .n_law_motion = 6,
    .pose = pose,
    .screws = screws,
    .spring = spring,
    .spring_tangent = spring_tangent,
    .rate = rate,
    .impose = impose,
};
