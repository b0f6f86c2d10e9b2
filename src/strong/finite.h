// SPDX-License-Identifier: Apache-2.0
// Inside of the finite differences in time: the integrator behind `method: rkmk` and `method: till`.
#ifndef ELVER_STRONG_FINITE_H
#define ELVER_STRONG_FINITE_H

#include "solve/integrator.h"
#include "strong/finite_mesh.h"
#include "strong/finite_solve.h"

typedef struct {
    ElvIntegrator head; // first: an ElvFinite* is an ElvIntegrator*
    ElvPool pool;
    ElvChain chain;
    ElvFiniteGrid grid;
    ElvChainRoot root;
    ElvFiniteSweep sweep;
    ElvFiniteMesh mesh;
    ElvFieldView view;
    double** gram; // of the modes of each rod, factored   (n_rod)
    // the last two instants; past is the start of the last step
    double t, t_past;
    bool has_stepped;         // since the last start from coordinates: a start at t goes on
    ElvFieldNode *now, *past; // (n_node)
    ElvFieldNode* next;       // scratch                       (n_node)
    ElvChainJoint joint, joint_past;
    double effort[6], effort_past[6];
    double x[6], x_past[6]; // Lambda at the root
    double euler_q[7];      // coordinates of a joint that is integrated, not imposed
    double step_past;       // of the last step that the next may remember; 0: none
    double t_stop;          // breakpoint that ends the smooth interval
    double largest;         // wrench so far
    int last_guess;         // that led to a solution
    ElvIntegratorReport report;
} ElvFinite;

ELV_NODISCARD ElvStatus elv_finite_create(const ElvModel* model,
                                          const ElvSimulateDef* options,
                                          ElvIntegrator** integrator,
                                          ElvError* error);

/// Fields at the start from the coordinates of a state (finite_start.c).
ELV_NODISCARD ElvStatus elv_finite_start(ElvFinite* self, const ElvState* state, ElvError* error);

/// Whether the fields found for the end of a step, time t, can be those of rods (finite_check.c).
ELV_NODISCARD ElvStatus elv_finite_check(const ElvFinite* self,
                                         const ElvFieldNode* node,
                                         double t,
                                         ElvError* error);

/// Say why a step of length dt has failed; returns the status (finite_failure.c).
ElvStatus
elv_finite_fail(ElvFinite* self, const ElvFiniteReport* report, double dt, ElvError* error);

/// The step below which one shot along all rods is expected to fail.                            [OCP (88)]
double elv_finite_critical(const ElvFinite* self);

/// ELV_ERROR_STEP, ELV_ERROR_SINGULAR: variations grow beyond what shots can follow, in steps of length dt (growth.h).
ELV_NODISCARD ElvStatus elv_finite_check_growth(const ElvFinite* self, double dt, ElvError* error);

/// Poses of nodes as the published program rebuilds them from the strains of its own (finite_output.c).
void elv_finite_rebuild(const ElvFinite* self, const ElvFieldNode* strain, ElvFieldNode* node);

/// t and the joint's coordinates of a state.
void elv_finite_put_state(const ElvFinite* self,
                          double t,
                          const ElvChainJoint* joint,
                          ElvState* state);

ElvStatus
elv_finite_interpolate(ElvIntegrator* integrator, double t, ElvState* state, ElvError* error);
void elv_finite_see(ElvIntegrator* integrator, ElvState* state, ElvData* data);

#endif
