// SPDX-License-Identifier: Apache-2.0
// Class of a robot [ALI table 3.1] from the rank of its constraints: what these, imposed motions and
// motors decide on, at a state and shortly after.
#include "elver/locomotion.h"

#include "multibody/rod_contact.h"
#include "multibody/wheel.h"
#include "solve/gait.h"
#include "solve/locomotion_study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- what questions need

void elv_locomotion_close(ElvLocomotionStudy* study) {
    elv_reduced_free(study->reduced);
    elv_state_free(study->state);
    elv_data_free(study->data);
}

ElvStatus elv_locomotion_open(const ElvModel* model,
                              const ElvState* state,
                              ElvLocomotionStudy* study,
                              ElvError* error) {
    memset(study, 0, sizeof *study);
    study->model = model;
    ElvStatus status = elv_device_check(model, state->t, error);
    status = status == ELV_OK ? elv_data_create(model, &study->data, error) : status;
    status = status == ELV_OK ? elv_state_create(model, &study->state, error) : status;
    status = status == ELV_OK ? elv_reduced_create(model, &study->reduced, error) : status;
    if (status != ELV_OK) {
        elv_locomotion_close(study);
        return status;
    }
    elv_state_copy(study->state, state);
    elv_state_impose(model, study->state);
    return ELV_OK;
}

// ---- classes

const char* elv_locomotion_class_text(ElvLocomotionClass kind) {
    static const char* const text[] = {
        [ELV_LOCOMOTION_IMPOSED] = "imposed",
        [ELV_LOCOMOTION_FLOATING] = "unconstrained, without external forces",
        [ELV_LOCOMOTION_FORCED] = "unconstrained, with external forces",
        [ELV_LOCOMOTION_CONSTRAINED] = "fully constrained",
        [ELV_LOCOMOTION_ACTUATED] = "fully actuated",
        [ELV_LOCOMOTION_MIXED] = "under-constrained, actuated and free parts",
        [ELV_LOCOMOTION_UNDER] = "under-constrained",
    };
    return text[kind];
}

static int count_free(const ElvModel* model, const ElvNode* node) {
    int n_free = 0;
    for (int k = 0; k < node->joint->n_v; k++) {
        n_free += !model->is_driven[node->i_v + k];
    }
    return n_free;
}

static void count_velocities(ElvLocomotionStudy* study, ElvLocomotionReport* report) {
    const ElvModel* model = study->model;
    const ElvNode* root = elv_gait_group(model, study->data, study->state, &report->group);
    report->root = root ? root->name : "";
    for (int j = 0; j < model->n_node; j++) {
        int n_free = count_free(model, &model->node[j]);
        report->n_imposed += model->node[j].joint->n_v - n_free;
        report->n_other += n_free;
    }
    // the root and what carries it
    for (const ElvNode* node = root; node;) {
        int i_parent = model->port[node->parent_port].i_node;
        report->n_group += count_free(model, node);
        node = i_parent >= 0 ? &model->node[i_parent] : NULL;
    }
    report->n_other -= report->n_group;
}

static void count_wheels(const ElvModel* model, ElvLocomotionReport* report) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (elv_device_is_wheel(device)) {
            report->n_wheel++;
            report->n_motor += elv_wheel_is_driven((const ElvWheel*)device);
        }
    }
}

// rows of constraints that act at a time
static int count_rows(const ElvModel* model, double t) {
    int n = 0;
    for (int i = 0; i < model->n_device; i++) {
        n += elv_device_is_off(model->device[i], t) ? 0 : elv_model_device(model, i).n_row;
    }
    return n;
}

// how long constraints stay as they are: up to a time, or half way to where a law jumps
static double steady_time(const ElvModel* model, double t, double longest) {
    enum { N_JUMP = 16 };
    double jump[N_JUMP];
    size_t n = elv_model_breakpoints(model, t, t + longest, jump, N_JUMP);
    for (int i = 0; i < 20 && n > N_JUMP; i++) {
        longest *= 0.5;
        n = elv_model_breakpoints(model, t, t + longest, jump, N_JUMP);
    }
    return n == 0 ? longest : n > N_JUMP ? 0.0 : 0.5 * (jump[0] - t);
}

// the largest ranks of all rows and of those without motors, at the state and shortly after, before
// contacts change
static bool find_ranks(ElvLocomotionStudy* study, int rank[2], bool* is_singular) {
    static const double LATER[] = {0.0, 0.0432, 0.2874, 1.0};
    double start = study->state->t, span = steady_time(study->model, start, 0.317);
    int n_look = study->reduced->n_position > 0 ? 1 : 4;
    int now = 0;
    for (int i = 0; i < n_look; i++) {
        study->state->t = start + span * LATER[i];
        elv_state_impose(study->model, study->state);
        elv_device_place(study->model, study->data, study->state);
        for (int k = 0; k < 2; k++) {
            ElvRowChoice choice = k == 0 ? ELV_ROWS_ALL : ELV_ROWS_PASSIVE;
            if (!elv_reduced_rows(study->reduced, study->data, study->state, choice)) {
                return false;
            }
            int found = study->reduced->space.rank;
            rank[k] = found > rank[k] ? found : rank[k];
            now = i == 0 && k == 0 ? found : now;
        }
    }
    *is_singular = now < rank[0];
    study->state->t = start;
    elv_state_impose(study->model, study->state);
    return true;
}

// the largest effort on free velocities of a robot at rest at a time, relative to all
static double force_at(ElvLocomotionStudy* study, double t) {
    const ElvModel* model = study->model;
    double* residual = study->reduced->residual;
    double most = 0.0, all = 0.0;
    study->state->t = t;
    elv_state_impose(model, study->state);
    memset(study->state->v, 0, (size_t)model->nv * sizeof(double));
    memset(study->state->a, 0, (size_t)model->nv * sizeof(double));
    (void)elv_device_follow(model, study->data, study->state);
    elv_idm(model, study->data, study->state, residual);
    for (int i = 0; i < model->nv; i++) {
        all = fmax(all, fabs(residual[i]));
        most = fmax(most, model->is_driven[i] ? 0.0 : fabs(residual[i]));
    }
    return all > 0.0 ? most / all : 0.0;
}

// whether something acts on free velocities of a robot at rest, at some time of a run
static bool is_forced(ElvLocomotionStudy* study) {
    enum { N_LOOK = 41 };
    double start = study->state->t, duration = elv_model_simulate(study->model).duration;
    bool is_pushed = study->model->is_resisted;
    for (int i = 0; i < N_LOOK && !is_pushed; i++) {
        // instants that no period shares
        double x = ((double)i + 0.3 * sin(5.0 * (double)i)) / (double)(N_LOOK - 1);
        is_pushed = force_at(study, start + duration * fmin(fmax(x, 0.0), 1.0)) > 1e-12;
    }
    study->state->t = start;
    return is_pushed;
}

static ElvLocomotionClass choose_class(ElvLocomotionStudy* study,
                                       const ElvLocomotionReport* report) {
    if (report->n_group + report->n_other == 0) {
        return ELV_LOCOMOTION_IMPOSED;
    }
    if (report->rank == 0) {
        return is_forced(study) ? ELV_LOCOMOTION_FORCED : ELV_LOCOMOTION_FLOATING;
    }
    if (report->n_free == 0) {
        return report->n_actuated > 0 ? ELV_LOCOMOTION_ACTUATED : ELV_LOCOMOTION_CONSTRAINED;
    }
    return report->n_actuated > 0 ? ELV_LOCOMOTION_MIXED : ELV_LOCOMOTION_UNDER;
}

static void set_reason(const ElvModel* model, ElvLocomotionReport* r) {
    static const char* const follows[] = {
        [ELV_LOCOMOTION_IMPOSED] = "torques alone are to be found",
        [ELV_LOCOMOTION_FLOATING] = "from rest the shape decides on them (mechanical connection)",
        [ELV_LOCOMOTION_FORCED] = "they follow from the dynamics",
        [ELV_LOCOMOTION_CONSTRAINED] = "the shape decides on all of them (kinematic connection)",
        [ELV_LOCOMOTION_ACTUATED] = "shape and motors decide on all of them (kinematic connection)",
        [ELV_LOCOMOTION_MIXED] = "the rest follows from the dynamics (reduced dynamics)",
        [ELV_LOCOMOTION_UNDER] = "the rest follows from the dynamics (reduced dynamics)",
    };
    ElvSimulateDef simulate = elv_model_simulate(model);
    bool is_stokes =
        simulate.method == ELV_METHOD_CONNECTION && simulate.connection == ELV_CONNECTION_STOKES;
    bool is_left = r->kind == ELV_LOCOMOTION_UNDER || r->kind == ELV_LOCOMOTION_MIXED;
    const char* rest = follows[r->kind];
    if (is_stokes && (is_left || r->kind == ELV_LOCOMOTION_FORCED)) {
        rest = is_left ? "viscous resistance decides on the rest (stokes connection)"
                       : "shape and viscous resistance decide on them (stokes connection)";
    }
    int n = r->n_group + r->n_other;
    const char* plural = n == 1 ? "y" : "ies";
    char where[64] = "";
    char motors[64] = "";
    if (r->group[0]) {
        snprintf(where, sizeof where, " (%s%s)", r->group,
                 r->n_other > 0 ? " and passive joints" : "");
    }
    if (r->n_motor > 0) {
        snprintf(motors, sizeof motors, ", motors of wheels on %d more", r->n_actuated);
    }
    if (n == 0) {
        snprintf(r->reason, sizeof r->reason, "no velocity is free: %s", rest);
    } else if (r->n_row == 0) {
        snprintf(r->reason, sizeof r->reason, "%d free velocit%s%s, no constraints: %s", n, plural,
                 where, rest);
    } else {
        snprintf(r->reason, sizeof r->reason,
                 "of %d free velocit%s%s, %d constraint%s of rank %d %s on %d%s: %s", n, plural,
                 where, r->n_row, r->n_row == 1 ? "" : "s", r->rank,
                 r->n_row == 1 ? "decides" : "decide", r->rank - r->n_actuated, motors, rest);
    }
}

ElvStatus elv_locomotion_classify(const ElvModel* model,
                                  const ElvState* state,
                                  ElvLocomotionReport* report,
                                  ElvError* error) {
    ElvLocomotionStudy study;
    int rank[2] = {0, 0};
    memset(report, 0, sizeof *report);
    report->root = report->group = "";
    ElvStatus status = elv_locomotion_open(model, state, &study, error);
    if (status != ELV_OK) {
        return status;
    }
    if (find_ranks(&study, rank, &report->is_singular)) {
        count_velocities(&study, report);
        count_wheels(model, report);
        report->n_row = count_rows(model, state->t);
        report->rank = rank[0];
        report->n_redundant = report->n_row - rank[0];
        report->n_kernel = study.reduced->n - rank[1]; // [ALI (3.47)]
        report->n_actuated = rank[0] - rank[1];        // [ALI (3.48)]
        report->n_free = study.reduced->n - rank[0];
        report->kind = choose_class(&study, report);
        set_reason(model, report);
    } else {
        status = elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                               "a constraint is not a number at t = %.9g", state->t);
    }
    elv_locomotion_close(&study);
    return status;
}
