// SPDX-License-Identifier: Apache-2.0
// Postures in which constraints lose a direction, along a run (rank_watch.h).
//
// At the ends of steps the singular value that is nearest to zero is followed with its vectors. Where
// these say that it has changed its sign the step has gone through such a posture, which is found by
// bisection between the ends: imposed coordinates from their laws, others by cubic interpolation.
// There the lost direction must not be asked for a motion. A run that goes towards a pole and does
// not reach it is stopped where speeds are a million times what is imposed.
#include "solve/rank_watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What a lost direction may be asked for, relative to all that is imposed: errors of coordinates
/// that were integrated.
static const double COMPATIBLE = 1e-3;

/// Motions do not come nearer to a pole than this, relative to the largest singular value.
static const double POLE = 1e-6;

/// Steps that fail here, with speeds that are so many times what is imposed, fail for that.
static const double NEAR = 3e-2;
static const double FAST = 30.0;

// ---- life

static bool take_memory(ElvRankWatch* w, const ElvModel* model) {
    size_t nq = (size_t)model->nq, rows = (size_t)w->reduced->n_row, n = (size_t)w->reduced->n;
    w->memory = calloc(2 * nq + 3 * (rows + n) + 1, sizeof *w->memory);
    if (!w->memory) {
        return false;
    }
    double* free_part = w->memory;
    for (int i = 0; i < 2; i++, free_part += nq) {
        w->rate[i] = free_part;
    }
    for (int i = 0; i < 3; i++, free_part += rows + n) {
        w->lost[i].u = free_part;
        w->lost[i].h = free_part + rows;
    }
    return true;
}

ElvStatus elv_rank_watch_create(const ElvModel* model, ElvRankWatch** watch, ElvError* error) {
    *watch = NULL;
    if (!elv_reduced_is_velocity_only(model)) {
        return ELV_OK;
    }
    ElvRankWatch* w = calloc(1, sizeof *w);
    if (!w) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    ElvStatus status = elv_reduced_create(model, &w->reduced, error);
    status = status == ELV_OK ? elv_data_create(model, &w->data, error) : status;
    status = status == ELV_OK ? elv_state_create(model, &w->from, error) : status;
    status = status == ELV_OK ? elv_state_create(model, &w->at, error) : status;
    status = status == ELV_OK ? elv_state_create(model, &w->kept, error) : status;
    if (status == ELV_OK && !take_memory(w, model)) {
        status = elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    if (status != ELV_OK) {
        elv_rank_watch_free(w);
        return status;
    }
    *watch = w;
    return ELV_OK;
}

void elv_rank_watch_free(ElvRankWatch* watch) {
    if (watch) {
        elv_reduced_free(watch->reduced);
        elv_data_free(watch->data);
        elv_state_free(watch->from);
        elv_state_free(watch->at);
        elv_state_free(watch->kept);
        free(watch->memory);
        free(watch);
    }
}

// ---- a look

// how many directions rows have that are not lost, nor about to be
static int rank_of(ElvReduced* r) {
    int rank = 0;
    elv_row_space_resolve(&r->space);
    while (rank < r->space.k && r->space.sigma[rank] > POLE * r->space.sigma[0]) {
        rank++;
    }
    return rank;
}

// Rows where the watch is, and what they are nearest to lose. Returns their rank; -1: a number is
// not finite.
static int look(ElvRankWatch* w, ElvLost* lost) {
    ElvReduced* r = w->reduced;
    lost->is_known = false;
    elv_state_impose(r->model, w->at);
    if (!elv_reduced_at(r, w->data, w->at)) {
        return -1;
    }
    elv_reduced_remember(r, false);
    int rank = rank_of(r);
    (void)elv_reduced_nearness(r, w->rank > rank ? w->rank : rank, lost);
    return rank;
}

static double share_of(ElvRankWatch* w, const ElvLost* lost) {
    return elv_reduced_share(w->reduced, w->data, w->at, lost);
}

static void note(ElvRankWatch* w, double t) {
    ElvRankLossReport* report = &w->report;
    if (report->n < ELV_RANK_LOSS_MAX) {
        report->t[report->n] = t;
    }
    report->n++;
}

static ElvStatus stop(const ElvRankWatch* w, double t, ElvError* error) {
    const ElvReduced* r = w->reduced;
    return elv_reduced_incompatible(r->model, elv_reduced_worst(r), r->missed, t, error);
}

// a direction that is not there yet: when it was farthest away
static void note_missing(ElvRankWatch* w, double t) {
    const ElvRowSpace* space = &w->reduced->space;
    if (w->rank < space->k && space->sigma[w->rank] < w->least * space->sigma[0]) {
        w->least = space->sigma[w->rank] / space->sigma[0];
        w->t_least = t;
    }
}

// ---- starts

void elv_rank_watch_jump(ElvRankWatch* watch, const ElvState* state) {
    ElvRankWatch* w = watch;
    elv_state_copy(w->from, state);
    elv_state_copy(w->at, state);
    w->at->t = nextafter(state->t, INFINITY);
    w->rank = 0;
    memset(w->reduced->usual, 0, (size_t)w->reduced->n_row * sizeof *w->reduced->usual);
    int rank = look(w, &w->lost[0]);
    w->rank = rank > 0 ? rank : 0;
    w->least = INFINITY;
    note_missing(w, state->t);
}

void elv_rank_watch_start(ElvRankWatch* watch, const ElvState* state) {
    watch->report = (ElvRankLossReport){0};
    watch->reduced->fastest = 0.0;
    elv_rank_watch_jump(watch, state);
}

// ---- steps

// the posture at a part of the step in hand
static void set_between(ElvRankWatch* w, const ElvState* to, double x) {
    const ElvState* from = w->from;
    double dt = to->t - from->t, y = 1.0 - x;
    for (int i = 0; i < to->nq; i++) {
        w->at->q[i] = y * y * (1.0 + 2.0 * x) * from->q[i] + x * x * (1.0 + 2.0 * y) * to->q[i] +
                      x * y * dt * (y * w->rate[0][i] - x * w->rate[1][i]);
    }
    for (int i = 0; i < to->nz; i++) {
        w->at->z[i] = y * from->z[i] + x * to->z[i];
    }
    w->at->t = from->t + x * dt;
}

// rows have changed sides between two states: where
static double locate(ElvRankWatch* w, const ElvState* to) {
    enum { MAX_BISECTION = 60 };
    double a = 0.0, b = 1.0;
    elv_state_rate(w->reduced->model, w->from, w->rate[0]);
    elv_state_rate(w->reduced->model, to, w->rate[1]);
    for (int i = 0; i < MAX_BISECTION; i++) {
        double x = 0.5 * (a + b);
        set_between(w, to, x);
        if (look(w, &w->lost[2]) < 0) {
            break;
        }
        if (elv_reduced_is_across(w->reduced, &w->lost[0], &w->lost[2])) {
            b = x;
        } else {
            // the nearer one is known better
            ElvLost last = w->lost[0];
            w->lost[0] = w->lost[2];
            w->lost[2] = last;
            a = x;
        }
    }
    return 0.5 * (a + b);
}

// a posture within the step; vectors that have only turned far do not lead to one
static ElvStatus go_through(ElvRankWatch* w, const ElvState* to, ElvError* error) {
    ElvLost* lost = &w->lost[2];
    set_between(w, to, locate(w, to));
    double t = w->at->t;
    if (look(w, lost) < 0 || lost->nearness > POLE) {
        return ELV_OK;
    }
    if (share_of(w, lost) > COMPATIBLE) {
        return stop(w, t, error);
    }
    note(w, t);
    return ELV_OK;
}

ElvStatus elv_rank_watch_step(ElvRankWatch* watch, const ElvState* state, ElvError* error) {
    ElvRankWatch* w = watch;
    ElvLost* now = &w->lost[1];
    elv_state_copy(w->at, state);
    w->at->t = nextafter(state->t, -INFINITY);
    ElvStatus status = ELV_OK;
    int rank = look(w, now);
    if (rank >= 0) {
        bool is_near = now->nearness < POLE && share_of(w, now) > COMPATIBLE;
        if (is_near) {
            return stop(w, state->t, error);
        }
        if (rank > w->rank) {
            // what was seen before was a posture of fewer
            if (w->rank > 0 && w->lost[0].n_active == now->n_active) {
                note(w, w->t_least);
            }
            w->rank = rank;
            w->least = INFINITY;
        } else {
            note_missing(w, state->t);
            bool is_across = elv_reduced_is_across(w->reduced, &w->lost[0], now);
            status = is_across ? go_through(w, state, error) : ELV_OK;
        }
    }
    ElvLost last = w->lost[0];
    w->lost[0] = w->lost[1];
    w->lost[1] = last;
    elv_state_copy(w->from, state);
    return status;
}

ElvStatus elv_rank_watch_blame(ElvRankWatch* watch, ElvError* error) {
    ElvRankWatch* w = watch;
    elv_state_copy(w->at, w->from);
    if (look(w, &w->lost[0]) < 0) {
        return ELV_OK;
    }
    double share = share_of(w, &w->lost[0]);
    double near = w->lost[0].nearness;
    return near < NEAR && share > COMPATIBLE && share > FAST * near ? stop(w, w->from->t, error)
                                                                    : ELV_OK;
}
