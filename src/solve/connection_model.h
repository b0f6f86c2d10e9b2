// SPDX-License-Identifier: Apache-2.0
// Companions of a model for motions of first order.
#ifndef ELVER_SOLVE_CONNECTION_MODEL_H
#define ELVER_SOLVE_CONNECTION_MODEL_H

#include "multibody/model.h"

/// A model like another one, whose inertia is the viscous resistance of its parts, dampers of
/// joints included (is_metric), or which has none; weights stay. Memory comes from the pool, and
/// all else from the other model, which must outlive it. NULL: no memory.
const ElvModel* elv_connection_model(const ElvModel* model, bool is_metric, ElvPool* pool);

/// Add the damping of the materials of rods to G (nv x nv).
void elv_connection_damping(const ElvModel* model, double* G);

#endif
