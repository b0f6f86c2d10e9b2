// SPDX-License-Identifier: Apache-2.0
// Constraints written in C as devices.
//
// Unknowns: the multipliers of the rows, then for each frame the wrench on it (world axes, the moment about
// the world's origin), then for each joint the effort. Equations: the rows, and that wrenches and efforts
// are J^T times the multipliers. Like the wrench of a loop they do not vary with the motion by themselves.
#ifndef ELVER_MULTIBODY_OWN_CONSTRAINT_H
#define ELVER_MULTIBODY_OWN_CONSTRAINT_H

#include "multibody/coupling.h"

typedef struct {
    ElvDevice device; // first
    int n_frame, n_joint, n_row;
    ElvFrame frame[ELV_OWN_FRAMES_MAX];
    ElvCoupled joint[ELV_OWN_JOINTS_MAX];
    bool is_velocity[ELV_OWN_ROWS_MAX];
    ElvConstraintCallback callback;
    void* user;
    double size; // extent of the robot, m
} ElvOwnConstraint;

extern const ElvDeviceOps ELV_OWN_CONSTRAINT_OPS;

#endif
