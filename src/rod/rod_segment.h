// SPDX-License-Identifier: Apache-2.0
// Cutting a rod into smooth segments and tabulating the basis on their nodes.
#ifndef ELVER_ROD_ROD_SEGMENT_H
#define ELVER_ROD_ROD_SEGMENT_H

#include "rod/rod.h"

enum { ELV_MAX_BREAKS = 4096 };

/// Stations at which a segment must end, sorted and distinct, 0 and 1 included; returns their
/// number, or -1 when there are more than ELV_MAX_BREAKS.
int elv_rod_breaks(const ElvRod* rod, const ElvCrossSection* section, double* breaks);

/// Fill one segment from s0 to s1 with nodes, weights and basis values.
ELV_NODISCARD ElvStatus elv_rod_segment_init(ElvRodSegment* segment,
                                             const ElvRod* rod,
                                             int i_node,
                                             double s0,
                                             double s1,
                                             ElvPool* pool,
                                             ElvError* error);

#endif
