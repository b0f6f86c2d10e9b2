// SPDX-License-Identifier: Apache-2.0
// Free velocities from imposed ones (connection.h). With v = p + H y, p one that satisfies the
// constraints and H what these leave free,
//     H^T G H y = -H^T r(p),   r = G v  or, under Stokes, all forces at v,    [ALI (3.31)-(3.32)]
// and again with what is left of r: forces that are not linear in v converge, others gain digits.
//
// Accelerations satisfy the rows of constraints on accelerations, J a + c_2 = 0, with all that
// moves these by itself. Along what is left free, v_f(q, v_i) is linear in v_i and in the motion of
// the constraints, so that H^T G a = H^T G D, D = d/dh v_f(q + h v) with those kept. Configurations
// are smooth where laws of time are not, and set the length of the differences.
#include "solve/connection.h"

#include "rod/fluid_load.h"
#include "rod/rod.h"
#include "solve/connection_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- life cycle

void elv_connect_free(ElvConnect* connect) {
    if (connect) {
        elv_reduced_free(connect->reduced);
        elv_state_free(connect->trial);
        elv_pool_free(&connect->pool);
        free(connect->G);
        free(connect->usual);
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
    c->usual = calloc((size_t)c->model->nz + 1, sizeof *c->usual);
    return c->metric && c->seen && c->G && c->a && c->q_dot && c->usual;
}

// what of a fluid takes momentum away from a node; all but the first grow with the square of the velocity
typedef enum { TAKER_SLENDER, TAKER_DRAG, TAKER_SPIN, TAKER_LIFT, N_TAKER } Taker;

// keys below "fluid"
static const char* const taker_key[N_TAKER] = {[TAKER_SLENDER] = "lighthill",
                                               [TAKER_DRAG] = "drag",
                                               [TAKER_SPIN] = "spin_drag",
                                               [TAKER_LIFT] = "lift"};

// whether each of them acts on a node
static void find_takers(const ElvModel* model, const ElvNode* node, bool acts[N_TAKER]) {
    memset(acts, 0, N_TAKER * sizeof *acts);
    if (model->fluid && node->info.is_rod) {
        const ElvRod* rod = (const ElvRod*)node->joint;
        const ElvRodFluidDef* def = &rod->fluid_def;
        acts[TAKER_SLENDER] = rod->is_slender;
        acts[TAKER_DRAG] = def->drag_normal != 0.0 || def->drag_tangential != 0.0;
        acts[TAKER_LIFT] = def->lift != 0.0;
    } else if (model->fluid && model->port[node->i_port].fluid) {
        const ElvFluidShape* body = model->port[node->i_port].fluid;
        acts[TAKER_DRAG] = elv_vec3_norm(body->area) > 0.0;
        acts[TAKER_SPIN] = elv_vec3_norm(body->spin) > 0.0;
        acts[TAKER_LIFT] = elv_vec3_norm(body->fin) > 0.0;
    }
}

static ElvStatus refuse_taker(const ElvNode* node, Taker taker, ElvError* error) {
    char field[64];
    snprintf(field, sizeof field, "fluid.%s", taker_key[taker]);
    return elv_error_set(error, ELV_ERROR_INPUT, node->name, field,
                         "%s of %s '%s' takes momentum, which the mechanical connection keeps: "
                         "take it away (added mass stays), or use a method of second order "
                         "(generalized-alpha, explicit)",
                         taker_key[taker], node->info.is_rod ? "rod" : "body", node->name);
}

static bool is_flowing(const ElvFluid* fluid) {
    bool is_still = !fluid->callback;
    for (int k = 0; k < 3 && is_still; k++) {
        const ElvLaw* law = fluid->current[k];
        is_still = elv_law_kind(law) == ELV_LAW_CONSTANT && elv_law_value(law, 0.0, 0.0) == 0.0;
    }
    return !is_still;
}

// momentum stays zero in a fluid at rest that takes none
static ElvStatus refuse_fluid(const ElvModel* model, ElvError* error) {
    if (model->fluid && is_flowing(model->fluid)) {
        return elv_error_set(error, ELV_ERROR_INPUT, "fluid", "current",
                             "the mechanical connection keeps momentum zero in a fluid at rest, "
                             "and a current brings some: take it away, or use a method of second "
                             "order (generalized-alpha, explicit)");
    }
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        bool acts[N_TAKER];
        find_takers(model, node, acts);
        for (Taker taker = 0; taker < N_TAKER; taker++) {
            if (acts[taker]) {
                return refuse_taker(node, taker, error);
            }
        }
    }
    return ELV_OK;
}

ElvStatus elv_connect_create(const ElvModel* model,
                             ElvConnection kind,
                             ElvConnect** connect,
                             ElvError* error) {
    *connect = NULL;
    if (kind != ELV_CONNECTION_STOKES && refuse_fluid(model, error) != ELV_OK) {
        return ELV_ERROR_INPUT;
    }
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

// G x
static void apply_metric(const ElvConnect* c, const double* x, double* y) {
    size_t nv = (size_t)c->model->nv;
    for (size_t i = 0; i < nv; i++) {
        y[i] = 0.0;
        for (size_t k = 0; k < nv; k++) {
            y[i] += c->G[i * nv + k] * x[k];
        }
    }
}

// what the free velocities of a state leave of the balance                     [ALI (3.31)]
static void
set_residual(ElvConnect* c, ElvData* data, ElvState* state, bool has_forces, double* residual) {
    if (c->kind == ELV_CONNECTION_STOKES && has_forces) {
        (void)elv_device_follow(c->seen, data, state);
        elv_device_release(c->seen, state->z);
        elv_residual(c->seen, data, state, residual);
        return;
    }
    apply_metric(c, state->v, residual);
}

// G at the configuration of the last forward pass
static void set_metric(ElvConnect* c, ElvData* data) {
    elv_composite_pass(c->metric, data, c->G);
    if (c->kind == ELV_CONNECTION_STOKES) {
        elv_connection_damping(c->model, c->G);
    }
}

// whether something is dragged, and by its square alone at rest not held
static bool has_drag(const ElvModel* model) {
    bool is_dragged = false;
    for (int j = 0; j < model->n_node; j++) {
        bool acts[N_TAKER];
        find_takers(model, &model->node[j], acts);
        is_dragged |= acts[TAKER_DRAG] || acts[TAKER_SPIN] || acts[TAKER_LIFT];
    }
    return is_dragged;
}

static ElvStatus fail_singular(const ElvConnect* c, int bad, double t, ElvError* error) {
    static const char suffix[] = ".joint";
    bool is_stokes = c->kind == ELV_CONNECTION_STOKES;
    const char* name = elv_reduced_owner(c->reduced, bad);
    // the keys are those of the rod or body, not of its joint
    char owner[128];
    snprintf(owner, sizeof owner, "%s", name);
    size_t n = strlen(owner);
    bool is_of_rod = n >= sizeof suffix && strcmp(owner + n - sizeof suffix + 1, suffix) == 0;
    owner[is_of_rod ? n - sizeof suffix + 1 : n] = '\0';
    const char* square = is_stokes && has_drag(c->model)
                             ? "; drag grows with the square of the velocity and holds nothing at "
                               "rest"
                             : "";
    return elv_error_set(error, ELV_ERROR_SINGULAR, owner, is_stokes ? "resistance" : "",
                         "nothing resists a free motion of '%s' (t = %.9g): give '%s' %s%s", name,
                         t, owner,
                         is_stokes ? "'resistance' or damping" : "mass or 'added_inertia'", square);
}

// the rate of the fastest motion, 1/s
static double rate_of(const ElvConnect* c, const double* v) {
    double rate = 0.0;
    for (int i = 0; i < c->model->nv; i++) {
        rate = fmax(rate, fabs(v[i]) / c->reduced->scale[i]);
    }
    return rate;
}

// Where rows lose rank for an instant, the motion through it decides: how many directions. How long
// rows usually are is not known from there. -1: a number is not finite.
static int settle(ElvConnect* c, ElvData* data, ElvState* state) {
    ElvReduced* r = c->reduced;
    size_t size = (size_t)r->n_row * sizeof *r->usual;
    if (r->space.k == r->space.rank) {
        return 0;
    }
    memcpy(c->usual, r->usual, size);
    bool is_settled = elv_reduced_settle(r, data, state);
    memcpy(r->usual, c->usual, size);
    return is_settled ? r->rank_seen - r->space.rank : -1;
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
        return elv_reduced_fail_velocity(r, state->t, error);
    }
    int n_decided = has_forces ? settle(connect, data, state) : 0;
    if (n_decided < 0) {
        return elv_reduced_fail_velocity(r, state->t, error);
    }
    set_metric(connect, data);
    elv_reduced_kernel(r);
    if (n_decided > 0) {
        elv_reduced_shrink(r, n_decided);
    }
    int bad = elv_reduced_factor(r, connect->G);
    if (bad >= 0) {
        return fail_singular(connect, bad, state->t, error);
    }
    double change = r->n_kernel > 0 ? 1.0 : 0.0;
    for (int i = 0; i < MAX_STEP && change > DONE && isfinite(change); i++) {
        set_residual(connect, data, state, has_forces, r->residual);
        change = elv_reduced_balance(r, r->residual, state->v);
        change = change > STANDSTILL ? change / rate_of(connect, state->v) : 0.0;
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
    double rate = rate_of(connect, state->v);
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

// D = d/dh v_f(q + h v), imposed velocities and the time kept, into c->a; stations of contacts
// slide
static ElvStatus set_drift(ElvConnect* c, ElvData* data, const ElvState* state, ElvError* error) {
    ElvState* trial = c->trial;
    double h = elv_connect_step(c, state);
    memset(c->a, 0, (size_t)state->nv * sizeof *c->a);
    for (int i = 0; i < 6 && h > 0.0; i++) {
        int k = i / 2 + 1;
        double side = i % 2 == 0 ? 1.0 : -1.0;
        elv_state_copy(trial, state);
        elv_connect_move(c, state, side * (double)k * h);
        for (int l = 0; l < state->nz; l++) {
            trial->z[l] += side * (double)k * h * state->z_rate[l];
        }
        ElvStatus status = elv_connect_velocity(c, data, trial, true, error);
        if (status != ELV_OK) {
            return status;
        }
        for (int l = 0; l < state->nv; l++) {
            c->a[l] += side * elv_central_weight(k) / h * trial->v[l];
        }
    }
    return ELV_OK;
}

// the share of accelerations along what constraints leave free: H^T G (a - D) = 0    [ALI (3.31)]
static ElvStatus balance(ElvConnect* c, ElvState* state, ElvError* error) {
    ElvReduced* r = c->reduced;
    double* left = r->w;
    int bad = elv_reduced_factor(r, c->G);
    if (bad >= 0) {
        return fail_singular(c, bad, state->t, error);
    }
    // again with what is left, for its digits
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < state->nv; k++) {
            left[k] = state->a[k] - c->a[k];
        }
        apply_metric(c, left, r->residual);
        (void)elv_reduced_balance(r, r->residual, state->a);
    }
    return ELV_OK;
}

ElvStatus
elv_connect_acceleration(ElvConnect* connect, ElvData* data, ElvState* state, ElvError* error) {
    ElvReduced* r = connect->reduced;
    ElvStatus status = ELV_OK;
    if (r->n_kernel > 0) {
        status = set_drift(connect, data, state, error);
        // rows and metric of the state itself
        status =
            status == ELV_OK ? elv_connect_velocity(connect, data, state, true, error) : status;
    }
    if (status != ELV_OK) {
        return status;
    }
    // one that satisfies the constraints                                      [ALI (3.46), (3.65)]
    for (int k = 0; k < r->n; k++) {
        state->a[r->coordinate[k]] = 0.0;
    }
    elv_reduced_second(r, data, state, r->defect);
    elv_row_space_solve(&r->space, r->defect, r->step);
    for (int k = 0; k < r->n; k++) {
        int i_v = r->coordinate[k];
        state->a[i_v] = -r->scale[i_v] * r->step[k];
    }
    (void)elv_reduced_limit(r, data, state);
    if (r->n_kernel > 0) {
        status = balance(connect, state, error);
    }
    for (int i = 0; i < state->nv && status == ELV_OK; i++) {
        if (!isfinite(state->a[i])) {
            status = elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                                   "an acceleration is not finite at t = %.9g", state->t);
        }
    }
    return status;
}

ElvStatus
elv_connect_reaction(ElvConnect* connect, ElvData* data, ElvState* state, ElvError* error) {
    ElvReduced* r = connect->reduced;
    if (r->n_force == 0) {
        return ELV_OK;
    }
    if (!elv_reduced_reaction(r, data, state)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                             "a reaction is not finite at t = %.9g", state->t);
    }
    return elv_reduced_check(r, state->t, error);
}
