// SPDX-License-Identifier: Apache-2.0
// Equilibria of a tree: the shape at rest under loads, and its path as the loads are stepped.
//
// In statics t is not a time. It is the value of the load that is stepped: laws of loads, actuators
// and imposed motions are evaluated at it, velocities and accelerations are zero.
#ifndef ELVER_STATICS_H
#define ELVER_STATICS_H

#include "elver/integrate.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether an equilibrium is a minimum of the energy. Not known where a load has no potential: one
/// that follows the body, or a moment in space.
typedef enum { ELV_STABILITY_UNKNOWN, ELV_STABILITY_STABLE, ELV_STABILITY_UNSTABLE } ElvStability;

enum { ELV_CONJUGATE_MAX = 32 };

/// Where the part of the chain beyond, clamped there, would lose its stability.
typedef struct {
    int i_node;
    double s;
    int multiplicity; // independent ways in which it does
} ElvConjugatePoint;

typedef struct {
    // unknown where the loads have no potential (to one per cent), or stability is just being lost
    ElvStability stability;
    bool is_conservative;
    // Legendre and Clebsch: every section resists every strain; if not, at which one, and what
    // follows is not set
    bool is_stiff;
    int weak_node;
    double weak_s;
    // directions in which the energy falls: conjugate points, and what a joint at the root adds
    int n_negative;
    // conjugate points from the tip to the root, as far as there is room
    int n_point;
    ElvConjugatePoint point[ELV_CONJUGATE_MAX];
    double defect; // how far the fields are from a balance, beside the largest wrench
} ElvConjugateReport;

/// What the search for equilibria has done so far.
typedef struct {
    int n_load;             // equilibria reported
    long n_increment;       // equilibria found, those between the loads included
    long n_iteration;       // Newton iterations
    long n_jacobian;        // tangents computed and factored
    long n_evaluation;      // residuals
    long n_halving;         // increments that failed and were cut
    long n_relaxation;      // steps of the fictitious time
    int last_iterations;    // Newton iterations of the last equilibrium
    double last_residual;   // relative, of the last equilibrium
    double t_reached;       // as far as equilibria were found
    ElvStability stability; // of the last equilibrium
    const char* loose;      // with constraints: joint or rod that can move freely there, or NULL
    ElvClosureReport closure;
    // method shooting alone; conjugate points are those of the last equilibrium, if they were found
    ElvShootReport shooting;
    bool has_conjugate;
    ElvConjugateReport conjugate;
} ElvStaticsReport;

/// The equilibrium at load t.                                                       [P20 (44)-(45)]
/// If state is an equilibrium at state->t, the path is followed from there, in one increment or as
/// many as it takes; else state is the first guess. On success state is the equilibrium, its
/// velocities and accelerations zero; on failure it is as before.
/// ELV_ERROR_SINGULAR: something can move freely, error->element names it; where constraints leave a motion
/// that costs nothing, an equilibrium is found all the same, and report->loose names what moves.
/// ELV_ERROR_NUMERIC: no equilibrium was found, or a law is not finite. report may be NULL. A state has the
/// coordinates of modes: method shooting, which knows none, gives way to newton here. ELV_ERROR_CANCELLED: options->stop
/// has ended the search, report->t_reached tells how far.
ELV_API ELV_NODISCARD ElvStatus elv_statics_solve(const ElvModel* model,
                                                  ElvState* state,
                                                  double t,
                                                  const ElvStaticsDef* options,
                                                  ElvStaticsReport* report,
                                                  ElvError* error);

// ---- a whole path

typedef struct {
    ElvStaticsDef method;
    ElvRecordCallback record; // called at every load with its equilibrium; may be NULL
    void* user;
    // method shooting: conjugate points at every load, in the report when record is called; else of
    // the last equilibrium alone
    bool has_conjugate;
} ElvStaticsOptions;

/// Options from the model file.
ELV_API ElvStaticsOptions elv_statics_options_default(const ElvModel* model);

/// Equilibria at method.load[0], [1], ... (at t = 0 if there are none), the first one from state as
/// a guess. state ends as the last equilibrium that was reported, also on failure or where method.stop ends it. By method shooting
/// the coordinates of rods are those that come nearest to the strains found; signals show what was found.
ELV_API ELV_NODISCARD ElvStatus elv_statics_run(const ElvModel* model,
                                                ElvState* state,
                                                const ElvStaticsOptions* options,
                                                ElvStaticsReport* report,
                                                ElvError* error);

#ifdef __cplusplus
}
#endif

#endif
