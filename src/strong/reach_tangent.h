// SPDX-License-Identifier: Apache-2.0
// How the tip of an equilibrium moves with tensions and pressures: the tangent initial value problem of the chain with
// inputs as sources, in the axes of the sections.
//     zeta' = -ad_xi zeta + d_xi,   d_Lambda' = ad_xi^T d_Lambda + ad_(d_xi)^T Lambda - d_F
//     d_xi  = C (d_Lambda - sum_i lam_i d_u_i)                                          [OCP (77)-(79)]
#ifndef ELVER_STRONG_REACH_TANGENT_H
#define ELVER_STRONG_REACH_TANGENT_H

#include "strong/chain_input.h"
#include "strong/shoot_statics.h"

/// Variation of a section.
typedef struct {
    ElvTwist zeta;
    ElvWrench lam;
} ElvReachColumn;

/// Columns: displacements of the joint at the root, Lambda(0), then inputs.
typedef struct {
    int n_input, n;
    ElvReachColumn* column; // at the section in hand        (n)
    ElvReachColumn* stage;  // scratch                       (n)
    ElvReachColumn* rate;   // of all stages      (ELV_RK8_STAGE x n)
    double* lam;            // of each input at unit input   (n_input x 6)
    double* rhs;            // answers of the unknowns       (12 x n_input)
} ElvReachTangent;

ELV_NODISCARD ElvStatus elv_reach_tangent_init(ElvReachTangent* tangent,
                                               int n_input,
                                               ElvPool* pool,
                                               ElvError* error);

/// Twist of the tip, in its own axes, per unit of each input (6 x n_input), at the last equilibrium of the shooting, whose
/// tip is free. ELV_ERROR_SINGULAR: the equilibrium is at a bifurcation.
ELV_NODISCARD ElvStatus elv_reach_tangent(ElvReachTangent* tangent,
                                          ElvShooting* shooting,
                                          const ElvChainInputs* inputs,
                                          double* J);

#endif
