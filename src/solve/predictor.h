// SPDX-License-Identifier: Apache-2.0
// First guesses of the increment of a time step.
#ifndef ELVER_SOLVE_PREDICTOR_H
#define ELVER_SOLVE_PREDICTOR_H

#include "solve/newton.h"
#include "solve/scheme.h"

/// The guesses, from the boldest.
typedef enum {
    ELV_PREDICT_AS_BEFORE, // accelerations go on changing, as far as they can be trusted
    ELV_PREDICT_CONSTANT_VELOCITY,
    ELV_PREDICT_REST,
    ELV_N_PREDICTOR,
} ElvPredictor;

/// A guess of problem->nu for a step of length dt from a state whose rates in its chart are w.
void elv_predict(ElvProblem* problem,
                 const ElvScheme* scheme,
                 ElvPredictor predictor,
                 double dt,
                 const ElvState* state,
                 const double* w);

/// The guesses in the order to try, the first of them in problem->nu. Without a step before, nothing is
/// known of accelerations: then guesses are evaluated and the best comes first. Returns the number of
/// evaluations.
int elv_predictor_order(ElvProblem* problem,
                        const ElvScheme* scheme,
                        double dt,
                        const ElvState* state,
                        const double* w,
                        ElvPredictor order[ELV_N_PREDICTOR]);

#endif
