// SPDX-License-Identifier: Apache-2.0
// A pendulum with its motion in closed form, by Jacobi's elliptic functions.
#ifndef ELVER_TESTS_PENDULUM_H
#define ELVER_TESTS_PENDULUM_H

#include "elver/integrate.h"
#include "model_case.h"

/// 1 kg at 0.5 m, gravity 9.81, released at rest from an angle of 2 rad.
static const char* const pendulum_text =
    "gravity: [0, -9.81, 0]\n"
    "tree:\n"
    "  - {body: bob, joint: {revolute: {axis: z, position: 2}}, mass: 1, center: [0, -0.5, 0]}\n"
    "simulate: {method: explicit, duration: 10}\n";

enum { N_MEAN = 8 }; // steps of the arithmetic-geometric mean: quadratic convergence

/// Jacobi's sn(u | k), by descending Landen transformations.
static inline double jacobi_sn(double u, double k) {
    double a[N_MEAN + 1], c[N_MEAN + 1];
    double b = sqrt(1.0 - k * k);
    a[0] = 1.0;
    c[0] = k;
    for (int i = 0; i < N_MEAN; i++) {
        a[i + 1] = 0.5 * (a[i] + b);
        c[i + 1] = 0.5 * (a[i] - b);
        b = sqrt(a[i] * b);
    }
    double phi = ldexp(a[N_MEAN] * u, N_MEAN);
    for (int i = N_MEAN; i > 0; i--) {
        phi = 0.5 * (phi + asin(c[i] * sin(phi) / a[i]));
    }
    return sin(phi);
}

/// Complete elliptic integral K(k) = pi / (2 agm(1, k')).
static inline double elliptic_K(double k) {
    double a = 1.0;
    double b = sqrt(1.0 - k * k);
    for (int i = 0; i < N_MEAN; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 0.5 * 3.14159265358979323846 / a;
}

/// Angle at time t: sin(theta/2) = k sn(K + omega t).
static inline double pendulum_angle(double t) {
    double k = sin(1.0);
    return 2.0 * asin(k * jacobi_sn(elliptic_K(k) + sqrt(9.81 / 0.5) * t, k));
}

static inline ElvSimulateDef explicit_options(void) {
    ElvSimulateDef options = elv_simulate_def_default();
    options.method = ELV_METHOD_EXPLICIT;
    return options;
}

/// A new integrator, started.
static inline ElvIntegrator* start_integrator(ModelCase* c, const ElvSimulateDef* options) {
    ElvIntegrator* integrator = NULL;
    ElvError error;
    CHECK_STATUS(elv_integrator_create(c->model, options, &integrator, &error), &error);
    CHECK_STATUS(elv_integrator_start(integrator, c->state, &error), &error);
    return integrator;
}

/// Steps until t_end exactly.
static inline void integrate_to(ElvIntegrator* integrator, double t_end, ElvState* state) {
    ElvError error;
    while (state->t < t_end) {
        CHECK_STATUS(elv_integrator_step(integrator, t_end, state, &error), &error);
    }
}

#endif
