// SPDX-License-Identifier: Apache-2.0
// Four rotations exp(theta) at once, and what goes with them. Below one radian all lanes share the series of
// lie/coefficients.h, cut where its terms are below rounding; a group with a larger angle goes through elv_so3_exp.
#ifndef ELVER_LIE_SO3_EXP4_H
#define ELVER_LIE_SO3_EXP4_H

#include "lie/coefficients.h"
#include "lie/lie4.h"

#include <stdbool.h>

enum { ELV_EXP4_TERM = 9 }; // at s = 1 the tenth term is 1/20!

/// (x - sin(x))/x^3 and (1 - cos(x))/x^2 as functions of s = x^2 < 1.
ELV_INLINE void elv_exp4_series(ElvReal4 s, ElvReal4* c3, ElvReal4* c2) {
    // 1/(2j + 3)! and 1/(2j + 2)!
    static const double odd[ELV_EXP4_TERM] = {
        0.16666666666666666,    0.0083333333333333333,  1.984126984126984e-04,
        2.7557319223985893e-06, 2.505210838544172e-08,  1.6059043836821613e-10,
        7.647163731819816e-13,  2.8114572543455206e-15, 8.22063524662433e-18};
    static const double even[ELV_EXP4_TERM] = {0.5,
                                               0.041666666666666664,
                                               0.0013888888888888889,
                                               2.48015873015873e-05,
                                               2.755731922398589e-07,
                                               2.08767569878681e-09,
                                               1.1470745597729725e-11,
                                               4.779477332387385e-14,
                                               1.5619206968586225e-16};
    *c3 = elv_real4(odd[ELV_EXP4_TERM - 1]);
    *c2 = elv_real4(even[ELV_EXP4_TERM - 1]);
    for (int j = ELV_EXP4_TERM - 2; j >= 0; j--) {
        *c3 = odd[j] - s * *c3;
        *c2 = even[j] - s * *c2;
    }
}

ELV_INLINE bool elv_so3_is_small4(ElvReal4 s) {
    return s[0] < 1.0 && s[1] < 1.0 && s[2] < 1.0 && s[3] < 1.0;
}

/// R = exp(hat(theta)) = 1 + sin(x)/x hat(theta) + (1 - cos(x))/x^2 hat(theta)^2, lane by lane.
ELV_INLINE ElvMat3x4 elv_so3_exp4_small(ElvVec3x4 theta, ElvReal4 s) {
    ElvReal4 c3, c2;
    elv_exp4_series(s, &c3, &c2);
    ElvVec3x4 a = elv_vec3x4_scale(1.0 - s * c3, theta);
    ElvVec3x4 b = elv_vec3x4_scale(c2, theta);
    ElvReal4 xy = b.x * theta.y, xz = b.x * theta.z, yz = b.y * theta.z;
    ElvReal4 xx = b.x * theta.x, yy = b.y * theta.y, zz = b.z * theta.z;
    return (ElvMat3x4){{{1.0 - (yy + zz), xy - a.z, xz + a.y},
                        {xy + a.z, 1.0 - (xx + zz), yz - a.x},
                        {xz - a.y, yz + a.x, 1.0 - (xx + yy)}}};
}

ELV_INLINE void elv_so3_exp4(ElvVec3x4 theta, ElvMat3 R[4]) {
    ElvReal4 s = elv_vec3x4_dot(theta, theta);
    ElvQuad lane = elv_quad(0, 4);
    if (!elv_so3_is_small4(s)) {
        for (int i = 0; i < 4; i++) {
            R[i] = elv_so3_exp(elv_vec3(theta.x[i], theta.y[i], theta.z[i]));
        }
        return;
    }
    ElvMat3x4 m = elv_so3_exp4_small(theta, s);
    for (int k = 0; k < 9; k++) {
        elv_real4_scatter(m.m[k / 3][k % 3], &R[0].m[0][0] + k, 9, &lane);
    }
}

/// The same in lanes, with the b of T(theta)^-1 = 1 + hat(theta)/2 + b hat(theta)^2.
ELV_INLINE ElvMat3x4 elv_so3_exp4_lanes(ElvVec3x4 theta, ElvReal4* b) {
    ElvReal4 s = elv_vec3x4_dot(theta, theta);
    if (elv_so3_is_small4(s)) {
        *b = elv_real4(elv_tangent_inv_term[ELV_TANGENT_INV_TERM - 1]);
        for (int j = ELV_TANGENT_INV_TERM - 2; j >= 0; j--) {
            *b = elv_tangent_inv_term[j] + s * *b;
        }
        return elv_so3_exp4_small(theta, s);
    }
    ElvMat3x4 R = {{{{0.0}}}};
    *b = elv_real4(0.0);
    for (int i = 0; i < 4; i++) {
        ElvMat3 own = elv_so3_exp(elv_vec3(theta.x[i], theta.y[i], theta.z[i]));
        (*b)[i] = elv_tangent_inv_coefficients(s[i], 0).b;
        for (int k = 0; k < 9; k++) {
            R.m[k / 3][k % 3][i] = own.m[k / 3][k % 3];
        }
    }
    return R;
}

#endif
