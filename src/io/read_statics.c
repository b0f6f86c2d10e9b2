// SPDX-License-Identifier: Apache-2.0
// The `statics:` block of model files: the loads to go through and how to find each equilibrium.
#include "io/read_statics.h"

#include "io/format_names.h"
#include "io/read_locate.h"
#include "io/read_value.h"
#include "multibody/spec_check.h"

#include <stdio.h>

static bool read_loads(ElvReader* reader, const ElvYaml* node, ElvStaticsDef* def) {
    double* load = NULL;
    if (!elv_read_number_list(reader, node, &load, &def->n_load)) {
        return false;
    }
    def->load = load;
    return true;
}

static bool read_count(ElvReader* reader, const ElvYaml* node, long lo, long hi, int* value) {
    long count = *value;
    if (node && !elv_read_integer(reader, node, lo, hi, &count)) {
        return false;
    }
    *value = (int)count;
    return true;
}

// which methods use a key; those that are not here are for all
enum {
    NEWTON = 1 << ELV_STATICS_NEWTON,
    RELAXATION = 1 << ELV_STATICS_RELAXATION,
    PROJECTIVE = 1 << ELV_STATICS_PROJECTIVE,
    SHOOTING = 1 << ELV_STATICS_SHOOTING
};

static const struct {
    const char* name;
    int methods;
} special[] = {
    {"damping", NEWTON | RELAXATION | PROJECTIVE},
    {"gain", PROJECTIVE},
    {"max_steps", NEWTON | RELAXATION | PROJECTIVE},
    {"segments", SHOOTING},
    {"steps", SHOOTING},
    {"space_tol", SHOOTING},
    {"solver", SHOOTING},
};

// every key given must have an effect
static bool check_belongs(ElvReader* reader, const ElvYaml* map, const ElvStaticsDef* def) {
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        const ElvYaml* node = elv_yaml_get(map, special[i].name);
        if (!node || (special[i].methods & 1 << def->method)) {
            continue;
        }
        char others[64];
        size_t n = 0;
        for (int k = 0; k < ELV_N_STATICS_METHOD; k++) {
            if (special[i].methods & 1 << k) {
                n += (size_t)snprintf(others + n, sizeof others - n, "%s%s", n > 0 ? ", " : "",
                                      elv_statics_names[k]);
            }
        }
        return elv_read_fail(reader, node->key,
                             "'%s' does not belong to the method %s: it is used by %s",
                             special[i].name, elv_statics_names[def->method], others);
    }
    return true;
}

static bool read_shooting(ElvReader* reader, const ElvYaml* map, ElvStaticsDef* def) {
    const ElvYaml* solver = elv_yaml_get(map, "solver");
    int choice = (int)def->shooting.solver;
    bool is_read = read_count(reader, elv_yaml_get(map, "segments"), 1, ELV_SEGMENTS_MAX,
                              &def->shooting.segments) &&
                   read_count(reader, elv_yaml_get(map, "steps"), 0, ELV_SHOOT_STEPS_MAX,
                              &def->shooting.steps) &&
                   elv_read_number_at(reader, map, "space_tol", &def->shooting.space_tol) &&
                   (!solver || elv_read_choice(reader, solver, "solver", elv_shoot_solver_names,
                                               ELV_N_SHOOT_SOLVER, &choice));
    def->shooting.solver = (ElvShootSolver)choice;
    return is_read;
}

static bool read_values(ElvReader* reader, const ElvYaml* map, ElvStaticsDef* def) {
    const ElvYaml* loads = elv_yaml_get(map, "loads");
    const ElvYaml* method = elv_yaml_get(map, "method");
    int choice = (int)def->method;
    bool is_read =
        (!loads || read_loads(reader, loads, def)) &&
        (!method || elv_read_choice(reader, method, "method", elv_statics_names,
                                    ELV_N_STATICS_METHOD, &choice)) &&
        elv_read_number_at(reader, map, "tolerance", &def->tolerance) &&
        elv_read_number_at(reader, map, "damping", &def->damping) &&
        elv_read_number_at(reader, map, "gain", &def->gain) &&
        read_count(reader, elv_yaml_get(map, "max_iterations"), 1, ELV_ITERATIONS_MAX,
                   &def->max_iterations) &&
        read_count(reader, elv_yaml_get(map, "max_halvings"), 0, ELV_HALVINGS_MAX,
                   &def->max_halvings) &&
        read_count(reader, elv_yaml_get(map, "max_steps"), 1, ELV_RELAXATION_MAX, &def->max_steps);
    def->method = (ElvStaticsMethod)choice;
    return is_read && check_belongs(reader, map, def) && read_shooting(reader, map, def);
}

bool elv_read_statics(ElvReader* reader, const ElvYaml* map) {
    static const char* const keys[] = {"loads",        "method",  "tolerance", "max_iterations",
                                       "max_halvings", "damping", "gain",      "max_steps",
                                       "segments",     "steps",   "space_tol", "solver"};
    ElvStaticsDef def = elv_statics_def_default();
    reader->element = "statics";
    if (!elv_read_keys(reader, map, "a map {loads: [...]}", keys, sizeof keys / sizeof keys[0]) ||
        !read_values(reader, map, &def)) {
        return false;
    }
    ElvStatus status = elv_spec_set_statics(reader->spec, &def, reader->error);
    reader->element = "";
    return elv_read_added(reader, map, status);
}
