// SPDX-License-Identifier: Apache-2.0
// From fields back to the modes of a model: the coordinates of a rod whose strains come nearest to given ones,
//     Gram x = integral of Phi^T (xi - xi_o),   Gram = integral of Phi^T Phi.
#ifndef ELVER_STRONG_MODE_PROJECT_H
#define ELVER_STRONG_MODE_PROJECT_H

#include "strong/field_view.h"

/// Strain without that at rest, or its rate, at station s of a rod of the chain.
typedef ElvTwist (*ElvModeField)(void* owner, int i_rod, double s);

/// Gram matrices of all rods, factored, in memory of the pool (n_rod). Modes that depend on each other are
/// ELV_ERROR_SINGULAR.
ELV_NODISCARD ElvStatus elv_mode_grams(const ElvChain* chain,
                                       ElvPool* pool,
                                       double*** gram,
                                       ElvError* error);

/// Coordinates x (n_v) of a rod nearest to a field.
void elv_mode_project(const ElvChain* chain,
                      double* const* gram,
                      int i_rod,
                      ElvModeField field,
                      void* owner,
                      double* x);

/// Coordinates and velocities of all rods in a state nearest to the fields of a view; accelerations are zero.
void elv_mode_state(const ElvFieldView* view, double* const* gram, ElvState* state);

#endif
