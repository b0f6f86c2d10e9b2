// SPDX-License-Identifier: Apache-2.0
// Sixth-order Magnus step of rotations, R' = R hat(K).
#ifndef ELVER_ROD_MAGNUS_H
#define ELVER_ROD_MAGNUS_H

#include "elver/lie.h"

enum { ELV_MAGNUS_POINT = 3 };

/// Where in a step of unit length the curvature is sampled (Gauss points).
extern const double ELV_MAGNUS_NODE[ELV_MAGNUS_POINT];

/// The moments are linear in the curvature: a[m] = h sum_p ELV_MAGNUS_MOMENT[m][p] K(point p).
extern const double ELV_MAGNUS_MOMENT[3][ELV_MAGNUS_POINT];

/// Logarithm of the step's rotation from the moments a[0], a[1], a[2].
ElvVec3 elv_magnus_log(const ElvVec3 a[3]);

#endif
