// SPDX-License-Identifier: Apache-2.0
// Tangent of a rod in section frames                                           [P23 (50), (54), (66)].
//
// After the tangent forward cascade, tip to root and for all columns at once,
//     d_Lambda' = ad_xi^T d_Lambda + ad_d_xi^T Lambda + d_f,                               [P23 (54)]
//     d_f = M d_eta_dot - ad_eta^T M d_eta - ad_d_eta^T M eta - d_F_ext
//     d_R = K_ee d_q + D_ee d_q_dot - integral of Phi^T B^T d_Lambda dX                    [P23 (66)]
// with the factored matrix of the backward cascade. At the ends of segments wrenches pass through the
// one frame: Lambda = -Ad_g^T W, d_Lambda = -Ad_g^T d_W + ad_d_zeta^T Lambda.
#include "rod/spectral.h"

#include "rod/fluid.h"
#include "rod/rod_active.h"
#include "rod/rod_flux.h"

#include <string.h>

enum { ROW = ELV_N_VARIATION };

// d_f = L (d_zeta, d_eta, d_eta_dot) at one node, L (6 x 18)
static void node_variation(
    const ElvRod* rod, const ElvRodWork* work, const ElvJointInput* in, int i, double* L) {
    const ElvSpectralWork* w = work->spectral;
    ElvInertia M = rod->inertia[i];
    ElvTwist eta = w->eta[i];
    ElvWrench momentum = elv_inertia_apply(M, eta);
    // forces with world axes: R^T f varies by (R^T f) x d_zeta_ang                     [P23 appendix 2]
    ElvVec3 gravity = elv_mat3_apply_transpose(work->g[i].R, in->gravity);
    ElvWrench dead, follower;
    elv_rod_loads_at(rod, rod->s[i], in->t, &dead, &follower);
    ElvVec3 load_mom = elv_mat3_apply_transpose(work->g[i].R, elv_vec3_scale(in->load, dead.mom));
    ElvVec3 load_frc = elv_mat3_apply_transpose(work->g[i].R, elv_vec3_scale(in->load, dead.frc));
    load_frc = elv_vec3_add_scaled(load_frc, rod->mass[i], gravity);
    memset(L, 0, 6 * ROW * sizeof *L);
    for (int k = 0; k < 6; k++) {
        double unit[6] = {0.0};
        unit[k] = 1.0;
        ElvTwist e = elv_twist_from_array(unit);
        ElvWrench Me = elv_inertia_apply(M, e);
        ElvWrench by_eta = elv_wrench_add(elv_twist_coad(eta, Me), elv_twist_coad(e, momentum));
        ElvVec3 mom = elv_vec3_cross(rod->moment[i], elv_vec3_cross(gravity, e.ang));
        mom = elv_vec3_add(mom, elv_vec3_cross(load_mom, e.ang));
        ElvWrench by_zeta = elv_wrench(mom, elv_vec3_cross(load_frc, e.ang));
        double column[3][6];
        elv_wrench_to_array(elv_wrench_scale(-1.0, by_zeta), column[0]);
        elv_wrench_to_array(elv_wrench_scale(-1.0, by_eta), column[1]);
        elv_wrench_to_array(Me, column[2]);
        for (int r = 0; r < 6; r++) {
            L[r * ROW + k] = column[0][r];
            L[r * ROW + 6 + k] = column[1][r];
            L[r * ROW + 12 + k] = column[2][r];
        }
    }
    elv_rod_fluid_local(rod, in, i, &work->g[i], eta, L);
}

// y = a x over the columns, a: a row of L
static void apply_row(int m, const double* a, const double* restrict X, double* restrict y) {
    memset(y, 0, (size_t)m * sizeof *y);
    for (int r = 0; r < ROW; r++) {
        for (int k = 0; k < m && a[r] != 0.0; k++) {
            y[k] += a[r] * X[r * m + k];
        }
    }
}

// b of [P23 (54)] at one node: d_f + ad_d_xi^T Lambda
static void set_rates(const ElvRod* rod,
                      const ElvRodSegment* seg,
                      ElvRodWork* work,
                      const ElvJointInput* in,
                      int i,
                      double c,
                      int m) {
    ElvSpectralWork* w = work->spectral;
    int i_node = seg->i_node + i;
    const double* Y = w->Y + (size_t)i_node * (size_t)(ROW * m);
    double* dC = w->dC + 3 * i * m;
    double* dN = w->dN + 3 * i * m;
    double L[6 * ROW];
    node_variation(rod, work, in, i_node, L);
    for (int r = 0; r < 3; r++) {
        apply_row(m, L + r * ROW, Y, dC + r * m);
        apply_row(m, L + (r + 3) * ROW, Y, dN + r * m);
    }
    const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
    for (int k = 0; k < seg->n_col; k++) {
        double d_xi[ELV_N_STRAIN] = {0.0};
        d_xi[seg->strain[k]] = c * phi[k];
        ElvWrench wrench = elv_twist_coad(elv_twist_from_array(d_xi), w->lam[i_node]);
        int col = seg->col[k];
        elv_column_set(dC, m, col, elv_vec3_add(elv_column_get(dC, m, col), wrench.mom));
        elv_column_set(dN, m, col, elv_vec3_add(elv_column_get(dN, m, col), wrench.frc));
    }
}

// ad_d_zeta^T Lambda of column k at a node
static ElvWrench turned_stress(const ElvSpectralWork* w, int i_node, int m, int k) {
    const double* Y = w->Y + (size_t)i_node * (size_t)(ROW * m);
    return elv_twist_coad(elv_column_twist(Y, m, k), w->lam[i_node]);
}

// d_Lambda at the end of a segment from d_W there
static void set_end(const ElvRodSegment* seg, ElvRodWork* work, int m) {
    ElvSpectralWork* w = work->spectral;
    int last = seg->n_node - 1;
    int i_node = seg->i_node + last;
    for (int k = 0; k < m; k++) {
        ElvTwist v = elv_column_twist(w->dW, m, k);
        ElvWrench F = elv_wrench_transform_inv(work->g[i_node], elv_wrench(v.ang, v.lin));
        ElvWrench d_lam = elv_wrench_sub(turned_stress(w, i_node, m, k), F);
        elv_column_set(w->dC + 3 * last * m, m, k, d_lam.mom);
        elv_column_set(w->dN + 3 * last * m, m, k, d_lam.frc);
    }
}

// d_W at the start of a segment from d_Lambda there
static void get_start(const ElvRodSegment* seg, ElvRodWork* work, int m) {
    ElvSpectralWork* w = work->spectral;
    for (int k = 0; k < m; k++) {
        ElvWrench d_lam = elv_wrench(elv_column_get(w->dC, m, k), elv_column_get(w->dN, m, k));
        ElvWrench F = elv_wrench_sub(turned_stress(w, seg->i_node, m, k), d_lam);
        ElvWrench W = elv_wrench_transform(work->g[seg->i_node], F);
        elv_column_set(w->dW, m, k, W.mom);
        elv_column_set(w->dW + 3 * m, m, k, W.frc);
    }
}

// d_R -= w phi^T d_Lambda                                                                [P23 (66)]
static void segment_project(const ElvRod* rod,
                            const ElvRodSegment* seg,
                            const ElvSpectralWork* w,
                            int m,
                            ElvJointTangent* t) {
    int n_v = rod->joint.n_v;
    for (int i = 0; i < seg->n_node; i++) {
        const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
        for (int k = 0; k < seg->n_col; k++) {
            int strain = seg->strain[k];
            const double* field = strain < 3 ? w->dC : w->dN;
            const double* row = field + (3 * i + strain % 3) * m;
            double factor = rod->weight[seg->i_node + i] * phi[k];
            double* Qq = t->Qq + (size_t)seg->col[k] * (size_t)n_v;
            for (int l = 0; l < n_v; l++) {
                Qq[l] -= factor * row[l];
            }
            double* Qx = t->Qx + (size_t)seg->col[k] * ROW;
            for (int l = n_v; l < m; l++) {
                Qx[l - n_v] -= factor * row[l];
            }
        }
    }
}

// backward cascade of one segment: force, then moment
static void segment_backward(const ElvRod* rod,
                             ElvRodWork* work,
                             const ElvJointInput* in,
                             int i_segment,
                             double c,
                             int m,
                             ElvJointTangent* tangent) {
    const ElvRodSegment* seg = &rod->segment[i_segment];
    ElvSpectralWork* w = work->spectral;
    int last = seg->n_node - 1;
    for (int i = 0; i < last; i++) {
        set_rates(rod, seg, work, in, i, c, m);
    }
    set_end(seg, work, m);
    elv_collocation_solve(seg, &w->backward[i_segment], m, w->dN);
    for (int i = 0; i < last; i++) {
        ElvVec3 gamma = w->xi[seg->i_node + i].lin;
        for (int k = 0; k < m; k++) {
            ElvVec3 coupling = elv_vec3_cross(gamma, elv_column_get(w->dN + 3 * i * m, m, k));
            ElvVec3 b = elv_vec3_sub(elv_column_get(w->dC + 3 * i * m, m, k), coupling);
            elv_column_set(w->dC + 3 * i * m, m, k, b);
        }
    }
    elv_collocation_solve(seg, &w->backward[i_segment], m, w->dC);
    segment_project(rod, seg, w, m, tangent);
    get_start(seg, work, m);
}

// forward over all segments; ports take what has come so far
static void forward_cascade(
    const ElvRod* rod, ElvRodWork* work, const ElvUnknown* unknown, int m, ElvJointTangent* t) {
    ElvSpectralWork* w = work->spectral;
    size_t n_v = (size_t)rod->joint.n_v;
    memset(w->X, 0, (size_t)(ROW * m) * sizeof *w->X);
    memset(w->J, 0, 6 * n_v * sizeof *w->J);
    for (int r = 0; r < m - (int)n_v; r++) {
        w->X[(size_t)(r * m + r) + n_v] = 1.0;
    }
    memset(t->Xq, 0, ROW * n_v * sizeof *t->Xq);
    memset(t->P, 0, 6 * n_v * sizeof *t->P);
    for (int i = 0; i < rod->n_segment; i++) {
        elv_spectral_vary(rod, work, i, unknown, m);
        if (rod->segment[i].end_port >= 0) {
            size_t p = (size_t)rod->segment[i].end_port;
            for (size_t r = 0; r < ROW; r++) {
                memcpy(t->Xq + (p * ROW + r) * n_v, w->X + r * (size_t)m, n_v * sizeof *w->X);
            }
            memcpy(t->P + p * 6 * n_v, w->J, 6 * n_v * sizeof *w->J);
        }
    }
}

void elv_spectral_tangent(const ElvJoint* joint,
                          void* work,
                          const ElvJointInput* in,
                          const ElvUnknown* unknown,
                          const ElvMotion* root,
                          const ElvWrench* port,
                          bool is_grounded,
                          ElvJointTangent* tangent) {
    (void)root;
    (void)port;
    const ElvRod* rod = (const ElvRod*)joint;
    ElvRodWork* w = work;
    size_t n_v = (size_t)joint->n_v;
    int m = joint->n_v + (is_grounded ? 0 : ROW);
    forward_cascade(rod, w, unknown, m, tangent);
    for (size_t i = 0; i < n_v * n_v; i++) {
        tangent->Qq[i] = unknown->is_bare ? 0.0 : unknown->c * rod->K[i] + unknown->a * rod->D[i];
    }
    if (!unknown->is_bare) {
        elv_rod_active_tangent(rod, w, in, unknown, tangent->Qq);
    }
    if (!is_grounded) {
        memset(tangent->Qx, 0, n_v * ROW * sizeof *tangent->Qx);
    }
    // wrenches of the ports are varied by P
    memset(w->spectral->dW, 0, (size_t)(6 * m) * sizeof *w->spectral->dW);
    for (int i = rod->n_segment - 1; i >= 0; i--) {
        segment_backward(rod, w, in, i, unknown->c, m, tangent);
    }
    elv_rod_flux_variation(rod, w, in, unknown, ROW, is_grounded, tangent);
    for (size_t r = 0; r < 6; r++) {
        const double* dW = w->spectral->dW + r * (size_t)m;
        memcpy(tangent->Wq + r * n_v, dW, n_v * sizeof *dW);
        if (!is_grounded) {
            memcpy(tangent->Wx + r * ROW, dW + n_v, ROW * sizeof *dW);
        }
    }
}
