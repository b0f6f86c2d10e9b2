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
// their factor c, which is put on the blocks that they meet. Where all strains are imposed no column varies,
// and what it would do to the wrenches (Qq, Wq) is left out: Qq has the elasticity and, on its diagonal, for
// scales, the inertia.
#include "rod/rod.h"

#include "lie/lie4.h"
#include "linalg/block_product.h"
#include "linalg/quadrature.h"
#include "rod/fluid.h"
#include "rod/rod_active.h"
#include "rod/rod_flux.h"
#include "rod/rod_volume.h"

#include <string.h>

enum { ROW = ELV_N_VARIATION };

// S = Ad_g e_strain of four nodes
ELV_INLINE ElvTwist4 screw4(const ElvPose4* g, int strain) {
    ElvVec3x4 axis = elv_mat3x4_column(&g->R, strain % 3);
    ElvVec3x4 zero = elv_vec3x4_same(elv_vec3(0.0, 0.0, 0.0));
    return strain < 3 ? (ElvTwist4){axis, elv_vec3x4_cross(g->p, axis)} : (ElvTwist4){zero, axis};
}

ELV_INLINE void put_twist4(ElvTwist4 v, double* to, size_t stride) {
    ElvQuad lane = elv_quad(0, 4);
    elv_vec3x4_store(v.ang, to, stride, &lane);
    elv_vec3x4_store(v.lin, to + 3, stride, &lane);
}

// (S, a S + c S_dot, b S + 2 a S_dot + c S_ddot) of the strains that act, at four nodes  [P23 (50)]
ELV_INLINE void strain_columns4(const ElvRodSegment* seg,
                                const ElvRodWork* work,
                                const ElvQuad* quad,
                                const ElvUnknown* n,
                                double u[4][ELV_N_STRAIN][ROW]) {
    const size_t stride = (size_t)ELV_N_STRAIN * ROW;
    ElvPose4 g = elv_pose4_load(work->g + seg->i_node, quad);
    ElvTwist4 V = elv_twist4_load(work->V + seg->i_node, quad);
    ElvTwist4 A = elv_twist4_load(work->A + seg->i_node, quad);
    for (int r = 0; r < seg->n_run; r++) {
        ElvTwist4 S = screw4(&g, seg->run[r].strain);
        ElvTwist4 S_dot = elv_twist4_bracket(V, S);
        ElvTwist4 S_ddot = elv_twist4_add(elv_twist4_bracket(A, S), elv_twist4_bracket(V, S_dot));
        S_ddot = elv_twist4_add_scaled(elv_twist4_scale(n->c, S_ddot), 2.0 * n->a, S_dot);
        S_dot = elv_twist4_scale(n->c, S_dot);
        put_twist4(S, u[0][r], stride);
        put_twist4(elv_twist4_add_scaled(S_dot, n->a, S), u[0][r] + 6, stride);
        put_twist4(elv_twist4_add_scaled(S_ddot, n->b, S), u[0][r] + 12, stride);
    }
}

// U of one node: phi_k u of the strain of k. Vectors reach past the columns of a strain: what they leave
// there is overwritten by the next strain, and is zero in the padding.
ELV_INLINE void fill_rates(const ElvRodSegment* seg,
                           const double* phi,
                           double u[ELV_N_STRAIN][ROW],
                           int n_row,
                           double* U) {
    int n_pack = elv_padded(seg->n_col);
    for (int i = 0; i < seg->n_run; i++) {
        int k = seg->run[i].begin;
        int end = k + seg->run[i].n;
        for (; k < end && k + 4 <= n_pack; k += 4) {
            ElvReal4 value = elv_real4_load(phi + k);
            for (int r = 0; r < n_row; r++) {
                elv_real4_store(U + r * n_pack + k, u[i][r] * value);
            }
        }
        for (; k < end; k++) {
            for (int r = 0; r < n_row; r++) {
                U[r * n_pack + k] = u[i][r] * phi[k];
            }
        }
    }
}

// U at the nodes of a segment, active columns packed and padded           (n_node x n_row x n_pack)
ELV_VECTOR_CLONES
static void
segment_rates(const ElvRodSegment* seg, ElvRodWork* work, const ElvUnknown* unknown, int n_row) {
    int n_pack = elv_padded(seg->n_col);
    double* phi = work->packed;
    memset(phi, 0, (size_t)n_pack * sizeof *phi);
    for (int i = 0; i < seg->n_node; i += 4) {
        ElvQuad quad = elv_quad(i, seg->n_node);
        double u[4][ELV_N_STRAIN][ROW];
        strain_columns4(seg, work, &quad, unknown, u);
        for (int j = i; j < i + 4 && j < seg->n_node; j++) {
            memcpy(phi, seg->phi + (size_t)j * (size_t)seg->n_col,
                   (size_t)seg->n_col * sizeof *phi);
            fill_rates(seg, phi, u[j - i], n_row, work->U + (size_t)j * (size_t)(n_row * n_pack));
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

// X at nodes from .. to - 1 of a segment, of which there is one more, its end, from U       [P23 (50)]
static void integrate_rates(const ElvRod* rod,
                            const ElvRodSegment* seg,
                            ElvRodWork* work,
                            int n_row,
                            int from,
                            int to_node) {
    int n = seg->n_node;
    int n_p = elv_padded(rod->joint.n_v);
    int n_pack = elv_padded(seg->n_col);
    double* X = work->X + (size_t)seg->i_node * (size_t)(ROW * n_p);
    // with every column active, packed and whole columns are the same
    if (seg->n_col == rod->joint.n_v) {
        if (from < n) {
            elv_block_combine(n, n, n_row * n_p, seg->h, seg->C, work->U, work->X_end, X,
                              (size_t)ROW * (size_t)n_p);
        }
        if (to_node > n) {
            elv_block_combine(1, n, n_row * n_p, seg->h, seg->w, work->U, work->X_end, work->X_end,
                              0);
        }
        return;
    }
    for (int i = from; i < to_node; i++) {
        const double* row = i < n ? seg->C + i * n : seg->w;
        double* to = i < n ? X + (size_t)i * (size_t)(ROW * n_p) : work->X_end;
        if (i < n) {
            memcpy(to, work->X_end, (size_t)(n_row * n_p) * sizeof(double));
        }
        memset(work->packed, 0, (size_t)(n_row * n_pack) * sizeof(double));
        elv_block_combine(1, n, n_row * n_pack, seg->h, row, work->U, work->packed, work->packed,
                          0);
        scatter(seg, n_p, n_row, work->packed, to);
    }
}

// X at the nodes and at the end of a segment by the cumulative integration matrix       [P23 (50)]
static void segment_variations(const ElvRod* rod,
                               const ElvRodSegment* seg,
                               ElvRodWork* work,
                               const ElvUnknown* unknown,
                               int n_row) {
    // columns that do not vary inside are wanted at the end alone, but for their first rows
    bool is_driven = rod->joint.is_motion_driven && n_row > 6;
    segment_rates(seg, work, unknown, is_driven ? 6 : n_row);
    integrate_rates(rod, seg, work, is_driven ? 6 : n_row, 0, seg->n_node + (is_driven ? 0 : 1));
    if (is_driven) {
        segment_rates(seg, work, unknown, n_row);
        integrate_rates(rod, seg, work, n_row, seg->n_node, seg->n_node + 1);
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
    elv_block_apply(6, n_row - skipped, n_p, K + skipped, ELV_ROD_K_ROW, X + skipped * n_p, G);
}

// y of the strains that act, times the weight, at the nodes of a segment: S^T ad_Z^T W = y . Z with
// y = -ad_S^T W                                                 (n_node x 6 strains x 6) [P23 (55)]
ELV_VECTOR_CLONES
static void
segment_pulls(const ElvRod* rod, const ElvRodSegment* seg, const ElvRodWork* work, double* y) {
    for (int i = 0; i < seg->n_node; i += 4) {
        ElvQuad quad = elv_quad(i, seg->n_node);
        ElvPose4 g = elv_pose4_load(work->g + seg->i_node, &quad);
        ElvWrench4 W = elv_wrench4_load(work->W + seg->i_node, &quad);
        ElvReal4 minus = -elv_real4_gather(rod->weight + seg->i_node, 1, &quad);
        for (int r = 0; r < seg->n_run; r++) {
            ElvWrench4 pull = elv_twist4_coad(screw4(&g, seg->run[r].strain), W);
            elv_vec3x4_store(elv_vec3x4_scale(minus, pull.mom), y + 6 * r, 36, &quad);
            elv_vec3x4_store(elv_vec3x4_scale(minus, pull.frc), y + 6 * r + 3, 36, &quad);
        }
    }
}

// geometric terms of a segment, rows of the active columns: y . J, c being 0 or 1, in square (n_p x n_p),
// and y in Qx                                                                           [P23 (55)]
static void segment_geometric(const ElvRod* rod,
                              const ElvRodSegment* seg,
                              const ElvRodWork* work,
                              double c,
                              bool is_grounded,
                              ElvJointTangent* t) {
    int n_p = elv_padded(rod->joint.n_v);
    int n_row = seg->n_run <= 3 ? 3 : 6;
    double y[36 * ELV_MAX_QUADRATURE];
    segment_pulls(rod, seg, work, y);
    // y . J at the nodes, in the room of U                          (n_node x strains that act x n_p)
    for (int i = 0; i < seg->n_node && c != 0.0; i++) {
        const double* J = work->X + (size_t)(seg->i_node + i) * (size_t)(ROW * n_p);
        elv_block_apply(n_row, 6, n_p, y + 36 * i, 6, J, work->U + i * n_row * n_p);
    }
    for (int r = 0; r < seg->n_run; r++) {
        const ElvColumnRun* run = &seg->run[r];
        const double* phi = seg->phi + run->begin;
        if (c != 0.0) {
            elv_block_add_product(run->n, seg->n_node, n_p, phi, 1, seg->n_col, work->U + r * n_p,
                                  n_row * n_p, work->square + run->col * n_p, n_p);
        }
        if (!is_grounded) {
            elv_block_add_product(run->n, seg->n_node, 6, phi, 1, seg->n_col, y + 6 * r, 36,
                                  t->Qx + (size_t)run->col * ROW, ROW);
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

// sum of n blocks of contiguous numbers, a multiple of four
ELV_VECTOR_CLONES
static void add_blocks(int n, int size, const double* block, double* sum) {
    for (int k = 0; k < size; k += 4) {
        ElvReal4 total = elv_real4(0.0);
        for (int i = 0; i < n; i++) {
            total += elv_real4_load(block + (size_t)i * (size_t)size + (size_t)k);
        }
        elv_real4_store(sum + k, total);
    }
}

// diagonal of b J^T M J, M the last six columns of K
static void add_inertia(const ElvRod* rod, ElvRodWork* work, double b, double* Qq) {
    int n_v = rod->joint.n_v;
    int n_p = elv_padded(n_v);
    for (int i = 0; i < rod->n_node && b != 0.0; i++) {
        const double* J = work->X + (size_t)i * (size_t)(ROW * n_p);
        const double* K = work->K + (size_t)i * 6 * ELV_ROD_K_ROW;
        elv_block_apply(6, 6, n_p, K + 12, ELV_ROD_K_ROW, J, work->G);
        for (int r = 0; r < 6; r++) {
            for (int k = 0; k < n_v; k++) {
                Qq[(size_t)k * (size_t)(n_v + 1)] += b * J[r * n_p + k] * work->G[r * n_p + k];
            }
        }
    }
}

// the sums over all nodes: J^T G, J^T K, G and K                                   [P23 (54)-(55)]
static void
add_sums(const ElvRod* rod, ElvRodWork* work, double b, bool is_grounded, ElvJointTangent* t) {
    int n_v = rod->joint.n_v;
    int n_p = elv_padded(n_v);
    size_t step_X = ROW * (size_t)n_p;
    if (rod->joint.is_motion_driven) {
        add_inertia(rod, work, b, t->Qq);
    } else {
        elv_block_gram(rod->n_node, n_v, n_p, work->X, n_p, step_X, work->G, 6 * (size_t)n_p,
                       work->square);
        add_padded(n_v, n_v, n_p, work->square, t->Qq);
        add_blocks(rod->n_node, 6 * n_p, work->G, work->square);
        add_padded(6, n_v, n_p, work->square, t->Wq);
    }
    if (is_grounded) {
        return;
    }
    memset(work->square, 0, (size_t)(n_p * ELV_ROD_K_ROW) * sizeof(double));
    elv_block_gram(rod->n_node, n_v, ELV_ROD_K_ROW, work->X, n_p, step_X, work->K,
                   (size_t)6 * ELV_ROD_K_ROW, work->square);
    add_padded(n_v, ROW, ELV_ROD_K_ROW, work->square, t->Qx);
    add_blocks(rod->n_node, 6 * ELV_ROD_K_ROW, work->K, work->square);
    add_padded(6, ROW, ELV_ROD_K_ROW, work->square, t->Wx);
}

// start values; padded columns stay zero
static void clear(const ElvJoint* joint, ElvRodWork* work, bool is_grounded, ElvJointTangent* t) {
    size_t n_v = (size_t)joint->n_v;
    size_t n_p = (size_t)elv_padded(joint->n_v);
    memset(work->X_end, 0, ROW * n_p * sizeof(double));
    memset(work->square, 0, n_p * n_p * sizeof(double));
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
        tangent->Qq[i] = unknown->is_bare ? 0.0 : unknown->c * rod->K[i] + unknown->a * rod->D[i];
    }
    if (!unknown->is_bare) {
        elv_rod_active_tangent(rod, w, in, unknown, tangent->Qq);
    }
    elv_rod_variations(rod, w, in->gravity);
    elv_rod_load_variations(rod, w, in);
    elv_rod_fluid_variations(rod, w, in);
    elv_rod_volume_variations(rod, w);
    for (int i_segment = 0; i_segment < rod->n_segment; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        segment_variations(rod, seg, w, unknown, n_row);
        for (int i = 0; i < seg->n_node && !joint->is_motion_driven; i++) {
            node_wrench(rod, w, seg->i_node + i, unknown->c, n_row);
        }
        segment_geometric(rod, seg, w, joint->is_motion_driven ? 0.0 : unknown->c, is_grounded,
                          tangent);
        if (seg->end_port >= 0) {
            set_port(joint, w->X_end, unknown->c, seg->end_port, tangent);
        }
    }
    add_sums(rod, w, unknown->b, is_grounded, tangent);
    elv_rod_flux_variation(rod, w, in, unknown, n_row, is_grounded, tangent);
}
