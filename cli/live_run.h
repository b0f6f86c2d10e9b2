// SPDX-License-Identifier: Apache-2.0
// Inside of the simulation's thread: what its files share.
#ifndef ELVER_CLI_LIVE_RUN_H
#define ELVER_CLI_LIVE_RUN_H

#include "live.h"
#include "progress.h"

#include <pthread.h>

enum { LIVE_QUEUE_MAX = 256 };

struct LiveRun {
    LiveSource source;
    Serve* serve;
    pthread_t thread;
    bool is_running; // the thread is there

    // of the thread alone
    LiveModel* live;
    double speed;
    double t_anchor, wall_anchor;
    double t_shown, wall_shown; // of the last frame
    double ratio;
    double wall_late; // when it was late last
    double step_ms;   // processor time of a step
    int n_iteration;  // of the last step
    bool is_paused, is_failed, is_dirty;
    bool wants_step;
    bool is_watched;    // a page has drawn its first record
    double wall_values; // when the page was told about inputs last
    bool is_scene_old;  // the page that comes next must see other values
    bool has_hinted;    // that it is late

    pthread_mutex_t lock; // of all below
    pthread_cond_t news;
    LiveCommand queue[LIVE_QUEUE_MAX];
    int n_queue;
    bool is_over;
    bool has_page;    // a page has said that it is ready
    double wall_step; // when the step under way began; 0: none is
    unsigned char* record;
    size_t n_record;
};

// live_record.c: what the page is told

void live_tell(LiveRun* run, const char* message, bool is_error);
void live_tell_error(LiveRun* run, const char* what, const ElvError* error);

/// The scene, to every page; the record before it is of no use any more.
void live_send_scene(LiveRun* run);

/// The scene with its values of now, for pages that come later.
void live_keep_scene(LiveRun* run);

/// Values of inputs and, where they were changed or refused, of parameters, to every page.
void live_send_values(LiveRun* run, bool has_parameters);

/// Now and then, if some input has another value than the page was told.
void live_tell_values(LiveRun* run, double now);

/// The state at t, or the nearest one that is known.
void live_publish(LiveRun* run, double t, double now);

// live_obey.c: commands

void live_obey(LiveRun* run, const LiveCommand* command);

/// Simulated time goes on from where it is now.
void live_anchor(LiveRun* run);

/// The simulation cannot go on; it stays at its last good state.
void live_fail(LiveRun* run, const char* what, const ElvError* error);

#endif
