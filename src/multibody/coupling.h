// SPDX-License-Identifier: Apache-2.0
// Couplings as devices: coordinates of joints tied to each other, as by gears,
//     sum_i factor_i q_i = value(t).
// The one unknown is the multiplier z; the effort on q_i is factor_i z.
#ifndef ELVER_MULTIBODY_COUPLING_H
#define ELVER_MULTIBODY_COUPLING_H

#include "multibody/device.h"

/// A scalar coordinate of a joint.
typedef struct {
    int i_node;
    int component;
    double factor;
} ElvCoupled;

typedef struct {
    ElvDevice device; // first: an ElvCoupling* is an ElvDevice*
    int n;
    ElvCoupled coupled[ELV_COUPLED_MAX];
    const ElvLaw* value;
    double size; // of the sum, for coordinates of one radian or the extent of the robot
    int i_gap;   // place of its gap in ElvData: in lin.x
} ElvCoupling;

extern const ElvDeviceOps ELV_COUPLING_OPS;

#endif
