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

/// A cell of a rod at the surface: means over xi from -1 to 1 at heights height + xi spread, of the
/// share S, of xi S, and of the integral of the share.
typedef struct {
    double share, arm;                     // mean of S, of xi S
    double share_by_height;                // at most 0
    double share_by_spread, arm_by_spread; // the first is also the arm's by the height
    double integral;                       // m
} ElvDip;

/// That of a section or body; a body has no spread.                               [water (2)-(3)]
ElvDip elv_surface_dip(bool is_section, double radius, double height, double spread);

#endif
