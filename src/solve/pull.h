// SPDX-License-Identifier: Apache-2.0
// Unilateral feasibility [ALI section 6.5]: contacts that can only push are solved as if they held
// both ways, and those that would have to pull are remembered, with the time and the force.
#ifndef ELVER_SOLVE_PULL_H
#define ELVER_SOLVE_PULL_H

#include "elver/integrate.h"

typedef struct {
    bool is_wanted; // some contact can only push
    double size;    // force that pulls are compared with: the largest so far, N
    ElvContactReport report;
} ElvPullWatch;

ElvPullWatch elv_pull_watch(const ElvModel* model);

/// Look at the reactions of a state. Runs the forward pass.
void elv_pull_look(ElvPullWatch* watch,
                   const ElvModel* model,
                   ElvData* data,
                   const ElvState* state);

#endif
