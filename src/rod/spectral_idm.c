// SPDX-License-Identifier: Apache-2.0
// Backward cascade of a rod in section frames, tip to root                               [P23 (44)]:
//     N' = -K x N + f_lin,   C' = -K x C - Gamma x N + f_ang,   Lambda = (C, N)
//     f = M eta_dot - ad_eta^T M eta - F_ext per metre
// from Lambda = -F at the end of each segment, and the projection
//     Q = - integral of Phi^T B^T Lambda dX                                          [P23 (47), (64)]
// by the Clenshaw-Curtis weights of the same grid; what is elastic in (64) is in the efforts.
#include "rod/spectral.h"

#include "rod/fluid.h"

#include "rod/rod_flux.h"

// f at one node, section frame
static ElvWrench
node_wrench(const ElvRod* rod, const ElvRodWork* work, const ElvJointInput* in, int i) {
    const ElvSpectralWork* w = work->spectral;
    ElvMat3 R = work->g[i].R;
    ElvInertia M = rod->inertia[i];
    // M eta_dot - ad_eta^T M eta
    ElvWrench f = elv_wrench_sub(elv_inertia_apply(M, w->eta_dot[i]),
                                 elv_twist_coad(w->eta[i], elv_inertia_apply(M, w->eta[i])));
    // gravity: rho A R^T gamma_g, with its moment where the centre is off the axis
    ElvVec3 gravity = elv_mat3_apply_transpose(R, in->gravity);
    ElvWrench load =
        elv_wrench(elv_vec3_cross(rod->moment[i], gravity), elv_vec3_scale(rod->mass[i], gravity));
    f = elv_wrench_sub(f, load);
    if (rod->n_distributed > 0) {
        load = elv_rod_distributed(rod, &work->g[i], rod->s[i], in->t, 0.0, NULL);
        f = elv_wrench_add_scaled(f, -in->load, load);
    }
    return elv_wrench_sub(f, elv_rod_fluid_wrench(rod, in, i, &work->g[i], w->eta[i]));
}

// Lambda at the nodes from its value at the last one: force, then moment
static void
segment_stress(const ElvRodSegment* seg, ElvRodWork* work, int i_segment, ElvWrench end) {
    ElvSpectralWork* w = work->spectral;
    const ElvTwist* xi = w->xi + seg->i_node;
    const ElvWrench* f = w->f + seg->i_node;
    ElvWrench* lam = w->lam + seg->i_node;
    int last = seg->n_node - 1;
    elv_collocation_factor_cross(seg, xi, w->A, &w->backward[i_segment]);
    for (int i = 0; i <= last; i++) {
        elv_field_set(w->x, i, i == last ? end.frc : f[i].frc);
    }
    elv_collocation_solve(seg, &w->backward[i_segment], 1, w->x);
    for (int i = 0; i <= last; i++) {
        lam[i].frc = elv_field_get(w->x, i);
        ElvVec3 coupling = elv_vec3_cross(xi[i].lin, lam[i].frc);
        elv_field_set(w->x, i, i == last ? end.mom : elv_vec3_sub(f[i].mom, coupling));
    }
    elv_collocation_solve(seg, &w->backward[i_segment], 1, w->x);
    for (int i = 0; i <= last; i++) {
        lam[i].mom = elv_field_get(w->x, i);
    }
}

// tau -= w phi^T Lambda                                                               [P23 (47)]
static void
segment_project(const ElvRod* rod, const ElvRodSegment* seg, const ElvWrench* lam, double* tau) {
    for (int i = 0; i < seg->n_node; i++) {
        double component[ELV_N_STRAIN];
        elv_wrench_to_array(lam[i], component);
        const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
        for (int k = 0; k < seg->n_col; k++) {
            tau[seg->col[k]] -= rod->weight[seg->i_node + i] * phi[k] * component[seg->strain[k]];
        }
    }
}

void elv_spectral_backward(const ElvJoint* joint,
                           void* work,
                           const ElvJointInput* in,
                           const ElvWrench* port,
                           ElvWrench* root,
                           double* tau) {
    const ElvRod* rod = (const ElvRod*)joint;
    ElvRodWork* w = work;
    for (int k = 0; k < joint->n_v; k++) {
        tau[k] = 0.0;
    }
    for (int i = 0; i < rod->n_node; i++) {
        w->spectral->f[i] = node_wrench(rod, w, in, i);
    }
    ElvWrench W = elv_wrench_zero();
    for (int i = rod->n_segment - 1; i >= 0; i--) {
        const ElvRodSegment* seg = &rod->segment[i];
        const ElvWrench* lam = w->spectral->lam + seg->i_node;
        if (seg->end_port >= 0) {
            W = elv_wrench_add(W, port[seg->end_port]);
        }
        w->W_end[i + 1] = W;
        // Lambda(end) = -F                                                             [P23 (30)]
        ElvWrench F = elv_wrench_transform_inv(w->end[i + 1].g, W);
        segment_stress(seg, w, i, elv_wrench_scale(-1.0, F));
        segment_project(rod, seg, lam, tau);
        W = elv_wrench_scale(-1.0, elv_wrench_transform(w->end[i].g, lam[0]));
    }
    w->W_end[0] = W;
    elv_rod_flux(rod, w, in, tau);
    *root = elv_wrench_add(W, port[0]);
}

ElvWrench elv_spectral_stress_at(const ElvRod* rod, const ElvRodWork* work, double s) {
    double row[ELV_MAX_CHEBYSHEV];
    const ElvRodSegment* seg = &rod->segment[elv_spectral_interpolation(rod, s, row)];
    ElvWrench lam = elv_wrench_zero();
    for (int j = 0; j < seg->n_node; j++) {
        lam = elv_wrench_add_scaled(lam, row[j], work->spectral->lam[seg->i_node + j]);
    }
    return lam;
}
