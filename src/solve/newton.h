// SPDX-License-Identifier: Apache-2.0
// Newton's method on the residual of a tree, in the unknown nu of a time step or of a load step.
#ifndef ELVER_SOLVE_NEWTON_H
#define ELVER_SOLVE_NEWTON_H

#include "elver/integrate.h"

typedef struct {
    double tol; // relative residual
    int max_iterations;
    bool reuse_jacobian; // keep the factors while the residual falls fast
} ElvNewtonOptions;

enum { ELV_NEWTON_TRACE = 16 };

typedef struct {
    int n_iteration;
    int n_jacobian;
    int n_evaluation;
    double residual;                // relative, at the end
    double trace[ELV_NEWTON_TRACE]; // relative residual after 0, 1, 2 … iterations
    int singular_node;              // joint whose block was singular, or -1
} ElvNewtonReport;

/// residual(nu) = 0 for the state charted from q_n: w = a nu + f, w_dot = b nu + h. In statics
/// a = b = 0 and nothing moves.
typedef struct {
    const ElvModel* model;
    ElvData* data;
    ElvState* state; // at nu, filled by every evaluation; state->t is given
    bool is_static;
    bool is_current; // the last evaluation was at nu
    double a, b;
    double* q_n;      // start of the chart                          (nq)
    double* f;        //                                             (nv)
    double* h;        //                                             (nv)
    double* nu;       // the unknown, in and out                     (nv)
    double* trial;    // nu of a trial step                          (nv)
    double* d_nu;     // Newton step                                 (nv)
    double* w;        // rates at nu                                 (nv)
    double* w_dot;    //                                             (nv)
    double* residual; //                                             (nv)
    double* scale;    // largest efforts met so far, by component    (nv)
    double* d_next;   // Newton step from a trial, same tangent      (nv)
    double* before;   // residual before a line search               (nv)
    double* bound;    // efforts that the residual is measured by    (nv)
} ElvProblem;

/// All buffers in one block. Free with elv_problem_free.
ELV_NODISCARD ElvStatus elv_problem_create(const ElvModel* model,
                                           ElvProblem* problem,
                                           ElvError* error);
void elv_problem_free(ElvProblem* problem);

/// Chart from a state: q_n and, unless static, its rates in w and w_dot.
void elv_problem_chart(ElvProblem* problem, const ElvState* from);

/// The state at nu with rates w, w_dot of the chart whose origin is q_n; imposed motions at state->t.
void elv_chart_state(const ElvModel* model,
                     const double* q_n,
                     const double* nu,
                     const double* w,
                     const double* w_dot,
                     ElvState* state);

/// Residual at nu, zero for driven components.
void elv_problem_residual(ElvProblem* problem, const double* nu);

/// Largest |residual_i| / scale_i; no scale is finer than a thousandth of the largest. Infinite where
/// nothing acts but a residual is left, NaN when a residual is not finite.
double elv_residual_norm(int n, const double* residual, const double* scale);

/// scale_i = largest of itself and the effort of the last evaluation.
void elv_problem_raise(const ElvProblem* problem, double* scale);

/// Residual at nu; raises problem->scale and returns the norm relative to it.
double elv_problem_evaluate(ElvProblem* problem, const double* nu);

/// Residual at problem->nu, a guess that may be wild: its norm relative to problem->scale as it is.
/// elv_newton_solve goes on from there.
double elv_problem_guess(ElvProblem* problem);

/// Newton with line search from problem->nu. ELV_OK: converged, problem->state is the solution and
/// problem->scale knows its efforts. ELV_ERROR_NUMERIC: not converged; ELV_ERROR_SINGULAR: singular
/// tangent.
ElvStatus
elv_newton_solve(ElvProblem* problem, const ElvNewtonOptions* options, ElvNewtonReport* report);

/// Driven components of nu, w and w_dot, which Newton leaves alone, as their laws have them at the end of
/// a step of length dt from rates w_start.
void elv_problem_settle(ElvProblem* problem, double dt, const double* w_start);

/// Accelerations that satisfy the dynamics at a state (driven joints keep theirs), by the tree solve;
/// problem->scale learns the efforts there. Leaves zero where the mass matrix is singular and then
/// returns false.
bool elv_consistent_acceleration(ElvProblem* problem, ElvState* state);

/// The part of these accelerations that steps of length h can resolve, as rates of the chart at the
/// state: (M + h C + h^2 K) w_dot = M w_dot_consistent. Returns false when that matrix is singular.
bool elv_resolved_acceleration(ElvProblem* problem, ElvState* state, double h, double* w_dot);

/// Name of the joint that made a tangent singular, or of the one with the largest residual.
const char* elv_problem_culprit(const ElvProblem* problem, const ElvNewtonReport* report);

#endif
