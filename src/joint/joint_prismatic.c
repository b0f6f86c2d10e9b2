// SPDX-License-Identifier: Apache-2.0
// Prismatic joint: q is the displacement along the unit axis n.
//   pose        R = 1, p = q n
//   twist       s v, s = (0; n) in the moving frame, constant
//   projection  tau = n . force
#include "joint/joint_types.h"

static ElvPose pose(const ElvLumped* joint, const double* q) {
    return elv_pose(elv_mat3_identity(), elv_vec3_scale(q[0], joint->axis));
}

static void screws(const ElvLumped* joint, const double* q, ElvTwist* s) {
    (void)q;
    s[0] = elv_twist(elv_vec3(0.0, 0.0, 0.0), joint->axis);
}

const ElvLumpedType elv_joint_prismatic = {
    .n_q = 1,
    .n_v = 1,
    .n_law_motion = 1,
    .pose = pose,
    .screws = screws,
};
