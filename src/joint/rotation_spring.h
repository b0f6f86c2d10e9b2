// SPDX-License-Identifier: Apache-2.0
// A spring on the rotation vector of spherical and free joints.
#ifndef ELVER_JOINT_ROTATION_SPRING_H
#define ELVER_JOINT_ROTATION_SPRING_H

#include "elver/lie.h"

/// Spring of the rotation vector Theta = log R(q), angle up to pi: U = 1/2 sum k_i Theta_i^2.
/// Adds to effort its moment on the body angular velocity, body axes; returns U, J.
/// stiffness: N m/rad (3).
double elv_rotation_spring(const double stiffness[3], ElvQuat q, double effort[3]);

/// Its stiffness: minus the derivative of the effort for variations of the moving frame, added to the
/// upper left 3x3 of K (row stride ld).
void elv_rotation_spring_tangent(const double stiffness[3], ElvQuat q, int ld, double* K);

#endif
