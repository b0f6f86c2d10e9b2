// SPDX-License-Identifier: Apache-2.0
// A shot along a chain: from the root to the tip for given unknowns there, with the residual at the tip and its exact
// derivative, carried along as variations.                                     (section V of [RKMK])
//
// Unknowns x: the increment nu of a root joint that is free to move (n), then Lambda at the root of the first rod (6,
// moment before force, section axes). Residual: the efforts that such a joint lacks (n), then the wrench that
// is left over at the tip (6).
#ifndef ELVER_STRONG_FINITE_SWEEP_H
#define ELVER_STRONG_FINITE_SWEEP_H

#include "base/brake.h"
#include "strong/chain_root.h"
#include "strong/finite_slope.h"

/// Points at all nodes that a shot is held to, element by element, so that it cannot run away: a shot of many short ones.
/// What each misses the next point by is carried on as one variation more, behind those of the unknowns.
typedef struct {
    ElvFinitePoint* point;      // that are tried; those of root sections follow      (n_node)
    ElvFiniteVariation* column; // at the nodes                     (n_node x ELV_FINITE_COLUMNS)
} ElvFiniteMesh;

typedef struct {
    const ElvFiniteGrid* grid;
    ElvChainRoot* root;
    ElvFiniteElement element;
    const double* euler_q; // coordinates of the joint in place of its law's; NULL: the law
    ElvFiniteMesh* mesh;   // NULL: one shot from root to tip
    ElvBrake* brake;       // asked by searches, at every iteration; NULL: none
    // where the last shot was lost
    const ElvFinitePiece* piece;
    int i_element;
} ElvFiniteSweep;

/// Shoot with x (n + 6); residual (n + 6); J ((n + 6) x (n + 6), row-major) and node (grid->n_node, all fields)
/// unless NULL. Over a mesh J has a column more ((n + 6) x (n + 7)): by how much the residual changes when all elements
/// meet. ELV_ERROR_NUMERIC: the shot has left all bounds, at sweep->piece and sweep->i_element; other statuses are
/// those of the constitutive law there.
ELV_NODISCARD ElvStatus elv_finite_shoot(
    ElvFiniteSweep* sweep, const double* x, double* residual, double* J, ElvFieldNode* node);

#endif
