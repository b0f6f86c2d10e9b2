// SPDX-License-Identifier: Apache-2.0
// Planar joint: q = (angle, x, y), about the unit axis n and along the base-frame axes e1, e2 of
// the plane, with (e1, e2, n) right-handed.
//   pose        R = exp(q_1 n), p = q_2 e1 + q_3 e2
//   twist       s v, s_1 = (n; 0), s_2 = (0; R^T e1), s_3 = (0; R^T e2);
//               d/dt R^T e = v_1 (R^T e) x n
//   projection  tau = (n . moment, R^T e1 . force, R^T e2 . force)
#include "joint/joint_types.h"

#include <math.h>

static ElvPose pose(const ElvLumped* joint, const double* q) {
    ElvVec3 p = elv_vec3_scale(q[1], joint->plane[0]);
    return elv_pose(elv_so3_exp(elv_vec3_scale(q[0], joint->axis)),
                    elv_vec3_add_scaled(p, q[2], joint->plane[1]));
}

// a vector x e1 + y e2 of the plane, seen from the moving frame
static ElvVec3 moving_vector(const ElvLumped* joint, double angle, double x, double y) {
    double c = cos(angle), s = sin(angle);
    ElvVec3 e = elv_vec3_scale(c * x + s * y, joint->plane[0]);
    return elv_vec3_add_scaled(e, c * y - s * x, joint->plane[1]);
}

static void screws(const ElvLumped* joint, const double* q, ElvTwist* s) {
    s[0] = elv_twist(joint->axis, elv_vec3(0.0, 0.0, 0.0));
    s[1] = elv_twist(elv_vec3(0.0, 0.0, 0.0), moving_vector(joint, q[0], 1.0, 0.0));
    s[2] = elv_twist(elv_vec3(0.0, 0.0, 0.0), moving_vector(joint, q[0], 0.0, 1.0));
}

static ElvTwist bias(const ElvLumped* joint, const double* q, const double* v) {
    ElvVec3 velocity = moving_vector(joint, q[0], v[1], v[2]);
    ElvVec3 turn = elv_vec3_cross(velocity, joint->axis);
    return elv_twist(elv_vec3(0.0, 0.0, 0.0), elv_vec3_scale(v[0], turn));
}

// the displacements come first, the rotation turns the displaced frame
static const int factor[] = {1, 2, 0};

const ElvLumpedType elv_joint_planar = {
    .n_q = 3,
    .n_v = 3,
    .factor = factor,
    .n_law_motion = 3,
    .pose = pose,
    .screws = screws,
    .bias = bias,
};
