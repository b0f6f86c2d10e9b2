// SPDX-License-Identifier: Apache-2.0
// What the laws of devices do, per unit: the inputs of linear models.
#ifndef ELVER_MULTIBODY_DEVICE_COMMAND_H
#define ELVER_MULTIBODY_DEVICE_COMMAND_H

#include "multibody/device.h"

/// "tension" or "pull".
extern const ElvDeviceCommands ELV_TENDON_COMMANDS;
/// "pressure".
extern const ElvDeviceCommands ELV_CHAMBER_COMMANDS;
/// "angular.x" ... "linear.z": wanted velocities.
extern const ElvDeviceCommands ELV_VELOCITY_COMMANDS;
/// "frequency", "amplitude".
extern const ElvDeviceCommands ELV_PATTERN_COMMANDS;
/// "effort.0" ...: motors in the joints of loops.
extern const ElvDeviceCommands ELV_LOOP_COMMANDS;
/// "torque" of wheels that have one.
extern const ElvDeviceCommands ELV_WHEEL_COMMANDS;

#endif
