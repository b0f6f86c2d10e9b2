// SPDX-License-Identifier: Apache-2.0
// Small models for the tests of signals, and a model with its state and workspace.
#ifndef ELVER_TESTS_SIGNAL_SAMPLE_H
#define ELVER_TESTS_SIGNAL_SAMPLE_H

#include "check.h"
#include "elver/elver.h"

// a body on a revolute joint about z, driven by a torque, beside one that follows a motion; point
// is 0.7 m out on the turning body
static const char turning_text[] = "elver: 1\n"
                                   "name: turning\n"
                                   "gravity: [0, -10, 0]\n"
                                   "tree:\n"
                                   "  - body: wheel\n"
                                   "    joint: {revolute: {axis: z, force: \"3 + t\"}}\n"
                                   "    mass: 2\n"
                                   "    center: [0.5, 0, 0]\n"
                                   "    inertia: [0.1, 0.2, 0.3]\n"
                                   "  - body: slide\n"
                                   "    joint: {prismatic: {axis: x, motion: \"0.2*t^2\"}}\n"
                                   "    mass: 4\n"
                                   "frames:\n"
                                   "  - {name: point, on: wheel, pose: {xyz: [0.7, 0, 0]}}\n";

// a clamped rod along x, 2 m long, with stretch and bending, pulled at its tip by a dead force
static const char rod_text[] = "elver: 1\n"
                               "name: pulled\n"
                               "materials:\n"
                               "  rubber: {density: 1000, young: 1e6, poisson: 0.4}\n"
                               "tree:\n"
                               "  - rod: arm\n"
                               "    length: 2\n"
                               "    section: {circle: {diameter: 0.02}}\n"
                               "    material: rubber\n"
                               "    strain: {bend_z: 3, stretch: 2}\n"
                               "    basis: monomial\n"
                               "loads:\n"
                               "  - {wrench: [0, 0, 0, 5, 7, 0], at: arm.tip, frame: world}\n";

typedef struct {
    ElvModel* model;
    ElvState* state;
    ElvData* data;
    double tau[64];
} Fixture;

static inline void open_fixture(Fixture* f, const char* text) {
    ElvError error;
    elv_error_clear(&error);
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "test", NULL, 0, &f->model, &error),
                 &error);
    CHECK_STATUS(elv_state_create(f->model, &f->state, &error), &error);
    CHECK_STATUS(elv_data_create(f->model, &f->data, &error), &error);
}

static inline void close_fixture(Fixture* f) {
    elv_data_free(f->data);
    elv_state_free(f->state);
    elv_model_free(f->model);
}

// values of one signal; returns the number of columns
static inline int eval(Fixture* f, const char* name, double* value) {
    ElvError error;
    elv_error_clear(&error);
    ElvSignals* signals = NULL;
    CHECK_STATUS(elv_signals_create(f->model, &name, 1, &signals, &error), &error);
    elv_idm(f->model, f->data, f->state, f->tau);
    elv_signals_eval(signals, f->model, f->data, f->state, value);
    int n = elv_signals_n_column(signals);
    elv_signals_free(signals);
    return n;
}

#endif
