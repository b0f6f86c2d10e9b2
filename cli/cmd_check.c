// SPDX-License-Identifier: Apache-2.0
// `elver check MODEL`: read, compile, resolve the signals, compute the first accelerations, or the
// first step where a coordinate has no mass and where the method has no modes, and see whether the
// loops close, and wheels and contacts roll and stay with the imposed motion.
#include "info.h"

#include <math.h>
#include <string.h>

static const CliOption options[] = {{CLI_OPTION_SET, 0, "set", CLI_VALUE}};

// implicit methods can do without a mass: the first step tells whether something else holds it
static ElvStatus try_step(ElvIntegrator* integrator, ElvState* state, ElvError* error) {
    ElvStatus status = elv_integrator_start(integrator, state, error);
    if (status == ELV_OK) {
        status = elv_integrator_step(integrator, INFINITY, state, error);
    }
    return status;
}

// Explicit methods start from the layout, unless from an equilibrium: whether they can. A loop that
// does not close is worth a note (count_free).
static ElvStatus
try_layout(const ElvModel* model, ElvIntegrator* integrator, ElvState* state, ElvError* error) {
    ElvError open;
    elv_state_reset(model, state);
    ElvStatus status = elv_integrator_start(integrator, state, error);
    if (status == ELV_ERROR_NUMERIC) {
        elv_state_reset(model, state);
        status = elv_close_loops(model, state, NULL, &open) == ELV_OK ? status : ELV_OK;
    }
    return status;
}

// what compiles may still have signals that mean nothing, a method that cannot do it, or no
// acceleration
static ElvStatus try_start(const ElvModel* model, ElvError* error) {
    ElvRecordDef record = elv_model_record(model);
    ElvSimulateDef method = elv_model_simulate(model);
    ElvIntegrator* integrator = NULL;
    ElvSignals* signals = NULL;
    ElvState* state = NULL;
    ElvData* data = NULL;
    ElvStatus status = elv_signals_create(model, record.signal, record.n_signal, &signals, error);
    if (status == ELV_OK && elv_method_is_strong(method.method)) {
        status = elv_signals_refuse_modal(signals, elv_method_name(method.method), error);
        status = status == ELV_OK ? elv_chain_check(model, false, error) : status;
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &state, error);
    }
    if (status == ELV_OK) {
        status = elv_data_create(model, &data, error);
    }
    if (status == ELV_OK) {
        status = elv_integrator_create(model, &method, &integrator, error);
    }
    // a device with a bad law is to blame before the joint that it acts on
    if (status == ELV_OK) {
        status = elv_device_check(model, 0.0, error);
    }
    bool is_strong = elv_method_is_strong(method.method) || method.method == ELV_METHOD_CONNECTION;
    if (status == ELV_OK && !is_strong) {
        elv_state_impose(model, state);
        status = elv_forward_dynamics(model, data, state, error);
    }
    if (status == ELV_ERROR_SINGULAR && method.method != ELV_METHOD_EXPLICIT) {
        elv_state_reset(model, state);
        status = try_step(integrator, state, error);
    } else if (status == ELV_OK && is_strong) {
        status = try_step(integrator, state, error);
    } else if (status == ELV_OK && method.method == ELV_METHOD_EXPLICIT && !method.starts_static) {
        status = try_layout(model, integrator, state, error);
    }
    elv_integrator_free(integrator);
    elv_data_free(data);
    elv_state_free(state);
    elv_signals_free(signals);
    return status;
}

// wheels and contacts that the imposed motion would make slip
static ElvStatus try_motion(const ElvModel* model, ElvError* error) {
    ElvState* state = NULL;
    bool is_wanted = false;
    for (int i = 0; i < elv_model_n_device(model); i++) {
        const char* kind = elv_model_device(model, i).kind;
        is_wanted |= strcmp(kind, "wheel") == 0 || strcmp(kind, "contact") == 0;
    }
    if (!is_wanted || elv_state_create(model, &state, error) != ELV_OK) {
        return ELV_OK;
    }
    double t_end = state->t + elv_model_simulate(model).duration;
    ElvStatus status = elv_locomotion_compatibility(model, state, t_end, NULL, error);
    elv_state_free(state);
    // constraints that this cannot judge are not to blame
    return status == ELV_ERROR_NUMERIC ? status : ELV_OK;
}

// What drives and loops leave free; -1: there are no loops, or they do not close as they are, which
// is worth a note: statics may mount them. n_generic: in general, where the start is a singular
// posture, else -1.
static int count_free(const ElvModel* model, int* n_generic) {
    ElvClosureReport closure = {.n_free = -1};
    ElvState* state = NULL;
    ElvError error;
    if (cli_count_loops(model) == 0 || elv_state_create(model, &state, &error) != ELV_OK) {
        return -1;
    }
    ElvStatus status = elv_close_loops(model, state, &closure, &error);
    if (status == ELV_ERROR_NUMERIC) {
        cli_note_open("check", &error);
    }
    ElvLocomotionReport report;
    bool is_singular =
        status == ELV_OK && cli_classify(model, state, &report) && report.is_singular;
    *n_generic = is_singular ? report.n_free : -1;
    elv_state_free(state);
    return status == ELV_OK ? closure.n_free : -1;
}

static int check(const char* name, const CliOverrides* list) {
    CliModel loaded;
    int code = cli_model_load("check", name, list, &loaded);
    if (code != CLI_DONE) {
        return code;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = try_start(loaded.model, &error);
    // a start that fails for a slip says less than the largest one of the run
    ElvError slip;
    if ((status == ELV_OK || status == ELV_ERROR_NUMERIC) &&
        try_motion(loaded.model, &slip) != ELV_OK) {
        status = slip.status;
        error = slip;
    }
    if (status != ELV_OK) {
        cli_model_locate(&loaded, &error);
        if (error.file[0] == '\0') {
            snprintf(error.file, sizeof error.file, "%.*s", (int)sizeof error.file - 1,
                     loaded.path);
        }
        code = cli_complain_error("check", CLI_USAGE, &error);
    } else {
        int n_node = elv_model_n_node(loaded.model);
        int n_v = elv_model_nv(loaded.model);
        int n_generic = -1;
        int n_free = count_free(loaded.model, &n_generic);
        printf("%s: good: %d node%s, %d degree%s of freedom", loaded.path, n_node,
               n_node == 1 ? "" : "s", n_v, n_v == 1 ? "" : "s");
        if (n_free >= 0) {
            printf(", %d with drives and loops", n_generic >= 0 ? n_generic : n_free);
        }
        if (n_free >= 0 && n_generic >= 0) {
            printf(" (%d at the start, a singular posture)", n_free);
        }
        printf("\n");
        cli_tell_notes("check", loaded.spec);
        cli_warn_motion("check", loaded.model);
    }
    cli_model_free(&loaded);
    return code;
}

int cli_cmd_check(int argc, char** argv) {
    CliRequest request;
    int code = CLI_DONE;
    if (cli_request("check", options, sizeof options / sizeof options[0], argc, argv, &request,
                    &code)) {
        code = check(request.model, &request.overrides);
    }
    cli_overrides_free(&request.overrides);
    return code;
}
