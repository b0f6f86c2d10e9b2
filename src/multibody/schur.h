// SPDX-License-Identifier: Apache-2.0
// The Schur complement of the bordered tangent, n x n, in ElvData: factors and solutions.
#ifndef ELVER_MULTIBODY_SCHUR_H
#define ELVER_MULTIBODY_SCHUR_H

#include "multibody/data.h"

/// Factor data->border_S. Constraints that follow from others make it singular: then data->border_rank < n, and
/// solutions are the smallest ones. Returns -1, or an unknown at which it is singular without constraints.
int elv_schur_factor(const ElvModel* model, ElvData* data, int n);

/// Solve S d_z = b in place. Where there are many solutions, z + d_z is the smallest; z: (nz).
void elv_schur_solve(const ElvModel* model, ElvData* data, int n, const double* z, double* d_z);

#endif
