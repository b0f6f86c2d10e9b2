// SPDX-License-Identifier: Apache-2.0
// Sixth-order Magnus step of rotations, R' = R hat(K).
#ifndef ELVER_ROD_MAGNUS_H
#define ELVER_ROD_MAGNUS_H

#include "lie/lie4.h"

enum { ELV_MAGNUS_POINT = 3 };

/// Where in a step of unit length the curvature is sampled (Gauss points).
extern const double ELV_MAGNUS_NODE[ELV_MAGNUS_POINT];

/// The moments are linear in the curvature: a[m] = h sum_p ELV_MAGNUS_MOMENT[m][p] K(point p).
extern const double ELV_MAGNUS_MOMENT[3][ELV_MAGNUS_POINT];

/// Logarithm of the step's rotation from the moments a[0], a[1], a[2].
ElvVec3 elv_magnus_log(const ElvVec3 a[3]);

/// The same for four steps.
ELV_INLINE ElvVec3x4 elv_magnus_log4(const ElvVec3x4 a[3]) {
    // C1 = -[a0, a1],  C2 = [a0, 2 a2 + C1] / 60
    ElvVec3x4 c1 = elv_vec3x4_cross(a[1], a[0]);
    ElvVec3x4 c2 = elv_vec3x4_cross(a[0], elv_vec3x4_add_scaled(c1, 2.0, a[2]));
    // Omega = a0 + a2/12 - [-20 a0 - a2 + C1, a1 + C2] / 240
    ElvVec3x4 left = elv_vec3x4_add_scaled(elv_vec3x4_sub(c1, a[2]), -20.0, a[0]);
    ElvVec3x4 right = elv_vec3x4_add_scaled(a[1], 1.0 / 60.0, c2);
    ElvVec3x4 omega = elv_vec3x4_add_scaled(a[0], 1.0 / 12.0, a[2]);
    return elv_vec3x4_add_scaled(omega, -1.0 / 240.0, elv_vec3x4_cross(left, right));
}

#endif
