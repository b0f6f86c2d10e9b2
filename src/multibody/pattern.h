// SPDX-License-Identifier: Apache-2.0
// Central pattern generator: a chain of coupled oscillators that activate muscles.
#ifndef ELVER_MULTIBODY_PATTERN_H
#define ELVER_MULTIBODY_PATTERN_H

#include "multibody/device.h"

/// A muscle that an oscillator activates.
typedef struct {
    int i_oscillator;
    double phase; // by which the muscle is ahead of its oscillator
    int i_node;
    int i_channel; // in the model
    double weight; // of its length in what the oscillator feels
} ElvPatternDrive;

typedef struct {
    ElvDevice device; // first: an ElvPattern* is an ElvDevice*
    int n_oscillator;
    const ElvLaw* frequency; // Hz
    const ElvLaw* amplitude; // 0 to 1
    double lag;              // of each oscillator behind the one before, rad
    double coupling, rate;   // 1/s
    double feedback;         // 1/s
    int n_drive;
    ElvPatternDrive* drive; // (n_drive)
} ElvPattern;

extern const ElvDeviceOps ELV_PATTERN_OPS;

#endif
