// SPDX-License-Identifier: Apache-2.0
// Kinematics and dynamics of a tree of rigid bodies and rods. Nothing here allocates or prints.
#ifndef ELVER_DYNAMICS_H
#define ELVER_DYNAMICS_H

#include "elver/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Forward pass: poses, velocities and accelerations of every body and section.    [P23 (39)-(41)]
ELV_API void elv_kinematics(const ElvModel* model, ElvData* data, const ElvState* state);

/// Inverse dynamics tau = M(q) a + c(q, v) - Q_ext(q, v, t): the efforts that a fully actuated
/// robot would need, gravity and loads included, springs, elasticity, damping and actuation not.
/// tau: (nv).                                                      [P23 (20), (39)-(44), (46)-(47)]
ELV_API void elv_idm(const ElvModel* model, ElvData* data, const ElvState* state, double* tau);

/// Internal efforts Upsilon = Q_ad - Q_e - Q_damping: actuation, elasticity, springs, damping of
/// rods and joints. upsilon: (nv).                                                     [P23 (23)]
ELV_API void
elv_internal_efforts(const ElvModel* model, ElvData* data, const ElvState* state, double* upsilon);

/// Residual of the dynamics r = IDM - Upsilon; zero on a motion, save for the components of
/// motion-driven joints, where it is the driving effort. residual: (nv).               [P23 (22)]
ELV_API void
elv_residual(const ElvModel* model, ElvData* data, const ElvState* state, double* residual);

/// Mass matrix by composite inertias; M: (nv x nv), row-major, symmetric.
ELV_API void
elv_mass_matrix(const ElvModel* model, ElvData* data, const ElvState* state, double* M);

/// Mass matrix column by column from the IDM.                                     [P20 (35)-(36)]
ELV_API void
elv_mass_matrix_idm(const ElvModel* model, ElvData* data, const ElvState* state, double* M);

/// Bias: IDM at zero acceleration, with velocities, gravity and loads; c: (nv).   [P20 (33)-(34)]
ELV_API void elv_bias(const ElvModel* model, ElvData* data, const ElvState* state, double* c);

/// Derivatives of elv_idm, exact: by displacements in the axes of the velocities (elv_configuration_integrate), by
/// velocities and by accelerations, which is the mass matrix; unknowns of devices held. Each (nv x nv), row-major, or
/// NULL: row i is tau_i. Columns of d_q and d_v that belong to imposed motions are zero.      [P23 (48)-(55)]
ELV_API void elv_idm_derivatives(const ElvModel* model,
                                 ElvData* data,
                                 const ElvState* state,
                                 double* d_q,
                                 double* d_v,
                                 double* d_a);

/// Forward dynamics: fills state->a, the coordinates of motion-driven joints, and what follows at once for
/// devices: their algebraic z and the rates of the others. The tension of an inextensible tendon of given
/// length does not: it is taken from state->z.                                          [P20 (37)]
/// Fails with ELV_ERROR_SINGULAR, naming the joint, if the mass matrix is not positive definite,
/// and with ELV_ERROR_NUMERIC if an acceleration is not finite; state->a is then unchanged.
ELV_API ELV_NODISCARD ElvStatus elv_forward_dynamics(const ElvModel* model,
                                                     ElvData* data,
                                                     ElvState* state,
                                                     ElvError* error);

/// Whether every device can act at time t, and every rod follow its imposed strains: their laws are finite,
/// and in the range that they must keep. ELV_ERROR_NUMERIC names the first that cannot, and its law as the
/// field of error.
ELV_API ELV_NODISCARD ElvStatus elv_device_check(const ElvModel* model, double t, ElvError* error);

/// Efforts delivered by the drives, joint side: the law of a force-driven joint (times its gear); what the
/// controllers of any joint add; what a motion-driven one needs for the accelerations in state.
/// effort: (nv).
ELV_API void
elv_drive_efforts(const ElvModel* model, ElvData* data, const ElvState* state, double* effort);

// ---- frames: valid after elv_kinematics or elv_idm on the same state (elv_forward_dynamics leaves
// ---- poses and twists, but not accelerations and wrenches)

/// Pose of a frame in the world.
ELV_API ElvPose elv_frame_pose(const ElvModel* model, const ElvData* data, ElvFrame frame);

/// Twist of a frame, in its own axes.
ELV_API ElvTwist elv_frame_twist(const ElvModel* model, const ElvData* data, ElvFrame frame);

/// Time derivative of that twist (eta_dot).
ELV_API ElvTwist elv_frame_twist_dot(const ElvModel* model, const ElvData* data, ElvFrame frame);

/// Jacobian: twist of the frame, in its own axes, = J v. J: (6 x nv), row-major, angular first.
ELV_API void elv_frame_jacobian(
    const ElvModel* model, ElvData* data, const ElvState* state, ElvFrame frame, double* J);

/// Pose, strain and internal wrench Lambda at station s of rod node i_node, by integration along
/// the rod: any s in [0, 1]. Where strain or wrench jump, those of the outer side (towards the tip).
/// Pointers may be NULL. lam is that of the last elv_idm.
ELV_API void elv_rod_section(const ElvModel* model,
                             ElvData* data,
                             const ElvState* state,
                             int i_node,
                             double s,
                             ElvPose* pose,
                             ElvTwist* strain,
                             ElvWrench* lam);

/// What elasticity and damping do not give of that wrench, and actuators must:
/// Lambda - H (xi - xi_o) - D xi_dot on the strains that have modes, zero on the others. With few
/// modes it is off by what these leave of the balance.                                   [OCP (16)]
ELV_API void elv_rod_actuation(const ElvModel* model,
                               ElvData* data,
                               const ElvState* state,
                               int i_node,
                               double s,
                               double stress[6]);

// ---- invariants

/// Energies, J. elastic: rods, springs of joints and of loops; gravity: zero at the world's origin.
typedef struct {
    double kinetic, elastic, gravity;
} ElvEnergy;

ELV_API ElvEnergy elv_energy(const ElvModel* model, ElvData* data, const ElvState* state);

/// Power that the model gives to the fluid, W: against drag, lift, resistance, accelerating currents, and with the wake of
/// slender bodies. Kinetic energy has that of the added inertia, gravity the potential of buoyancy: what springs, drives
/// and loads leave, their sum loses to the fluid. In a steady current it may be negative.
ELV_API double elv_power_to_fluid(const ElvModel* model, ElvData* data, const ElvState* state);

/// Powers by account, W: stored energy (kinetic, elastic, gravity) grows by
///     actuators + loads - dissipated - fluid.
/// actuators: drives and controllers of joints, imposed motions of joints, strains and constraints, tendons,
/// chambers, muscles, stress fields, strain controllers: what they do on bodies and rods, so that friction within
/// a tendon is not counted apart. loads: wrenches and distributed loads, without gravity. dissipated: damping and
/// friction of joints, stops, rods, loops and sliders. fluid: what the motion loses to a fluid.
typedef struct {
    double actuators, loads, dissipated, fluid;
} ElvPowers;

/// Powers at a state with its accelerations and, under constraints by an implicit method, its reactions. Zero for
/// a motion without modes. Overwrites the workspace.
ELV_API ElvPowers elv_powers(const ElvModel* model, ElvData* data, const ElvState* state);

/// What a run has made of its accounts, J: change of stored energy since they were opened, less the work done:
/// what the time integration lost (< 0) or made, and impacts took. 0 where none are kept (state->work).
ELV_API double elv_work_error(const ElvModel* model, ElvData* data, const ElvState* state);

/// Momentum in world axes: linear, and angular about the world's origin; mass and centre of mass.
typedef struct {
    ElvVec3 linear, angular, center;
    double mass;
} ElvMomentum;

ELV_API ElvMomentum elv_momentum(const ElvModel* model, ElvData* data, const ElvState* state);

/// Jacobian of the centre of mass: its velocity, in world axes, = J v. J: (3 x nv), row-major; zero without mass.
ELV_API void
elv_center_jacobian(const ElvModel* model, ElvData* data, const ElvState* state, double* J);

// ---- constraints

/// How the constraints of a model have been kept: defects in m or rad, drifts in m/s or rad/s.
typedef struct {
    int n_redundant;       // constraints that follow from others
    const char* redundant; // the name of one that has such, or NULL
    int n_free;    // velocities that drives and constraints leave free; of elv_close_loops alone
    double opened; // largest defect at the start, before the loops were closed
    double gap;    // largest defect since
    double drift;  // largest rate of a defect since: what velocities violate
} ElvClosureReport;

/// Rows of constraints on the motion: those of loops, sliders, contacts, wheels and others, device after device. The
/// device (elv_model_device) that row i belongs to; -1: there is no such row.
ELV_API int elv_model_n_constraint(const ElvModel* model);
ELV_API int elv_model_constraint_device(const ElvModel* model, int i_row);

/// Jacobian of the constraints: rates of their defects = J v, but for what laws of time add. J: (n_constraint x nv),
/// row-major; columns of imposed motions are zero, and so are rows of contacts that do not act.       [P23 (7)]
ELV_API void
elv_constraint_jacobian(const ElvModel* model, ElvData* data, const ElvState* state, double* J);

/// Defects of the constraints (level 0; 0 for those on velocities), their first or their second time derivative
/// (1, 2), m and rad, with s^-1 or s^-2: c (n_constraint). Zero on a motion.
ELV_API void elv_constraint_defects(
    const ElvModel* model, ElvData* data, const ElvState* state, int level, double* c);

/// A buoyant body at the surface of which the volume alone is known: it floats as the sphere of that
/// would, about which nothing rights it. NULL: there is none.
ELV_API const char* elv_fluid_rough_float(const ElvModel* model, const ElvState* state);

/// An element with added inertia above the surface, where that acts as under water.
typedef struct {
    const char* name; // NULL: there is none
    bool is_rod;
    bool is_slender; // of elongated body theory
    double share;    // of its length above the surface; 1: all of it
} ElvFluidDry;

/// The element with added inertia that is above the surface with most of its length. Not known of
/// rods without modes.
ELV_API ElvFluidDry elv_fluid_dry(const ElvModel* model, ElvData* data, const ElvState* state);

#ifdef __cplusplus
}
#endif

#endif
