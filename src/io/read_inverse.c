// SPDX-License-Identifier: Apache-2.0
// The `inverse:` block of model files: where a tip is to be and by what, {tip: {xyz: [...], rpy: [...]}, by:
// tensions}, or how the inverse dynamics of imposed strains are computed, {static: true, steps: 64}.
#include "io/read_inverse.h"

#include "io/format_names.h"
#include "io/read_law.h"
#include "io/read_locate.h"

static bool read_tip(ElvReader* reader, const ElvYaml* node, ElvInverseDef* def) {
    static const char* const keys[] = {"xyz", "rpy"};
    if (!elv_read_keys(reader, node, "a place {xyz: [x, y, z], rpy: [roll, pitch, yaw]}", keys,
                       2)) {
        return false;
    }
    const ElvYaml* xyz = elv_read_required(reader, node, "xyz", "where the tip is to be, m");
    const ElvYaml* rpy = elv_yaml_get(node, "rpy");
    def->has_tip = true;
    def->has_rotation = rpy != NULL;
    return xyz && elv_read_laws(reader, xyz, 3, ELV_READ_T, def->tip + 3) &&
           (!rpy || elv_read_laws(reader, rpy, 3, ELV_READ_T, def->tip));
}

// words that say nothing here
static bool refuse_idle(ElvReader* reader, const ElvYaml* map, bool has_tip) {
    const ElvYaml* by = elv_yaml_get(map, "by");
    if (by && !has_tip) {
        return elv_read_fail(reader, by->key,
                             "'by' goes with 'tip', and says what brings it to its place");
    }
    static const char* const words[] = {"static", "steps"};
    for (size_t i = 0; i < 2 && has_tip; i++) {
        const ElvYaml* word = elv_yaml_get(map, words[i]);
        if (word) {
            return elv_read_fail(reader, word->key,
                                 "'%s' goes with imposed strains ('motion' of a rod); a 'tip' is "
                                 "found by shooting, as 'statics' says",
                                 words[i]);
        }
    }
    return true;
}

bool elv_read_inverse(ElvReader* reader, const ElvYaml* map) {
    static const char* const keys[] = {"tip", "by", "static", "steps"};
    ElvInverseDef def = elv_inverse_def_default();
    reader->element = "inverse";
    if (!elv_read_keys(reader, map, "a map {tip: {xyz: [...]}, by: tensions}", keys, 4)) {
        return false;
    }
    const ElvYaml* tip = elv_yaml_get(map, "tip");
    const ElvYaml* by = elv_yaml_get(map, "by");
    const ElvYaml* steps = elv_yaml_get(map, "steps");
    int choice = (int)def.by;
    long n = def.steps;
    bool is_read =
        refuse_idle(reader, map, tip != NULL) && (!tip || read_tip(reader, tip, &def)) &&
        (!by || elv_read_choice(reader, by, "means", elv_reach_names, ELV_N_REACH_BY, &choice)) &&
        elv_read_flag_at(reader, map, "static", &def.is_static) &&
        (!steps || elv_read_integer(reader, steps, 0, ELV_SHOOT_STEPS_MAX, &n));
    def.by = (ElvReachBy)choice;
    def.steps = (int)n;
    if (!is_read) {
        return false;
    }
    ElvStatus status = elv_spec_set_inverse(reader->spec, &def, reader->error);
    reader->element = "";
    return elv_read_added(reader, map, status);
}
