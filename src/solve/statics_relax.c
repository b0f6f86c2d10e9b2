// SPDX-License-Identifier: Apache-2.0
// Quasi-static relaxation                                                                [P20 (45)]
//     D q_dot + K q = -Q_c(q, t)
// at a fixed load t, in a fictitious time, by backward Euler until the motion dies. D is mu times the
// stiffness of rods and joints, and the damping of the model; a joint that has neither is slowed down
// by its mass over mu. Steps grow while they are easy, and are cut when Newton fails or when a step
// goes up the slope: so a shape leaves an equilibrium that is not stable.
#include "multibody/tidm.h"
#include "solve/statics.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 12, EASY_ITERATIONS = 4, RESCUE_STEPS = 200 };

/// A shape that has moved farther than this runs away.
static const double FAR = 1e6;

// masses of the coordinates, for those that nothing else holds
static void weigh(ElvStaticsSolver* solver) {
    const ElvModel* model = solver->problem.model;
    ElvData* data = solver->problem.data;
    elv_mass_matrix(model, data, solver->now, data->M);
    for (int i = 0; i < model->nv; i++) {
        solver->bare[i] = data->M[(size_t)i * (size_t)model->nv + (size_t)i];
    }
}

// D about solver->now: without loads, at rest, the tangent is that of springs and dampers alone
static void set_damping(ElvStaticsSolver* solver) {
    ElvProblem* problem = &solver->problem;
    const ElvModel* model = problem->model;
    double mu = solver->options.damping;
    double* D = solver->D;
    memset(problem->nu, 0, (size_t)model->nv * sizeof *problem->nu);
    problem->data->load = 0.0;
    elv_residual(model, problem->data, solver->now, problem->residual);
    elv_tidm_pass(model, problem->data, solver->now, problem->nu, 1.0 / mu, 0.0);
    problem->data->load = 1.0;
    for (int j = 0; j < model->n_node; j++) {
        int n = model->node[j].joint->n_v;
        const double* Qq = problem->data->tangent[j].Qq;
        const double* N0 = problem->data->unknown[j].N0;
        for (int i = 0; i < n; i++) {
            bool is_bare = Qq[i * n + i] == 0.0;
            double mass = is_bare ? solver->bare[model->node[j].i_v + i] / mu : 0.0;
            for (int k = 0; k < n; k++) {
                D[i * n + k] = mu * Qq[i * n + k] + mass * (N0 ? N0[i * n + k] : i == k);
            }
        }
        D += (size_t)n * (size_t)n;
    }
}

// residual of the step of length dt, from the static one at problem->nu; its norm
static double step_residual(ElvStaticsSolver* solver, double dt) {
    ElvProblem* problem = &solver->problem;
    const ElvModel* model = problem->model;
    const double* D = solver->D;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        int n = node->joint->n_v;
        for (int i = 0; i < n && !node->joint->is_motion_driven; i++) {
            for (int k = 0; k < n; k++) {
                problem->residual[node->i_v + i] += D[i * n + k] / dt * problem->nu[node->i_v + k];
            }
        }
        D += (size_t)n * (size_t)n;
    }
    return elv_residual_norm(model->nv, problem->residual, problem->scale);
}

// one Newton iteration of the step
static bool correct(ElvStaticsSolver* solver, double dt) {
    ElvProblem* problem = &solver->problem;
    const ElvModel* model = problem->model;
    const double* D = solver->D;
    elv_tidm_pass(model, problem->data, problem->state, problem->nu, 0.0, 0.0);
    for (int j = 0; j < model->n_node; j++) {
        size_t size = (size_t)model->node[j].joint->n_v * (size_t)model->node[j].joint->n_v;
        for (size_t i = 0; i < size; i++) {
            problem->data->tangent[j].Qq[i] += D[i] / dt;
        }
        D += size;
    }
    solver->report.n_jacobian++;
    if (elv_tree_factor(model, problem->data) >= 0) {
        return false;
    }
    elv_tree_solve(model, problem->data, problem->residual, problem->d_nu);
    for (int i = 0; i < model->nv; i++) {
        problem->nu[i] += problem->d_nu[i];
        if (!isfinite(problem->nu[i])) {
            return false;
        }
    }
    return true;
}

// backward Euler over dt; returns the iterations it took, 0 when it failed
static int try_step(ElvStaticsSolver* solver, double dt, double start) {
    ElvProblem* problem = &solver->problem;
    double goal = fmax(1e-3 * start, 0.1 * solver->options.tolerance);
    for (int i = 1; i <= MAX_ITERATIONS; i++) {
        if (!correct(solver, dt)) {
            return 0;
        }
        (void)elv_problem_evaluate(problem, problem->nu);
        solver->report.n_evaluation++;
        solver->report.n_iteration++;
        double norm = step_residual(solver, dt);
        if (!isfinite(norm)) {
            return 0;
        }
        if (norm <= goal) {
            return i;
        }
    }
    return 0;
}

// slope of the energy in the chart of solver->now, kept in nu_past; norm of the residual there
static double start_step(ElvStaticsSolver* solver) {
    ElvProblem* problem = &solver->problem;
    const ElvModel* model = problem->model;
    elv_problem_chart(problem, solver->now);
    set_damping(solver);
    double norm = elv_problem_evaluate(problem, problem->nu);
    solver->report.n_evaluation++;
    memcpy(solver->nu_past, problem->residual, (size_t)model->nv * sizeof(double));
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        int n = node->joint->n_v;
        const double* N0 = problem->data->unknown[j].N0;
        for (int k = 0; k < n && N0; k++) {
            solver->nu_past[node->i_v + k] = 0.0;
            for (int i = 0; i < n; i++) {
                solver->nu_past[node->i_v + k] += N0[i * n + k] * problem->residual[node->i_v + i];
            }
        }
    }
    return norm;
}

// whether the step goes down the slope of the energy
static bool descends(const ElvStaticsSolver* solver) {
    double sum = 0.0;
    for (int i = 0; i < solver->now->nv; i++) {
        sum += solver->nu_past[i] * solver->problem.nu[i];
    }
    return sum <= 0.0;
}

static double step_length(const ElvStaticsSolver* solver) {
    double longest = 0.0;
    for (int i = 0; i < solver->now->nv; i++) {
        longest = fmax(longest, fabs(solver->problem.nu[i]));
    }
    return longest;
}

// the end: as accurate as Newton makes it
static ElvStatus finish(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton) {
    memset(solver->problem.nu, 0, (size_t)solver->now->nv * sizeof(double));
    solver->problem.state->t = t;
    ElvStatus status = elv_statics_newton(solver, newton);
    if (status == ELV_OK) {
        elv_statics_accept(solver, t, 0.0);
    }
    return status;
}

ElvStatus
elv_statics_relax(ElvStaticsSolver* solver, double t, int max_steps, ElvNewtonReport* newton) {
    double dt = solver->options.damping;
    double smallest = dt * ldexp(1.0, -solver->options.max_halvings);
    double way = 0.0;
    memset(newton, 0, sizeof *newton);
    newton->singular_node = -1;
    solver->x_past = 0.0;
    solver->problem.state->t = t;
    solver->now->t = t;
    elv_state_impose(solver->problem.model, solver->now);
    elv_statics_halt(solver->now);
    memcpy(solver->problem.scale, solver->scale, (size_t)solver->now->nv * sizeof(double));
    weigh(solver);
    for (int step = 0; step < max_steps && way < FAR; step++) {
        newton->residual = start_step(solver);
        if (newton->residual <= solver->options.tolerance) {
            return finish(solver, t, newton);
        }
        int n_iteration = try_step(solver, dt, newton->residual);
        if (n_iteration > 0 && descends(solver)) {
            memcpy(solver->now->q, solver->problem.state->q,
                   (size_t)solver->now->nq * sizeof(double));
            solver->report.n_relaxation++;
            way += step_length(solver);
            dt *= n_iteration <= EASY_ITERATIONS ? 2.0 : 1.0;
            continue;
        }
        dt *= 0.25;
        solver->report.n_halving++;
        if (dt < smallest) {
            break;
        }
    }
    return ELV_ERROR_NUMERIC;
}

ElvStatus elv_statics_rescue(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton) {
    int max_steps = solver->options.max_steps;
    return elv_statics_relax(solver, t, max_steps < RESCUE_STEPS ? max_steps : RESCUE_STEPS,
                             newton);
}
