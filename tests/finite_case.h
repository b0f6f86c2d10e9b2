// SPDX-License-Identifier: Apache-2.0
// Runs by finite differences (methods rkmk and till) of models from text or of shipped ones, with options of the C
// API, and the path of the tip that they leave.
#ifndef ELVER_TESTS_FINITE_CASE_H
#define ELVER_TESTS_FINITE_CASE_H

#include "model_case.h"

#include "elver/elver.h"

enum { FINITE_ROW_MAX = 1600 };

/// The rod of [RKMK] (table I, with E as in its program), and the motion of its joint, late by `d`.
#define RKMK_ROD                                                                                   \
    "length: 0.4, section: {circle: {diameter: 0.02}}, "                                           \
    "material: {density: 4500, young: 1e8, shear: 1e8/2.6}, "                                      \
    "damping: [2*mu*I, mu*I, mu*I, 3*mu*A, mu*A, mu*A], strain: {reissner: 4}"
#define RKMK_HEAD                                                                                  \
    "parameters: {mu: 2e6, A: pi*1e-4, I: pi*1e-8/4, T: 0.5, d: %g}\n"                             \
    "tree:\n"
#define RKMK_MOTION                                                                                \
    "30*if(t < d, 0, if(t - d < T/2, (t - d)^2/2, if(t - d < T, T^2/4 - (T - t + d)^2/2, T^2/4)))"

/// A base on a joint (%s) with a rod, a hub, a second rod that neither stretches nor shears, and a hand.
#define FINITE_ROD                                                                                 \
    "length: 0.4, section: {circle: {diameter: 0.02}}, material: {density: 1200, young: 2e7, "     \
    "poisson: 0.4, damping: 0.01}, "
#define FINITE_CHAIN                                                                               \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "tree:\n"                                                                                      \
    "  - {body: base, pose: {xyz: [0, 0, 1]}, joint: %s, mass: 0.5, center: [0.02, 0, 0],\n"       \
    "     inertia: [0.01, 0.01, 0.01]}\n"                                                          \
    "  - {rod: one, parent: base, pose: {xyz: [0.05, 0, 0], rpy: [0, 0, 0.5]}, " FINITE_ROD        \
    "strain: {reissner: 4}}\n"                                                                     \
    "  - {body: ring, parent: one.at(0.5), mass: 0.02, center: [0, 0.01, 0], inertia: [1e-5, "     \
    "1e-5, 1e-5]}\n"                                                                               \
    "  - {body: hub, parent: one.tip, pose: {xyz: [0.02, 0, 0], rpy: [0.5, 0.2, 0]}, mass: "       \
    "0.05,\n"                                                                                      \
    "     inertia: [1e-4, 1e-4, 1e-4]}\n"                                                          \
    "  - {rod: two, parent: hub, " FINITE_ROD "strain: {kirchhoff: 4}}\n"                          \
    "  - {body: hand, parent: two.tip, mass: 0.03, center: [0.03, 0, 0.01], inertia: [1e-4, "      \
    "1e-4, 1e-4]}\n"                                                                               \
    "loads:\n"                                                                                     \
    "  - {force: [0, \"0.3*smooth(t, 0, 0.2)\", 0], at: hand}\n"                                   \
    "  - {force: [0, 0, \"0.5*s*smooth(t, 0, 0.2)\"], rod: one, frame: local}\n"                   \
    "actuators:\n"                                                                                 \
    "  - {tendon: t, path: {rod: one, z: 0.006}, tension: \"3*smooth(t, 0, 0.2)\"}\n"

/// What a run left at its records.
typedef struct {
    ElvFrame tip;
    int i_rod; // node of the rod whose root is watched
    int n;
    double t[FINITE_ROW_MAX];
    ElvVec3 p[FINITE_ROW_MAX];     // tip, m
    double effort[FINITE_ROW_MAX]; // first drive
    ElvTwist xi[FINITE_ROW_MAX];   // strain at the root
    ElvWrench lam[FINITE_ROW_MAX]; // Lambda there
    double energy[FINITE_ROW_MAX]; // kinetic + elastic + gravity
    ElvIntegratorReport report;
    ElvStatus status;
    ElvError error;
} FinitePath;

static inline bool
finite_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    FinitePath* path = user;
    double effort[256];
    CHECK_TRUE(path->n < FINITE_ROW_MAX && state->nv <= 256);
    int i = path->n++;
    path->t[i] = state->t;
    path->p[i] = elv_frame_pose(model, data, path->tip).p;
    elv_rod_section(model, data, state, path->i_rod, 0.0, NULL, &path->xi[i], &path->lam[i]);
    elv_drive_efforts(model, data, state, effort);
    path->effort[i] = effort[0];
    ElvEnergy energy = elv_energy(model, data, state);
    path->energy[i] = energy.kinetic + energy.elastic + energy.gravity;
    return true;
}

/// Simulate to t_end with the given method, a record each `every`; the path is the caller's to free.
static inline FinitePath* finite_run(
    const ModelCase* c, const char* tip, const ElvSimulateDef* method, double every, double t_end) {
    FinitePath* path = calloc(1, sizeof *path);
    assert_non_null(path);
    path->tip = case_frame(c, tip);
    for (int i = elv_model_n_node(c->model) - 1; i >= 0; i--) {
        path->i_rod = elv_model_node(c->model, i).is_rod ? i : path->i_rod;
    }
    elv_state_reset(c->model, c->state);
    ElvSimulateOptions options = elv_simulate_options_default(c->model, c->state);
    options.method = *method;
    options.method.duration = t_end;
    options.t_end = t_end;
    options.record_every = every;
    options.record = finite_record;
    options.user = path;
    path->status = elv_simulate(c->model, c->state, &options, &path->report, &path->error);
    return path;
}

/// Options of finite differences.
static inline ElvSimulateDef finite_method(
    ElvMethod method, double step, int nodes, int order, ElvRunge space, ElvHistory interpolation) {
    ElvSimulateDef def = elv_simulate_def_default();
    def.method = method;
    def.step = step;
    def.finite.nodes = nodes;
    def.finite.order = order;
    def.finite.space = space;
    def.finite.interpolation = interpolation;
    return def;
}

/// Largest distance of two paths, record by record.
static inline double finite_distance(const FinitePath* a, const FinitePath* b) {
    CHECK_STATUS(a->status, &a->error);
    CHECK_STATUS(b->status, &b->error);
    CHECK_TRUE(a->n == b->n);
    double most = 0.0;
    for (int i = 0; i < a->n; i++) {
        CHECK_NEAR(a->t[i], b->t[i], 1e-12);
        most = fmax(most, elv_vec3_norm(elv_vec3_sub(a->p[i], b->p[i])));
    }
    return most;
}

#endif
