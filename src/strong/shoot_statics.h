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

struct ElvShooting {
    const ElvModel* model;
    ElvStaticsDef options;
    ElvPool pool;
    ElvChain chain;
    // steps: the coarse grid has half as many, for the error
    ElvShotGrid fine, coarse;
    bool has_grid;
    int steps, times; // along each rod, and by how much these are divided
    int n_segment;
    int* first; // step of the fine grid at which each segment begins (n_segment + 1)
    ElvShootPoint now, trial, kept; // accepted, tried, last equilibrium on the way
    ElvShootPoint last;             // last equilibrium that was asked for
    ElvIvpState* end;               // of each segment at the trial point             (n_segment)
    ElvRootProblem problem;
    ElvRootWork work;
    double length, moment; // units: of the chain, and of what bends it by a radian
    double size;           // largest wrench of the trial point, in units
    bool has_tip;          // held
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

/// Steps, tables and memory for the present steps and times.
ELV_NODISCARD ElvStatus elv_shoot_build(ElvShooting* shooting, ElvError* error);

/// Copy a point.
void elv_shoot_copy(const ElvShooting* shooting, const ElvShootPoint* from, ElvShootPoint* to);

/// The problem of elv_root_solve at the present load.
ElvRootProblem elv_shoot_problem(ElvShooting* shooting);

/// Residual of the trial point; false: a shot ran away.
bool elv_shoot_residual(void* user, double* r);

/// Jacobian at the accepted point.
bool elv_shoot_jacobian(void* user, ElvBand* J);

/// Keep sections at all steps of the accepted point, which is an equilibrium.
ELV_NODISCARD ElvStatus elv_shoot_store(ElvShooting* shooting, ElvError* error);

/// Memory and factors by which strains become coordinates (shoot_output.c).
ELV_NODISCARD ElvStatus elv_shoot_take_grams(ElvShooting* shooting, ElvError* error);

/// The functions by which signals read the equilibrium (shoot_output.c).
ElvFieldSource elv_shoot_source(ElvShooting* shooting);

#endif
