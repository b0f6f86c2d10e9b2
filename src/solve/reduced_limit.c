// SPDX-License-Identifier: Apache-2.0
// What the motion through a posture decides in which constraints lose a direction (reduced.h): the
// ranks of [ALI (3.45)-(3.48)] fall there.
//
// Let V be the kernel of J there, u_i the combinations of rows that vanish: u_i^T J = 0 for an
// instant, J' != 0. The constraints hold before and after, so that their derivatives hold too:
// u_i^T (J a + c_2(v)) = u_i^T c_2(v) = 0 decides on velocities along V, and d/dt of it, u_i^T d/dt
// (J a + c_2) at fixed a, on accelerations along V: the jerk would enter by u_i^T J alone. c_2 is
// at most quadratic in v, and its derivative linear in a along V; slopes by differences of such
// functions are exact but for rounding, and so is Newton's method. The time derivative is a
// difference of second order. Where the slopes vanish, rows depend on each other for good, or all
// is at rest:
// nothing is decided, and the dynamics go on in that direction.
#include "solve/newton.h"
#include "solve/reduced.h"

#include <math.h>
#include <string.h>

/// Slopes that are smaller than this, relative to the rate of the motion, are rounding.
static const double FLAT = 1e-6;

/// Of the time of the fastest motion, for differences.
static const double SHORT_TIME = 2e-5;

static double dot(int n, const double* a, const double* b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

void elv_reduced_kernel(ElvReduced* reduced) {
    ElvReduced* r = reduced;
    r->n_kernel = r->n - r->space.rank;
    for (int i = 0; i < r->n_kernel; i++) {
        elv_row_space_kernel(&r->space, i, r->H + (size_t)i * (size_t)r->n);
    }
}

// kernel of J into H, and the rows that vanish into u
static void list_lost(ElvReduced* r) {
    elv_reduced_kernel(r);
    for (int i = 0; i < r->space.k - r->space.rank; i++) {
        elv_row_space_lost(&r->space, i, r->u + (size_t)i * (size_t)r->n_row);
    }
}

// x (nv) moved by factor times vector i of the kernel
static void add_kernel(const ElvReduced* r, int i, double factor, double* x) {
    for (int k = 0; k < r->n; k++) {
        int i_v = r->coordinate[k];
        x[i_v] += factor * r->scale[i_v] * r->H[(size_t)i * (size_t)r->n + (size_t)k];
    }
}

// Factors of slopes (n_lost x n_kernel), flat rows left out with their values; returns how many
// directions they decide on
static int factor_slopes(ElvReduced* r, int n_lost, double flat, double* value) {
    size_t n = (size_t)r->n_kernel;
    int m = 0;
    for (int i = 0; i < n_lost; i++) {
        const double* row = r->limit + (size_t)i * n;
        if (sqrt(dot((int)n, row, row)) > flat) {
            memmove(r->limit + (size_t)m * n, row, n * sizeof *row);
            value[m++] = value[i];
        }
    }
    r->lost.n = r->n_kernel;
    return elv_row_space_factor(&r->lost, m, r->limit, NULL, FLAT) ? r->lost.rank : 0;
}

// ---- velocities

// u^T c_2 at the velocities of a state, without accelerations
static void second_at(ElvReduced* r, ElvData* data, ElvState* state, int n_lost, double* value) {
    memset(state->a, 0, (size_t)state->nv * sizeof *state->a);
    elv_state_impose(r->model, state);
    elv_reduced_second(r, data, state, r->defect);
    for (int i = 0; i < n_lost; i++) {
        value[i] = dot(r->space.m, r->u + (size_t)i * (size_t)r->n_row, r->defect);
    }
}

// slopes of u^T c_2 by velocities along the kernel
static void velocity_slopes(ElvReduced* r, ElvData* data, ElvState* state, int n_lost) {
    size_t n = (size_t)r->n_kernel;
    double* plus = r->g + r->n;
    double* minus = r->g + 2 * r->n;
    double step = r->rate;
    memcpy(r->w, state->v, (size_t)state->nv * sizeof *state->v);
    for (int j = 0; j < r->n_kernel; j++) {
        add_kernel(r, j, step, state->v);
        second_at(r, data, state, n_lost, plus);
        memcpy(state->v, r->w, (size_t)state->nv * sizeof *state->v);
        add_kernel(r, j, -step, state->v);
        second_at(r, data, state, n_lost, minus);
        memcpy(state->v, r->w, (size_t)state->nv * sizeof *state->v);
        for (int i = 0; i < n_lost; i++) {
            r->limit[(size_t)i * n + (size_t)j] = (plus[i] - minus[i]) / (2.0 * step);
        }
    }
}

bool elv_reduced_settle(ElvReduced* reduced, ElvData* data, ElvState* state) {
    enum { MAX_ITERATION = 20 };
    const double SETTLED = 1e-13;
    ElvReduced* r = reduced;
    int n_lost = r->space.k - r->space.rank;
    int n_decided = 0;
    r->rank_seen = r->space.rank;
    elv_reduced_remember(r, true);
    if (n_lost == 0 || r->rate == 0.0) {
        return true;
    }
    list_lost(r);
    for (int i = 0; i < MAX_ITERATION; i++) {
        double worst = 0.0;
        velocity_slopes(r, data, state, n_lost);
        second_at(r, data, state, n_lost, r->g);
        n_decided = factor_slopes(r, n_lost, FLAT * r->rate, r->g);
        for (int k = 0; k < r->lost.m; k++) {
            worst = fmax(worst, fabs(r->g[k]));
        }
        if (n_decided == 0 || !(worst > SETTLED * r->rate * r->rate)) {
            break;
        }
        elv_row_space_solve(&r->lost, r->g, r->step);
        for (int j = 0; j < r->n_kernel; j++) {
            add_kernel(r, j, -r->step[j], state->v);
        }
    }
    r->rank_seen = r->space.rank + n_decided;
    return elv_reduced_velocity(r, data, state);
}

// ---- accelerations

// the motion a time h after a state, its accelerations constant, into trial
static void look_ahead(ElvReduced* r, const ElvState* state, double h) {
    const ElvModel* model = r->model;
    size_t nv = (size_t)model->nv;
    double *nu = r->w, *w = r->w + nv, *w_dot = r->w + 2 * nv;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        node->joint->ops->chart_rates(node->joint, state->q + node->i_q, state->v + node->i_v,
                                      state->a + node->i_v, w + node->i_v, w_dot + node->i_v);
    }
    for (size_t i = 0; i < nv; i++) {
        nu[i] = h * (w[i] + 0.5 * h * w_dot[i]);
        w[i] += h * w_dot[i];
    }
    r->trial->t = state->t + h;
    memcpy(r->trial->z, state->z, (size_t)state->nz * sizeof *state->z);
    elv_chart_state(model, state->q, nu, w, w_dot, r->trial);
}

// u^T d/dt (J a + c_2) at the accelerations of a state, by three points within [from, to]
static void
third_at(ElvReduced* r, ElvData* data, const ElvState* state, int n_lost, double* value) {
    double h = SHORT_TIME / fmax(r->rate, 1e-3);
    bool has_past = state->t - h >= r->from;
    bool has_future = state->t + h <= r->to;
    double s = has_past && has_future ? 0.0 : has_past ? -1.0 : 1.0;
    // centred: (c_1 - c_-1) / 2; else -(3 c_0 - 4 c_1 + c_2) / 2 towards the side there is
    const double at[3] = {s == 0.0 ? -1.0 : 0.0, s == 0.0 ? 1.0 : s, 2.0 * s};
    const double weight[3] = {s == 0.0 ? -0.5 : -1.5 * s, s == 0.0 ? 0.5 : 2.0 * s, -0.5 * s};
    memset(value, 0, (size_t)n_lost * sizeof *value);
    for (int p = 0; p < 3; p++) {
        if (weight[p] == 0.0) {
            continue;
        }
        look_ahead(r, state, h * at[p]);
        elv_device_place(r->model, data, r->trial);
        elv_reduced_second(r, data, r->trial, r->defect);
        for (int i = 0; i < n_lost; i++) {
            const double* u = r->u + (size_t)i * (size_t)r->n_row;
            value[i] += weight[p] / h * dot(r->space.m, u, r->defect);
        }
    }
}

void elv_reduced_shrink(ElvReduced* reduced, int n_decided) {
    ElvReduced* r = reduced;
    size_t n = (size_t)r->n;
    int n_left = r->n_kernel - n_decided;
    double* left = r->MH;
    for (int i = 0; i < n_left; i++) {
        elv_row_space_kernel(&r->lost, i, r->g);
        memset(left + (size_t)i * n, 0, n * sizeof *left);
        for (int j = 0; j < r->n_kernel; j++) {
            for (size_t k = 0; k < n; k++) {
                left[(size_t)i * n + k] += r->g[j] * r->H[(size_t)j * n + k];
            }
        }
    }
    memcpy(r->H, left, (size_t)n_left * n * sizeof *left);
    r->n_kernel = n_left;
}

int elv_reduced_limit(ElvReduced* reduced, ElvData* data, ElvState* state) {
    ElvReduced* r = reduced;
    int n_lost = r->space.k - r->space.rank;
    double* there = r->g + r->n;
    list_lost(r);
    r->rank_seen = r->space.rank > r->rank_seen ? r->space.rank : r->rank_seen;
    if (n_lost == 0 || r->space.rank >= r->rank_seen || r->rate == 0.0) {
        return 0;
    }
    double step = r->rate * r->rate;
    third_at(r, data, state, n_lost, r->g);
    for (int j = 0; j < r->n_kernel; j++) {
        add_kernel(r, j, step, state->a);
        third_at(r, data, state, n_lost, there);
        add_kernel(r, j, -step, state->a);
        for (int i = 0; i < n_lost; i++) {
            r->limit[(size_t)i * (size_t)r->n_kernel + (size_t)j] = (there[i] - r->g[i]) / step;
        }
    }
    int n_decided = factor_slopes(r, n_lost, FLAT * r->rate, r->g);
    if (n_decided > 0) {
        elv_row_space_solve(&r->lost, r->g, r->step);
        for (int j = 0; j < r->n_kernel; j++) {
            add_kernel(r, j, -r->step[j], state->a);
        }
        elv_reduced_shrink(r, n_decided);
    }
    return n_decided;
}
