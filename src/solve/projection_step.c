// SPDX-License-Identifier: Apache-2.0
// Steps of the fictitious time: the explicit Runge-Kutta-Chebyshev method of second order (Sommeijer,
// Shampine and Verwer 1998), whose s stages reach s^2 / 1.54 times as far as the fastest motion allows.
// K q decays at the rate 1 / mu and defects at k_p, but a taut rod is stiffer than its K, and much faster.
// How fast is found by power iteration along the last fastest motion.
//
// Errors are measured against the step itself, so that they die with the motion, and are never large.
#include "solve/statics.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_STAGES = 60, MAX_POWERS = 20 };

/// Errors of a step: of its length, and at most so many rad or m.
static const double RELATIVE_ERROR = 0.1;
static const double LARGEST_ERROR = 0.01;

/// Length of the motion by which rates are compared, rad or m.
static const double PROBE = 1e-6;

/// The estimated rate of the fastest motion is not trusted beyond this.
static const double SAFETY = 1.2;

// ---- the fastest motion

// rates at nu, into f
static bool
rates_at(ElvProjection* p, ElvProblem* problem, double gain, const double* nu, double* f) {
    p->n_evaluation++;
    bool is_fine = elv_projection_rate(p, problem, nu, gain);
    memcpy(f, p->rate, (size_t)p->model->nv * sizeof *f);
    return is_fine;
}

// x *= factor
static void stretch(int n, double factor, double* x) {
    for (int i = 0; i < n; i++) {
        x[i] *= factor;
    }
}

// p->radius, from the rates f at the origin
static bool find_radius(ElvProjection* p, ElvProblem* problem, double gain, const double* f) {
    int n = p->model->nv;
    double* v = p->direction;
    double* g = p->stage + n;
    if (p->radius == 0.0) {
        memcpy(v, f, (size_t)n * sizeof *v);
    }
    double past = 0.0;
    for (int i = 0; i < MAX_POWERS; i++) {
        double size = elv_statics_reach(p->model, v);
        if (!(size > 0.0)) {
            // nothing moves: any motion is as good as another
            for (int k = 0; k < n; k++) {
                v[k] = p->model->is_driven[k] ? 0.0 : 1.0 / (1.0 + k);
            }
            size = elv_statics_reach(p->model, v);
        }
        stretch(n, PROBE / fmax(size, DBL_MIN), v);
        if (!rates_at(p, problem, gain, v, g)) {
            return false;
        }
        for (int k = 0; k < n; k++) {
            v[k] = g[k] - f[k];
        }
        double found = elv_statics_reach(p->model, v) / PROBE;
        bool is_known = p->radius > 0.0 && fabs(SAFETY * found - p->radius) < 0.1 * p->radius;
        p->radius = SAFETY * found;
        if (is_known || fabs(found - past) < 0.05 * found) {
            break;
        }
        past = found;
    }
    return isfinite(p->radius);
}

// ---- the step

/// Chebyshev polynomials at w0 and two derivatives, of one degree and the last.
typedef struct {
    double T[2], d[2], dd[2];
} Chebyshev;

static Chebyshev chebyshev_first(double w0) {
    return (Chebyshev){{w0, 1.0}, {1.0, 0.0}, {0.0, 0.0}};
}

static Chebyshev chebyshev_next(const Chebyshev* c, double w0) {
    Chebyshev next;
    next.T[0] = 2.0 * w0 * c->T[0] - c->T[1];
    next.d[0] = 2.0 * w0 * c->d[0] - c->d[1] + 2.0 * c->T[0];
    next.dd[0] = 2.0 * w0 * c->dd[0] - c->dd[1] + 4.0 * c->d[0];
    next.T[1] = c->T[0];
    next.d[1] = c->d[0];
    next.dd[1] = c->dd[0];
    return next;
}

// s stages over h from rates f at the origin; the end is in problem->nu
static bool
stages(ElvProjection* p, ElvProblem* problem, double gain, double h, int s, const double* f) {
    int n = p->model->nv;
    double* rate = p->stage + n;
    double* last = p->stage + 2 * n;
    double* before = p->stage + 3 * n;
    double w0 = 1.0 + 2.0 / 13.0 / ((double)s * s);
    Chebyshev c = chebyshev_first(w0);
    for (int j = 2; j <= s; j++) {
        c = chebyshev_next(&c, w0);
    }
    double w1 = c.d[0] / c.dd[0];
    c = chebyshev_first(w0);
    // b_(j-1) and b_(j-2); that of degree 0 is that of degree 2, 1 / (4 w0^2)
    double b1 = 1.0 / w0;
    double b2 = 0.25 / (w0 * w0);
    memset(before, 0, (size_t)n * sizeof *before);
    for (int i = 0; i < n; i++) {
        last[i] = b1 * w1 * h * f[i];
    }
    for (int j = 2; j <= s; j++) {
        double a = 1.0 - b1 * c.T[0];
        c = chebyshev_next(&c, w0);
        double b = c.dd[0] / (c.d[0] * c.d[0]);
        double weight = 2.0 * b * w1 / b1;
        if (!rates_at(p, problem, gain, last, rate)) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            double own = 2.0 * b * w0 / b1 * last[i] - b / b2 * before[i];
            before[i] = last[i];
            last[i] = own + weight * h * (rate[i] - a * f[i]);
        }
        b2 = b1;
        b1 = b;
    }
    memcpy(problem->nu, last, (size_t)n * sizeof *last);
    memset(problem->nu + n, 0, (size_t)p->model->nz * sizeof *problem->nu);
    return rates_at(p, problem, gain, last, rate);
}

bool elv_projection_step(ElvProjection* projection, ElvProblem* problem, double gain, double* dt) {
    const ElvModel* model = projection->model;
    int n = model->nv;
    double* f = projection->stage;
    memcpy(f, projection->rate, (size_t)n * sizeof *f);
    if (!find_radius(projection, problem, gain, f)) {
        *dt *= 0.25;
        return false;
    }
    double reach = 0.65 * (MAX_STAGES * MAX_STAGES - 1.0) / projection->radius;
    double h = fmin(*dt, reach);
    int s = 2 + (int)sqrt(1.0 + 1.54 * h * projection->radius);
    *dt = 0.25 * h;
    if (!stages(projection, problem, gain, h, s, f)) {
        return false;
    }
    double* error = projection->stage + 2 * n;
    const double* end = projection->stage + n;
    for (int i = 0; i < n; i++) {
        error[i] = 0.4 * h * (f[i] + end[i]) - 0.8 * problem->nu[i];
    }
    double length = elv_statics_reach(model, problem->nu);
    double allowed = fmin(RELATIVE_ERROR * length, LARGEST_ERROR) + DBL_EPSILON;
    double ratio = elv_statics_reach(model, error) / allowed;
    if (isfinite(ratio)) {
        *dt = h * fmin(2.0, fmax(0.2, 0.8 / cbrt(ratio + 1e-3)));
    }
    return ratio <= 1.0;
}
