// SPDX-License-Identifier: Apache-2.0
// A walk over the laws of a spec that are inputs.
#ifndef ELVER_MULTIBODY_SPEC_INPUT_H
#define ELVER_MULTIBODY_SPEC_INPUT_H

#include "elver/input.h"
#include "multibody/spec.h"

/// An input where it stands in the spec.
typedef struct {
    char name[ELV_SIZE_INPUT];
    const char* kind; // what it belongs to
    const char* part; // how its name ends, but for components
    const char* unit;
    ElvLawDef* law;
    bool is_motion;
    bool is_positive; // values below zero have no meaning
    bool is_listed;   // else it has a name alone
    double from, to;  // stations of the part of a rod that it acts on
    double least;     // of its suggested range, if that is known; else infinite
    double most;
} ElvInputPlace;

/// Returns whether to go on.
typedef bool (*ElvInputVisit)(void* user, const ElvInputPlace* place);

void elv_spec_walk_inputs(ElvSpec* spec, ElvInputVisit visit, void* user);

#endif
