// SPDX-License-Identifier: Apache-2.0
// Whether imposed motions agree with constraints [ALI (3.44), (3.54)], before anything moves.
//
// Two things are looked for along the laws: slips at instants, of rows that depend on each other,
// and poles between them. Rows may come to depend on each other for an instant. The singular value
// that vanishes there is followed from sample to sample, its minima and changes of sign are refined
// by golden sections, and where it is zero the lost direction must not be asked for a motion
// (reduced_rank.c). Coordinates that are free are not known ahead: what counts is there whatever they
// are.
#include "elver/locomotion.h"
#include "solve/locomotion_study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_PLACE = 5, MOST_JUMPS = 128, MOST_SAMPLES = 1001, FEW_SAMPLES = 101 };

/// Directions that are nearer than this are lost.
static const double LOST = 1e-8;

/// What a lost direction may be asked for: errors of laws that were fitted.
static const double COMPATIBLE = 1e-6;

typedef struct {
    ElvLocomotionStudy study;
    const ElvState* start;
    ElvCompatibility* report;
    ElvError* error;
    double* memory;
    double* near;    // at samples                                             (MOST_SAMPLES)
    ElvLost lost[2]; // of this and the last instant
    int rank;        // of rows within the interval in hand
} Search;

// another place for everything that is free; place 0 is that of the start
static void set_place(Search* s, int place, double t) {
    const ElvModel* model = s->study.model;
    ElvState* state = s->study.state;
    unsigned seed = 4711u;
    memcpy(state->q, s->start->q, (size_t)state->nq * sizeof *state->q);
    for (int k = 0; k < place * model->nq; k++) {
        seed = seed * 1664525u + 1013904223u;
        double shift = (double)(seed >> 8) / (double)(1u << 24) - 0.5;
        state->q[k % model->nq] = s->start->q[k % model->nq] + shift;
    }
    state->t = t;
    elv_state_impose(model, state);
}

static void note_slip(Search* s, double slip, double t, const char* name) {
    if (slip > s->report->slip) {
        s->report->slip = slip;
        s->report->t = t;
        s->report->constraint = name;
    }
}

// ---- slips at instants

// the smallest of the slips at a time, over configurations of what is free; 0 where one has none,
// NaN where no configuration has a number
static double slip_at(Search* s, double t, const char** name) {
    ElvReduced* reduced = s->study.reduced;
    double least = INFINITY;
    for (int i = 0; i < N_PLACE && least > 0.0; i++) {
        set_place(s, i, t);
        if (elv_reduced_velocity(reduced, s->study.data, s->study.state)) {
            double slip = elv_reduced_is_compatible(reduced) ? 0.0 : reduced->missed;
            *name = slip < least ? elv_reduced_worst(reduced) : *name;
            least = fmin(least, slip);
        }
        // at the start it is as it is
        if (t == s->start->t) {
            break;
        }
    }
    return isfinite(least) ? least : NAN;
}

// whether laws and imposed motions are numbers at a time
static ElvStatus check_numbers(Search* s, double t) {
    const ElvModel* model = s->study.model;
    set_place(s, 0, t);
    bool is_finite = elv_device_check(model, t, s->error) == ELV_OK;
    for (int i = 0; i < model->nv && is_finite; i++) {
        is_finite = isfinite(s->study.state->v[i]);
    }
    return is_finite ? ELV_OK : elv_reduced_fail_velocity(s->study.reduced, t, s->error);
}

static ElvStatus look_at(Search* s, double t) {
    const char* name = "";
    ElvStatus status = t > s->start->t ? check_numbers(s, t) : ELV_OK;
    if (status != ELV_OK) {
        return status;
    }
    s->report->n_sample++;
    double slip = slip_at(s, t, &name);
    if (isnan(slip)) {
        return elv_reduced_fail_velocity(s->study.reduced, s->study.state->t, s->error);
    }
    note_slip(s, slip, t, name);
    return ELV_OK;
}

// samples: many where they cost little
static int count_samples(const ElvModel* model) {
    return model->nv <= 40 ? MOST_SAMPLES : FEW_SAMPLES;
}

static ElvStatus look_at_instants(Search* s, double t_end) {
    int n = count_samples(s->study.model);
    ElvStatus status = ELV_OK;
    for (int i = 1; i < n && status == ELV_OK; i++) {
        // instants that no period shares
        double x = ((double)i - 0.3 * sin(12.9898 * (double)i)) / (double)(n - 1);
        status = look_at(s, fmin(s->start->t + (t_end - s->start->t) * x, t_end));
    }
    return status;
}

// ---- poles between them

// how near rows are to losing a direction at a time, in general
static double nearness_at(Search* s, double t, ElvLost* lost) {
    set_place(s, 1, t);
    return elv_reduced_at(s->study.reduced, s->study.data, s->study.state)
               ? elv_reduced_nearness(s->study.reduced, s->rank, lost)
               : 1.0;
}

// what is asked of a direction that is lost at a time, wherever the robot is
static void test_pole(Search* s, double t) {
    ElvReduced* r = s->study.reduced;
    double least = INFINITY;
    const char* name = "";
    for (int i = 0; i < N_PLACE && least > 0.0; i++) {
        double slip = 0.0;
        set_place(s, i, t);
        if (elv_reduced_at(r, s->study.data, s->study.state) &&
            elv_reduced_nearness(r, s->rank, &s->lost[0]) <= LOST &&
            elv_reduced_share(r, s->study.data, s->study.state, &s->lost[0]) > COMPATIBLE) {
            slip = r->missed;
        }
        name = slip < least ? elv_reduced_worst(r) : name;
        least = fmin(least, slip);
    }
    note_slip(s, least, t, name);
}

// the instant between a and b at which rows are nearest to losing a direction; where it is far from
// lost the search ends early
static double refine(Search* s, double a, double b) {
    enum { MAX_SECTION = 90 };
    const double GOLDEN = 0.6180339887498949;
    double t[2] = {b - GOLDEN * (b - a), a + GOLDEN * (b - a)};
    double near[2] = {nearness_at(s, t[0], &s->lost[0]), nearness_at(s, t[1], &s->lost[0])};
    double edge = INFINITY;
    for (int i = 0; i < MAX_SECTION && a < t[0] && t[0] < t[1] && t[1] < b; i++) {
        int best = near[0] < near[1] ? 0 : 1;
        if (near[best] <= 1e-3 * LOST || near[best] > 10.0 * fabs(edge - near[best])) {
            break;
        }
        if (best == 0) {
            b = t[1];
            t[1] = t[0];
            edge = near[1];
            near[1] = near[0];
            t[0] = b - GOLDEN * (b - a);
            near[0] = nearness_at(s, t[0], &s->lost[0]);
        } else {
            a = t[0];
            t[0] = t[1];
            edge = near[0];
            near[0] = near[1];
            t[1] = a + GOLDEN * (b - a);
            near[1] = nearness_at(s, t[1], &s->lost[0]);
        }
    }
    return near[0] < near[1] ? t[0] : t[1];
}

// the rank that rows have in general, and how long they are, between a and b
static void survey(Search* s, double a, double b, int n) {
    ElvReduced* r = s->study.reduced;
    s->rank = 0;
    memset(r->usual, 0, (size_t)r->n_row * sizeof *r->usual);
    for (int i = 0; i < n; i++) {
        set_place(s, 1, a + (b - a) * (double)i / (double)(n - 1));
        if (elv_reduced_at(r, s->study.data, s->study.state)) {
            elv_reduced_remember(r, false);
            s->rank = r->space.rank > s->rank ? r->space.rank : s->rank;
        }
    }
}

// within an interval in which laws are smooth
static void look_between(Search* s, double a, double b, int n) {
    double step = (b - a) / (double)(n - 1);
    survey(s, a, b, n);
    for (int i = 0; i < n && s->rank > 0; i++) {
        ElvLost last = s->lost[0];
        s->lost[0] = s->lost[1];
        s->lost[1] = last;
        s->near[i] = nearness_at(s, a + step * (double)i, &s->lost[0]);
        bool is_across = i > 0 && elv_reduced_is_across(s->study.reduced, &s->lost[1], &s->lost[0]);
        // refining takes the place of the one that is not needed any more
        ElvLost kept = s->lost[0];
        if (is_across) {
            s->lost[0] = s->lost[1];
            test_pole(s, refine(s, a + step * (double)(i - 1), a + step * (double)i));
            s->lost[1] = s->lost[0];
            s->lost[0] = kept;
        }
    }
    for (int i = 0; i < n && s->rank > 0; i++) {
        bool is_least =
            (i == 0 || s->near[i] <= s->near[i - 1]) && (i == n - 1 || s->near[i] < s->near[i + 1]);
        double t = a + step * (double)i;
        if (s->near[i] <= LOST) {
            test_pole(s, t);
        } else if (is_least) {
            test_pole(s, refine(s, fmax(a, t - step), fmin(b, t + step)));
        }
    }
}

// interval by interval; where jumps are many, as if there were none
static void look_for_poles(Search* s, double t_end) {
    double jump[MOST_JUMPS + 1];
    double t = s->start->t, all = t_end - t;
    size_t n = elv_model_breakpoints(s->study.model, t, t_end, jump, MOST_JUMPS);
    n = n > MOST_JUMPS ? 0 : n;
    jump[n] = t_end;
    for (size_t i = 0; i <= n; i++) {
        int n_sample = (int)(count_samples(s->study.model) * (jump[i] - t) / all);
        double a = nextafter(t, INFINITY), b = nextafter(jump[i], -INFINITY);
        if (b > a) {
            look_between(s, a, b, n_sample > 9 ? n_sample : 9);
        }
        t = jump[i];
    }
}

// ---- both

static bool take_memory(Search* s) {
    size_t rows = (size_t)s->study.reduced->n_row, n = (size_t)s->study.reduced->n;
    s->memory = calloc(MOST_SAMPLES + 2 * (rows + n), sizeof *s->memory);
    if (!s->memory) {
        return false;
    }
    s->near = s->memory;
    for (size_t i = 0; i < 2; i++) {
        s->lost[i].u = s->memory + MOST_SAMPLES + i * (rows + n);
        s->lost[i].h = s->lost[i].u + rows;
    }
    return true;
}

static ElvStatus look_along(Search* s, double t_end) {
    ElvStatus status = look_at(s, s->start->t);
    if (status == ELV_OK && s->study.reduced->n_position == 0 && t_end > s->start->t) {
        status = look_at_instants(s, t_end);
        if (status == ELV_OK) {
            look_for_poles(s, t_end);
        }
    }
    s->report->is_compatible = status == ELV_OK && s->report->slip == 0.0;
    return status;
}

ElvStatus elv_locomotion_compatibility(const ElvModel* model,
                                       const ElvState* state,
                                       double t_end,
                                       ElvCompatibility* report,
                                       ElvError* error) {
    ElvCompatibility found = {.constraint = "", .t = state->t};
    Search search = {.start = state, .report = &found, .error = error};
    ElvStatus status = elv_locomotion_open(model, state, &search.study, error);
    if (status != ELV_OK) {
        return status;
    }
    status = take_memory(&search) ? look_along(&search, t_end)
                                  : elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    free(search.memory);
    elv_locomotion_close(&search.study);
    if (status != ELV_OK) {
        found.constraint = "";
    }
    if (report) {
        *report = found;
    }
    if (status != ELV_OK || found.is_compatible) {
        return status;
    }
    return elv_reduced_incompatible(model, found.constraint, found.slip, found.t, error);
}
