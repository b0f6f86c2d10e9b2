// SPDX-License-Identifier: Apache-2.0
// Inside of shooting in time: the integrator behind `method: shooting`. A time scheme removes the rates of strains at the
// nodes of the grid and those of the root joint; what is left at the end of a step is a boundary value problem along the
// chain, shot over segment by segment [OCP (58)-(64), (67)-(72)].
#ifndef ELVER_STRONG_MOTION_H
#define ELVER_STRONG_MOTION_H

#include "solve/integrator.h"
#include "solve/scheme.h"
#include "strong/finite_root.h"
#include "strong/motion_ivp.h"
#include "strong/root_solve.h"

/// Unknowns: increment of the joint, and the section where each segment begins; all but Lambda of the first one follows
/// from the joint.
typedef struct {
    double nu[6];
    ElvMotionSection* at; // (n_segment)
} ElvMotionPoint;

/// The chain cut into segments, and the search for a root over them.
typedef struct {
    int n_segment;
    int* first; // step at which each segment begins                      (n_segment + 1)
    ElvMotionPoint now, trial;
    ElvMotionState* end; // of each segment at the trial point                (n_segment)
    ElvRootProblem problem;
    ElvRootWork work;
} ElvMotionCut;

/// What the scheme remembers at a node.
typedef struct {
    ElvTwist xi_ddot;
    ElvTwist aux;       // auxiliary acceleration
    ElvTwist rate_past; // xi_dot before the last step
} ElvMotionMemory;

typedef struct {
    ElvIntegrator head; // first: an ElvMotionShooting* is an ElvIntegrator*
    ElvPool pool;
    ElvChain chain;
    ElvShotGrid grid;
    bool has_grid;
    ElvMotionGrid motion;
    ElvFiniteRoot root;
    ElvScheme scheme;
    double length, moment; // units: of the chain, and of what bends it by a radian
    // the boundary value problem
    int n_gap;          // equations between two segments: 24, or 18 without accelerations
    ElvMotionCut cut;   // into the segments asked for
    ElvMotionCut spare; // into one for each step, where a guess is needed
    double size;        // largest wrench of the trial point, in units
    double growth;      // by which a variation grew over a segment at most
    double exponent;    // by which one grows over the chain, as predicted
    int lost;           // step at which the last shot was lost, or -1
    ElvStatus law;      // and why
    // fields at the nodes: four for each step and one at the end of each piece
    int n_node;
    int* i_node;                           // first node of each step                     (n_step)
    ElvFieldNode *field, *field_past;      // at t, t_past                                (n_node)
    ElvMotionMemory *memory, *memory_next; // (n_node)
    ElvFieldView view;
    // time
    double t, t_past;
    double step_past; // 0: the scheme remembers nothing
    double aux_lead;
    double t_stop; // breakpoint that ends the smooth interval
    bool must_restart;
    ElvFiniteJoint joint, joint_past;
    double joint_aux[6], joint_rate_past[6];
    double effort[6], effort_past[6];
    ElvWrench lam_rate; // change of Lambda at the root over the last step
    // the same model with its modes: accelerations where they jump
    ElvData* data;
    ElvState* modal;
    double* jump;  // (nv)
    double** gram; // of the modes of each rod, factored                (n_rod)
    ElvIntegratorReport report;
} ElvMotionShooting;

ELV_NODISCARD ElvStatus elv_motion_create(const ElvModel* model,
                                          const ElvSimulateDef* options,
                                          ElvIntegrator** integrator,
                                          ElvError* error);

// ---- the boundary value problem (motion_shoot.c)

ElvRootProblem elv_motion_problem(ElvMotionShooting* self);
bool elv_motion_residual(void* user, double* r);
bool elv_motion_jacobian(void* user, ElvBand* J);

/// The first section of the chain, as the root has it.
void elv_motion_place(ElvMotionShooting* self, ElvMotionPoint* x);

// ---- the scheme (motion_scheme.c)

/// A step of length dt: coefficients, and histories at all nodes and of the joint.
void elv_motion_scheme_begin(ElvMotionShooting* self, double dt);

/// What acts at time t, and the laws of all nodes.
ELV_NODISCARD ElvStatus elv_motion_drive(ElvMotionShooting* self, double t, ElvError* error);

/// The step is over: fields of all nodes at its end become those at t.
void elv_motion_scheme_end(ElvMotionShooting* self, double dt, double t_end);

// ---- start and restart (motion_start.c)

ELV_NODISCARD ElvStatus elv_motion_start_fields(ElvMotionShooting* self,
                                                const ElvState* state,
                                                ElvError* error);

/// Add to accelerations what they jump by at t.
ELV_NODISCARD ElvStatus elv_motion_restart(ElvMotionShooting* self, ElvError* error);

// ---- what is handed out (motion_output.c)

void elv_motion_put_state(const ElvMotionShooting* self,
                          double t,
                          const ElvFiniteJoint* joint,
                          ElvState* state);
ElvStatus
elv_motion_interpolate(ElvIntegrator* integrator, double t, ElvState* state, ElvError* error);
void elv_motion_see(ElvIntegrator* integrator, const ElvState* state, ElvData* data);

/// Effort of the joint's drive at the root as it stands.
void elv_motion_set_effort(ElvMotionShooting* self, ElvWrench lam);

// ---- the grid (motion_grid.c)

/// Exponent by which variations grow over the chain in a step with the coefficients a, b: bending with the
/// fourth root of inertia over stiffness, twist and stretch with the second.                 [OCP (88)]
double elv_motion_exponent(const ElvShotGrid* grid, double a, double b);

/// The step below which shooting is expected to fail: growth over a segment reaches what double precision bears.
double elv_motion_critical(const ElvMotionShooting* self);

/// Room of a cut, whose n_segment is set.
bool elv_motion_cut_take(ElvMotionCut* cut, ElvPool* pool);

/// Grid, segments, nodes and the room for fields.
ELV_NODISCARD ElvStatus elv_motion_build(ElvMotionShooting* self, ElvError* error);

#endif
