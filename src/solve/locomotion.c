// SPDX-License-Identifier: Apache-2.0
// Class of a robot [ALI table 3.1] from the rank of its constraints, and whether imposed motions
// agree with them [ALI (3.44), (3.54)].
#include "elver/locomotion.h"

#include "base/number_text.h"
#include "multibody/rod_contact.h"
#include "multibody/wheel.h"
#include "solve/gait.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// What both questions need.
typedef struct {
    const ElvModel* model;
    ElvData* data;
    ElvState* state;
    ElvReduced* reduced;
} Study;

static void close_study(Study* study) {
    elv_reduced_free(study->reduced);
    elv_state_free(study->state);
    elv_data_free(study->data);
}

static ElvStatus
open_study(const ElvModel* model, const ElvState* state, Study* study, ElvError* error) {
    memset(study, 0, sizeof *study);
    study->model = model;
    ElvStatus status = elv_device_check(model, state->t, error);
    status = status == ELV_OK ? elv_data_create(model, &study->data, error) : status;
    status = status == ELV_OK ? elv_state_create(model, &study->state, error) : status;
    status = status == ELV_OK ? elv_reduced_create(model, &study->reduced, error) : status;
    if (status != ELV_OK) {
        close_study(study);
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

static const char* group_of(ElvJointType type) {
    switch (type) {
    case ELV_JOINT_PRISMATIC:
        return "R";
    case ELV_JOINT_REVOLUTE:
        return "SO(2)";
    case ELV_JOINT_SPHERICAL:
        return "SO(3)";
    case ELV_JOINT_PLANAR:
        return "SE(2)";
    case ELV_JOINT_FREE:
        return "SE(3)";
    default:
        return "";
    }
}

static void count_velocities(const ElvModel* model, ElvLocomotionReport* report) {
    const ElvNode* root = elv_gait_root(model);
    report->root = root ? root->name : "";
    report->group = root ? group_of(root->info.joint) : "";
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        int n_free = 0;
        for (int k = 0; k < node->joint->n_v; k++) {
            n_free += !model->is_driven[node->i_v + k];
        }
        report->n_imposed += node->joint->n_v - n_free;
        *(node == root ? &report->n_group : &report->n_other) += n_free;
    }
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
static bool find_ranks(Study* study, int rank[2], bool* is_singular) {
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
static double force_at(Study* study, double t) {
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
static bool is_forced(Study* study) {
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

static ElvLocomotionClass choose_class(Study* study, const ElvLocomotionReport* report) {
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
    Study study;
    int rank[2] = {0, 0};
    memset(report, 0, sizeof *report);
    report->root = report->group = "";
    ElvStatus status = open_study(model, state, &study, error);
    if (status != ELV_OK) {
        return status;
    }
    if (find_ranks(&study, rank, &report->is_singular)) {
        count_velocities(model, report);
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
    close_study(&study);
    return status;
}

// ---- compatibility

// another place for everything that is free
static void scatter(Study* study, const ElvState* state, unsigned* seed) {
    const ElvModel* model = study->model;
    for (int k = 0; k < model->nq; k++) {
        *seed = *seed * 1664525u + 1013904223u;
        double shift = (double)(*seed >> 8) / (double)(1u << 24) - 0.5;
        study->state->q[k] = state->q[k] + shift;
    }
    elv_state_impose(model, study->state);
}

// the smallest of the slips at a time, over configurations of what is free; 0 where one has none,
// NaN where no configuration has a number [ALI (3.44), (3.54)]
static double slip_at(Study* study, const ElvState* state, double t, const char** name) {
    enum { N_PLACE = 5 };
    unsigned seed = 4711u;
    double least = INFINITY;
    study->state->t = t;
    for (int i = 0; i < N_PLACE && least > 0.0; i++) {
        memcpy(study->state->q, state->q, (size_t)state->nq * sizeof *state->q);
        elv_state_impose(study->model, study->state);
        if (i > 0) {
            scatter(study, state, &seed);
        }
        if (elv_reduced_velocity(study->reduced, study->data, study->state)) {
            double slip = elv_reduced_is_compatible(study->reduced) ? 0.0 : study->reduced->missed;
            *name = slip < least ? elv_reduced_worst(study->reduced) : *name;
            least = fmin(least, slip);
        }
        // at the start it is as it is
        if (t == state->t) {
            break;
        }
    }
    return isfinite(least) ? least : NAN;
}

// whether laws and imposed motions are numbers at a time
static ElvStatus check_numbers(Study* study, double t, ElvError* error) {
    const ElvModel* model = study->model;
    study->state->t = t;
    elv_state_impose(model, study->state);
    bool is_finite = elv_device_check(model, t, error) == ELV_OK;
    for (int i = 0; i < model->nv && is_finite; i++) {
        is_finite = isfinite(study->state->v[i]);
    }
    return is_finite ? ELV_OK : elv_reduced_fail_velocity(study->reduced, t, error);
}

static ElvStatus look_along(
    Study* study, const ElvState* state, double t_end, ElvCompatibility* report, ElvError* error) {
    enum { N_SAMPLE = 101 };
    bool is_ahead = study->reduced->n_position == 0 && t_end > state->t;
    bool is_independent = false;
    int n = is_ahead ? N_SAMPLE : 1;
    for (int i = 0; i < n; i++) {
        // instants that no period shares
        double x = (double)i / (double)(N_SAMPLE - 1);
        double t = state->t + (t_end - state->t) * (x - 0.003 * sin(12.9898 * (double)i));
        t = fmin(t, t_end);
        const char* name = "";
        report->n_sample++;
        if (is_independent) {
            ElvStatus status = check_numbers(study, t, error);
            if (status != ELV_OK) {
                return status;
            }
            continue;
        }
        double slip = slip_at(study, state, i == 0 ? state->t : t, &name);
        if (isnan(slip)) {
            return elv_reduced_fail_velocity(study->reduced, study->state->t, error);
        }
        if (slip > report->slip) {
            report->slip = slip;
            report->t = i == 0 ? state->t : t;
            report->constraint = name;
        }
        // rows that do not depend on each other agree with any motion that is one
        is_independent = i == 0 && study->reduced->space.rank == study->reduced->n_row;
    }
    report->is_compatible = report->slip == 0.0;
    return ELV_OK;
}

ElvStatus elv_locomotion_compatibility(const ElvModel* model,
                                       const ElvState* state,
                                       double t_end,
                                       ElvCompatibility* report,
                                       ElvError* error) {
    Study study;
    ElvCompatibility found = {.constraint = "", .t = state->t};
    ElvStatus status = open_study(model, state, &study, error);
    if (status != ELV_OK) {
        return status;
    }
    status = look_along(&study, state, t_end, &found, error);
    close_study(&study);
    if (status != ELV_OK) {
        found.constraint = "";
    }
    if (report) {
        *report = found;
    }
    if (status != ELV_OK || found.is_compatible) {
        return status;
    }
    return elv_reduced_incompatible(model, found.constraint, found.slip, found.t, error);
}
