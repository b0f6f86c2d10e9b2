// SPDX-License-Identifier: Apache-2.0
// Messages on stderr and exit codes.
#include "cli.h"

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
static void warn_floats(const char* command, const ElvModel* model) {
    ElvState* state = NULL;
    if (elv_state_create(model, &state, NULL) != ELV_OK) {
        return;
    }
    elv_state_impose(model, state);
    const char* body = elv_fluid_rough_float(model, state);
    if (body) {
        (void)cli_complain(command, CLI_DONE,
                           "warning: body '%s' lies in the surface and is lifted as the sphere of "
                           "its volume would be: its draught is an approximation, and nothing "
                           "rights it when it rolls",
                           body);
    }
    elv_state_free(state);
}

void cli_warn_motion(const char* command, const ElvModel* model) {
    warn_wheels(command, model);
    warn_floats(command, model);
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
