// SPDX-License-Identifier: Apache-2.0
// A rod's part of the mass matrix on the Chebyshev grid, from its kinetic energy:
//     M_kl = sum over nodes of w J_k^T I J_l + sum over ports of J_k^T I J_l
// with the screws J of the tangent cascade [P23 (50)] carried to the one frame. Symmetric and positive
// definite at any number of nodes; equal to the columns of the IDM up to the spatial error.
#include "rod/spectral.h"

// J at the nodes of a segment: columns that do not act here keep their value, the others grow
static void segment_screws(const ElvRodSegment* seg, ElvRodWork* work, int i_segment, size_t n_v) {
    int n_col = seg->n_col;
    const double* ang = work->spectral->rel;
    const double* lin = ang + seg->n_node * 3 * n_col;
    elv_spectral_columns(seg, work->spectral, i_segment);
    for (int i = 0; i < seg->n_node; i++) {
        int i_node = seg->i_node + i;
        ElvTwist* J = work->J + (size_t)i_node * n_v;
        for (size_t k = 0; k < n_v; k++) {
            J[k] = work->J_end[k];
        }
        for (int k = 0; k < n_col; k++) {
            ElvTwist d_zeta = elv_twist(elv_column_get(ang + 3 * i * n_col, n_col, k),
                                        elv_column_get(lin + 3 * i * n_col, n_col, k));
            ElvTwist* column = &J[seg->col[k]];
            *column = elv_twist_add(*column, elv_twist_transform(work->g[i_node], d_zeta));
        }
    }
}

void elv_spectral_screws(const ElvJoint* joint, void* work, ElvTwist* screw) {
    const ElvRod* rod = (const ElvRod*)joint;
    ElvRodWork* w = work;
    size_t n_v = (size_t)joint->n_v;
    for (int i = 0; i < rod->n_node; i++) {
        w->I[i] = elv_inertia_transform(w->g[i], rod->inertia[i]);
    }
    if (!screw) {
        return;
    }
    for (size_t k = 0; k < n_v; k++) {
        w->J_end[k] = elv_twist_zero();
        screw[k] = elv_twist_zero();
    }
    for (int i = 0; i < rod->n_segment; i++) {
        const ElvRodSegment* seg = &rod->segment[i];
        segment_screws(seg, w, i, n_v);
        const ElvTwist* last = w->J + (size_t)(seg->i_node + seg->n_node - 1) * n_v;
        for (size_t k = 0; k < n_v; k++) {
            w->J_end[k] = last[k];
            if (seg->end_port >= 0) {
                screw[(size_t)seg->end_port * n_v + k] = last[k];
            }
        }
    }
    // composite needs the screws of the ports
    for (size_t k = 0; k < n_v * (size_t)joint->n_port; k++) {
        w->J_port[k] = screw[k];
    }
}

// momenta of one inertia and their part of M
static void add_inertia(size_t n_v,
                        const ElvInertia* I,
                        double weight,
                        const ElvTwist* J,
                        ElvWrench* momentum,
                        double* M,
                        size_t ld) {
    for (size_t l = 0; l < n_v; l++) {
        ElvWrench P = elv_wrench_scale(weight, elv_inertia_apply(*I, J[l]));
        momentum[l] = elv_wrench_add(momentum[l], P);
        for (size_t k = 0; k < n_v; k++) {
            M[k * ld + l] += elv_power(J[k], P);
        }
    }
}

void elv_spectral_composite(const ElvJoint* joint,
                            void* work,
                            const ElvInertia* port,
                            ElvInertia* root,
                            ElvWrench* momentum,
                            double* M,
                            int ld) {
    const ElvRod* rod = (const ElvRod*)joint;
    ElvRodWork* w = work;
    size_t n_v = M ? (size_t)joint->n_v : 0;
    for (size_t k = 0; k < n_v; k++) {
        momentum[k] = elv_wrench_zero();
        for (size_t l = 0; l < n_v; l++) {
            M[k * (size_t)ld + l] = 0.0;
        }
    }
    *root = port[0];
    for (size_t p = 1; p < (size_t)joint->n_port; p++) {
        *root = elv_inertia_add(*root, port[p]);
        add_inertia(n_v, &port[p], 1.0, w->J_port + p * n_v, momentum, M, (size_t)ld);
    }
    for (int i = 0; i < rod->n_node; i++) {
        *root = elv_inertia_add(*root, elv_inertia_scale(rod->weight[i], w->I[i]));
        add_inertia(n_v, &w->I[i], rod->weight[i], w->J + (size_t)i * n_v, momentum, M, (size_t)ld);
    }
}
