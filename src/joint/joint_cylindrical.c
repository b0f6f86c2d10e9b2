// SPDX-License-Identifier: Apache-2.0
// Cylindrical joint: q = (angle, displacement), about and along the unit axis n.
//   pose        R = exp(q_1 n), p = q_2 n
//   twist       s v, s_1 = (n; 0), s_2 = (0; n) in the moving frame, constant
//   projection  tau = (n . moment, n . force)
#include "joint/joint_types.h"

static ElvPose pose(const ElvLumped* joint, const double* q) {
    return elv_pose(elv_so3_exp(elv_vec3_scale(q[0], joint->axis)),
                    elv_vec3_scale(q[1], joint->axis));
}

static void screws(const ElvLumped* joint, const double* q, ElvTwist* s) {
    (void)q;
    s[0] = elv_twist(joint->axis, elv_vec3(0.0, 0.0, 0.0));
    s[1] = elv_twist(elv_vec3(0.0, 0.0, 0.0), joint->axis);
}

const ElvLumpedType elv_joint_cylindrical = {
    .n_q = 2,
    .n_v = 2,
    .n_law_motion = 2,
    .pose = pose,
    .screws = screws,
};
