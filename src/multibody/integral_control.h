// SPDX-License-Identifier: Apache-2.0
// The integral part of a joint's controller: z_dot = q_d(t) - q, where z is the input of the channel
// that the joint has for it (joint/joint_control.h).
#ifndef ELVER_MULTIBODY_INTEGRAL_CONTROL_H
#define ELVER_MULTIBODY_INTEGRAL_CONTROL_H

#include "multibody/device.h"

typedef struct {
    ElvDevice device; // first: an ElvIntegralControl* is an ElvDevice*
    int i_node;
    int component; // of the joint
    int i_channel; // of the model
    const ElvLaw* target;
} ElvIntegralControl;

extern const ElvDeviceOps ELV_INTEGRAL_CONTROL_OPS;

/// Number of integrals of the controllers of a node: one for each channel of a lumped joint, none for a
/// rod.
int elv_integral_control_count(const ElvNode* node);

/// The device of integral i < elv_integral_control_count of node i_node, whose channels are numbered: one
/// unknown, differential, 0 at the start; its place i_z is left to the caller.
void elv_integral_control_init(ElvIntegralControl* control,
                               const ElvModel* model,
                               int i_node,
                               int i);

#endif
