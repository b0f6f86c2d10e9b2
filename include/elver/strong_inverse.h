// SPDX-License-Identifier: Apache-2.0
// Inverse problems of chains of rods and bodies without modes: a motion or a shape in, stresses and
// tensions out; what Gauss' principle says of an acceleration; and whether an equilibrium is a
// minimum of the energy.
//
// Chains are those of elver/strong.h. Of the modes of the model only this counts, which strains are
// free. A state of the model is one way to give a motion: its strains are those of its modes.
#ifndef ELVER_STRONG_INVERSE_H
#define ELVER_STRONG_INVERSE_H

#include "elver/strong.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- inverse dynamics and statics

/// Strain of rod node i_node at station s, its rate and its second rate: (6) each, set to those of
/// rest (zero) before the call. Components that are not free are not read.
typedef void (*ElvStrainCallback)(
    void* user, int i_node, double s, double xi[6], double xi_dot[6], double xi_ddot[6]);

/// A motion at an instant. The callback is kept until the next motion.
typedef struct {
    double t;       // time of loads and laws; the load that is stepped, in statics
    bool is_static; // nothing moves: rates are not read
    const double *q, *v,
        *a;            // of the joint at the root, or NULL: as the model starts, or as t imposes it
    bool is_root_free; // a of that joint is not given but follows
    ElvStrainCallback strain; // NULL: at rest
    void* user;
} ElvStrainMotion;

/// A chain with its tables, and the last motion that was given.
typedef struct ElvRiccati ElvRiccati;

/// steps: along each rod; 0: 32. All memory is taken here. ELV_ERROR_INPUT: the model is no chain.
ELV_API ELV_NODISCARD ElvStatus elv_riccati_create(const ElvModel* model,
                                                   int steps,
                                                   ElvRiccati** riccati,
                                                   ElvError* error);
ELV_API void elv_riccati_free(ElvRiccati* riccati);

/// Accelerations and internal wrenches of a motion, in three passes: forth for poses and
/// velocities, back for the composite bodies, forth for accelerations.              [OCP (84)-(86)]
/// ELV_ERROR_SINGULAR: the root is free and something of its motion has no mass; ELV_ERROR_NUMERIC:
/// not finite.
ELV_API ELV_NODISCARD ElvStatus elv_riccati_solve(ElvRiccati* riccati,
                                                  const ElvStrainMotion* motion,
                                                  ElvError* error);

/// The same for the motion that a state of the model has. The state is kept until the next motion.
ELV_API ELV_NODISCARD ElvStatus elv_riccati_solve_state(ElvRiccati* riccati,
                                                        const ElvState* state,
                                                        bool is_root_free,
                                                        ElvError* error);

/// The same for the strains that the model imposes on its rods (`motion`); those that it does not
/// name keep their value at rest. q, v: of the joint at the root, or NULL as above; unless a motion
/// is imposed on it, its acceleration follows.
ELV_API ELV_NODISCARD ElvStatus elv_riccati_solve_imposed(ElvRiccati* riccati,
                                                          double t,
                                                          bool is_static,
                                                          const double* q,
                                                          const double* v,
                                                          ElvError* error);

/// What was found at the root; zero where there is no joint.
typedef struct {
    double a[6]; // accelerations of the joint, given or found
    // what its drive must deliver beside springs, damping and the laws of the model; zero, but for
    // rounding, if a was found
    double effort[6];
    double defect; // how far the passes disagree along the rods, relative to the largest wrench:
                   // an estimate of the error of the steps
} ElvRiccatiRoot;

ELV_API ElvRiccatiRoot elv_riccati_root(const ElvRiccati* riccati);

/// A section of the motion.
typedef struct {
    ElvPose pose;    // in the world
    ElvTwist strain; // xi
    ElvTwist strain_dot;
    ElvTwist eta;     // velocity
    ElvTwist eta_dot; // acceleration
    ElvWrench lam;    // internal wrench
    // stress that actuators must add to elasticity and damping; free strains alone       [OCP (16)]
    double actuation[6];
} ElvRiccatiSection;

/// Section at station s of rod node i_node, by integration from the step before. Where something
/// jumps, that of the outer side.
ELV_API ELV_NODISCARD ElvStatus elv_riccati_section(
    ElvRiccati* riccati, int i_node, double s, ElvRiccatiSection* section, ElvError* error);

/// Fill a workspace and a state with the last motion: poses, velocities and accelerations of all
/// frames; t and the joint at the root. Signals read it from data as long as the solver lives and
/// is given no other motion. input: what tendons and chambers are to show (elv_riccati_tensions),
/// kept likewise; NULL: their laws.
ELV_API void
elv_riccati_hand_out(ElvRiccati* riccati, const double* input, ElvData* data, ElvState* state);

// ---- tensions

typedef struct {
    // size of the stress that tendons and chambers should give: root of its weighted square,
    // integrated over the chain
    double wanted;
    double left; // the same of what they cannot give
    int n_used;  // inputs above zero
} ElvTensionReport;

/// Inputs of the model's tendons and chambers that come nearest to the stress that the last motion
/// needs, none of them below zero; what else acts in the rods follows its laws.     [OCP remark 10]
/// weight: of the square of each stress component, or NULL: the compliance of the section, so that
/// the square is twice an elastic energy. input: tension, N, or pressure, Pa (elv_model_n_device;
/// zero for other devices). ELV_ERROR_INPUT: no tendon or chamber, a section without stiffness and
/// no weights, or a weight below zero.
ELV_API ELV_NODISCARD ElvStatus elv_riccati_tensions(ElvRiccati* riccati,
                                                     const double* weight,
                                                     double* input,
                                                     ElvTensionReport* report,
                                                     ElvError* error);

// ---- a place for the tip

/// Where the tip of the last rod is to be, in the world.
typedef struct {
    ElvPose pose;
    bool has_rotation; // else its position alone
} ElvTipTarget;

typedef struct {
    bool is_reached; // to 1e-9 of the length of the chain, and rad
    double distance; // m, between the tip and where it is to be
    double angle;    // rad; 0 where no rotation is asked for
    long n_equilibrium;
    int n_used;       // by tensions: inputs above zero
    ElvWrench wrench; // by a wrench: what holds the tip, on it, world axes
} ElvReachReport;

/// A chain in statics, and the last equilibrium that was found for its tip.
typedef struct ElvReach ElvReach;

/// options: as of elv_shoot_create. ELV_ERROR_INPUT: the model is no chain, or is to reach by
/// tensions and has neither tendon nor chamber.
ELV_API ELV_NODISCARD ElvStatus elv_reach_create(const ElvModel* model,
                                                 const ElvStaticsDef* options,
                                                 ElvReachBy by,
                                                 ElvReach** reach,
                                                 ElvError* error);
ELV_API void elv_reach_free(ElvReach* reach);

/// The equilibrium at load t whose tip is at the target, from the last one, or from the one without
/// tensions or wrench. By tensions: none of them below zero, and of all that do the smallest, in
/// their sum of squares; the laws of the model are not looked at. ELV_OK also where the target is
/// out of reach: the report has how far away the tip is, which then is as near as it gets from
/// there, distances in lengths of the chain and angles counted alike. By a wrench: how far it could
/// be led. ELV_ERROR_NUMERIC, ELV_ERROR_SINGULAR: no equilibrium at that load, as of
/// elv_shoot_statics; ELV_ERROR_CANCELLED: stop of the options has ended the search.
ELV_API ELV_NODISCARD ElvStatus elv_reach_solve(
    ElvReach* reach, double t, const ElvTipTarget* target, ElvReachReport* report, ElvError* error);

/// Tensions and pressures of the last equilibrium, by device (n_device; zero for other devices).
ELV_API const double* elv_reach_input(const ElvReach* reach);

/// The shooting that found it: its sections, and elv_shoot_hand_out for signals.
ELV_API ElvShooting* elv_reach_shooting(ElvReach* reach);

// ---- Gauss' principle

/// A change of the acceleration that the joints allow: of the joint at the root, where it is free
/// (NULL: none), and of the strains (as xi_ddot of the callback; its other arguments are scratch).
typedef struct {
    const double* a;
    ElvStrainCallback strain; // NULL: none
    void* user;
} ElvAccelerationChange;

/// Internal efforts of Gauss' constraint.
typedef enum {
    ELV_GAUSS_FOUND, // those that the last motion needs: its acceleration is the true one
    ELV_GAUSS_LAW    // elasticity, damping and actuation of the model, at the rods and the joint
} ElvGaussEfforts;

/// Gauss' constraint, less what does not depend on the acceleration, at the last motion's
/// acceleration plus a change (NULL: none). Among all accelerations the true one, and no other, has
/// the least value. W/s or N m/s^2.                                                 [OCP (28)-(36)]
ELV_API ELV_NODISCARD ElvStatus elv_riccati_gauss(ElvRiccati* riccati,
                                                  const ElvAccelerationChange* change,
                                                  ElvGaussEfforts efforts,
                                                  double* value,
                                                  ElvError* error);

// ---- conjugate points

/// An equilibrium as fields: pose in the world and internal wrench (section axes) at station s of
/// rod node i_node, of the outer side where they jump.
typedef void (*ElvEquilibriumCallback)(
    void* user, int i_node, double s, ElvPose* pose, ElvWrench* lam);

typedef struct {
    double t;         // load
    const double* q;  // of the joint at the root, or NULL: as the model starts, or as t imposes it
    bool is_tip_held; // the tip of the last rod is clamped: else it is free
    bool is_tip_pinned; // of a tip that is held: its position alone
    ElvEquilibriumCallback section;
    void* user;
} ElvEquilibrium;

/// Stability of an equilibrium by conjugate points (Jacobi's condition), and by the stiffness of
/// its sections (that of Legendre and Clebsch). steps: along each rod; 0: 32. ELV_ERROR_INPUT: the
/// model is no chain.
ELV_API ELV_NODISCARD ElvStatus elv_conjugate_points(const ElvModel* model,
                                                     const ElvEquilibrium* equilibrium,
                                                     int steps,
                                                     ElvConjugateReport* report,
                                                     ElvError* error);

/// The same for an equilibrium of the model with its modes (elv_statics_solve), tip free.
ELV_API ELV_NODISCARD ElvStatus elv_conjugate_points_state(const ElvModel* model,
                                                           const ElvState* state,
                                                           ElvConjugateReport* report,
                                                           ElvError* error);

/// The same for the last equilibrium of a shooting, its tip free, clamped or pinned.
ELV_API ELV_NODISCARD ElvStatus elv_conjugate_points_shooting(ElvShooting* shooting,
                                                              ElvConjugateReport* report,
                                                              ElvError* error);

#ifdef __cplusplus
}
#endif

#endif
