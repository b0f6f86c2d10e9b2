// SPDX-License-Identifier: Apache-2.0
// Where a constraint written in C is asked for, and its derivatives along a direction.
#ifndef ELVER_MULTIBODY_OWN_POINT_H
#define ELVER_MULTIBODY_OWN_POINT_H

#include "multibody/own_constraint.h"

enum {
    ELV_OWN_MAX_COLUMN = 6 * ELV_OWN_FRAMES_MAX + ELV_OWN_JOINTS_MAX,
    ELV_OWN_MAX_J = ELV_OWN_ROWS_MAX * ELV_OWN_MAX_COLUMN
};

/// Arguments of the callback.
typedef struct {
    double t;
    ElvPose g[ELV_OWN_FRAMES_MAX];
    ElvTwist eta[ELV_OWN_FRAMES_MAX];
    double q[ELV_OWN_JOINTS_MAX], v[ELV_OWN_JOINTS_MAX];
} ElvOwnPoint;

/// A direction in which they move: body displacements of frames and changes of their twists, of q
/// and v, of t.
typedef struct {
    double t;
    ElvTwist shift[ELV_OWN_FRAMES_MAX], d_eta[ELV_OWN_FRAMES_MAX];
    double d_q[ELV_OWN_JOINTS_MAX], d_v[ELV_OWN_JOINTS_MAX];
} ElvOwnDirection;

/// Columns of J.
int elv_own_columns(const ElvOwnConstraint* own);

/// Pose of frame f in the one frame.
ElvPose elv_own_pose(const ElvOwnConstraint* own, const ElvScene* scene, int f);

ElvOwnPoint elv_own_point(const ElvOwnConstraint* own, const ElvScene* scene);

/// The callback; J may be NULL.
void elv_own_ask(const ElvOwnConstraint* own, const ElvOwnPoint* point, double* phi, double* J);

/// Derivatives of phi and J along a direction.
void elv_own_differentiate(const ElvOwnConstraint* own,
                           const ElvOwnPoint* point,
                           const ElvOwnDirection* d,
                           double* d_phi,
                           double* d_J);

/// Time derivative of a row on velocities, or derivative of order `level` of a row on positions,
/// along the motion in hand.
double elv_own_derivative(const ElvOwnConstraint* own,
                          const ElvScene* scene,
                          const ElvOwnPoint* point,
                          int row,
                          int level);

#endif
