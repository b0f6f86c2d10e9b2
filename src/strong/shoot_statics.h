// SPDX-License-Identifier: Apache-2.0
// Inside of static shooting: unknowns at the starts of the segments, and what the last equilibrium left.
#ifndef ELVER_STRONG_SHOOT_STATICS_H
#define ELVER_STRONG_SHOOT_STATICS_H

#include "elver/strong.h"
#include "multibody/field_source.h"
#include "strong/root_solve.h"
#include "strong/shoot_root.h"

/// Unknowns: joint, then pose and internal wrench where each segment begins; the first pose follows from the joint.
typedef struct {
    ElvShootRoot root;
    ElvPose* g;     // world              (n_segment)
    ElvWrench* lam; // section axes       (n_segment)
} ElvShootPoint;

/// A section of the equilibrium at the start of a step.
typedef struct {
    ElvPose g; // world
    ElvWrench lam;
    ElvTwist xi;
} ElvShootSection;

/// Variations at the end of a segment per unit of its own unknowns, in the section's axes.
typedef struct {
    int n;
    double zeta[6][ELV_IVP_COLUMN], lam[6][ELV_IVP_COLUMN];
} ElvShootColumns;

struct ElvShooting {
    const ElvModel* model;
    ElvStaticsDef options;
    ElvBrake brake; // of options.stop
    ElvPool pool;
    ElvChain chain;
    // steps: the coarse grid has half as many, for the error
    ElvShotGrid fine, coarse;
    int steps, times; // along each rod, and by how much these are divided
    int first_times;  // at the start
    int n_segment;
    int* first; // step of the fine grid at which each segment begins (n_segment + 1)
    ElvShootPoint now, trial, kept; // accepted, tried, last equilibrium on the way
    ElvShootPoint past;             // equilibrium before kept, on the way
    ElvShootPoint last;             // last equilibrium that was asked for
    // what the last shot over all segments left: the point it started from (NULL: none that counts any more), ends of
    // segments and starts of steps, and if asked for the variations at the ends and of the joint's balance
    const ElvShootPoint* shot;
    ElvIvpState* end;   // (n_segment)
    ElvIvpState* start; // (fine.n_step)
    bool has_column;
    ElvShootColumns* column; // (n_segment)
    double joint_u[36];      // by displacements of the joint  (n_u x n_u)
    double joint_lam[36];    // by Lambda(0)                   (n_u x 6)
    double norm;             // of the last residual that was accepted
    ElvRootProblem problem;
    ElvRootWork work;
    double length, moment; // units: of the chain, and of what bends it by a radian
    double size;           // largest wrench of the trial point, in units
    bool has_tip;          // held
    bool is_pinned;        // its position alone: no moment
    ElvPose tip;
    bool is_balanced; // now and section are an equilibrium
    ElvStrongInput in;
    ElvShootSection* section; // (fine.n_step)
    int n_section_room;
    ElvWrench tip_wrench;
    // room for sections between
    ElvShotNode* node;   // (ELV_RK8_NODE + 1)
    ElvFibreNode* fibre; // those of each
    double* tension;
    double** gram; // of the modes of each rod, factored
    ElvFieldSource source;
    ElvShootReport report;
};

/// Steps, tables and memory for steps that are divided by `times`. On failure all stays as it was.
ELV_NODISCARD ElvStatus elv_shoot_build(ElvShooting* shooting, int times, ElvError* error);

/// Copy a point.
void elv_shoot_copy(const ElvShooting* shooting, const ElvShootPoint* from, ElvShootPoint* to);

/// The problem of elv_root_solve at the present load.
ElvRootProblem elv_shoot_problem(ElvShooting* shooting);

/// Shoot over all segments from a point, with the variations if asked for. false: a shot is lost.
bool elv_shoot_over(ElvShooting* shooting, const ElvShootPoint* x, bool with_columns);

/// Jacobian at the accepted point.
bool elv_shoot_jacobian(void* user, ElvBand* J);

/// Whether the joint of the accepted point, an equilibrium, can move without resistance: some unit residual moves it
/// without bounds.
bool elv_shoot_can_move(ElvShooting* shooting);

/// Say why there is no equilibrium at load t; returns the status (shoot_failure.c). root: of the last search. size: of
/// what the loads make along the chain, in units. is_inaccurate: only the error of the steps was too large.
ElvStatus elv_shoot_fail(ElvShooting* shooting,
                         double t,
                         const ElvRootReport* root,
                         double size,
                         bool is_inaccurate,
                         ElvError* error);

/// The same where the caller has stopped the search for one.
ELV_NODISCARD ElvStatus elv_shoot_fail_stopped(ElvShooting* shooting, double t, ElvError* error);

/// The same where only an equilibrium whose energy falls in n_fall directions was found, or, if that is 0, where nothing
/// holds the joint but loads.
ELV_NODISCARD ElvStatus elv_shoot_fail_branch(ElvShooting* shooting,
                                              double t,
                                              int n_fall,
                                              ElvError* error);

/// Keep sections at all steps of the accepted point, which is an equilibrium.
ELV_NODISCARD ElvStatus elv_shoot_store(ElvShooting* shooting, ElvError* error);

/// The section at station s of rod node i_node as the equations carry it, with Lambda* for stress.
ElvShootSection elv_shoot_carried(ElvShooting* shooting, int i_node, double s);

/// The functions by which signals read the equilibrium (shoot_output.c).
ElvFieldSource elv_shoot_source(ElvShooting* shooting);

#endif
