// SPDX-License-Identifier: Apache-2.0
// Forward of inverse, for robots of models/ that move by their shape: a tape of the efforts that
// imposed joints, strain modes and motors of wheels take along a run, and a twin of the model in
// which nothing is imposed and the tape acts instead. Both have the same modes and nodes.
#ifndef ELVER_TESTS_PLAYBACK_CASE_H
#define ELVER_TESTS_PLAYBACK_CASE_H

#include "locomotion_case.h"

#include "multibody/model.h"
#include "multibody/spec.h"
#include "multibody/wheel.h"
#include "robot.h"
#include "rod/rod.h"
#include "solve/flow.h"

enum { POINT_MAX = 257, EFFORT_MAX = 600, ROD_MODES = 128, ROD_ELEMENTS = 64 };

/// Efforts of all coordinates, then torques of wheels, and the motion, at points of time.
typedef struct {
    int n_point;
    int n;       // efforts
    double gain; // that they are played with
    double t[POINT_MAX];
    double effort[EFFORT_MAX][POINT_MAX];
    double q[POINT_MAX][EFFORT_MAX], v[POINT_MAX][EFFORT_MAX], a[POINT_MAX][EFFORT_MAX];
    // the last time at which efforts were asked for
    double t_last, last[EFFORT_MAX];
    int i_rod; // first effort of the rod
    const ElvRod* rod;
} Tape;

/// One effort of a tape.
typedef struct {
    Tape* tape;
    int i;
} Track;

/// A model, its twin and the tape between them.
typedef struct {
    ElvSpec* spec;
    ElvModel* model;
    Gait play;    // of the twin
    ElvFlow flow; // its forward dynamics
    Tape tape;
    Track track[EFFORT_MAX];
} Playback;

// ---- recording

/// Efforts at the state of a run, into point k.
static inline void tape_record(Tape* tape, Gait* gait, int k) {
    const ElvModel* model = gait->model;
    const ElvState* state = gait->state;
    double effort[GAIT_NV_MAX], tau[GAIT_NV_MAX];
    CHECK_TRUE(state->nq + model->n_device <= EFFORT_MAX);
    elv_idm(model, gait->data, state, tau);
    elv_drive_efforts(model, gait->data, state, effort);
    tape->n = state->nv;
    tape->t[k] = state->t;
    for (int i = 0; i < state->nv; i++) {
        tape->effort[i][k] = effort[i];
        tape->v[k][i] = state->v[i];
        tape->a[k][i] = state->a[i];
    }
    memcpy(tape->q[k], state->q, (size_t)state->nq * sizeof(double));
    for (int i = 0; i < model->n_device; i++) {
        if (elv_device_is_wheel(model->device[i])) {
            char name[64];
            snprintf(name, sizeof name, "wheel.%s.torque", model->device[i]->name);
            tape->effort[tape->n++][k] = gait_see_one(gait, name);
        }
    }
    tape->t_last = NAN;
}

/// Efforts at a time, by the polynomial through all points, which are Chebyshev's; of a single
/// point its own.
static inline void tape_read(Tape* tape, double t) {
    double w[POINT_MAX], sum = 0.0;
    if (t == tape->t_last) {
        return;
    }
    tape->t_last = t;
    int at = tape->n_point == 1 ? 0 : -1;
    for (int k = 0; k < tape->n_point; k++) {
        double end = k == 0 || k == tape->n_point - 1 ? 0.5 : 1.0;
        // neighbours of a point are the point
        at = fabs(t - tape->t[k]) < 1e-15 ? k : at;
        w[k] = (k % 2 ? -end : end) / (t - tape->t[k]);
        sum += w[k];
    }
    for (int i = 0; i < tape->n; i++) {
        double value = 0.0;
        for (int k = 0; k < tape->n_point && at < 0; k++) {
            value += w[k] * tape->effort[i][k];
        }
        tape->last[i] = tape->gain * (at < 0 ? value / sum : tape->effort[i][at]);
    }
}

// ---- the twin

static void playback_track(void* user, double t, double s, ElvJet* jet) {
    (void)s;
    const Track* track = user;
    tape_read(track->tape, t);
    *jet = (ElvJet){track->tape->last[track->i], 0.0, 0.0};
}

// a stress whose generalised forces are the efforts: P_k are orthogonal, with norm
// (s1 - s0) l / (2 k + 1)
static void playback_stress(void* user,
                            double t,
                            double s,
                            const double* xi,
                            const double* xi_dot,
                            double* stress,
                            double* K,
                            double* D) {
    (void)xi;
    (void)xi_dot;
    (void)K;
    (void)D;
    Tape* tape = user;
    const ElvRod* rod = tape->rod;
    double phi[ROD_MODES];
    tape_read(tape, t);
    int e = 0;
    while (e + 1 < rod->n_element && s >= rod->element[e].s1) {
        e++;
    }
    const ElvRodElement* element = &rod->element[e];
    double l = (element->s1 - element->s0) * rod->length;
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        const ElvStrainBasis* basis = &element->basis[i];
        if (basis->n_mode > 0) {
            elv_strain_basis_eval(basis, (s - element->s0) / (element->s1 - element->s0), phi);
        }
        for (int k = 0; k < basis->n_mode; k++) {
            stress[i] -=
                (2.0 * k + 1.0) / l * phi[k] * tape->last[tape->i_rod + element->column[i] + k];
        }
    }
}

static inline bool playback_ends(const char* name, const char* end) {
    size_t n = strlen(name), m = end ? strlen(end) : 0;
    return end && n >= m && strcmp(name + n - m, end) == 0;
}

static inline void playback_free_joint(ElvJointDef* joint, const ElvNode* node, Track* track) {
    for (int k = 0; k < node->joint->n_v && joint->drive == ELV_DRIVE_MOTION; k++) {
        joint->law[k] = elv_law_def_callback(playback_track, &track[node->i_v + k]);
    }
    joint->drive = joint->drive == ELV_DRIVE_MOTION ? ELV_DRIVE_FORCE : joint->drive;
}

// one discretisation for both: the elements and modes that were chosen for the imposed motion, and
// nodes enough for that and for products of two modes, the same in every piece of an element
static inline void playback_fix_rod(ElvRodDef* def, const ElvRod* rod) {
    static ElvElementDef element[ROD_ELEMENTS];
    CHECK_TRUE(rod->n_element <= ROD_ELEMENTS);
    for (int e = 0; e < rod->n_element; e++) {
        element[e] = elv_element_def_default();
        element[e].to = rod->element[e].s1;
        for (int i = 0; i < ELV_N_STRAIN; i++) {
            int n_mode = rod->element[e].basis[i].n_mode;
            CHECK_TRUE(n_mode <= ROD_MODES);
            element[e].modes[i] = n_mode;
            element[e].nodes = element[e].nodes > n_mode + 8 ? element[e].nodes : n_mode + 8;
        }
        for (int k = 0; k < rod->n_segment; k++) {
            int n_node = rod->segment[k].i_element == e ? rod->segment[k].n_node : 0;
            element[e].nodes = element[e].nodes > n_node ? element[e].nodes : n_node;
        }
    }
    def->element = element;
    def->n_element = rod->n_element;
}

static inline void playback_free_rod(ElvSpec* spec, ElvRodDef* def, const ElvRod* rod, Tape* tape) {
    ElvStressLawDef law = elv_stress_law_def_default();
    ElvError error;
    memset(def->has_motion, 0, sizeof def->has_motion);
    tape->rod = rod;
    law.rod = def->name;
    law.callback = playback_stress;
    law.user = tape;
    CHECK_STATUS(elv_spec_add_stress_law(spec, &law, &error), &error);
}

// motors of wheels by their torques
static inline void playback_free_wheels(Playback* p) {
    for (int i = 0, n_wheel = 0; i < p->spec->n_constraint; i++) {
        ElvWheelDef* wheel = &p->spec->constraint[i].as.wheel;
        if (p->spec->constraint[i].kind != ELV_CONSTRAINT_WHEEL) {
            continue;
        }
        if (wheel->drive == ELV_WHEEL_ROTATION || wheel->drive == ELV_WHEEL_RATE) {
            wheel->drive = ELV_WHEEL_TORQUE;
            wheel->law = elv_law_def_callback(playback_track, &p->track[p->model->nv + n_wheel]);
        }
        n_wheel++;
    }
}

// the model with efforts for all that was imposed, but for joints whose names end with kept
static inline ElvModel* playback_twin(Playback* p, const char* kept) {
    ElvSpec* spec = p->spec;
    ElvModel* twin = NULL;
    ElvError error;
    for (int i = 0; i < EFFORT_MAX; i++) {
        p->track[i] = (Track){&p->tape, i};
    }
    // a rod on a joint of its own is two nodes
    for (int i = 0, k = 0; i < spec->n_element; i++, k++) {
        ElvElement* element = &spec->element[i];
        if (!element->is_rod) {
            if (!playback_ends(p->model->node[k].name, kept)) {
                playback_free_joint(&element->body.joint, &p->model->node[k], p->track);
            }
            continue;
        }
        if (element->rod.joint.type != ELV_JOINT_FIXED) {
            k++;
        }
        p->tape.i_rod = p->model->node[k].i_v;
        playback_free_rod(spec, &element->rod, (const ElvRod*)p->model->node[k].joint, &p->tape);
    }
    playback_free_wheels(p);
    spec->simulate.method = ELV_METHOD_EXPLICIT;
    spec->simulate.order = 8;
    CHECK_STATUS(elv_spec_compile(spec, &twin, &error), &error);
    CHECK_TRUE(twin->nq == p->model->nq && twin->nv == p->model->nv);
    for (int j = 0; j < twin->n_node; j++) {
        for (int k = 0; k < twin->node[j].joint->n_v; k++) {
            bool is_kept = playback_ends(twin->node[j].name, kept);
            CHECK_TRUE(elv_model_is_driven(twin, twin->node[j].i_v + k) == is_kept);
        }
    }
    return twin;
}

// compile the model with modes and nodes given
static inline void playback_compile(Playback* p) {
    ElvError error;
    ElvModel* chosen = NULL;
    CHECK_STATUS(elv_spec_compile(p->spec, &chosen, &error), &error);
    for (int i = 0, k = 0; i < p->spec->n_element; i++, k++) {
        if (p->spec->element[i].is_rod) {
            ElvRodDef* rod = &p->spec->element[i].rod;
            k += rod->joint.type != ELV_JOINT_FIXED;
            playback_fix_rod(rod, (const ElvRod*)chosen->node[k].joint);
        }
    }
    CHECK_STATUS(elv_spec_compile(p->spec, &p->model, &error), &error);
    elv_model_free(chosen);
}

/// Read a model of models/ and make its twin, which runs to a tolerance. Joints whose names end
/// with kept stay imposed; NULL: none does. p is not small.
static inline void playback_open(Playback* p, const char* name, const char* kept, double tol) {
    ElvError error;
    char path[512];
    memset(p, 0, sizeof *p);
    p->tape.gain = 1.0;
    snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_spec_read_file(path, NULL, 0, &p->spec, &error), &error);
    p->spec->record.n_signal = 0;
    playback_compile(p);
    p->tape.n_point = 1;
    p->play.model = playback_twin(p, kept);
    ElvSimulateDef method = elv_model_simulate(p->play.model);
    method.rel_tol = tol;
    method.abs_tol = 0.1 * tol;
    CHECK_STATUS(elv_state_create(p->play.model, &p->play.state, &error), &error);
    CHECK_STATUS(elv_data_create(p->play.model, &p->play.data, &error), &error);
    CHECK_STATUS(elv_integrator_create(p->play.model, &method, &p->play.integrator, &error),
                 &error);
    CHECK_STATUS(elv_flow_create(p->play.model, &method, &p->flow, &error), &error);
}

static inline void playback_place(Playback* p, int k) {
    ElvState* state = p->play.state;
    state->t = p->tape.t[k];
    memcpy(state->q, p->tape.q[k], (size_t)state->nq * sizeof(double));
    memcpy(state->v, p->tape.v[k], (size_t)state->nv * sizeof(double));
    p->tape.t_last = NAN;
}

/// Forward dynamics of the twin at point k of the tape: accelerations in its state.
static inline void playback_forward(Playback* p, int k) {
    ElvError error;
    playback_place(p, k);
    p->flow.t_begin = p->play.state->t;
    CHECK_STATUS(elv_flow_rate(&p->flow, p->play.state, &error), &error);
}

/// Start the twin from point k of the tape.
static inline void playback_start(Playback* p, int k) {
    ElvError error;
    playback_place(p, k);
    CHECK_STATUS(elv_integrator_start(p->play.integrator, p->play.state, &error), &error);
}

/// The end of a run of the model itself, which stays.
static inline void playback_end(Gait* gait) {
    gait->model = NULL;
    gait_free(gait);
}

static inline void playback_close(Playback* p) {
    elv_flow_free(&p->flow);
    gait_free(&p->play);
    elv_model_free(p->model);
    elv_spec_free(p->spec);
}

#endif
