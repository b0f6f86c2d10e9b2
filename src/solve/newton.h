// SPDX-License-Identifier: Apache-2.0
// Newton's method on the residual of a tree, in the unknown nu of a time step or of a load step.
#ifndef ELVER_SOLVE_NEWTON_H
#define ELVER_SOLVE_NEWTON_H

#include "base/brake.h"
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
    double residual; // relative, at the end; a promise where the rate is trusted; the last step's
                     // bound where that is lost in rounding
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
    double
        ballast; // inertia added to all joints where constraints alone decide on motions; 0: none
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
    ElvBrake* brake;    // asked at every iteration; NULL: none
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

/// With constraints, after elv_border_factor: no scale is finer than the effort of a vanishing motion.
void elv_problem_floor(ElvProblem* problem);

/// scale_i = largest of itself and the effort of the last evaluation.
void elv_problem_raise(const ElvProblem* problem, double* scale);

/// Residual at nu; raises problem->scale and returns the norm relative to it.
double elv_problem_evaluate(ElvProblem* problem, const double* nu);

/// Residual at problem->nu, a guess that may be wild: its norm relative to problem->scale as it is.
/// elv_newton_solve goes on from there.
double elv_problem_guess(ElvProblem* problem);

/// Whether the state of the last evaluation is made of numbers that can be squared.
bool elv_problem_is_finite(const ElvProblem* problem);

/// Newton with line search from problem->nu. ELV_OK: converged, problem->state is the solution and
/// problem->scale knows its efforts; problem->data and problem->residual are those of the last
/// evaluation, which is at the solution unless the rate was trusted. ELV_ERROR_NUMERIC: not converged; ELV_ERROR_SINGULAR: singular
/// tangent; ELV_ERROR_CANCELLED: by the brake.
ElvStatus
elv_newton_solve(ElvProblem* problem, const ElvNewtonOptions* options, ElvNewtonReport* report);

/// Driven components of nu, w and w_dot, which Newton leaves alone, as their laws have them at the end of
/// a step of length dt from rates w_start.
void elv_problem_settle(ElvProblem* problem, double dt, const double* w_start);

/// Solve with the tangent of the last elv_tidm_pass for problem->residual, into d_nu (with constraints n of
/// them; is_motion: see ElvBorderRule). Returns false when it is singular.
bool elv_solve_tangent(ElvProblem* problem, const ElvState* state, bool is_motion);

/// Accelerations that satisfy the dynamics at a state (driven joints keep theirs), by the tree solve;
/// problem->scale learns the efforts there. Leaves zero where the mass matrix is singular and then
/// returns false.
bool elv_consistent_acceleration(ElvProblem* problem, ElvState* state);

/// Take away what rounding, or ballast, has left of the residual and of the constraints at the accelerations and
/// multipliers of a state. Returns false when that cannot be.
bool elv_refine_acceleration(ElvProblem* problem, ElvState* state);

/// Largest defect of the constraints at a state, or largest rate of one (level 0, 1), m or rad; c: (nz).
double elv_constraint_defect(ElvProblem* problem, const ElvState* state, int level, double* c);

/// elv_close_position where loops are open at a start, and an error that names the loop which does not close.
/// opened: the largest defect before.
ELV_NODISCARD ElvStatus elv_close_start(ElvProblem* problem,
                                        ElvState* state,
                                        double* opened,
                                        ElvError* error);

/// Close the loops at a state by the shortest motions, measured by the mass, from its configuration, as far as the brake
/// allows. Returns what is left of the largest gap, relative to the size of the robot.
double elv_close_position(ElvProblem* problem, ElvState* state);

/// The constraint that is farthest from being closed at a state, and by how much (m or rad); "" if there is none.
const char* elv_close_worst(ElvProblem* problem, const ElvState* state, double* defect);

/// The field of a constraint, by its name, that tells what it holds together; "" where there is no single one.
const char* elv_close_field(const ElvModel* model, const char* name);

/// Make the velocities at a state satisfy the constraints by the smallest change, measured by the mass.
/// Returns false when that cannot be.
bool elv_close_velocity(ElvProblem* problem, ElvState* state);

/// elv_close_velocity at the end t_end of a step from a state that is still at its start.
void elv_close_step(ElvProblem* problem, double t_end, ElvState* state);

/// How well constraints are kept at a state: raises the largest gap and drift so far.
void elv_closure_watch(ElvProblem* problem, const ElvState* state, ElvClosureReport* closure);

/// The part that steps of length h can resolve of the accelerations a time `lead` after the state (which
/// holds those at it), as rates of the chart at the state: P (w_dot + lead d/dt w_dot) with the filter
/// P = (M + h C + h^2 K)^-1 M. Returns false when that matrix is singular.
bool elv_resolved_acceleration(
    ElvProblem* problem, ElvState* state, double h, double lead, double* w_dot);

/// The smallest change of the velocities at a state, measured by the mass, after which they miss those that
/// constraints on positions ask for by factor times the jerk that these determine, and by turn times
/// Omega x Omega_dot of joints with charts of rotations: for chart accelerations w_dot, by a difference over
/// the time delta. change: (nv), of rates of the chart at the state. Returns false when that cannot be.
bool elv_constrained_velocity(ElvProblem* problem,
                              const ElvState* state,
                              const double* w_dot,
                              double factor,
                              double turn,
                              double delta,
                              double* change);

/// Whether the energy that is free at a state goes into motions that steps of length dt do not resolve.
bool elv_start_is_fast(ElvProblem* problem, ElvState* state, double dt);

/// Name of the constraint that is open the most at the last evaluation, or NULL when all are closed; gap: by
/// how much.
const char* elv_problem_open_loop(const ElvProblem* problem, double* gap);

/// Name of the joint that made a tangent singular, or of the one with the largest residual.
const char* elv_problem_culprit(const ElvProblem* problem, const ElvNewtonReport* report);

#endif
