// SPDX-License-Identifier: Apache-2.0
// Backward sweep of a rod in the one frame, tip to root:
//     W' = -f,  f = I A - ad_V^T I V - F_ext                       [P23 (44), P20 (40)], W = -Lambda
//     Q  = integral of S^T W dX                                    [P23 (47), P20 (43)]
// The quadrature is the exact adjoint of the forward sweep: w_i C_ij + w_j C_ji = w_i w_j.
#include "rod/rod.h"

#include "joint/variation.h"
#include "linalg/quadrature.h"
#include "rod/spectral.h"

void elv_rod_loads_at(const ElvRod* rod, double s, double t, ElvWrench* dead, ElvWrench* follower) {
    *dead = elv_wrench_zero();
    *follower = elv_wrench_zero();
    for (int i = 0; i < rod->n_distributed; i++) {
        const ElvRodField* field = &rod->distributed[i];
        if (s < field->from || s > field->to || elv_law_value(field->when, t, 0.0) == 0.0) {
            continue;
        }
        double value[6];
        for (int k = 0; k < 6; k++) {
            value[k] = elv_law_value(field->law[k], t, s);
        }
        ElvWrench* sum = field->axes == ELV_AXES_WORLD ? dead : follower;
        *sum = elv_wrench_add(*sum, elv_wrench_from_array(value));
    }
}

ElvWrench elv_rod_distributed(
    const ElvRod* rod, const ElvPose* g, double s, double t, double scale, double* K) {
    ElvWrench dead, follower;
    elv_rod_loads_at(rod, s, t, &dead, &follower);
    if (K) {
        ElvWrench W = elv_wrench_transform(*g, follower);
        elv_variation_dead_force(g->p, dead.frc, scale, K);
        elv_variation_follower(&W, scale, K);
    }
    return elv_wrench_add(follower, elv_wrench(elv_mat3_apply_transpose(g->R, dead.mom),
                                               elv_mat3_apply_transpose(g->R, dead.frc)));
}

// f at one node: M eta_dot - ad_eta^T M eta - gravity - loads, carried to the one frame
static ElvWrench
node_wrench(const ElvRod* rod, const ElvRodWork* work, const ElvJointInput* in, int i) {
    ElvPose g = work->g[i];
    ElvTwist eta = elv_twist_transform_inv(g, work->V[i]);
    ElvTwist eta_dot = elv_twist_transform_inv(g, work->A[i]);
    ElvInertia M = rod->inertia[i];
    // M eta_dot - ad_eta^T M eta                                               [P23 (44)]
    ElvWrench f = elv_wrench_sub(elv_inertia_apply(M, eta_dot),
                                 elv_twist_coad(eta, elv_inertia_apply(M, eta)));
    // gravity: rho A R^T gamma_g, with its moment where the centre is off the axis     [P23 alg 1]
    ElvVec3 gravity = elv_mat3_apply_transpose(g.R, in->gravity);
    ElvWrench weight =
        elv_wrench(elv_vec3_cross(rod->moment[i], gravity), elv_vec3_scale(rod->mass[i], gravity));
    f = elv_wrench_sub(f, weight);
    if (rod->n_distributed > 0) {
        ElvWrench load = elv_rod_distributed(rod, &g, rod->s[i], in->t, 0.0, NULL);
        f = elv_wrench_add_scaled(f, -in->load, load);
    }
    return elv_wrench_transform(g, f);
}

// W at the nodes and at the start of a segment from W at its end
static ElvWrench segment_backward(
    const ElvRod* rod, const ElvRodSegment* seg, ElvRodWork* work, ElvWrench W_end, double* tau) {
    int n = seg->n_node;
    const ElvWrench* f = work->f + seg->i_node;
    ElvWrench W_start = W_end;
    for (int i = 0; i < n; i++) {
        // W(X_i) = W_end + integral of f from X_i to the end                  [P20 (40), P23 (44)]
        ElvWrench W = W_end;
        for (int j = 0; j < n; j++) {
            W = elv_wrench_add_scaled(W, seg->h * (seg->w[j] - seg->C[i * n + j]), f[j]);
        }
        // Q_k += w phi_k e_k^T Ad_g^T W                                        [P23 (47)]
        ElvWrench lam = elv_wrench_transform_inv(work->g[seg->i_node + i], W);
        double component[ELV_N_STRAIN];
        elv_wrench_to_array(lam, component);
        const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
        double weight = rod->weight[seg->i_node + i];
        for (int k = 0; k < seg->n_col; k++) {
            tau[seg->col[k]] += weight * phi[k] * component[seg->strain[k]];
        }
        work->W[seg->i_node + i] = W;
        W_start = elv_wrench_add_scaled(W_start, seg->h * seg->w[i], f[i]);
    }
    return W_start;
}

void elv_rod_backward_sweep(const ElvJoint* joint,
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
        w->f[i] = node_wrench(rod, w, in, i);
    }
    // from tip to root; what a port carries joins in at the end of its segment  [P23 (44), (47)]
    ElvWrench W = elv_wrench_zero();
    for (int i = rod->n_segment - 1; i >= 0; i--) {
        const ElvRodSegment* seg = &rod->segment[i];
        if (seg->end_port >= 0) {
            W = elv_wrench_add(W, port[seg->end_port]);
        }
        w->W_end[i + 1] = W;
        W = segment_backward(rod, seg, w, W, tau);
    }
    w->W_end[0] = W;
    *root = elv_wrench_add(W, port[0]);
}

ElvWrench elv_rod_stress_at(const ElvRod* rod, const ElvRodWork* work, ElvPose g, double s) {
    if (rod->space == ELV_SPACE_SPECTRAL) {
        return elv_spectral_stress_at(rod, work, s);
    }
    int i_segment = 0;
    while (i_segment < rod->n_segment - 1 && s >= rod->segment[i_segment].s1) {
        i_segment++;
    }
    const ElvRodSegment* seg = &rod->segment[i_segment];
    double row[ELV_MAX_QUADRATURE];
    double x = (s - seg->s0) / (seg->s1 - seg->s0);
    elv_gauss_cumulative_row(seg->n_node, seg->x, seg->w, x, row);
    ElvWrench W = work->W_end[i_segment + 1];
    for (int j = 0; j < seg->n_node; j++) {
        W = elv_wrench_add_scaled(W, seg->h * (seg->w[j] - row[j]), work->f[seg->i_node + j]);
    }
    // Lambda is the wrench of the outer part on the inner one: -W
    return elv_wrench_scale(-1.0, elv_wrench_transform_inv(g, W));
}
