// SPDX-License-Identifier: Apache-2.0
// Tangent of a rod in the one frame                                             [P23 (50), (54), (66)].
//
// Per unit of the unknown, x = (Z, Z_dot, Z_ddot) grows along the rod by
//     x' = U = (c S, a S + c S_dot, b S + 2 a S_dot + c S_ddot) d_nu,
//     S_dot = ad_V S,  S_ddot = (ad_A + ad_V ad_V) S
// so that x = x_root + X d_nu, X = integral of U; wrenches vary by d_f = K x per metre, and
//     d_R      = integral of [ S^T d_W + S^T ad_Z^T W ] + K_ee d_nu + a D_ee d_nu
//     d_W_root = integral of d_f + d_W of the ports.
// The quadrature is its own adjoint, hence integral of S^T d_W = integral of J^T d_f with J the first
// six rows of X: no wrench has to be integrated. Columns are contiguous. These rows are kept without
// their factor c, which is put on the blocks that they meet.
#include "rod/rod.h"

#include "joint/variation.h"
#include "linalg/block_product.h"

#include <string.h>

enum { ROW = ELV_N_VARIATION };

// (S, a S + c S_dot, b S + 2 a S_dot + c S_ddot) for the screw of one strain            [P23 (50)]
static void
strain_column(const ElvRodWork* work, int i_node, int strain, const ElvUnknown* n, double u[ROW]) {
    double unit[6] = {0.0};
    unit[strain] = 1.0;
    ElvTwist S = elv_twist_transform(work->g[i_node], elv_twist_from_array(unit));
    ElvTwist S_dot = elv_twist_bracket(work->V[i_node], S);
    ElvTwist S_ddot = elv_twist_add(elv_twist_bracket(work->A[i_node], S),
                                    elv_twist_bracket(work->V[i_node], S_dot));
    elv_twist_to_array(S, u);
    S_ddot = elv_twist_add_scaled(elv_twist_scale(n->c, S_ddot), 2.0 * n->a, S_dot);
    S_dot = elv_twist_scale(n->c, S_dot);
    elv_twist_to_array(elv_twist_add_scaled(S_dot, n->a, S), u + 6);
    elv_twist_to_array(elv_twist_add_scaled(S_ddot, n->b, S), u + 12);
}

// y += s x over n contiguous numbers
static void add_scaled(int n, double s, const double* restrict x, double* restrict y) {
    for (int i = 0; i < n; i++) {
        y[i] += s * x[i];
    }
}

// U at the nodes of a segment, active columns packed and padded           (n_node x n_row x n_pack)
static void
segment_rates(const ElvRodSegment* seg, ElvRodWork* work, const ElvUnknown* unknown, int n_row) {
    int n_pack = elv_padded(seg->n_col);
    for (int j = 0; j < seg->n_node; j++) {
        const double* phi = seg->phi + (size_t)j * (size_t)seg->n_col;
        double* U = work->U + (size_t)j * (size_t)(n_row * n_pack);
        for (int i = 0; i < seg->n_run; i++) {
            const ElvColumnRun* run = &seg->run[i];
            double u[ROW];
            strain_column(work, seg->i_node + j, run->strain, unknown, u);
            for (int r = 0; r < n_row; r++) {
                for (int k = run->begin; k < run->begin + run->n; k++) {
                    U[r * n_pack + k] = phi[k] * u[r];
                }
            }
        }
        for (int r = 0; r < n_row; r++) {
            for (int k = seg->n_col; k < n_pack; k++) {
                U[r * n_pack + k] = 0.0;
            }
        }
    }
}

// add packed columns at their places
static void scatter(const ElvRodSegment* seg, int n_p, int n_row, const double* packed, double* X) {
    int n_pack = elv_padded(seg->n_col);
    for (int i = 0; i < seg->n_run; i++) {
        const ElvColumnRun* run = &seg->run[i];
        for (int r = 0; r < n_row; r++) {
            for (int k = 0; k < run->n; k++) {
                X[r * n_p + run->col + k] += packed[r * n_pack + run->begin + k];
            }
        }
    }
}

// X at the nodes and at the end of a segment by the cumulative integration matrix       [P23 (50)]
static void segment_variations(const ElvRod* rod,
                               const ElvRodSegment* seg,
                               ElvRodWork* work,
                               const ElvUnknown* unknown,
                               int n_row) {
    int n = seg->n_node;
    int n_p = elv_padded(rod->joint.n_v);
    int n_pack = elv_padded(seg->n_col);
    // with every column active, packed and whole columns are the same
    bool is_whole = seg->n_col == rod->joint.n_v;
    segment_rates(seg, work, unknown, n_row);
    for (int i = 0; i < n; i++) {
        double* X = work->X + (size_t)(seg->i_node + i) * (size_t)(ROW * n_p);
        if (is_whole) {
            elv_block_combine(n, n_row * n_p, seg->h, seg->C + i * n, work->U, work->X_end, X);
            continue;
        }
        memset(work->packed, 0, (size_t)(n_row * n_pack) * sizeof(double));
        memcpy(X, work->X_end, (size_t)(n_row * n_p) * sizeof(double));
        for (int j = 0; j < n; j++) {
            add_scaled(n_row * n_pack, seg->h * seg->C[i * n + j],
                       work->U + (size_t)j * (size_t)(n_row * n_pack), work->packed);
        }
        scatter(seg, n_p, n_row, work->packed, X);
    }
    memset(work->packed, 0, (size_t)(n_row * n_pack) * sizeof(double));
    for (int j = 0; j < n; j++) {
        add_scaled(n_row * n_pack, seg->h * seg->w[j],
                   work->U + (size_t)j * (size_t)(n_row * n_pack), work->packed);
    }
    scatter(seg, n_p, n_row, work->packed, work->X_end);
}

// K = weight [K0 K1 K2] of the inertia, weight and loads of one node                      [P23 (54)]
static void node_variation(const ElvRod* rod, ElvRodWork* work, const ElvJointInput* in, int i) {
    const ElvPose* g = &work->g[i];
    double K[6 * ROW];
    ElvInertia I = elv_inertia_transform(*g, elv_inertia_scale(rod->weight[i], rod->inertia[i]));
    elv_variation_inertia(&I, &work->V[i], &work->A[i], K);
    ElvVec3 moment =
        elv_vec3_add(elv_vec3_scale(rod->mass[i], g->p), elv_mat3_apply(g->R, rod->moment[i]));
    elv_variation_weight(rod->mass[i], moment, in->gravity, rod->weight[i], K);
    if (rod->n_distributed > 0) {
        (void)elv_rod_distributed(rod, g, rod->s[i], in->t, in->load * rod->weight[i], K);
    }
    double* padded = work->K + (size_t)i * 6 * ELV_ROD_K_ROW;
    for (int p = 0; p < 6; p++) {
        memcpy(padded + (size_t)p * ELV_ROD_K_ROW, K + (size_t)p * ROW, ROW * sizeof(double));
        padded[p * ELV_ROD_K_ROW + ROW] = padded[p * ELV_ROD_K_ROW + ROW + 1] = 0.0;
    }
}

// G = K X of one node                                                                   [P23 (54)]
static void node_wrench(const ElvRod* rod, ElvRodWork* work, int i, double c, int n_row) {
    int n_p = elv_padded(rod->joint.n_v);
    const double* X = work->X + (size_t)i * (size_t)(ROW * n_p);
    const double* K = work->K + (size_t)i * 6 * ELV_ROD_K_ROW;
    double* G = work->G + (size_t)i * (size_t)(6 * n_p);
    // accelerations alone: the first rows carry the factor c = 0
    int skipped = c == 0.0 ? 6 : 0;
    elv_block_apply(n_row - skipped, n_p, K + skipped, ELV_ROD_K_ROW, X + skipped * n_p, G);
}

// rows of the active columns: S^T ad_Z^T W = y . Z with y = -ad_S^T W                   [P23 (55)]
static void add_geometric(const ElvRod* rod,
                          const ElvRodSegment* seg,
                          ElvRodWork* work,
                          int i,
                          double c,
                          bool is_grounded,
                          ElvJointTangent* t) {
    int n_v = rod->joint.n_v;
    int n_p = elv_padded(n_v);
    int i_node = seg->i_node + i;
    const double* J = work->X + (size_t)i_node * (size_t)(ROW * n_p);
    const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
    for (int r = 0; r < seg->n_run; r++) {
        const ElvColumnRun* run = &seg->run[r];
        double unit[6] = {0.0};
        double y[6];
        unit[run->strain] = 1.0;
        ElvTwist S = elv_twist_transform(work->g[i_node], elv_twist_from_array(unit));
        elv_wrench_to_array(elv_twist_coad(S, work->W[i_node]), y);
        memset(work->packed, 0, (size_t)n_p * sizeof(double));
        for (int p = 0; p < 6; p++) {
            add_scaled(n_p, -c * y[p], J + p * n_p, work->packed);
        }
        for (int k = 0; k < run->n; k++) {
            double factor = rod->weight[i_node] * phi[run->begin + k];
            add_scaled(n_v, factor, work->packed, t->Qq + (size_t)(run->col + k) * (size_t)n_v);
            if (!is_grounded) {
                add_scaled(6, -factor, y, t->Qx + (size_t)(run->col + k) * ROW);
            }
        }
    }
}

// A (m x n) += B (m x n), row strides n and ld
static void add_padded(int m, int n, int ld, const double* B, double* A) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            A[(size_t)i * (size_t)n + (size_t)j] += B[(size_t)i * (size_t)ld + (size_t)j];
        }
    }
}

// the sums over all nodes: J^T G, J^T K, G and K                                   [P23 (54)-(55)]
static void add_sums(const ElvRod* rod, ElvRodWork* work, bool is_grounded, ElvJointTangent* t) {
    int n_v = rod->joint.n_v;
    int n_p = elv_padded(n_v);
    size_t step_X = ROW * (size_t)n_p;
    size_t step_G = 6 * (size_t)n_p;
    elv_block_gram(rod->n_node, n_p, n_p, work->X, step_X, work->G, step_G, work->square);
    add_padded(n_v, n_v, n_p, work->square, t->Qq);
    for (int i = 0; i < rod->n_node; i++) {
        add_padded(6, n_v, n_p, work->G + (size_t)i * (size_t)(6 * n_p), t->Wq);
    }
    if (is_grounded) {
        return;
    }
    elv_block_gram(rod->n_node, n_p, ELV_ROD_K_ROW, work->X, step_X, work->K,
                   (size_t)6 * ELV_ROD_K_ROW, work->square);
    add_padded(n_v, ROW, ELV_ROD_K_ROW, work->square, t->Qx);
    for (int i = 0; i < rod->n_node; i++) {
        add_padded(6, ROW, ELV_ROD_K_ROW, work->K + (size_t)i * 6 * ELV_ROD_K_ROW, t->Wx);
    }
}

// start values; padded columns stay zero
static void clear(const ElvJoint* joint, ElvRodWork* work, bool is_grounded, ElvJointTangent* t) {
    size_t n_v = (size_t)joint->n_v;
    size_t n_p = (size_t)elv_padded(joint->n_v);
    memset(work->X_end, 0, ROW * n_p * sizeof(double));
    memset(t->Xq, 0, ROW * n_v * sizeof(double));
    memset(t->P, 0, 6 * n_v * sizeof(double));
    memset(t->Wq, 0, 6 * n_v * sizeof(double));
    if (!is_grounded) {
        memset(t->Qx, 0, n_v * ROW * sizeof(double));
        memset(t->Wx, 0, 6 * ROW * sizeof(double));
    }
}

// X at a port, without the padding
static void
set_port(const ElvJoint* joint, const double* X_end, double c, int port, ElvJointTangent* t) {
    size_t n_v = (size_t)joint->n_v;
    size_t n_p = (size_t)elv_padded(joint->n_v);
    double* Xq = t->Xq + (size_t)port * ROW * n_v;
    double* P = t->P + (size_t)port * 6 * n_v;
    for (size_t r = 0; r < ROW; r++) {
        for (size_t k = 0; k < n_v; k++) {
            Xq[r * n_v + k] = (r < 6 ? c : 1.0) * X_end[r * n_p + k];
        }
    }
    for (size_t r = 0; r < 6; r++) {
        memcpy(P + r * n_v, X_end + r * n_p, n_v * sizeof(double));
    }
}

void elv_rod_tangent(const ElvJoint* joint,
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
    // in statics nothing moves: the first six rows are all
    int n_row = unknown->a == 0.0 && unknown->b == 0.0 ? 6 : ROW;
    clear(joint, w, is_grounded, tangent);
    // elasticity and damping: c K_ee + a D_ee                                           [P23 (66)]
    for (size_t i = 0; i < n_v * n_v; i++) {
        tangent->Qq[i] = unknown->c * rod->K[i] + unknown->a * rod->D[i];
    }
    for (int i_segment = 0; i_segment < rod->n_segment; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        segment_variations(rod, seg, w, unknown, n_row);
        for (int i = 0; i < seg->n_node; i++) {
            node_variation(rod, w, in, seg->i_node + i);
            node_wrench(rod, w, seg->i_node + i, unknown->c, n_row);
            add_geometric(rod, seg, w, i, unknown->c, is_grounded, tangent);
        }
        if (seg->end_port >= 0) {
            set_port(joint, w->X_end, unknown->c, seg->end_port, tangent);
        }
    }
    add_sums(rod, w, is_grounded, tangent);
}
