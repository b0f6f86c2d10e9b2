// SPDX-License-Identifier: Apache-2.0
// A point at any station s of a rod, for what slides along it: where it is, how it moves with the
// rod's coordinates and with s, what a wrench there does to the coordinates, and how that varies.
//
// Everything is in the one frame. With S_k = Ad_g B Phi_k the twist per metre and unit of
// coordinate k,
//     J_k(s) = integral of S_k from 0 to s,   V(s) = V_root + J v,   Q = J^T W.
// Integrals use the nodes of the rod, and on the segment that holds s those of its part up to
// there; the spectral method interpolates. Positions of elv_rod_pose_at do the same, so that J is
// their derivative to 1e-9 where the nodes resolve the rod. Nothing here allocates.
#ifndef ELVER_ROD_ROD_POINT_H
#define ELVER_ROD_ROD_POINT_H

#include "rod/rod.h"

typedef struct {
    // computed by place
    double s;           // station, within [0, 1]
    int i_segment;      // that holds it, the one beyond at an end
    ElvPose g;          // of the section
    ElvVec3 tangent;    // dr/ds, m
    ElvVec3 tangent_ds; // d2r/ds2, m
    ElvVec3 curvature;  // K turned to the one frame, rad/m: dR/ds = length hat(K) R
    ElvTwist* J;        // twist of the section per unit v_k               (n_v)
    ElvTwist* J_ds;     // its derivative by s                             (n_v)
    // the part of the segment up to s: nodes of its own, or those of the segment with other weights
    double h;        // length that integrals on [0, 1] are scaled by, m
    ElvPose* g_node; // poses of the nodes                                 (largest n_node)
    double* phi;     // values of the segment's columns there             (largest n_node n_col)
    double* row;     // integral up to s                                   (largest n_node)
} ElvRodPoint;

/// Derivative of the strain by X at station s for coordinates q, 1/m of strains.
ElvTwist elv_rod_strain_slope_at(const ElvRod* rod, const double* q, double s);

/// Place the arrays of a point: 12 n_v numbers, and 13 + n_col for each node of a segment, the
/// largest counts.
void elv_rod_point_layout(const ElvRod* rod, ElvArena* arena, ElvRodPoint* point);

/// Move the point to station s (the nearest of [0, 1]), after a forward sweep with the same q.
void elv_rod_point_place(
    const ElvRod* rod, const ElvRodWork* work, const double* q, double s, ElvRodPoint* point);

/// Twist and acceleration of the section at the point, s held, after a forward sweep with the same
/// v:
///     V = V_root + J v,   A = A_root + J a + J_dot v,   J_dot_k = integral of ad_V S_k. [P23 (41)]
/// A: linear in a with the matrix J, so that a may be what a solver looks for. A may be NULL.
void elv_rod_point_motion(const ElvRod* rod,
                          const ElvRodWork* work,
                          const ElvRodPoint* point,
                          const double* v,
                          const double* a,
                          ElvTwist* V,
                          ElvTwist* A);

/// Rate of the tangent dr/ds with the section, s held, for the twist V(s) = V and dV/ds = V_ds, or
/// its variation for J_k and J_ds_k: the derivative by s of the velocity V.lin + V.ang x r.
ElvVec3 elv_rod_point_tangent_rate(const ElvRodPoint* point, ElvTwist V, ElvTwist V_ds);

/// Generalised forces of a wrench at the point: Q += J^T W.
void elv_rod_point_force(const ElvRod* rod, const ElvRodPoint* point, ElvWrench W, double* Q);

/// Derivatives of J^T W, W held:
///     H (n_v x n_v) += by q,  H_root (n_v x 6) += by the root's pose, delta g = hat(Z) g,
///     H_ds (n_v) += by s.
/// Each may be NULL. From delta S_k = ad_Z S_k with Z = Z_root + J dq at every section.
/// Uses the scratch X, X_end, U and packed of work.
void elv_rod_point_force_variation(const ElvRod* rod,
                                   ElvRodWork* work,
                                   const ElvRodPoint* point,
                                   ElvWrench W,
                                   double* H,
                                   double* H_root,
                                   double* H_ds);

#endif
