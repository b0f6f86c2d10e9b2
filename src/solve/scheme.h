// SPDX-License-Identifier: Apache-2.0
// One-step and two-step formulas of implicit time integration in the common form [P23 (10)-(11)]
//     w = a nu + f,  w_dot = b nu + h
// with nu the increment of the coordinates over the step, w its rate at the end.
#ifndef ELVER_SOLVE_SCHEME_H
#define ELVER_SOLVE_SCHEME_H

#include "elver/integrate.h"

/// Coefficients of a method. Newmark is alpha_m = alpha_f = 0.
typedef struct {
    bool is_bdf2;
    bool is_euler; // with is_bdf2: forget what was before the last step
    double alpha_m, alpha_f, beta, gamma;
    double radius; // spectral radius at infinite frequency of the alpha methods; 1 for the others
} ElvScheme;

ElvScheme elv_scheme_from_options(const ElvSimulateDef* options);

/// The method for the first steps after a start: an alpha method that damps high frequencies does so at
/// once, by generalized-alpha of radius 0, which leaves nothing of them after three steps and is of order
/// 2 as well. Others stay as they are.
ElvScheme elv_scheme_calming(const ElvScheme* scheme);

/// The method for the steps after a failure: for the same methods backward Euler, which takes energy from
/// all that it does not resolve. Others stay as they are.
ElvScheme elv_scheme_recovery(const ElvScheme* scheme);

/// How far ahead of the start of a step its auxiliary acceleration stands, in steps.
double elv_scheme_lead(const ElvScheme* scheme);

/// By how much its velocities miss the true ones, in steps squared times the jerk, where increments are given:
/// on constraints.
double elv_scheme_offset(const ElvScheme* scheme);

/// Coefficients a, b and history f, h (each n) of a step of length dt from a state with rates
/// (w, w_dot) in its chart.
void elv_scheme_begin(const ElvScheme* scheme,
                      int n,
                      double dt,
                      const ElvState* state,
                      const double* w,
                      const double* w_dot,
                      double* a,
                      double* b,
                      double* f,
                      double* h);

/// What the method remembers after a step with increment nu from rates w to accelerations w_dot_end:
/// the auxiliary acceleration, the increment and the rates before it.
void elv_scheme_end(const ElvScheme* scheme,
                    int n,
                    double dt,
                    const double* w,
                    const double* nu,
                    const double* w_dot_end,
                    ElvState* state);

/// The increment over a step of length dt if the motion goes on as before: from the last step's
/// change of acceleration, if there was one, or from the acceleration alone.
void elv_scheme_extrapolate(
    const ElvScheme* scheme, int n, double dt, const ElvState* state, const double* w, double* nu);

/// How far accelerations foretell increments, seen from the last step: the factor between 0 and 1 by
/// which that at its start fits its increment best (least squares over components first to
/// first + n - 1). Near 1 where motions are resolved; 1 without a last step.
double
elv_scheme_trust(const ElvScheme* scheme, int first, int n, const ElvState* state, const double* w);

/// Estimate of the local error of the increment of a step from `before` (rates w) to `after` (rates
/// w_end, memory written by elv_scheme_end), by component.
void elv_scheme_defect(const ElvScheme* scheme,
                       int n,
                       double dt,
                       const ElvState* before,
                       const ElvState* after,
                       const double* w,
                       const double* w_end,
                       double* defect);

/// Increment and rates at a fraction x of a step from rates w to w_end: the cubic between them.
void elv_scheme_interpolate(int n,
                            double dt,
                            double x,
                            const double* w,
                            const double* w_end,
                            const double* nu_end,
                            double* nu,
                            double* rate);

#endif
