// SPDX-License-Identifier: Apache-2.0
// Mass, centre of mass and inertia of a body, given directly or by a solid shape.
#ifndef ELVER_MULTIBODY_BODY_INERTIA_H
#define ELVER_MULTIBODY_BODY_INERTIA_H

#include "elver/spec.h"

/// Mass properties in the body frame: elv_inertia_rigid(mass, center, inertia) is the 6x6 inertia.
typedef struct {
    double mass;     // kg
    ElvVec3 center;  // of mass, body frame
    ElvMat3 inertia; // about the centre of mass, body axes
} ElvMassProperties;

/// Mass properties of a body, from its numbers or from its shape. A shape gives the centre; with a
/// density it gives the mass; unless the body has an inertia of its own it gives that too. What no
/// distribution of mass can have is refused: ELV_ERROR_INPUT names the body and the key.
ELV_NODISCARD ElvStatus elv_body_inertia(const ElvBodyDef* def,
                                         ElvMassProperties* properties,
                                         ElvError* error);

/// Volume of a shape, m^3; 0 without one.
double elv_shape_volume(const ElvShapeDef* shape);

/// Eigenvalues of a symmetric matrix in ascending order.
void elv_principal_moments(ElvMat3 inertia, double moment[3]);

/// Whether principal moments, in ascending order, are those of some distribution of mass: none exceeds the sum of the
/// other two, but for rounding to ten digits.
bool elv_moments_are_physical(const double moment[3]);

#endif
