// SPDX-License-Identifier: Apache-2.0
// Ideal wheels as devices [ALI section 3.6]: massless, fixed to a frame, on a ground that the
// wheeled body is kept on by its joints.
//
// With eta = (Omega; V) the twist of the frame in its own axes, n the direction of the wheel's axis
// across the frame's z, u = n x z and R the radius, a wheel has up to two rows,
//     n . V = 0                        it does not slip sideways (not of omnidirectional wheels)
//                                                                                      [ALI (3.42)]
//     u . V = R theta_dot(t)           it rolls as its motor turns it          [ALI (3.40), (3.50)]
// and the multipliers z of these are the forces of the ground along n and u, at the frame's origin.
// A motor with a given torque pushes with torque / R along u. The angle theta of a wheel whose
// rotation is not given is the integral of u . V / R, the unknown of a device of its own.
#ifndef ELVER_MULTIBODY_WHEEL_H
#define ELVER_MULTIBODY_WHEEL_H

#include "multibody/device.h"

typedef struct {
    ElvDevice device; // first: an ElvWheel* is an ElvDevice*
    ElvFrame frame;
    ElvVec3 side, ahead; // n, u: unit, in the axes of the frame
    double radius;       // m
    bool is_omni;
    ElvWheelDrive drive;
    const ElvLaw*
        law;       // of the rotation, rad, its rate, rad/s, or the torque, N m; NULL: rolls freely
    double length; // that slips are compared with, m
    int i_angle;   // z of its angle; -1: the law is the angle
} ElvWheel;

/// The angle by which a wheel has rolled.
typedef struct {
    ElvDevice device; // first
    const ElvWheel* wheel;
} ElvWheelAngle;

/// Of wheels with rows, of those without, and of angles.
extern const ElvDeviceOps ELV_WHEEL_OPS;
extern const ElvDeviceOps ELV_WHEEL_LOOSE_OPS;
extern const ElvDeviceOps ELV_WHEEL_ANGLE_OPS;

/// Whether a device is a wheel.
bool elv_device_is_wheel(const ElvDevice* device);

/// Whether a motor decides on the rolling of a wheel.
bool elv_wheel_is_driven(const ElvWheel* wheel);

/// Whether row k of a wheel is that of its rolling.
bool elv_wheel_is_rolling(const ElvWheel* wheel, int k);

/// Direction of row k of a wheel, in the axes of its frame.
ElvVec3 elv_wheel_direction(const ElvWheel* wheel, int k);

#endif
