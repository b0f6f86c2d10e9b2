// SPDX-License-Identifier: Apache-2.0
// The part of a smooth segment from its start to a station inside, integrated like a segment of its own.
#ifndef ELVER_ROD_ROD_PART_H
#define ELVER_ROD_ROD_PART_H

#include "rod/rod.h"

/// Segment that holds station s; where two meet, the outer one.
int elv_rod_segment_at(const ElvRod* rod, double s);

/// Poses on the part of a segment from its start to s, after a forward sweep with the same q: at its nodes,
/// which are those of the segment drawn in, so that x, w and C of the segment serve it too, in g (n_node);
/// the pose at s is returned. Quadrature alone.
ElvPose elv_rod_part_poses(const ElvRod* rod,
                           const ElvRodWork* work,
                           const double* q,
                           int i_segment,
                           double s,
                           ElvPose* g);

/// The pose at s1 from that at s0, both on one segment and not far apart: for who goes along a rod, and needs poses
/// alone. Steps are no longer than those of the segment. Quadrature alone.             [P20 (17), P23 (35)]
ElvPose elv_rod_part_advance(
    const ElvRod* rod, const double* q, int i_segment, double s0, double s1, ElvPose g);

#endif
