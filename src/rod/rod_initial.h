// SPDX-License-Identifier: Apache-2.0
// Coordinates and velocities of a rod at the start.
#ifndef ELVER_ROD_ROD_INITIAL_H
#define ELVER_ROD_ROD_INITIAL_H

#include "rod/rod.h"

/// Fit q0 and v0 of a rod, whose nodes are there, to its initial strains and rates. ELV_ERROR_INPUT: modes depend on
/// each other.
ELV_NODISCARD ElvStatus elv_rod_initial(ElvRod* rod,
                                        const ElvRodDef* def,
                                        ElvLawSet* laws,
                                        ElvError* error);

#endif
