// SPDX-License-Identifier: Apache-2.0
// Newmark [P23 (71)-(73)], HHT-alpha and generalized-alpha with an auxiliary acceleration, BDF2.
//
// Generalized-alpha, for equations of motion that hold at the end of each step:
//     (1 - alpha_m) aux' + alpha_m aux = (1 - alpha_f) w_dot' + alpha_f w_dot
//     nu = dt w + dt^2 ((1/2 - beta) aux + beta aux'),   w' = w + dt ((1 - gamma) aux + gamma aux')
// (primes: end of the step). Newmark has alpha_m = alpha_f = 0 and aux = w_dot.
// BDF2 takes the backward formula of the last two increments for w', and of the rates for w_dot'.
#include "solve/scheme.h"

#include <math.h>

/// An acceleration that weighs less than this in the mean of a step cannot be told from it.
static const double LATE_ENOUGH = 0.05;

ElvScheme elv_scheme_from_options(const ElvSimulateDef* options) {
    ElvScheme s = {.beta = options->beta, .gamma = options->gamma, .radius = 1.0};
    double rho = options->spectral_radius;
    switch (options->method) {
    case ELV_METHOD_HHT:
        s.alpha_f = options->alpha;
        s.gamma = 0.5 + options->alpha;
        s.beta = 0.25 * (1.0 + options->alpha) * (1.0 + options->alpha);
        s.radius = (1.0 - options->alpha) / (1.0 + options->alpha);
        break;
    case ELV_METHOD_GENERALIZED_ALPHA:
        s.alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
        s.alpha_f = rho / (rho + 1.0);
        s.gamma = 0.5 + s.alpha_f - s.alpha_m;
        s.beta = 0.25 * (0.5 + s.gamma) * (0.5 + s.gamma);
        s.radius = rho;
        break;
    case ELV_METHOD_BDF2:
        s.is_bdf2 = true;
        break;
    default:
        break;
    }
    return s;
}

ElvScheme elv_scheme_calming(const ElvScheme* scheme) {
    ElvSimulateDef options = {.method = ELV_METHOD_GENERALIZED_ALPHA, .spectral_radius = 0.0};
    return scheme->radius < 1.0 ? elv_scheme_from_options(&options) : *scheme;
}

ElvScheme elv_scheme_recovery(const ElvScheme* scheme) {
    const ElvScheme euler = {.is_bdf2 = true, .is_euler = true, .radius = 1.0};
    return scheme->radius < 1.0 ? euler : *scheme;
}

double elv_scheme_lead(const ElvScheme* scheme) {
    return scheme->is_bdf2 ? 0.0 : scheme->alpha_m - scheme->alpha_f;
}

double elv_scheme_offset(const ElvScheme* scheme) {
    // nu = dt w + dt^2/2 w_dot + dt^3/6 jerk with aux = w_dot + (1/2 - gamma) dt jerk
    return scheme->is_bdf2 ? 0.0 : 0.5 * scheme->gamma - scheme->beta - 1.0 / 12.0;
}

// variable-step BDF2; the first step is backward Euler, and so are all of a method that forgets
static void begin_bdf2(bool is_euler,
                       int n,
                       double dt,
                       const ElvState* state,
                       const double* w,
                       double* a,
                       double* b,
                       double* f,
                       double* h) {
    double ratio = !is_euler && state->step_past > 0.0 ? dt / state->step_past : 0.0;
    // y' = (c0 y_(n+1) + c1 y_n + c2 y_(n-1)) / dt
    double c0 = (1.0 + 2.0 * ratio) / (1.0 + ratio);
    double c1 = -(1.0 + ratio);
    double c2 = ratio * ratio / (1.0 + ratio);
    *a = c0 / dt;
    *b = *a * *a;
    for (int i = 0; i < n; i++) {
        // the chart starts at y_n = 0, and y_(n-1) = -nu_past
        f[i] = -c2 * state->nu_past[i] / dt;
        h[i] = (c0 * f[i] + c1 * w[i] + c2 * state->w_past[i]) / dt;
    }
}

// How the auxiliary acceleration changed over the last step, whose mean was (w - w_past) / step_past =
// (1 - gamma) aux_past + gamma aux. The last step may have been one of another alpha method, each of
// which has gamma = 1/2 - (alpha_m - alpha_f).
static double jerk_at(const ElvScheme* scheme, const ElvState* state, const double* w, int i) {
    if (state->step_past == 0.0) {
        return 0.0;
    }
    double late = scheme->is_bdf2 ? 0.5 : 1.0 - scheme->gamma;
    late = state->aux_lead != 0.0 ? 0.5 + state->aux_lead / state->step_past : late;
    double mean = (w[i] - state->w_past[i]) / state->step_past;
    // gamma = 1 hides the acceleration before
    return fabs(late) > LATE_ENOUGH ? (state->aux[i] - mean) / (late * state->step_past) : 0.0;
}

// The auxiliary acceleration stands for the one at alpha_m - alpha_f of the coming step from now: when
// the length of steps or the method changes, so does that time, and without a correction each change
// would cost an error of second order.
static double
aux_at(const ElvScheme* scheme, double dt, const ElvState* state, const double* w, int i) {
    double lead = elv_scheme_lead(scheme) * dt;
    if (lead == state->aux_lead || state->step_past == 0.0) {
        return state->aux[i];
    }
    return state->aux[i] + (lead - state->aux_lead) * jerk_at(scheme, state, w, i);
}

void elv_scheme_begin(const ElvScheme* scheme,
                      int n,
                      double dt,
                      const ElvState* state,
                      const double* w,
                      const double* w_dot,
                      double* a,
                      double* b,
                      double* f,
                      double* h) {
    if (scheme->is_bdf2) {
        begin_bdf2(scheme->is_euler, n, dt, state, w, a, b, f, h);
        return;
    }
    double beta = scheme->beta;
    double gamma = scheme->gamma;
    double am = scheme->alpha_m;
    double af = scheme->alpha_f;
    // [P23 (71)-(73)], with the mean of accelerations
    *a = gamma / (beta * dt);
    *b = (1.0 - am) / ((1.0 - af) * beta * dt * dt);
    for (int i = 0; i < n; i++) {
        double aux = aux_at(scheme, dt, state, w, i);
        double start = -w[i] / (beta * dt) + (1.0 - 0.5 / beta) * aux;
        f[i] = (1.0 - gamma / beta) * w[i] + dt * (1.0 - 0.5 * gamma / beta) * aux;
        h[i] = ((1.0 - am) * start + am * aux - af * w_dot[i]) / (1.0 - af);
    }
}

void elv_scheme_end(const ElvScheme* scheme,
                    int n,
                    double dt,
                    const double* w,
                    const double* nu,
                    const double* w_dot_end,
                    ElvState* state) {
    double beta = scheme->beta;
    for (int i = 0; i < n; i++) {
        double aux = aux_at(scheme, dt, state, w, i);
        aux = (nu[i] - dt * w[i]) / (beta * dt * dt) + (1.0 - 0.5 / beta) * aux;
        state->nu_past[i] = nu[i];
        state->w_past[i] = w[i];
        state->aux[i] = scheme->is_bdf2 ? w_dot_end[i] : aux;
    }
    state->step_past = dt;
    state->aux_lead = elv_scheme_lead(scheme) * dt;
}

void elv_scheme_extrapolate(
    const ElvScheme* scheme, int n, double dt, const ElvState* state, const double* w, double* nu) {
    for (int i = 0; i < n; i++) {
        double jerk = jerk_at(scheme, state, w, i);
        double now = state->aux[i] - state->aux_lead * jerk;
        nu[i] = dt * (w[i] + dt * (0.5 * now + dt / 6.0 * jerk));
    }
}

double elv_scheme_trust(
    const ElvScheme* scheme, int first, int n, const ElvState* state, const double* w) {
    double past = state->step_past;
    double told = 0.0;
    double known = 0.0;
    for (int i = first; i < first + n && past > 0.0; i++) {
        // what the acceleration before the last step told of its increment, and what came
        double jerk = jerk_at(scheme, state, w, i);
        double before = state->aux[i] - (state->aux_lead + past) * jerk;
        double guess = 0.5 * past * past * before;
        told += guess * guess;
        known += guess * (state->nu_past[i] - past * state->w_past[i]);
    }
    return told > 0.0 ? fmin(1.0, fmax(0.0, known / told)) : 1.0;
}

void elv_scheme_defect(const ElvScheme* scheme,
                       int n,
                       double dt,
                       const ElvState* before,
                       const ElvState* after,
                       const double* w,
                       const double* w_end,
                       double* defect) {
    double past = before->step_past;
    if (!scheme->is_bdf2) {
        // what the formula misses of dt^3/6 times the third derivative; the auxiliary acceleration runs
        // ahead of the true one by alpha_m - alpha_f of a step
        double lead = elv_scheme_lead(scheme);
        double factor = dt * dt * fabs(scheme->beta + 0.5 * lead - 1.0 / 6.0);
        for (int i = 0; i < n; i++) {
            defect[i] = factor * fabs(after->aux[i] - aux_at(scheme, dt, before, w, i));
        }
    } else if (past > 0.0) {
        // dt (dt + past)/6 times the third derivative, over the formula's own factor c0/dt
        double c0 = (past + 2.0 * dt) / (past + dt);
        for (int i = 0; i < n; i++) {
            double turn = (w_end[i] - w[i]) / dt - (w[i] - before->w_past[i]) / past;
            defect[i] = dt * dt / (3.0 * c0) * fabs(turn);
        }
    } else {
        for (int i = 0; i < n; i++) {
            defect[i] = 0.5 * dt * fabs(w_end[i] - w[i]);
        }
    }
}

void elv_scheme_interpolate(int n,
                            double dt,
                            double x,
                            const double* w,
                            const double* w_end,
                            const double* nu_end,
                            double* nu,
                            double* rate) {
    for (int i = 0; i < n; i++) {
        double s0 = dt * w[i];
        double s1 = dt * w_end[i];
        double c2 = 3.0 * nu_end[i] - 2.0 * s0 - s1;
        double c3 = s0 + s1 - 2.0 * nu_end[i];
        nu[i] = x * (s0 + x * (c2 + x * c3));
        rate[i] = (s0 + x * (2.0 * c2 + 3.0 * x * c3)) / dt;
    }
}
