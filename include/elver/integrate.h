// SPDX-License-Identifier: Apache-2.0
// Time integration: implicit (Newmark, HHT, generalized-alpha, BDF2) and explicit, with dense
// output.
#ifndef ELVER_INTEGRATE_H
#define ELVER_INTEGRATE_H

#include "elver/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ElvIntegrator ElvIntegrator;

enum { ELV_CONTACT_PULL_MAX = 16 };

/// A contact that can only push, and would have to pull.
typedef struct {
    const char* contact;
    double t;     // when first, s
    double worst; // with what force, N
    double t_worst;
} ElvContactPull;

/// Contacts that can only push: at the ends of steps and at recording times.
typedef struct {
    int n_pull; // that would have to pull; more than these are not counted
    ElvContactPull pull[ELV_CONTACT_PULL_MAX]; // the first of these, in the order of time
    bool has_preload;
    double preload_share; // the smallest part of a preload that contacts balanced, in norm
} ElvContactReport;

enum { ELV_RANK_LOSS_MAX = 16 };

/// Instants at which constraints on velocities lose a direction, and which the motion goes through.
/// Efforts and reactions recorded there are not limits of those before and after, which may grow
/// like the inverse of the distance in time.
typedef struct {
    int n;
    double t[ELV_RANK_LOSS_MAX]; // of the first, s
} ElvRankLossReport;

/// What an integrator has done so far.
typedef struct {
    long n_step;          // accepted steps
    long n_reject;        // failed error tests
    long n_evaluation;    // forward dynamics or residuals, without those for handing out states
    double last_step;     // s
    long n_iteration;     // Newton iterations, all steps
    long n_jacobian;      // tangents computed and factored
    long n_halving;       // steps that failed and were cut
    int last_iterations;  // Newton iterations of the last step
    double last_residual; // relative residual of the last step
    ElvClosureReport closure;
    ElvStrongReport strong;   // methods without modes alone
    ElvContactReport contact; // pulls: of elv_simulate alone
    ElvRankLossReport rank_loss;
} ElvIntegratorReport;

/// Create an integrator for a model; options as in ElvSimulateDef. All memory is taken here, but
/// for the vectors that ARKODE takes in the first step after a start.
ELV_API ELV_NODISCARD ElvStatus elv_integrator_create(const ElvModel* model,
                                                      const ElvSimulateDef* options,
                                                      ElvIntegrator** integrator,
                                                      ElvError* error);
ELV_API void elv_integrator_free(ElvIntegrator* integrator);

/// Start, or start again, from a state. Computes its accelerations; but a state that an implicit
/// method has stepped goes on with its memory, to the same bits as an uninterrupted run. Whoever
/// changes such a state sets step_past to 0. Methods without modes (elv_method_is_strong) start
/// from the coordinates of rods in the state, but write those of the root joint alone: a start at
/// the time that they have reached goes on with their fields.
ELV_API ELV_NODISCARD ElvStatus elv_integrator_start(ElvIntegrator* integrator,
                                                     ElvState* state,
                                                     ElvError* error);

/// One internal step, never beyond t_limit nor across a breakpoint of a law, nor through a posture
/// in which constraints lose a direction that imposed motions need: ELV_ERROR_NUMERIC then names the
/// one that would have to slip. Writes the new state;
/// on failure state is as before, and the integrator must be started again; so where stop of its
/// options has ended the step, which a start from that state makes anew. Allocates nothing
/// but what elv_integrator_create names.
ELV_API ELV_NODISCARD ElvStatus elv_integrator_step(ElvIntegrator* integrator,
                                                    double t_limit,
                                                    ElvState* state,
                                                    ElvError* error);

/// The state at any t within the last step, by dense output. Accelerations are those of the
/// dynamics at that state (explicit), or lie between those at the ends of the step (implicit).
ELV_API ELV_NODISCARD ElvStatus elv_integrator_interpolate(ElvIntegrator* integrator,
                                                           double t,
                                                           ElvState* state,
                                                           ElvError* error);

/// Tell an integrator, between two steps, that a law behind a callback has jumped: explicit methods then look at the
/// dynamics anew. Implicit methods need not be told: they go from the effort before to the one after within a step.
ELV_API void elv_integrator_jump(ElvIntegrator* integrator);

ELV_API ElvIntegratorReport elv_integrator_report(const ElvIntegrator* integrator);

// ---- closed loops

/// Make a state satisfy the constraints of its model at state->t, as implicit methods do at a
/// start: the nearest closed configuration, the nearest velocities, then accelerations and
/// reactions. A model without constraints leaves it as it is. Fails where a loop cannot be closed,
/// which the error names; the state is then as near as it came. The report, also of a failure, may
/// be NULL. Takes memory.
ELV_API ELV_NODISCARD ElvStatus elv_close_loops(const ElvModel* model,
                                                ElvState* state,
                                                ElvClosureReport* report,
                                                ElvError* error);

// ---- a whole simulation

/// Called at every recording time with the state there and a workspace in which elv_idm has just
/// run on it, or which reads the fields of a method without modes; returning false stops the
/// simulation.
typedef bool (*ElvRecordCallback)(void* user,
                                  const ElvModel* model,
                                  ElvData* data,
                                  const ElvState* state);

/// Called after every internal step, for progress lines; returning false stops the simulation.
typedef bool (*ElvProgressCallback)(void* user, double t, const ElvIntegratorReport* report);

/// A controller: called with the state at the start, then at every multiple of control_every after it but for the end;
/// steps end there. What it sets behind callbacks of laws is held until the next call. Returning false stops the
/// simulation.
typedef bool (*ElvControlCallback)(void* user, const ElvState* state);

typedef struct {
    ElvSimulateDef method;
    double record_every;          // s
    double t_end;                 // absolute end time, s
    ElvRecordCallback record;     // may be NULL
    ElvProgressCallback progress; // may be NULL
    void* user;
    ElvControlCallback control; // may be NULL
    double control_every;       // s; needed where there is a controller
} ElvSimulateOptions;

/// Options from the model file; t_end = state->t + duration.
ELV_API ElvSimulateOptions elv_simulate_options_default(const ElvModel* model,
                                                        const ElvState* state);

/// Simulate from state to t_end, recording at state->t, then at every multiple of record_every
/// after it, and at t_end. state ends as the last good state, also on failure; a run that fails, or
/// that progress or method.stop ends, records that state last. By a method without modes the coordinates of rods in
/// these states, and their velocities, are those whose strains come nearest to its fields.
ELV_API ELV_NODISCARD ElvStatus elv_simulate(const ElvModel* model,
                                             ElvState* state,
                                             const ElvSimulateOptions* options,
                                             ElvIntegratorReport* report,
                                             ElvError* error);

#ifdef __cplusplus
}
#endif

#endif
