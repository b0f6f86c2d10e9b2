// SPDX-License-Identifier: Apache-2.0
// Hulls that the water's surface cuts: what of a box, cylinder, capsule or ellipsoid is wet, and the
// waterplane.
#ifndef ELVER_ROD_FLUID_HULL_H
#define ELVER_ROD_FLUID_HULL_H

#include "elver/spec.h"

/// What a plane leaves of a hull, over its whole volume, about its centre and in its own axes.
typedef struct {
    double share;   // of the volume that is wet
    ElvVec3 moment; // first moment of what is wet, m
    double area;    // of the waterplane, 1/m
    ElvVec3 lever;  // its first moment
    ElvMat3 spread; // its second moment, m
} ElvClip;

/// Whether hulls of that kind are clipped.
bool elv_hull_is_clipped(ElvShapeKind kind);

/// A hull of sizes as in ElvShapeDef, whose centre is at `height` over the surface; up: of length 1,
/// in the hull's axes. Exact to rounding, a capsule to 1e-9. Allocates nothing.
ElvClip elv_hull_clip(ElvShapeKind kind, const double size[3], ElvVec3 up, double height);

#endif
