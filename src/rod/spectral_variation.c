// SPDX-License-Identifier: Apache-2.0
// Tangent forward cascade of a rod in section frames: per unit of the unknown, on each segment and
// relative to its start, with d_xi = c B Phi, d_xi_dot = a B Phi, d_xi_ddot = b B Phi,   [P23 (50)]
//     d_zeta' = -ad_xi d_zeta + d_xi
//     d_eta'  = -ad_xi d_eta + ad_eta d_xi + d_xi_dot
//     d_eta_dot' = -ad_xi d_eta_dot - ad_xi_dot d_eta + ad_eta_dot d_xi + ad_eta d_xi_dot + d_xi_ddot
// from zeros, all columns at once with the factored matrix of the forward cascade; then inertial
// variations by [P23 (48)]. The variation of the start comes and goes as (Z, Z_dot, Z_ddot) of the one
// frame: d_zeta = Ad_g^-1 Z, d_eta = Ad_g^-1 Z_dot, d_eta_dot = Ad_g^-1 (Z_ddot - ad_V Z_dot).
#include "rod/spectral.h"

#include <string.h>

enum { ROW = ELV_N_VARIATION };

/// The six relative fields of a segment, each (n_node x 3 x n_col).
typedef struct {
    double *zeta_ang, *zeta_lin, *eta_ang, *eta_lin, *eta_dot_ang, *eta_dot_lin;
} Fields;

static Fields get_fields(const ElvRodSegment* seg, const ElvSpectralWork* w) {
    size_t size = (size_t)seg->n_node * 3 * (size_t)seg->n_col;
    Fields f = {
        w->rel,           w->rel + size, w->rel + 2 * size, w->rel + 3 * size, w->rel + 4 * size,
        w->rel + 5 * size};
    return f;
}

static ElvTwist
get_twist(const ElvRodSegment* seg, const double* ang, const double* lin, int i, int k) {
    int n_col = seg->n_col;
    return elv_twist(elv_column_get(ang + 3 * i * n_col, n_col, k),
                     elv_column_get(lin + 3 * i * n_col, n_col, k));
}

static ElvTwist unit_strain(int strain) {
    double unit[ELV_N_STRAIN] = {0.0};
    unit[strain] = 1.0;
    return elv_twist_from_array(unit);
}

// y -= v x x for all columns
static void subtract_cross(int m, ElvVec3 v, const double* x, double* y) {
    for (int k = 0; k < m; k++) {
        ElvVec3 product = elv_vec3_cross(v, elv_column_get(x, m, k));
        elv_column_set(y, m, k, elv_vec3_sub(elv_column_get(y, m, k), product));
    }
}

// right-hand sides (alpha ad_eta_dot + beta ad_eta + gamma) B Phi at the nodes
static void set_rates(const ElvRodSegment* seg,
                      const ElvSpectralWork* w,
                      double alpha,
                      double beta,
                      double gamma,
                      double* ang,
                      double* lin) {
    int n_col = seg->n_col;
    for (int i = 0; i < seg->n_node; i++) {
        const double* phi = seg->phi + (size_t)i * (size_t)n_col;
        ElvTwist weighted = elv_twist_scale(alpha, w->eta_dot_rel[seg->i_node + i]);
        weighted = elv_twist_add_scaled(weighted, beta, w->eta_rel[seg->i_node + i]);
        for (int k = 0; k < n_col; k++) {
            ElvTwist unit = unit_strain(seg->strain[k]);
            ElvTwist u = elv_twist_add_scaled(elv_twist_bracket(weighted, unit), gamma, unit);
            // nothing varies at the start
            u = elv_twist_scale(i == 0 ? 0.0 : phi[k], u);
            elv_column_set(ang + 3 * i * n_col, n_col, k, u.ang);
            elv_column_set(lin + 3 * i * n_col, n_col, k, u.lin);
        }
    }
}

// y' = -ad_xi y + b for all columns: angular part, then linear part
static void solve_columns(
    const ElvRodSegment* seg, const ElvSpectralWork* w, int i_segment, double* ang, double* lin) {
    int n_col = seg->n_col;
    elv_collocation_solve(seg, &w->forward[i_segment], n_col, ang);
    for (int i = 1; i < seg->n_node; i++) {
        subtract_cross(n_col, w->xi[seg->i_node + i].lin, ang + 3 * i * n_col, lin + 3 * i * n_col);
    }
    elv_collocation_solve(seg, &w->forward[i_segment], n_col, lin);
}

void elv_spectral_columns(const ElvRodSegment* seg, ElvSpectralWork* w, int i_segment) {
    Fields f = get_fields(seg, w);
    set_rates(seg, w, 0.0, 0.0, 1.0, f.zeta_ang, f.zeta_lin);
    solve_columns(seg, w, i_segment, f.zeta_ang, f.zeta_lin);
}

// d_eta and d_eta_dot relative to the start
static void
relative_rates(const ElvRodSegment* seg, ElvSpectralWork* w, int i_segment, const ElvUnknown* u) {
    Fields f = get_fields(seg, w);
    int n_col = seg->n_col;
    set_rates(seg, w, 0.0, u->c, u->a, f.eta_ang, f.eta_lin);
    solve_columns(seg, w, i_segment, f.eta_ang, f.eta_lin);
    set_rates(seg, w, u->c, u->a, u->b, f.eta_dot_ang, f.eta_dot_lin);
    // - ad_xi_dot d_eta
    for (int i = 1; i < seg->n_node; i++) {
        ElvTwist xi_dot = w->xi_dot[seg->i_node + i];
        int at = 3 * i * n_col;
        subtract_cross(n_col, xi_dot.ang, f.eta_ang + at, f.eta_dot_ang + at);
        subtract_cross(n_col, xi_dot.lin, f.eta_ang + at, f.eta_dot_lin + at);
        subtract_cross(n_col, xi_dot.ang, f.eta_lin + at, f.eta_dot_lin + at);
    }
    solve_columns(seg, w, i_segment, f.eta_dot_ang, f.eta_dot_lin);
}

// variation of the start seen from a node: one frame to section frame
static void carry_start(int m, const ElvPose* g, const ElvTwist* V, const double* X, double* Y) {
    for (int k = 0; k < m; k++) {
        ElvTwist Z_dot = elv_column_twist(X + 6 * m, m, k);
        ElvTwist Z_ddot = elv_column_twist(X + 12 * m, m, k);
        Z_ddot = elv_twist_sub(Z_ddot, elv_twist_bracket(*V, Z_dot));
        elv_column_set_twist(Y, m, k, elv_twist_transform_inv(*g, elv_column_twist(X, m, k)));
        elv_column_set_twist(Y + 6 * m, m, k, elv_twist_transform_inv(*g, Z_dot));
        elv_column_set_twist(Y + 12 * m, m, k, elv_twist_transform_inv(*g, Z_ddot));
    }
}

// inertial variation (d_zeta, d_eta, d_eta_dot) that active column k brings to a node     [P23 (48)]
static void own_variation(const ElvRodSegment* seg,
                          const ElvSpectralWork* w,
                          int i,
                          int k,
                          double c,
                          bool has_rates,
                          ElvTwist d[3]) {
    Fields f = get_fields(seg, w);
    int i_node = seg->i_node + i;
    ElvTwist rel = w->eta_rel[i_node];
    // the start's twist and acceleration in the frame of the section
    ElvTwist eta_0 = elv_twist_sub(w->eta[i_node], rel);
    ElvTwist eta_dot_0 = elv_twist_add(w->eta_dot[i_node], elv_twist_bracket(rel, eta_0));
    eta_dot_0 = elv_twist_sub(eta_dot_0, w->eta_dot_rel[i_node]);
    ElvTwist d_zeta = elv_twist_scale(c, get_twist(seg, f.zeta_ang, f.zeta_lin, i, k));
    ElvTwist d_eta = elv_twist_zero();
    ElvTwist d_eta_dot = elv_twist_zero();
    if (has_rates) {
        d_eta = get_twist(seg, f.eta_ang, f.eta_lin, i, k);
        d_eta_dot = get_twist(seg, f.eta_dot_ang, f.eta_dot_lin, i, k);
    }
    d[0] = d_zeta;
    d[1] = elv_twist_add(elv_twist_bracket(eta_0, d_zeta), d_eta);
    d[2] = elv_twist_sub(elv_twist_bracket(eta_dot_0, d_zeta), elv_twist_bracket(rel, d[1]));
    d[2] = elv_twist_add(d[2], elv_twist_bracket(w->eta[i_node], d_eta));
    d[2] = elv_twist_add(d[2], d_eta_dot);
}

static void add_twist(double* x, int m, int k, ElvTwist v) {
    elv_column_set_twist(x, m, k, elv_twist_add(elv_column_twist(x, m, k), v));
}

// what active column k adds to X and J at the end of the segment: section frame to one frame
static void add_to_end(const ElvRod* rod,
                       const ElvRodSegment* seg,
                       ElvRodWork* work,
                       int k,
                       int m,
                       const ElvTwist d[3]) {
    ElvSpectralWork* w = work->spectral;
    Fields f = get_fields(seg, w);
    int last = seg->i_node + seg->n_node - 1;
    ElvPose g = work->g[last];
    ElvTwist Z_dot = elv_twist_transform(g, d[1]);
    ElvTwist Z_ddot =
        elv_twist_add(elv_twist_transform(g, d[2]), elv_twist_bracket(work->V[last], Z_dot));
    ElvTwist unit = get_twist(seg, f.zeta_ang, f.zeta_lin, seg->n_node - 1, k);
    add_twist(w->X, m, seg->col[k], elv_twist_transform(g, d[0]));
    add_twist(w->X + 6 * m, m, seg->col[k], Z_dot);
    add_twist(w->X + 12 * m, m, seg->col[k], Z_ddot);
    add_twist(w->J, rod->joint.n_v, seg->col[k], elv_twist_transform(g, unit));
}

void elv_spectral_vary(
    const ElvRod* rod, ElvRodWork* work, int i_segment, const ElvUnknown* unknown, int m) {
    const ElvRodSegment* seg = &rod->segment[i_segment];
    ElvSpectralWork* w = work->spectral;
    // in statics nothing moves
    bool has_rates = unknown->a != 0.0 || unknown->b != 0.0;
    elv_spectral_columns(seg, w, i_segment);
    if (has_rates) {
        relative_rates(seg, w, i_segment, unknown);
    }
    for (int i = 0; i < seg->n_node; i++) {
        int i_node = seg->i_node + i;
        double* Y = w->Y + (size_t)i_node * (size_t)(ROW * m);
        carry_start(m, &work->g[i_node], &work->V[i_node], w->X, Y);
        for (int k = 0; k < seg->n_col; k++) {
            ElvTwist d[3];
            own_variation(seg, w, i, k, unknown->c, has_rates, d);
            for (int r = 0; r < 3; r++) {
                add_twist(Y + 6 * r * m, m, seg->col[k], d[r]);
            }
            if (i == seg->n_node - 1) {
                add_to_end(rod, seg, work, k, m, d);
            }
        }
    }
}
