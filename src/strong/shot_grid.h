// SPDX-License-Identifier: Apache-2.0
// Steps along a chain, with the tables of their stations: what one shot after the other runs over.
//
// A step lies within one smooth piece of a rod and has five nodes (runge_kutta8.h). At its end may stand a
// rigid body, and behind that another rod.
#ifndef ELVER_STRONG_SHOT_GRID_H
#define ELVER_STRONG_SHOT_GRID_H

#include "strong/chain.h"
#include "strong/runge_kutta8.h"

/// A node: its station, what acts there, and the law of a rod whose stress is affine in the strain,
/// xi = xi_free + compliance Lambda.
typedef struct {
    ElvStrongStation station;
    ElvStrongDrive drive;
    ElvMat6 compliance; // set where the rod is linear
    ElvTwist xi_free;   // strain without internal wrench; a first guess where the rod is not linear
} ElvShotNode;

typedef struct {
    int i_rod, i_piece;
    double s0, s1;
    double h;                 // m
    ElvShotNode* node;        // (ELV_RK8_NODE)
    const ElvChainBody* body; // at its end; NULL: none
    const ElvPose* offset;    // of the next rod's root behind it; NULL: the rod goes on, or ends
} ElvShotStep;

typedef struct {
    const ElvChain* chain;
    ElvPool pool;
    ElvStrongInput in; // of the last elv_shot_grid_drive
    int n_step;
    ElvShotStep* step;   // (n_step)
    bool has_compliance; // of all rods that are linear: no load changes it
} ElvShotGrid;

/// Tabulate a chain with about `steps` steps along each rod, at least `least` on each piece, both times `times`.
ELV_NODISCARD ElvStatus elv_shot_grid_create(
    const ElvChain* chain, int steps, int least, int times, ElvShotGrid* grid, ElvError* error);
void elv_shot_grid_free(ElvShotGrid* grid);

/// What acts at all nodes at an instant, and the strain there without internal wrench.
ELV_NODISCARD ElvStatus elv_shot_grid_drive(ElvShotGrid* grid,
                                            const ElvStrongInput* in,
                                            ElvError* error);

/// One node by itself, at station s of a piece: fibre and tension are room for the rod's fibres.
ELV_NODISCARD ElvStatus elv_shot_node(const ElvStrongRod* strong,
                                      int i_piece,
                                      double s,
                                      ElvFibreNode* fibre,
                                      double* tension,
                                      ElvShotNode* node,
                                      ElvError* error);
ELV_NODISCARD ElvStatus elv_shot_node_drive(const ElvStrongRod* strong,
                                            const ElvStrongInput* in,
                                            ElvShotNode* node,
                                            ElvError* error);

#endif
