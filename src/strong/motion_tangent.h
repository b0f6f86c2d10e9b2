// SPDX-License-Identifier: Apache-2.0
// Four segments of a chain in motion side by side, one per lane: what a stage reads and has, and its variations
// [OCP (80)-(81)]. Those of a section in its own axes, zeta, d_eta, d_eta_dot and d_lam, are carried by Ad_g into the frame
// of the segment, Z, v, alpha and mu, where they obey
//     Z'     = P mu,                          P = Ad_g C Ad_g^T
//     v'     = a Z' + ad_V Z'
//     alpha' = b Z' + ad_E Z' - ad_U v,       E = a V + A
//     mu'    = N v + I alpha - G Z + ad_(Z')^T w,     N v = -ad_v^T I V - ad_V^T I v
// and alpha = a v where accelerations are those of each section by itself.
#ifndef ELVER_STRONG_MOTION_TANGENT_H
#define ELVER_STRONG_MOTION_TANGENT_H

#include "lie/lie4.h"
#include "strong/motion_ivp.h"

/// A node of four segments. "Segment": in the frame of each, else in the axes of its section.
typedef struct {
    ElvTwist4 p, q, r, xi_0;
    ElvMat3x4 C[2][2];   // compliance, by angular and linear blocks
    bool bends_alone;    // the first block of C is all there is of it
    ElvMat3x4 J, H, M;   // inertia [J H; H^T M]
    ElvVec3x4 moment;    // mass times centre
    ElvWrench4 follower; // load that turns with the section
    ElvWrench4 dead;     // weight and load that does not, segment
    ElvVec3x4 gravity;   // segment
} ElvMotionNode4;

/// A stage of four segments, segment frame.
typedef struct {
    ElvPose4 g;
    ElvTwist4 V, A, U, Q;
    ElvWrench4 w;
} ElvMotionStage4;

/// The equations of variations at a stage; the last index is the lane.
typedef struct {
    double P[6][6][4], N[6][6][4], I[6][6][4];
    double G[3][3][4]; // moments of -G
    double f[3][4];    // forces of G are f x
    double V[6][4], E[6][4], U[6][4], w[6][4];
    bool is_wet;       // a fluid acts on a lane: its N is in N, and
    double B[6][6][4]; // mu' += B Z
} ElvMotionLinear;

/// The equations at a stage.
void elv_motion_linear(const ElvMotionGrid* motion,
                       const ElvMotionNode4* node,
                       const ElvMotionStage4* at,
                       ElvMotionLinear* linear);

/// A step of length h of the variations of the segment in a lane.
void elv_motion_tangent_step(const ElvMotionGrid* motion,
                             const ElvMotionLinear linear[ELV_RK8_STAGE],
                             int lane,
                             double h,
                             ElvMotionTangent* tangent);

#endif
