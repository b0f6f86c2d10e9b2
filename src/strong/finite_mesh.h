// SPDX-License-Identifier: Apache-2.0
// Newton's method on the points of all nodes at once, for steps in which one shot from root to tip runs away from any
// first guess that can be made. Its roots are those of the single shot.
#ifndef ELVER_STRONG_FINITE_MESH_H
#define ELVER_STRONG_FINITE_MESH_H

#include "strong/finite_solve.h"

/// Take the room of a mesh; memory comes from the pool.
ELV_NODISCARD ElvStatus elv_finite_mesh_init(ElvFiniteMesh* mesh,
                                             const ElvFiniteGrid* grid,
                                             ElvPool* pool,
                                             ElvError* error);

/// Points to start from: twists and wrenches go on as from `past` to `now`, by the ratio of the steps.
void elv_finite_mesh_guess(ElvFiniteMesh* mesh,
                           const ElvFiniteGrid* grid,
                           const ElvFieldNode* now,
                           const ElvFieldNode* past,
                           double dt,
                           double ratio);

/// Improve x (n + 6) until the points meet, from those of the mesh. The number of shots is added to n_shot; false: they
/// do not.
bool elv_finite_mesh_solve(
    ElvFiniteSweep* sweep, ElvFiniteMesh* mesh, double largest, double* x, int* n_shot);

#endif
