// SPDX-License-Identifier: Apache-2.0
// `elver info MODEL`: what was read, and where it starts.
#include "info.h"

#include <math.h>
#include <stdlib.h>

static const CliOption options[] = {
    {CLI_OPTION_SET, 0, "set", CLI_VALUE},
    {CLI_OPTION_JSON, 0, "json", CLI_FLAG},
};

enum { MAX_BREAKPOINT = 4096 };

static void info_free(CliInfo* info) {
    free(info->value);
    free(info->breakpoint);
    elv_signals_free(info->signals);
    elv_data_free(info->data);
    elv_state_free(info->state);
}

static ElvStatus out_of_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
}

static ElvStatus info_create(const ElvModel* model, CliInfo* info, ElvError* error) {
    ElvRecordDef record = elv_model_record(model);
    info->model = model;
    ElvStatus status =
        elv_signals_create(model, record.signal, record.n_signal, &info->signals, error);
    if (status == ELV_OK) {
        status = elv_state_create(model, &info->state, error);
    }
    if (status == ELV_OK) {
        status = elv_data_create(model, &info->data, error);
    }
    if (status != ELV_OK) {
        return status;
    }

    info->breakpoint = calloc(MAX_BREAKPOINT, sizeof *info->breakpoint);
    info->value = calloc((size_t)elv_signals_n_column(info->signals) + 1, sizeof *info->value);
    if (!info->breakpoint || !info->value) {
        return out_of_memory(error);
    }
    double duration = elv_model_simulate(model).duration;
    size_t n = elv_model_breakpoints(model, 0.0, duration, info->breakpoint, MAX_BREAKPOINT);
    info->n_breakpoint = n < MAX_BREAKPOINT ? n : MAX_BREAKPOINT;
    return ELV_OK;
}

// the equilibrium under what acts just before t = 0, if the simulation starts from it
static ElvStatus info_equilibrium(CliInfo* info, ElvError* error) {
    if (!elv_model_simulate(info->model).starts_static) {
        return ELV_OK;
    }
    ElvStaticsDef statics = elv_model_statics(info->model);
    info->state->t = nextafter(0.0, -1.0);
    ElvStatus status =
        elv_statics_solve(info->model, info->state, info->state->t, &statics, NULL, error);
    info->state->t = 0.0;
    return status;
}

// How the loops close, on a copy of the start. An open layout is worth a note, not an error:
// statics may mount it.
static ElvStatus info_close(CliInfo* info, ElvError* error) {
    ElvState* closed = NULL;
    info->n_loop = cli_count_loops(info->model);
    if (info->n_loop == 0) {
        return ELV_OK;
    }
    ElvStatus status = elv_state_create(info->model, &closed, error);
    if (status == ELV_OK) {
        elv_state_copy(closed, info->state);
        status = elv_close_loops(info->model, closed, &info->closure, error);
    }
    info->is_closed = status == ELV_OK;
    info->is_open = status == ELV_ERROR_NUMERIC;
    elv_state_free(closed);
    if (info->is_open) {
        cli_note_open("info", error);
        elv_error_clear(error);
        return ELV_OK;
    }
    return status;
}

bool cli_classify(const ElvModel* model, const ElvState* state, ElvLocomotionReport* report) {
    ElvError error;
    ElvStatus status = elv_locomotion_classify(model, state, report, &error);
    bool is_free = report->n_group + report->n_other > 0;
    return status == ELV_OK && is_free &&
           ((report->n_group > 0 && report->n_imposed > 0) || report->n_wheel > 0);
}

// the first record of a run is all that is wanted
static bool info_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    CliInfo* info = user;
    elv_signals_eval(info->signals, model, data, state, info->value);
    info->energy = elv_energy(model, data, state);
    info->momentum = elv_momentum(model, data, state);
    info->is_started = true;
    return false;
}

// what a run starts from, by its own method
static ElvStatus info_run(CliInfo* info, ElvError* error) {
    ElvSimulateOptions wanted = elv_simulate_options_default(info->model, info->state);
    wanted.method.starts_static = false;
    wanted.record = info_record;
    wanted.user = info;
    ElvStatus status = elv_simulate(info->model, info->state, &wanted, NULL, error);
    return info->is_started ? ELV_OK : status;
}

// the layout as it is; accelerations stay zero if there are none
static ElvStatus info_layout(CliInfo* info, ElvError* error) {
    double* tau = calloc((size_t)elv_model_nv(info->model) + 1, sizeof *tau);
    if (!tau) {
        return out_of_memory(error);
    }
    elv_idm(info->model, info->data, info->state, tau);
    elv_signals_eval(info->signals, info->model, info->data, info->state, info->value);
    info->energy = elv_energy(info->model, info->data, info->state);
    info->momentum = elv_momentum(info->model, info->data, info->state);
    free(tau);
    return ELV_OK;
}

// energies and signals at the start
static ElvStatus info_start(CliInfo* info, ElvError* error) {
    bool has_modes = !elv_method_is_strong(elv_model_simulate(info->model).method);
    ElvStatus status = info_equilibrium(info, error);
    elv_state_impose(info->model, info->state);
    if (status == ELV_OK) {
        status = elv_device_check(info->model, info->state->t, error);
    }
    if (status == ELV_OK) {
        status = info_close(info, error);
    }
    info->has_class = status == ELV_OK && cli_classify(info->model, info->state, &info->report);
    if (status == ELV_OK && has_modes && !info->is_open) {
        status = info_run(info, error);
    } else if (status == ELV_OK && !has_modes) {
        status = elv_forward_dynamics(info->model, info->data, info->state, error);
    }
    if (info->is_started) {
        return status;
    }
    ElvError other;
    ElvStatus shown = info_layout(info, status == ELV_OK ? error : &other);
    return status == ELV_OK ? shown : status;
}

static int show(const CliRequest* request) {
    CliModel loaded;
    int code = cli_model_load("info", request->model, &request->overrides, &loaded);
    if (code != CLI_DONE) {
        return code;
    }
    ElvError error;
    elv_error_clear(&error);
    CliInfo info = {.spec = loaded.spec};
    cli_tell_notes("info", loaded.spec);
    ElvStatus status = info_create(loaded.model, &info, &error);
    if (status == ELV_OK) {
        status = info_start(&info, &error);
        if (request->is_json) {
            cli_info_print_json(&info);
        } else {
            cli_info_print(&info);
        }
    }
    if (status != ELV_OK) {
        cli_model_locate(&loaded, &error);
        code = cli_complain_error("info", cli_start_code(status), &error);
    }
    info_free(&info);
    cli_model_free(&loaded);
    return code;
}

int cli_cmd_info(int argc, char** argv) {
    CliRequest request;
    int code = CLI_DONE;
    if (cli_request("info", options, sizeof options / sizeof options[0], argc, argv, &request,
                    &code)) {
        code = show(&request);
    }
    cli_overrides_free(&request.overrides);
    return code;
}
