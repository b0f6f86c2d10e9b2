// SPDX-License-Identifier: Apache-2.0
// The root of a chain in statics: where the first rod begins, and the balance of the joint that carries it.
#ifndef ELVER_STRONG_SHOOT_ROOT_H
#define ELVER_STRONG_SHOOT_ROOT_H

#include "strong/chain.h"
#include "strong/ivp.h"

typedef struct {
    const ElvChain* chain;
    int n_u; // displacements that are unknown: none where there is no joint or its motion is given
    double q[7]; // coordinates of the joint
} ElvShootRoot;

/// The root at the start of the model.
ElvShootRoot elv_shoot_root(const ElvChain* chain);

/// Coordinates of an imposed motion at t.
void elv_shoot_root_impose(ElvShootRoot* root, double t);

/// Move by u (n_u), in the chart of the joint at its coordinates.
void elv_shoot_root_move(ElvShootRoot* root, const double* u);

/// Pose of the root frame, and of the first section, in the world.
ElvPose elv_shoot_root_pose(const ElvShootRoot* root);
ElvPose elv_shoot_root_start(const ElvShootRoot* root);

/// Balance of the joint under the internal wrench lam of the first section: what the joint must deliver less what
/// it does, for every velocity component (n_v of the joint; the first n_u are unknowns' equations if n_u > 0).
void elv_shoot_root_residual(const ElvShootRoot* root,
                             const ElvStrongInput* in,
                             ElvWrench lam,
                             double* r);

/// Its derivatives: by u (n_u x n_u), by lam (n_u x 6); and the variations of the first section per unit u, in its
/// own axes (columns 0 ... n_u - 1 of zeta).
void elv_shoot_root_tangent(const ElvShootRoot* root,
                            const ElvStrongInput* in,
                            ElvWrench lam,
                            double* r_u,
                            double* r_lam,
                            double zeta[6][ELV_IVP_COLUMN]);

#endif
