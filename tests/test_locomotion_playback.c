// SPDX-License-Identifier: Apache-2.0
// Forward of inverse for robots of models/ that move by their shape: what imposed joints, strain
// modes and motors of wheels need is recorded along a run; then nothing is imposed any more, these
// efforts act instead, and the same motion comes back.
//
// Efforts are taken at Chebyshev points of the horizon and interpolated there: their last Chebyshev
// coefficients say how well. The horizon is one second for bodies and elastic rods, whatever
// becomes of errors in it, and a tenth for rods without stiffness. These are like chains of hinges
// without springs: they buckle under their own stress, the finer the faster, and in a second
// rounding errors would become visible. Half a second is for the arm of the mobile manipulator,
// which stands upright: its hand, l = 3 cm, falls with a rate of sqrt(g/l), 18/s, and e^18 rounding
// errors are too many. The horizon starts with the run, but for the wheeled snake between two
// postures in which efforts are infinite, t = 0 and pi. Left out are swimmers without inertia, and
// snakes that turn, whose bumps of curvature take hundreds of modes without stiffness.
#include "locomotion_case.h"

#include "multibody/model.h"
#include "multibody/spec.h"
#include "multibody/wheel.h"
#include "robot.h"
#include "rod/rod.h"

static const double PI = 3.14159265358979323846;
static const double EFFORT_TOL = 1e-7; // of the largest effort
static const double MOTION_TOL = 1e-6; // of the largest coordinate, at least 1

enum { POINT_MAX = 65, EFFORT_MAX = 160, WHEEL_MAX = 8, ROD_MODES = 128 };

typedef struct {
    const char* name;
    double from, horizon; // s
    double tol;           // of the forward run, relative
} Piece;

/// Efforts of all coordinates, then torques of wheels, and the motion, at the points.
typedef struct {
    int n_point;
    int n;       // efforts
    double gain; // that they are played with
    double t[POINT_MAX];
    double effort[EFFORT_MAX][POINT_MAX];
    double q[POINT_MAX][EFFORT_MAX], v[POINT_MAX][EFFORT_MAX];
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

// ---- recording

static void record(Tape* tape, Gait* gait, int k) {
    const ElvModel* model = gait->model;
    const ElvState* state = gait->state;
    double effort[GAIT_NV_MAX], tau[GAIT_NV_MAX];
    elv_idm(model, gait->data, state, tau);
    elv_drive_efforts(model, gait->data, state, effort);
    for (int i = 0; i < state->nv; i++) {
        tape->effort[i][k] = effort[i];
        tape->v[k][i] = state->v[i];
    }
    for (int i = 0; i < state->nq; i++) {
        tape->q[k][i] = state->q[i];
    }
    for (int i = 0; i < model->n_device; i++) {
        if (elv_device_is_wheel(model->device[i])) {
            char name[64];
            snprintf(name, sizeof name, "wheel.%s.torque", model->device[i]->name);
            tape->effort[tape->n++][k] = gait_see_one(gait, name);
        }
    }
}

// the last coefficients of every effort, relative to the largest value of any
static double tail(const Tape* tape) {
    double most = 0.0, last = 0.0;
    const int n = tape->n_point - 1;
    for (int i = 0; i < tape->n; i++) {
        for (int m = n - 3; m <= n; m++) {
            double sum = 0.0;
            for (int k = 0; k <= n; k++) {
                double end = k == 0 || k == n ? 0.5 : 1.0;
                sum += end * tape->effort[i][k] * cos(PI * k * m / n);
                most = fmax(most, fabs(tape->effort[i][k]));
            }
            last = fmax(last, fabs(sum) * (m == n ? 1.0 : 2.0) / n);
        }
    }
    return last / most;
}

static void read_efforts(Tape* tape, double t) {
    double w[POINT_MAX], sum = 0.0;
    if (t == tape->t_last) {
        return;
    }
    tape->t_last = t;
    int at = -1;
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

// ---- playing

static void play_track(void* user, double t, double s, ElvJet* jet) {
    (void)s;
    const Track* track = user;
    read_efforts(track->tape, t);
    *jet = (ElvJet){track->tape->last[track->i], 0.0, 0.0};
}

// a stress whose generalised forces are the efforts: P_k are orthogonal, with norm (s1 - s0) l / (2
// k + 1)
static void play_stress(void* user,
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
    read_efforts(tape, t);
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

static void free_joint(ElvJointDef* joint, const ElvNode* node, Track* track) {
    for (int k = 0; k < node->joint->n_v && joint->drive == ELV_DRIVE_MOTION; k++) {
        joint->law[k] = elv_law_def_callback(play_track, &track[node->i_v + k]);
    }
    joint->drive = joint->drive == ELV_DRIVE_MOTION ? ELV_DRIVE_FORCE : joint->drive;
}

static void free_rod(ElvSpec* spec, ElvRodDef* def, const ElvRod* rod, Tape* tape) {
    static ElvElementDef element[64];
    ElvStressLawDef law = elv_stress_law_def_default();
    ElvError error;
    CHECK_TRUE(rod->n_element <= 64);
    for (int e = 0; e < rod->n_element; e++) {
        element[e] = elv_element_def_default();
        element[e].to = rod->element[e].s1;
        for (int i = 0; i < ELV_N_STRAIN; i++) {
            element[e].modes[i] = rod->element[e].basis[i].n_mode;
            CHECK_TRUE(element[e].modes[i] <= ROD_MODES);
        }
    }
    def->element = element;
    def->n_element = rod->n_element;
    memset(def->has_motion, 0, sizeof def->has_motion);
    tape->rod = rod;
    law.rod = def->name;
    law.callback = play_stress;
    law.user = tape;
    CHECK_STATUS(elv_spec_add_stress_law(spec, &law, &error), &error);
}

// the model with efforts for all that was imposed
static ElvModel* free_model(ElvSpec* spec, const ElvModel* model, Tape* tape, Track* track) {
    ElvModel* twin = NULL;
    ElvError error;
    int n_wheel = 0;
    for (int i = 0; i < tape->n; i++) {
        track[i] = (Track){tape, i};
    }
    // a rod on a joint of its own is two nodes
    for (int i = 0, k = 0; i < spec->n_element; i++, k++) {
        ElvElement* element = &spec->element[i];
        if (!element->is_rod) {
            free_joint(&element->body.joint, &model->node[k], track);
            continue;
        }
        if (element->rod.joint.type != ELV_JOINT_FIXED) {
            k++;
        }
        tape->i_rod = model->node[k].i_v;
        free_rod(spec, &element->rod, (const ElvRod*)model->node[k].joint, tape);
    }
    for (int i = 0; i < spec->n_constraint; i++) {
        ElvWheelDef* wheel = &spec->constraint[i].as.wheel;
        if (spec->constraint[i].kind != ELV_CONSTRAINT_WHEEL) {
            continue;
        }
        if (wheel->drive == ELV_WHEEL_ROTATION || wheel->drive == ELV_WHEEL_RATE) {
            wheel->drive = ELV_WHEEL_TORQUE;
            wheel->law = elv_law_def_callback(play_track, &track[model->nv + n_wheel]);
        }
        n_wheel++;
    }
    spec->record.n_signal = 0;
    spec->simulate.method = ELV_METHOD_EXPLICIT;
    spec->simulate.order = 8;
    CHECK_STATUS(elv_spec_compile(spec, &twin, &error), &error);
    return twin;
}

static void record_all(Tape* tape, Gait* gait, const Piece* piece) {
    memset(tape, 0, sizeof *tape);
    tape->n_point = piece->horizon < 0.5 ? 17 : POINT_MAX;
    CHECK_TRUE(gait->state->nq + WHEEL_MAX <= EFFORT_MAX);
    for (int k = 0; k < tape->n_point; k++) {
        tape->t[k] = piece->from + 0.5 * piece->horizon * (1.0 - cos(PI * k / (tape->n_point - 1)));
        gait_go(gait, tape->t[k]);
        tape->n = gait->state->nv;
        record(tape, gait, k);
    }
    tape->t_last = -1.0;
}

static Gait start_free(ElvModel* twin, const Tape* tape, double tol) {
    Gait play = {.model = twin};
    ElvError error;
    ElvSimulateDef method = elv_model_simulate(twin);
    method.rel_tol = tol;
    method.abs_tol = 0.1 * tol;
    CHECK_STATUS(elv_state_create(twin, &play.state, &error), &error);
    CHECK_STATUS(elv_data_create(twin, &play.data, &error), &error);
    CHECK_STATUS(elv_integrator_create(twin, &method, &play.integrator, &error), &error);
    for (int i = 0; i < play.state->nv; i++) {
        CHECK_TRUE(!elv_model_is_driven(twin, i));
    }
    play.state->t = tape->t[0];
    memcpy(play.state->q, tape->q[0], (size_t)play.state->nq * sizeof(double));
    memcpy(play.state->v, tape->v[0], (size_t)play.state->nv * sizeof(double));
    CHECK_STATUS(elv_integrator_start(play.integrator, play.state, &error), &error);
    return play;
}

// how far the motion that efforts make is from the one that they were taken from, relative to its
// largest coordinate
static double play_back(const Piece* piece, double gain) {
    static Tape tape;
    static Track track[EFFORT_MAX];
    ElvError error;
    ElvSpec* spec = NULL;
    ElvModel* model = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, piece->name);
    CHECK_STATUS(elv_spec_read_file(path, NULL, 0, &spec, &error), &error);
    CHECK_STATUS(elv_spec_compile(spec, &model, &error), &error);
    Gait gait = gait_start(model, piece->from, 1e-12);
    record_all(&tape, &gait, piece);
    tape.gain = gain;
    double missed = tail(&tape), off = 0.0, size = 1.0;
    CHECK_TRUE(missed < EFFORT_TOL);
    Gait play = start_free(free_model(spec, model, &tape, track), &tape, piece->tol);
    CHECK_TRUE(play.state->nq == gait.state->nq && play.state->nv == gait.state->nv);
    for (int k = 1; k < tape.n_point; k++) {
        gait_go(&play, tape.t[k]);
        for (int i = 0; i < play.state->nq; i++) {
            off = fmax(off, fabs(play.state->q[i] - tape.q[k][i]));
            size = fmax(size, fabs(tape.q[k][i]));
        }
    }
    print_message("%-20s %3d coordinates, %.1f s, efforts good to %.1e, motion to %.1e\n",
                  piece->name, play.state->nv, piece->horizon, missed, off / size);
    gait_free(&play);
    gait_free(&gait);
    elv_spec_free(spec);
    return off / size;
}

static void test_bodies(void** unused) {
    (void)unused;
    static const Piece piece[] = {
        {"satellite", 0.0, 1.0, 1e-11},     {"snakeboard", 0.0, 1.0, 1e-11},
        {"snake-wheeled", 0.5, 1.0, 1e-11}, {"mobile-manipulator", 0.0, 0.5, 1e-11},
        {"unicycle", 0.0, 1.0, 1e-11},      {"car", 0.0, 1.0, 1e-11},
        {"two-axle", 0.0, 1.0, 1e-11},      {"three-axle", 0.0, 1.0, 1e-11},
        {"falling-cat", 0.0, 1.0, 1e-11},   {"ellipse-swimmer", 0.0, 1.0, 1e-11},
    };
    for (size_t i = 0; i < sizeof piece / sizeof piece[0]; i++) {
        CHECK_NEAR(play_back(&piece[i], 1.0), 0.0, MOTION_TOL);
    }
}

static void test_rods(void** unused) {
    (void)unused;
    static const Piece piece[] = {
        {"rod-locomotor", 0.0, 1.0, 1e-10},    {"earthworm", 0.0, 0.1, 1e-8},
        {"inchworm", 0.0, 0.1, 1e-8},          {"snake-2d", 0.0, 0.1, 1e-8},
        {"snake-2d-reissner", 0.0, 0.1, 1e-7}, {"snake-3d-spiral", 0.0, 0.1, 1e-7},
        {"imposed-wave", 0.0, 0.1, 1e-8},
    };
    for (size_t i = 0; i < sizeof piece / sizeof piece[0]; i++) {
        if (!IS_SANITIZED || i != 4) {
            CHECK_NEAR(play_back(&piece[i], 1.0), 0.0, MOTION_TOL);
        }
    }
}

// other efforts, another motion: by one percent of what they do
static void test_gain(void** unused) {
    (void)unused;
    static const Piece board = {"snakeboard", 0.0, 1.0, 1e-11},
                       snake = {"snake-2d", 0.0, 0.1, 1e-8};
    CHECK_TRUE(play_back(&board, 1.01) > 1e-3);
    CHECK_TRUE(play_back(&snake, 1.01) > 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_rods),
        cmocka_unit_test(test_gain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
