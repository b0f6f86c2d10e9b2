// SPDX-License-Identifier: Apache-2.0
// Net displacement over a cycle of imposed motions: the path-ordered exponential of the connection
// around it [ALI (2.2)-(2.3)], by integration of the motion itself.
#include "elver/locomotion.h"

#include "solve/gait.h"
#include "solve/integrator.h"

#include <math.h>

const ElvNode* elv_gait_root(const ElvModel* model) {
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

static bool has_imposed(const ElvModel* model) {
    bool is_imposed = false;
    for (int i = 0; i < model->nv; i++) {
        is_imposed = is_imposed || model->is_driven[i];
    }
    return is_imposed;
}

static ElvStatus set_period(ElvGaitStudy* study, double t, double* period, ElvError* error) {
    if (*period <= 0.0 && !elv_gait_period(study, t, period)) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    if (study->brake.is_on) {
        return elv_error_set(error, ELV_ERROR_CANCELLED, "", "",
                             "stopped by the caller in the search for a period");
    }
    *period = isfinite(*period) ? *period : 0.0;
    if (*period > 0.0) {
        return ELV_OK;
    }
    if (!has_imposed(study->model)) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "motion",
                             "no joint or strain follows an imposed motion: there is no cycle of "
                             "shapes");
    }
    return elv_error_set(error, ELV_ERROR_INPUT, "", "period",
                         "what is imposed has no period within twice the duration of the model");
}

// ---- the cycle

// Where constraints decide on all, velocities follow from these alone [ALI (3.45), (3.55)]:
// explicit methods have them, and go through postures in which rows lose rank.
static ElvStatus
choose_method(const ElvModel* model, const ElvState* state, ElvMethod* method, ElvError* error) {
    ElvLocomotionReport report;
    ElvStatus status = elv_locomotion_classify(model, state, &report, error);
    bool is_kinematic = status == ELV_OK && (report.kind == ELV_LOCOMOTION_CONSTRAINED ||
                                             report.kind == ELV_LOCOMOTION_ACTUATED);
    *method = is_kinematic ? ELV_METHOD_EXPLICIT : ELV_METHOD_CONNECTION;
    return status;
}

// largest miss of imposed coordinates between two states
static double opening_of(const ElvModel* model, const ElvState* from, const ElvState* to) {
    double opening = 0.0;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        for (int k = 0; k < node->joint->n_q; k++) {
            bool is_imposed = node->joint->n_q == node->joint->n_v ? model->is_driven[node->i_v + k]
                                                                   : node->joint->is_motion_driven;
            double miss = fabs(to->q[node->i_q + k] - from->q[node->i_q + k]);
            opening = is_imposed ? fmax(opening, miss) : opening;
        }
    }
    return opening;
}

// motions that agree with their constraints take some hundred steps
enum { MAX_STEP = 50000 };

// one cycle from study->state to `state`
static ElvStatus run_cycle(ElvGaitStudy* study,
                           ElvIntegrator* integrator,
                           ElvState* state,
                           ElvGait* gait,
                           ElvError* error) {
    const char* group;
    double t_end = state->t + gait->period;
    ElvStatus status = elv_integrator_start(integrator, state, error);
    if (status != ELV_OK) {
        return status;
    }
    elv_state_copy(study->state, state);
    const ElvNode* root = elv_gait_group(study->model, study->data, state, &group);
    ElvPose first = root_pose(study, root, state);
    gait->n_step = 0;
    while (state->t < t_end) {
        status = elv_integrator_step(integrator, t_end, state, error);
        if (status != ELV_OK) {
            return status;
        }
        if (++gait->n_step >= MAX_STEP && state->t < t_end) {
            return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                                 "%ld steps were not enough for the cycle: t = %.9g of %.9g s "
                                 "reached; velocities grow without bound, or laws are not smooth",
                                 gait->n_step, state->t, t_end);
        }
    }
    gait->net = elv_pose_compose(elv_pose_inverse(first), root_pose(study, root, state));
    gait->opening = opening_of(study->model, study->state, state);
    return ELV_OK;
}

// by how much free velocities differ between two states
static void
find_change(const ElvModel* model, const ElvState* from, const ElvState* to, double* v) {
    int n = 0;
    for (int i = 0; i < model->nv; i++) {
        if (!model->is_driven[i]) {
            v[n++] = to->v[i] - from->v[i];
        }
    }
}

// the cycle at a tolerance; the change of free velocities in it, or NULL
static ElvStatus try_cycle(ElvGaitStudy* study,
                           const ElvState* start,
                           const ElvSimulateDef* options,
                           ElvGait* gait,
                           double* change,
                           ElvError* error) {
    ElvIntegrator* integrator = NULL;
    ElvState* moving = NULL;
    ElvStatus status = elv_explicit_create(study->model, options, &integrator, error);
    status = status == ELV_OK ? elv_state_create(study->model, &moving, error) : status;
    if (status == ELV_OK) {
        elv_state_copy(moving, start);
        status = run_cycle(study, integrator, moving, gait, error);
    }
    if (status == ELV_OK && change) {
        find_change(study->model, study->state, moving, change);
    }
    elv_state_free(moving);
    elv_integrator_free(integrator);
    gait->rel_tol = options->rel_tol;
    return status;
}

// Where no velocities exist there is no cycle; constraints that this cannot judge are not to blame.
static ElvStatus
check_cycle(const ElvModel* model, const ElvState* state, double period, ElvError* error) {
    ElvError cause;
    ElvStatus status = elv_locomotion_compatibility(model, state, state->t + period, NULL, &cause);
    if (status != ELV_ERROR_NUMERIC) {
        return ELV_OK;
    }
    if (error) {
        *error = cause;
    }
    return status;
}

// By the smallest tolerance that works: near a singular start velocities have fewer digits.
static ElvStatus find_cycle(ElvGaitStudy* study,
                            const ElvState* state,
                            ElvMethod method,
                            ElvConnection kind,
                            ElvGait* gait,
                            double* change,
                            ElvError* error) {
    static const double tolerance[] = {1e-11, 1e-9, 1e-7};
    ElvSimulateDef options = elv_simulate_def_default();
    ElvStatus status = ELV_OK;
    options.method = method;
    options.stop = study->brake.stop;
    options.connection = kind;
    options.duration = gait->period;
    options.step = options.duration / 20.0;
    options.order = 8;
    for (size_t i = 0; i < sizeof tolerance / sizeof tolerance[0]; i++) {
        options.rel_tol = tolerance[i];
        options.abs_tol = 0.01 * tolerance[i];
        status = try_cycle(study, state, &options, gait, change, error);
        if (status != ELV_ERROR_STEP) {
            break;
        }
    }
    return status;
}

// a cycle by the connection, or by the dynamics
static ElvStatus study_cycle(const ElvModel* model,
                             const ElvState* state,
                             const ElvConnection* kind,
                             const ElvStop* stop,
                             ElvGait* gait,
                             double* change,
                             ElvError* error) {
    ElvGaitStudy study;
    ElvConnection used = kind ? *kind : ELV_CONNECTION_MECHANICAL;
    ElvMethod method = ELV_METHOD_EXPLICIT;
    if (!elv_gait_root(model)) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "motion",
                             "no joint on the world is free: nothing carries a net motion");
    }
    ElvStatus status = elv_gait_open(model, state, used, &study, error);
    if (status != ELV_OK) {
        return status;
    }
    study.brake = elv_brake(stop);
    status = set_period(&study, state->t, &gait->period, error);
    status = status == ELV_OK ? check_cycle(model, state, gait->period, error) : status;
    status = status == ELV_OK && kind ? choose_method(model, state, &method, error) : status;
    if (status == ELV_OK) {
        status = find_cycle(&study, state, method, used, gait, change, error);
    }
    elv_gait_close(&study);
    return status;
}

ElvStatus elv_gait_displacement(const ElvModel* model,
                                const ElvState* state,
                                ElvConnection kind,
                                double period,
                                const ElvStop* stop,
                                ElvGait* gait,
                                ElvError* error) {
    *gait = (ElvGait){.period = period};
    return study_cycle(model, state, &kind, stop, gait, NULL, error);
}

ElvStatus elv_gait_dynamics(const ElvModel* model,
                            const ElvState* state,
                            double period,
                            const ElvStop* stop,
                            ElvGait* gait,
                            double* change,
                            ElvError* error) {
    *gait = (ElvGait){.period = period};
    return study_cycle(model, state, NULL, stop, gait, change, error);
}
