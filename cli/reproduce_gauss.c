// SPDX-License-Identifier: Apache-2.0
// `elver reproduce ocp-gauss`: Gauss' constraint C [OCP (28)-(36)] of two shipped chains on their way, at the acceleration of
// their motion and at many others that the joints and free strains allow. Every one of them raises it, by the kinetic
// energy that the change of the acceleration would have as a velocity.
//     laws   efforts are those of the model's laws, changes are made of its modes: the acceleration of forward dynamics
//     found  efforts are those that the motion needs, changes are waves that no mode knows
#include "reproduce.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N_CHANGE = 50, N_SIZE = 4 };

static const double sizes[N_SIZE] = {1.0, 1e-1, 1e-2, 1e-3};

// agreement of the rise with what it must be, beside rounding of C itself
static const double TOLERANCE = 1e-6;

static const struct {
    const char* model;
    const char* what;
    double t; // s
} cases[] = {
    {"@tacr-release", "a manipulator", 0.05},
    {"@flying-stick", "a locomotor", 0.5},
};

enum { N_CASE = sizeof cases / sizeof cases[0] };

/// A chain in motion, and a change of its acceleration.
typedef struct {
    const ElvModel* model;
    ElvData* data;
    ElvState* state;
    ElvState* change; // v: the change; q: it and nothing else, for the strains of its modes
    ElvState* none;
    ElvRiccati* riccati;
    uint64_t seed;
    double scale;    // of the acceleration: changes of size 1 are as large
    double least[2]; // C itself, by ElvGaussEfforts
    double wave, phase;
} Motion;

static double draw(Motion* motion) {
    motion->seed = motion->seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(motion->seed >> 11) / 4503599627370496.0 - 1.0;
}

// ---- the motion

// the acceleration of forward dynamics at some time, after a run with modes
static ElvStatus move(const ElvModel* model, double t, Motion* motion, ElvError* error) {
    ElvSimulateOptions options = elv_simulate_options_default(model, motion->state);
    ElvIntegratorReport report;
    options.method.method = ELV_METHOD_NEWMARK;
    options.method.step = 0.001;
    options.method.duration = options.t_end = t;
    options.record_every = t;
    ElvStatus status = reproduce_simulate(model, motion->state, &options, &report, error);
    if (status == ELV_OK) {
        status = elv_forward_dynamics(model, motion->data, motion->state, error);
    }
    for (int i = 0; i < elv_model_nv(model); i++) {
        motion->scale = fmax(motion->scale, fabs(motion->state->a[i]));
    }
    return status;
}

static ElvStatus open_motion(const ElvModel* model, double t, Motion* motion, ElvError* error) {
    *motion = (Motion){.model = model, .seed = 1};
    ElvStatus status = elv_data_create(model, &motion->data, error);
    ElvState** const state[3] = {&motion->state, &motion->change, &motion->none};
    for (int i = 0; i < 3 && status == ELV_OK; i++) {
        status = elv_state_create(model, state[i], error);
    }
    status = status == ELV_OK ? move(model, t, motion, error) : status;
    status = status == ELV_OK ? elv_riccati_create(model, 0, &motion->riccati, error) : status;
    if (status != ELV_OK) {
        return status;
    }
    elv_kinematics(model, motion->data, motion->none);
    status = elv_riccati_solve_state(motion->riccati, motion->state, false, error);
    for (int i = 0; i < 2 && status == ELV_OK; i++) {
        status =
            elv_riccati_gauss(motion->riccati, NULL, (ElvGaussEfforts)i, &motion->least[i], error);
    }
    return status;
}

static void close_motion(Motion* motion) {
    elv_riccati_free(motion->riccati);
    elv_state_free(motion->state);
    elv_state_free(motion->change);
    elv_state_free(motion->none);
    elv_data_free(motion->data);
}

// ---- changes

static void
modal_change(void* user, int i_node, double s, double xi[6], double xi_dot[6], double xi_ddot[6]) {
    Motion* motion = user;
    ElvTwist on, off;
    (void)xi, (void)xi_dot;
    elv_rod_section(motion->model, motion->data, motion->change, i_node, s, NULL, &on, NULL);
    elv_rod_section(motion->model, motion->data, motion->none, i_node, s, NULL, &off, NULL);
    elv_twist_to_array(elv_twist_sub(on, off), xi_ddot);
}

static void
wave_change(void* user, int i_node, double s, double xi[6], double xi_dot[6], double xi_ddot[6]) {
    const Motion* motion = user;
    (void)i_node, (void)xi, (void)xi_dot;
    for (int k = 0; k < 6; k++) {
        xi_ddot[k] = motion->scale * sin(motion->wave * s + motion->phase + k);
    }
}

// a change of the size of the acceleration: all coordinates, or waves and the joint at the root
static void choose_change(Motion* motion, bool is_modal) {
    int nv = elv_model_nv(motion->model);
    for (int i = 0; i < nv; i++) {
        motion->change->v[i] = motion->scale * draw(motion);
    }
    motion->wave = 20.0 * draw(motion);
    motion->phase = 3.0 * draw(motion);
    for (int i = 0; i < elv_model_n_node(motion->model) && is_modal; i++) {
        ElvNodeInfo node = elv_model_node(motion->model, i);
        if (node.is_rod) {
            memcpy(motion->change->q + node.i_q, motion->change->v + node.i_v,
                   (size_t)node.n_v * sizeof(double));
        }
    }
}

// acceleration of the joint at the root, or NULL
static double* root_change(const Motion* motion) {
    ElvNodeInfo first = elv_model_node(motion->model, 0);
    return first.is_rod || first.n_v == 0 ? NULL : motion->change->v + first.i_v;
}

// multiply the change
static void resize(Motion* motion, double factor) {
    for (int i = 0; i < elv_model_nv(motion->model); i++) {
        motion->change->v[i] *= factor;
    }
    for (int i = 0; i < elv_model_n_node(motion->model); i++) {
        ElvNodeInfo node = elv_model_node(motion->model, i);
        for (int k = 0; k < node.n_q && node.is_rod; k++) {
            motion->change->q[node.i_q + k] *= factor;
        }
    }
    motion->scale *= factor;
}

// ---- what they do

/// What changes of one size did.
typedef struct {
    int n_lower;  // did not raise C
    double least; // rise
    double most;
    double off; // largest departure from what it must be, relative
} Outcome;

// kinetic energy that the change of coordinates would have as a velocity
static double kinetic(Motion* motion) {
    ElvState moved = *motion->state;
    moved.v = motion->change->v;
    elv_kinematics(motion->model, motion->data, &moved);
    return elv_energy(motion->model, motion->data, &moved).kinetic;
}

static ElvStatus rise(Motion* motion, bool is_modal, double* value, ElvError* error) {
    ElvGaussEfforts efforts = is_modal ? ELV_GAUSS_LAW : ELV_GAUSS_FOUND;
    ElvAccelerationChange change = {root_change(motion), is_modal ? modal_change : wave_change,
                                    motion};
    ElvStatus status = elv_riccati_gauss(motion->riccati, &change, efforts, value, error);
    *value -= motion->least[efforts];
    return status;
}

// one change in all sizes
static ElvStatus try_change(Motion* motion, bool is_modal, Outcome* outcome, ElvError* error) {
    double whole = 0.0;
    double scale = motion->scale;
    choose_change(motion, is_modal);
    ElvStatus status = rise(motion, is_modal, &whole, error);
    double expected = is_modal && status == ELV_OK ? kinetic(motion) : whole;
    double size = 1.0;
    for (int i = 0; i < N_SIZE && status == ELV_OK; i++) {
        double value = 0.0;
        resize(motion, sizes[i] / size);
        size = sizes[i];
        status = rise(motion, is_modal, &value, error);
        Outcome* at = &outcome[i];
        at->n_lower += value > 0.0 ? 0 : 1;
        at->least = fmin(at->least, value);
        at->most = fmax(at->most, value);
        at->off = fmax(at->off, fabs(value / (expected * size * size) - 1.0));
    }
    motion->scale = scale;
    return status;
}

static int print_changes(Motion* motion, bool is_modal) {
    Outcome outcome[N_SIZE];
    ElvError error;
    ElvStatus status = ELV_OK;
    elv_error_clear(&error);
    for (int i = 0; i < N_SIZE; i++) {
        outcome[i] = (Outcome){.least = INFINITY};
    }
    for (int i = 0; i < N_CHANGE && status == ELV_OK; i++) {
        status = reproduce_check(&error);
        status = status == ELV_OK ? try_change(motion, is_modal, outcome, &error) : status;
    }
    if (status != ELV_OK) {
        return cli_complain_error("reproduce", cli_exit_code(status), &error);
    }
    for (int i = 0; i < N_SIZE; i++) {
        const Outcome* at = &outcome[i];
        printf("  %-6s %8.0e %8d %12.3e %12.3e %12.1e\n", is_modal ? "laws" : "found", sizes[i],
               N_CHANGE - at->n_lower, at->least, at->most, at->off);
        if (at->n_lower > 0 || !(at->off < TOLERANCE / (sizes[i] * sizes[i]))) {
            return cli_complain("reproduce", CLI_FAILED,
                                "an acceleration other than the true one has no higher constraint");
        }
    }
    return CLI_DONE;
}

static int print_case(int i_case) {
    CliModel loaded = {.model = NULL};
    CliOverrides none = {0};
    Motion motion = {0};
    ElvError error;
    int code = cli_model_load("reproduce", cases[i_case].model, &none, &loaded);
    if (code != CLI_DONE) {
        return code;
    }
    ElvStatus status = open_motion(loaded.model, cases[i_case].t, &motion, &error);
    if (status != ELV_OK) {
        code = cli_complain_error("reproduce", cli_exit_code(status), &error);
    } else {
        printf("\n%s, %s, t = %g s: C = %.9g N m/s^2\n", cases[i_case].model, cases[i_case].what,
               cases[i_case].t, motion.least[ELV_GAUSS_LAW]);
        printf("  %-6s %8s %8s %12s %12s %12s\n", "", "size", "higher", "least rise", "most",
               "off by");
        code = print_changes(&motion, true);
        code = code == CLI_DONE ? print_changes(&motion, false) : code;
    }
    close_motion(&motion);
    cli_model_free(&loaded);
    return code;
}

int reproduce_ocp_gauss(void) {
    printf("Gauss' constraint C [OCP (28)-(36)], less what does not depend on the acceleration, at "
           "the acceleration of a motion\n"
           "and at %d others, by the size of the change beside the largest of that acceleration. "
           "laws: efforts of the model's\n"
           "laws, changes made of its modes, the rise beside the kinetic energy that the change "
           "would have as a velocity;\n"
           "found: efforts that the motion needs, waves as changes, the rise beside the square of "
           "the size\n",
           (int)N_CHANGE);
    for (int i = 0; i < N_CASE; i++) {
        int code = print_case(i);
        if (code != CLI_DONE) {
            return code;
        }
    }
    return CLI_DONE;
}
