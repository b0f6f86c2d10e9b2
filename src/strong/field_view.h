// SPDX-License-Identifier: Apache-2.0
// Fields of a chain at nodes along its rods, and how a method without modes hands them out: a view fills the
// ports of an ElvData and stands there as its ElvFieldSource, so that frames, sections, energies, efforts
// and lengths of tendons are recorded as for any other method.
//
// Between nodes of a smooth piece strains, twists and wrenches follow the cubic through the four nearest of
// them, poses the cubic of the logarithm with the strains at both ends; integrals are those of the cubics.
#ifndef ELVER_STRONG_FIELD_VIEW_H
#define ELVER_STRONG_FIELD_VIEW_H

#include "multibody/field_source.h"
#include "strong/chain.h"

/// All that is known of a section: world pose, the rest in its own axes.
typedef struct {
    ElvPose g;
    ElvTwist eta, eta_dot;
    ElvTwist xi, xi_dot;
    ElvWrench lam;
} ElvFieldNode;

/// Nodes of a smooth piece of a rod, from its start to its end.
typedef struct {
    int i_rod; // of the chain; pieces of a rod follow each other, rods as in the chain
    int i_piece;
    int n_node; // at least 2
    int i_node; // the first, in the arrays of the view
} ElvFieldPiece;

typedef struct {
    const ElvChain* chain;
    ElvFieldSource source;
    int n_piece, n_node;
    const ElvFieldPiece* piece; // (n_piece)
    const double* s;            // station of each node                          (n_node)
    // (n_node); borrowed
    const ElvStrongStation* const* station;
    double* weight; // of an integral along the rod, m               (n_node)
    // what is handed out: the owner sets it before elv_field_view_fill
    double t;
    ElvFieldNode* node; // (n_node)
    ElvMotion root;     // of the root frame, in the world
    double effort[6];   // of the joint's drive
} ElvFieldView;

/// Take the room and the weights of a view; memory comes from the pool. Stations are borrowed.
ELV_NODISCARD ElvStatus elv_field_view_init(ElvFieldView* view,
                                            const ElvChain* chain,
                                            const ElvFieldPiece* piece,
                                            int n_piece,
                                            const double* s,
                                            const ElvStrongStation* const* station,
                                            ElvPool* pool,
                                            ElvError* error);

/// Ports of data and its source from the fields of the view, which must outlive what is read from data.
void elv_field_view_fill(ElvFieldView* view, ElvData* data);

/// The fields at station s of a rod of the chain; where they jump, those of the outer side.
ElvFieldNode elv_field_view_at(const ElvFieldView* view, int i_rod, double s);

/// Weights of the cubic through the four nearest of n nodes (of all, if they are fewer) at x, and the first
/// of these; returns how many there are.
int elv_field_weights(const double* s, int n, double x, int* first, double weight[4]);

/// The pose at a fraction x between two, g0 and g1, with twists u0 and u1 there per unit of x.
ElvPose elv_field_pose(ElvPose g0, ElvTwist u0, ElvPose g1, ElvTwist u1, double x);

/// A node at a fraction x of a step in time of length dt from a to b: poses on the cubic of the logarithm with the
/// twists at both ends, the rest linear.
ElvFieldNode elv_field_within(const ElvFieldNode* a, const ElvFieldNode* b, double dt, double x);

#endif
