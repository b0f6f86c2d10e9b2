// SPDX-License-Identifier: Apache-2.0
// Net displacement over a cycle of imposed motions, and the period of these if it is not given.
#include "elver/locomotion.h"

#include "solve/gait.h"
#include "solve/integrator.h"

#include <math.h>
#include <string.h>

// the joint that carries the net motion: the first on the world that is not wholly imposed
static const ElvNode* find_root(const ElvModel* model) {
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        for (int k = 0; k < node->joint->n_v && node->parent_port == 0; k++) {
            if (!model->is_driven[node->i_v + k] && !node->info.is_rod) {
                return node;
            }
        }
    }
    return NULL;
}

static ElvPose root_pose(ElvGaitStudy* study, const ElvNode* root, const ElvState* state) {
    elv_kinematics(study->model, study->data, state);
    ElvPose g = study->data->port[root->i_port].g;
    g.p = elv_vec3_add(g.p, study->data->origin);
    return g;
}

// ---- periods

enum { N_PHASE = 7 };

// how much imposed velocities at a few phases change over T, relative to the largest
static double change_over(ElvGaitStudy* study, double t, double T, double span) {
    const ElvModel* model = study->model;
    ElvState *state = study->state, *later = study->connect->trial;
    double change = 0.0, size = 0.0;
    for (int i = 0; i < N_PHASE; i++) {
        // phases that no period shares
        state->t = t + span * ((double)i + 0.3 * sin(5.0 * (double)i)) / (double)N_PHASE;
        later->t = state->t + T;
        elv_state_impose(model, state);
        elv_state_impose(model, later);
        for (int k = 0; k < model->nv; k++) {
            if (model->is_driven[k]) {
                size = fmax(size, fabs(state->v[k]));
                change = fmax(change, fabs(later->v[k] - state->v[k]));
            }
        }
    }
    return size > 0.0 ? change / size : 0.0;
}

// the lowest point of the change between two periods, by golden sections
static double refine(ElvGaitStudy* study, double t, double lo, double hi, double span) {
    const double GOLDEN = 0.6180339887498949;
    double a = hi - GOLDEN * (hi - lo), b = lo + GOLDEN * (hi - lo);
    double at_a = change_over(study, t, a, span), at_b = change_over(study, t, b, span);
    for (int i = 0; i < 80 && hi - lo > 4e-16 * hi; i++) {
        if (at_a < at_b) {
            hi = b;
            b = a;
            at_b = at_a;
            a = hi - GOLDEN * (hi - lo);
            at_a = change_over(study, t, a, span);
        } else {
            lo = a;
            a = b;
            at_a = at_b;
            b = lo + GOLDEN * (hi - lo);
            at_b = change_over(study, t, b, span);
        }
    }
    return 0.5 * (lo + hi);
}

// the shortest period of the imposed motion from t on; 0: none is found
static double find_period(ElvGaitStudy* study, double t) {
    enum { N_TRY = 2000 };
    const double SAME = 1e-9;
    double span = 2.0 * elv_model_simulate(study->model).duration;
    double step = span / N_TRY;
    double past = change_over(study, t, step, span);
    double here = change_over(study, t, 2.0 * step, span);
    bool has_moved = past > SAME;
    for (int i = 3; i <= N_TRY; i++) {
        double next = change_over(study, t, (double)i * step, span);
        has_moved = has_moved || here > SAME;
        if (has_moved && here <= past && here <= next) {
            double T = refine(study, t, (double)(i - 2) * step, (double)i * step, span);
            if (change_over(study, t, T, span) < SAME) {
                return T;
            }
        }
        past = here;
        here = next;
    }
    return 0.0;
}

static ElvStatus set_period(ElvGaitStudy* study, double t, double* period, ElvError* error) {
    if (*period <= 0.0) {
        *period = find_period(study, t);
    } else if (!isfinite(*period)) {
        *period = 0.0;
    }
    if (*period > 0.0) {
        return ELV_OK;
    }
    return elv_error_set(error, ELV_ERROR_INPUT, "", "period",
                         "the imposed motion has no period within twice the duration of the model: "
                         "give one");
}

// ---- the cycle

static ElvStatus run_cycle(ElvGaitStudy* study,
                           const ElvNode* root,
                           ElvIntegrator* integrator,
                           ElvState* state,
                           ElvGait* gait,
                           ElvError* error) {
    const ElvModel* model = study->model;
    double t_end = state->t + gait->period;
    ElvStatus status = elv_integrator_start(integrator, state, error);
    if (status != ELV_OK) {
        return status;
    }
    elv_state_copy(study->state, state);
    ElvPose first = root_pose(study, root, state), past = first;
    while (state->t < t_end && status == ELV_OK) {
        status = elv_integrator_step(integrator, t_end, state, error);
        ElvPose here = root_pose(study, root, state);
        gait->path += elv_vec3_norm(elv_vec3_sub(here.p, past.p));
        past = here;
        gait->n_step++;
    }
    gait->net = elv_pose_compose(elv_pose_inverse(first), past);
    for (int j = 0; j < model->n_node && status == ELV_OK; j++) {
        const ElvNode* node = &model->node[j];
        for (int k = 0; k < node->joint->n_q; k++) {
            bool is_imposed = node->joint->n_q == node->joint->n_v ? model->is_driven[node->i_v + k]
                                                                   : node->joint->is_motion_driven;
            double miss = fabs(state->q[node->i_q + k] - study->state->q[node->i_q + k]);
            gait->opening = is_imposed ? fmax(gait->opening, miss) : gait->opening;
        }
    }
    return status;
}

ElvStatus elv_gait_displacement(const ElvModel* model,
                                const ElvState* state,
                                ElvConnection kind,
                                double period,
                                ElvGait* gait,
                                ElvError* error) {
    ElvGaitStudy study;
    ElvIntegrator* integrator = NULL;
    ElvState* moving = NULL;
    memset(gait, 0, sizeof *gait);
    const ElvNode* root = find_root(model);
    if (!root) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "",
                             "no joint on the world is free: nothing carries a net motion");
    }
    ElvStatus status = elv_gait_open(model, state, kind, &study, error);
    if (status != ELV_OK) {
        return status;
    }
    gait->period = period;
    status = set_period(&study, state->t, &gait->period, error);
    ElvSimulateDef options = elv_simulate_def_default();
    options.method = ELV_METHOD_CONNECTION;
    options.connection = kind;
    options.duration = gait->period > 0.0 ? gait->period : 1.0;
    options.step = options.duration / 20.0;
    options.order = 8;
    options.rel_tol = 1e-11;
    options.abs_tol = 1e-13;
    status = status == ELV_OK ? elv_explicit_create(model, &options, &integrator, error) : status;
    status = status == ELV_OK ? elv_state_create(model, &moving, error) : status;
    if (status == ELV_OK) {
        elv_state_copy(moving, state);
        status = run_cycle(&study, root, integrator, moving, gait, error);
    }
    elv_state_free(moving);
    elv_integrator_free(integrator);
    elv_gait_close(&study);
    return status;
}
