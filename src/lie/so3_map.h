// SPDX-License-Identifier: Apache-2.0
// Matrices of the form M(theta) = 1 - a hat(theta) + b hat(theta)^2 and their derivatives, shared
// by exp, T and T^-1 on SO(3), and by T and T^-1 on SE(3), whose lower left blocks are derivatives
// of the SO(3) ones along the linear part.
#ifndef ELVER_LIE_SO3_MAP_H
#define ELVER_LIE_SO3_MAP_H

#include "elver/vec3.h"
#include "lie/coefficients.h"

/// M(theta)
ElvMat3 elv_so3_map(ElvVec3 theta, ElvMapCoefficients c);

/// exp(theta), and the b of T(theta)^-1 = 1 + hat(theta)/2 + b hat(theta)^2: what a step by rotation vectors needs.
ElvMat3 elv_so3_exp_step(ElvVec3 theta, double* b);

/// DM[u]: derivative of M along u. Needs coefficients of order 1.
ElvMat3 elv_so3_map_dot(ElvVec3 theta, ElvMapCoefficients c, ElvVec3 u);

/// D2M[u, w]: second derivative of M along u and w. Needs order 2.
ElvMat3 elv_so3_map_dot_dot(ElvVec3 theta, ElvMapCoefficients c, ElvVec3 u, ElvVec3 w);

/// Jacobian in theta of M(theta) k, with k held fixed. Needs order 1.
ElvMat3 elv_so3_map_diff(ElvVec3 theta, ElvMapCoefficients c, ElvVec3 k);

/// Derivative along u of the Jacobian in theta of M(theta) k. Needs order 2.
ElvMat3 elv_so3_map_diff_dot(ElvVec3 theta, ElvMapCoefficients c, ElvVec3 k, ElvVec3 u);

#endif
