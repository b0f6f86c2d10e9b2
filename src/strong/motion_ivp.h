// SPDX-License-Identifier: Apache-2.0
// The initial value problem of a chain in motion at the end of a time step, and its tangent.
//
// A time scheme leaves strains alone as unknowns, xi_dot = a xi + p and xi_ddot = b xi + q with p, q from the past
// [OCP (58), (64)], and the constitutive law takes these to Lambda. Over one segment all is expressed in the fixed
// frame that its first section has: V = Ad_g eta, A = Ad_g eta_dot, w = Ad_(g^-1)^T Lambda, where [OCP (61)] reads
//     g' = g hat(xi),   V' = U,   A' = Q + ad_V U,   w' = I A - ad_V^T I V - f,      U = Ad_g xi_dot, Q = Ad_g xi_ddot
// with I the inertia and f the load per metre. Without the equation of accelerations [OCP (89)] these are those of
// each section by itself, eta_dot = a eta + r, and A = a V + Ad_g r.
//
// Segments are independent of each other: four of them are shot over at once, one in each lane of the vectors of
// base/real4.h.
#ifndef ELVER_STRONG_MOTION_IVP_H
#define ELVER_STRONG_MOTION_IVP_H

#include "strong/field_view.h"
#include "strong/shot_grid.h"

/// What a node remembers of the past during a step in time, and the law of a rod whose stress is affine there.
typedef struct {
    ElvTwist p, q, r;
    ElvTwist xi_0; // affine laws: xi = xi_0 + C Lambda; else a first guess
    ElvMat6 C;
} ElvMotionPast;

/// A step in time: the grid along the chain, and the past at its nodes.
typedef struct {
    ElvShotGrid* grid;
    ElvMotionPast* past; // (grid->n_step x ELV_RK8_NODE)
    const int* i_node; // first of the fields of each step: four, and one more at the end of a piece
    double a, b;
    bool
        is_local; // accelerations are those of each section by itself                    [OCP (89)]
    bool is_given; // strains are p, q and xi_0 themselves, whatever Lambda is
} ElvMotionGrid;

/// A section within a segment.
typedef struct {
    ElvPose frame; // of the segment, in the world
    ElvPose g;     // of the section, in that frame
    ElvTwist V, A;
    ElvWrench w;
} ElvMotionState;

/// A section in its own axes; pose in the world.
typedef struct {
    ElvPose g;
    ElvTwist eta, eta_dot;
    ElvWrench lam;
} ElvMotionSection;

// rows: zeta, d_eta, d_eta_dot, d_lam, six each; columns: those of a segment's start
enum { ELV_MOTION_ROW = 24, ELV_MOTION_COLUMN = 24 };

/// Variations, carried by Ad_g into the frame of the segment (motion_tangent.h); at its start these are the same.
typedef struct {
    int n; // columns in use, the others are zero
    double x[ELV_MOTION_ROW][ELV_MOTION_COLUMN];
} ElvMotionTangent;

/// The section as the start of a segment, and the section that a state stands for.
ElvMotionState elv_motion_state_at(const ElvMotionSection* at);
ElvMotionSection elv_motion_section(const ElvMotionState* y);

/// Variations of the section in its own axes, from those that were carried.
void elv_motion_tangent_end(const ElvMotionState* y, ElvMotionTangent* tangent);

enum { ELV_MOTION_LANE = 4 };

/// A segment at one of its steps. A lane that does not move computes, but nothing comes of it.
typedef struct {
    int i_step;
    bool moves;
    ElvMotionState* y;
    ElvMotionTangent* tangent; // NULL in all lanes, or in none
} ElvMotionLane;

/// One step along four segments. node: fields at all nodes of the chain, of which those of these steps are set; or NULL.
/// ELV_ERROR_SINGULAR, ELV_ERROR_NUMERIC: no strain, or the shot runs away in step *lost; states are then undefined.
ElvStatus elv_motion_step(const ElvMotionGrid* motion,
                          const ElvMotionLane lane[ELV_MOTION_LANE],
                          ElvFieldNode* node,
                          int* lost);

/// n segments, at most four, with what stands at the ends of their steps: segment k has the steps first[k] ...
/// first[k + 1] - 1. y: starts in, ends out (n); tangent: (n), or NULL; node as above.
ElvStatus elv_motion_run(const ElvMotionGrid* motion,
                         int n,
                         const int* first,
                         ElvMotionState* y,
                         ElvMotionTangent* tangent,
                         ElvFieldNode* node,
                         int* lost);

#endif
