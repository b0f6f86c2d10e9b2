// SPDX-License-Identifier: Apache-2.0
// A fluid along a rod: its wrench per metre, in section axes, is external; variations in the one
// frame are those of joint/variation.h. Without a fluid in the model there is still resistance, the
// viscous wrench -R eta of a fluid at rest.
#include "rod/fluid.h"

#include "joint/variation.h"
#include "rod/fluid_surface.h"

enum { ROW = ELV_N_VARIATION };

void elv_rod_fluid_wrenches(const ElvRod* rod, const ElvRodWork* work, const ElvJointInput* in) {
    bool is_wet = rod->fluid && in->fluid;
    for (int i = 0; i < rod->n_node && is_wet; i++) {
        ElvTwist eta = elv_twist_transform_inv(work->g[i], work->V[i]);
        ElvWrench load = elv_fluid_wrench(&rod->fluid[i], in->fluid, &work->g[i], eta, NULL, NULL);
        work->f[i] = elv_wrench_sub(work->f[i], elv_wrench_transform(work->g[i], load));
    }
    for (int i = 0; i < rod->n_node && rod->resistance && !is_wet; i++) {
        ElvTwist eta = elv_twist_transform_inv(work->g[i], work->V[i]);
        ElvWrench drag = elv_inertia_apply(*rod->resistance, eta);
        work->f[i] = elv_wrench_add(work->f[i], elv_wrench_transform(work->g[i], drag));
    }
}

// K of a node, which has two columns more, += K
static void add_padded(const double K[6 * ROW], double* padded) {
    for (int p = 0; p < 6; p++) {
        for (int k = 0; k < ROW; k++) {
            padded[p * ELV_ROD_K_ROW + k] += K[p * ROW + k];
        }
    }
}

void elv_rod_fluid_variations(const ElvRod* rod, const ElvRodWork* work, const ElvJointInput* in) {
    bool is_wet = rod->fluid && in->fluid;
    for (int i = 0; i < rod->n_node && (is_wet || rod->resistance); i++) {
        double K[6 * ROW] = {0.0};
        const ElvPose* g = &work->g[i];
        if (is_wet) {
            ElvMat6 by_pose, by_eta;
            ElvTwist eta = elv_twist_transform_inv(*g, work->V[i]);
            ElvWrench load = elv_fluid_wrench(&rod->fluid[i], in->fluid, g, eta, &by_pose, &by_eta);
            elv_variation_wrench(g, &load, &by_pose, &by_eta, -rod->weight[i], K);
        } else {
            ElvInertia R = elv_inertia_transform(*g, *rod->resistance);
            elv_variation_resistance(&R, &work->V[i], rod->weight[i], K);
        }
        add_padded(K, work->K + (size_t)i * 6 * ELV_ROD_K_ROW);
    }
}

void elv_rod_fluid_measure(const ElvRod* rod,
                           const ElvRodWork* work,
                           const ElvJointInput* in,
                           ElvMeasure* sum) {
    bool is_wet = rod->fluid && in->fluid;
    for (int i = 0; i < rod->n_node && (is_wet || rod->resistance); i++) {
        const ElvPose* g = &work->g[i];
        double weight = rod->weight[i];
        ElvTwist eta = elv_twist_transform_inv(*g, work->V[i]);
        if (!is_wet) {
            sum->fluid += weight * elv_power(eta, elv_inertia_apply(*rod->resistance, eta));
            continue;
        }
        sum->gravity += weight * elv_fluid_potential(&rod->fluid[i], in->fluid, g);
        sum->fluid += weight * elv_fluid_power(&rod->fluid[i], in->fluid, g, eta);
        // Phi resists strains that change
        if (rod->is_slender) {
            ElvWrench flux = elv_fluid_flux(&rod->fluid[i].added, in->fluid, g, eta, NULL, NULL);
            ElvTwist rate = elv_rod_strain_rate_at(rod, in->v, rod->s[i]);
            sum->fluid += weight * elv_power(rate, flux);
        }
    }
}

ElvWrench elv_rod_fluid_wrench(
    const ElvRod* rod, const ElvJointInput* in, int i, const ElvPose* g, ElvTwist eta) {
    if (rod->fluid && in->fluid) {
        return elv_fluid_wrench(&rod->fluid[i], in->fluid, g, eta, NULL, NULL);
    }
    return rod->resistance ? elv_wrench_scale(-1.0, elv_inertia_apply(*rod->resistance, eta))
                           : elv_wrench_zero();
}

void elv_rod_fluid_local(
    const ElvRod* rod, const ElvJointInput* in, int i, const ElvPose* g, ElvTwist eta, double* L) {
    bool is_wet = rod->fluid && in->fluid;
    if (!is_wet && !rod->resistance) {
        return;
    }
    ElvMat6 by_pose = {{{0.0}}};
    ElvMat6 by_eta;
    if (is_wet) {
        (void)elv_fluid_wrench(&rod->fluid[i], in->fluid, g, eta, &by_pose, &by_eta);
    } else {
        by_eta = elv_inertia_matrix(elv_inertia_scale(-1.0, *rod->resistance));
    }
    for (int k = 0; k < 36; k++) {
        L[(k / 6) * ROW + k % 6] -= by_pose.m[k / 6][k % 6];
        L[(k / 6) * ROW + 6 + k % 6] -= by_eta.m[k / 6][k % 6];
    }
}
