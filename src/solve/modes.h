// SPDX-License-Identifier: Apache-2.0
// Inside of natural modes: the two eigenvalue problems.
#ifndef ELVER_SOLVE_MODES_H
#define ELVER_SOLVE_MODES_H

#include "elver/analysis.h"
#include "solve/linearize.h"

/// Room for all modes that the matrices may have; none is there yet.
ELV_NODISCARD ElvStatus elv_modes_room(const ElvMatrices* matrices,
                                       int nv,
                                       ElvModes** modes,
                                       ElvError* error);

/// Append a mode with eigenvalue re + i im and vector x + i y of the components that move (changed).
void elv_modes_put(
    const ElvMatrices* matrices, ElvModes* modes, double re, double im, double* x, double* y);

/// K and M symmetric, no damping.
ELV_NODISCARD ElvStatus elv_modes_undamped(const ElvMatrices* matrices,
                                           ElvModes* modes,
                                           ElvError* error);

/// Any matrices (modes_damped.c).
ELV_NODISCARD ElvStatus elv_modes_damped(const ElvMatrices* matrices,
                                         ElvModes* modes,
                                         ElvError* error);

/// Whether D is more than rounding.
bool elv_has_damping(const ElvMatrices* matrices);

#endif
