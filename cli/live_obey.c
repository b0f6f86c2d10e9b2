// SPDX-License-Identifier: Apache-2.0
// Commands of the page, carried out by the simulation's thread between two steps.
//
// A changed parameter, or a rod that is held at another station, makes another model of the same text. It goes on
// from the state of the old one where their coordinates are the same, and starts again where they are not.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "live_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_STATION = 8 };

void live_anchor(LiveRun* run) {
    run->t_anchor = run->live->state->t;
    run->wall_anchor = cli_clock();
    run->t_shown = run->t_anchor;
    run->wall_shown = run->wall_anchor;
    run->is_dirty = true;
}

void live_fail(LiveRun* run, const char* what, const ElvError* error) {
    live_tell_error(run, what, error);
    run->is_failed = true;
    run->is_paused = true;
    run->is_dirty = true;
}

// change to a model that was made from the source; if it does not start the old one stays
static bool replace(LiveRun* run, ElvError* error) {
    LiveModel* made = NULL;
    LiveModel* old = run->live;
    if (live_model_create(&run->source, &made, error) != ELV_OK) {
        return false;
    }
    bool fits = live_model_fits(made, old);
    live_model_inherit(made, old, fits);
    ElvStatus status = fits ? live_model_adopt(made, old, error) : live_model_start(made, error);
    if (status != ELV_OK) {
        live_model_free(made);
        return false;
    }
    if (!fits) {
        live_tell(run, "the coordinates are others now: the simulation starts again", false);
    }
    // scenes are drawn anew only where they differ
    bool is_same = strcmp(made->description, old->description) == 0 &&
                   made->n_input == old->n_input && made->n_parameter == old->n_parameter;
    // poses of what can be pulled
    live_model_show(made, made->state->t);
    run->live = made;
    live_model_free(old);
    run->is_failed = false;
    live_anchor(run);
    run->is_scene_old = true;
    if (!is_same) {
        live_send_scene(run);
    }
    return true;
}

static void set_input(LiveRun* run, const LiveCommand* command) {
    LiveInput* input = live_model_input(run->live, command->name);
    if (!input) {
        live_tell(run, "there is no such input", true);
        return;
    }
    live_model_take(run->live, &input->law, command->value);
    run->is_dirty = true;
    run->is_scene_old = true;
}

// the value of an override, added or changed
static bool put_override(CliOverrides* list, const char* key, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    for (int i = 0; i < list->n; i++) {
        if (strcmp(list->item[i].key, key) == 0) {
            char* copy = strdup(text);
            if (!copy) {
                return false;
            }
            free((char*)list->item[i].value);
            list->item[i].value = copy;
            return true;
        }
    }
    return cli_override(list, NULL, key, text);
}

static void set_parameter(LiveRun* run, const LiveCommand* command) {
    double old = NAN;
    for (int i = 0; i < run->live->n_parameter; i++) {
        if (strcmp(run->live->parameter[i].name, command->name) == 0) {
            old = run->live->parameter[i].value;
        }
    }
    if (isnan(old)) {
        live_tell(run, "there is no such parameter", true);
        return;
    }
    ElvError error;
    elv_error_clear(&error);
    if (put_override(&run->source.overrides, command->name, command->value) &&
        !replace(run, &error)) {
        live_tell_error(run, "this value does not go", &error);
        (void)put_override(&run->source.overrides, command->name, old);
    }
    // the field of the page goes back where the value was refused
    live_send_values(run, true);
}

// hold a rod somewhere else: at one of a few stations, each of which cuts it in two for the quadrature
static LiveHandle* hold(LiveRun* run, const LiveCommand* command) {
    LiveHandle* handle = live_model_handle(run->live, command->name);
    double station = round(command->station * N_STATION) / N_STATION;
    if (!handle || !handle->is_rod || handle->station == station) {
        return handle;
    }
    LiveSource* source = &run->source;
    char rod[ELV_SIZE_NAME];
    memcpy(rod, source->rod, sizeof rod);
    double before = source->station;
    snprintf(source->rod, sizeof source->rod, "%.95s", command->name);
    source->station = station;
    ElvError error;
    elv_error_clear(&error);
    if (!replace(run, &error)) {
        // a station that cannot be held is held at the one before
        memcpy(source->rod, rod, sizeof rod);
        source->station = before;
    }
    return live_model_handle(run->live, command->name);
}

static void pull(LiveRun* run, const LiveCommand* command) {
    bool is_end = elv_vec3_norm(command->force) == 0.0;
    LiveHandle* handle = is_end ? live_model_handle(run->live, command->name) : hold(run, command);
    if (!handle) {
        live_tell(run, "there is no such body or rod", true);
        return;
    }
    live_handle_pull(run->live, handle, command->point, command->force);
    run->is_dirty = true;
}

static void reset(LiveRun* run) {
    LiveModel* live = run->live;
    ElvError error;
    elv_error_clear(&error);
    for (int i = 0; i < live->n_input; i++) {
        live->input[i].law.is_taken = false;
    }
    for (int i = 0; i < live->n_handle; i++) {
        for (int k = 0; k < 6; k++) {
            live->handle[i].law[k].is_taken = false;
        }
    }
    run->is_failed = live_model_start(live, &error) != ELV_OK;
    if (run->is_failed) {
        live_tell_error(run, "the start", &error);
        run->is_paused = true;
    }
    run->wants_step = false;
    live_anchor(run);
    // the laws of the file, at the time where it begins
    live_model_show(live, live->state->t);
    live_send_scene(run);
}

// after a failure the integrator starts again from the last good state
static void set_pause(LiveRun* run, bool is_paused) {
    ElvError error;
    elv_error_clear(&error);
    if (!is_paused && run->is_failed) {
        run->is_failed = live_model_retry(run->live, &error) != ELV_OK;
        if (run->is_failed) {
            live_tell_error(run, "the simulation does not go on", &error);
        }
    }
    run->is_paused = is_paused || run->is_failed;
    live_anchor(run);
}

void live_obey(LiveRun* run, const LiveCommand* command) {
    switch (command->verb) {
    case LIVE_INPUT:
        set_input(run, command);
        break;
    case LIVE_PARAMETER:
        set_parameter(run, command);
        break;
    case LIVE_FORCE:
        pull(run, command);
        break;
    case LIVE_PAUSE:
        set_pause(run, command->value != 0.0);
        break;
    case LIVE_STEP:
        run->wants_step = true;
        break;
    case LIVE_RESET:
        reset(run);
        break;
    case LIVE_SPEED:
        run->speed = command->value;
        live_anchor(run);
        break;
    default:
        break;
    }
}
