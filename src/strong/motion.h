// SPDX-License-Identifier: Apache-2.0
// Inside of shooting in time: the integrator behind `method: shooting`. A time scheme removes the rates of strains at the
// nodes of the grid and those of the root joint; what is left at the end of a step is a boundary value problem along the
// chain, shot over segment by segment [OCP (58)-(64), (67)-(72)].
#ifndef ELVER_STRONG_MOTION_H
#define ELVER_STRONG_MOTION_H

#include "solve/integrator.h"
#include "solve/scheme.h"
#include "strong/chain_root.h"
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

/// Room for pairs of steps along the chain as one (motion_error.c).
typedef struct ElvMotionCheck ElvMotionCheck;

typedef struct {
    ElvIntegrator head; // first: an ElvMotionShooting* is an ElvIntegrator*
    ElvPool pool;
    ElvChain chain;
    ElvShotGrid grid;
    ElvMotionGrid motion;
    double a_compliance; // motion.a of the compliances in motion.past; 0: there are none
    ElvChainRoot root;
    ElvScheme scheme;
    double length, moment; // units: of the chain, and of what bends it by a radian
    // the boundary value problem
    int n_gap;          // equations between two segments: 24, or 18 without accelerations
    ElvMotionCut cut;   // into the segments asked for
    ElvMotionCut spare; // into one for each step, where a guess is needed
    double size;        // largest wrench of the trial point, in units
    double growth;      // by which a variation grew over a segment at most
    int lost;           // step at which the last shot was lost, or -1
    ElvStatus law;      // and why
    // fields at the nodes: four for each step and one at the end of each piece
    int n_node;
    int* i_node;                           // first node of each step                     (n_step)
    ElvFieldNode *field, *field_past;      // at t, t_past                                (n_node)
    ElvFieldNode* field_next;              // room for the end of a step                  (n_node)
    ElvMotionMemory *memory, *memory_next; // (n_node)
    ElvFieldView view;
    // time
    double t, t_past;
    double step_past; // 0: the scheme remembers nothing
    double aux_lead;
    double t_stop; // breakpoint that ends the smooth interval
    bool must_restart;
    bool is_rejected; // the step to t, which State knows nothing of: only a start leads on
    bool has_stepped; // since the last start from coordinates: a start at t goes on
    ElvChainJoint joint, joint_past;
    double joint_aux[6], joint_rate_past[6];
    double joint_w_dot[6]; // accelerations of its chart at t
    double basis[6]
                [6]; // increment of the joint per unknown: unknowns are seen from the moving frame
    int i_guess;     // the guess that led to the last solution
    double effort[6], effort_past[6];
    // the same model with its modes: accelerations where they jump
    ElvData* data;
    ElvState* modal;
    double* jump;  // (nv)
    double** gram; // of the modes of each rod, factored                (n_rod)
    ElvMotionCheck* check;
    ElvIntegratorReport report;
} ElvMotionShooting;

ELV_NODISCARD ElvStatus elv_motion_create(const ElvModel* model,
                                          const ElvSimulateDef* options,
                                          ElvIntegrator** integrator,
                                          ElvError* error);

// ---- the boundary value problem (motion_shoot.c)

ElvRootProblem elv_motion_problem(ElvMotionShooting* self);
/// Shoot over all segments from the sections of a point: their ends, and the fields at all nodes unless NULL. false: a shot
/// is lost, at self->lost for the reason self->law.
bool elv_motion_shoot(ElvMotionShooting* self,
                      const ElvMotionPoint* x,
                      ElvMotionState* end,
                      ElvFieldNode* node);

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
                          const ElvChainJoint* joint,
                          ElvState* state);
ElvStatus
elv_motion_interpolate(ElvIntegrator* integrator, double t, ElvState* state, ElvError* error);
void elv_motion_see(ElvIntegrator* integrator, ElvState* state, ElvData* data);

/// Effort of the joint's drive at the root as it stands.
void elv_motion_set_effort(ElvMotionShooting* self, ElvWrench lam);

// ---- the error along the chain (motion_error.c)

ELV_NODISCARD bool elv_motion_check_take(ElvMotionShooting* self);

/// Estimate of what the steps along the chain have added to the fields within the last step in time, in units of the
/// chain; infinite where there is none. To be called before the next step begins. Allocates nothing.
double elv_motion_space_error(ElvMotionShooting* self);

/// An error of the steps along the chain, relative to its length, beyond which a step in time means
/// nothing.
#define ELV_MOTION_COARSEST 0.01

/// The failure for this.
ELV_NODISCARD ElvStatus elv_motion_fail_coarse(ElvMotionShooting* self, double dt, ElvError* error);

// ---- failures (motion_failure.c)

/// Say why a step of length dt has failed; returns the status.
ElvStatus
elv_motion_fail(ElvMotionShooting* self, const ElvRootReport* root, double dt, ElvError* error);

// ---- the grid (motion_grid.c)

/// Exponent by which variations grow over the chain in a step with the coefficients a, b: bending with the
/// fourth root of inertia over stiffness, twist and stretch with the second.                 [OCP (88)]
double elv_motion_exponent(const ElvShotGrid* grid, double a, double b);

/// ELV_ERROR_STEP, ELV_ERROR_SINGULAR: variations grow beyond what shots can follow, in steps of length dt (growth.h).
ELV_NODISCARD ElvStatus elv_motion_check_growth(const ElvMotionShooting* self,
                                                double dt,
                                                ElvError* error);

/// Segments that steps of length dt are expected to take.
int elv_motion_segments(const ElvMotionShooting* self, double dt);

/// The step below which shooting is expected to fail: growth over a segment reaches what double precision bears.
double elv_motion_critical(const ElvMotionShooting* self);

/// Grid, segments, nodes and the room for fields.
ELV_NODISCARD ElvStatus elv_motion_build(ElvMotionShooting* self, ElvError* error);

#endif
