// SPDX-License-Identifier: Apache-2.0
// Closing of loops without forces: configurations and velocities that satisfy the constraints, by the
// smallest changes. A change is measured by the mass matrix, which the tree solve inverts:
//     [ M B ] [ d ]       [ 0 ]
//     [ J 0 ] [ . ]  =  - [ c ],   c the defects of positions or of velocities.
#include "multibody/tidm.h"
#include "solve/newton.h"

#include <math.h>
#include <string.h>

/// Loops with a larger gap than this, relative to the size of the robot, are open.
static const double OPEN = 1e-9;

/// Of the robot's mass, that modes of rods move at least by a turn.
static const double PART = 0.01;

double elv_constraint_defect(ElvProblem* problem, const ElvState* state, int level, double* c) {
    const ElvModel* model = problem->model;
    double worst = 0.0;
    elv_kinematics(model, problem->data, state);
    elv_border_motion(model, problem->data, state, level, 0.0, c);
    for (int k = 0; k < model->nz; k++) {
        worst = isfinite(c[k]) ? fmax(worst, fabs(c[k])) : INFINITY;
    }
    return worst;
}

// Thin rods twist with next to no inertia, and would close a loop by many turns: their modes weigh as much more as
// a turn of a part of the robot, and coordinates of a robot without mass weigh something.
static void weigh_turns(ElvProblem* problem) {
    const ElvModel* model = problem->model;
    double mass = elv_model_mass(model);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        int n = node->joint->n_v;
        double reach = model->size * (node->info.is_rod ? node->info.length : 1.0);
        double weight = mass > 0.0 ? (node->info.is_rod ? PART * mass : 0.0) : 1.0;
        for (int k = 0; k < n; k++) {
            problem->data->tangent[j].Qq[k * n + k] += weight * reach * reach;
        }
    }
}

// the shortest motion, measured by the mass, that takes away defects c behind a zero residual
static bool undo_defects(ElvProblem* problem, ElvState* state, int level) {
    const ElvModel* model = problem->model;
    elv_residual(model, problem->data, state, problem->residual);
    elv_channel_pass(model, problem->data, state);
    elv_border_motion(model, problem->data, state, level, 0.0, problem->residual + model->nv);
    memset(problem->residual, 0, (size_t)model->nv * sizeof *problem->residual);
    elv_tidm_pass(model, problem->data, state, NULL, 0.0, 1.0);
    if (level == 0) {
        weigh_turns(problem);
    }
    return elv_solve_tangent(problem, state, true);
}

// a fraction of the motion in d_nu from the configuration from q_n on
static void move_by(ElvProblem* problem, double fraction, ElvState* state) {
    size_t nv = (size_t)state->nv;
    for (size_t i = 0; i < nv; i++) {
        problem->nu[i] = fraction * problem->d_nu[i];
        problem->w[i] = problem->w_dot[i] = 0.0;
    }
    elv_chart_state(problem->model, problem->q_n, problem->nu, problem->w, problem->w_dot,
                    problem->state);
    memcpy(state->q, problem->state->q, (size_t)state->nq * sizeof(double));
}

// defects of positions, with sliders at their nearest stations
static double measure_gap(ElvProblem* problem, ElvState* state) {
    elv_device_place(problem->model, problem->data, state);
    return elv_constraint_defect(problem, state, 0, problem->trial);
}

double elv_close_position(ElvProblem* problem, ElvState* state) {
    enum { MAX_ITERATION = 60, MAX_CUT = 12 };
    const double CLOSED = 1e-14 * fmin(1.0, problem->model->size);
    double gap = measure_gap(problem, state);
    problem->state->t = state->t;
    for (int i = 0; i < MAX_ITERATION && gap > CLOSED; i++) {
        if (elv_brake_ask(problem->brake) || !undo_defects(problem, state, 0)) {
            break;
        }
        memcpy(problem->q_n, state->q, (size_t)state->nq * sizeof(double));
        double left = INFINITY;
        for (int cut = 0; cut <= MAX_CUT && !(left < gap); cut++) {
            move_by(problem, ldexp(1.0, -cut), state);
            left = measure_gap(problem, state);
        }
        if (!(left < gap)) {
            memcpy(state->q, problem->q_n, (size_t)state->nq * sizeof(double));
            elv_device_place(problem->model, problem->data, state);
            break;
        }
        gap = left;
    }
    return gap / fmin(1.0, problem->model->size);
}

bool elv_close_velocity(ElvProblem* problem, ElvState* state) {
    if (!undo_defects(problem, state, 1)) {
        return false;
    }
    for (int i = 0; i < state->nv; i++) {
        state->v[i] += problem->d_nu[i];
    }
    return true;
}

const char* elv_close_worst(ElvProblem* problem, const ElvState* state, double* defect) {
    const ElvModel* model = problem->model;
    const char* name = "";
    *defect = 0.0;
    (void)elv_constraint_defect(problem, state, 0, problem->trial);
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = device->i_z; k < device->i_z + device->n_z; k++) {
            // not a number is the worst of all
            if (!isnan(*defect) && !(fabs(problem->trial[k]) <= *defect)) {
                *defect = fabs(problem->trial[k]);
                name = device->name;
            }
        }
    }
    return name;
}

const char* elv_close_field(const ElvModel* model, const char* name) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (strcmp(device->ops->kind, "loop") == 0 && strcmp(device->name, name) == 0) {
            return "between";
        }
    }
    return "";
}

ElvStatus elv_close_start(ElvProblem* problem, ElvState* state, double* opened, ElvError* error) {
    if (!problem->model->is_constrained) {
        return ELV_OK;
    }
    elv_state_impose(problem->model, state);
    *opened = measure_gap(problem, state);
    if (elv_close_position(problem, state) <= OPEN) {
        return ELV_OK;
    }
    double defect = 0.0;
    const char* name = elv_close_worst(problem, state, &defect);
    return elv_error_set(error, ELV_ERROR_NUMERIC, name, elv_close_field(problem->model, name),
                         "'%s' cannot be closed at the start: %.3g (m or rad) are left; give an "
                         "initial configuration nearer to a closed one, or look whether its frames "
                         "can meet at all",
                         name, defect);
}

void elv_close_step(ElvProblem* problem, double t_end, ElvState* state) {
    double t = state->t;
    state->t = t_end;
    (void)elv_close_velocity(problem, state);
    state->t = t;
}

void elv_closure_watch(ElvProblem* problem, const ElvState* state, ElvClosureReport* closure) {
    double gap = elv_constraint_defect(problem, state, 0, problem->trial);
    double drift = elv_constraint_defect(problem, state, 1, problem->trial);
    closure->gap = fmax(closure->gap, gap);
    closure->drift = fmax(closure->drift, drift);
}
