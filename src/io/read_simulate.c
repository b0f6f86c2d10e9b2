// SPDX-License-Identifier: Apache-2.0
// The `simulate:` block of model files. A key that has no effect under the chosen method is an error
// that says to which method it belongs, so that nobody tunes a number which is not used.
#include "io/read_simulate.h"

#include "io/format_names.h"
#include "io/read_locate.h"
#include "io/read_value.h"
#include "multibody/spec_check.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    EXPLICIT = 1 << ELV_METHOD_EXPLICIT,
    NEWMARK = 1 << ELV_METHOD_NEWMARK,
    HHT = 1 << ELV_METHOD_HHT,
    GENERALIZED_ALPHA = 1 << ELV_METHOD_GENERALIZED_ALPHA,
    BDF2 = 1 << ELV_METHOD_BDF2,
    IMPLICIT = NEWMARK | HHT | GENERALIZED_ALPHA | BDF2,
    ANY = EXPLICIT | IMPLICIT
};

// which methods use a key
static const struct {
    const char* name;
    int methods;
} keys[] = {
    {"method", ANY},
    {"duration", ANY},
    {"step", ANY},
    {"max_steps", ANY},
    {"start", ANY},
    {"velocities", IMPLICIT},
    {"rel_tol", ANY},
    {"abs_tol", ANY},
    {"order", EXPLICIT},
    {"beta", NEWMARK},
    {"gamma", NEWMARK},
    {"alpha", HHT},
    {"spectral_radius", GENERALIZED_ALPHA},
    {"adaptive", IMPLICIT},
    {"reuse_jacobian", IMPLICIT},
    {"newton_tol", IMPLICIT},
    {"max_iterations", IMPLICIT},
    {"max_halvings", IMPLICIT},
};

enum { N_KEY = sizeof keys / sizeof keys[0] };

static bool check_known(ElvReader* reader, const ElvYaml* map) {
    const char* name[N_KEY];
    for (int i = 0; i < N_KEY; i++) {
        name[i] = keys[i].name;
    }
    return elv_read_keys(reader, map, "a map {method: ..., duration: ...}", name, N_KEY);
}

// "explicit", or "newmark, hht, generalized-alpha, bdf2"
static void list_methods(int methods, char* text, size_t size) {
    size_t n = 0;
    text[0] = '\0';
    for (int i = 0; i < ELV_N_METHOD; i++) {
        if ((methods & 1 << i) && n < size) {
            n += (size_t)snprintf(text + n, size - n, "%s%s", n > 0 ? ", " : "",
                                  elv_method_names[i]);
        }
    }
}

// every key given must have an effect
static bool check_belongs(ElvReader* reader, const ElvYaml* map, const ElvSimulateDef* def) {
    const char* method = elv_method_names[def->method];
    for (int i = 0; i < N_KEY; i++) {
        const ElvYaml* value = elv_yaml_get(map, keys[i].name);
        if (value && !(keys[i].methods & 1 << def->method)) {
            char others[128];
            list_methods(keys[i].methods, others, sizeof others);
            return elv_read_fail(reader, value->key,
                                 "'%s' does not belong to the method %s: it is used by %s",
                                 keys[i].name, method, others);
        }
        if (value && strstr(keys[i].name, "_tol") && strcmp(keys[i].name, "newton_tol") != 0 &&
            def->method != ELV_METHOD_EXPLICIT && !def->is_adaptive) {
            return elv_read_fail(reader, value->key,
                                 "'%s' has no effect on the fixed steps of the method %s: it is "
                                 "used by 'method: explicit' and with 'adaptive: true'",
                                 keys[i].name, method);
        }
    }
    return true;
}

// ---- values

static bool read_count_at(
    ElvReader* reader, const ElvYaml* map, const char* key, long lo, long hi, int* value) {
    const ElvYaml* node = elv_yaml_get(map, key);
    long count = *value;
    if (node && !elv_read_integer(reader, node, lo, hi, &count)) {
        return false;
    }
    *value = (int)count;
    return true;
}

static bool read_method(ElvReader* reader, const ElvYaml* map, ElvSimulateDef* def) {
    static const char* const starts[] = {"model", "statics"};
    const ElvYaml* method = elv_yaml_get(map, "method");
    const ElvYaml* start = elv_yaml_get(map, "start");
    int choice = (int)def->method;
    const ElvYaml* velocities = elv_yaml_get(map, "velocities");
    int start_choice = def->starts_static ? 1 : 0;
    int velocities_choice = def->projects_velocity ? 1 : 0;
    if ((method &&
         !elv_read_choice(reader, method, "method", elv_method_names, ELV_N_METHOD, &choice)) ||
        (start && !elv_read_choice(reader, start, "start", starts, 2, &start_choice)) ||
        (velocities &&
         !elv_read_choice(reader, velocities, "treatment of velocities", elv_velocities_names,
                          ELV_N_VELOCITIES_NAME, &velocities_choice)) ||
        !elv_read_flag_at(reader, map, "adaptive", &def->is_adaptive)) {
        return false;
    }
    def->method = (ElvMethod)choice;
    def->starts_static = start_choice == 1;
    def->projects_velocity = velocities_choice == 1;
    return true;
}

static bool read_numbers(ElvReader* reader, const ElvYaml* map, ElvSimulateDef* def) {
    const struct {
        const char* name;
        double* value;
    } number[] = {
        {"duration", &def->duration},
        {"step", &def->step},
        {"rel_tol", &def->rel_tol},
        {"abs_tol", &def->abs_tol},
        {"beta", &def->beta},
        {"gamma", &def->gamma},
        {"alpha", &def->alpha},
        {"spectral_radius", &def->spectral_radius},
        {"newton_tol", &def->newton_tol},
    };
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        if (!elv_read_number_at(reader, map, number[i].name, number[i].value)) {
            return false;
        }
    }
    const ElvYaml* max_steps = elv_yaml_get(map, "max_steps");
    return (!max_steps || elv_read_integer(reader, max_steps, 0, LONG_MAX / 2, &def->max_steps)) &&
           read_count_at(reader, map, "order", 2, 8, &def->order) &&
           read_count_at(reader, map, "max_iterations", 1, ELV_ITERATIONS_MAX,
                         &def->max_iterations) &&
           read_count_at(reader, map, "max_halvings", 0, ELV_HALVINGS_MAX, &def->max_halvings) &&
           elv_read_flag_at(reader, map, "reuse_jacobian", &def->reuse_jacobian);
}

bool elv_read_simulate(ElvReader* reader, const ElvYaml* map) {
    ElvSimulateDef def = elv_simulate_def_default();
    reader->element = "simulate";
    if (!check_known(reader, map) || !read_method(reader, map, &def) ||
        !check_belongs(reader, map, &def) || !read_numbers(reader, map, &def)) {
        return false;
    }
    ElvStatus status = elv_spec_set_simulate(reader->spec, &def, reader->error);
    reader->element = "";
    return elv_read_added(reader, map, status);
}
