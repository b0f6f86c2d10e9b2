// SPDX-License-Identifier: Apache-2.0
// Options of shooting: of statics, and of dynamics but for space_tol; a part of elver/spec.h.
#ifndef ELVER_SHOOTING_H
#define ELVER_SHOOTING_H

#ifdef __cplusplus
extern "C" {
#endif

/// How Newton's method is made to converge from afar.                                   [OCP (73)]
typedef enum {
    ELV_SHOOT_LEVENBERG, // Levenberg and Marquardt
    ELV_SHOOT_DOGLEG,    // Powell's dogleg in a trust region
    ELV_N_SHOOT_SOLVER
} ElvShootSolver;

enum { ELV_SEGMENTS_MAX = 256, ELV_SHOOT_STEPS_MAX = 4096 };

typedef struct {
    int segments; // into which the chain is cut, 1 to ELV_SEGMENTS_MAX: each is shot over by itself
    int steps;    // along each rod; 0: as many as space_tol takes, or growth in time
    double space_tol; // statics: error of poses along the chain, relative to its length
    ElvShootSolver solver;
} ElvShootingDef;

/// How a search of a method without modes ended: with a solution, or why without one.
typedef enum {
    ELV_SHOT_FOUND,
    ELV_SHOT_DIVERGED, // a shot runs away along the chain
    ELV_SHOT_STEP,     // the step in time is too short for the rods                     [OCP (88)]
    ELV_SHOT_UNSOLVED, // Newton's method stalls, or reaches its limit
    ELV_SHOT_SINGULAR, // nothing, or next to nothing, resists a strain or a motion of the root
    ELV_SHOT_INACCURATE, // steps along the chain are too long for their fields
    ELV_SHOT_STOPPED     // by the caller
} ElvShotEnd;

/// What a method without modes tells of a run in time, beside ElvIntegratorReport.
typedef struct {
    ElvShotEnd end;       // of the last step
    int n_segment;        // shot over one by one
    int n_step;           // along all rods
    double growth;        // by which a variation grew over a segment in the last step
    double critical_step; // steps below are expected to fail, s
    // shooting: largest error of the steps along the chain within a step in time, as estimated at
    // some of them, relative to the length of the chain
    double space_error;
} ElvStrongReport;

/// What static shooting has done so far.
typedef struct {
    int n_segment;        // shot over one by one
    int n_step;           // along all rods
    long n_increment;     // equilibria found, those between the loads included
    long n_iteration;     // of Newton's method
    long n_jacobian;      // shots with tangents, each over the whole chain
    long n_shot;          // all of them
    long n_halving;       // increments that failed and were cut
    long n_refinement;    // times the steps were halved for space_tol
    int last_iterations;  // of the last equilibrium
    double last_residual; // relative, of the last equilibrium
    double space_error;   // estimate for the last equilibrium, relative to the length of the chain
    double growth;        // by which a variation grew over a segment at most, in units of the chain
    double t_reached;     // as far as equilibria were found
    ElvShotEnd end;       // of the last search
} ElvShootReport;

#ifdef __cplusplus
}
#endif

#endif
