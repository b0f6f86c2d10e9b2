// SPDX-License-Identifier: Apache-2.0
// Mounting of loops where no path leads to a closed equilibrium: a straight rod that is to be shortened
// cannot begin to bend by itself. Its shape is disturbed a little, closed by the shortest motion, and
// left to relax.
#include "solve/statics.h"

#include <math.h>
#include <string.h>

/// Loops with a larger gap than this, relative to the size of the robot, are open.
static const double OPEN = 1e-8;

/// Disturbances that are tried: turns of a joint or over the length of a rod, rad.
static const double DISTURBANCE[] = {0.05, 0.3, 1.0};
enum { N_DISTURBANCE = sizeof DISTURBANCE / sizeof DISTURBANCE[0] };

bool elv_statics_is_open(ElvStaticsSolver* solver, double t) {
    ElvProblem* problem = &solver->problem;
    const ElvModel* model = problem->model;
    double worst = 0.0;
    if (!model->is_constrained) {
        return false;
    }
    double t_now = solver->now->t;
    solver->now->t = t;
    bool is_finite = isfinite(elv_constraint_defect(problem, solver->now, 0, problem->trial));
    solver->now->t = t_now;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < device->n_z; k++) {
            // springs give, and velocities say nothing of where they lead
            bool is_loose = device->ops->is_loose && device->ops->is_loose(device, k);
            worst = is_loose ? worst : fmax(worst, fabs(problem->trial[device->i_z + k]));
        }
    }
    return !is_finite || worst > OPEN * fmin(1.0, model->size);
}

// a number in [-1, 1] from a counter
static double scatter(unsigned* counter) {
    *counter = *counter * 1664525u + 1013904223u;
    return (double)(*counter >> 8) / 8388608.0 - 1.0;
}

// move every joint and rod that is free to by a turn of that size
static void disturb(ElvProblem* problem, ElvState* state, double turn) {
    const ElvModel* model = problem->model;
    unsigned counter = 7;
    elv_problem_chart(problem, state);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        double length = node->info.is_rod ? node->info.length : 1.0;
        for (int k = node->i_v; k < node->i_v + node->joint->n_v; k++) {
            problem->nu[k] = model->is_driven[k] ? 0.0 : turn / length * scatter(&counter);
            problem->w[k] = problem->w_dot[k] = 0.0;
        }
    }
    problem->state->t = state->t;
    elv_chart_state(model, problem->q_n, problem->nu, problem->w, problem->w_dot, problem->state);
    memcpy(state->q, problem->state->q, (size_t)state->nq * sizeof(double));
}

// the equilibrium to which a shape beside solver->guess relaxes at load t
static ElvStatus
relax_from(ElvStaticsSolver* solver, double t, double turn, ElvNewtonReport* newton) {
    elv_state_copy(solver->now, solver->guess);
    solver->now->t = t;
    // multipliers of where it came from say nothing
    elv_device_release(solver->problem.model, solver->now->z);
    disturb(&solver->problem, solver->now, turn);
    if (elv_close_position(&solver->problem, solver->now) > OPEN) {
        return ELV_ERROR_NUMERIC;
    }
    return elv_statics_rescue(solver, t, newton);
}

ElvStatus elv_statics_reassemble(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton) {
    elv_state_copy(solver->guess, solver->now);
    // the first that is not a saddle, or else any
    for (int pass = 0; pass < 2; pass++) {
        bool has_any = false;
        for (int i = 0; i < N_DISTURBANCE && !solver->brake.is_on; i++) {
            if (relax_from(solver, t, DISTURBANCE[i], newton) != ELV_OK) {
                continue;
            }
            elv_statics_check(solver);
            if (pass == 1 || solver->nature.stability != ELV_STABILITY_UNSTABLE) {
                return ELV_OK;
            }
            has_any = true;
        }
        if (!has_any) {
            break;
        }
    }
    return ELV_ERROR_NUMERIC;
}

bool elv_statics_can_close(ElvStaticsSolver* solver, double t, const char** loop, double* left) {
    ElvProblem* problem = &solver->problem;
    *loop = "";
    *left = 0.0;
    for (int i = -1; i < N_DISTURBANCE && problem->model->is_constrained; i++) {
        elv_state_copy(solver->saddle, solver->now);
        solver->saddle->t = t;
        if (i >= 0) {
            disturb(problem, solver->saddle, DISTURBANCE[i]);
        }
        if (elv_close_position(problem, solver->saddle) <= OPEN) {
            return true;
        }
        double own = 0.0;
        const char* name = elv_close_worst(problem, solver->saddle, &own);
        if (i < 0 || own < *left) {
            *loop = name;
            *left = own;
        }
    }
    return !problem->model->is_constrained;
}
