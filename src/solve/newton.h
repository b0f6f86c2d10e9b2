// SPDX-License-Identifier: Apache-2.0
// Newton's method on the residual of a tree, in the unknown nu of a time step or of a load step.
#ifndef ELVER_SOLVE_NEWTON_H
#define ELVER_SOLVE_NEWTON_H

#include "elver/integrate.h"
#include "multibody/border.h"

typedef struct {
    double tol; // relative residual
    int max_iterations;
    bool
        reuse_jacobian; // keep the factors while the residual falls fast, and trust how fast it falls
} ElvNewtonOptions;

enum { ELV_NEWTON_TRACE = 16 };

typedef struct {
    int n_iteration;
    int n_jacobian;
    int n_evaluation;
    double residual;                // relative, at the end; a promise where the rate is trusted
    double trace[ELV_NEWTON_TRACE]; // relative residual after 0, 1, 2 … iterations
    int singular_node; // joint whose block was singular, or n_node + unknown of a device, or -1
} ElvNewtonReport;

/// residual(nu) = 0 for the state charted from q_n: w = a nu + f, w_dot = b nu + h. In statics
/// a = b = 0 and nothing moves. Behind the coordinates stand the unknowns of devices, z - z_n in nu and
/// their equations in the residual: n = nv + nz.
typedef struct {
    const ElvModel* model;
    ElvData* data;
    ElvState* state; // at nu, filled by every evaluation; state->t is given
    bool is_static;
    bool is_current; // the last evaluation was at nu
    int n;
    double a, b;
    ElvBorderRule rule; // equations of devices in a step; step = 0: what is differential stays
    double* z_n;        // z at the start of the step, then its rate   (2 nz)
    double* q_n;        // start of the chart                          (nq)
    double* f;          //                                             (nv)
    double* h;          //                                             (nv)
    double* nu;         // the unknown, in and out                     (n)
    double* trial;      // nu of a trial step                          (n)
    double* d_nu;       // Newton step                                 (n)
    double* w;          // rates at nu                                 (nv)
    double* w_dot;      //                                             (nv)
    double* residual;   //                                             (n)
    double* scale;      // largest efforts met so far, by component    (n)
    double* size;       // sizes of the devices' equations             (nz)
    double* d_next;     // Newton step from a trial, same tangent      (n)
    double* before;     // residual before a line search               (n)
    double* bound;      // efforts that the residual is measured by    (n)
} ElvProblem;

/// All buffers in one block. Free with elv_problem_free.
ELV_NODISCARD ElvStatus elv_problem_create(const ElvModel* model,
                                           ElvProblem* problem,
                                           ElvError* error);
void elv_problem_free(ElvProblem* problem);

/// Chart from a state: q_n and its rates in w and w_dot, z_n and its rates; unknowns of devices stay.
void elv_problem_chart(ElvProblem* problem, const ElvState* from);

/// The state at nu with rates w, w_dot of the chart whose origin is q_n; imposed motions at state->t.
void elv_chart_state(const ElvModel* model,
                     const double* q_n,
                     const double* nu,
                     const double* w,
                     const double* w_dot,
                     ElvState* state);

/// The state at nu, and its rates w and w_dot.
void elv_problem_place(ElvProblem* problem, const double* nu);

/// Residual at nu, zero for driven components.
void elv_problem_residual(ElvProblem* problem, const double* nu);

/// Largest |residual_i| / scale_i; no scale is finer than a thousandth of the largest. Infinite where
/// nothing acts but a residual is left, NaN when a residual is not finite.
double elv_residual_norm(int n, const double* residual, const double* scale);

/// The norm of a residual (n) of the problem: of the tree as above, and of each device's equation relative to
/// its own scale.
double elv_problem_norm(const ElvProblem* problem, const double* residual, const double* scale);

/// Newton step from a residual (n) with the last factors.
void elv_problem_solve(ElvProblem* problem, const double* residual, double* step);

/// scale_i = largest of itself and the effort of the last evaluation.
void elv_problem_raise(const ElvProblem* problem, double* scale);

/// Residual at nu; raises problem->scale and returns the norm relative to it.
double elv_problem_evaluate(ElvProblem* problem, const double* nu);

/// Residual at problem->nu, a guess that may be wild: its norm relative to problem->scale as it is.
/// elv_newton_solve goes on from there.
double elv_problem_guess(ElvProblem* problem);

/// Newton with line search from problem->nu. ELV_OK: converged, problem->state is the solution and
/// problem->scale knows its efforts; problem->data and problem->residual are those of the last
/// evaluation, which is at the solution unless the rate was trusted. ELV_ERROR_NUMERIC: not converged; ELV_ERROR_SINGULAR: singular
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

/// The part that steps of length h can resolve of the accelerations a time `lead` after the state (which
/// holds those at it), as rates of the chart at the state: P (w_dot + lead d/dt w_dot) with the filter
/// P = (M + h C + h^2 K)^-1 M. Returns false when that matrix is singular.
bool elv_resolved_acceleration(
    ElvProblem* problem, ElvState* state, double h, double lead, double* w_dot);

/// Whether the energy that is free at a state goes into motions that steps of length dt do not resolve.
bool elv_start_is_fast(ElvProblem* problem, ElvState* state, double dt);

/// Name of the joint that made a tangent singular, or of the one with the largest residual.
const char* elv_problem_culprit(const ElvProblem* problem, const ElvNewtonReport* report);

#endif
