// SPDX-License-Identifier: Apache-2.0
// A point at any station of a rod: J by the Gauss rule of each segment up to it, in the one frame,
// and
//     d(J_k^T W) = integral of W . ad_Z S_k = integral of y_k . Z,   y_k = -ad_(S_k)^T W
// where Z = Z_root + J dq, as in the geometric terms of [P23 (55)]. The segment that holds the
// point is cut there (rod_part.h); Chebyshev nodes stay where they are, and reach it by
// interpolation of what their cumulative matrix gives, as all of the spectral method does.
#include "rod/rod_point.h"

#include "linalg/block_product.h"
#include "linalg/quadrature.h"
#include "rod/rod_part.h"
#include "rod/rod_segment.h"
#include "rod/spectral.h"

#include <math.h>
#include <string.h>

// how far inside a segment laws and bases are taken, which may jump at its ends
// (spectral_segment.c)
static const double INSIDE = 1e-12;

enum { MAX_NODE = ELV_MAX_QUADRATURE };
_Static_assert((int)ELV_MAX_CHEBYSHEV <= (int)MAX_NODE, "room for the nodes of either method");

/// A segment, or the part of it up to the point: what integrals over it need.
typedef struct {
    const ElvRodSegment* seg;
    double h;          // scale of integrals on [0, 1], m
    const ElvPose* g;  // poses of the nodes                  (n_node)
    const double* phi; // values of the columns there         (n_node x n_col)
    const double* row; // integral over all of it             (n_node)
} Stretch;

void elv_rod_point_layout(const ElvRod* rod, ElvArena* arena, ElvRodPoint* point) {
    size_t n_v = (size_t)rod->joint.n_v;
    size_t n_node = 0;
    size_t n_value = 0;
    for (int i = 0; i < rod->n_segment; i++) {
        size_t n = (size_t)rod->segment[i].n_node;
        size_t n_phi = n * (size_t)rod->segment[i].n_col;
        n_node = n > n_node ? n : n_node;
        n_value = n_phi > n_value ? n_phi : n_value;
    }
    *point = (ElvRodPoint){0};
    point->J = elv_arena_take(arena, n_v, sizeof *point->J);
    point->J_ds = elv_arena_take(arena, n_v, sizeof *point->J_ds);
    point->g_node = elv_arena_take(arena, n_node, sizeof *point->g_node);
    point->phi = elv_arena_take(arena, n_value, sizeof *point->phi);
    point->row = elv_arena_take(arena, n_node, sizeof *point->row);
}

// ---- the segment that holds the point

// values of the segment's columns at station s
static void eval_columns(const ElvRod* rod, const ElvRodSegment* seg, double s, double* phi) {
    const ElvRodElement* element = &rod->element[seg->i_element];
    double middle = 0.5 * (seg->s0 + seg->s1);
    elv_rod_eval_columns(element, s, (middle - element->s0) / (element->s1 - element->s0), phi);
}

// station within a segment where laws are its own
static double inside(const ElvRodSegment* seg, double s) {
    double margin = fmin(INSIDE, 1e-3 * (seg->s1 - seg->s0));
    return fmin(fmax(s, seg->s0 + margin), seg->s1 - margin);
}

// pose of the point, and the nodes of the part up to it
static void
cut_segment(const ElvRod* rod, const ElvRodWork* work, const double* q, ElvRodPoint* point) {
    const ElvRodSegment* seg = &rod->segment[point->i_segment];
    double ds = point->s - seg->s0;
    point->h = ds * rod->length;
    point->g = elv_rod_part_poses(rod, work, q, point->i_segment, point->s, point->g_node);
    for (int i = 0; i < seg->n_node; i++) {
        point->row[i] = seg->w[i];
        eval_columns(rod, seg, inside(seg, seg->s0 + ds * seg->x[i]),
                     point->phi + (size_t)i * (size_t)seg->n_col);
    }
}

// the same with Chebyshev nodes, which stay: interpolated rows of the cumulative matrix
static void weigh_segment(const ElvRod* rod, const ElvRodWork* work, ElvRodPoint* point) {
    const ElvRodSegment* seg = &rod->segment[point->i_segment];
    int n = seg->n_node;
    double value[ELV_MAX_CHEBYSHEV];
    point->h = seg->h;
    point->g = elv_spectral_pose_at(rod, work, point->s);
    elv_chebyshev_interpolation(n, (point->s - seg->s0) / (seg->s1 - seg->s0), value);
    for (int j = 0; j < n; j++) {
        point->row[j] = 0.0;
        for (int i = 0; i < n; i++) {
            point->row[j] += value[i] * seg->C[i * n + j];
        }
    }
    memcpy(point->g_node, work->g + seg->i_node, (size_t)n * sizeof *point->g_node);
    memcpy(point->phi, seg->phi, (size_t)(n * seg->n_col) * sizeof *point->phi);
}

static Stretch
get_stretch(const ElvRod* rod, const ElvRodWork* work, const ElvRodPoint* point, int i_segment) {
    const ElvRodSegment* seg = &rod->segment[i_segment];
    bool is_spectral = rod->space == ELV_SPACE_SPECTRAL;
    if (i_segment == point->i_segment) {
        return (Stretch){seg, point->h, point->g_node, point->phi, point->row};
    }
    const double* row = is_spectral ? seg->C + (seg->n_node - 1) * seg->n_node : seg->w;
    return (Stretch){seg, seg->h, work->g + seg->i_node, seg->phi, row};
}

// ---- place

// derivatives of strains from `first` on by s                                            [P20 (23)]
static ElvTwist strain_slope(
    const ElvRod* rod, const ElvRodElement* element, const double* q, double s, int first) {
    double slope[ELV_MAX_MODES];
    double sum[ELV_N_STRAIN] = {0.0};
    double width = element->s1 - element->s0;
    for (int strain = first; strain < ELV_N_STRAIN; strain++) {
        const ElvStrainBasis* basis = &element->basis[strain];
        sum[strain] = elv_law_eval_s(rod->reference[strain], 0.0, s).d;
        if (basis->n_mode > 0) {
            elv_strain_basis_slope(basis, (s - element->s0) / width, slope);
        }
        for (int m = 0; m < basis->n_mode; m++) {
            sum[strain] += slope[m] / width * q[element->column[strain] + m];
        }
    }
    return elv_twist_from_array(sum);
}

ElvTwist elv_rod_strain_slope_at(const ElvRod* rod, const double* q, double s) {
    const ElvRodSegment* seg = &rod->segment[elv_rod_segment_at(rod, s)];
    ElvTwist by_s = strain_slope(rod, &rod->element[seg->i_element], q, inside(seg, s), 0);
    return elv_twist_scale(1.0 / rod->length, by_s);
}

// tangent and curvature of the centreline, and dJ/ds
static void set_local(const ElvRod* rod, const double* q, ElvRodPoint* point) {
    const ElvRodSegment* seg = &rod->segment[point->i_segment];
    const ElvRodElement* element = &rod->element[seg->i_element];
    double s = inside(seg, point->s);
    double reference[ELV_N_STRAIN];
    double phi[ELV_N_STRAIN * ELV_MAX_MODES];
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        reference[strain] = elv_law_value(rod->reference[strain], 0.0, s);
    }
    eval_columns(rod, seg, s, phi);
    ElvTwist xi = elv_twist_add(elv_twist_from_array(reference), elv_rod_combine(seg, phi, q));
    const ElvMat3* R = &point->g.R;
    // r' = L R Gamma,  r'' = L R Gamma' + L K x r'
    point->curvature = elv_mat3_apply(*R, xi.ang);
    point->tangent = elv_vec3_scale(rod->length, elv_mat3_apply(*R, xi.lin));
    ElvVec3 turned = elv_vec3_cross(point->curvature, point->tangent);
    ElvVec3 own = elv_mat3_apply(*R, strain_slope(rod, element, q, s, ELV_STRAIN_STRETCH).lin);
    point->tangent_ds = elv_vec3_scale(rod->length, elv_vec3_add(own, turned));
    // J' = L S
    for (int k = 0; k < rod->joint.n_v; k++) {
        point->J_ds[k] = elv_twist_zero();
    }
    for (int k = 0; k < seg->n_col; k++) {
        ElvTwist S = elv_rod_screw(&point->g, seg->strain[k]);
        point->J_ds[seg->col[k]] = elv_twist_scale(rod->length * phi[k], S);
    }
}

// J = sum over nodes of weight times S                                                   [P20 (52)]
static void set_jacobian(const ElvRod* rod, const ElvRodWork* work, ElvRodPoint* point) {
    for (int k = 0; k < rod->joint.n_v; k++) {
        point->J[k] = elv_twist_zero();
    }
    for (int i_segment = 0; i_segment <= point->i_segment; i_segment++) {
        Stretch part = get_stretch(rod, work, point, i_segment);
        const ElvRodSegment* seg = part.seg;
        for (int i = 0; i < seg->n_node; i++) {
            const double* phi = part.phi + (size_t)i * (size_t)seg->n_col;
            for (int r = 0; r < seg->n_run; r++) {
                const ElvColumnRun* run = &seg->run[r];
                ElvTwist S =
                    elv_twist_scale(part.h * part.row[i], elv_rod_screw(&part.g[i], run->strain));
                for (int k = 0; k < run->n; k++) {
                    ElvTwist* J = &point->J[run->col + k];
                    *J = elv_twist_add_scaled(*J, phi[run->begin + k], S);
                }
            }
        }
    }
}

void elv_rod_point_place(
    const ElvRod* rod, const ElvRodWork* work, const double* q, double s, ElvRodPoint* point) {
    // written so that NaN stays
    point->s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
    point->i_segment = elv_rod_segment_at(rod, point->s);
    if (rod->space == ELV_SPACE_SPECTRAL) {
        weigh_segment(rod, work, point);
    } else {
        cut_segment(rod, work, q, point);
    }
    set_local(rod, q, point);
    set_jacobian(rod, work, point);
}

// ---- motion

// integral of ad_V Ad_g xi_dot over a stretch that starts with twist V                   [P23 (41)]
static ElvTwist bias(const Stretch* part, const double* v, ElvTwist V) {
    const ElvRodSegment* seg = part->seg;
    int n = seg->n_node;
    ElvTwist rate[MAX_NODE];
    ElvTwist sum = elv_twist_zero();
    for (int i = 0; i < n; i++) {
        const double* phi = part->phi + (size_t)i * (size_t)seg->n_col;
        rate[i] = elv_twist_transform(part->g[i], elv_rod_combine(seg, phi, v));
    }
    for (int i = 0; i < n; i++) {
        ElvTwist V_i = V;
        for (int j = 0; j < n; j++) {
            V_i = elv_twist_add_scaled(V_i, part->h * seg->C[i * n + j], rate[j]);
        }
        sum = elv_twist_add_scaled(sum, part->h * part->row[i], elv_twist_bracket(V_i, rate[i]));
    }
    return sum;
}

void elv_rod_point_motion(const ElvRod* rod,
                          const ElvRodWork* work,
                          const ElvRodPoint* point,
                          const double* v,
                          const double* a,
                          ElvTwist* V,
                          ElvTwist* A) {
    *V = work->end[0].V;
    for (int k = 0; k < rod->joint.n_v; k++) {
        *V = elv_twist_add_scaled(*V, v[k], point->J[k]);
    }
    if (!A) {
        return;
    }
    *A = work->end[0].A;
    for (int k = 0; k < rod->joint.n_v; k++) {
        *A = elv_twist_add_scaled(*A, a[k], point->J[k]);
    }
    // J_dot v
    for (int i = 0; i <= point->i_segment; i++) {
        Stretch part = get_stretch(rod, work, point, i);
        *A = elv_twist_add(*A, bias(&part, v, work->end[i].V));
    }
}

ElvVec3 elv_rod_point_tangent_rate(const ElvRodPoint* point, ElvTwist V, ElvTwist V_ds) {
    ElvVec3 own = elv_vec3_add(V_ds.lin, elv_vec3_cross(V_ds.ang, point->g.p));
    return elv_vec3_add(own, elv_vec3_cross(V.ang, point->tangent));
}

void elv_rod_point_force(const ElvRod* rod, const ElvRodPoint* point, ElvWrench W, double* Q) {
    for (int k = 0; k < rod->joint.n_v; k++) {
        Q[k] += elv_power(point->J[k], W);
    }
}

// ---- variation of J^T W

// S_k at the nodes of a stretch, active columns packed and padded       (n_node x 6 x n_pack) in U
static void stretch_screws(const Stretch* part, ElvRodWork* work) {
    const ElvRodSegment* seg = part->seg;
    int n_pack = elv_padded(seg->n_col);
    memset(work->U, 0, (size_t)(seg->n_node * 6 * n_pack) * sizeof(double));
    for (int i = 0; i < seg->n_node; i++) {
        const double* phi = part->phi + (size_t)i * (size_t)seg->n_col;
        double* U = work->U + (size_t)i * (size_t)(6 * n_pack);
        for (int r = 0; r < seg->n_run; r++) {
            const ElvColumnRun* run = &seg->run[r];
            double S[6];
            elv_twist_to_array(elv_rod_screw(&part->g[i], run->strain), S);
            for (int c = 0; c < 6; c++) {
                for (int k = run->begin; k < run->begin + run->n; k++) {
                    U[c * n_pack + k] = S[c] * phi[k];
                }
            }
        }
    }
}

// X (6 x n_p) += h sum_j row_j U_j, packed columns at their places
static void
add_integral(const Stretch* part, const ElvRodWork* work, const double* row, int n_p, double* X) {
    const ElvRodSegment* seg = part->seg;
    int n_pack = elv_padded(seg->n_col);
    double* packed = work->packed;
    memset(packed, 0, (size_t)(6 * n_pack) * sizeof *packed);
    elv_block_combine(1, seg->n_node, 6 * n_pack, part->h, row, work->U, packed, packed, 0);
    for (int r = 0; r < seg->n_run; r++) {
        const ElvColumnRun* run = &seg->run[r];
        for (int c = 0; c < 6; c++) {
            for (int k = 0; k < run->n; k++) {
                X[c * n_p + run->col + k] += packed[c * n_pack + run->begin + k];
            }
        }
    }
}

// J at the nodes of a stretch, in X, and at its end, in X_end                            [P20 (52)]
static void stretch_jacobians(const Stretch* part, ElvRodWork* work, int n_p) {
    int n = part->seg->n_node;
    stretch_screws(part, work);
    for (int i = 0; i < n; i++) {
        double* X = work->X + (size_t)i * (size_t)(6 * n_p);
        memcpy(X, work->X_end, (size_t)(6 * n_p) * sizeof *X);
        add_integral(part, work, part->seg->C + i * n, n_p, X);
    }
    add_integral(part, work, part->row, n_p, work->X_end);
}

// weight times y of the strains that act, at the nodes of a stretch       (n_node x 6 strains x 6)
static void stretch_pulls(const Stretch* part, ElvWrench W, double* y) {
    const ElvRodSegment* seg = part->seg;
    memset(y, 0, (size_t)(36 * seg->n_node) * sizeof *y);
    for (int i = 0; i < seg->n_node; i++) {
        for (int r = 0; r < seg->n_run; r++) {
            ElvTwist S = elv_rod_screw(&part->g[i], seg->run[r].strain);
            ElvWrench pull = elv_wrench_scale(-part->h * part->row[i], elv_twist_coad(S, W));
            elv_wrench_to_array(pull, y + 36 * i + 6 * r);
        }
    }
}

// rows of the active columns: phi_k y . J in H, phi_k y in H_root                        [P23 (55)]
static void stretch_variation(
    const Stretch* part, ElvRodWork* work, int n_v, const double* y, double* H, double* H_root) {
    const ElvRodSegment* seg = part->seg;
    int n_p = elv_padded(n_v);
    int n_row = seg->n_run <= 3 ? 3 : 6;
    if (H) {
        stretch_jacobians(part, work, n_p);
        // y . J, in the room of U                                (n_node x strains that act x n_p)
        for (int i = 0; i < seg->n_node; i++) {
            elv_block_apply(n_row, 6, n_p, y + 36 * i, 6, work->X + (size_t)i * (size_t)(6 * n_p),
                            work->U + (size_t)i * (size_t)(n_row * n_p));
        }
    }
    for (int r = 0; r < seg->n_run; r++) {
        const ElvColumnRun* run = &seg->run[r];
        const double* phi = part->phi + run->begin;
        if (H) {
            elv_block_add_product(run->n, seg->n_node, n_v, phi, 1, seg->n_col, work->U + r * n_p,
                                  n_row * n_p, H + (size_t)run->col * (size_t)n_v, n_v);
        }
        if (H_root) {
            elv_block_add_product(run->n, seg->n_node, 6, phi, 1, seg->n_col, y + 6 * r, 36,
                                  H_root + (size_t)run->col * 6, 6);
        }
    }
}

void elv_rod_point_force_variation(const ElvRod* rod,
                                   ElvRodWork* work,
                                   const ElvRodPoint* point,
                                   ElvWrench W,
                                   double* H,
                                   double* H_root,
                                   double* H_ds) {
    double y[36 * MAX_NODE];
    memset(work->X_end, 0, (size_t)(6 * elv_padded(rod->joint.n_v)) * sizeof *work->X_end);
    for (int i = 0; i <= point->i_segment && (H || H_root); i++) {
        Stretch part = get_stretch(rod, work, point, i);
        if (part.seg->n_col > 0) {
            stretch_pulls(&part, W, y);
            stretch_variation(&part, work, rod->joint.n_v, y, H, H_root);
        }
    }
    for (int k = 0; k < rod->joint.n_v && H_ds; k++) {
        H_ds[k] += elv_power(point->J_ds[k], W);
    }
}
