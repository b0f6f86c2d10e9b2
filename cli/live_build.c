// SPDX-License-Identifier: Apache-2.0
// From the text of a model to one that runs live: the laws of its inputs are put behind callbacks, and a wrench
// that is zero until the mouse pulls is laid on every body and on every rod: at its tip, or where it is
// held. Methods without modes have no state to go on from after a change: generalized-alpha stands in.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// rates of the filters, 1/s: motions are to be smooth, forces merely not to jump
static const double motion_rate = 25.0;
static const double force_rate = 100.0;

static ElvStatus no_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

// ---- inputs

// a law with kinks along a rod would lose them behind a callback
static bool has_kink(const ElvLaw* law) {
    double s;
    return elv_law_breakpoints(law, ELV_VARIABLE_S, 0.0, 1.0, &s, 1) > 0;
}

// what an input may be, apart from the range of its slider
static void set_bounds(const ElvInputInfo* info, LiveLaw* law) {
    static const struct {
        const char *kind, *ending;
        double upper;
    } bounded[] = {
        {"tendon", ".tension", INFINITY},    {"muscle", ".activation", 1.0},
        {"pattern", ".amplitude", 1.0},      {"slider", ".station", 1.0},
        {"pattern", ".frequency", INFINITY},
    };
    size_t n = strlen(info->name);
    for (size_t i = 0; i < sizeof bounded / sizeof bounded[0] && !info->is_field; i++) {
        size_t n_ending = strlen(bounded[i].ending);
        if (strcmp(info->kind, bounded[i].kind) == 0 && n > n_ending &&
            strcmp(info->name + n - n_ending, bounded[i].ending) == 0) {
            law->is_bounded = true;
            law->lower = 0.0;
            law->upper = bounded[i].upper;
        }
    }
}

// put one input behind a callback; what the law of the file does along a rod is scaled
static ElvStatus
wrap_input(ElvSpec* spec, const ElvInputInfo* info, LiveModel* live, ElvError* error) {
    LiveInput* input = &live->input[live->n_input];
    *input = (LiveInput){.info = *info};
    ElvStatus status = elv_spec_get_law(spec, info->name, &input->law.own, error);
    if (status != ELV_OK || (info->is_field && has_kink(input->law.own))) {
        elv_law_free(input->law.own);
        return status;
    }
    live->n_input++;
    input->law.is_scale = info->is_field;
    set_bounds(info, &input->law);
    input->law.rate = info->is_motion ? motion_rate : force_rate;
    if (info->is_field) {
        input->info.unit = "-";
        input->info.value = 1.0;
        input->info.min = 0.0;
        input->info.max = 2.0;
    }
    ElvLawDef law = elv_law_def_callback(live_law_eval, &input->law);
    return elv_spec_set_law(spec, info->name, &law, error);
}

// the list is taken first: what is put behind a callback may change it
static ElvStatus wrap_inputs(ElvSpec* spec, LiveModel* live, ElvError* error) {
    int n = elv_spec_n_input(spec);
    ElvInputInfo* info = calloc((size_t)n + 1, sizeof *info);
    live->input = calloc((size_t)n + 1, sizeof *live->input);
    if (!info || !live->input) {
        free(info);
        return no_memory(error);
    }
    ElvStatus status = ELV_OK;
    for (int i = 0; i < n && status == ELV_OK; i++) {
        status = elv_spec_input(spec, i, &info[i], error);
    }
    for (int i = 0; i < n && status == ELV_OK; i++) {
        status = wrap_input(spec, &info[i], live, error);
    }
    free(info);
    return status;
}

// ---- handles

static void handle_reference(const LiveHandle* handle, char* text, size_t size) {
    if (!handle->is_rod) {
        snprintf(text, size, "%s", handle->element);
    } else if (handle->station >= 1.0) {
        snprintf(text, size, "%s.tip", handle->element);
    } else if (handle->station <= 0.0) {
        snprintf(text, size, "%s.root", handle->element);
    } else {
        snprintf(text, size, "%s.at(%.17g)", handle->element, handle->station);
    }
}

static ElvStatus add_handle(ElvSpec* spec, LiveHandle* handle, ElvError* error) {
    char reference[2 * ELV_SIZE_NAME];
    handle_reference(handle, reference, sizeof reference);
    ElvWrenchDef wrench = elv_wrench_def_default();
    wrench.at = reference;
    wrench.axes = ELV_AXES_WORLD;
    for (int k = 0; k < 6; k++) {
        handle->law[k].rate = force_rate;
        wrench.wrench[k] = elv_law_def_callback(live_law_eval, &handle->law[k]);
    }
    return elv_spec_add_wrench(spec, &wrench, error);
}

static ElvStatus add_handles(ElvSpec* spec,
                             const ElvModel* plain,
                             const LiveSource* source,
                             LiveModel* live,
                             ElvError* error) {
    int n = elv_model_n_node(plain);
    live->handle = calloc((size_t)n + 1, sizeof *live->handle);
    if (!live->handle) {
        return no_memory(error);
    }
    ElvStatus status = ELV_OK;
    for (int i = 0; i < n && status == ELV_OK; i++) {
        ElvNodeInfo node = elv_model_node(plain, i);
        // joints of rods are nodes without a frame of their own
        if (strchr(node.name, '.')) {
            continue;
        }
        LiveHandle* handle = &live->handle[live->n_handle++];
        snprintf(handle->element, sizeof handle->element, "%s", node.name);
        handle->is_rod = node.is_rod;
        handle->station = strcmp(source->rod, node.name) == 0 ? source->station : 1.0;
        status = add_handle(spec, handle, error);
    }
    return status;
}

static ElvStatus find_frames(LiveModel* live, ElvError* error) {
    ElvStatus status = ELV_OK;
    for (int i = 0; i < live->n_handle && status == ELV_OK; i++) {
        char reference[2 * ELV_SIZE_NAME];
        handle_reference(&live->handle[i], reference, sizeof reference);
        status = elv_model_frame(live->model, reference, &live->handle[i].frame, error);
    }
    return status;
}

// ---- the whole

static ElvStatus copy_parameters(const ElvSpec* spec, LiveModel* live, ElvError* error) {
    int n = elv_spec_n_parameter(spec);
    live->parameter = calloc((size_t)n + 1, sizeof *live->parameter);
    if (!live->parameter) {
        return no_memory(error);
    }
    for (int i = 0; i < n; i++) {
        live->parameter[i] = elv_spec_parameter(spec, i);
        live->parameter[i].name = strdup(live->parameter[i].name);
        if (!live->parameter[i].name) {
            return no_memory(error);
        }
        live->n_parameter++;
    }
    return ELV_OK;
}

// compiled once as it is, so that errors have their place in the file, then with what makes it live
static ElvStatus compile(const LiveSource* source, LiveModel* live, ElvError* error) {
    ElvModel* plain = NULL;
    ElvSpec* spec = NULL;
    const CliOverrides* list = &source->overrides;
    ElvStatus status = elv_model_read_text(source->text, source->n_text, source->path, list->item,
                                           list->n, &plain, error);
    if (status == ELV_OK) {
        status = elv_spec_read_text(source->text, source->n_text, source->path, list->item, list->n,
                                    &spec, error);
    }
    if (status == ELV_OK) {
        status = copy_parameters(spec, live, error);
    }
    if (status == ELV_OK) {
        status = wrap_inputs(spec, live, error);
    }
    if (status == ELV_OK) {
        status = add_handles(spec, plain, source, live, error);
    }
    if (status == ELV_OK) {
        status = elv_spec_compile(spec, &live->model, error);
    }
    elv_spec_free(spec);
    elv_model_free(plain);
    return status;
}

static void choose_method(LiveModel* live) {
    live->method = elv_model_simulate(live->model);
    live->method.max_steps = 0;
    live->is_strong = elv_method_is_strong(live->method.method);
    if (live->is_strong) {
        live->method.method = ELV_METHOD_GENERALIZED_ALPHA;
    }
}

static ElvStatus make_parts(const LiveSource* source, LiveModel* live, ElvError* error) {
    const ElvModel* model = live->model;
    choose_method(live);
    ElvStatus status = elv_integrator_create(model, &live->method, &live->integrator, error);
    if (status == ELV_OK) {
        status = elv_state_create(model, &live->state, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &live->shown, error);
    }
    if (status == ELV_OK) {
        status = elv_data_create(model, &live->data, error);
    }
    if (status == ELV_OK) {
        status = elv_view_create(model, &source->view, &live->view, error);
    }
    if (status == ELV_OK) {
        status = elv_view_describe(live->view, &live->description, error);
    }
    if (status == ELV_OK) {
        live->tau = calloc((size_t)elv_model_nv(model) + 1, sizeof *live->tau);
        live->value = calloc((size_t)elv_view_n_value(live->view) + 1, sizeof *live->value);
        status = live->tau && live->value ? find_frames(live, error) : no_memory(error);
    }
    return status;
}

ElvStatus live_model_create(const LiveSource* source, LiveModel** live, ElvError* error) {
    *live = NULL;
    LiveModel* made = calloc(1, sizeof *made);
    if (!made) {
        return no_memory(error);
    }
    ElvStatus status = compile(source, made, error);
    if (status == ELV_OK) {
        status = make_parts(source, made, error);
    }
    if (status != ELV_OK) {
        live_model_free(made);
        return status;
    }
    *live = made;
    return ELV_OK;
}

void live_model_free(LiveModel* live) {
    if (!live) {
        return;
    }
    elv_text_free(live->description);
    elv_view_free(live->view);
    elv_integrator_free(live->integrator);
    elv_data_free(live->data);
    elv_state_free(live->state);
    elv_state_free(live->shown);
    elv_model_free(live->model);
    for (int i = 0; i < live->n_input; i++) {
        elv_law_free(live->input[i].law.own);
    }
    for (int i = 0; i < live->n_parameter; i++) {
        free((char*)live->parameter[i].name);
    }
    free(live->tau);
    free(live->value);
    free(live->input);
    free(live->handle);
    free(live->parameter);
    free(live);
}
