// SPDX-License-Identifier: Apache-2.0
// Inside of continuation: places on a path of equilibria (nu, t), and how one leads to the next. Behind the
// coordinates stand the unknowns of devices, as in newton.h; what is remembered stays as it is.
//
// Lengths along a path weigh coordinates by their share of the mass matrix, so that a displacement as
// large as the robot has length 1, and loads by their range, which has length 1 too.
#ifndef ELVER_SOLVE_CONTINUATION_H
#define ELVER_SOLVE_CONTINUATION_H

#include "elver/analysis.h"
#include "linalg/pencil.h"
#include "solve/linearize.h"
#include "solve/newton.h"

enum { ELV_NEUTRAL_MAX = 6 };

/// A place on the path. Motions that cost nothing all along it, such as the turn of a closed loop about an axis,
/// are neutral: their eigenvalues are zero but for rounding, and do not count.
typedef struct {
    ElvState* state; // equilibrium; t is the load
    double* tangent; // d_nu/ds in the chart whose origin the state is    (n)
    double tangent_t;
    double length;     // from the start of the path
    double eigenvalue; // smallest one
    int n_negative;    // eigenvalues below zero; -1: no potential
    double log_det;    // of the tangent stiffness, logarithm of its size
    int sign;          // of that determinant; 0: not known
    int rank;          // of what constraints border the tangent with
    int n_neutral;
    double* neutral; // such motions, chart coordinates                   (n_neutral x n)
} ElvPlace;

typedef struct {
    const ElvModel* model;
    ElvContinuationOptions options;
    ElvProblem problem; // static, charted from the place in hand
    double t_chart;     // load there
    ElvBrake brake;     // of options.method
    ElvMatrices matrices;
    ElvPencil pencil;
    int n_counted; // eigenvalues that count; behind them stand the neutral ones
    int n_neutral; // how many are neutral; -1: as many as are zero
    ElvPlace here, there, found;
    double t_first, t_last;
    double range;        // of loads
    double step;         // next length to try
    int n;               // coordinates and unknowns of devices: nv + nz
    double* weight;      // of the coordinates in lengths, none of devices   (n)
    double* scale;       // largest efforts at equilibria so far             (n)
    double* nu_t;        // -K^-1 dR/dt                                      (n)
    double* R_t;         // dR/dt                                            (n)
    double* null_vector; // chart coordinates                                (n)
    double* shape;       // the same as velocities                           (n)
    ElvContinuationReport report;
} ElvContinuation;

/// The plane in which a place is looked for: <normal, nu> + normal_t (t - t_chart) / range^2 = target.
typedef struct {
    const double* normal; // NULL: zero
    double normal_t;
    double target;
} ElvPlane;

// continuation_place.c

/// Sum of weight x y.
double elv_continuation_product(const ElvContinuation* c, const double* x, const double* y);

/// Chart from a place.
void elv_continuation_chart(ElvContinuation* c, const ElvPlace* place);

/// Newton in a plane from problem.nu and problem.state->t, which lie in it. Returns its iterations, 0 when it fails.
int elv_continuation_correct(ElvContinuation* c, const ElvPlane* plane);

/// The solution in the problem becomes a place; tangent and eigenvalues are still those of another.
void elv_continuation_take(const ElvContinuation* c, ElvPlace* place);

/// Tangent (towards positive loads), without constraints the determinant; false where K is singular.
bool elv_continuation_tangent(ElvContinuation* c, ElvPlace* place);

/// From now on count the independent ones of all constraints (rank -1), or take as many as there are at a regular
/// place nearby: where the path is singular one more would seem to be redundant.
void elv_continuation_pin(ElvContinuation* c, int rank);

/// The place a length away from one, along its tangent; how far the tangent was off, relative to the
/// length, in off. Returns iterations, 0 when it fails.
int elv_continuation_step(
    ElvContinuation* c, const ElvPlace* from, double length, ElvPlace* to, double* off);

// continuation_spectrum.c

/// Eigenvalues, into place and c->pencil; with constraints the determinant.
void elv_continuation_spectrum(ElvContinuation* c, ElvPlace* place);

/// The vector of eigenvalue i, or (i < 0) of the smallest singular value, at the place of the last spectrum,
/// without the neutral motions of another: its largest component positive, into c->null_vector and c->shape.
void elv_continuation_null(ElvContinuation* c, int i, const ElvPlace* other);

// continuation_locate.c

/// The critical places between c->here and c->there, length apart, handed to the callback in their
/// order. Stops at the bifurcation whose branch is asked for and moves c->here onto the branch; then
/// *has_switched.
ELV_NODISCARD ElvStatus elv_continuation_locate(ElvContinuation* c,
                                                double length,
                                                bool* has_switched,
                                                ElvError* error);

/// Hand a place to the callback.
ELV_NODISCARD ElvStatus elv_continuation_record(ElvContinuation* c,
                                                const ElvPlace* place,
                                                ElvContinuationKind kind,
                                                ElvError* error);

#endif
