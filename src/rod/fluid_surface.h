// SPDX-License-Identifier: Apache-2.0
// Dipping into a surface: how much of a section or body is wet, and the potential of what lifts it.
#ifndef ELVER_ROD_FLUID_SURFACE_H
#define ELVER_ROD_FLUID_SURFACE_H

#include "rod/fluid_load.h"

/// Share of a circle (section) or sphere (body) of that radius below the surface, its centre at
/// `height` above it, and its derivative by the height, at most 0.
double elv_surface_share(bool is_section, double radius, double height, double* slope);

/// Integral of that share from `height` upwards, m: minus the height far below.
double elv_surface_integral(bool is_section, double radius, double height);

/// Potential energy of buoyancy, J, or J/m of a section; zero for what is not buoyant.
double elv_fluid_potential(const ElvFluidShape* shape, const ElvFluidNow* now, const ElvPose* g);

#endif
