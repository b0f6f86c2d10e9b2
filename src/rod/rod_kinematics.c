// SPDX-License-Identifier: Apache-2.0
// Forward sweep of a rod in the one frame, root to tip:
//     g' = g hat(xi),  V' = Ad_g xi_dot,  A' = Ad_g xi_ddot + ad_V Ad_g xi_dot
// which is [P23 (41)] (and [P20 (41)]) transported by Ad_g, with xi = xi_o + B Phi q [P20 (23)] and
// its rates [P20 (42)]. Rotations by Magnus steps; positions, V and A by the cumulative integration
// matrix, so that velocities are the derivatives of positions to rounding.
#include "rod/rod.h"

#include "lie/so3_exp4.h"
#include "linalg/block_product.h"
#include "linalg/quadrature.h"
#include "rod/magnus.h"
#include "rod/rod_active.h"
#include "rod/rod_part.h"
#include "rod/rod_volume.h"
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
    w.rate = elv_arena_take_scratch(arena, largest, sizeof *w.rate);
    w.f = elv_arena_take(arena, n, sizeof *w.f);
    w.W = elv_arena_take(arena, n, sizeof *w.W);
    w.W_end = elv_arena_take(arena, n_end, sizeof *w.W_end);
    w.flux = elv_arena_take(arena, rod->is_slender ? n : 0, sizeof *w.flux);
    w.J = elv_arena_take(arena, n * n_v, sizeof *w.J);
    w.J_end = elv_arena_take(arena, n_v, sizeof *w.J_end);
    w.I = elv_arena_take(arena, n, sizeof *w.I);
    w.P = elv_arena_take_scratch(arena, largest, sizeof *w.P);
    w.J_port = elv_arena_take(arena, (size_t)joint->n_port * n_v, sizeof *w.J_port);
    size_t n_p = (size_t)elv_padded(joint->n_v);
    w.X = elv_arena_take_scratch(arena, n * ELV_N_VARIATION * n_p, sizeof *w.X);
    w.X_end = elv_arena_take_scratch(arena, ELV_N_VARIATION * n_p, sizeof *w.X_end);
    w.U = elv_arena_take_scratch(arena, largest * ELV_N_VARIATION * n_p, sizeof *w.U);
    w.packed = elv_arena_take_scratch(arena, ELV_N_VARIATION * n_p, sizeof *w.packed);
    w.K = elv_arena_take_scratch(arena, n * 6 * ELV_ROD_K_ROW, sizeof *w.K);
    w.G = elv_arena_take_scratch(arena, n * 6 * n_p, sizeof *w.G);
    size_t square = n_p > ELV_ROD_K_ROW ? n_p : ELV_ROD_K_ROW;
    w.square = elv_arena_take_scratch(arena, (n_p > 6 ? n_p : 6) * square, sizeof *w.square);
    w.power = elv_arena_take_scratch(arena, n_v, sizeof *w.power);
    w.active = elv_rod_active_layout(rod, arena);
    w.volume = elv_rod_volume_layout(rod, arena);
    if (work) {
        *work = w;
    }
    return work;
}

// strains from .. to - 1 of four nodes or steps: sum of phi_k x_k; table (n_col x ld)
ELV_INLINE void combine4(const ElvRodSegment* seg,
                         const double* table,
                         int ld,
                         const double* x,
                         int from,
                         int to,
                         ElvReal4* strain) {
    for (int r = 0; r < seg->n_run; r++) {
        const ElvColumnRun* run = &seg->run[r];
        if (run->strain < from || run->strain >= to) {
            continue;
        }
        const double* value = table + run->begin * ld;
        const double* y = x + run->col;
        ElvReal4 sum = strain[run->strain];
        for (int k = 0; k < run->n; k++, value += ld) {
            sum += y[k] * elv_real4_load(value);
        }
        strain[run->strain] = sum;
    }
}

// xi_dot or xi_ddot at the nodes i .. i + 3 of a segment                                 [P20 (42)]
ELV_INLINE ElvTwist4 strain_rate4(const ElvRodSegment* seg, int i, const double* x) {
    ElvReal4 xi[ELV_N_STRAIN] = {{0.0}};
    combine4(seg, seg->phi_lane + i, elv_padded(seg->n_node), x, 0, ELV_N_STRAIN, xi);
    return (ElvTwist4){elv_vec3x4(xi[0], xi[1], xi[2]), elv_vec3x4(xi[3], xi[4], xi[5])};
}

// exp(Omega) of the Magnus steps i .. i + 3 of R' = R hat(K)
ELV_INLINE void magnus_steps4(const ElvRodSegment* seg, int i, const double* q, ElvMat3 E[4]) {
    int ld = seg->n_lane;
    ElvVec3x4 a[3];
    for (int m = 0; m < 3; m++) {
        ElvReal4 moment[3];
        for (int c = 0; c < 3; c++) {
            moment[c] = elv_real4_load(seg->ref + (3 * m + c) * ld + i);
        }
        combine4(seg, seg->step + m * seg->n_col * ld + i, ld, q, 0, ELV_STRAIN_STRETCH, moment);
        a[m] = elv_vec3x4(moment[0], moment[1], moment[2]);
    }
    elv_so3_exp4(elv_magnus_log4(a), E);
}

// rotations at the nodes and at the end of a segment by Magnus steps, four exponentials at a time
ELV_VECTOR_CLONES
static void segment_rotations(const ElvRodSegment* seg, const double* q, ElvMat3* R, ElvPose* g) {
    ElvMat3 E[4];
    int i_step = 0;
    for (int i = 0; i <= seg->n_node; i++) {
        for (int sub = 0; sub < seg->n_step[i]; sub++, i_step++) {
            if (i_step % 4 == 0) {
                magnus_steps4(seg, i_step, q, E);
            }
            *R = elv_mat3_mul(*R, E[i_step % 4]);
        }
        if (i < seg->n_node) {
            g[i].R = *R;
        }
    }
}

// r' = R Gamma at the nodes; rows of four numbers
ELV_VECTOR_CLONES
static void
position_rates(const ElvRodSegment* seg, const double* q, const ElvPose* g, double* rate) {
    for (int i = 0; i < seg->n_node; i += 4) {
        ElvQuad quad = elv_quad(i, seg->n_node);
        ElvReal4 xi[ELV_N_STRAIN] = {{0.0}};
        combine4(seg, seg->phi_lane + i, elv_padded(seg->n_node), q, ELV_STRAIN_STRETCH,
                 ELV_N_STRAIN, xi);
        ElvVec3x4 gamma = elv_vec3x4_add(elv_vec3x4_load(&seg->gamma_ref->x, 3, &quad),
                                         elv_vec3x4(xi[3], xi[4], xi[5]));
        ElvMat3x4 R = elv_mat3x4_load(&g->R.m[0][0], ELV_POSE_STRIDE, &quad);
        elv_vec3x4_store(elv_mat3x4_apply(&R, gamma), rate, 4, &quad);
    }
}

// poses at the nodes and at the end of a segment; positions r' = R Gamma by quadrature, as all fields
static ElvPose segment_poses(const ElvRodSegment* seg, const double* q, ElvPose start, ElvPose* g) {
    int n = seg->n_node;
    double rate[4 * ELV_MAX_QUADRATURE];
    double p[4 * ELV_MAX_QUADRATURE];
    double p0[4] = {start.p.x, start.p.y, start.p.z, 0.0};
    double p1[4];
    for (int i = 0; i < n; i++) {
        rate[4 * i + 3] = 0.0;
    }
    segment_rotations(seg, q, &start.R, g);
    position_rates(seg, q, g, rate);
    elv_block_combine(n, n, 4, seg->h, seg->C, rate, p0, p, 4);
    elv_block_combine(1, n, 4, seg->h, seg->w, rate, p0, p1, 4);
    for (int i = 0; i < n; i++) {
        g[i].p = elv_vec3(p[4 * i], p[4 * i + 1], p[4 * i + 2]);
    }
    return elv_pose(start.R, elv_vec3(p1[0], p1[1], p1[2]));
}

// y(x_i) = y_0 + h sum_j C_ij rate_j at the nodes; returns the value at the end
static ElvTwist
segment_integrate(const ElvRodSegment* seg, ElvTwist y0, const ElvTwist* rate, ElvTwist* y) {
    int n = seg->n_node;
    ElvTwist end = y0;
    elv_block_combine(n, n, 6, seg->h, seg->C, &rate->ang.x, &y0.ang.x, &y->ang.x, 6);
    elv_block_combine(1, n, 6, seg->h, seg->w, &rate->ang.x, &y0.ang.x, &end.ang.x, 6);
    return end;
}

// V' = Ad_g xi_dot                                                              [P20 (41), P23 (41)]
ELV_VECTOR_CLONES
static void
twist_rates(const ElvRodSegment* seg, const double* v, const ElvPose* g, ElvTwist* rate) {
    for (int i = 0; i < seg->n_node; i += 4) {
        ElvQuad quad = elv_quad(i, seg->n_node);
        ElvPose4 pose = elv_pose4_load(g, &quad);
        elv_twist4_store(elv_twist4_transform(&pose, strain_rate4(seg, i, v)), rate, &quad);
    }
}

// A' = Ad_g xi_ddot + ad_V V'                                                   [P20 (41), P23 (41)]
ELV_VECTOR_CLONES
static void acceleration_rates(const ElvRodSegment* seg,
                               const double* a,
                               const ElvPose* g,
                               const ElvTwist* V,
                               ElvTwist* rate) {
    for (int i = 0; i < seg->n_node; i += 4) {
        ElvQuad quad = elv_quad(i, seg->n_node);
        ElvPose4 pose = elv_pose4_load(g, &quad);
        ElvTwist4 product =
            elv_twist4_bracket(elv_twist4_load(V, &quad), elv_twist4_load(rate, &quad));
        ElvTwist4 own = elv_twist4_transform(&pose, strain_rate4(seg, i, a));
        elv_twist4_store(elv_twist4_add(own, product), rate, &quad);
    }
}

static ElvMotion
segment_forward(const ElvRodSegment* seg, ElvRodWork* work, const ElvJointInput* in, ElvMotion m) {
    ElvPose* g = work->g + seg->i_node;
    ElvTwist* V = work->V + seg->i_node;
    ElvTwist* A = work->A + seg->i_node;
    ElvMotion end;
    end.g = segment_poses(seg, in->q, m.g, g);
    twist_rates(seg, in->v, g, work->rate);
    end.V = segment_integrate(seg, m.V, work->rate, V);
    acceleration_rates(seg, in->a, g, V, work->rate);
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
    elv_rod_volume_set(rod, w, in);
}

// xi += Phi(s) x
static void add_modes(const ElvRod* rod, const double* x, double s, double xi[ELV_N_STRAIN]) {
    double phi[ELV_MAX_MODES];
    int i_element = 0;
    while (i_element < rod->n_element - 1 && s >= rod->element[i_element].s1) {
        i_element++;
    }
    const ElvRodElement* element = &rod->element[i_element];
    double at = (s - element->s0) / (element->s1 - element->s0);
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        const ElvStrainBasis* basis = &element->basis[strain];
        elv_strain_basis_eval(basis, at, phi);
        for (int m = 0; m < basis->n_mode; m++) {
            xi[strain] += phi[m] * x[element->column[strain] + m];
        }
    }
}

ElvTwist elv_rod_strain_at(const ElvRod* rod, const double* q, double s) {
    double xi[ELV_N_STRAIN];
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        xi[strain] = elv_law_value(rod->reference[strain], 0.0, s);
    }
    add_modes(rod, q, s, xi);
    return elv_twist_from_array(xi);
}

ElvTwist elv_rod_strain_rate_at(const ElvRod* rod, const double* v, double s) {
    double rate[ELV_N_STRAIN] = {0.0};
    add_modes(rod, v, s, rate);
    return elv_twist_from_array(rate);
}

ElvPose elv_rod_pose_at(const ElvRod* rod, const ElvRodWork* work, const double* q, double s) {
    if (rod->space == ELV_SPACE_SPECTRAL) {
        return elv_spectral_pose_at(rod, work, s);
    }
    ElvPose g[ELV_MAX_QUADRATURE];
    return elv_rod_part_poses(rod, work, q, elv_rod_segment_at(rod, s), s, g);
}
