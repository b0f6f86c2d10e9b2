// SPDX-License-Identifier: Apache-2.0
// Viscous resistance along a rod: the wrench -R eta per metre, in section axes, is external; its variation in the
// one frame is that of joint/variation.h.
#include "rod/fluid.h"

#include "joint/variation.h"

enum { ROW = ELV_N_VARIATION };

void elv_rod_resist(const ElvRod* rod, const ElvRodWork* work) {
    for (int i = 0; i < rod->n_node && rod->resistance; i++) {
        ElvTwist eta = elv_twist_transform_inv(work->g[i], work->V[i]);
        ElvWrench drag = elv_inertia_apply(*rod->resistance, eta);
        work->f[i] = elv_wrench_add(work->f[i], elv_wrench_transform(work->g[i], drag));
    }
}

void elv_rod_resist_variations(const ElvRod* rod, const ElvRodWork* work) {
    for (int i = 0; i < rod->n_node && rod->resistance; i++) {
        double K[6 * ROW] = {0.0};
        double* padded = work->K + (size_t)i * 6 * ELV_ROD_K_ROW;
        ElvInertia R = elv_inertia_transform(work->g[i], *rod->resistance);
        elv_variation_resistance(&R, &work->V[i], rod->weight[i], K);
        for (int p = 0; p < 6; p++) {
            for (int k = 0; k < ROW; k++) {
                padded[p * ELV_ROD_K_ROW + k] += K[p * ROW + k];
            }
        }
    }
}
