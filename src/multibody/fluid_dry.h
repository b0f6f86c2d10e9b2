// SPDX-License-Identifier: Apache-2.0
// Added inertia above the surface.
#ifndef ELVER_MULTIBODY_FLUID_DRY_H
#define ELVER_MULTIBODY_FLUID_DRY_H

#include "multibody/model.h"

/// Whether there are rods of elongated body theory and a surface.
bool elv_fluid_may_dry(const ElvModel* model);

/// Refuse such rods that are wholly above the surface at the state. Allocates nothing.
ELV_NODISCARD ElvStatus elv_fluid_check_dry(const ElvModel* model,
                                            ElvData* data,
                                            const ElvState* state,
                                            ElvError* error);

#endif
