// SPDX-License-Identifier: Apache-2.0
// A rotation imposed by roll, pitch and yaw with their time derivatives.
#ifndef ELVER_JOINT_RPY_MOTION_H
#define ELVER_JOINT_RPY_MOTION_H

#include "elver/law.h"
#include "elver/lie.h"

/// Rotation, body angular velocity and its rate, rad/s and rad/s^2.
typedef struct {
    ElvQuat quat; // unit, continuous in the angles
    ElvVec3 omega, omega_dot;
} ElvRpyMotion;

/// rpy: jets of roll, pitch, yaw, in the convention of elv_so3_from_rpy.
ElvRpyMotion elv_rpy_motion(const ElvJet rpy[3]);

#endif
