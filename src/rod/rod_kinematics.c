// SPDX-License-Identifier: Apache-2.0
// Forward sweep of a rod in the one frame, root to tip:
//     g' = g hat(xi),  V' = Ad_g xi_dot,  A' = Ad_g xi_ddot + ad_V Ad_g xi_dot
// which is [P23 (41)] (and [P20 (41)]) transported by Ad_g, with xi = xi_o + B Phi q [P20 (23)] and
// its rates [P20 (42)]. Rotations by Magnus steps; positions, V and A by the cumulative integration
// matrix, so that velocities are the derivatives of positions to rounding.
#include "rod/rod.h"

#include "linalg/block_product.h"
#include "linalg/quadrature.h"
#include "rod/magnus.h"
#include "rod/spectral.h"

void* elv_rod_layout(const ElvJoint* joint, ElvArena* arena) {
    const ElvRod* rod = (const ElvRod*)joint;
    size_t n = (size_t)rod->n_node;
    size_t n_v = (size_t)joint->n_v;
    size_t n_end = (size_t)rod->n_segment + 1;
    size_t largest = 0;
    for (int i = 0; i < rod->n_segment; i++) {
        size_t n_node = (size_t)rod->segment[i].n_node;
        largest = n_node > largest ? n_node : largest;
    }
    ElvRodWork* work = elv_arena_take(arena, 1, sizeof *work);
    ElvRodWork w = {0};
    w.g = elv_arena_take(arena, n, sizeof *w.g);
    w.V = elv_arena_take(arena, n, sizeof *w.V);
    w.A = elv_arena_take(arena, n, sizeof *w.A);
    w.end = elv_arena_take(arena, n_end, sizeof *w.end);
    w.rate = elv_arena_take(arena, largest, sizeof *w.rate);
    w.f = elv_arena_take(arena, n, sizeof *w.f);
    w.W = elv_arena_take(arena, n, sizeof *w.W);
    w.W_end = elv_arena_take(arena, n_end, sizeof *w.W_end);
    w.J = elv_arena_take(arena, n * n_v, sizeof *w.J);
    w.J_end = elv_arena_take(arena, n_v, sizeof *w.J_end);
    w.I = elv_arena_take(arena, n, sizeof *w.I);
    w.P = elv_arena_take(arena, largest, sizeof *w.P);
    w.J_port = elv_arena_take(arena, (size_t)joint->n_port * n_v, sizeof *w.J_port);
    size_t n_p = (size_t)elv_padded(joint->n_v);
    w.X = elv_arena_take(arena, n * ELV_N_VARIATION * n_p, sizeof *w.X);
    w.X_end = elv_arena_take(arena, ELV_N_VARIATION * n_p, sizeof *w.X_end);
    w.U = elv_arena_take(arena, largest * ELV_N_VARIATION * n_p, sizeof *w.U);
    w.packed = elv_arena_take(arena, ELV_N_VARIATION * n_p, sizeof *w.packed);
    w.K = elv_arena_take(arena, n * 6 * ELV_ROD_K_ROW, sizeof *w.K);
    w.G = elv_arena_take(arena, n * 6 * n_p, sizeof *w.G);
    w.square =
        elv_arena_take(arena, n_p * (n_p > ELV_ROD_K_ROW ? n_p : ELV_ROD_K_ROW), sizeof *w.square);
    if (work) {
        *work = w;
    }
    return work;
}

// sum of the columns: per strain below limit, phi_k x_k
static ElvTwist combine(const ElvRodSegment* seg, const double* phi, const double* x, int limit) {
    double strain[ELV_N_STRAIN] = {0.0};
    for (int r = 0; r < seg->n_run && seg->run[r].strain < limit; r++) {
        const ElvColumnRun* run = &seg->run[r];
        const double* value = phi + run->begin;
        const double* y = x + run->col;
        double sum = 0.0;
        for (int k = 0; k < run->n; k++) {
            sum += value[k] * y[k];
        }
        strain[run->strain] = sum;
    }
    return elv_twist_from_array(strain);
}

// R exp(Omega) over one Magnus step of R' = R hat(K)
static ElvMat3 magnus_step(const ElvRodSegment* seg, int i_step, const double* q, ElvMat3 R) {
    ElvVec3 a[3];
    for (int m = 0; m < 3; m++) {
        const double* column = seg->step + (3 * (size_t)i_step + (size_t)m) * (size_t)seg->n_col;
        a[m] = elv_vec3_add(seg->ref[3 * i_step + m].ang,
                            combine(seg, column, q, ELV_STRAIN_STRETCH).ang);
    }
    return elv_mat3_mul(R, elv_so3_exp(elv_magnus_log(a)));
}

// rotations at the nodes and at the end of a segment by Magnus steps
static ElvMat3 segment_rotations(const ElvRodSegment* seg, const double* q, ElvMat3 R, ElvPose* g) {
    int i_step = 0;
    for (int i = 0; i <= seg->n_node; i++) {
        for (int sub = 0; sub < seg->n_step[i]; sub++) {
            R = magnus_step(seg, i_step++, q, R);
        }
        if (i < seg->n_node) {
            g[i].R = R;
        }
    }
    return R;
}

// poses at the nodes and at the end of a segment; positions r' = R Gamma by quadrature, as all fields
static ElvPose segment_poses(
    const ElvRodSegment* seg, const double* q, ElvPose start, ElvPose* g, ElvTwist* rate) {
    int n = seg->n_node;
    ElvPose end = start;
    end.R = segment_rotations(seg, q, start.R, g);
    for (int i = 0; i < n; i++) {
        const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
        ElvVec3 gamma = elv_vec3_add(seg->gamma_ref[i], combine(seg, phi, q, ELV_N_STRAIN).lin);
        rate[i].lin = elv_mat3_apply(g[i].R, gamma);
        end.p = elv_vec3_add_scaled(end.p, seg->h * seg->w[i], rate[i].lin);
    }
    for (int i = 0; i < n; i++) {
        ElvVec3 p = start.p;
        for (int j = 0; j < n; j++) {
            p = elv_vec3_add_scaled(p, seg->h * seg->C[i * n + j], rate[j].lin);
        }
        g[i].p = p;
    }
    return end;
}

// y(x_i) = y_0 + h sum_j C_ij rate_j at the nodes; returns the value at the end
static ElvTwist
segment_integrate(const ElvRodSegment* seg, ElvTwist y0, const ElvTwist* rate, ElvTwist* y) {
    int n = seg->n_node;
    ElvTwist end = y0;
    for (int i = 0; i < n; i++) {
        ElvTwist sum = y0;
        for (int j = 0; j < n; j++) {
            sum = elv_twist_add_scaled(sum, seg->h * seg->C[i * n + j], rate[j]);
        }
        y[i] = sum;
        end = elv_twist_add_scaled(end, seg->h * seg->w[i], rate[i]);
    }
    return end;
}

static ElvMotion
segment_forward(const ElvRodSegment* seg, ElvRodWork* work, const ElvJointInput* in, ElvMotion m) {
    ElvPose* g = work->g + seg->i_node;
    ElvTwist* V = work->V + seg->i_node;
    ElvTwist* A = work->A + seg->i_node;
    ElvMotion end;
    end.g = segment_poses(seg, in->q, m.g, g, work->rate);
    // V' = Ad_g xi_dot                                                          [P20 (41), P23 (41)]
    for (int i = 0; i < seg->n_node; i++) {
        const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
        ElvTwist xi_dot = combine(seg, phi, in->v, ELV_N_STRAIN);
        work->rate[i] = elv_twist_transform(g[i], xi_dot);
    }
    end.V = segment_integrate(seg, m.V, work->rate, V);
    // A' = Ad_g xi_ddot + ad_V Ad_g xi_dot                                      [P20 (41), P23 (41)]
    for (int i = 0; i < seg->n_node; i++) {
        const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
        ElvTwist xi_ddot = combine(seg, phi, in->a, ELV_N_STRAIN);
        work->rate[i] = elv_twist_add(elv_twist_transform(g[i], xi_ddot),
                                      elv_twist_bracket(V[i], work->rate[i]));
    }
    end.A = segment_integrate(seg, m.A, work->rate, A);
    return end;
}

void elv_rod_forward_sweep(const ElvJoint* joint,
                           void* work,
                           const ElvJointInput* in,
                           const ElvMotion* root,
                           ElvMotion* port) {
    const ElvRod* rod = (const ElvRod*)joint;
    ElvRodWork* w = work;
    w->end[0] = *root;
    port[0] = *root;
    for (int i = 0; i < rod->n_segment; i++) {
        const ElvRodSegment* seg = &rod->segment[i];
        w->end[i + 1] = segment_forward(seg, w, in, w->end[i]);
        if (seg->end_port >= 0) {
            port[seg->end_port] = w->end[i + 1];
        }
    }
}

ElvTwist elv_rod_strain_at(const ElvRod* rod, const double* q, double s) {
    double xi[ELV_N_STRAIN];
    double phi[ELV_MAX_MODES];
    int i_element = 0;
    while (i_element < rod->n_element - 1 && s >= rod->element[i_element].s1) {
        i_element++;
    }
    const ElvRodElement* element = &rod->element[i_element];
    double x = (s - element->s0) / (element->s1 - element->s0);
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        const ElvStrainBasis* basis = &element->basis[strain];
        xi[strain] = elv_law_value(rod->reference[strain], 0.0, s);
        elv_strain_basis_eval(basis, x, phi);
        for (int m = 0; m < basis->n_mode; m++) {
            xi[strain] += phi[m] * q[element->column[strain] + m];
        }
    }
    return elv_twist_from_array(xi);
}

ElvPose elv_rod_pose_at(const ElvRod* rod, const ElvRodWork* work, const double* q, double s) {
    if (rod->space == ELV_SPACE_SPECTRAL) {
        return elv_spectral_pose_at(rod, work, s);
    }
    int i_segment = 0;
    while (i_segment < rod->n_segment - 1 && s >= rod->segment[i_segment].s1) {
        i_segment++;
    }
    // ELV_ROD_SUBSTEP (n_node + 1) equal Magnus steps from the start of the segment
    const ElvRodSegment* seg = &rod->segment[i_segment];
    int n_step = ELV_ROD_SUBSTEP * (seg->n_node + 1);
    double ds = (s - seg->s0) / n_step;
    ElvMat3 R = work->end[i_segment].g.R;
    for (int i = 0; i < n_step && ds > 0.0; i++) {
        ElvVec3 a[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        for (int p = 0; p < ELV_MAGNUS_POINT; p++) {
            ElvTwist xi = elv_rod_strain_at(rod, q, seg->s0 + ds * (i + ELV_MAGNUS_NODE[p]));
            for (int m = 0; m < 3; m++) {
                a[m] =
                    elv_vec3_add_scaled(a[m], ds * rod->length * ELV_MAGNUS_MOMENT[m][p], xi.ang);
            }
        }
        R = elv_mat3_mul(R, elv_so3_exp(elv_magnus_log(a)));
    }
    // position by the quadrature of the sweep, up to s
    double row[ELV_MAX_QUADRATURE];
    ElvVec3 p = work->end[i_segment].g.p;
    elv_gauss_cumulative_row(seg->n_node, seg->x, seg->w, (s - seg->s0) / (seg->s1 - seg->s0), row);
    for (int j = 0; j < seg->n_node; j++) {
        const double* phi = seg->phi + (size_t)j * (size_t)seg->n_col;
        ElvVec3 gamma = elv_vec3_add(seg->gamma_ref[j], combine(seg, phi, q, ELV_N_STRAIN).lin);
        p = elv_vec3_add_scaled(p, seg->h * row[j],
                                elv_mat3_apply(work->g[seg->i_node + j].R, gamma));
    }
    return elv_pose(R, p);
}
