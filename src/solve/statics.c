// SPDX-License-Identifier: Apache-2.0
// Equilibria of a tree: the residual of the dynamics without motion vanishes      [P20 (44), P23 (22)].
// Newton from the last equilibrium with the exact tangent and the tree solve; what to do when it
// fails is in statics_path.c and statics_relax.c.
#include "solve/statics.h"

#include "multibody/device.h"
#include "multibody/rod_contact.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A given state with no more than this relative residual is an equilibrium, if only a rough one.
static const double BALANCED = 1e-7;

/// Constraints may leave motions that cost nothing, such as the turn of a loop about its axis.
static const double SOFTENING = 1e-9;

// ---- the solver

ElvStatus elv_statics_create(const ElvModel* model,
                             const ElvStaticsDef* options,
                             ElvStaticsSolver* solver,
                             ElvError* error) {
    memset(solver, 0, sizeof *solver);
    solver->options = *options;
    solver->newton.tol = options->tolerance;
    solver->newton.max_iterations = options->max_iterations;
    size_t nv = (size_t)model->nv;
    size_t n_block = 0;
    for (int j = 0; j < model->n_node; j++) {
        n_block += (size_t)model->node[j].joint->n_v * (size_t)model->node[j].joint->n_v;
    }
    ElvStatus status = elv_rod_contact_refuse(model, error);
    if (status == ELV_OK) {
        status = elv_problem_create(model, &solver->problem, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &solver->now, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &solver->guess, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &solver->saddle, error);
    }
    if (status == ELV_OK && model->is_constrained && model->nv <= ELV_STATICS_MAX_DENSE) {
        status = elv_matrices_create(model, &solver->matrices, error);
    }
    if (status == ELV_OK && options->method == ELV_STATICS_PROJECTIVE) {
        status = elv_projection_create(model, &solver->projection, error);
    }
    if (status == ELV_OK) {
        solver->nu_past = calloc(3 * nv + n_block + 1, sizeof *solver->nu_past);
        status = solver->nu_past ? ELV_OK
                                 : elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    if (status != ELV_OK) {
        elv_statics_free(solver);
        return status;
    }
    solver->scale = solver->nu_past + nv;
    solver->bare = solver->nu_past + 2 * nv;
    solver->D = solver->nu_past + 3 * nv;
    solver->brake = elv_brake(&options->stop);
    solver->problem.brake = &solver->brake;
    solver->problem.is_static = true;
    solver->problem.data->is_static = true;
    solver->problem.data->softening = model->is_constrained ? SOFTENING : 0.0;
    elv_statics_forget(solver);
    return ELV_OK;
}

void elv_statics_free(ElvStaticsSolver* solver) {
    if (solver->problem.model) {
        elv_problem_free(&solver->problem);
    }
    elv_state_free(solver->now);
    elv_state_free(solver->guess);
    elv_state_free(solver->saddle);
    elv_matrices_free(&solver->matrices);
    elv_projection_free(solver->projection);
    free(solver->nu_past);
    memset(solver, 0, sizeof *solver);
}

void elv_statics_forget(ElvStaticsSolver* solver) {
    assert(solver->scale);
    solver->x_past = 0.0;
    solver->nature = (ElvTangentNature){-1, 0, ELV_STABILITY_UNKNOWN};
    memset(solver->scale, 0, (size_t)solver->now->nv * sizeof *solver->scale);
}

void elv_statics_halt(ElvState* state) {
    memset(state->v, 0, (size_t)state->nv * sizeof *state->v);
    memset(state->a, 0, (size_t)state->nv * sizeof *state->a);
}

void elv_statics_count(ElvStaticsSolver* solver, const ElvNewtonReport* newton) {
    solver->report.n_iteration += newton->n_iteration;
    solver->report.n_jacobian += newton->n_jacobian;
    solver->report.n_evaluation += newton->n_evaluation;
}

ElvStatus elv_statics_newton(ElvStaticsSolver* solver, ElvNewtonReport* newton) {
    memcpy(solver->problem.scale, solver->scale, (size_t)solver->now->nv * sizeof(double));
    ElvStatus status = elv_newton_solve(&solver->problem, &solver->newton, newton);
    elv_statics_count(solver, newton);
    return status;
}

void elv_statics_accept(ElvStaticsSolver* solver, double t, double x) {
    const ElvProblem* problem = &solver->problem;
    size_t nv = (size_t)solver->now->nv;
    memcpy(solver->now->q, problem->state->q, (size_t)solver->now->nq * sizeof(double));
    memcpy(solver->now->z, problem->state->z, (size_t)solver->now->nz * sizeof(double));
    elv_statics_halt(solver->now);
    solver->now->t = t;
    memcpy(solver->nu_past, problem->nu, nv * sizeof(double));
    memcpy(solver->scale, problem->scale, nv * sizeof(double));
    solver->x_past = x;
    solver->report.n_increment++;
}

// ---- one load

// whether everything that acts at load t is a number
static bool is_finite_at(ElvStaticsSolver* solver, double t) {
    ElvProblem* problem = &solver->problem;
    problem->state->t = t;
    elv_problem_chart(problem, solver->now);
    memset(problem->nu, 0, (size_t)solver->now->nv * sizeof(double));
    solver->report.n_evaluation++;
    return isfinite(elv_problem_evaluate(problem, problem->nu));
}

static ElvStatus search(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton) {
    elv_state_copy(solver->guess, solver->now);
    if (solver->options.method != ELV_STATICS_NEWTON) {
        bool is_projective = solver->options.method == ELV_STATICS_PROJECTIVE;
        ElvStatus status = is_projective
                               ? elv_statics_project(solver, t, newton)
                               : elv_statics_relax(solver, t, solver->options.max_steps, newton);
        if (status != ELV_OK) {
            elv_state_copy(solver->now, solver->guess);
        }
        return status;
    }
    if (!solver->is_balanced) {
        return elv_statics_first(solver, t, newton);
    }
    return elv_statics_follow(solver, t, newton);
}

// the equilibrium at load t, from solver->now
static ElvStatus find(ElvStaticsSolver* solver, double t, ElvError* error) {
    ElvNewtonReport newton = {.singular_node = -1};
    if (elv_device_check(solver->problem.model, t, error) != ELV_OK) {
        return ELV_ERROR_NUMERIC;
    }
    if (!is_finite_at(solver, t)) {
        return elv_statics_fail_infinite(solver, t, error);
    }
    ElvStatus status = search(solver, t, &newton);
    solver->report.t_reached = solver->now->t;
    if (solver->brake.is_on) {
        return elv_statics_fail_stopped(solver, t, error);
    }
    if (status != ELV_OK) {
        return elv_statics_fail_search(solver, t, &newton, error);
    }
    elv_statics_check(solver);
    if (solver->nature.stability == ELV_STABILITY_UNSTABLE && !solver->is_balanced) {
        elv_statics_leave_saddle(solver, t, &newton);
    }
    if (solver->brake.is_on) {
        return elv_statics_fail_stopped(solver, t, error);
    }
    solver->report.stability = solver->nature.stability;
    solver->report.last_iterations = newton.n_iteration;
    solver->report.last_residual = newton.residual;
    // a closed robot may have motions that cost nothing, such as the turn of a ring about its axis
    int i_free = solver->nature.i_free;
    if (i_free >= 0 && !solver->problem.model->is_constrained) {
        return elv_statics_fail_free(solver, t, error);
    }
    solver->report.loose = i_free >= 0 ? solver->problem.model->node[i_free].name : NULL;
    if (elv_device_range(solver->problem.model, solver->now, error) != ELV_OK) {
        return ELV_ERROR_NUMERIC;
    }
    solver->report.n_load++;
    if (solver->problem.model->is_constrained) {
        ElvClosureReport* closure = &solver->report.closure;
        double gap = elv_constraint_defect(&solver->problem, solver->now, 0, solver->problem.trial);
        closure->gap = fmax(closure->gap, gap);
        closure->n_redundant =
            elv_border_redundant(solver->problem.model, solver->problem.data, &closure->redundant);
    }
    solver->is_balanced = true;
    return ELV_OK;
}

// Take a state over, and see whether it is an equilibrium at its own t. What is left of its residual is
// compared with the efforts there and at load t, where the path is to go: where nothing acts, rounding is
// all there is.
static void take_state(ElvStaticsSolver* solver, const ElvState* state, double t) {
    ElvProblem* problem = &solver->problem;
    elv_state_copy(solver->now, state);
    elv_state_impose(problem->model, solver->now);
    elv_statics_halt(solver->now);
    elv_device_place(problem->model, problem->data, solver->now);
    memset(problem->scale, 0, (size_t)problem->n * sizeof *problem->scale);
    (void)is_finite_at(solver, t);
    solver->is_balanced =
        is_finite_at(solver, state->t) &&
        elv_problem_evaluate(problem, problem->nu) <= fmax(BALANCED, solver->options.tolerance);
    elv_statics_forget(solver);
}

// the memory of an integrator does not survive
static void hand_out(const ElvStaticsSolver* solver, ElvState* state) {
    elv_state_copy(state, solver->now);
    memset(state->aux, 0, (size_t)state->nv * sizeof *state->aux);
    memset(state->nu_past, 0, (size_t)state->nv * sizeof *state->nu_past);
    memset(state->w_past, 0, (size_t)state->nv * sizeof *state->w_past);
    state->step_past = 0.0;
}

ElvStatus elv_statics_solve(const ElvModel* model,
                            ElvState* state,
                            double t,
                            const ElvStaticsDef* options,
                            ElvStaticsReport* report,
                            ElvError* error) {
    ElvStaticsSolver solver;
    elv_error_clear(error);
    ElvStatus status = elv_statics_create(model, options, &solver, error);
    if (status != ELV_OK) {
        return status;
    }
    take_state(&solver, state, t);
    status = find(&solver, t, error);
    if (status == ELV_OK) {
        hand_out(&solver, state);
    }
    if (report) {
        *report = solver.report;
    }
    elv_statics_free(&solver);
    return status;
}

// ---- a whole path

ElvStaticsOptions elv_statics_options_default(const ElvModel* model) {
    ElvStaticsOptions options = {.method = elv_model_statics(model)};
    return options;
}

static double first_load(const ElvStaticsOptions* options) {
    return options->method.n_load > 0 ? options->method.load[0] : 0.0;
}

static ElvStatus step_through(ElvStaticsSolver* solver,
                              const ElvStaticsOptions* options,
                              ElvState* state,
                              ElvStaticsReport* report,
                              ElvError* error) {
    const ElvModel* model = solver->problem.model;
    int n_load = options->method.n_load;
    for (int i = 0; i < (n_load > 0 ? n_load : 1); i++) {
        double t = n_load > 0 ? options->method.load[i] : 0.0;
        ElvStatus status = find(solver, t, error);
        // a path from the initial shape is one way, from no load at all another
        if (status == ELV_ERROR_NUMERIC && i == 0 && solver->is_balanced) {
            take_state(solver, state, t);
            solver->is_balanced = false;
            status = find(solver, t, error);
        }
        if (status != ELV_OK) {
            return status;
        }
        hand_out(solver, state);
        elv_idm(model, solver->problem.data, state, solver->problem.trial);
        // callers may look at what was done so far
        if (report) {
            *report = solver->report;
        }
        if (options->record &&
            !options->record(options->user, model, solver->problem.data, state)) {
            return elv_error_set(error, ELV_ERROR_CANCELLED, "", "",
                                 "stopped by the caller at load %.9g", t);
        }
    }
    return ELV_OK;
}

ElvStatus elv_statics_run_modes(const ElvModel* model,
                                ElvState* state,
                                const ElvStaticsOptions* options,
                                ElvStaticsReport* report,
                                ElvError* error) {
    ElvStaticsSolver solver;
    elv_error_clear(error);
    ElvStatus status = elv_statics_create(model, &options->method, &solver, error);
    if (status != ELV_OK) {
        return status;
    }
    take_state(&solver, state, first_load(options));
    status = step_through(&solver, options, state, report, error);
    if (report) {
        *report = solver.report;
    }
    elv_statics_free(&solver);
    return status;
}
