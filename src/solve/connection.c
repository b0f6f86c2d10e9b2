// SPDX-License-Identifier: Apache-2.0
// Free velocities from imposed ones (connection.h). With v = p + H y, p one that satisfies the constraints and H what
// these leave free,
//     H^T G H y = -H^T r(p),   r = G v  or, under Stokes, all forces at v,          [ALI (3.31)-(3.32)]
// and again with what is left of r: forces that are not linear in v converge, others gain digits.
//
// Accelerations: v_f is a function of the configuration, linear in v_i, so that a_f = (v_f)(a_i) + d/dh v_f(q + h v)
// with v_i kept. Configurations are smooth where laws of time are not, and set the length of the differences.
#include "solve/connection.h"

#include "linalg/cholesky.h"
#include "solve/connection_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- life cycle

void elv_connect_free(ElvConnect* connect) {
    if (connect) {
        elv_reduced_free(connect->reduced);
        elv_state_free(connect->trial);
        elv_pool_free(&connect->pool);
        free(connect->G);
        free(connect->a);
        free(connect->q_dot);
        free(connect);
    }
}

static bool build(ElvConnect* c) {
    size_t nv = (size_t)c->model->nv;
    c->metric = c->seen = c->model;
    if (c->kind == ELV_CONNECTION_STOKES) {
        c->metric = elv_connection_model(c->model, true, &c->pool);
        c->seen = elv_connection_model(c->model, false, &c->pool);
    }
    c->G = calloc(nv * nv + 1, sizeof *c->G);
    c->a = calloc(nv + 1, sizeof *c->a);
    c->q_dot = calloc((size_t)c->model->nq + 1, sizeof *c->q_dot);
    return c->metric && c->seen && c->G && c->a && c->q_dot;
}

ElvStatus elv_connect_create(const ElvModel* model,
                             ElvConnection kind,
                             ElvConnect** connect,
                             ElvError* error) {
    *connect = NULL;
    ElvConnect* c = calloc(1, sizeof *c);
    if (!c) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    c->model = model;
    c->kind = kind;
    ElvStatus status =
        build(c) ? ELV_OK : elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    status = status == ELV_OK ? elv_state_create(model, &c->trial, error) : status;
    status = status == ELV_OK ? elv_reduced_create(c->seen, &c->reduced, error) : status;
    if (status != ELV_OK) {
        elv_connect_free(c);
        return status;
    }
    *connect = c;
    return ELV_OK;
}

// ---- velocities

/// Rates below this, 1/s, are none: they have no digits left to compare.
static const double STANDSTILL = 1e-150;

// what the free velocities of a state leave of the balance
static void
set_residual(ElvConnect* c, ElvData* data, ElvState* state, bool has_forces, double* residual) {
    size_t nv = (size_t)c->model->nv;
    if (c->kind == ELV_CONNECTION_STOKES && has_forces) {
        (void)elv_device_follow(c->seen, data, state);
        elv_device_release(c->seen, state->z);
        elv_residual(c->seen, data, state, residual);
        return;
    }
    for (size_t i = 0; i < nv; i++) {
        residual[i] = 0.0;
        for (size_t k = 0; k < nv; k++) {
            residual[i] += c->G[i * nv + k] * state->v[k];
        }
    }
}

// H of the rows of the last velocities, and the factors of H^T G H; returns the vector that fails, or -1
static int factor(ElvConnect* c, ElvData* data, int n_decided) {
    ElvReduced* r = c->reduced;
    size_t n = (size_t)r->n, nv = (size_t)c->model->nv;
    elv_composite_pass(c->metric, data, c->G);
    if (c->kind == ELV_CONNECTION_STOKES) {
        elv_connection_damping(c->model, c->G);
    }
    r->n_kernel = r->n - r->space.rank;
    for (int i = 0; i < r->n_kernel; i++) {
        elv_row_space_kernel(&r->space, i, r->H + (size_t)i * n);
    }
    if (n_decided > 0) {
        elv_reduced_shrink(r, n_decided);
    }
    int m = r->n_kernel;
    for (int i = 0; i < m; i++) {
        const double* h = r->H + (size_t)i * n;
        for (size_t k = 0; k < n; k++) {
            const double* row = c->G + (size_t)r->coordinate[k] * nv;
            double sum = 0.0;
            for (size_t l = 0; l < n; l++) {
                size_t i_v = (size_t)r->coordinate[l];
                sum += row[i_v] * r->scale[i_v] * h[l];
            }
            r->MH[(size_t)i * n + k] = r->scale[r->coordinate[k]] * sum;
        }
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < n; k++) {
                sum += r->MH[(size_t)i * n + k] * r->H[(size_t)j * n + k];
            }
            r->HMH[i * m + j] = sum;
        }
    }
    return elv_cholesky_factor(m, r->HMH);
}

// the joint or rod that moves most along a vector of the kernel
static const char* owner_of(const ElvReduced* r, int i) {
    const double* h = r->H + (size_t)i * (size_t)r->n;
    int most = 0;
    const char* name = "";
    for (int k = 0; k < r->n; k++) {
        most = fabs(h[k]) > fabs(h[most]) ? k : most;
    }
    for (int j = 0; j < r->model->n_node && r->n > 0; j++) {
        const ElvNode* node = &r->model->node[j];
        name = node->i_v <= r->coordinate[most] && node->joint->n_v > 0 ? node->name : name;
    }
    return name;
}

static ElvStatus fail_singular(const ElvConnect* c, int bad, double t, ElvError* error) {
    bool is_stokes = c->kind == ELV_CONNECTION_STOKES;
    const char* name = owner_of(c->reduced, bad);
    return elv_error_set(error, ELV_ERROR_SINGULAR, name, is_stokes ? "resistance" : "",
                         "nothing resists a free motion of '%s' (t = %.9g): give it %s", name, t,
                         is_stokes ? "'resistance' or damping" : "mass or 'added_inertia'");
}

// one step of y; returns how large it is beside the velocities
static double step(ElvConnect* c, ElvState* state, const double* residual) {
    ElvReduced* r = c->reduced;
    double* y = r->step;
    double change = 0.0, size = 0.0;
    for (int i = 0; i < r->n_kernel; i++) {
        y[i] = 0.0;
        for (int k = 0; k < r->n; k++) {
            int i_v = r->coordinate[k];
            y[i] -= r->H[(size_t)i * (size_t)r->n + (size_t)k] * r->scale[i_v] * residual[i_v];
        }
    }
    elv_cholesky_solve(r->n_kernel, r->HMH, y);
    for (int k = 0; k < r->n; k++) {
        int i_v = r->coordinate[k];
        double sum = 0.0;
        for (int i = 0; i < r->n_kernel; i++) {
            sum += r->H[(size_t)i * (size_t)r->n + (size_t)k] * y[i];
        }
        state->v[i_v] += r->scale[i_v] * sum;
        change = isfinite(sum) ? fmax(change, fabs(sum)) : INFINITY;
    }
    for (int i = 0; i < c->model->nv; i++) {
        size = fmax(size, fabs(state->v[i]) / r->scale[i]);
    }
    return change > STANDSTILL ? change / size : 0.0;
}

ElvStatus elv_connect_velocity(
    ElvConnect* connect, ElvData* data, ElvState* state, bool has_forces, ElvError* error) {
    enum { MAX_STEP = 30 };
    const double DONE = 1e-13, GIVEN_UP = 1e-9;
    ElvReduced* r = connect->reduced;
    for (int k = 0; k < r->n; k++) {
        state->v[r->coordinate[k]] = 0.0;
    }
    if (!elv_reduced_velocity(r, data, state)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                             "a velocity is not finite at t = %.9g", state->t);
    }
    // where rows lose rank for an instant, the motion through it decides
    int n_decided = 0;
    if (has_forces && r->space.k > r->space.rank && elv_reduced_settle(r, data, state)) {
        n_decided = r->rank_seen - r->space.rank;
    }
    int bad = factor(connect, data, n_decided);
    if (bad >= 0) {
        return fail_singular(connect, bad, state->t, error);
    }
    double change = r->n_kernel > 0 ? 1.0 : 0.0;
    for (int i = 0; i < MAX_STEP && change > DONE && isfinite(change); i++) {
        set_residual(connect, data, state, has_forces, r->residual);
        change = step(connect, state, r->residual);
    }
    if (!(change < GIVEN_UP)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                             "no free velocities balance the forces at t = %.9g", state->t);
    }
    (void)elv_device_follow(connect->seen, data, state);
    return ELV_OK;
}

// ---- accelerations

/// How far configurations move for differences, in radians or sizes of the robot.
static const double STEP = 1e-2;

double elv_connect_step(const ElvConnect* connect, const ElvState* state) {
    double rate = 0.0;
    for (int i = 0; i < state->nv; i++) {
        rate = fmax(rate, fabs(state->v[i]) / connect->reduced->scale[i]);
    }
    return rate > STANDSTILL ? STEP / rate : 0.0;
}

void elv_connect_move(ElvConnect* connect, const ElvState* state, double h) {
    const ElvModel* model = connect->model;
    double* q = connect->trial->q;
    elv_state_rate(model, state, connect->q_dot);
    for (int i = 0; i < state->nq; i++) {
        q[i] = state->q[i] + h * connect->q_dot[i];
    }
    // quaternions of unit length
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        bool is_spatial = !node->info.is_rod && (node->info.joint == ELV_JOINT_SPHERICAL ||
                                                 node->info.joint == ELV_JOINT_FREE);
        double* at = q + node->i_q;
        double length = is_spatial ? hypot(hypot(at[0], at[1]), hypot(at[2], at[3])) : 1.0;
        for (int k = 0; k < 4 && is_spatial; k++) {
            at[k] /= length;
        }
    }
}

ElvStatus
elv_connect_acceleration(ElvConnect* connect, ElvData* data, ElvState* state, ElvError* error) {
    ElvConnect* c = connect;
    ElvReduced* r = c->reduced;
    ElvState* trial = c->trial;
    size_t nv = (size_t)c->model->nv;
    double h = elv_connect_step(c, state);
    // (v_f)(a_i), without what acts by itself
    elv_state_copy(trial, state);
    memcpy(trial->v, state->a, nv * sizeof *trial->v);
    ElvStatus status = elv_connect_velocity(c, data, trial, false, error);
    memcpy(c->a, trial->v, nv * sizeof *c->a);
    // the rate of the connection itself
    for (int i = 0; i < 6 && h > 0.0 && status == ELV_OK; i++) {
        int k = i / 2 + 1;
        double side = i % 2 == 0 ? 1.0 : -1.0;
        elv_state_copy(trial, state);
        elv_connect_move(c, state, side * (double)k * h);
        status = elv_connect_velocity(c, data, trial, true, error);
        for (size_t l = 0; l < nv; l++) {
            c->a[l] += side * elv_central_weight(k) / h * trial->v[l];
        }
    }
    for (int k = 0; k < r->n && status == ELV_OK; k++) {
        state->a[r->coordinate[k]] = c->a[r->coordinate[k]];
    }
    return status;
}

ElvStatus
elv_connect_reaction(ElvConnect* connect, ElvData* data, ElvState* state, ElvError* error) {
    ElvReduced* r = connect->reduced;
    if (r->n_force == 0) {
        return ELV_OK;
    }
    ElvStatus status = elv_connect_velocity(connect, data, state, true, error);
    if (status != ELV_OK) {
        return status;
    }
    elv_reduced_efforts(r, data, state);
    if (!elv_reduced_reaction(r, data, state)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                             "a reaction is not finite at t = %.9g", state->t);
    }
    return elv_reduced_check(r, state->t, error);
}
