// SPDX-License-Identifier: Apache-2.0
// The Newton step of a tree with devices: the tangent of the tree, bordered by the rows and columns of
// the devices' unknowns.
#ifndef ELVER_MULTIBODY_BORDER_H
#define ELVER_MULTIBODY_BORDER_H

#include "multibody/device.h"

/// The equations of z at a state, after elv_residual on it: c and size (nz).
void elv_border_equation(const ElvModel* model,
                         ElvData* data,
                         const ElvState* state,
                         const ElvBorderRule* rule,
                         double* c,
                         double* size);

/// Defects of all constraints, or their time derivatives (level 0, 1, 2), at the motion in data: c (nz), 0
/// for what is none. h: see ElvDeviceOps.
void elv_border_motion(
    const ElvModel* model, ElvData* data, const ElvState* state, int level, double h, double* c);

/// Constraints that the last factors have found to follow from others, and the name of one, or NULL.
int elv_border_redundant(const ElvModel* model, const ElvData* data, const char** name);

/// Remember the gaps of all constraints at a configuration. Runs the forward pass.
void elv_border_open(const ElvModel* model, ElvData* data, const ElvState* state);

/// Take z at the end of a step over into a state that is still at its start; rates of what is differential
/// follow from the rule itself.
void elv_border_accept(const ElvModel* model,
                       const ElvBorderRule* rule,
                       const double* z,
                       ElvState* state);

/// z and its rates between two states, linear, at x in [0, 1].
void elv_border_between(const ElvState* from, const ElvState* to, double x, ElvState* state);

/// Factor the bordered tangent, after elv_tidm_pass at the same state. Returns -1 when done, or the node
/// whose block is singular, or n_node + i when the unknown i of the devices is.
int elv_border_factor(const ElvModel* model,
                      ElvData* data,
                      const ElvState* state,
                      const ElvBorderRule* rule);

/// Solve (bordered tangent) (d_nu; d_z) = -(residual; c) with the last factors.
void elv_border_solve(const ElvModel* model,
                      ElvData* data,
                      const ElvState* state,
                      const ElvBorderRule* rule,
                      const double* residual,
                      const double* c,
                      double* d_nu,
                      double* d_z);

/// Variation of (residual; c) along (d_nu; d_z): the check on the solve.
void elv_border_apply(const ElvModel* model,
                      ElvData* data,
                      const ElvState* state,
                      const ElvBorderRule* rule,
                      const double* d_nu,
                      const double* d_z,
                      double* d_residual,
                      double* d_c);

#endif
