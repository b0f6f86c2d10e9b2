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

// residual of the step of length dt, from the static one at problem->nu; its norm
static double step_residual(ElvStaticsSolver* solver, double dt) {
    ElvProblem* problem = &solver->problem;
    const ElvModel* model = problem->model;
    const double* D = solver->D;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        int n = node->joint->n_v;
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n && !elv_joint_is_driven(node->joint, i); k++) {
                problem->residual[node->i_v + i] += D[i * n + k] / dt * problem->nu[node->i_v + k];
            }
        }
        D += (size_t)n * (size_t)n;
    }
    return elv_problem_norm(problem, problem->residual, problem->scale);
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
    if (elv_border_factor(model, problem->data, problem->state, &problem->rule) >= 0) {
        return false;
    }
    elv_problem_solve(problem, problem->residual, problem->d_nu);
    for (int i = 0; i < problem->n; i++) {
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
        if (elv_brake_ask(&solver->brake) || !correct(solver, dt)) {
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

// slope of the energy in the chart of solver->now from the residual there, kept in nu_past
static void keep_slope(ElvStaticsSolver* solver) {
    ElvProblem* problem = &solver->problem;
    const ElvModel* model = problem->model;
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
}

// the slope at solver->now, and the norm of the residual there
static double start_step(ElvStaticsSolver* solver) {
    ElvProblem* problem = &solver->problem;
    elv_problem_chart(problem, solver->now);
    elv_statics_damping(solver);
    double norm = elv_problem_evaluate(problem, problem->nu);
    solver->report.n_evaluation++;
    keep_slope(solver);
    return norm;
}

// the slope again, with the multipliers of constraints that the step has found
static void correct_slope(ElvStaticsSolver* solver) {
    ElvProblem* problem = &solver->problem;
    size_t nv = (size_t)problem->model->nv;
    memcpy(problem->trial, problem->nu, (size_t)problem->n * sizeof *problem->nu);
    memset(problem->nu, 0, nv * sizeof *problem->nu);
    elv_problem_residual(problem, problem->nu);
    keep_slope(solver);
    memcpy(problem->nu, problem->trial, nv * sizeof *problem->nu);
    elv_problem_residual(problem, problem->nu);
    solver->report.n_evaluation += 2;
}

// whether the step goes down the slope of the energy
static bool descends(ElvStaticsSolver* solver) {
    double sum = 0.0;
    if (solver->problem.model->is_constrained) {
        correct_slope(solver);
    }
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
    elv_statics_weigh(solver);
    for (int step = 0; step < max_steps && way < FAR; step++) {
        newton->residual = start_step(solver);
        if (newton->residual <= solver->options.tolerance) {
            return elv_statics_finish(solver, t, INFINITY, newton);
        }
        // a step that fails has met wild efforts, which must not count
        size_t size = (size_t)solver->problem.n * sizeof(double);
        memcpy(solver->problem.before, solver->problem.scale, size);
        int n_iteration = try_step(solver, dt, newton->residual);
        if (solver->brake.is_on) {
            return ELV_ERROR_CANCELLED;
        }
        if (n_iteration > 0 && descends(solver)) {
            memcpy(solver->now->q, solver->problem.state->q,
                   (size_t)solver->now->nq * sizeof(double));
            memcpy(solver->now->z, solver->problem.state->z,
                   (size_t)solver->now->nz * sizeof(double));
            solver->report.n_relaxation++;
            way += step_length(solver);
            dt *= n_iteration <= EASY_ITERATIONS ? 2.0 : 1.0;
            continue;
        }
        memcpy(solver->problem.scale, solver->problem.before, size);
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

static bool is_stable(ElvStaticsSolver* solver) {
    elv_statics_check(solver);
    return solver->nature.stability == ELV_STABILITY_STABLE;
}

void elv_statics_leave_saddle(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton) {
    ElvNewtonReport relaxed;
    elv_state_copy(solver->saddle, solver->now);
    elv_state_copy(solver->now, solver->guess);
    bool has_left = elv_statics_rescue(solver, t, &relaxed) == ELV_OK && is_stable(solver);
    if (!has_left && solver->problem.model->is_constrained) {
        elv_state_copy(solver->now, solver->saddle);
        has_left = elv_statics_reassemble(solver, t, &relaxed) == ELV_OK && is_stable(solver);
    }
    if (has_left) {
        *newton = relaxed;
        return;
    }
    elv_state_copy(solver->now, solver->saddle);
    elv_statics_check(solver);
}
