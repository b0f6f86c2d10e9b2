// SPDX-License-Identifier: Apache-2.0
// Variations along a chain at rest [OCP (77)-(78)]: those of a section in its own axes, zeta and d_lam, carried by Ad_g into
// the frame of the segment, Z and mu, where they obey
//     Z' = P mu,     mu' = ad_(Z')^T w - G Z,     P = Ad_g C Ad_g^T.
#ifndef ELVER_STRONG_IVP_TANGENT_H
#define ELVER_STRONG_IVP_TANGENT_H

#include "strong/ivp.h"

/// External load per metre at a node. "Dead": it keeps its direction while the section turns.
typedef struct {
    bool acts;         // there is a dead load
    bool follows;      // there is one in the axes of the section
    bool is_eccentric; // the centre of mass is off the axis
    ElvWrench dead;    // weight and dead load, about the section's origin, segment axes
    ElvVec3 gravity;   // segment axes
} ElvIvpLoad;

/// The equations of a stage.
typedef struct {
    double P[6][6];
    double w[6];
    double G[3][3];  // moments of -G
    double force[3]; // forces of G are force x
    double B[6][6];  // mu' += B Z
    bool turns;      // G is not zero
    bool is_wet;     // B is not zero: a fluid acts
} ElvIvpLinear;

/// The equations at the stage y; C: compliance, bends_alone: of angular strains alone.
void elv_ivp_linear(const ElvShotNode* node,
                    const ElvIvpLoad* load,
                    const ElvIvpState* y,
                    const ElvMat6* C,
                    bool bends_alone,
                    ElvIvpLinear* linear);

/// A step of the variations over the stages.
void elv_ivp_tangent_step(const ElvIvpLinear linear[ELV_RK8_STAGE],
                          double h,
                          ElvIvpTangent* tangent);

#endif
