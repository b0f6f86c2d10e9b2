// SPDX-License-Identifier: Apache-2.0
// Words of `elver modes` and `elver linearize`, and the state that they look at.
#include "analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_OUT,
    OPTION_SET,
    OPTION_JSON,
    OPTION_INITIAL,
    OPTION_LOAD,
    OPTION_COUNT,
    OPTION_ALL,
    OPTION_INPUT,
    OPTION_SIGNAL
};

static const CliOption options_modes[] = {
    {OPTION_OUT, 'o', "out", CLI_VALUE}, {OPTION_SET, 0, "set", CLI_VALUE},
    {OPTION_JSON, 0, "json", CLI_FLAG},  {OPTION_INITIAL, 0, "initial", CLI_FLAG},
    {OPTION_LOAD, 0, "load", CLI_VALUE}, {OPTION_COUNT, 0, "count", CLI_VALUE},
    {OPTION_ALL, 0, "all", CLI_FLAG},
};
static const CliOption options_linearize[] = {
    {OPTION_OUT, 'o', "out", CLI_VALUE},     {OPTION_SET, 0, "set", CLI_VALUE},
    {OPTION_JSON, 0, "json", CLI_FLAG},      {OPTION_INITIAL, 0, "initial", CLI_FLAG},
    {OPTION_LOAD, 0, "load", CLI_VALUE},     {OPTION_INPUT, 0, "input", CLI_VALUE},
    {OPTION_SIGNAL, 0, "signal", CLI_VALUE},
};

static int add_name(const char* command, const char** list, int* n, const char* name) {
    if (*n == CLI_MAX_NAMES) {
        return cli_complain(command, CLI_USAGE, "more than %d names", CLI_MAX_NAMES);
    }
    list[(*n)++] = name;
    return CLI_DONE;
}

static int take_count(const char* command, const char* text, int* count) {
    double value = 0.0;
    if (!cli_parse_number(command, "--count", text, &value)) {
        return CLI_USAGE;
    }
    if (!(value >= 1.0 && value <= 1e6 && value == floor(value))) {
        return cli_complain(command, CLI_USAGE, "--count: '%s' is no number of modes", text);
    }
    *count = (int)value;
    return CLI_DONE;
}

static int take(const char* command, AnalysisOptions* options, int id, const char* value) {
    switch (id) {
    case CLI_OPERAND:
        if (options->model) {
            return cli_complain(command, CLI_USAGE, "one model at a time: '%s' is too many", value);
        }
        options->model = value;
        return CLI_DONE;
    case OPTION_OUT:
        options->out = value;
        return CLI_DONE;
    case OPTION_SET:
        return cli_override_set(command, &options->overrides, value);
    case OPTION_JSON:
        options->is_json = true;
        return CLI_DONE;
    case OPTION_INITIAL:
        options->is_initial = true;
        return CLI_DONE;
    case OPTION_LOAD:
        return cli_parse_number(command, "--load", value, &options->load) ? CLI_DONE : CLI_USAGE;
    case OPTION_COUNT:
        return take_count(command, value, &options->count);
    case OPTION_ALL:
        options->is_all = true;
        return CLI_DONE;
    case OPTION_INPUT:
        return add_name(command, options->input, &options->n_input, value);
    case OPTION_SIGNAL:
        return add_name(command, options->signal, &options->n_signal, value);
    default:
        return CLI_USAGE;
    }
}

bool analysis_parse(
    const char* command, int argc, char** argv, AnalysisOptions* options, int* code) {
    bool is_modes = strcmp(command, "modes") == 0;
    size_t n_option = is_modes ? sizeof options_modes / sizeof options_modes[0]
                               : sizeof options_linearize / sizeof options_linearize[0];
    CliParser parser = {
        command, is_modes ? options_modes : options_linearize, n_option, argc, argv, 0, false,
        false};
    memset(options, 0, sizeof *options);
    options->load = NAN;
    *code = CLI_DONE;
    const char* value = NULL;
    for (int id = cli_next(&parser, &value); id != CLI_END; id = cli_next(&parser, &value)) {
        if (id == CLI_HELP) {
            cli_print_help(command);
            return false;
        }
        *code = take(command, options, id, value);
        if (*code != CLI_DONE) {
            return false;
        }
    }
    if (options->is_all && options->count > 0) {
        *code = cli_complain(command, CLI_USAGE, "--all or --count N: choose one");
        return false;
    }
    return true;
}

// ---- the state

// whether nothing would set the state in motion
static ElvStatus
weigh(const ElvModel* model, const ElvState* state, bool* is_balanced, ElvError* error) {
    size_t nv = (size_t)elv_model_nv(model);
    ElvData* data = NULL;
    double* r = calloc(2 * nv + 1, sizeof *r);
    if (!r) {
        return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
    }
    ElvStatus status = elv_data_create(model, &data, error);
    double largest = 0.0;
    double effort = 0.0;
    if (status == ELV_OK) {
        elv_residual(model, data, state, r);
        elv_internal_efforts(model, data, state, r + nv);
    }
    for (size_t i = 0; i < nv && status == ELV_OK; i++) {
        double size = elv_model_is_driven(model, (int)i) ? 0.0 : fabs(r[i]);
        largest = fmax(largest, size);
        effort = fmax(effort, fabs(r[nv + i]));
    }
    *is_balanced = largest <= 1e-10 * effort;
    elv_data_free(data);
    free(r);
    return status;
}

static void halt(ElvState* state) {
    memset(state->v, 0, (size_t)state->nv * sizeof *state->v);
    memset(state->a, 0, (size_t)state->nv * sizeof *state->a);
}

// the initial shape, at rest
static ElvStatus take_initial(const ElvModel* model, double t, ElvState** state, ElvError* error) {
    elv_error_clear(error);
    elv_state_free(*state);
    *state = NULL;
    ElvStatus status = elv_state_create(model, state, error);
    if (status == ELV_OK) {
        (*state)->t = t;
        elv_state_impose(model, *state);
        halt(*state);
    }
    return status;
}

ElvStatus analysis_rest(const ElvModel* model,
                        const AnalysisOptions* options,
                        ElvState** state,
                        ElvError* error) {
    ElvStaticsOptions statics = elv_statics_options_default(model);
    double load = options->load;
    bool is_balanced = false;
    ElvStatus status = elv_state_create(model, state, error);
    if (status != ELV_OK) {
        return status;
    }
    int n_load = statics.method.n_load;
    double t = (*state)->t;
    double last = n_load > 0 ? statics.method.load[n_load - 1] : t;
    if (isfinite(load)) {
        statics.method.load = &load;
        statics.method.n_load = 1;
        last = load;
    }
    (*state)->t = last;
    elv_state_impose(model, *state);
    halt(*state);
    if (!options->is_initial) {
        status = weigh(model, *state, &is_balanced, error);
    }
    // forces of devices may be unknown as yet
    bool is_known = is_balanced && (*state)->nz == 0;
    if (status == ELV_OK && !options->is_initial && !is_known) {
        double t_last = (*state)->t;
        (*state)->t = t;
        elv_state_impose(model, *state);
        halt(*state);
        // what is linearized are the modes
        if (statics.method.method == ELV_STATICS_SHOOTING) {
            statics.method.method = ELV_STATICS_NEWTON;
        }
        status = elv_statics_run(model, *state, &statics, NULL, error);
        // what floats has no equilibrium to find, but may be in one
        if (status == ELV_ERROR_SINGULAR && is_balanced) {
            status = take_initial(model, t_last, state, error);
        }
    }
    return status;
}
