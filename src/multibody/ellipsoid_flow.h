// SPDX-License-Identifier: Apache-2.0
// Added inertia of an ellipsoid in ideal flow.
#ifndef ELVER_MULTIBODY_ELLIPSOID_FLOW_H
#define ELVER_MULTIBODY_ELLIPSOID_FLOW_H

#include "elver/lie.h"

/// Added inertia of an ellipsoid with these semi-axes, about its centre, in its axes; density of
/// the fluid in kg/m^3.
ElvInertia elv_ellipsoid_added(double density, ElvVec3 radii);

#endif
