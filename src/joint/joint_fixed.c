// SPDX-License-Identifier: Apache-2.0
// Fixed joint: no coordinates.
//   pose        g = 1
//   twist       none
//   projection  none
#include "joint/joint_types.h"

static ElvPose pose(const ElvLumped* joint, const double* q) {
    (void)joint;
    (void)q;
    return elv_pose_identity();
}

static void screws(const ElvLumped* joint, const double* q, ElvTwist* s) {
    (void)joint;
    (void)q;
    (void)s;
}

const ElvLumpedType elv_joint_fixed = {
    .pose = pose,
    .screws = screws,
};
