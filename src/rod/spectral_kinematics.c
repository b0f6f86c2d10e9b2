// SPDX-License-Identifier: Apache-2.0
// Forward cascade of a rod in section frames                                             [P23 (41)].
//
// On each segment, relative to the section where it starts, block after block:
//     H' = 1/2 A(K) H,  r' = R Gamma,
//     Omega' = -K x Omega + K_dot,               V' = -K x V - Gamma x Omega + Gamma_dot,
//     Omega_dot' = -K x Omega_dot - K_dot x Omega + K_ddot,
//     V_dot' = -K x V_dot - Gamma x Omega_dot - Gamma_dot x Omega - K_dot x V + Gamma_ddot
// from H = 1 and zeros; the last four share one matrix. Then inertial fields by [P23 (46)].
#include "rod/spectral.h"

#include "elver/lie.h"
#include "rod/rod_segment.h"

#include <string.h>

// room for one factored system of size n_row
static ElvCollocation take_system(ElvArena* arena, int dim, bool from_end, size_t n_row) {
    ElvCollocation system = {.dim = dim, .from_end = from_end};
    system.LU = elv_arena_take(arena, n_row * n_row, sizeof *system.LU);
    system.pivot = elv_arena_take(arena, n_row, sizeof *system.pivot);
    return system;
}

static void take_fields(ElvSpectralWork* w, const ElvRod* rod, size_t largest, ElvArena* arena) {
    size_t n = (size_t)rod->n_node;
    size_t n_v = (size_t)rod->joint.n_v;
    size_t m = n_v + ELV_N_VARIATION;
    w->xi = elv_arena_take(arena, n, sizeof *w->xi);
    w->xi_dot = elv_arena_take(arena, n, sizeof *w->xi_dot);
    w->eta_rel = elv_arena_take(arena, n, sizeof *w->eta_rel);
    w->eta_dot_rel = elv_arena_take(arena, n, sizeof *w->eta_dot_rel);
    w->eta = elv_arena_take(arena, n, sizeof *w->eta);
    w->eta_dot = elv_arena_take(arena, n, sizeof *w->eta_dot);
    w->f = elv_arena_take(arena, n, sizeof *w->f);
    w->lam = elv_arena_take(arena, n, sizeof *w->lam);
    w->Y = elv_arena_take(arena, n * ELV_N_VARIATION * m, sizeof *w->Y);
    w->X = elv_arena_take(arena, ELV_N_VARIATION * m, sizeof *w->X);
    w->J = elv_arena_take(arena, 6 * n_v, sizeof *w->J);
    w->dW = elv_arena_take(arena, 6 * m, sizeof *w->dW);
    w->A = elv_arena_take(arena, largest * 16, sizeof *w->A);
    w->x = elv_arena_take(arena, largest * 4, sizeof *w->x);
    w->rate = elv_arena_take(arena, largest, sizeof *w->rate);
    w->rel = elv_arena_take(arena, 6 * largest * 3 * n_v, sizeof *w->rel);
    w->dC = elv_arena_take(arena, largest * 3 * m, sizeof *w->dC);
    w->dN = elv_arena_take(arena, largest * 3 * m, sizeof *w->dN);
}

void* elv_spectral_layout(const ElvJoint* joint, ElvArena* arena) {
    const ElvRod* rod = (const ElvRod*)joint;
    ElvRodWork* work = elv_rod_layout(joint, arena);
    ElvSpectralWork* spectral = elv_arena_take(arena, 1, sizeof *spectral);
    size_t n_segment = (size_t)rod->n_segment;
    size_t largest = 0;
    for (int i = 0; i < rod->n_segment; i++) {
        size_t n = (size_t)rod->segment[i].n_node;
        largest = n > largest ? n : largest;
    }
    ElvSpectralWork w = {0};
    take_fields(&w, rod, largest, arena);
    w.rotation = take_system(arena, 4, false, 4 * (largest - 1));
    w.forward = elv_arena_take(arena, n_segment, sizeof *w.forward);
    w.backward = elv_arena_take(arena, n_segment, sizeof *w.backward);
    for (size_t i = 0; i < n_segment; i++) {
        size_t n_row = 3 * ((size_t)rod->segment[i].n_node - 1);
        ElvCollocation forward = take_system(arena, 3, false, n_row);
        ElvCollocation backward = take_system(arena, 3, true, n_row);
        if (work) {
            w.forward[i] = forward;
            w.backward[i] = backward;
        }
    }
    if (work) {
        *spectral = w;
        work->spectral = spectral;
    }
    return work;
}

// quaternions of the nodes by collocation, positions by the constant matrix of A = 0
static void relative_poses(const ElvRodSegment* seg, ElvSpectralWork* w, ElvPose* g) {
    int n = seg->n_node;
    const ElvTwist* xi = w->xi + seg->i_node;
    for (int i = 0; i < n; i++) {
        // 1/2 A(K): H' = 1/2 H (0, K)
        double x = 0.5 * xi[i].ang.x;
        double y = 0.5 * xi[i].ang.y;
        double z = 0.5 * xi[i].ang.z;
        double A[16] = {0, -x, -y, -z, x, 0, z, -y, y, -z, 0, x, z, y, -x, 0};
        memcpy(w->A + 16 * i, A, sizeof A);
    }
    memset(w->x, 0, (size_t)(4 * n) * sizeof *w->x);
    w->x[0] = 1.0;
    elv_collocation_factor(seg, w->A, &w->rotation);
    elv_collocation_solve(seg, &w->rotation, 1, w->x);
    for (int i = 0; i < n; i++) {
        const double* H = w->x + 4 * i;
        g[i].R = elv_quat_to_matrix(elv_quat_normalize(elv_quat(H[0], H[1], H[2], H[3])));
        // r' = R Gamma
        w->rate[i].lin = elv_mat3_apply(g[i].R, xi[i].lin);
    }
    for (int i = 0; i < n; i++) {
        g[i].p = elv_vec3(0.0, 0.0, 0.0);
        for (int j = 1; j < n; j++) {
            g[i].p = elv_vec3_add_scaled(g[i].p, seg->h * seg->C[i * n + j], w->rate[j].lin);
        }
    }
}

// y' = -ad_xi y + b from y = 0 at the start, b in rate: angular part, then linear part
static void solve_twist(const ElvRodSegment* seg, ElvSpectralWork* w, int i_segment, ElvTwist* y) {
    const ElvTwist* b = w->rate;
    for (int i = 0; i < seg->n_node; i++) {
        elv_field_set(w->x, i, i == 0 ? elv_vec3(0.0, 0.0, 0.0) : b[i].ang);
    }
    elv_collocation_solve(seg, &w->forward[i_segment], 1, w->x);
    for (int i = 0; i < seg->n_node; i++) {
        y[i].ang = elv_field_get(w->x, i);
        ElvVec3 coupling = elv_vec3_cross(w->xi[seg->i_node + i].lin, y[i].ang);
        elv_field_set(w->x, i, i == 0 ? y[i].ang : elv_vec3_sub(b[i].lin, coupling));
    }
    elv_collocation_solve(seg, &w->forward[i_segment], 1, w->x);
    for (int i = 0; i < seg->n_node; i++) {
        y[i].lin = elv_field_get(w->x, i);
    }
}

// strains and relative fields of the nodes                                                [P23 (41)]
static void relative_fields(const ElvRodSegment* seg,
                            ElvSpectralWork* w,
                            int i_segment,
                            const ElvJointInput* in,
                            ElvPose* g) {
    ElvTwist* xi = w->xi + seg->i_node;
    ElvTwist* xi_dot = w->xi_dot + seg->i_node;
    ElvTwist* eta = w->eta_rel + seg->i_node;
    for (int i = 0; i < seg->n_node; i++) {
        const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
        xi[i] = elv_twist_add(seg->xi_o[i], elv_rod_combine(seg, phi, in->q));
        xi_dot[i] = elv_rod_combine(seg, phi, in->v);
    }
    relative_poses(seg, w, g);
    elv_collocation_factor_cross(seg, xi, w->A, &w->forward[i_segment]);
    // eta' = -ad_xi eta + xi_dot
    for (int i = 0; i < seg->n_node; i++) {
        w->rate[i] = xi_dot[i];
    }
    solve_twist(seg, w, i_segment, eta);
    // eta_dot' = -ad_xi eta_dot - ad_xi_dot eta + xi_ddot
    for (int i = 0; i < seg->n_node; i++) {
        ElvTwist xi_ddot = elv_rod_combine(seg, seg->phi + (size_t)i * (size_t)seg->n_col, in->a);
        w->rate[i] = elv_twist_sub(xi_ddot, elv_twist_bracket(xi_dot[i], eta[i]));
    }
    solve_twist(seg, w, i_segment, w->eta_dot_rel + seg->i_node);
}

// inertial fields from those of the start, section and one frame                          [P23 (46)]
static ElvMotion
inertial_fields(const ElvRodSegment* seg, ElvRodWork* work, const ElvMotion* start) {
    ElvSpectralWork* w = work->spectral;
    ElvTwist eta_0 = elv_twist_transform_inv(start->g, start->V);
    ElvTwist eta_dot_0 = elv_twist_transform_inv(start->g, start->A);
    for (int i = seg->i_node; i < seg->i_node + seg->n_node; i++) {
        ElvPose g_rel = work->g[i];
        ElvTwist carried = elv_twist_transform_inv(g_rel, eta_0);
        // eta = Ad eta_0 + eta_rel,  eta_dot = Ad eta_dot_0 - ad_eta_rel Ad eta_0 + eta_dot_rel
        w->eta[i] = elv_twist_add(carried, w->eta_rel[i]);
        w->eta_dot[i] = elv_twist_sub(elv_twist_transform_inv(g_rel, eta_dot_0),
                                      elv_twist_bracket(w->eta_rel[i], carried));
        w->eta_dot[i] = elv_twist_add(w->eta_dot[i], w->eta_dot_rel[i]);
        work->g[i] = elv_pose_compose(start->g, g_rel);
        work->V[i] = elv_twist_transform(work->g[i], w->eta[i]);
        work->A[i] = elv_twist_transform(work->g[i], w->eta_dot[i]);
    }
    int last = seg->i_node + seg->n_node - 1;
    ElvMotion end = {.g = work->g[last], .V = work->V[last], .A = work->A[last]};
    return end;
}

void elv_spectral_forward(const ElvJoint* joint,
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
        relative_fields(seg, w->spectral, i, in, w->g + seg->i_node);
        w->end[i + 1] = inertial_fields(seg, w, &w->end[i]);
        if (seg->end_port >= 0) {
            port[seg->end_port] = w->end[i + 1];
        }
    }
}

int elv_spectral_interpolation(const ElvRod* rod, double s, double row[ELV_MAX_CHEBYSHEV]) {
    int i_segment = 0;
    while (i_segment < rod->n_segment - 1 && s >= rod->segment[i_segment].s1) {
        i_segment++;
    }
    const ElvRodSegment* seg = &rod->segment[i_segment];
    elv_chebyshev_interpolation(seg->n_node, (s - seg->s0) / (seg->s1 - seg->s0), row);
    return i_segment;
}

ElvPose elv_spectral_pose_at(const ElvRod* rod, const ElvRodWork* work, double s) {
    double row[ELV_MAX_CHEBYSHEV];
    const ElvRodSegment* seg = &rod->segment[elv_spectral_interpolation(rod, s, row)];
    ElvPose g = {elv_mat3_zero(), elv_vec3(0.0, 0.0, 0.0)};
    for (int j = 0; j < seg->n_node; j++) {
        const ElvPose* node = &work->g[seg->i_node + j];
        g.R = elv_mat3_add(g.R, elv_mat3_scale(row[j], node->R));
        g.p = elv_vec3_add_scaled(g.p, row[j], node->p);
    }
    // a rotation again
    g.R = elv_quat_to_matrix(elv_quat_normalize(elv_quat_from_matrix(g.R)));
    return g;
}
