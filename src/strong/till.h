// SPDX-License-Identifier: Apache-2.0
// Runge-Kutta steps along a rod in a vector space: position, quaternion and internal wrench in global axes, as in
// J. Till, V. Aloi, C. Rucker, Real-time dynamics of soft and continuum robots based on Cosserat rod models,
// IJRR 38(6), 2019, with which [RKMK] compares.
#ifndef ELVER_STRONG_TILL_H
#define ELVER_STRONG_TILL_H

#include "strong/finite_slope.h"

/// A step over an element.                                                (section VI.B of [RKMK])
ElvStatus elv_till_element(const ElvFiniteGrid* grid,
                           const ElvFinitePiece* piece,
                           int i_element,
                           ElvFinitePoint* point,
                           int n_column,
                           ElvFiniteVariation* column);

#endif
