// SPDX-License-Identifier: Apache-2.0
// What a fluid does to rods. Resistance, the viscous wrench -R eta, and added inertia by
// coefficients are diagonal in their own axes: as 6 x 6 matrices they are of the kind of an
// inertia, which is what holds them.
#ifndef ELVER_ROD_FLUID_H
#define ELVER_ROD_FLUID_H

#include "elver/lie.h"
#include "rod/fluid_load.h"
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

// fluid_section.c

/// Whether a rod feels something of the fluid, but for resistance and added inertia by six numbers.
bool elv_fluid_is_felt(const ElvRodFluidDef* def);

/// Whether the fluid takes energy from a rod: by resistance, drag, or the wake of elongated body
/// theory.
bool elv_rod_is_resisted(const ElvRod* rod);

/// Added inertia per metre at station s, section frame.
ElvInertia elv_rod_added_at(const ElvRod* rod, double s);

/// What of the section at station s the fluid acts on, per metre.
ElvFluidShape elv_rod_fluid_at(const ElvRod* rod, double s);

/// The shapes at the nodes, and what is said of the ends; false without memory.
ELV_NODISCARD bool elv_rod_fluid_build(ElvRod* rod, ElvPool* pool);

// fluid.c

/// Subtract the wrench of the fluid from work->f at all nodes of a rod.
void elv_rod_fluid_wrenches(const ElvRod* rod, const ElvRodWork* work, const ElvJointInput* in);

/// Add the variation of minus that wrench, times the quadrature weight, to work->K.
void elv_rod_fluid_variations(const ElvRod* rod, const ElvRodWork* work, const ElvJointInput* in);

/// Add the potential of buoyancy and the power given to the fluid to sums over the rod, but for
/// what its ends take.
void elv_rod_fluid_measure(const ElvRod* rod,
                           const ElvRodWork* work,
                           const ElvJointInput* in,
                           ElvMeasure* sum);

/// The wrench at node i, section frame of pose g and twist eta.
ElvWrench elv_rod_fluid_wrench(
    const ElvRod* rod, const ElvJointInput* in, int i, const ElvPose* g, ElvTwist eta);

/// Add the variation of minus that wrench by (d_zeta, d_eta, d_eta_dot) to L (6 x 18).
void elv_rod_fluid_local(
    const ElvRod* rod, const ElvJointInput* in, int i, const ElvPose* g, ElvTwist eta, double* L);

#endif
