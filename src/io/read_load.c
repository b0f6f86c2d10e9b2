// SPDX-License-Identifier: Apache-2.0
// Loads of model files. A load that names a rod is spread along it, one that names a
// frame acts there; its components are all six (moment; force), or a torque and a force of three.
#include "io/read_load.h"

#include "io/format_names.h"
#include "io/read_law.h"
#include "io/read_locate.h"

// ---- parts

// six laws under key_all, or three each under torque and force
static bool read_wrench(ElvReader* reader,
                        const ElvYaml* node,
                        const char* key_all,
                        unsigned variables,
                        ElvLawDef wrench[6]) {
    const ElvYaml* all = elv_yaml_get(node, key_all);
    const ElvYaml* torque = elv_yaml_get(node, "torque");
    const ElvYaml* force = elv_yaml_get(node, "force");
    const ElvYaml* part = torque ? torque : force;
    if (all && part) {
        return elv_read_fail(reader, part->key, "'%s' has the %s already: give one of them",
                             key_all, part->key->text);
    }
    if (all) {
        return elv_read_laws(reader, all, 6, variables, wrench);
    }
    if (!part) {
        return elv_read_fail(reader, node,
                             "a load needs '%s' (six values: moment, force), "
                             "'force' or 'torque' (three)",
                             key_all);
    }
    return (!torque || elv_read_laws(reader, torque, 3, variables, wrench)) &&
           (!force || elv_read_laws(reader, force, 3, variables, wrench + 3));
}

static bool read_axes(ElvReader* reader, const ElvYaml* node, ElvAxes* axes) {
    const ElvYaml* frame = elv_yaml_get(node, "frame");
    int choice = (int)*axes;
    if (frame &&
        !elv_read_choice(reader, frame, "frame", elv_axes_names, ELV_N_AXES_NAME, &choice)) {
        return false;
    }
    *axes = (ElvAxes)choice;
    return true;
}

// ---- loads

static bool read_point_load(ElvReader* reader, const ElvYaml* node) {
    static const char* const refused[] = {"from", "to"};
    ElvWrenchDef def = elv_wrench_def_default();
    const ElvYaml* at = elv_read_required(
        reader, node, "at", "the frame on which the load acts; 'rod' for one spread along a rod");
    return at && elv_read_text(reader, at, &def.at) &&
           elv_read_refuse(reader, node, refused, 2, "'at': name a 'rod' to spread the load") &&
           read_wrench(reader, node, "wrench", ELV_READ_T, def.wrench) &&
           read_axes(reader, node, &def.axes) &&
           elv_read_law_at(reader, node, "while", ELV_READ_T, &def.when) &&
           elv_read_added(reader, node, elv_spec_add_wrench(reader->spec, &def, reader->error));
}

static bool read_spread_load(ElvReader* reader, const ElvYaml* node) {
    static const char* const refused[] = {"at", "wrench"};
    ElvDistributedDef def = elv_distributed_def_default();
    const ElvYaml* rod = elv_read_required(reader, node, "rod", "along which the load is spread");
    return rod && elv_read_text(reader, rod, &def.rod) &&
           elv_read_refuse(reader, node, refused, 2,
                           "a load along a rod: its values, per metre, are 'distributed'") &&
           read_wrench(reader, node, "distributed", ELV_READ_T | ELV_READ_S, def.wrench) &&
           elv_read_number_at(reader, node, "from", &def.from) &&
           elv_read_number_at(reader, node, "to", &def.to) && read_axes(reader, node, &def.axes) &&
           elv_read_law_at(reader, node, "while", ELV_READ_T, &def.when) &&
           elv_read_added(reader, node,
                          elv_spec_add_distributed(reader->spec, &def, reader->error));
}

static bool read_load(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"wrench", "force", "torque", "distributed", "at",
                                       "rod",    "from",  "to",     "frame",       "while"};
    if (!elv_read_keys(reader, node, "a load {force: [...], at: ...}", keys,
                       sizeof keys / sizeof keys[0])) {
        return false;
    }
    bool is_spread = elv_yaml_get(node, "rod") || elv_yaml_get(node, "distributed");
    return is_spread ? read_spread_load(reader, node) : read_point_load(reader, node);
}

bool elv_read_loads(ElvReader* reader, const ElvYaml* list) {
    return elv_read_items(reader, list, read_load);
}
