// SPDX-License-Identifier: Apache-2.0
// Rigid displacements: exponential, logarithm, and the dense 6x6 forms of Ad_g and ad_v.
//
// exp(ang, lin) = (exp(ang), V lin) with V = sum_k hat(ang)^k/(k + 1)! = T(ang)^T = T(-ang), so
// that the logarithm's linear part is T(-ang)^-1 p.
#include "elver/lie.h"

#include "lie/dual.h"
#include "lie/so3_map.h"

// M(-theta) p = p + a theta x p + b theta x (theta x p)
static ElvVec3 apply_transposed_map(ElvMapCoefficients c, ElvVec3 theta, ElvVec3 p) {
    ElvVec3 once = elv_vec3_cross(theta, p);
    ElvVec3 twice = elv_vec3_cross(theta, once);
    return elv_vec3_add_scaled(elv_vec3_add_scaled(p, c.a, once), c.b, twice);
}

ElvPose elv_se3_exp(ElvTwist x) {
    double s = elv_vec3_dot(x.ang, x.ang);
    ElvMapCoefficients c = elv_tangent_coefficients(s, 0);
    return elv_pose(elv_so3_map(x.ang, elv_exp_coefficients(s, c)),
                    apply_transposed_map(c, x.ang, x.lin));
}

ElvTwist elv_se3_log(ElvPose g) {
    ElvVec3 ang = elv_so3_log(g.R);
    ElvMapCoefficients c = elv_tangent_inv_coefficients(elv_vec3_dot(ang, ang), 0);
    return elv_twist(ang, apply_transposed_map(c, ang, g.p));
}

ElvMat6 elv_pose_adjoint(ElvPose g) {
    return elv_dual_matrix(g.R, elv_mat3_mul(elv_mat3_hat(g.p), g.R));
}

ElvMat6 elv_twist_adjoint(ElvTwist v) {
    return elv_dual_matrix(elv_mat3_hat(v.ang), elv_mat3_hat(v.lin));
}

ElvMat6 elv_mat6_mul(ElvMat6 a, ElvMat6 b) {
    ElvMat6 c;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++) {
                sum += a.m[i][k] * b.m[k][j];
            }
            c.m[i][j] = sum;
        }
    }
    return c;
}

ElvTwist elv_mat6_apply(ElvMat6 a, ElvTwist v) {
    double x[6], y[6];
    elv_twist_to_array(v, x);
    for (int i = 0; i < 6; i++) {
        y[i] = 0.0;
        for (int j = 0; j < 6; j++) {
            y[i] += a.m[i][j] * x[j];
        }
    }
    return elv_twist_from_array(y);
}
