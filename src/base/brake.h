// SPDX-License-Identifier: Apache-2.0
// The caller's wish to stop (ElvStop), as solvers carry it: asked once in an iteration, and heard from then on
// without asking again, so that all that would be tried next gives up at once.
#ifndef ELVER_BASE_BRAKE_H
#define ELVER_BASE_BRAKE_H

#include "elver/status.h"

typedef struct {
    ElvStop stop;
    bool is_on; // it has answered true
} ElvBrake;

static inline ElvBrake elv_brake(const ElvStop* stop) {
    ElvBrake brake = {{NULL, NULL}, false};
    if (stop) {
        brake.stop = *stop;
    }
    return brake;
}

/// Whether to stop; brake may be NULL.
static inline bool elv_brake_ask(ElvBrake* brake) {
    if (!brake || !brake->stop.is_stopped) {
        return false;
    }
    brake->is_on = brake->is_on || brake->stop.is_stopped(brake->stop.user);
    return brake->is_on;
}

/// Whether that was so when it was asked last; brake may be NULL.
static inline bool elv_brake_is_on(const ElvBrake* brake) {
    return brake && brake->is_on;
}

#endif
