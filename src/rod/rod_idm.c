// SPDX-License-Identifier: Apache-2.0
// Backward sweep of a rod in the one frame, tip to root:
//     W' = -f,  f = I A - ad_V^T I V - F_ext                       [P23 (44), P20 (40)], W = -Lambda
//     Q  = integral of S^T W dX                                    [P23 (47), P20 (43)]
// The quadrature is the exact adjoint of the forward sweep: w_i C_ij + w_j C_ji = w_i w_j.
#include "rod/rod.h"

#include "joint/variation.h"
#include "lie/lie4.h"
#include "linalg/block_product.h"
#include "linalg/quadrature.h"
#include "rod/fluid.h"
#include "rod/rod_flux.h"
#include "rod/rod_volume.h"
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

// [J H; H^T M] v of four sections                                                  [P23 (44)]
ELV_INLINE ElvWrench4 inertia_apply4(const ElvInertia* M, const ElvQuad* quad, ElvTwist4 v) {
    const size_t stride = sizeof *M / sizeof(double);
    ElvMat3x4 J = elv_mat3x4_load(&M->J.m[0][0], stride, quad);
    ElvMat3x4 H = elv_mat3x4_load(&M->H.m[0][0], stride, quad);
    ElvMat3x4 m = elv_mat3x4_load(&M->M.m[0][0], stride, quad);
    return (ElvWrench4){
        elv_vec3x4_add(elv_mat3x4_apply(&J, v.ang), elv_mat3x4_apply(&H, v.lin)),
        elv_vec3x4_add(elv_mat3x4_apply_transpose(&H, v.ang), elv_mat3x4_apply(&m, v.lin))};
}

// f at the nodes, four at a time: M eta_dot - ad_eta^T M eta - gravity, carried to the one frame
ELV_VECTOR_CLONES
static void node_wrenches(const ElvRod* rod, const ElvRodWork* work, ElvVec3 gravity_w) {
    const ElvInertia* inertia = elv_rod_inertia(rod, work);
    for (int i = 0; i < rod->n_node; i += 4) {
        ElvQuad quad = elv_quad(i, rod->n_node);
        ElvPose4 g = elv_pose4_load(work->g, &quad);
        ElvTwist4 eta = elv_twist4_transform_inv(&g, elv_twist4_load(work->V, &quad));
        ElvTwist4 eta_dot = elv_twist4_transform_inv(&g, elv_twist4_load(work->A, &quad));
        // M eta_dot - ad_eta^T M eta                                                    [P23 (44)]
        ElvWrench4 momentum = inertia_apply4(inertia, &quad, eta);
        ElvWrench4 f = elv_wrench4_sub(inertia_apply4(inertia, &quad, eta_dot),
                                       elv_twist4_coad(eta, momentum));
        // gravity: rho A R^T gamma_g, with its moment where the centre is off the axis  [P23 alg 1]
        ElvVec3x4 gravity = elv_mat3x4_apply_transpose(&g.R, elv_vec3x4_same(gravity_w));
        ElvVec3x4 moment = elv_vec3x4_load(&rod->moment->x, 3, &quad);
        ElvReal4 mass = elv_real4_gather(rod->mass, 1, &quad);
        ElvWrench4 weight = {elv_vec3x4_cross(moment, gravity), elv_vec3x4_scale(mass, gravity)};
        elv_wrench4_store(elv_wrench4_transform(&g, elv_wrench4_sub(f, weight)), work->f, &quad);
    }
}

// subtract the distributed loads                                                       [P23 alg 1]
static void node_loads(const ElvRod* rod, const ElvRodWork* work, const ElvJointInput* in) {
    for (int i = 0; i < rod->n_node && rod->n_distributed > 0; i++) {
        ElvWrench load = elv_rod_distributed(rod, &work->g[i], rod->s[i], in->t, 0.0, NULL);
        load = elv_wrench_transform(work->g[i], load);
        work->f[i] = elv_wrench_add_scaled(work->f[i], -in->load, load);
    }
}

// weight times Lambda of the other sign, section frame, at the nodes of a segment
ELV_VECTOR_CLONES
static void node_stresses(const ElvRod* rod, const ElvRodSegment* seg, ElvRodWork* work) {
    for (int i = 0; i < seg->n_node; i += 4) {
        ElvQuad quad = elv_quad(i, seg->n_node);
        ElvPose4 g = elv_pose4_load(work->g + seg->i_node, &quad);
        ElvWrench4 W = elv_wrench4_load(work->W + seg->i_node, &quad);
        ElvReal4 weight = elv_real4_gather(rod->weight + seg->i_node, 1, &quad);
        ElvWrench4 lam = elv_wrench4_transform_inv(&g, W);
        lam.mom = elv_vec3x4_scale(weight, lam.mom);
        lam.frc = elv_vec3x4_scale(weight, lam.frc);
        elv_wrench4_store(lam, work->P, &quad);
    }
}

// W at the nodes and at the start of a segment from W at its end
static ElvWrench segment_backward(
    const ElvRod* rod, const ElvRodSegment* seg, ElvRodWork* work, ElvWrench W_end, double* tau) {
    int n = seg->n_node;
    const double* f = &work->f[seg->i_node].mom.x;
    ElvWrench W_start = W_end;
    // W(X) = W_end + integral of f from X to the end = W_start - integral up to X
    //                                                                         [P20 (40), P23 (44)]
    elv_block_combine(1, n, 6, seg->h, seg->w, f, &W_end.mom.x, &W_start.mom.x, 6);
    elv_block_combine(n, n, 6, -seg->h, seg->C, f, &W_start.mom.x, &work->W[seg->i_node].mom.x, 6);
    // Q_k += w phi_k e_k^T Ad_g^T W                                                     [P23 (47)]
    node_stresses(rod, seg, work);
    for (int i = 0; i < n; i++) {
        const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
        double component[ELV_N_STRAIN];
        elv_wrench_to_array(work->P[i], component);
        for (int k = 0; k < seg->n_col; k++) {
            tau[seg->col[k]] += phi[k] * component[seg->strain[k]];
        }
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
    node_wrenches(rod, w, in->gravity);
    node_loads(rod, w, in);
    elv_rod_fluid_wrenches(rod, w, in);
    elv_rod_volume_moments(rod, w);
    elv_rod_volume_efforts(rod, w, tau);
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
    elv_rod_flux(rod, w, in, tau);
    *root = elv_wrench_add(W, port[0]);
}

ElvWrench elv_rod_stress_at(const ElvRod* rod, const ElvRodWork* work, ElvPose g, double s) {
    // slender rods: what is handed on is Lambda* = Lambda + Phi                         [OCP (90)]
    ElvWrench flux = elv_rod_flux_at(rod, work, s);
    if (rod->space == ELV_SPACE_SPECTRAL) {
        return elv_wrench_sub(elv_spectral_stress_at(rod, work, s), flux);
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
    return elv_wrench_scale(-1.0, elv_wrench_add(elv_wrench_transform_inv(g, W), flux));
}
