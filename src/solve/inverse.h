// SPDX-License-Identifier: Apache-2.0
// Inside of an ElvInverse: the mechanism in motion.
#ifndef ELVER_SOLVE_INVERSE_H
#define ELVER_SOLVE_INVERSE_H

#include "elver/inverse.h"
#include "solve/mobility.h"
#include "solve/newton.h"

struct ElvInverse {
    const ElvModel* model;
    ElvProblem problem;
    ElvMobility mobility;
    ElvState* now;       // last motion found
    ElvState* next;      // the one in the making
    double* q;           // its prediction         (nq)
    bool was_determined; // at some time drives and loops left nothing free
    long n_step;
};

/// The motion at the time of a state, from its configuration, which is closed. t_closed: how far the mechanism
/// was followed so far, or NaN.
ELV_NODISCARD ElvStatus elv_inverse_solve(ElvInverse* self,
                                          ElvState* state,
                                          double t_closed,
                                          ElvError* error);

/// elv_inverse_run for joints; its dispatcher, which knows all kinds, is src/strong/inverse_method.c.
ELV_NODISCARD ElvStatus elv_inverse_run_joints(const ElvModel* model,
                                               ElvState* state,
                                               const ElvInverseOptions* options,
                                               ElvInverseReport* report,
                                               ElvError* error);

/// Follow the mechanism from self->now to t.
ELV_NODISCARD ElvStatus elv_inverse_follow(ElvInverse* self, double t, ElvError* error);

#endif
