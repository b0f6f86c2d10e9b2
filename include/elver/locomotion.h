// SPDX-License-Identifier: Apache-2.0
// Locomotion: what a robot whose shape is imposed is free to do, and whether its constraints agree
// with that shape.
//
// Every velocity component of a model is imposed (a joint with a motion, a strain field) or free:
// those of the root joint, which carries the net motion, and those of joints without a drive or
// with a torque. Constraints (wheels, contacts, loops) are rows on the free ones. `elver run` finds
// the motion of what is free and the effort of what is imposed; here is what can be said before.
#ifndef ELVER_LOCOMOTION_H
#define ELVER_LOCOMOTION_H

#include "elver/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The classes of [ALI table 3.1].
typedef enum {
    // nothing is free: a manipulator on an imposed base
    ELV_LOCOMOTION_IMPOSED,
    // no constraint, no external force: mechanical connection               [ALI (3.32)]
    ELV_LOCOMOTION_FLOATING,
    // no constraint, external forces: dynamics                              [ALI (3.29)]
    ELV_LOCOMOTION_FORCED,
    // constraints and shape decide on all: kinematic connection             [ALI (3.45)]
    ELV_LOCOMOTION_CONSTRAINED,
    // motors of wheels decide on what is left: kinematic connection         [ALI (3.55)]
    ELV_LOCOMOTION_ACTUATED,
    // motors decide on a part: reduced dynamics of the rest                 [ALI (3.69)]
    ELV_LOCOMOTION_MIXED,
    // constraints leave something free: reduced dynamics                    [ALI (3.69)]
    ELV_LOCOMOTION_UNDER
} ElvLocomotionClass;

/// What is free, in numbers, with the contacts that act at the time. Constraints that depend on each
/// other for an instant count as independent if they are so shortly after. Forces count if they act
/// on a robot at rest at some time of its run.
typedef struct {
    ElvLocomotionClass kind;
    // name of the joint that carries the net motion, the model's: the last of the free ones from
    // the world on, without a branch, that span a group; "" without one
    const char* root;
    // of its motions: "R", "R^2", "R^3", "SO(2)", "R x SO(2)", "SO(3)", "SE(2)", "SE(2) x R",
    // "SE(3)", or ""; static
    const char* group;
    int n_group; // free velocities of that joint and of those that carry it
    int n_other; // other free ones
    int n_imposed;
    int n_row;        // constraints on the motion, without contacts that do not act at the time
    int rank;         // independent ones
    int n_redundant;  // that follow from others
    int n_wheel;      // wheels
    int n_motor;      // wheels whose rotation is given
    int n_kernel;     // velocities that constraints without motors leave free    [ALI (3.47)]
    int n_actuated;   // of these, decided on by motors                           [ALI (3.48)]
    int n_free;       // and left to the dynamics
    bool is_singular; // at the state itself constraints lose a direction
    char reason[256]; // in words
} ElvLocomotionReport;

/// Class of a robot at a state, which is not changed. Takes memory.
ELV_API ELV_NODISCARD ElvStatus elv_locomotion_classify(const ElvModel* model,
                                                        const ElvState* state,
                                                        ElvLocomotionReport* report,
                                                        ElvError* error);

/// Short name of a class: "fully constrained".
ELV_API const char* elv_locomotion_class_text(ElvLocomotionClass kind);

/// How far imposed motions and constraints agree.
typedef struct {
    bool is_compatible;
    const char* constraint; // the one that would have to slip most, the model's name; or ""
    double t;               // when, s
    double slip;            // by how much, m/s or rad/s
    int n_sample;           // instants that were looked at
} ElvCompatibility;

/// Whether velocities exist that satisfy all constraints while joints move as imposed, from
/// state->t to t_end [ALI (3.44), (3.54)]. At state->t this is exact. Later coordinates that are
/// free are not known: a slip counts where it is there whatever they are, tried at several
/// configurations; constraints on positions are not looked at later. Instants at which rows lose a
/// direction that the motion needs are refined between samples: the slip is that of the nearest
/// motion there. Returns ELV_ERROR_NUMERIC
/// where they do not agree, with the constraint and its slip, and where a motion is not a number:
/// report->constraint is then "". report may be NULL. elv_simulate asks it before it starts. Takes
/// memory.
ELV_API ELV_NODISCARD ElvStatus elv_locomotion_compatibility(const ElvModel* model,
                                                             const ElvState* state,
                                                             double t_end,
                                                             ElvCompatibility* report,
                                                             ElvError* error);

/// Name of a wheel that neither joints nor constraints keep on its ground at a state, as wheels on
/// a body that is free to fall: it can move along the z axis of its frame, which no wheel holds.
/// NULL: there is none, or constraints that cannot be judged. Takes memory.
ELV_API const char* elv_locomotion_loose_wheel(const ElvModel* model, const ElvState* state);

/// Joint efforts by the "projective" recursion [ALI (3.73)-(3.85)], for comparison with the thesis.
/// It projects all that a wheeled body hands on to its antecedent on the directions in which its
/// own wheels and the ground let it move, and so loses the lateral part of every wrench between
/// bodies [ALI (3.81)]. Its efforts are right where wheeled bodies are leaves whose joint axes
/// their wheels do not hold (a snakeboard), and wrong elsewhere: they violate the balance of power,
/// and leave a wrench on the root that nothing exerts. Use NODE.effort or elv_drive_efforts, which
/// distribute smallest contact forces, for all else.
///
/// tau: (nv), efforts of all joints. left: what is left on the root body, in its axes. The motion
/// is that of the state with its accelerations; forces of wheels do not enter, other external
/// forces do. Trees of bodies alone: ELV_ERROR_INPUT names a rod.
ELV_API ELV_NODISCARD ElvStatus elv_locomotion_projective_torques(const ElvModel* model,
                                                                  ElvData* data,
                                                                  const ElvState* state,
                                                                  double* tau,
                                                                  ElvWrench* left,
                                                                  ElvError* error);

// ---- connections and gaits

/// How free velocities follow from imposed ones: v_f = -A v_i, A (n_free x n_imposed) row by row,
/// both in the order of v. What decides is the momentum (mechanical; hydrodynamic with added
/// inertia), or viscous resistance (Stokes); where constraints leave nothing free these alone
/// (kinematic connection) [ALI (3.31)-(3.32), (3.45), (3.55)]. A is taken at the configuration of
/// the state, whose imposed coordinates need not be those of their laws. v of spherical and free
/// joints is in moving axes, that of a planar joint has (x, y) in axes of its base. Takes memory.
/// ELV_ERROR_SINGULAR names a joint whose motion nothing resists.
ELV_API ELV_NODISCARD ElvStatus elv_connection(
    const ElvModel* model, const ElvState* state, ElvConnection kind, double* A, ElvError* error);

/// Its curvature F (n_free) for the imposed velocities i and j, counted among imposed ones: a cycle
/// of shapes that goes around a small area ds_i ds_j, first along i, moves what is free by F ds_i
/// ds_j [ALI (2.3)]. With X_i the motion that v_i = 1 makes,
///     F = -(X_i A_j - X_j A_i) + [A_i, A_j],
/// the bracket that of SE(3) or SO(3) for free and spherical joints, 0 for others. Derivatives are
/// central differences of order 6, with errors of about 1e-11; where constraints lose a direction
/// there are none. Takes memory.
ELV_API ELV_NODISCARD ElvStatus elv_connection_curvature(const ElvModel* model,
                                                         const ElvState* state,
                                                         ElvConnection kind,
                                                         int i,
                                                         int j,
                                                         double* F,
                                                         ElvError* error);

/// What one cycle of the imposed motion does.
typedef struct {
    double period; // s
    ElvPose net;   // of the root at the end, in its frame at the start
    // by how much imposed coordinates miss their start; 0: the cycle is closed. A revolute joint
    // that has turned by 2 pi has missed it by that.
    double opening;
    double rel_tol; // relative tolerance of its integration
    long n_step;    // steps of it
} ElvGait;

/// Net displacement over a period of all that is imposed, from state->t, by integration of the
/// connection to a relative tolerance of 1e-11, or, where that cannot be met as near a singular
/// start, 1e-9 or 1e-7; where constraints decide on all, through postures in which they lose rank.
/// period <= 0: the shortest one within twice the duration of the model, of imposed velocities,
/// motors, rates, stations and switches of contacts; ELV_ERROR_INPUT of the field "period" where
/// there is none, of "motion" where nothing is imposed or no root is free. stop, which may be NULL,
/// is asked at every candidate for a period and every step of the cycle. ELV_ERROR_NUMERIC where
/// constraints do not agree with the motion (elv_locomotion_compatibility). Takes memory.
ELV_API ELV_NODISCARD ElvStatus elv_gait_displacement(const ElvModel* model,
                                                      const ElvState* state,
                                                      ElvConnection kind,
                                                      double period,
                                                      const ElvStop* stop,
                                                      ElvGait* gait,
                                                      ElvError* error);

/// The same by the dynamics of the robot, from the state with its velocities: what it does itself in
/// a period, where constraints leave something free or forces act. change: by how much free
/// velocities (n_free) are other ones at the end, in the order of v; it may be NULL. Springs,
/// weights, loads, resistance and drives act. A stiff robot takes long: more than 50000 steps are
/// ELV_ERROR_NUMERIC.
ELV_API ELV_NODISCARD ElvStatus elv_gait_dynamics(const ElvModel* model,
                                                  const ElvState* state,
                                                  double period,
                                                  const ElvStop* stop,
                                                  ElvGait* gait,
                                                  double* change,
                                                  ElvError* error);

#ifdef __cplusplus
}
#endif

#endif
