// SPDX-License-Identifier: Apache-2.0
// Revolute joint: q is the angle about the unit axis n.
//   pose        R = exp(q n), p = 0
//   twist       s v, s = (n; 0) in the moving frame, constant
//   projection  tau = n . moment
#include "joint/joint_types.h"

static ElvPose pose(const ElvLumped* joint, const double* q) {
    return elv_pose(elv_so3_exp(elv_vec3_scale(q[0], joint->axis)), elv_vec3(0.0, 0.0, 0.0));
}

static void screws(const ElvLumped* joint, const double* q, ElvTwist* s) {
    (void)q;
    s[0] = elv_twist(joint->axis, elv_vec3(0.0, 0.0, 0.0));
}

const ElvLumpedType elv_joint_revolute = {
    .n_q = 1,
    .n_v = 1,
    .n_law_motion = 1,
    .pose = pose,
    .screws = screws,
};
