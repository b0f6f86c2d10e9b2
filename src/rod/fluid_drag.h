// SPDX-License-Identifier: Apache-2.0
// Quadratic drag and lift by the velocity relative to the fluid.
#ifndef ELVER_ROD_FLUID_DRAG_H
#define ELVER_ROD_FLUID_DRAG_H

#include "rod/fluid_load.h"

/// Force of drag and lift on a section, per metre, or on a body at the velocity u, with its
/// derivative.
ElvVec3 elv_fluid_drag(const ElvFluidShape* shape, double density, ElvVec3 u, ElvMat3* by_u);

/// Moment against the spinning of a body.
ElvVec3
elv_fluid_spin_drag(const ElvFluidShape* shape, double density, ElvVec3 omega, ElvMat3* by_omega);

#endif
