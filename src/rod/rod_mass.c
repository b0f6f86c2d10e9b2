// SPDX-License-Identifier: Apache-2.0
// A rod's part of the mass matrix by composite inertias, in the one frame:
//     J_k(X) = integral_0^X S_k,   P_k(X) = momentum beyond X per unit v_k
//     P_k(X) = sum over ports beyond X of I_port J_k(port) + integral_X^l I J_k dY
//     M_kl   = integral of S_k^T P_l dX
// The same nodes and cumulative matrix as the IDM, so that both mass matrices are one. The papers have
// no equation for it: see docs/theory/mass-matrix.md. J is the Jacobian of [P20 (52)-(53)].
#include "rod/rod_segment.h"
#include "rod/rod_volume.h"

// J at the nodes of a segment for one active column; returns it at the end              [P20 (52)]
static ElvTwist segment_column(
    const ElvRod* rod, const ElvRodSegment* seg, ElvRodWork* work, int k, ElvTwist start) {
    int n = seg->n_node;
    int n_v = rod->joint.n_v;
    ElvTwist end = start;
    for (int j = 0; j < n; j++) {
        double phi = seg->phi[(size_t)j * (size_t)seg->n_col + (size_t)k];
        work->rate[j] =
            elv_twist_scale(seg->h * phi, elv_rod_screw(&work->g[seg->i_node + j], seg->strain[k]));
        end = elv_twist_add_scaled(end, seg->w[j], work->rate[j]);
    }
    for (int i = 0; i < n; i++) {
        ElvTwist sum = start;
        for (int j = 0; j < n; j++) {
            sum = elv_twist_add_scaled(sum, seg->C[i * n + j], work->rate[j]);
        }
        work->J[(size_t)(seg->i_node + i) * (size_t)n_v + (size_t)seg->col[k]] = sum;
    }
    return end;
}

// J at the end of a segment: columns that do not act on it keep their value            [P20 (52)-(53)]
static void end_columns(const ElvRodSegment* seg, ElvRodWork* work) {
    for (int j = 0; j < seg->n_node; j++) {
        const double* phi = seg->phi + (size_t)j * (size_t)seg->n_col;
        for (int r = 0; r < seg->n_run; r++) {
            const ElvColumnRun* run = &seg->run[r];
            ElvTwist S = elv_rod_screw(&work->g[seg->i_node + j], run->strain);
            for (int k = 0; k < run->n; k++) {
                ElvTwist rate = elv_twist_scale(seg->h * phi[run->begin + k], S);
                ElvTwist* end = &work->J_end[run->col + k];
                *end = elv_twist_add_scaled(*end, seg->w[j], rate);
            }
        }
    }
}

void elv_rod_screws(const ElvJoint* joint, void* work, ElvTwist* screw) {
    const ElvRod* rod = (const ElvRod*)joint;
    ElvRodWork* w = work;
    size_t n_v = (size_t)joint->n_v;
    for (size_t k = 0; k < n_v && screw; k++) {
        w->J_end[k] = elv_twist_zero();
        screw[k] = elv_twist_zero();
    }
    for (int i_segment = 0; i_segment < rod->n_segment && screw; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        end_columns(seg, w);
        for (size_t k = 0; k < n_v && seg->end_port >= 0; k++) {
            screw[(size_t)seg->end_port * n_v + k] = w->J_end[k];
        }
    }
    // composite needs the screws of the ports
    for (size_t k = 0; k < n_v * (size_t)joint->n_port && screw; k++) {
        w->J_port[k] = screw[k];
    }
}

// J at all nodes: columns that do not act on a segment keep their value, the others grow
static void node_columns(const ElvRod* rod, ElvRodWork* work) {
    size_t n_v = (size_t)rod->joint.n_v;
    for (size_t k = 0; k < n_v; k++) {
        work->J_end[k] = elv_twist_zero();
    }
    for (int i_segment = 0; i_segment < rod->n_segment; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            for (size_t k = 0; k < n_v; k++) {
                work->J[(size_t)(seg->i_node + i) * n_v + k] = work->J_end[k];
            }
        }
        for (int k = 0; k < seg->n_col; k++) {
            int col = seg->col[k];
            work->J_end[col] = segment_column(rod, seg, work, k, work->J_end[col]);
        }
    }
}

// row block of M for column l on one segment, and the momentum at its start
static ElvWrench segment_momentum(const ElvRod* rod,
                                  const ElvRodSegment* seg,
                                  ElvRodWork* work,
                                  int l,
                                  ElvWrench end,
                                  double* M,
                                  int ld) {
    int n = seg->n_node;
    size_t n_v = (size_t)rod->joint.n_v;
    ElvWrench start = end;
    for (int j = 0; j < n; j++) {
        int i_node = seg->i_node + j;
        ElvTwist J = work->J[(size_t)i_node * n_v + (size_t)l];
        work->P[j] = elv_wrench_scale(seg->h, elv_inertia_apply(work->I[i_node], J));
        start = elv_wrench_add_scaled(start, seg->w[j], work->P[j]);
    }
    // P(X_i), and M_kl += w phi_k e_k^T Ad_g^T P_l
    for (int i = 0; i < n; i++) {
        ElvWrench P = end;
        for (int j = 0; j < n; j++) {
            P = elv_wrench_add_scaled(P, seg->w[j] - seg->C[i * n + j], work->P[j]);
        }
        double component[ELV_N_STRAIN];
        elv_wrench_to_array(elv_wrench_transform_inv(work->g[seg->i_node + i], P), component);
        const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
        double weight = seg->h * seg->w[i];
        for (int k = 0; k < seg->n_col; k++) {
            M[(size_t)seg->col[k] * (size_t)ld + (size_t)l] +=
                weight * phi[k] * component[seg->strain[k]];
        }
    }
    return start;
}

void elv_rod_composite(const ElvJoint* joint,
                       void* work,
                       const ElvInertia* port,
                       ElvInertia* root,
                       ElvWrench* momentum,
                       double* M,
                       int ld) {
    const ElvRod* rod = (const ElvRod*)joint;
    ElvRodWork* w = work;
    int n_v = joint->n_v;
    for (int i = 0; i < rod->n_node; i++) {
        w->I[i] = elv_inertia_transform(w->g[i], elv_rod_inertia(rod, w)[i]);
    }
    if (M) {
        node_columns(rod, w);
    }
    for (int l = 0; l < n_v && M; l++) {
        for (int k = 0; k < n_v; k++) {
            M[(size_t)k * (size_t)ld + (size_t)l] = 0.0;
        }
        ElvWrench P = elv_wrench_zero();
        for (int i = rod->n_segment - 1; i >= 0; i--) {
            const ElvRodSegment* seg = &rod->segment[i];
            if (seg->end_port >= 0) {
                ElvTwist J = w->J_port[(size_t)seg->end_port * (size_t)n_v + (size_t)l];
                P = elv_wrench_add(P, elv_inertia_apply(port[seg->end_port], J));
            }
            P = segment_momentum(rod, seg, w, l, P, M, ld);
        }
        momentum[l] = P;
    }
    *root = port[0];
    for (int i = 1; i < joint->n_port; i++) {
        *root = elv_inertia_add(*root, port[i]);
    }
    for (int i = 0; i < rod->n_node; i++) {
        *root = elv_inertia_add(*root, elv_inertia_scale(rod->weight[i], w->I[i]));
    }
}
