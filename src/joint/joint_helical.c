// SPDX-License-Identifier: Apache-2.0
// Helical joint: q is the angle about the unit axis n, h the pitch in metres per radian.
//   pose        R = exp(q n), p = h q n
//   twist       s v, s = (n; h n) in the moving frame, constant
//   projection  tau = n . (moment + h force)
#include "joint/joint_types.h"

static ElvPose pose(const ElvLumped* joint, const double* q) {
    return elv_pose(elv_so3_exp(elv_vec3_scale(q[0], joint->axis)),
                    elv_vec3_scale(joint->pitch * q[0], joint->axis));
}

static void screws(const ElvLumped* joint, const double* q, ElvTwist* s) {
    (void)q;
    s[0] = elv_twist(joint->axis, elv_vec3_scale(joint->pitch, joint->axis));
}

const ElvLumpedType elv_joint_helical = {
    .n_q = 1,
    .n_v = 1,
    .n_law_motion = 1,
    .pose = pose,
    .screws = screws,
};
