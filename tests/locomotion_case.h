// SPDX-License-Identifier: Apache-2.0
// Robots that move by their shape: runs to given times, and the balance of power along them.
#ifndef ELVER_TESTS_LOCOMOTION_CASE_H
#define ELVER_TESTS_LOCOMOTION_CASE_H

#include "constraint_case.h"
#include "elver/locomotion.h"

enum { GAIT_NV_MAX = 1024 };

/// J_0 by its series: |x| < 7.
static inline double bessel_0(double x) {
    enum { N_BESSEL = 40 };
    double sum = 0.0, term = 1.0;
    for (int k = 0; k < N_BESSEL; k++) {
        sum += term;
        term *= -0.25 * x * x / ((k + 1.0) * (k + 1.0));
    }
    return sum;
}

typedef struct {
    ElvModel* model;
    ElvData* data;
    ElvState* state;
    ElvIntegrator* integrator;
} Gait;

/// Start a model with its own method at a time, or with another tolerance (0: its own).
static inline Gait gait_start(ElvModel* model, double t, double tol) {
    Gait gait = {.model = model};
    ElvError error;
    ElvSimulateDef method = elv_model_simulate(model);
    method.rel_tol = tol > 0.0 ? tol : method.rel_tol;
    method.abs_tol = tol > 0.0 ? 0.01 * tol : method.abs_tol;
    CHECK_STATUS(elv_data_create(model, &gait.data, &error), &error);
    CHECK_STATUS(elv_state_create(model, &gait.state, &error), &error);
    CHECK_STATUS(elv_integrator_create(model, &method, &gait.integrator, &error), &error);
    gait.state->t = t;
    CHECK_STATUS(elv_integrator_start(gait.integrator, gait.state, &error), &error);
    return gait;
}

static inline void gait_free(Gait* gait) {
    elv_integrator_free(gait->integrator);
    elv_state_free(gait->state);
    elv_data_free(gait->data);
    elv_model_free(gait->model);
}

/// Go on to a time.
static inline void gait_go(Gait* gait, double t) {
    ElvError error;
    while (gait->state->t < t) {
        CHECK_STATUS(elv_integrator_step(gait->integrator, t, gait->state, &error), &error);
    }
}

/// Values of signals at the state.
static inline void gait_see(Gait* gait, const char* const* signal, int n_signal, double* value) {
    ElvError error;
    ElvSignals* signals = NULL;
    double tau[GAIT_NV_MAX];
    CHECK_TRUE(gait->state->nv <= GAIT_NV_MAX);
    CHECK_STATUS(elv_signals_create(gait->model, signal, n_signal, &signals, &error), &error);
    elv_idm(gait->model, gait->data, gait->state, tau);
    elv_signals_eval(signals, gait->model, gait->data, gait->state, value);
    elv_signals_free(signals);
}

static inline double gait_see_one(Gait* gait, const char* signal) {
    double value[8];
    gait_see(gait, &signal, 1, value);
    return value[0];
}

/// Power of imposed joints, and of the motors of wheels whose names are given; efforts of what is
/// free must vanish, relative to the largest.
static inline double gait_power(Gait* gait, const char* const* motor, int n_motor) {
    double effort[GAIT_NV_MAX], most = 0.0, power = 0.0;
    CHECK_TRUE(gait->state->nv <= GAIT_NV_MAX);
    elv_residual(gait->model, gait->data, gait->state, effort);
    for (int i = 0; i < gait->state->nv; i++) {
        most = fmax(most, fabs(effort[i]));
    }
    for (int i = 0; i < gait->state->nv; i++) {
        bool is_driven = elv_model_is_driven(gait->model, i);
        power += is_driven ? effort[i] * gait->state->v[i] : 0.0;
        CHECK_NEAR(is_driven ? 0.0 : effort[i], 0.0, 1e-11 * most);
    }
    for (int i = 0; i < n_motor; i++) {
        char torque[64], rate[64];
        snprintf(torque, sizeof torque, "wheel.%s.torque", motor[i]);
        snprintf(rate, sizeof rate, "wheel.%s.rate", motor[i]);
        power += gait_see_one(gait, torque) * gait_see_one(gait, rate);
    }
    return power;
}

/// Rate of the kinetic energy at t by differences of the sixth order, from a run that goes through
/// t; the power there must be that, relative to the largest of the energy's changes. Returns the
/// power.
static inline double
gait_balance(Gait* gait, double t, double h, const char* const* motor, int n_motor, double tol) {
    static const double weight[] = {-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0};
    double rate = 0.0, size = 0.0, power = 0.0;
    for (int i = 0; i < 7; i++) {
        gait_go(gait, t + (i - 3) * h);
        double kinetic = gait_see_one(gait, "energy.kinetic");
        rate += weight[i] * kinetic / (60.0 * h);
        size = fmax(size, fabs(weight[i] * kinetic / 60.0));
        power = i == 3 ? gait_power(gait, motor, n_motor) : power;
    }
    CHECK_NEAR(power, rate, tol * fmax(size, fabs(rate)));
    return power;
}

#endif
