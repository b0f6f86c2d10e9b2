// SPDX-License-Identifier: Apache-2.0
// The initial value problem of statics along a chain and its tangent.
//
// Over one segment all is expressed in the fixed frame that its first section has at the start (pose `frame` in
// the world): there the internal wrench w = Ad_(g^-1)^T Lambda changes by external wrenches alone,
//     g' = g hat(xi),   w' = -Ad_(g^-1)^T F,   xi = law(Lambda),   Lambda = Ad_g^T w           [OCP (51)]
// Variations of pose and wrench are carried into the same frame (ivp_tangent.h). Rotations advance by
// Runge-Kutta-Munthe-Kaas steps on SO(3), the rest by the same method (runge_kutta8.h).
#ifndef ELVER_STRONG_IVP_H
#define ELVER_STRONG_IVP_H

#include "strong/shot_grid.h"

/// A section within a segment.
typedef struct {
    ElvPose frame; // of the segment, in the world
    ElvPose g;     // of the section, in that frame
    ElvWrench w;   // internal wrench, in that frame
    ElvTwist xi;   // strain at the start of the last step taken: a guess for the next
} ElvIvpState;

enum { ELV_IVP_COLUMN = 12 };

/// Columns of variations: rows 0 ... 5 are Z = Ad_g zeta, rows 6 ... 11 mu = Ad_(g^-1)^T d_lam.
typedef struct {
    int n; // columns in use, the others are zero
    double x[12][ELV_IVP_COLUMN];
} ElvIvpTangent;

/// The section with pose g (world) and internal wrench lam as the start of a segment.
ElvIvpState elv_ivp_start(ElvPose g, ElvWrench lam);

/// Its pose in the world and internal wrench in its own axes.
ElvPose elv_ivp_pose(const ElvIvpState* y);
ElvWrench elv_ivp_wrench(const ElvIvpState* y);

/// Columns at the start, from variations zeta of the pose and d_lam of the wrench in the section's axes, both (6 x n)
/// with rows of ELV_IVP_COLUMN; and at any section, the reverse.
void elv_ivp_tangent_start(int n,
                           const double zeta[6][ELV_IVP_COLUMN],
                           const double d_lam[6][ELV_IVP_COLUMN],
                           ElvIvpTangent* tangent);
void elv_ivp_tangent_end(const ElvIvpState* y,
                         const ElvIvpTangent* tangent,
                         double zeta[6][ELV_IVP_COLUMN],
                         double d_lam[6][ELV_IVP_COLUMN]);

/// One step of length h over five nodes. is_free: with the strain that the rod has without internal wrench (a
/// first guess for the shape). tangent may be NULL. ELV_ERROR_SINGULAR, ELV_ERROR_NUMERIC: no strain, or
/// the shot runs away; y is then undefined.
ElvStatus elv_ivp_step(const ElvStrongRod* strong,
                       const ElvShotNode node[ELV_RK8_NODE],
                       double h,
                       bool is_free,
                       ElvIvpState* y,
                       ElvIvpTangent* tangent);

/// What stands at the end of a step: the body there takes its wrench, and the next rod begins.
void elv_ivp_pass(const ElvShotStep* step,
                  const ElvStrongInput* in,
                  ElvIvpState* y,
                  ElvIvpTangent* tangent);

/// Steps first ... last - 1 of a grid with what stands at their ends. start: states where each step begins (last - first),
/// or NULL.
ElvStatus elv_ivp_run(const ElvShotGrid* grid,
                      int first,
                      int last,
                      bool is_free,
                      ElvIvpState* y,
                      ElvIvpTangent* tangent,
                      ElvIvpState* start);

#endif
