// SPDX-License-Identifier: Apache-2.0
// The root of a chain in a step: the joint there, whose motion is imposed or sought, and the rigid body on it.
//
// A joint that is free to move has the increment nu of its chart among the unknowns of the step, with rates from
// the same backward differences as the fields; its equation is that the efforts on it balance. The unknown
// of a driven joint is its effort, which follows.
#ifndef ELVER_STRONG_CHAIN_ROOT_H
#define ELVER_STRONG_CHAIN_ROOT_H

#include "strong/finite_grid.h"

/// Coordinates of the joint at an instant, and the step that led there.
typedef struct {
    double q[7], v[6], a[6];
    double nu[6]; // increment over the last step
    double w[6];  // rates of the chart before it
} ElvChainJoint;

typedef struct {
    const ElvChain* chain;
    bool is_sought; // the joint is free to move
    int n;          // unknowns: velocity components of a joint that is
    ElvLumpedWork work;
    // of the step
    double q_n[7]; // origin of the chart
    double w_n[6]; // its rates
    double a, b;   // w = a nu + f, w_dot = b nu + h
    double f[6], h[6];
    // at the iterate
    double nu[6];
    ElvChainJoint joint;
    ElvMotion motion;      // of the root frame, in the world
    ElvTwist eta, eta_dot; // the same in its own axes
    // variations per unit of nu, root frame
    ElvTwist d_zeta[6], d_eta[6], d_eta_dot[6];
    double Qq[36]; // of the joint's residual at a fixed wrench
    ElvTwist S[6]; // its screws, world
} ElvChainRoot;

void elv_chain_root_init(ElvChainRoot* root, const ElvChain* chain);

/// A step from the joint `now`; has_past: the formula c remembers the step before it.
void elv_chain_root_begin(ElvChainRoot* root,
                          const double c[3],
                          const ElvChainJoint* now,
                          bool has_past);

/// The root at the end of the step, for the increment nu of a joint that is sought; t: seen from the left
/// where laws jump. q: coordinates of a driven joint in place of its law's, or NULL.
void elv_chain_root_place(ElvChainRoot* root,
                          const ElvStrongInput* in,
                          const double* nu,
                          const double* q);

/// The root with the joint as it is, outside of a step.
void elv_chain_root_hold(ElvChainRoot* root, const ElvStrongInput* in, const ElvChainJoint* joint);

/// Efforts that the joint lacks (n_v of the joint): what a drive must give, or the residual of one that is sought;
/// lam: what the first rod exerts on the root frame, in its axes. With J not NULL also its derivative (n x
/// (n + 6)) by nu and by lam, in the axes of the root frame, for a joint that is sought.
void elv_chain_root_residual(
    ElvChainRoot* root, const ElvStrongInput* in, ElvWrench lam, double* residual, double* J);

#endif
