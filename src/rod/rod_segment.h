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

// what the segments of both methods share

/// Element whose inside holds s.
int elv_rod_element_at(const ElvRod* rod, double s);

/// Port at station s (the root's excepted), or -1.
int elv_rod_port_at(const ElvRod* rod, double s);

/// List the columns of Phi that act on a segment whose middle is x_middle (element coordinate) and
/// the strain of each; with col NULL only count them.
int elv_rod_list_columns(const ElvRodElement* element, double x_middle, int* col, int* strain_of);

/// Gather a segment's columns by strain.
void elv_rod_list_runs(ElvRodSegment* segment);

/// Values of the active columns at station s.
void elv_rod_eval_columns(const ElvRodElement* element, double s, double x_middle, double* phi);

#endif
