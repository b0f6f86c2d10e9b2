// SPDX-License-Identifier: Apache-2.0
// Inside of statics: one solver that holds the last equilibrium and looks for the next.
#ifndef ELVER_SOLVE_STATICS_H
#define ELVER_SOLVE_STATICS_H

#include "elver/statics.h"
#include "solve/newton.h"

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
    ElvState* now;           // last equilibrium, or the first guess
    ElvState* guess;         // what the search for the present load began from
    ElvState* saddle;        // equilibrium that is not stable
    ElvTangentNature nature; // of the last equilibrium
    bool is_balanced;        // now is an equilibrium at its t
    double* nu_past;         // increment of the coordinates that led to it             (nv)
    double x_past;           // increment of the load that went with it; 0: none
    double* scale;           // largest efforts of equilibria so far                    (nv)
    double* D;               // relaxation: damping of each joint, n_v x n_v            (n_block)
    double* bare;            // relaxation: mass of coordinates without K and D         (nv)
    ElvStaticsReport report;
} ElvStaticsSolver;

ELV_NODISCARD ElvStatus elv_statics_create(const ElvModel* model,
                                           const ElvStaticsDef* options,
                                           ElvStaticsSolver* solver,
                                           ElvError* error);
void elv_statics_free(ElvStaticsSolver* solver);

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

/// Follow the path from solver->now to load t (statics_path.c).
ElvStatus elv_statics_follow(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton);

/// The first equilibrium, from solver->now as a guess (statics_path.c).
ElvStatus elv_statics_first(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton);

/// The equilibrium to which solver->now relaxes at load t (statics_relax.c).
ElvStatus
elv_statics_relax(ElvStaticsSolver* solver, double t, int max_steps, ElvNewtonReport* newton);

/// The same in the help of Newton: it may run away, so that it ends sooner.
ElvStatus elv_statics_rescue(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton);

/// Sign of the determinant in the last factorisation (statics_check.c).
int elv_factor_sign(const ElvModel* model, const ElvData* data);

/// The tangent at the problem's state; factors it.
ElvTangentNature elv_statics_inspect(ElvStaticsSolver* solver);

/// The tangent at solver->now, into solver->nature.
void elv_statics_check(ElvStaticsSolver* solver);

#endif
