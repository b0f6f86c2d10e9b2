// SPDX-License-Identifier: Apache-2.0
// The period of all that is imposed on a robot (gait.h): velocities of joints and strains, and the
// rows of constraints, in which motors of wheels, given rates, stations and switches of contacts
// show while configuration and velocities are held.
//
// Candidates are looked at one after another, by steps that are short against the fastest law: such
// a law needs twice its range over its largest rate for a period. Where what is imposed nearly
// returns, the least change is found by golden sections, and a period is the smallest part of it
// that is one.
#include "solve/gait.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_PHASE = 7, N_SAMPLE = 240, N_TRY_MOST = 40000 };

/// Relative changes below this are none.
static const double SAME = 1e-9;

typedef struct {
    ElvGaitStudy* study;
    ElvState* still;  // configuration and velocities of rows
    double t, span;   // where phases lie
    size_t nv, n;     // imposed velocities first, then rows
    double* size;     // what changes are compared with; 0: it does not change     (n)
    double *lo, *hi;  //                                                            (n)
    double* rate;     // largest                                                    (n)
    double* here;     //                                                            (n)
    double* at_phase; //                                                            (N_PHASE x n)
    double phase[N_PHASE];
} Laws;

// all that is imposed at a time
static void eval(Laws* laws, double t, double* value) {
    const ElvModel* model = laws->study->model;
    ElvState* state = laws->study->state;
    state->t = t;
    elv_state_impose(model, state);
    for (size_t k = 0; k < laws->nv; k++) {
        value[k] = model->is_driven[k] ? state->v[k] : 0.0;
    }
    laws->still->t = t;
    elv_border_motion(model, laws->study->data, laws->still, 1, 0.0, value + laws->nv);
}

// ranges and rates of all laws, at instants that no period shares
static void survey(Laws* laws) {
    double h = 1e-7 * laws->span;
    double largest = 0.0;
    for (int i = 0; i < N_SAMPLE; i++) {
        double x = ((double)i + 0.4 * sin(5.0 * (double)i)) / (double)N_SAMPLE;
        double* after = laws->at_phase;
        eval(laws, laws->t + laws->span * fmax(x, 0.0), laws->here);
        eval(laws, laws->t + laws->span * fmax(x, 0.0) + h, after);
        for (size_t k = 0; k < laws->n; k++) {
            double value = laws->here[k];
            laws->lo[k] = i == 0 ? value : fmin(laws->lo[k], value);
            laws->hi[k] = i == 0 ? value : fmax(laws->hi[k], value);
            laws->rate[k] = fmax(laws->rate[k], fabs(after[k] - value) / h);
            largest = k < laws->nv ? fmax(largest, fabs(value)) : largest;
        }
    }
    for (size_t k = 0; k < laws->n; k++) {
        double range = laws->hi[k] - laws->lo[k];
        double own = fmax(fabs(laws->lo[k]), fabs(laws->hi[k]));
        laws->size[k] = k < laws->nv ? largest : range;
        // rounding is no motion
        if (!(range > SAME * (k < laws->nv ? largest : own))) {
            laws->size[k] = 0.0;
        }
    }
}

// no period is shorter than this
static double shortest(const Laws* laws) {
    double T = 0.0;
    for (size_t k = 0; k < laws->n; k++) {
        double range = laws->hi[k] - laws->lo[k];
        bool is_smooth = laws->size[k] > 0.0 && laws->rate[k] * laws->span > range;
        T = is_smooth ? fmax(T, 2.0 * range / laws->rate[k]) : T;
    }
    return T;
}

// how much all changes over T at a few phases, relative to their sizes
static double change_over(Laws* laws, double T) {
    double change = 0.0;
    for (int i = 0; i < N_PHASE && change < 0.6; i++) {
        const double* before = laws->at_phase + (size_t)i * laws->n;
        eval(laws, laws->phase[i] + T, laws->here);
        for (size_t k = 0; k < laws->n; k++) {
            double own = fabs(laws->here[k] - before[k]);
            change = laws->size[k] > 0.0 ? fmax(change, own / laws->size[k]) : change;
        }
    }
    return change;
}

// the lowest point of the change between two periods, by golden sections
static double refine(Laws* laws, double lo, double hi) {
    const double GOLDEN = 0.6180339887498949;
    double a = hi - GOLDEN * (hi - lo), b = lo + GOLDEN * (hi - lo);
    double at_a = change_over(laws, a), at_b = change_over(laws, b);
    for (int i = 0; i < 80 && hi - lo > 4e-16 * hi; i++) {
        if (at_a < at_b) {
            hi = b;
            b = a;
            at_b = at_a;
            a = hi - GOLDEN * (hi - lo);
            at_a = change_over(laws, a);
        } else {
            lo = a;
            a = b;
            at_a = at_b;
            b = lo + GOLDEN * (hi - lo);
            at_b = change_over(laws, b);
        }
    }
    return 0.5 * (lo + hi);
}

// the smallest part of a period that is one
static double smallest_part(Laws* laws, double T) {
    enum { N_PART = 64 };
    double found = T;
    for (int n = 2; n <= N_PART; n++) {
        found = change_over(laws, T / (double)n) < SAME ? T / (double)n : found;
    }
    return found;
}

static double search(Laws* laws) {
    double least = shortest(laws);
    double step = fmax(0.125 * least, laws->span / N_TRY_MOST);
    step = least > 0.0 ? step : laws->span / 2000.0;
    double past = INFINITY, here = INFINITY;
    for (double T = fmax(0.5 * least, step); T - step <= laws->span + step; T += step) {
        if (elv_brake_ask(&laws->study->brake)) {
            return 0.0;
        }
        double next = change_over(laws, T);
        if (here < 0.6 && here <= past && here <= next) {
            double found = refine(laws, T - 2.0 * step, T);
            if (change_over(laws, found) < SAME && found <= laws->span * (1.0 + SAME)) {
                return smallest_part(laws, found);
            }
        }
        past = here;
        here = next;
    }
    return 0.0;
}

static bool has_change(const Laws* laws) {
    bool changes = false;
    for (size_t k = 0; k < laws->n; k++) {
        changes = changes || laws->size[k] > 0.0;
    }
    return changes;
}

bool elv_gait_period(ElvGaitStudy* study, double t, double* period) {
    const ElvModel* model = study->model;
    size_t nv = (size_t)model->nv, n = nv + (size_t)model->nz;
    Laws laws = {.study = study, .still = study->connect->trial, .t = t, .nv = nv, .n = n};
    double* block = calloc((5 + N_PHASE) * n + 1, sizeof *block);
    *period = 0.0;
    if (!block) {
        return false;
    }
    laws.size = block;
    laws.lo = block + n;
    laws.hi = block + 2 * n;
    laws.rate = block + 3 * n;
    laws.here = block + 4 * n;
    laws.at_phase = block + 5 * n;
    laws.span = 2.0 * elv_model_simulate(model).duration;
    // velocities of no special direction
    elv_state_copy(laws.still, study->state);
    for (size_t k = 0; k < nv; k++) {
        laws.still->v[k] = 1.0 + 0.5 * sin(7.0 * (double)k + 1.0);
    }
    elv_kinematics(model, study->data, laws.still);
    survey(&laws);
    if (has_change(&laws)) {
        for (int i = 0; i < N_PHASE; i++) {
            double x = fmax((double)i + 0.3 * sin(5.0 * (double)i), 0.0) / (double)N_PHASE;
            laws.phase[i] = t + laws.span * x;
            eval(&laws, laws.phase[i], laws.at_phase + (size_t)i * n);
        }
        *period = search(&laws);
    }
    free(block);
    return true;
}
