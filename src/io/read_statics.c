// SPDX-License-Identifier: Apache-2.0
// The `statics:` block of model files: the loads to go through and how to find each equilibrium.
#include "io/read_statics.h"

#include "io/format_names.h"
#include "io/read_locate.h"
#include "io/read_value.h"
#include "multibody/spec_check.h"

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
    return is_read;
}

bool elv_read_statics(ElvReader* reader, const ElvYaml* map) {
    static const char* const keys[] = {"loads",        "method",  "tolerance", "max_iterations",
                                       "max_halvings", "damping", "gain",      "max_steps"};
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
