// SPDX-License-Identifier: Apache-2.0
// One step along a rod whose strains are given as functions of time: the ordinary differential equations of the
// passes of inverse dynamics, in the axes of the sections.
//     g' = g hat(xi),   eta' = -ad_xi eta + xi_dot                                           [OCP (49)]
//     S' = M + ad_xi^T S + S ad_xi                                                           [OCP (84)]
//     s' = ad_xi^T s - F_tilde + S (ad_(xi_dot) eta - xi_ddot),   F_tilde = F + ad_eta^T M eta
//     eta_dot' = -ad_xi eta_dot - ad_(xi_dot) eta + xi_ddot                                  [OCP (45)]
//     Lambda' = ad_xi^T Lambda + M eta_dot - F_tilde
// S is the negative of the inertia of all that is further out, as one rigid body.
#ifndef ELVER_STRONG_SWEEP_STEP_H
#define ELVER_STRONG_SWEEP_STEP_H

#include "strong/shot_grid.h"

/// What is given at a node, beside its tables.
typedef struct {
    ElvTwist xi, xi_dot, xi_ddot;
    ElvTwist change;  // of xi_ddot, for Gauss' constraint
    ElvWrench stress; // of the constitutive law, for Gauss' constraint
} ElvSweepNode;

/// A section on the way.
typedef struct {
    ElvPose g; // world
    ElvTwist eta;
    // composite body
    ElvInertia S;
    ElvWrench s;
    // accelerations
    ElvTwist eta_dot;
    ElvWrench lam;
    // Gauss' constraint so far, and the change of the acceleration
    ElvTwist change;
    double cost;
} ElvSweepState;

typedef enum {
    ELV_SWEEP_MOTION,       // g and eta
    ELV_SWEEP_COMPOSITE,    // and S and s
    ELV_SWEEP_ACCELERATION, // and eta_dot and lam
    ELV_SWEEP_GAUSS,        // and change and cost, with the internal wrench lam
    ELV_SWEEP_GAUSS_LAW     // the same with the stress of the nodes
} ElvSweepPass;

/// One step of length h over the five nodes of a shot step; h < 0: from the last one to the first.
void elv_sweep_step(const ElvShotNode node[ELV_RK8_NODE],
                    const ElvSweepNode given[ELV_RK8_NODE],
                    ElvSweepPass pass,
                    double h,
                    ElvSweepState* y);

#endif
