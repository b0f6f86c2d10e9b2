// SPDX-License-Identifier: Apache-2.0
// The messages between the page and the simulation as JSON (docs/viewer.md, "Live"), read and written with jansson.
// What a message lacks, or has of the wrong kind, is an answer to the page, never a failure here.
#include "live.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* const verbs[LIVE_N_VERB] = {"ready", "input", "parameter", "force",
                                               "pause", "step",  "reset",     "speed"};

// ---- reading

static bool read_number(const json_t* object, const char* key, double* value) {
    const json_t* item = json_object_get(object, key);
    *value = json_number_value(item);
    return json_is_number(item) && isfinite(*value) && fabs(*value) < 1e30;
}

static bool read_name(const json_t* object, const char* key, char* name, size_t size) {
    const char* text = json_string_value(json_object_get(object, key));
    return text && snprintf(name, size, "%s", text) < (int)size;
}

static bool read_vector(const json_t* object, const char* key, ElvVec3* value) {
    const json_t* list = json_object_get(object, key);
    double x[3] = {0.0};
    bool is_good = json_is_array(list) && json_array_size(list) == 3;
    for (size_t i = 0; i < 3 && is_good; i++) {
        const json_t* item = json_array_get(list, i);
        x[i] = json_number_value(item);
        is_good = json_is_number(item) && isfinite(x[i]) && fabs(x[i]) < 1e12;
    }
    *value = elv_vec3(x[0], x[1], x[2]);
    return is_good;
}

// a rod is pulled at one of its stations, a body has none
static bool read_force(const json_t* object, LiveCommand* command) {
    const json_t* station = json_object_get(object, "station");
    command->station = 1.0;
    if (station && !json_is_null(station) &&
        (!read_number(object, "station", &command->station) || command->station < 0.0 ||
         command->station > 1.0)) {
        return false;
    }
    return read_name(object, "element", command->name, ELV_SIZE_NAME) &&
           read_vector(object, "point", &command->point) &&
           read_vector(object, "force", &command->force);
}

static bool read_fields(const json_t* object, LiveCommand* command) {
    const json_t* value = json_object_get(object, "value");
    switch (command->verb) {
    case LIVE_READY:
        command->value = 1.0;
        return !json_object_get(object, "n") || (read_number(object, "n", &command->value) &&
                                                 command->value >= 1.0 && command->value <= 1000.0);
    case LIVE_INPUT:
    case LIVE_PARAMETER:
        return read_name(object, "name", command->name, sizeof command->name) &&
               read_number(object, "value", &command->value);
    case LIVE_FORCE:
        return read_force(object, command);
    case LIVE_PAUSE:
        command->value = json_is_true(value) ? 1.0 : 0.0;
        return json_is_boolean(value);
    case LIVE_SPEED:
        return read_number(object, "value", &command->value) && command->value >= 0.0 &&
               command->value <= 1000.0;
    default:
        return true;
    }
}

bool live_command_read(
    const char* text, size_t size, LiveCommand* command, char* message, size_t n_message) {
    json_error_t error;
    *command = (LiveCommand){.verb = LIVE_N_VERB};
    json_t* object = json_loadb(text, size, 0, &error);
    const char* type = json_string_value(json_object_get(object, "type"));
    for (int i = 0; type && i < LIVE_N_VERB; i++) {
        if (strcmp(type, verbs[i]) == 0) {
            command->verb = (LiveVerb)i;
        }
    }
    bool is_good = command->verb < LIVE_N_VERB && read_fields(object, command);
    if (!object) {
        snprintf(message, n_message, "a message that is no JSON: %.100s", error.text);
    } else if (command->verb == LIVE_N_VERB) {
        snprintf(message, n_message, "a message of an unknown type");
    } else if (!is_good) {
        snprintf(message, n_message, "a message '%s' that lacks something, or is out of bounds",
                 verbs[command->verb]);
    }
    json_decref(object);
    return is_good;
}

// ---- writing

char* live_status_text(const char* message, bool is_error) {
    // texts of files may be anything, also no UTF-8
    json_t* object = json_pack("{s:s, s:s, s:b}", "type", "status", "message", message, "is_error",
                               (int)is_error);
    if (!object) {
        object = json_pack("{s:s, s:s, s:b}", "type", "status", "message", "?", "is_error",
                           (int)is_error);
    }
    char* text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}

double live_input_value(const LiveModel* live, const LiveInput* input) {
    double value = input->info.value;
    if (input->law.is_taken) {
        value = input->law.target;
    } else if (!input->law.is_scale) {
        value = elv_law_eval(input->law.own, live->shown->t, 0.5).v;
    }
    return isfinite(value) ? value : 0.0;
}

// null where there is none
static json_t* bound(const LiveLaw* law, double value) {
    return law->is_bounded && isfinite(value) ? json_real(value) : json_null();
}

static json_t* list_values(const LiveModel* live) {
    json_t* list = json_array();
    for (int i = 0; i < live->n_input; i++) {
        const LiveInput* input = &live->input[i];
        json_array_append_new(list, json_pack("{s:s, s:f, s:b}", "name", input->info.name, "value",
                                              live_input_value(live, input), "is_taken",
                                              (int)input->law.is_taken));
    }
    return list;
}

static json_t* list_inputs(const LiveModel* live) {
    json_t* list = json_array();
    for (int i = 0; i < live->n_input; i++) {
        const LiveInput* input = &live->input[i];
        const ElvInputInfo* info = &input->info;
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:o, s:o, s:b}", "name",
                                        info->name, "kind", info->kind, "unit", info->unit, "value",
                                        live_input_value(live, input), "min", info->min, "max",
                                        info->max, "lower", bound(&input->law, input->law.lower),
                                        "upper", bound(&input->law, input->law.upper), "is_taken",
                                        (int)input->law.is_taken));
    }
    return list;
}

static json_t* list_parameters(const LiveModel* live) {
    json_t* list = json_array();
    for (int i = 0; i < live->n_parameter; i++) {
        json_array_append_new(list, json_pack("{s:s, s:f}", "name", live->parameter[i].name,
                                              "value", live->parameter[i].value));
    }
    return list;
}

char* live_values_text(const LiveModel* live, bool has_parameters) {
    json_t* object = json_pack("{s:s, s:o, s:o}", "type", "values", "inputs", list_values(live),
                               "parameters", has_parameters ? list_parameters(live) : json_array());
    char* text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return text;
}

char* live_scene_text(const LiveModel* live) {
    json_t* inputs = list_inputs(live);
    json_t* parameters = list_parameters(live);
    char* input_text = json_dumps(inputs, JSON_COMPACT);
    char* parameter_text = json_dumps(parameters, JSON_COMPACT);
    json_decref(inputs);
    json_decref(parameters);
    static const char format[] =
        "{\"type\":\"scene\",\"scene\":%s,\"inputs\":%s,\"parameters\":%s}";
    char* text = NULL;
    if (input_text && parameter_text) {
        size_t size =
            sizeof format + strlen(live->description) + strlen(input_text) + strlen(parameter_text);
        text = malloc(size);
        if (text) {
            snprintf(text, size, format, live->description, input_text, parameter_text);
        }
    }
    free(input_text);
    free(parameter_text);
    return text;
}
