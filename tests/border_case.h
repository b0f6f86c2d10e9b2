// SPDX-License-Identifier: Apache-2.0
// A time step of a model with devices, from a random state, and how far its tangent is from central
// differences of its residual.
#ifndef ELVER_TESTS_BORDER_CASE_H
#define ELVER_TESTS_BORDER_CASE_H

#include "model_case.h"
#include "multibody/tidm.h"
#include "solve/newton.h"

/// A step of the problem from a random state.
static inline ElvProblem border_start(const ElvModel* model, uint64_t seed) {
    ElvProblem problem;
    ElvError error;
    CHECK_STATUS(elv_problem_create(model, &problem, &error), &error);
    CheckRandom random = check_random(seed);
    ElvState* from = problem.state;
    for (int i = 0; i < from->nq; i++) {
        from->q[i] += check_uniform(&random, -0.5, 0.5);
    }
    for (int i = 0; i < from->nv; i++) {
        from->v[i] = check_uniform(&random, -0.5, 0.5);
        from->a[i] = check_uniform(&random, -0.5, 0.5);
    }
    for (int k = 0; k < from->nz; k++) {
        from->z[k] = check_uniform(&random, 1.0, 2.0);
        from->z_rate[k] = check_uniform(&random, -1.0, 1.0);
    }
    elv_state_impose(model, from);
    from->t = 0.4;
    elv_problem_chart(&problem, from);
    problem.a = 3.0;
    problem.b = 7.0;
    problem.rule.step = 0.3;
    for (int i = 0; i < from->nv; i++) {
        problem.f[i] = problem.w[i];
        problem.h[i] = problem.w_dot[i];
        problem.nu[i] = check_uniform(&random, -0.2, 0.2);
    }
    for (int k = 0; k < from->nz; k++) {
        problem.nu[from->nv + k] = check_uniform(&random, -0.2, 0.2);
    }
    elv_problem_residual(&problem, problem.nu);
    return problem;
}

/// Largest difference of the tangent along a direction from a central difference with step h.
static inline double border_error(ElvProblem* problem, double h, uint64_t seed) {
    double direction[64], exact[64], plus[64];
    CheckRandom random = check_random(seed);
    int n = problem->n;
    int nv = problem->model->nv;
    CHECK_TRUE(n <= 64);
    for (int i = 0; i < n; i++) {
        direction[i] = check_uniform(&random, -1.0, 1.0);
    }
    elv_problem_residual(problem, problem->nu);
    elv_tidm_pass(problem->model, problem->data, problem->state, problem->nu, problem->a,
                  problem->b);
    elv_border_apply(problem->model, problem->data, problem->state, &problem->rule, direction,
                     direction + nv, exact, exact + nv);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < n; i++) {
            problem->trial[i] = problem->nu[i] + (side == 0 ? h : -h) * direction[i];
        }
        elv_problem_residual(problem, problem->trial);
        for (int i = 0; i < n; i++) {
            plus[i] =
                side == 0 ? problem->residual[i] : (plus[i] - problem->residual[i]) / (2.0 * h);
        }
    }
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        // where the motion is imposed there is no residual
        bool is_driven = i < nv && problem->model->is_driven[i];
        double error = is_driven ? 0.0 : fabs(exact[i] - plus[i]) / (1.0 + fabs(plus[i]));
        worst = fmax(worst, error);
    }
    return worst;
}

#endif
