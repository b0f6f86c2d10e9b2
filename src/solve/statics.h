// SPDX-License-Identifier: Apache-2.0
// Inside of statics: one solver that holds the last equilibrium and looks for the next.
#ifndef ELVER_SOLVE_STATICS_H
#define ELVER_SOLVE_STATICS_H

#include "elver/statics.h"
#include "solve/linearize.h"
#include "solve/newton.h"
#include "solve/projection.h"

/// The stability of models with more coordinates is not looked for.
enum { ELV_STATICS_MAX_DENSE = 500 };

/// What the tangent tells of an equilibrium.
typedef struct {
    int i_free; // joint that can move freely, or -1
    int sign;   // of its determinant; 0: not known
    ElvStability stability;
} ElvTangentNature;

typedef struct {
    ElvProblem problem; // static: a = b = 0
    ElvStaticsDef options;
    ElvNewtonOptions newton;
    ElvState* now;             // last equilibrium, or the first guess
    ElvState* guess;           // what the search for the present load began from
    ElvState* saddle;          // equilibrium that is not stable
    ElvTangentNature nature;   // of the last equilibrium
    bool is_balanced;          // now is an equilibrium at its t
    double* nu_past;           // increment of the coordinates that led to it             (nv)
    double x_past;             // increment of the load that went with it; 0: none
    double* scale;             // largest efforts of equilibria so far                    (nv)
    double* D;                 // relaxation: damping of each joint, n_v x n_v            (n_block)
    double* bare;              // relaxation: mass of coordinates without K and D         (nv)
    ElvMatrices matrices;      // stability with constraints; empty without, or beyond MAX_DENSE
    ElvProjection* projection; // projective; else NULL
    const char* open_loop;     // projective: a loop that nothing could close; else NULL
    double open;               // how far it was open in the end, m or rad
    ElvBrake brake;            // of the options; the problem's
    ElvStaticsReport report;
} ElvStaticsSolver;

ELV_NODISCARD ElvStatus elv_statics_create(const ElvModel* model,
                                           const ElvStaticsDef* options,
                                           ElvStaticsSolver* solver,
                                           ElvError* error);
void elv_statics_free(ElvStaticsSolver* solver);

/// elv_statics_run with the modes of the rods (src/strong/statics_method.c chooses).
ELV_NODISCARD ElvStatus elv_statics_run_modes(const ElvModel* model,
                                              ElvState* state,
                                              const ElvStaticsOptions* options,
                                              ElvStaticsReport* report,
                                              ElvError* error);

/// As if no equilibrium had been found yet.
void elv_statics_forget(ElvStaticsSolver* solver);

/// No velocities, no accelerations.
void elv_statics_halt(ElvState* state);

/// Add to the report.
void elv_statics_count(ElvStaticsSolver* solver, const ElvNewtonReport* newton);

/// Newton at the problem's load and chart, from problem.nu.
ElvStatus elv_statics_newton(ElvStaticsSolver* solver, ElvNewtonReport* newton);

/// Take the solution in the problem for the new equilibrium, reached by an increment x of the load.
void elv_statics_accept(ElvStaticsSolver* solver, double t, double x);

// Searches return ELV_ERROR_CANCELLED, or any other failure, once the brake is on.

/// Follow the path from solver->now to load t (statics_path.c).
ElvStatus elv_statics_follow(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton);

/// The first equilibrium, from solver->now as a guess (statics_path.c).
ElvStatus elv_statics_first(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton);

/// The equilibrium to which solver->now relaxes at load t (statics_relax.c).
ElvStatus
elv_statics_relax(ElvStaticsSolver* solver, double t, int max_steps, ElvNewtonReport* newton);

/// The same in the help of Newton: it may run away, so that it ends sooner.
ElvStatus elv_statics_rescue(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton);

/// From a guess Newton may end at a saddle of the energy, solver->now: let the guess slide down to a minimum, and
/// take that if it is one; a guess with open loops may not slide, but the saddle itself, out of balance.
void elv_statics_leave_saddle(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton);

/// Masses of the coordinates into solver->bare, for those that nothing else holds (statics_damping.c).
void elv_statics_weigh(ElvStaticsSolver* solver);

/// D about solver->now, after elv_problem_chart, into solver->D; problem.nu becomes zero (statics_damping.c).
void elv_statics_damping(ElvStaticsSolver* solver);

/// How far nu moves: turns of joints, or over the length of rods, rad (statics_damping.c).
double elv_statics_reach(const ElvModel* model, const double* nu);

/// The end of a motion, as accurate as Newton makes it, unless that would lead farther than `far`. From
/// solver->now, after elv_problem_chart (statics_damping.c).
ElvStatus
elv_statics_finish(ElvStaticsSolver* solver, double t, double far, ElvNewtonReport* newton);

/// The equilibrium to which solver->now relaxes at load t by motions that are projected on the constraints
/// (statics_projective.c).
ElvStatus elv_statics_project(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton);

/// The error of a motion that has left solver->open_loop open (statics_projective.c).
ElvStatus elv_statics_fail_open(const ElvStaticsSolver* solver, double t, ElvError* error);

/// Whether loops are open at solver->now and load t (statics_mount.c).
bool elv_statics_is_open(ElvStaticsSolver* solver, double t);

/// Whether loops can be closed at load t by any means, from solver->now or a shape near it; else the one that is
/// left open, and by how much (statics_mount.c).
bool elv_statics_can_close(ElvStaticsSolver* solver, double t, const char** loop, double* left);

/// The equilibrium at load t from a shape near solver->now that is moved out of symmetry, closed and left to
/// relax (statics_mount.c).
ElvStatus elv_statics_reassemble(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton);

// statics_failure.c

/// solver->nature.i_free can move freely at load t.
ElvStatus elv_statics_fail_free(const ElvStaticsSolver* solver, double t, ElvError* error);

/// The search for load t has failed; newton: its end.
ElvStatus elv_statics_fail_search(ElvStaticsSolver* solver,
                                  double t,
                                  const ElvNewtonReport* newton,
                                  ElvError* error);

/// What acts at load t, the last evaluation, is not finite.
ElvStatus elv_statics_fail_infinite(const ElvStaticsSolver* solver, double t, ElvError* error);

/// The caller has stopped the search for load t.
ElvStatus elv_statics_fail_stopped(const ElvStaticsSolver* solver, double t, ElvError* error);

/// Sign of the determinant in the last factorisation (statics_check.c).
int elv_factor_sign(const ElvModel* model, const ElvData* data);

/// The tangent at the problem's state; factors it.
ElvTangentNature elv_statics_inspect(ElvStaticsSolver* solver);

/// The tangent at solver->now, into solver->nature.
void elv_statics_check(ElvStaticsSolver* solver);

#endif
