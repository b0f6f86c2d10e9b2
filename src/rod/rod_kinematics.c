// SPDX-License-Identifier: Apache-2.0
// Forward sweep of a rod in the one frame, root to tip:
//     g' = g hat(xi),  V' = Ad_g xi_dot,  A' = Ad_g xi_ddot + ad_V Ad_g xi_dot
// which is [P23 (41)] (and [P20 (41)]) transported by Ad_g, with xi = xi_o + B Phi q [P20 (23)] and
// its rates [P20 (42)]. Poses by Magnus steps, V and A by the cumulative integration matrix.
#include "rod/rod.h"

#include "rod/magnus.h"

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
    ElvRodWork w;
    w.g = elv_arena_take(arena, n, sizeof *w.g);
    w.V = elv_arena_take(arena, n, sizeof *w.V);
    w.A = elv_arena_take(arena, n, sizeof *w.A);
    w.end = elv_arena_take(arena, n_end, sizeof *w.end);
    w.rate = elv_arena_take(arena, largest, sizeof *w.rate);
    w.f = elv_arena_take(arena, n, sizeof *w.f);
    w.lam = elv_arena_take(arena, n, sizeof *w.lam);
    w.W_end = elv_arena_take(arena, n_end, sizeof *w.W_end);
    w.J = elv_arena_take(arena, n * n_v, sizeof *w.J);
    w.J_end = elv_arena_take(arena, n_v, sizeof *w.J_end);
    w.I = elv_arena_take(arena, n, sizeof *w.I);
    w.P = elv_arena_take(arena, largest, sizeof *w.P);
    w.J_port = elv_arena_take(arena, (size_t)joint->n_port * n_v, sizeof *w.J_port);
    if (work) {
        *work = w;
    }
    return work;
}

// sum of the columns: per strain, phi_k x_k
static ElvTwist combine(const ElvRodSegment* seg, const double* phi, const double* x) {
    double strain[ELV_N_STRAIN] = {0.0};
    for (int k = 0; k < seg->n_col; k++) {
        strain[seg->strain[k]] += phi[k] * x[seg->col[k]];
    }
    return elv_twist_from_array(strain);
}

// g exp(Omega) over one Magnus step
static ElvPose magnus_step(const ElvRodSegment* seg, int i_step, const double* q, ElvPose g) {
    ElvTwist a[3];
    for (int m = 0; m < 3; m++) {
        const double* column = seg->step + (3 * (size_t)i_step + (size_t)m) * (size_t)seg->n_col;
        a[m] = elv_twist_add(seg->ref[3 * i_step + m], combine(seg, column, q));
    }
    return elv_pose_compose(g, elv_se3_exp(elv_magnus_log(a)));
}

// poses at the nodes and at the end of a segment                               [P23 (35), P20 (17)]
static ElvPose
segment_poses(const ElvRodSegment* seg, const double* q, ElvPose g, ElvPose* g_node) {
    int i_step = 0;
    for (int i = 0; i <= seg->n_node; i++) {
        for (int sub = 0; sub < seg->n_step[i]; sub++) {
            g = magnus_step(seg, i_step++, q, g);
        }
        if (i < seg->n_node) {
            g_node[i] = g;
        }
    }
    return g;
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
    end.g = segment_poses(seg, in->q, m.g, g);
    // V' = Ad_g xi_dot
    for (int i = 0; i < seg->n_node; i++) {
        ElvTwist xi_dot = combine(seg, seg->phi + (size_t)i * (size_t)seg->n_col, in->v);
        work->rate[i] = elv_twist_transform(g[i], xi_dot);
    }
    end.V = segment_integrate(seg, m.V, work->rate, V);
    // A' = Ad_g xi_ddot + ad_V Ad_g xi_dot
    for (int i = 0; i < seg->n_node; i++) {
        ElvTwist xi_ddot = combine(seg, seg->phi + (size_t)i * (size_t)seg->n_col, in->a);
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
    int i_segment = 0;
    while (i_segment < rod->n_segment - 1 && s >= rod->segment[i_segment].s1) {
        i_segment++;
    }
    // Magnus steps of the node spacing from the start of the segment
    const ElvRodSegment* seg = &rod->segment[i_segment];
    int n_step = ELV_ROD_SUBSTEP * (seg->n_node + 1);
    double ds = (s - seg->s0) / n_step;
    ElvPose g = work->end[i_segment].g;
    for (int i = 0; i < n_step && ds > 0.0; i++) {
        ElvTwist a[3] = {elv_twist_zero(), elv_twist_zero(), elv_twist_zero()};
        for (int p = 0; p < ELV_MAGNUS_POINT; p++) {
            ElvTwist xi = elv_rod_strain_at(rod, q, seg->s0 + ds * (i + ELV_MAGNUS_NODE[p]));
            for (int m = 0; m < 3; m++) {
                a[m] = elv_twist_add_scaled(a[m], ds * rod->length * ELV_MAGNUS_MOMENT[m][p], xi);
            }
        }
        g = elv_pose_compose(g, elv_se3_exp(elv_magnus_log(a)));
    }
    return g;
}
