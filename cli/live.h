// SPDX-License-Identifier: Apache-2.0
// The parts of `elver view MODEL`: a simulation that runs in real time in a thread of its own, steered by
// commands, whose newest state goes to the page.
//
// Who may touch what: a LiveModel belongs to the simulation's thread; commands come to it through a queue with a
// lock, records and texts leave it through the server (serve.h), which has its own.
#ifndef ELVER_CLI_LIVE_H
#define ELVER_CLI_LIVE_H

#include "cli.h"
#include "serve.h"

#include "elver/input.h"
#include "elver/view.h"

// ---- laws (live_law.c)

/// A law that does what the model file says until it is taken, and follows its target from there: the target
/// through a critically damped filter of the second order, exact in its value and both derivatives,
///     x(t + tau) = target + (e + (d + rate e) tau) exp(-rate tau),   e = x - target.
typedef struct {
    ElvLaw* own; // of the file; NULL: zero
    bool is_taken;
    bool is_scale;  // the target is a factor on the law of the file
    double rate;    // of the filter, 1/s
    double t, x, d; // when the target was set last, with value and rate there
    double target;
    bool is_bounded; // values beyond these two cannot be: a tendon does not push
    double lower, upper;
} LiveLaw;

/// An ElvLawCallback; user is a LiveLaw.
void live_law_eval(void* user, double t, double s, ElvJet* jet);

/// Follow a target, or the nearest that may be, from t on.
void live_law_take(LiveLaw* law, double t, double target);

/// The next time in ]t, t_end] at which an untaken law jumps or bends; infinite if there is none.
double live_law_break(const LiveLaw* law, double t, double t_end);

// ---- models (live_model.c, live_build.c)

typedef struct {
    ElvInputInfo info; // as the page sees it
    LiveLaw law;
    double told; // value that the page has
} LiveInput;

/// Where the mouse can pull: a body, or a station of a rod.
typedef struct {
    char element[ELV_SIZE_NAME];
    bool is_rod;
    double station; // of rods
    ElvFrame frame; // where the wrench acts
    LiveLaw law[6]; // moment and force, world axes
} LiveHandle;

/// Where models come from.
typedef struct {
    const char* text; // YAML
    size_t n_text;
    const char* path;       // for messages
    CliOverrides overrides; // of the command line, and parameters that were changed
    ElvViewOptions view;
    char rod[ELV_SIZE_NAME]; // that is held at an inner station, or ""
    double station;
} LiveSource;

/// A compiled model with all that it takes to run and to show it.
typedef struct {
    ElvModel* model;
    ElvSimulateDef method;
    ElvIntegrator* integrator;
    ElvState* state; // as far as the integrator has come
    ElvState* shown; // what the page sees
    ElvData* data;   // of shown
    double* tau;
    ElvView* view;
    double* value;     // a record (n_value)
    char* description; // JSON
    LiveInput* input;  // (n_input)
    int n_input;
    LiveHandle* handle; // (n_handle)
    int n_handle;
    ElvParameter* parameter; // names are owned (n_parameter)
    int n_parameter;
    double t_before;   // where the last step began
    bool has_dense;    // states between t_before and state->t are known
    double t_break;    // next kink of an input's law
    double t_searched; // kinks were searched up to there
    bool is_changed;   // a law was taken since the last step: the integrator starts again
    bool is_strong;    // the method of the model knows no modes, another one stands in
} LiveModel;

ELV_NODISCARD ElvStatus live_model_create(const LiveSource* source,
                                          LiveModel** live,
                                          ElvError* error);
void live_model_free(LiveModel* live);

/// From the beginning, as `elver run` starts.
ELV_NODISCARD ElvStatus live_model_start(LiveModel* live, ElvError* error);

/// Go on where another model of the same coordinates is; false: it has others, and nothing is done.
bool live_model_fits(const LiveModel* live, const LiveModel* old);
ELV_NODISCARD ElvStatus live_model_adopt(LiveModel* live, const LiveModel* old, ElvError* error);

/// What sliders and the mouse have set in another model.
void live_model_inherit(LiveModel* live, const LiveModel* old, bool is_same_time);

/// One step of the integrator. On failure the state is as before, and the integrator starts again from it.
ELV_NODISCARD ElvStatus live_model_step(LiveModel* live, ElvError* error);

/// Start the integrator again from the state that was reached.
ELV_NODISCARD ElvStatus live_model_retry(LiveModel* live, ElvError* error);

/// Fill the record with the state at t, or the nearest one that is known.
void live_model_show(LiveModel* live, double t);

/// Let a law of the model follow a target from now on.
void live_model_take(LiveModel* live, LiveLaw* law, double target);

LiveInput* live_model_input(LiveModel* live, const char* name);
LiveHandle* live_model_handle(LiveModel* live, const char* element);

/// Pull at a point of the world.
void live_handle_pull(LiveModel* live, LiveHandle* handle, ElvVec3 point, ElvVec3 force);

/// What an input is set to, or what its law gives where the page is.
double live_input_value(const LiveModel* live, const LiveInput* input);

/// The message `scene`; free it.
char* live_scene_text(const LiveModel* live);

/// The message `values`; free it.
char* live_values_text(const LiveModel* live, bool has_parameters);

// ---- commands (live_command.c)

typedef enum {
    LIVE_READY,
    LIVE_INPUT,
    LIVE_PARAMETER,
    LIVE_FORCE,
    LIVE_PAUSE,
    LIVE_STEP,
    LIVE_RESET,
    LIVE_SPEED,
    LIVE_N_VERB
} LiveVerb;

typedef struct {
    LiveVerb verb;
    char name[ELV_SIZE_INPUT];
    double value; // pause: 0 or 1; ready: records
    double station;
    ElvVec3 point, force;
} LiveCommand;

/// Read a message of the page; on failure message says why.
bool live_command_read(
    const char* text, size_t size, LiveCommand* command, char* message, size_t n_message);

/// The message `status`; free it.
char* live_status_text(const char* message, bool is_error);

// ---- the thread (live_run.c)

typedef struct LiveRun LiveRun;

/// Takes over source and model.
LiveRun* live_run_create(LiveSource* source, LiveModel* model);

/// Start the thread; the server must be there.
bool live_run_start(LiveRun* run, Serve* serve);

/// A ServeMessage; user is a LiveRun.
void live_run_message(void* user, ServeClient* client, const char* text, size_t size);

/// Called now and then: lets the page know of a step that takes long.
void live_run_watch(LiveRun* run);

/// End the thread; then, when the server has ended too, free all.
void live_run_stop(LiveRun* run);
void live_run_free(LiveRun* run);

#endif
