// SPDX-License-Identifier: Apache-2.0
// Tangent maps of SE(3): T(x) with eta = T(x) x_dot for g = exp(x), its inverse and derivatives.
//
// A twist (ang, lin) acts like the dual vector ang + e lin, e^2 = 0, in every cross product. Hence
// the SE(3) map is the SO(3) map M of that dual vector, a matrix [A 0; B A] whose lower block is
// the derivative of M along the linear part:
//   T(x) = sum_k (-ad_x)^k/(k + 1)! = [M(ang) 0; DM(ang)[lin] M(ang)], and likewise for T^-1.
// Derivatives of these follow block by block, and need second derivatives of M at most.
#include "elver/lie.h"

#include "lie/dual.h"
#include "lie/so3_map.h"

static ElvMat6 dual_map(ElvTwist x, ElvMapCoefficients c) {
    return elv_dual_matrix(elv_so3_map(x.ang, c), elv_so3_map_dot(x.ang, c, x.lin));
}

static ElvMat6 dual_map_dot(ElvTwist x, ElvMapCoefficients c, ElvTwist x_dot) {
    // e-part of DM(ang + e lin)[ang_dot + e lin_dot]
    ElvMat3 lower = elv_mat3_add(elv_so3_map_dot(x.ang, c, x_dot.lin),
                                 elv_so3_map_dot_dot(x.ang, c, x.lin, x_dot.ang));
    return elv_dual_matrix(elv_so3_map_dot(x.ang, c, x_dot.ang), lower);
}

static ElvMat6 dual_map_diff(ElvTwist x, ElvMapCoefficients c, ElvTwist k) {
    // e-part of the Jacobian of M(ang + e lin) (k.ang + e k.lin)
    ElvMat3 lower = elv_mat3_add(elv_so3_map_diff(x.ang, c, k.lin),
                                 elv_so3_map_diff_dot(x.ang, c, k.ang, x.lin));
    return elv_dual_matrix(elv_so3_map_diff(x.ang, c, k.ang), lower);
}

static ElvMapCoefficients tangent_coefficients(ElvTwist x, int order) {
    return elv_tangent_coefficients(elv_vec3_dot(x.ang, x.ang), order);
}

static ElvMapCoefficients tangent_inv_coefficients(ElvTwist x, int order) {
    return elv_tangent_inv_coefficients(elv_vec3_dot(x.ang, x.ang), order);
}

ElvMat6 elv_se3_tangent(ElvTwist x) {
    return dual_map(x, tangent_coefficients(x, 1));
}

ElvMat6 elv_se3_tangent_inv(ElvTwist x) {
    return dual_map(x, tangent_inv_coefficients(x, 1));
}

ElvMat6 elv_se3_tangent_dot(ElvTwist x, ElvTwist x_dot) {
    return dual_map_dot(x, tangent_coefficients(x, 2), x_dot);
}

ElvMat6 elv_se3_tangent_inv_dot(ElvTwist x, ElvTwist x_dot) {
    return dual_map_dot(x, tangent_inv_coefficients(x, 2), x_dot);
}

ElvMat6 elv_se3_tangent_diff(ElvTwist x, ElvTwist a) {
    return dual_map_diff(x, tangent_coefficients(x, 2), a);
}

ElvMat6 elv_se3_tangent_inv_diff(ElvTwist x, ElvTwist a) {
    return dual_map_diff(x, tangent_inv_coefficients(x, 2), a);
}
