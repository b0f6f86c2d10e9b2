// SPDX-License-Identifier: Apache-2.0
// Elongated body theory in the tree: what the flow along slender rods does at their ends.
//
// Phi(l) acts on the tip of a rod. Where the rod's parent is the tip of another slender rod,
// -Phi(0) acts on its root: with the same section the two cancel, where sections jump the jump is
// left. At any other root, a nose or behind a body, the flow brings nothing [OCP (91)]. What is
// left of a fish is the wrench of the wake on its tail.
#ifndef ELVER_MULTIBODY_SLENDER_H
#define ELVER_MULTIBODY_SLENDER_H

#include "multibody/data.h"

/// Subtract these wrenches from data->W.
void elv_slender_load(const ElvModel* model, ElvData* data);

/// Power that they give to the model, W.
double elv_slender_power(const ElvModel* model, const ElvData* data);

/// Add the variation of minus these to data->K.
void elv_slender_variation(const ElvModel* model, ElvData* data);

#endif
