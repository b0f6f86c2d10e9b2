// SPDX-License-Identifier: Apache-2.0
// Muscles along rods: devices on the channels of rods, with a law of activation or a pattern's.
#ifndef ELVER_MULTIBODY_MUSCLE_H
#define ELVER_MULTIBODY_MUSCLE_H

#include "multibody/device.h"

typedef struct {
    ElvDevice device;         // first: an ElvMuscle* is an ElvDevice*
    int i_channel;            // in the model
    double from, to;          // stations
    const ElvLaw* activation; // law of t and s, which its fibre has too; NULL: of a pattern
} ElvMuscle;

extern const ElvDeviceOps ELV_MUSCLE_OPS;
/// A muscle whose channel a pattern feeds.
extern const ElvDeviceOps ELV_PATTERN_MUSCLE_OPS;

#endif
