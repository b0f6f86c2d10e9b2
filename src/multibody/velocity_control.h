// SPDX-License-Identifier: Apache-2.0
// Velocity controller of a frame with the integral of its error.                      [P23 (68)-(69)]
#ifndef ELVER_MULTIBODY_VELOCITY_CONTROL_H
#define ELVER_MULTIBODY_VELOCITY_CONTROL_H

#include "multibody/device.h"

typedef struct {
    ElvDevice device; // first: an ElvVelocityControl* is an ElvDevice*
    ElvFrame frame;
    double kp[6], ki[6];
    const ElvLaw* velocity[6]; // (Omega_d; V_d), world axes
} ElvVelocityControl;

extern const ElvDeviceOps ELV_VELOCITY_CONTROL_OPS;

/// Error e and wrench F at the frame, in its axes, after the forward pass.
void elv_velocity_control_measure(const ElvVelocityControl* control,
                                  const ElvScene* scene,
                                  ElvTwist* error,
                                  ElvWrench* wrench);

#endif
