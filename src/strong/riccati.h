// SPDX-License-Identifier: Apache-2.0
// Inside of inverse dynamics: the steps along the chain with what is given at their nodes and what was found
// at their ends.
#ifndef ELVER_STRONG_RICCATI_H
#define ELVER_STRONG_RICCATI_H

#include "elver/strong_inverse.h"
#include "multibody/field_source.h"
#include "strong/chain_input.h"
#include "strong/sweep_step.h"

/// Ends of a step: its first section, and its last one before what stands there.
typedef struct {
    ElvSweepState begin, end;
} ElvRiccatiStep;

/// The root frame.
typedef struct {
    double q[7], v[6], a[6];
    double effort[6]; // that the drive must deliver
    bool is_free;     // a was found
    ElvPose g;        // world
    ElvTwist eta, eta_dot;
} ElvRiccatiBase;

struct ElvRiccati {
    ElvChain chain;
    ElvShotGrid grid;
    ElvPool pool;
    ElvSweepNode* given;  // at all nodes of all steps     (grid.n_step x ELV_RK8_NODE)
    ElvRiccatiStep* step; // (grid.n_step)
    ElvStrainMotion motion;
    ElvStrongInput in;
    ElvRiccatiBase root;
    double defect;
    bool is_solved;
    // a step between, with its tables
    ElvShotNode node[ELV_RK8_NODE];
    ElvFibreNode* fibre[ELV_RK8_NODE];
    double* tension[ELV_RK8_NODE];
    ElvSweepNode between[ELV_RK8_NODE];
    // a state that gives the motion
    const ElvState* state;
    // for signals
    ElvChainInputs inputs;
    const double* input; // found for tendons and chambers, or NULL: their laws  (model->n_device)
    ElvFieldSource source;
};

/// Strains of the last motion at a node of its rod: free ones as the callback says, others at rest.
void elv_riccati_strain(const ElvRiccati* riccati,
                        int i_rod,
                        const ElvStrongStation* station,
                        ElvSweepNode* given);

/// Section at station s of a step, from the first section of the step; riccati->node[ELV_RK8_NODE - 1] is left with
/// its tables, riccati->between with its strains.
ELV_NODISCARD ElvStatus
elv_riccati_at(ElvRiccati* riccati, int i_step, double s, ElvSweepState* y, ElvError* error);

/// Across what stands at the end of a step: accelerations and motion of the first section of the next.
ElvSweepState elv_riccati_pass(const ElvRiccati* riccati, int i_step, ElvSweepState y);

// riccati_root.c

/// Coordinates, pose and velocity of the root frame; its acceleration where that is given.
void elv_riccati_root_motion(ElvRiccati* riccati);

/// Acceleration or effort at the root, from S and s of the first section.              [OCP (85)]
ELV_NODISCARD ElvStatus elv_riccati_root_solve(ElvRiccati* riccati, ElvError* error);

/// Efforts of the joint at the root by the laws of the model: drive, spring, damping (6).
void elv_riccati_root_law(const ElvRiccati* riccati, double upsilon[6]);

/// Change of the acceleration of the root frame under one of the joint's.
ElvTwist elv_riccati_root_change(const ElvRiccati* riccati, const double* a);

/// The first section, from the root frame.
ElvSweepState elv_riccati_first(const ElvRiccati* riccati);

#endif
