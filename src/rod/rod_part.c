// SPDX-License-Identifier: Apache-2.0
// Poses on a part of a segment: rotations by Magnus steps from node to node of the part, positions
// r' = R Gamma by its Gauss rule [P20 (17), P23 (35)]. A polynomial through the nodes of the whole segment
// would do with less, but reaches stations between them with the error of interpolation, where the Gauss
// rule of the part has that of quadrature, and so are derivatives by the coordinates.
#include "rod/rod_part.h"

#include "linalg/quadrature.h"
#include "rod/magnus.h"

#include <math.h>

int elv_rod_segment_at(const ElvRod* rod, double s) {
    int i_segment = 0;
    while (i_segment < rod->n_segment - 1 && s >= rod->segment[i_segment].s1) {
        i_segment++;
    }
    return i_segment;
}

// three strains, angular or linear, from the given one on                                [P20 (23)]
static ElvVec3
half_strain(const ElvRod* rod, const ElvRodElement* element, const double* q, double s, int from) {
    double xi[3];
    double phi[ELV_MAX_MODES];
    for (int c = 0; c < 3; c++) {
        const ElvStrainBasis* basis = &element->basis[from + c];
        const double* y = q + element->column[from + c];
        xi[c] = elv_law_value(rod->reference[from + c], 0.0, s);
        if (basis->n_mode == 0) {
            continue;
        }
        elv_strain_basis_eval(basis, (s - element->s0) / (element->s1 - element->s0), phi);
        for (int m = 0; m < basis->n_mode; m++) {
            xi[c] += phi[m] * y[m];
        }
    }
    return elv_vec3(xi[0], xi[1], xi[2]);
}

// exp(Omega) of one Magnus step of R' = R hat(K) between two stations
static ElvMat3 magnus_step(
    const ElvRod* rod, const ElvRodElement* element, const double* q, double s0, double s1) {
    ElvVec3 a[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int p = 0; p < ELV_MAGNUS_POINT; p++) {
        double s = s0 + (s1 - s0) * ELV_MAGNUS_NODE[p];
        ElvVec3 K = half_strain(rod, element, q, s, 0);
        for (int m = 0; m < 3; m++) {
            double factor = (s1 - s0) * rod->length * ELV_MAGNUS_MOMENT[m][p];
            a[m] = elv_vec3_add_scaled(a[m], factor, K);
        }
    }
    return elv_so3_exp(elv_magnus_log(a));
}

// rotations at the nodes and at the end of the part, ds long, of a segment, and R Gamma at the nodes
static ElvMat3 part_rotations(const ElvRod* rod,
                              const ElvRodSegment* seg,
                              const double* q,
                              double ds,
                              ElvMat3 R,
                              ElvPose* g,
                              ElvVec3* rate) {
    const ElvRodElement* element = &rod->element[seg->i_element];
    int n = seg->n_node;
    for (int i = 0; i <= n; i++) {
        double a = seg->s0 + ds * (i == 0 ? 0.0 : seg->x[i - 1]);
        double b = seg->s0 + ds * (i == n ? 1.0 : seg->x[i]);
        int n_step = seg->n_step[i];
        for (int sub = 0; sub < n_step; sub++) {
            R = elv_mat3_mul(R, magnus_step(rod, element, q, a + (b - a) * sub / n_step,
                                            a + (b - a) * (sub + 1) / n_step));
        }
        if (i < n) {
            g[i].R = R;
            rate[i] = elv_mat3_apply(R, half_strain(rod, element, q, b, ELV_STRAIN_STRETCH));
        }
    }
    return R;
}

ElvPose elv_rod_part_poses(const ElvRod* rod,
                           const ElvRodWork* work,
                           const double* q,
                           int i_segment,
                           double s,
                           ElvPose* g) {
    const ElvRodSegment* seg = &rod->segment[i_segment];
    int n = seg->n_node;
    double ds = s - seg->s0;
    ElvPose end = work->end[i_segment].g;
    // where there is no part, its nodes are at the start; NaN stays
    end.p = elv_vec3_add_scaled(end.p, ds, elv_vec3(0.0, 0.0, 0.0));
    for (int i = 0; i < n; i++) {
        g[i] = end;
    }
    if (!(ds > 0.0)) {
        return end;
    }
    ElvVec3 rate[ELV_MAX_QUADRATURE];
    end.R = part_rotations(rod, seg, q, ds, end.R, g, rate);
    // r = r_0 + integral of R Gamma
    double h = ds * rod->length;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            g[i].p = elv_vec3_add_scaled(g[i].p, h * seg->C[i * n + j], rate[j]);
        }
        end.p = elv_vec3_add_scaled(end.p, h * seg->w[i], rate[i]);
    }
    return end;
}

// ---- along a rod

enum { N_POINT = 4 }; // of a Gauss rule on [0, 1], between which rotations go by Magnus steps
static const double WIDEST_GAP = 0.34; // between two of them

static ElvPose advance_once(const ElvRod* rod,
                            const ElvRodElement* element,
                            const double* q,
                            double s0,
                            double s1,
                            ElvPose g) {
    static const double point[N_POINT] = {0.069431844202973712388, 0.33000947820757186760,
                                          0.66999052179242813240, 0.93056815579702628761};
    static const double weight[N_POINT] = {0.17392742256872692869, 0.32607257743127307131,
                                           0.32607257743127307131, 0.17392742256872692869};
    double a = s0;
    for (int i = 0; i < N_POINT; i++) {
        double b = s0 + (s1 - s0) * point[i];
        g.R = elv_mat3_mul(g.R, magnus_step(rod, element, q, a, b));
        ElvVec3 rate = elv_mat3_apply(g.R, half_strain(rod, element, q, b, ELV_STRAIN_STRETCH));
        g.p = elv_vec3_add_scaled(g.p, (s1 - s0) * rod->length * weight[i], rate);
        a = b;
    }
    g.R = elv_mat3_mul(g.R, magnus_step(rod, element, q, a, s1));
    return g;
}

ElvPose elv_rod_part_advance(
    const ElvRod* rod, const double* q, int i_segment, double s0, double s1, ElvPose g) {
    const ElvRodSegment* seg = &rod->segment[i_segment];
    double n_step = 0.0;
    for (int i = 0; i <= seg->n_node; i++) {
        n_step += seg->n_step[i];
    }
    int n = (int)ceil(WIDEST_GAP * n_step * (s1 - s0) / (seg->s1 - seg->s0));
    double ds = (s1 - s0) / n;
    for (int i = 0; i < n; i++) {
        g = advance_once(rod, &rod->element[seg->i_element], q, s0 + i * ds, s0 + (i + 1) * ds, g);
    }
    return g;
}
