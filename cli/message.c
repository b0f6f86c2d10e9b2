// SPDX-License-Identifier: Apache-2.0
// Messages on stderr and exit codes.
#include "cli.h"
#include "info.h"

#include <math.h>
#include <stdarg.h>

int cli_complain(const char* command, int code, const char* format, ...) {
    fprintf(stderr, "elver%s%s: ", command ? " " : "", command ? command : "");
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return code;
}

int cli_complain_error(const char* command, int code, const ElvError* error) {
    char text[ELV_SIZE_MESSAGE + ELV_SIZE_FILE + 2 * ELV_SIZE_NAME];
    elv_error_format(error, text, sizeof text);
    if (error->file[0] != '\0') {
        fprintf(stderr, "%s\n", text);
        return code;
    }
    return cli_complain(command, code, "%s", text);
}

void cli_note_open(const char* command, const ElvError* error) {
    (void)cli_complain(command, CLI_DONE, "note: %s; 'elver statics' may mount it as it is",
                       error->message);
}

void cli_tell_notes(const char* command, const ElvSpec* spec) {
    for (int i = 0; i < elv_spec_n_note(spec); i++) {
        (void)cli_complain(command, CLI_DONE, "note: %s", elv_spec_note(spec, i));
    }
}

static void warn_wheels(const char* command, const ElvModel* model) {
    ElvState* state = NULL;
    if (elv_state_create(model, &state, NULL) != ELV_OK) {
        return;
    }
    const char* wheel = elv_locomotion_loose_wheel(model, state);
    if (wheel) {
        (void)cli_complain(command, CLI_DONE,
                           "warning: nothing keeps wheel '%s' on the ground: wheels hold motions "
                           "along it alone, and may rise or fall with their body; give that a "
                           "'planar' root, or constrain it",
                           wheel);
    }
    elv_state_free(state);
}

// what floats is lifted as a sphere
static void warn_floats(const char* command, const ElvModel* model, const ElvState* state) {
    const char* body = elv_fluid_rough_float(model, state);
    if (body) {
        (void)cli_complain(command, CLI_DONE,
                           "warning: body '%s' lies in the surface and is lifted as the sphere of "
                           "its volume would be: its draught may be far off, and nothing rights "
                           "it when it rolls; give it a shape, which the surface cuts",
                           body);
    }
}

// added inertia above the surface
static void warn_dry(const char* command, const ElvModel* model, const ElvState* state) {
    ElvData* data = NULL;
    if (elv_data_create(model, &data, NULL) != ELV_OK) {
        return;
    }
    ElvFluidDry dry = elv_fluid_dry(model, data, state);
    elv_data_free(data);
    if (dry.name) {
        (void)cli_complain(command, CLI_DONE,
                           "warning: %s '%s' is above the surface at the start, %.0f %% of it, "
                           "where its added mass%s acts as under water",
                           dry.is_rod ? "rod" : "body", dry.name, 100.0 * dry.share,
                           dry.is_slender ? " and elongated body theory" : "");
    }
}

void cli_warn_water(const char* command, const ElvModel* model) {
    ElvState* state = NULL;
    if (elv_model_fluid(model, 0.0).has_surface &&
        elv_state_create(model, &state, NULL) == ELV_OK) {
        elv_state_impose(model, state);
        warn_floats(command, model, state);
        warn_dry(command, model, state);
        elv_state_free(state);
    }
}

// a motion of first order from rest feels no forces
static void note_forces(const char* command, const ElvModel* model) {
    ElvSimulateDef method = elv_model_simulate(model);
    ElvLocomotionReport report;
    ElvState* state = NULL;
    if (method.method != ELV_METHOD_CONNECTION || method.connection != ELV_CONNECTION_MECHANICAL ||
        elv_state_create(model, &state, NULL) != ELV_OK) {
        return;
    }
    if (cli_classify(model, state, &report) && report.kind == ELV_LOCOMOTION_FORCED) {
        (void)cli_complain(command, CLI_DONE,
                           "note: external forces act, which the mechanical connection leaves "
                           "out: the motion is that from rest without loads, springs and weight; "
                           "that under forces is another one: --method generalized-alpha");
    }
    elv_state_free(state);
}

// the largest jump of the imposed velocities, or positions, of a node between two states
static double motion_jump(const ElvNodeInfo* node, const ElvState* a, const ElvState* b) {
    double most = 0.0;
    for (int i = node->i_v; i < node->i_v + node->n_v; i++) {
        double jump = fabs(b->v[i] - a->v[i]);
        most = jump > 1e-6 * (1.0 + fabs(a->v[i]) + fabs(b->v[i])) ? fmax(most, jump) : most;
    }
    for (int i = node->i_q; i < node->i_q + node->n_q; i++) {
        double jump = fabs(b->q[i] - a->q[i]);
        most = jump > 1e-6 * (1.0 + fabs(a->q[i])) ? fmax(most, jump) : most;
    }
    return most;
}

static bool is_imposed(const ElvNodeInfo* node) {
    return node->is_rod ? node->is_imposed : node->drive == ELV_DRIVE_MOTION;
}

// imposed motions that jump at a time, just before and after which they are
static const char* find_jump(const ElvModel* model, double t, ElvState* before, ElvState* after) {
    double h = 1e-11 * (1.0 + fabs(t));
    before->t = t - h;
    after->t = t + h;
    elv_state_impose(model, before);
    elv_state_impose(model, after);
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        if (is_imposed(&node) && motion_jump(&node, before, after) > 0.0) {
            return node.name;
        }
    }
    return NULL;
}

// what moves freely would get an impulse from an imposed motion that jumps, and gets none
static void warn_jumps(const char* command, const ElvModel* model) {
    enum { MOST = 256 };
    double time[MOST];
    ElvState* before = NULL;
    ElvState* after = NULL;
    double end = elv_model_simulate(model).duration;
    bool has_free = false;
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        has_free = has_free || (node.n_v > 0 && !is_imposed(&node));
    }
    size_t n = has_free ? elv_model_breakpoints(model, 0.0, end, time, MOST) : 0;
    const char* name = NULL;
    bool is_good = n > 0 && elv_state_create(model, &before, NULL) == ELV_OK &&
                   elv_state_create(model, &after, NULL) == ELV_OK;
    for (size_t i = 0; i < n && i < MOST && is_good && !name; i++) {
        name = time[i] < end ? find_jump(model, time[i], before, after) : NULL;
        if (name) {
            (void)cli_complain(command, CLI_DONE,
                               "warning: the imposed motion of '%s' or its velocity jumps at t = "
                               "%.6g: the impulse that this gives to what moves freely is left "
                               "out; let it change within some steps, for instance by smooth()",
                               name, time[i]);
        }
    }
    elv_state_free(before);
    elv_state_free(after);
}

void cli_warn_motion(const char* command, const ElvModel* model) {
    warn_wheels(command, model);
    warn_jumps(command, model);
    cli_warn_water(command, model);
    note_forces(command, model);
    // chosen numbers of modes do a thousand times better
    const double coarse = 1e-6;
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        for (int k = 0; k < ELV_N_STRAIN && node.is_imposed; k++) {
            if (node.motion_error[k] > coarse) {
                (void)cli_complain(command, CLI_DONE,
                                   "warning: %d modes of rod '%s' miss its imposed %s by %.1e of "
                                   "its size; give more or let them be chosen ('strain'), or end "
                                   "elements where the law has a kink",
                                   node.modes[k], node.name, elv_strain_name((ElvStrain)k),
                                   node.motion_error[k]);
            }
        }
    }
}

int cli_exit_code(ElvStatus status) {
    switch (status) {
    case ELV_OK:
        return CLI_DONE;
    case ELV_ERROR_INPUT:
    case ELV_ERROR_FILE:
        return CLI_USAGE;
    default:
        return CLI_FAILED;
    }
}

int cli_start_code(ElvStatus status) {
    bool is_bad_model = status == ELV_ERROR_NUMERIC || status == ELV_ERROR_SINGULAR;
    return is_bad_model ? CLI_USAGE : cli_exit_code(status);
}
