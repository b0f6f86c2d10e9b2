// SPDX-License-Identifier: Apache-2.0
// The simulation of `elver view MODEL`, in a thread of its own: about sixty times a second it takes the commands that
// have come, makes steps up to the time that is due, and publishes the state there.
//
// Simulated time follows the clock from an anchor. A frame has a budget; what could not be computed in it makes
// the simulation late, and when it is late by more than a little the anchor is set anew: simulated time slips,
// the page is told, and nothing piles up. POSIX: clocks and threads.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "live_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double frame_time = 1.0 / 60.0; // s
static const double budget = 0.014;          // of computing a frame, s
static const double lateness = 0.1;          // that is made up for, s

static double cpu_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- the queue

// a later command of the same kind for the same thing takes the place of one that waits behind no other
static bool enqueue(LiveRun* run, const LiveCommand* command) {
    bool replaces = command->verb == LIVE_INPUT || command->verb == LIVE_PARAMETER ||
                    command->verb == LIVE_FORCE || command->verb == LIVE_SPEED;
    bool is_taken = true;
    pthread_mutex_lock(&run->lock);
    LiveCommand* last = run->n_queue > 0 ? &run->queue[run->n_queue - 1] : NULL;
    if (replaces && last && last->verb == command->verb && strcmp(last->name, command->name) == 0) {
        *last = *command;
    } else if (run->n_queue < LIVE_QUEUE_MAX) {
        run->queue[run->n_queue++] = *command;
    } else {
        is_taken = false;
    }
    pthread_cond_signal(&run->news);
    pthread_mutex_unlock(&run->lock);
    return is_taken;
}

void live_run_message(void* user, ServeClient* client, const char* text, size_t size) {
    LiveRun* run = user;
    LiveCommand command;
    char message[160];
    bool is_good = live_command_read(text, size, &command, message, sizeof message);
    if (is_good && command.verb == LIVE_READY) {
        serve_ready(client, (int)command.value);
        pthread_mutex_lock(&run->lock);
        run->has_page = true;
        pthread_mutex_unlock(&run->lock);
        return;
    }
    if (is_good && !enqueue(run, &command)) {
        snprintf(message, sizeof message, "too many messages: this one was left out");
        is_good = false;
    }
    if (!is_good) {
        char* answer = live_status_text(message, true);
        if (answer) {
            serve_reply(client, answer);
        }
        free(answer);
    }
}

// ---- time

static bool make_step(LiveRun* run) {
    ElvError error;
    elv_error_clear(&error);
    pthread_mutex_lock(&run->lock);
    run->wall_step = cli_clock();
    pthread_mutex_unlock(&run->lock);
    double cpu = cpu_time();
    ElvStatus status = live_model_step(run->live, &error);
    cpu = cpu_time() - cpu;
    pthread_mutex_lock(&run->lock);
    run->wall_step = 0.0;
    pthread_mutex_unlock(&run->lock);
    run->step_ms += 0.2 * (1e3 * cpu - run->step_ms);
    run->n_iteration = elv_integrator_report(run->live->integrator).last_iterations;
    if (status != ELV_OK) {
        live_fail(run, "the simulation stopped", &error);
    }
    return status == ELV_OK;
}

// once, where there is something to be done about it
static void hint(LiveRun* run) {
    if (!run->has_hinted && run->live->method.method == ELV_METHOD_EXPLICIT) {
        live_tell(run,
                  "the simulation cannot keep up; an implicit method may, with --set "
                  "'simulate={method: generalized-alpha}'",
                  false);
    }
    run->has_hinted = true;
}

// steps up to the time that is due, as far as the frame's budget goes
static void advance(LiveRun* run) {
    double now = cli_clock();
    double due = run->t_anchor + run->speed * (now - run->wall_anchor);
    double end = now + budget;
    while (run->live->state->t < due && cli_clock() < end && make_step(run)) {
    }
    now = cli_clock();
    double t = fmin(due, run->live->state->t);
    if (due - t > lateness * run->speed && !run->is_failed) {
        hint(run);
        run->wall_late = now;
        run->t_anchor = t;
        run->wall_anchor = now;
    }
    double elapsed = now - run->wall_shown;
    if (elapsed > 0.0) {
        double weight = 1.0 - exp(-elapsed / 0.3);
        run->ratio += weight * ((t - run->t_shown) / elapsed - run->ratio);
    }
    live_publish(run, t, now);
    run->t_shown = t;
    run->wall_shown = now;
    run->is_dirty = false;
}

static void frame(LiveRun* run) {
    if (!run->is_paused && run->is_watched) {
        advance(run);
    } else if (run->wants_step && !run->is_failed && make_step(run)) {
        live_anchor(run);
    }
    run->wants_step = false;
    if (run->is_scene_old) {
        live_keep_scene(run);
    }
    live_tell_values(run, cli_clock());
    if (run->is_dirty) {
        run->ratio = run->is_paused ? 0.0 : run->ratio;
        live_publish(run, run->live->state->t, cli_clock());
        run->is_dirty = false;
    }
}

// wait for commands, or for the next frame; returns false when it is over
static bool collect(LiveRun* run, double wall_next, LiveCommand* command, int* n) {
    struct timespec until;
    until.tv_sec = (time_t)wall_next;
    until.tv_nsec = (long)(1e9 * (wall_next - floor(wall_next)));
    pthread_mutex_lock(&run->lock);
    while (!run->is_over && run->n_queue == 0 && cli_clock() < wall_next) {
        pthread_cond_timedwait(&run->news, &run->lock, &until);
    }
    *n = run->n_queue;
    memcpy(command, run->queue, (size_t)*n * sizeof *command);
    run->n_queue = 0;
    bool goes_on = !run->is_over;
    bool has_come = run->has_page && !run->is_watched;
    pthread_mutex_unlock(&run->lock);
    // nothing of the motion is missed while the page is being opened
    if (has_come) {
        run->is_watched = true;
        live_anchor(run);
    }
    return goes_on;
}

static void* simulate(void* user) {
    LiveRun* run = user;
    LiveCommand command[LIVE_QUEUE_MAX];
    int n = 0;
    live_anchor(run);
    double wall_next = cli_clock();
    while (collect(run, wall_next, command, &n)) {
        for (int i = 0; i < n; i++) {
            live_obey(run, &command[i]);
        }
        // commands do not put the next frame off
        if (cli_clock() >= wall_next) {
            frame(run);
            wall_next = fmax(wall_next + frame_time, cli_clock());
        }
    }
    return NULL;
}

// ---- life

LiveRun* live_run_create(LiveSource* source, LiveModel* model) {
    LiveRun* run = calloc(1, sizeof *run);
    if (!run) {
        return NULL;
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&run->lock, NULL);
    pthread_cond_init(&run->news, &attributes);
    pthread_condattr_destroy(&attributes);
    run->source = *source;
    source->overrides = (CliOverrides){NULL, NULL, 0};
    run->live = model;
    run->speed = 1.0;
    run->wall_late = -INFINITY;
    return run;
}

bool live_run_start(LiveRun* run, Serve* serve) {
    run->serve = serve;
    live_send_scene(run);
    run->is_running = pthread_create(&run->thread, NULL, simulate, run) == 0;
    return run->is_running;
}

void live_run_stop(LiveRun* run) {
    pthread_mutex_lock(&run->lock);
    run->is_over = true;
    pthread_cond_signal(&run->news);
    pthread_mutex_unlock(&run->lock);
    if (run->is_running) {
        pthread_join(run->thread, NULL);
        run->is_running = false;
    }
}

void live_run_free(LiveRun* run) {
    if (run) {
        live_model_free(run->live);
        cli_overrides_free(&run->source.overrides);
        pthread_cond_destroy(&run->news);
        pthread_mutex_destroy(&run->lock);
        free(run->record);
        free(run);
    }
}
