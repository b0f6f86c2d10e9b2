// SPDX-License-Identifier: Apache-2.0
// First guesses of the increment of a time step.
//
// Extrapolation is best for motions that the step resolves, and worse than nothing for those that it
// does not: their accelerations change sign many times within the step. How far accelerations can be
// trusted is seen in hindsight: from how much of the last increment they would have foretold, joint by
// joint. That is in the State, and costs no evaluation.
#include "solve/predictor.h"

#include "multibody/model.h"

#include <math.h>

/// A guess that asks for no more than so many times the largest efforts so far needs no rival.
static const double GOOD_GUESS = 1.0;

static void predict_as_before(const ElvModel* model,
                              const ElvScheme* scheme,
                              double dt,
                              const ElvState* state,
                              const double* w,
                              double* nu) {
    elv_scheme_extrapolate(scheme, state->nv, dt, state, w, nu);
    for (int j = 0; j < model->n_node; j++) {
        int first = model->node[j].i_v;
        int n = model->node[j].joint->n_v;
        double trust = elv_scheme_trust(scheme, first, n, state, w);
        for (int i = first; i < first + n; i++) {
            nu[i] = dt * w[i] + trust * (nu[i] - dt * w[i]);
        }
    }
}

void elv_predict(ElvProblem* problem,
                 const ElvScheme* scheme,
                 ElvPredictor predictor,
                 double dt,
                 const ElvState* state,
                 const double* w) {
    problem->is_current = false;
    for (int k = 0; k < state->nz; k++) {
        problem->nu[state->nv + k] = predictor == ELV_PREDICT_REST ? 0.0 : dt * state->z_rate[k];
    }
    if (predictor == ELV_PREDICT_AS_BEFORE) {
        predict_as_before(problem->model, scheme, dt, state, w, problem->nu);
        return;
    }
    for (int i = 0; i < state->nv; i++) {
        problem->nu[i] = predictor == ELV_PREDICT_REST ? 0.0 : dt * w[i];
    }
}

int elv_predictor_order(ElvProblem* problem,
                        const ElvScheme* scheme,
                        double dt,
                        const ElvState* state,
                        const double* w,
                        ElvPredictor order[ELV_N_PREDICTOR]) {
    double norm[ELV_N_PREDICTOR];
    double last = INFINITY;
    int n = 0;
    bool is_enough = state->step_past > 0.0;
    // rivals only where the boldest guess is poor, and only while they are better
    for (; n < ELV_N_PREDICTOR && !is_enough; n++) {
        elv_predict(problem, scheme, (ElvPredictor)n, dt, state, w);
        norm[n] = elv_problem_guess(problem);
        norm[n] = isnan(norm[n]) ? INFINITY : norm[n];
        int place = n;
        for (; place > 0 && norm[n] < norm[order[place - 1]]; place--) {
            order[place] = order[place - 1];
        }
        order[place] = (ElvPredictor)n;
        is_enough = n == 0 ? norm[n] <= GOOD_GUESS : norm[n] > last;
        last = norm[n];
    }
    int n_evaluation = n;
    for (; n < ELV_N_PREDICTOR; n++) {
        order[n] = (ElvPredictor)n;
    }
    // the last one that was evaluated is at hand
    if (n_evaluation == 0 || (int)order[0] != n_evaluation - 1) {
        elv_predict(problem, scheme, order[0], dt, state, w);
    }
    return n_evaluation;
}
