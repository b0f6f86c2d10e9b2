// SPDX-License-Identifier: Apache-2.0
// The equations of a rod along X at one station, and their variation; and the step over an element by one
// of the methods.
#ifndef ELVER_STRONG_FINITE_SLOPE_H
#define ELVER_STRONG_FINITE_SLOPE_H

#include "strong/finite_grid.h"

/// What is integrated along a rod.
typedef struct {
    ElvPose g;
    ElvTwist eta;
    ElvWrench lam;
} ElvFinitePoint;

/// Its variation: delta g = g hat(zeta).
typedef struct {
    ElvTwist zeta, eta;
    ElvWrench lam;
} ElvFiniteVariation;

/// Derivatives along X at a point. tangent of the law: d_xi = C d_lam.
typedef struct {
    ElvTwist xi;
    ElvTwist eta;      // eta'
    ElvWrench lam;     // Lambda'
    ElvWrench balance; // the Lambda that entered
    const ElvMat6* C;
    ElvMat6 own; // C of laws that are not affine
} ElvFiniteSlope;

/// Derivatives along X at a station. xi: a guess in slope->xi. with_tangent: slope->C is wanted.
ELV_NODISCARD ElvStatus elv_finite_slope(const ElvFiniteGrid* grid,
                                         const ElvStrongRod* strong,
                                         const ElvFiniteStation* station,
                                         const ElvFinitePoint* point,
                                         bool with_tangent,
                                         ElvFiniteSlope* slope);

/// Their variation: d_xi, d_eta', d_Lambda'.
typedef struct {
    ElvTwist xi, eta;
    ElvWrench lam;
} ElvFiniteSlopeVariation;

ElvFiniteSlopeVariation elv_finite_slope_variation(const ElvFiniteGrid* grid,
                                                   const ElvFiniteStation* station,
                                                   const ElvFinitePoint* point,
                                                   const ElvFiniteSlope* slope,
                                                   const ElvFiniteVariation* d);

/// A step over element i of a piece: point and its n_column variations from one end to the other.
typedef ElvStatus (*ElvFiniteElement)(const ElvFiniteGrid* grid,
                                      const ElvFinitePiece* piece,
                                      int i_element,
                                      ElvFinitePoint* point,
                                      int n_column,
                                      ElvFiniteVariation* column);

#endif
