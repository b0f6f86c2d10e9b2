// SPDX-License-Identifier: Apache-2.0
// What a fluid at rest does to bodies and rods, by coefficients: a viscous wrench -R eta and added inertia, both
// diagonal in their own axes. As 6 x 6 matrices they are of the kind of an inertia, which is what holds them.
#ifndef ELVER_ROD_FLUID_H
#define ELVER_ROD_FLUID_H

#include "elver/lie.h"
#include "rod/rod.h"

/// Whether one of six coefficients is not zero.
static inline bool elv_fluid_acts(const double coefficient[6]) {
    bool acts = false;
    for (int i = 0; i < 6; i++) {
        acts = acts || coefficient[i] != 0.0;
    }
    return acts;
}

/// The matrix of coefficients about a centre, in the axes of the frame that the centre is given in.
static inline ElvInertia elv_fluid_matrix(const double coefficient[6], ElvVec3 center) {
    ElvInertia own = elv_inertia_zero();
    own.J = elv_mat3_diag(coefficient[0], coefficient[1], coefficient[2]);
    own.M = elv_mat3_diag(coefficient[3], coefficient[4], coefficient[5]);
    return elv_inertia_transform(elv_pose(elv_mat3_identity(), center), own);
}

/// Add R eta to work->f at all nodes of a rod that a fluid resists.
void elv_rod_resist(const ElvRod* rod, const ElvRodWork* work);

/// Add its variation, times the quadrature weight, to work->K.
void elv_rod_resist_variations(const ElvRod* rod, const ElvRodWork* work);

#endif
