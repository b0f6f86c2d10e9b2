// SPDX-License-Identifier: Apache-2.0
// Spherical joint: q is a quaternion (w, x, y, z), v the angular velocity in the moving frame.
//   pose        R = R(q), p = 0
//   twist       s v, s_k = (e_k; 0) in the moving frame, constant; q_dot = 1/2 q (0, v)
//   projection  tau = moment
// An imposed motion is given by roll, pitch and yaw.
#include "joint/joint_types.h"

#include "joint/rotation_spring.h"
#include "joint/rpy_motion.h"

static ElvQuat quat(const double* q) {
    return elv_quat(q[0], q[1], q[2], q[3]);
}

static ElvPose pose(const ElvLumped* joint, const double* q) {
    (void)joint;
    return elv_pose(elv_quat_to_matrix(quat(q)), elv_vec3(0.0, 0.0, 0.0));
}

static void screws(const ElvLumped* joint, const double* q, ElvTwist* s) {
    (void)joint;
    (void)q;
    s[0] = elv_twist(elv_vec3(1.0, 0.0, 0.0), elv_vec3(0.0, 0.0, 0.0));
    s[1] = elv_twist(elv_vec3(0.0, 1.0, 0.0), elv_vec3(0.0, 0.0, 0.0));
    s[2] = elv_twist(elv_vec3(0.0, 0.0, 1.0), elv_vec3(0.0, 0.0, 0.0));
}

static double spring(const ElvLumped* joint, const double* q, double* effort) {
    return elv_rotation_spring(joint->stiffness, quat(q), effort);
}

static void spring_tangent(const ElvLumped* joint, const double* q, double* K) {
    elv_rotation_spring_tangent(joint->stiffness, elv_quat(q[0], q[1], q[2], q[3]), 3, K);
}

static void rate(const double* q, const double* v, double* q_dot) {
    ElvQuat d = elv_quat_rate(quat(q), elv_vec3(v[0], v[1], v[2]));
    q_dot[0] = d.w;
    q_dot[1] = d.x;
    q_dot[2] = d.y;
    q_dot[3] = d.z;
}

static void impose(const ElvJet* law, double* q, double* v, double* a) {
    ElvRpyMotion motion = elv_rpy_motion(law);
    q[0] = motion.quat.w;
    q[1] = motion.quat.x;
    q[2] = motion.quat.y;
    q[3] = motion.quat.z;
    v[0] = motion.omega.x;
    v[1] = motion.omega.y;
    v[2] = motion.omega.z;
    a[0] = motion.omega_dot.x;
    a[1] = motion.omega_dot.y;
    a[2] = motion.omega_dot.z;
}

const ElvLumpedType elv_joint_spherical = {
    .n_q = 4,
    .n_v = 3,
    .n_law_motion = 3,
    .pose = pose,
    .screws = screws,
    .spring = spring,
    .spring_tangent = spring_tangent,
    .rate = rate,
    .impose = impose,
};
