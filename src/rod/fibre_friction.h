// SPDX-License-Identifier: Apache-2.0
// Capstan friction of a fibre: the angle by which its direction turns in space along the rod, and
// what that angle adds to the tangent. Strains and their derivatives are taken from work->active.
#ifndef ELVER_ROD_FIBRE_FRICTION_H
#define ELVER_ROD_FIBRE_FRICTION_H

#include "rod/fibre.h"

static inline bool elv_fibre_has_friction(const ElvFibre* fibre) {
    return fibre->def.friction != 0.0;
}

/// Angle theta turned since the fibre entered the rod, at its nodes, in work->active; returns the
/// angle where it leaves.
double elv_fibre_turn(const ElvRod* rod, ElvRodWork* work, const ElvFibre* fibre);

/// The same at any station of the fibre, after elv_fibre_turn.
double
elv_fibre_angle_at(const ElvRod* rod, const ElvRodWork* work, const ElvFibre* fibre, double s);

/// The tangent's part that comes from d_theta, segment by segment along the path: begin, then for
/// each segment, with the forces of its nodes in work->active, add the part to Qq.
void elv_fibre_friction_begin(const ElvRod* rod, ElvRodWork* work);
void elv_fibre_friction_segment(
    const ElvRod* rod, ElvRodWork* work, const ElvFibre* fibre, int i_segment, double* Qq);

#endif
