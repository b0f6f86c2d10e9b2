// SPDX-License-Identifier: Apache-2.0
// Phi along a slender rod, and what it does to the generalised forces of free strains:
//     tau_k += integral of phi_k Phi_strain(k) dX
//     d tau = integral of phi^T (by_pose d_zeta + by_eta d_eta) dX
//     d_zeta = Ad_g^-1 Z,  d_eta = Ad_g^-1 Z_dot,  (Z, Z_dot) = x_root + X d_nu    (quadrature)
// Bending meets no Phi where sections have no added inertia that turns with it, which is nearly
// always.
#include "rod/rod_flux.h"

#include "linalg/barycentric.h"
#include "linalg/block_product.h"
#include "linalg/quadrature.h"
#include "rod/fluid.h"
#include "rod/rod_part.h"
#include "rod/rod_segment.h"
#include "rod/spectral.h"

#include <string.h>

enum { ROW = ELV_N_VARIATION };

// whether Phi has a component along a strain
static bool has_part(const ElvInertia* added, int strain) {
    bool is_bend = strain == ELV_STRAIN_BEND_Y || strain == ELV_STRAIN_BEND_Z;
    bool has = !is_bend;
    for (int k = 0; k < 3 && is_bend; k++) {
        has = has || added->J.m[strain][k] != 0.0 || added->H.m[strain][k] != 0.0;
    }
    return has;
}

bool elv_rod_meets_flux(const ElvRod* rod, int strain) {
    bool meets = false;
    for (int i = 0; i < rod->n_node && rod->is_slender; i++) {
        meets = meets || has_part(&rod->fluid[i].added, strain);
    }
    return meets;
}

static ElvTwist twist_of(const ElvRod* rod, const ElvRodWork* work, int i_node) {
    return rod->space == ELV_SPACE_SPECTRAL
               ? work->spectral->eta[i_node]
               : elv_twist_transform_inv(work->g[i_node], work->V[i_node]);
}

void elv_rod_flux(const ElvRod* rod, ElvRodWork* work, const ElvJointInput* in, double* tau) {
    work->fluid = in->fluid;
    for (int i_segment = 0; i_segment < rod->n_segment && rod->is_slender; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            int at = seg->i_node + i;
            double flux[ELV_N_STRAIN];
            work->flux[at] = elv_fluid_flux(&rod->fluid[at].added, in->fluid, &work->g[at],
                                            twist_of(rod, work, at), NULL, NULL);
            elv_wrench_to_array(work->flux[at], flux);
            elv_rod_project(seg, i, rod->weight[at], flux, tau);
        }
    }
}

/// Where variations go: rows of x by own unknowns, of which there are n_row, and by the root.
typedef struct {
    const ElvRod* rod;
    const ElvRodWork* work;
    double c;
    int n_row;
    bool is_grounded;
    ElvJointTangent* tangent;
} Variation;

// factor row x of column `to`, where x are the variations of a node by the one frame
static void add_row(const Variation* v, int i_node, const double row[12], double factor, int to) {
    int n_v = v->rod->joint.n_v;
    int n_p = elv_padded(n_v);
    const double* X = v->work->X + (size_t)i_node * (size_t)(ROW * n_p);
    double* Qq = v->tangent->Qq + (size_t)to * (size_t)n_v;
    double* Qx = v->tangent->Qx + (size_t)to * ROW;
    // columns that do not vary have no rows but the first ones, which are kept without their factor
    int n_own = v->rod->joint.is_motion_driven ? 0 : v->n_row < 12 ? v->n_row : 12;
    for (int r = 0; r < n_own; r++) {
        double f = factor * row[r] * (r < 6 ? v->c : 1.0);
        for (int k = 0; k < n_v; k++) {
            Qq[k] += f * X[r * n_p + k];
        }
    }
    for (int r = 0; r < 12 && !v->is_grounded; r++) {
        Qx[r] += factor * row[r];
    }
}

// the same with variations in section axes, those by the root behind the own ones
static void
add_section_row(const Variation* v, int i_node, const double row[12], double factor, int to) {
    int n_v = v->rod->joint.n_v;
    int m = n_v + (v->is_grounded ? 0 : ROW);
    const double* Y = v->work->spectral->Y + (size_t)i_node * (size_t)(ROW * m);
    for (int k = 0; k < m; k++) {
        double sum = 0.0;
        for (int r = 0; r < 12; r++) {
            sum += row[r] * Y[r * m + k];
        }
        double* entry = k < n_v ? v->tangent->Qq + (size_t)to * (size_t)n_v + k
                                : v->tangent->Qx + (size_t)to * ROW + (k - n_v);
        *entry += factor * sum;
    }
}

static void
vary_node(const Variation* v, const ElvJointInput* in, const ElvRodSegment* seg, int i) {
    const ElvRod* rod = v->rod;
    int at = seg->i_node + i;
    bool is_spectral = rod->space == ELV_SPACE_SPECTRAL;
    const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
    const ElvInertia* added = &rod->fluid[at].added;
    const ElvPose* g = &v->work->g[at];
    ElvMat6 by_pose, by_eta;
    elv_fluid_flux(added, in->fluid, g, twist_of(rod, v->work, at), &by_pose, &by_eta);
    if (!is_spectral) {
        ElvMat6 back = elv_pose_adjoint(elv_pose_inverse(*g));
        by_pose = elv_mat6_mul(by_pose, back);
        by_eta = elv_mat6_mul(by_eta, back);
    }
    for (int k = 0; k < seg->n_col; k++) {
        double row[12];
        double factor = rod->weight[at] * phi[k];
        int strain = seg->strain[k];
        if (!has_part(added, strain)) {
            continue;
        }
        for (int j = 0; j < 6; j++) {
            row[j] = by_pose.m[strain][j];
            row[6 + j] = by_eta.m[strain][j];
        }
        if (is_spectral) {
            add_section_row(v, at, row, factor, seg->col[k]);
        } else {
            add_row(v, at, row, factor, seg->col[k]);
        }
    }
}

void elv_rod_flux_variation(const ElvRod* rod,
                            const ElvRodWork* work,
                            const ElvJointInput* in,
                            const ElvUnknown* unknown,
                            int n_row,
                            bool is_grounded,
                            ElvJointTangent* tangent) {
    Variation v = {rod, work, unknown->c, n_row, is_grounded, tangent};
    for (int i_segment = 0; i_segment < rod->n_segment && rod->is_slender; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            vary_node(&v, in, seg, i);
        }
    }
}

// Phi at an end of a segment, just inside of it, where sections may jump
static ElvWrench end_flux(const ElvRod* rod, const ElvRodWork* work, int i_segment, int side) {
    const ElvRodSegment* seg = &rod->segment[i_segment];
    const ElvMotion* end = &work->end[i_segment + side];
    double margin = 1e-12 * (seg->s1 - seg->s0);
    ElvInertia added = elv_rod_added_at(rod, side == 0 ? seg->s0 + margin : seg->s1 - margin);
    ElvTwist eta = elv_twist_transform_inv(end->g, end->V);
    return elv_fluid_flux(&added, work->fluid, &end->g, eta, NULL, NULL);
}

ElvWrench elv_rod_flux_at(const ElvRod* rod, const ElvRodWork* work, double s) {
    ElvWrench sum = elv_wrench_zero();
    if (!rod->is_slender) {
        return sum;
    }
    // through the nodes and, where these are inside, both ends of the segment
    int i_segment = elv_rod_segment_at(rod, s);
    const ElvRodSegment* seg = &rod->segment[i_segment];
    int n_end = rod->space == ELV_SPACE_SPECTRAL ? 0 : 1;
    int n = seg->n_node + 2 * n_end;
    double x[ELV_MAX_QUADRATURE + 2], row[ELV_MAX_QUADRATURE + 2];
    x[0] = 0.0;
    memcpy(x + n_end, seg->x, (size_t)seg->n_node * sizeof *x);
    x[n - 1] = n_end > 0 ? 1.0 : x[n - 1];
    elv_barycentric_interpolation(n, x, (s - seg->s0) / (seg->s1 - seg->s0), row);
    for (int j = 0; j < seg->n_node; j++) {
        sum = elv_wrench_add_scaled(sum, row[n_end + j], work->flux[seg->i_node + j]);
    }
    for (int side = 0; side < 2 * n_end; side++) {
        sum = elv_wrench_add_scaled(sum, row[side * (n - 1)], end_flux(rod, work, i_segment, side));
    }
    return sum;
}
