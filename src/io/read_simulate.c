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
    FINITE = 1 << ELV_METHOD_RKMK | 1 << ELV_METHOD_TILL,
    SHOOTING = 1 << ELV_METHOD_SHOOTING,
    CONNECTION = 1 << ELV_METHOD_CONNECTION,
    IMPLICIT = NEWMARK | HHT | GENERALIZED_ALPHA | BDF2,
    MODAL = EXPLICIT | IMPLICIT,
    ANY = MODAL | FINITE | SHOOTING | CONNECTION
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
    {"rel_tol", MODAL | CONNECTION},
    {"abs_tol", MODAL | CONNECTION},
    {"order", EXPLICIT | CONNECTION},
    {"connection", CONNECTION},
    {"beta", NEWMARK | SHOOTING},
    {"gamma", NEWMARK | SHOOTING},
    {"alpha", HHT | SHOOTING},
    {"spectral_radius", GENERALIZED_ALPHA | SHOOTING},
    {"adaptive", IMPLICIT},
    {"reuse_jacobian", IMPLICIT},
    {"newton_tol", IMPLICIT | FINITE | SHOOTING},
    {"max_iterations", IMPLICIT | FINITE | SHOOTING},
    {"max_halvings", IMPLICIT},
    {"nodes", FINITE},
    {"time", FINITE},
    {"space", FINITE},
    {"interpolation", FINITE},
    {"segments", SHOOTING},
    {"steps", SHOOTING},
    {"solver", SHOOTING},
    {"scheme", SHOOTING},
    {"accelerations", SHOOTING},
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

// shooting: parameters belong to its scheme; without the equation of accelerations gamma is all there is
static bool check_scheme(ElvReader* reader, const ElvYaml* map, const ElvSimulateDef* def) {
    const ElvYaml* scheme = elv_yaml_get(map, "scheme");
    if (scheme && !def->has_accelerations && def->scheme != ELV_METHOD_NEWMARK) {
        return elv_read_fail(reader, scheme->key,
                             "'scheme' has no effect without the equation of accelerations: the "
                             "formula is that of one step, with 'gamma'");
    }
    for (int i = 0; i < N_KEY && def->method == ELV_METHOD_SHOOTING; i++) {
        const ElvYaml* value = elv_yaml_get(map, keys[i].name);
        int schemes = keys[i].methods & IMPLICIT;
        bool is_parameter = schemes != 0 && schemes != IMPLICIT;
        if (!value || !is_parameter) {
            continue;
        }
        if (!(schemes & 1 << def->scheme)) {
            char others[128];
            list_methods(schemes, others, sizeof others);
            return elv_read_fail(reader, value->key,
                                 "'%s' does not belong to the scheme %s: it is used by %s",
                                 keys[i].name, elv_method_names[def->scheme], others);
        }
        if (!def->has_accelerations && strcmp(keys[i].name, "gamma") != 0) {
            return elv_read_fail(reader, value->key,
                                 "'%s' has no effect without the equation of accelerations: "
                                 "'gamma' is what the formula takes then",
                                 keys[i].name);
        }
    }
    return true;
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
                                 "'%s' does not belong to the method %s: it is used by %s; another "
                                 "method wants a block of its own",
                                 keys[i].name, method, others);
        }
        if (value && strstr(keys[i].name, "_tol") && strcmp(keys[i].name, "newton_tol") != 0 &&
            !(def->method == ELV_METHOD_EXPLICIT || def->method == ELV_METHOD_CONNECTION) &&
            !def->is_adaptive) {
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
    const ElvYaml* connection = elv_yaml_get(map, "connection");
    int connection_choice = (int)def->connection;
    int start_choice = def->starts_static ? 1 : 0;
    int velocities_choice = def->projects_velocity ? 1 : 0;
    if ((method &&
         !elv_read_choice(reader, method, "method", elv_method_names, ELV_N_METHOD, &choice)) ||
        (start && !elv_read_choice(reader, start, "start", starts, 2, &start_choice)) ||
        (velocities &&
         !elv_read_choice(reader, velocities, "treatment of velocities", elv_velocities_names,
                          ELV_N_VELOCITIES_NAME, &velocities_choice)) ||
        (connection && !elv_read_choice(reader, connection, "connection", elv_connection_names,
                                        ELV_N_CONNECTION, &connection_choice)) ||
        !elv_read_flag_at(reader, map, "adaptive", &def->is_adaptive)) {
        return false;
    }
    def->connection = (ElvConnection)connection_choice;
    def->method = (ElvMethod)choice;
    def->starts_static = start_choice == 1;
    def->projects_velocity = velocities_choice == 1;
    return true;
}

// shooting; its scheme goes by the name of a method
static bool read_shooting(ElvReader* reader, const ElvYaml* map, ElvSimulateDef* def) {
    const ElvYaml* solver = elv_yaml_get(map, "solver");
    const ElvYaml* scheme = elv_yaml_get(map, "scheme");
    int choice = (int)def->shooting.solver;
    int method = (int)def->scheme - ELV_METHOD_NEWMARK;
    enum { N_SCHEME = ELV_METHOD_GENERALIZED_ALPHA - ELV_METHOD_NEWMARK + 1 };
    if ((solver && !elv_read_choice(reader, solver, "solver", elv_shoot_solver_names,
                                    ELV_N_SHOOT_SOLVER, &choice)) ||
        (scheme && !elv_read_choice(reader, scheme, "scheme", elv_method_names + ELV_METHOD_NEWMARK,
                                    N_SCHEME, &method)) ||
        !elv_read_flag_at(reader, map, "accelerations", &def->has_accelerations) ||
        !read_count_at(reader, map, "segments", 1, ELV_SEGMENTS_MAX, &def->shooting.segments) ||
        !read_count_at(reader, map, "steps", 0, ELV_SHOOT_STEPS_MAX, &def->shooting.steps)) {
        return false;
    }
    def->shooting.solver = (ElvShootSolver)choice;
    def->scheme = (ElvMethod)(method + ELV_METHOD_NEWMARK);
    return check_scheme(reader, map, def);
}

// finite differences
static bool read_finite(ElvReader* reader, const ElvYaml* map, ElvFiniteDef* def) {
    const ElvYaml* time = elv_yaml_get(map, "time");
    const ElvYaml* space = elv_yaml_get(map, "space");
    const ElvYaml* interpolation = elv_yaml_get(map, "interpolation");
    int order = def->order - 1;
    int runge = (int)def->space;
    int history = (int)def->interpolation;
    if ((time && !elv_read_choice(reader, time, "formula in time", elv_bdf_names, ELV_N_BDF_NAME,
                                  &order)) ||
        (space && !elv_read_choice(reader, space, "formula in space", elv_runge_names, ELV_N_RUNGE,
                                   &runge)) ||
        (interpolation && !elv_read_choice(reader, interpolation, "interpolation",
                                           elv_history_names, ELV_N_HISTORY, &history)) ||
        !read_count_at(reader, map, "nodes", 2, ELV_FINITE_NODES_MAX, &def->nodes)) {
        return false;
    }
    def->order = order + 1;
    def->space = (ElvRunge)runge;
    def->interpolation = (ElvHistory)history;
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
        !check_belongs(reader, map, &def) || !read_numbers(reader, map, &def) ||
        !read_finite(reader, map, &def.finite) || !read_shooting(reader, map, &def)) {
        return false;
    }
    ElvStatus status = elv_spec_set_simulate(reader->spec, &def, reader->error);
    reader->element = "";
    return elv_read_added(reader, map, status);
}
