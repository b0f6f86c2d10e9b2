// SPDX-License-Identifier: Apache-2.0
// Analysis about a state: matrices of the linearised motion, natural modes, stability of equilibria,
// linear models for control, paths of equilibria through limit points and bifurcations, and what one
// more mode of every strain would change.
//
// All functions that return a status may return ELV_ERROR_MEMORY; the others are named with each. error may be
// NULL. What a function creates belongs to the caller, who frees it with the function beside it, NULL allowed;
// on failure the pointer is NULL.
#ifndef ELVER_ANALYSIS_H
#define ELVER_ANALYSIS_H

#include "elver/signal.h"
#include "elver/statics.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- matrices

/// M d_nu_ddot + D d_nu_dot + K d_nu = 0 about a state, exact: K by the coordinates (in the chart of
/// spherical and free joints: rotation vector in the axes of the body, displacement in world axes), D by
/// the rates, M by the accelerations. Each (nv x nv), row-major, or NULL; rows and columns of
/// motion-driven components are zero. Forces of devices that follow from the motion (elastic tendons,
/// strands) follow it; the tension of one that does not stretch, the wrenches of loops, and what controllers
/// remember, stay as they are. Allocates memory of its own at every call, and leaves in data a pass over the state.
/// ELV_ERROR_SINGULAR: forces of devices do not follow from the motion; ELV_ERROR_INPUT: constraints or a taut
/// tendon that does not stretch, and velocities; or a state that does not keep the constraints. M, D and K are
/// then as before.                                                                      [P23 (14)-(19)]
ELV_API ELV_NODISCARD ElvStatus elv_tangent_matrices(const ElvModel* model,
                                                     ElvData* data,
                                                     const ElvState* state,
                                                     double* M,
                                                     double* D,
                                                     double* K,
                                                     ElvError* error);

// ---- natural modes

typedef struct {
    double frequency; // |eigenvalue| / 2 pi, Hz
    double
        damping; // ratio -re / |eigenvalue|: 1 where the motion only decays, below 0 where it grows
    double re, im; // eigenvalue, 1/s; one of a pair, im >= 0
    bool is_rigid; // a motion that nothing resists
    bool is_unstable;
} ElvMode;

typedef struct {
    int n_mode, nv;
    int n_rigid, n_unstable;
    bool is_damped;   // or without potential: eigenvalues and shapes may be complex
    ElvMode* mode;    // rigid ones first, then by frequency                        (n_mode)
    double* shape;    // velocities v of the mode, real part, unit modal mass       (n_mode x nv)
    double* shape_im; // imaginary part                                             (n_mode x nv)
} ElvModes;

/// Free vibrations about a state, as it is: an equilibrium for the usual meaning of modes. What controllers
/// remember takes part; constraints, and taut tendons that do not stretch, leave fewer motions and want a state at
/// rest. Constraints on velocities hold about it as those on positions do.
/// ELV_ERROR_NUMERIC: the eigenvalues were not found; ELV_ERROR_SINGULAR, ELV_ERROR_INPUT as in
/// elv_tangent_matrices.
ELV_API ELV_NODISCARD ElvStatus elv_modes_create(const ElvModel* model,
                                                 const ElvState* state,
                                                 ElvModes** modes,
                                                 ElvError* error);
ELV_API void elv_modes_free(ElvModes* modes);

// ---- stability

typedef struct {
    ElvStability stability;
    bool is_conservative; // the tangent stiffness is symmetric: the loads have a potential
    double eigenvalue;    // smallest one of the symmetric part of K against M, (rad/s)^2: 0 where
                          // stability is lost, if the loads have a potential; that of K alone where
                          // nothing that moves has mass; 0 and stable where nothing can move
    int n_negative;       // eigenvalues below zero
    double growth;        // largest real part among the motions about the equilibrium, 1/s; 0 when
                          // conservative and stable, or without mass
    bool is_flutter;      // the motion that grows oscillates
} ElvStabilityReport;

/// Stability of an equilibrium (velocities zero): a minimum of the energy where the loads have a potential,
/// no motion that grows where they have none. Unknown where something is free to move, or an eigenvalue is zero
/// but for rounding. ELV_ERROR_NUMERIC: the eigenvalues were not found, as in a state that is not finite;
/// ELV_ERROR_SINGULAR, ELV_ERROR_INPUT as in elv_tangent_matrices. report, not NULL, is then all zero: unknown.
ELV_API ELV_NODISCARD ElvStatus elv_stability(const ElvModel* model,
                                              const ElvState* state,
                                              ElvStabilityReport* report,
                                              ElvError* error);

// ---- paths of equilibria

typedef enum {
    ELV_POINT_REGULAR,
    ELV_POINT_LIMIT,       // the load turns round
    ELV_POINT_BIFURCATION, // another path crosses
    ELV_N_CONTINUATION_KIND
} ElvContinuationKind;

/// A point of a path.
typedef struct {
    ElvContinuationKind kind;
    bool is_branch;    // after the switch to another path
    double length;     // along the path, in the units of max_step
    double eigenvalue; // smallest one, as in ElvStabilityReport; NaN where it was not found
    int n_negative;    // eigenvalues below zero; -1: no potential, not counted
    const double*
        null_vector; // velocities of the motion without stiffness; critical points alone (nv)
} ElvContinuationPoint;

/// Called at every point with its equilibrium and a workspace in which elv_idm has just run on it;
/// returning false stops.
typedef bool (*ElvContinuationCallback)(void* user,
                                        const ElvModel* model,
                                        ElvData* data,
                                        const ElvState* state,
                                        const ElvContinuationPoint* point);

typedef struct {
    ElvStaticsDef
        method;      // load: the range from its first to its last value; tolerance, max_halvings
    double max_step; // longest step, > 0: fraction of the range of loads and of the robot's size
    int max_points;  // >= 1
    int branch;      // 0: stay on the path; 1 or -1: leave it at a bifurcation, to either side
    int branch_at;   // which bifurcation, >= 1: 1 is the first
    ElvContinuationCallback record; // may be NULL
    void* user;
} ElvContinuationOptions;

typedef enum {
    ELV_CONTINUATION_DONE,   // at the last load
    ELV_CONTINUATION_BACK,   // turned round and back at the first load
    ELV_CONTINUATION_POINTS, // max_points
    ELV_CONTINUATION_LOST    // no further point was found
} ElvContinuationEnd;

typedef struct {
    ElvContinuationEnd end;
    int n_point, n_limit, n_bifurcation;
    long n_iteration, n_jacobian, n_cut;
    bool has_branched;
    double load_first, load_last, load_min, load_max; // reached
} ElvContinuationReport;

ELV_API ElvContinuationOptions elv_continuation_options_default(const ElvModel* model);

/// Follow the equilibria from the first load to the last by pseudo-arclength, through limit points,
/// and find the points where the tangent is singular. state: guess of the first equilibrium, then the
/// last one. With one load the path begins at state->t.
/// ELV_ERROR_INPUT: options out of their bounds, or loads that make no range; ELV_ERROR_SINGULAR: something is
/// free to move at the first load; ELV_ERROR_NUMERIC: no first equilibrium, the tangent is singular there, the
/// path is lost, or no other one found where it should branch; ELV_ERROR_CANCELLED: stopped by the callback or by
/// method.stop.
/// On failure state is the last regular point, as before if there was none; report, which may be NULL, tells
/// how far the path went. A path that ends without the bifurcation that was asked for is no failure:
/// has_branched is false.
ELV_API ELV_NODISCARD ElvStatus elv_statics_continue(const ElvModel* model,
                                                     ElvState* state,
                                                     const ElvContinuationOptions* options,
                                                     ElvContinuationReport* report,
                                                     ElvError* error);

// ---- linear models

/// x_dot = A x + B u, y = C x + D u for small deviations; row-major.
typedef struct {
    int n_state, n_input, n_output;
    double* A; // (n_state x n_state)
    double* B; // (n_state x n_input)
    double* C; // (n_output x n_state)
    double* D; // (n_output x n_input)
    const char* const* state_name;
    const char* const* input_name;
    const char* const* output_name;
    const double* y; // outputs at the state                                        (n_output)
} ElvLinearModel;

/// Inputs: NULL for all drives and actuators, or names: "NODE.effort.K" of force-driven joints,
/// "NODE.target.K" and "NODE.target_rate.K" of joint controllers (the set point and its rate are two
/// inputs), "tendon.NAME.tension" or "tendon.NAME.pull", "chamber.NAME.pressure", "wheel.NAME.torque",
/// "control.NAME.linear.z", "pattern.NAME.amplitude", "loads[I].force.x", "loads[I].torque.z" of
/// the I-th load, a point load; or the beginning of names up to a dot. Pulling a taut tendon that does not stretch is no input: its acceleration
/// would act. Outputs: signals (elver/signal.h). The state's accelerations are those of its dynamics;
/// x = (d_nu, d_w, z): coordinates and rates as in elv_tangent_matrices, without those that depend on others
/// by tendons that do not stretch, and what controllers and patterns remember.
/// ELV_ERROR_INPUT: a name that is no input or signal, or a tendon as in elv_tangent_matrices;
/// ELV_ERROR_SINGULAR: a direction has no mass; ELV_ERROR_NUMERIC: accelerations that are not finite.
ELV_API ELV_NODISCARD ElvStatus elv_linear_model_create(const ElvModel* model,
                                                        const ElvState* state,
                                                        const char* const* input,
                                                        int n_input,
                                                        const char* const* output,
                                                        int n_output,
                                                        ElvLinearModel** linear,
                                                        ElvError* error);
ELV_API void elv_linear_model_free(ElvLinearModel* linear);

// ---- how inputs act

/// Efforts per unit of inputs: a change d_u of them adds B d_u to the efforts of internal and external forces, so that
/// the residual falls by as much. Exact; equations of devices with unknowns (tensions of tendons of given length) see
/// inputs of their own, which are not in B.
typedef struct {
    int nv, n_input;
    double* B; // N or N m per unit of the input                            (nv x n_input)
    const char* const* input_name;
} ElvActuation;

/// At a state; inputs as of elv_linear_model_create. ELV_ERROR_INPUT: a name that is no input.
ELV_API ELV_NODISCARD ElvStatus elv_actuation_create(const ElvModel* model,
                                                     const ElvState* state,
                                                     const char* const* input,
                                                     int n_input,
                                                     ElvActuation** actuation,
                                                     ElvError* error);
ELV_API void elv_actuation_free(ElvActuation* actuation);

// ---- how many modes

/// Rods of a study with their strains.
typedef struct {
    char name[ELV_SIZE_NAME];
    bool is_active[ELV_N_STRAIN]; // the strain has modes
    double error[ELV_N_STRAIN];   // mean over time, integral over s, of the squared difference
    double size[ELV_N_STRAIN];    // the same of the strain with more modes less its reference
} ElvModeStudyRod;

typedef struct {
    int n_rod;
    ElvModeStudyRod* rod; // (n_rod)
} ElvModeStudy;

/// The motion (or, is_static, the equilibria of statics.loads) with the modes of the model and with one
/// more for every strain that has any (two where the basis is Hermite), compared by their
/// strains. ELV_ERROR_INPUT: no rod, or a model that does not compile; ELV_ERROR_NUMERIC: records of the two
/// solutions do not match; errors of the solutions themselves. progress (may be NULL) is called after every step of both
/// motions, as in elv_simulate, and may stop them: ELV_ERROR_CANCELLED.                 [P20 (61)]
ELV_API ELV_NODISCARD ElvStatus elv_mode_study_create(const ElvSpec* spec,
                                                      bool is_static,
                                                      ElvProgressCallback progress,
                                                      void* user,
                                                      ElvModeStudy** study,
                                                      ElvError* error);
ELV_API void elv_mode_study_free(ElvModeStudy* study);

#ifdef __cplusplus
}
#endif

#endif
