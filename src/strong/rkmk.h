// SPDX-License-Identifier: Apache-2.0
// Runge-Kutta-Munthe-Kaas steps along a rod, which stay on SE(3).
#ifndef ELVER_STRONG_RKMK_H
#define ELVER_STRONG_RKMK_H

#include "strong/finite_slope.h"

/// A step over an element.                                                  (section IV of [RKMK])
ElvStatus elv_rkmk_element(const ElvFiniteGrid* grid,
                           const ElvFinitePiece* piece,
                           int i_element,
                           ElvFinitePoint* point,
                           int n_column,
                           ElvFiniteVariation* column);

#endif
