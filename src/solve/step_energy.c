// SPDX-License-Identifier: Apache-2.0
// The energy balance of a time step: kinetic and elastic energy at its ends against the work of all that
// is scaled by the load factor, and of drives, over the increment. A method that damps must not create
// energy; it does so when a step is long for a motion that turns coordinates round, such as a wire that
// unwinds, and goes on to wild motions that satisfy its equations. Robots with controllers or tendons may
// well create energy, and are not asked.
#include "solve/step_energy.h"

#include "multibody/data.h"

#include <math.h>

/// The work is a mean of the ends: right within a factor.
static const double WORK_SAFETY = 2.0;

// what does work on each component at a state
static void push_at(ElvProblem* problem, const ElvState* state, double* push) {
    const ElvModel* model = problem->model;
    problem->data->load = 0.0;
    elv_residual(model, problem->data, state, push);
    problem->data->load = 1.0;
    elv_residual(model, problem->data, state, problem->residual);
    for (int i = 0; i < model->nv; i++) {
        push[i] = model->is_driven[i] ? problem->residual[i] : push[i] - problem->residual[i];
    }
}

double
elv_step_growth(ElvProblem* problem, const ElvState* from, const ElvState* to, const double* nu) {
    if (problem->model->is_active) {
        return 0.0;
    }
    ElvEnergy start = elv_energy(problem->model, problem->data, from);
    ElvEnergy end = elv_energy(problem->model, problem->data, to);
    double stored = start.kinetic + start.elastic;
    double growth = end.kinetic + end.elastic - stored;
    if (growth <= 0.0) {
        return 0.0;
    }
    push_at(problem, from, problem->before);
    push_at(problem, to, problem->trial);
    double work = 0.0;
    for (int i = 0; i < from->nv; i++) {
        work += 0.5 * (problem->before[i] + problem->trial[i]) * nu[i];
    }
    growth -= WORK_SAFETY * fabs(work);
    return growth <= 0.0 ? 0.0 : growth / stored;
}
