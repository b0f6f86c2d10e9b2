// SPDX-License-Identifier: Apache-2.0
// Sixth-order Magnus step of g' = g hat(xi).
#ifndef ELVER_ROD_MAGNUS_H
#define ELVER_ROD_MAGNUS_H

#include "elver/lie.h"

enum { ELV_MAGNUS_POINT = 3 };

/// Where in a step of unit length the strain is sampled (Gauss points).
extern const double ELV_MAGNUS_NODE[ELV_MAGNUS_POINT];

/// The moments are linear in the strain: a[m] = h sum_p ELV_MAGNUS_MOMENT[m][p] xi(point p).
extern const double ELV_MAGNUS_MOMENT[3][ELV_MAGNUS_POINT];

/// Logarithm of the step's pose increment from the moments a[0], a[1], a[2].
ElvTwist elv_magnus_log(const ElvTwist a[3]);

#endif
