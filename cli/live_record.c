// SPDX-License-Identifier: Apache-2.0
// What the page is told by the simulation: texts, the scene, and records as docs/viewer.md has them, little-endian on
// every machine.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "live_run.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { N_HEADER = 24 };
enum { FLAG_PAUSED = 1, FLAG_LATE = 2, FLAG_FAILED = 4 };

static const double late_shown = 0.5;  // s for which the page says so
static const double values_time = 0.2; // s between two messages about inputs
static const double long_step = 0.5;   // s after which a step under way is late

void live_tell(LiveRun* run, const char* message, bool is_error) {
    char* text = live_status_text(message, is_error);
    if (text) {
        serve_broadcast(run->serve, text);
    }
    free(text);
}

void live_tell_error(LiveRun* run, const char* what, const ElvError* error) {
    char text[ELV_SIZE_MESSAGE + ELV_SIZE_FILE + 2 * ELV_SIZE_NAME];
    char message[sizeof text + 64];
    elv_error_format(error, text, sizeof text);
    snprintf(message, sizeof message, "%s: %s", what, text);
    live_tell(run, message, true);
}

static void put_scene(LiveRun* run, bool is_sent) {
    char* text = live_scene_text(run->live);
    if (text) {
        serve_scene(run->serve, text, is_sent);
    }
    free(text);
    run->is_scene_old = false;
}

void live_send_scene(LiveRun* run) {
    // a record of the scene before does not fit this one
    pthread_mutex_lock(&run->lock);
    run->n_record = 0;
    pthread_mutex_unlock(&run->lock);
    put_scene(run, true);
}

void live_send_values(LiveRun* run, bool has_parameters) {
    char* text = live_values_text(run->live, has_parameters);
    if (text) {
        serve_broadcast(run->serve, text);
    }
    free(text);
}

void live_tell_values(LiveRun* run, double now) {
    if (now - run->wall_values < values_time) {
        return;
    }
    bool is_new = false;
    for (int i = 0; i < run->live->n_input; i++) {
        LiveInput* input = &run->live->input[i];
        double value = live_input_value(run->live, input);
        is_new = is_new || value != input->told;
        input->told = value;
    }
    if (is_new) {
        run->wall_values = now;
        live_send_values(run, false);
    }
}

void live_keep_scene(LiveRun* run) {
    put_scene(run, false);
}

static void put_u32(unsigned char* to, uint32_t x) {
    for (int i = 0; i < 4; i++) {
        to[i] = (unsigned char)(x >> (8 * i));
    }
}

static void put_f32(unsigned char* to, double value) {
    float x = (float)value;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    put_u32(to, bits);
}

static void put_f64(unsigned char* to, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(to, (uint32_t)bits);
    put_u32(to + 4, (uint32_t)(bits >> 32));
}

static uint32_t flags_of(const LiveRun* run, double now) {
    return (run->is_paused ? FLAG_PAUSED : 0u) | (run->is_failed ? FLAG_FAILED : 0u) |
           (now - run->wall_late < late_shown && !run->is_paused ? FLAG_LATE : 0u);
}

// the lock is held
static bool make_room(LiveRun* run, size_t size) {
    if (size > run->n_record) {
        unsigned char* grown = realloc(run->record, size);
        if (!grown) {
            return false;
        }
        run->record = grown;
    }
    run->n_record = size;
    return true;
}

void live_publish(LiveRun* run, double t, double now) {
    LiveModel* live = run->live;
    live_model_show(live, t);
    int n = elv_view_n_value(live->view);
    pthread_mutex_lock(&run->lock);
    if (make_room(run, N_HEADER + 4 * (size_t)n)) {
        put_f64(run->record, live->shown->t);
        put_f32(run->record + 8, run->step_ms);
        put_f32(run->record + 12, run->n_iteration);
        put_f32(run->record + 16, run->ratio);
        put_u32(run->record + 20, flags_of(run, now));
        for (int i = 0; i < n; i++) {
            put_f32(run->record + N_HEADER + 4 * (size_t)i, live->value[i]);
        }
        serve_publish(run->serve, run->record, run->n_record);
    }
    pthread_mutex_unlock(&run->lock);
}

void live_run_watch(LiveRun* run) {
    pthread_mutex_lock(&run->lock);
    bool is_long = run->wall_step > 0.0 && cli_clock() - run->wall_step > long_step;
    if (is_long && run->n_record >= N_HEADER) {
        run->record[20] |= FLAG_LATE;
        serve_publish(run->serve, run->record, run->n_record);
    }
    pthread_mutex_unlock(&run->lock);
}
