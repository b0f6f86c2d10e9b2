// SPDX-License-Identifier: Apache-2.0
// A motion played back over a horizon that is fixed before: one second, or less where errors of
// efforts would become visible in it.
//
// Two things are measured, eight times in the second that begins at a given time: how well forward
// dynamics return imposed accelerations, eps, relative, at least 1e-11, and the rate at which errors
// grow (playback_growth.h), the largest within the horizon. This ends where eps e^(rate T) is a
// tenth of the tolerance of the motion, at the latest after a second, and before laws jump. Nothing
// in it is adapted to what comes of the run.
#ifndef ELVER_TESTS_PLAYBACK_RUN_H
#define ELVER_TESTS_PLAYBACK_RUN_H

#include "playback_growth.h"

static const double MOTION_TOL = 1e-6; // of velocities, and of displacements, the largest
static const double EFFORT_TOL = 1e-9; // what points of a tape leave, of the largest effort

typedef struct {
    const char* name; // in models/
    double from;      // s
    const char* kept; // joints that stay imposed, by the end of their names; NULL: none
    double tol;       // of the forward run, relative
} Piece;

typedef struct {
    double rate, eps, horizon;
} Horizon;

enum { N_LOOK = 8 }; // instants of a horizon, beside its start

// one second, or up to the end of the run or short of where laws jump
static inline double horizon_longest(const Playback* p, double from) {
    double jump[8] = {0}, end = fmin(1.0, elv_model_simulate(p->model).duration - from);
    size_t n = elv_model_breakpoints(p->model, from, from + 1.0, jump, 8);
    CHECK_TRUE(n <= 8);
    return n > 0 ? fmin(end, 0.99 * (jump[0] - from)) : end;
}

// how far forward dynamics miss imposed accelerations, relative to the largest
static inline double horizon_eps(Playback* p, double from, double longest) {
    Extent error = {0}, size = {0};
    Gait gait = gait_start(p->model, from, 0.0);
    for (int k = 0; k <= N_LOOK; k++) {
        gait_go(&gait, from + longest * k / N_LOOK);
        tape_record(&p->tape, &gait, 0);
        playback_forward(p, 0);
        extent_rates(&size, p->model, p->tape.a[0], NULL);
        extent_rates(&error, p->model, p->play.state->a, p->tape.a[0]);
    }
    playback_end(&gait);
    return fmax(1e-11, extent_relative(error, size, p->model->size));
}

static inline void horizon_shorten(Playback* p, Gait* gait, double t, Horizon* h) {
    gait_go(gait, t);
    tape_record(&p->tape, gait, 0);
    h->rate = fmax(h->rate, playback_growth(p));
    h->horizon = fmin(h->horizon, log(0.1 * MOTION_TOL / h->eps) / h->rate);
}

static inline Horizon playback_horizon(Playback* p, const Piece* piece) {
    Horizon h = {.rate = 1e-6};
    double longest = horizon_longest(p, piece->from), last = 0.0;
    p->tape.n_point = 1;
    h.eps = horizon_eps(p, piece->from, longest);
    h.horizon = longest;
    Gait gait = gait_start(p->model, piece->from, 0.0);
    for (int k = 0; k < N_LOOK && longest * k / N_LOOK < h.horizon; k++) {
        last = longest * k / N_LOOK;
        horizon_shorten(p, &gait, piece->from + last, &h);
    }
    // and at its end
    if (last < h.horizon) {
        horizon_shorten(p, &gait, piece->from + h.horizon, &h);
    }
    playback_end(&gait);
    return h;
}

// the last Chebyshev coefficients of every effort, relative to the largest value of any
static inline double tape_tail(const Tape* tape) {
    static const double PI = 3.14159265358979323846;
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

// efforts at Chebyshev points of the horizon, so many that more would change nothing
static inline double tape_fill(Playback* p, const Piece* piece, double horizon) {
    static const double PI = 3.14159265358979323846;
    double tail = INFINITY;
    for (int n = 33; n <= POINT_MAX && tail > 1e-13; n = 2 * n - 1) {
        Gait gait = gait_start(p->model, piece->from, 1e-12);
        p->tape.n_point = n;
        for (int k = 0; k < n; k++) {
            gait_go(&gait, piece->from + 0.5 * horizon * (1.0 - cos(PI * k / (n - 1))));
            tape_record(&p->tape, &gait, k);
        }
        tail = tape_tail(&p->tape);
        playback_end(&gait);
    }
    return tail;
}

/// How far the motion that efforts make is from the one that they were taken from, by velocities
/// and by displacements, the larger, relative to the largest of the horizon.
static inline double playback_error(Playback* p, double gain) {
    const Tape* tape = &p->tape;
    const ElvState* state = p->play.state;
    Extent slow = {0}, speed = {0}, off = {0}, way = {0};
    p->tape.gain = gain;
    playback_start(p, 0);
    for (int k = 0; k < tape->n_point; k += (tape->n_point - 1) / N_LOOK) {
        gait_go(&p->play, tape->t[k]);
        extent_rates(&speed, p->model, tape->v[k], NULL);
        extent_rates(&slow, p->model, state->v, tape->v[k]);
        extent_places(&way, p->model, tape->q[k], tape->q[0]);
        extent_places(&off, p->model, state->q, tape->q[k]);
    }
    return fmax(extent_relative(slow, speed, p->model->size),
                extent_relative(off, way, p->model->size));
}

/// Play a piece back: its error.
static inline double playback_play(const Piece* piece, double gain) {
    static Playback p;
    playback_open(&p, piece->name, piece->kept, piece->tol);
    Horizon h = playback_horizon(&p, piece);
    CHECK_TRUE(h.horizon > 0.0);
    double tail = tape_fill(&p, piece, h.horizon);
    CHECK_NEAR(tail, 0.0, EFFORT_TOL);
    double error = playback_error(&p, gain);
    print_message("%-18s %3d coordinates, rate %6.2f, eps %.0e, from %.1f for %.3f s, %3d points "
                  "good to %.0e: error %.1e\n",
                  piece->name, p.model->nv, h.rate, h.eps, piece->from, h.horizon, p.tape.n_point,
                  tail, error);
    playback_close(&p);
    return error;
}

#endif
