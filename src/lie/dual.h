// SPDX-License-Identifier: Apache-2.0
// Dual 3x3 matrices A + e B, e^2 = 0, in their 6x6 form [A 0; B A]: the shape shared by Ad_g, ad_v,
// and the tangent maps of SE(3) with their derivatives.
#ifndef ELVER_LIE_DUAL_H
#define ELVER_LIE_DUAL_H

#include "elver/lie.h"

/// [A 0; B A]
static inline ElvMat6 elv_dual_matrix(ElvMat3 a, ElvMat3 b) {
    ElvMat6 r;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            r.m[i][j] = a.m[i][j];
            r.m[i][j + 3] = 0.0;
            r.m[i + 3][j] = b.m[i][j];
            r.m[i + 3][j + 3] = a.m[i][j];
        }
    }
    return r;
}

#endif
