// SPDX-License-Identifier: Apache-2.0
// The tangent of the residual about a state, for the unknowns of a time step.
#ifndef ELVER_MULTIBODY_TIDM_H
#define ELVER_MULTIBODY_TIDM_H

#include "multibody/data.h"

/// Tangents of all joints, bodies and loads about the state on which elv_residual (or elv_idm) has
/// just run. nu: the unknown, charted from the start of the step (for joints with quaternions);
/// velocities vary by a d_nu, accelerations by b d_nu. With nu NULL (and a = 0, b = 1) only the
/// accelerations vary: the tangent is the mass matrix.                           [P23 (14)-(15), (26)]
void elv_tidm_pass(const ElvModel* model,
                   ElvData* data,
                   const ElvState* state,
                   const double* nu,
                   double a,
                   double b);

/// The same of the IDM alone, without internal efforts, after elv_idm: for displacements c d in the axes of the
/// velocities, which vary by a d, and accelerations that vary by b d; one of the three at least is not 0, and c
/// is 0 or 1. In the axes of velocities components of free joints are those of their twist.
void elv_tidm_bare_pass(
    const ElvModel* model, ElvData* data, const ElvState* state, double c, double a, double b);

/// Variation of the residual along d_nu, after elv_tidm_pass: forward and backward recursions.
/// Components of motion-driven joints do not vary. d_residual: (nv).           [P23 (48)-(55), (66)]
void elv_tidm_apply(const ElvModel* model, ElvData* data, const double* d_nu, double* d_residual);

/// The residual of wrenches at ports, given in data->e, and of efforts (nv) that do not depend on the
/// motion, after elv_tidm_pass.
void elv_tidm_project(const ElvModel* model,
                      ElvData* data,
                      const double* effort,
                      double* d_residual);

/// elv_tidm_apply as a matrix (nv x nv), row-major, column by column: the check on the tree solve.
void elv_tidm_matrix(const ElvModel* model, ElvData* data, double* jacobian);

/// Eliminate every joint against its condensed subtree, from the leaves; cost linear in the number
/// of joints. Returns -1 when done, or the node whose block is singular.
int elv_tree_factor(const ElvModel* model, ElvData* data);

/// Solve (tangent) d_nu = -residual with the last factorisation; driven components get 0.
void elv_tree_solve(const ElvModel* model, ElvData* data, const double* residual, double* d_nu);

/// Variations data->x of all ports that belong to the d_nu of a solve, which leaves them out where no joint
/// hangs.
void elv_tree_move(const ElvModel* model, ElvData* data, const double* d_nu);

/// elv_tree_solve with further wrenches at the ports, given in data->e.
void elv_tree_solve_wrenches(const ElvModel* model,
                             ElvData* data,
                             const double* residual,
                             double* d_nu);

#endif
