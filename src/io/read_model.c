// SPDX-License-Identifier: Apache-2.0
// The top level of model files: version, parameters, materials, the tree, frames, loads, actuators,
// loops, constraints, what to simulate and to record. The order of the keys in the file does not matter, except among
// parameters, whose formulas use those before them.
#include "io/read_model.h"

#include "io/read_actuator.h"
#include "io/read_body.h"
#include "io/read_fluid.h"
#include "io/read_inverse.h"
#include "io/read_load.h"
#include "io/read_locate.h"
#include "io/read_loop.h"
#include "io/read_rod.h"
#include "io/read_rod_parts.h"
#include "io/read_simulate.h"
#include "io/read_statics.h"
#include "io/read_value.h"

#include <string.h>

const char* const elv_top_keys[ELV_N_TOP_KEY] = {
    "elver",    "name",    "description", "gravity",   "parameters", "materials",
    "tree",     "frames",  "loads",       "actuators", "loops",      "constraints",
    "simulate", "statics", "inverse",     "record",    "fluid",      "urdf",
};

// ---- head

bool elv_read_version(ElvReader* reader) {
    const ElvYaml* root = reader->root;
    if (root->kind != ELV_YAML_MAP) {
        return elv_read_fail(reader, root,
                             "a model file is a map of keys that begins with "
                             "'elver: 1', found %s",
                             elv_yaml_describe(root));
    }
    const ElvYaml* version = elv_yaml_get(root, "elver");
    if (!version) {
        return elv_read_fail(reader, root,
                             "missing key 'elver': a model file begins with "
                             "'elver: 1', the version of its format");
    }
    if (!elv_yaml_is(version, "1")) {
        return elv_read_fail_expected(reader, version, "format version 1");
    }
    return true;
}

static bool read_parameters(ElvReader* reader, const ElvYaml* map) {
    if (map->kind != ELV_YAML_MAP) {
        return elv_read_fail_expected(reader, map, "a map of parameters, {NAME: value, ...}");
    }
    for (const ElvYaml* child = map->first; child; child = child->next) {
        double value = 0.0;
        const char* name = child->key->text;
        if (!elv_read_number(reader, child, &value)) {
            return false;
        }
        ElvStatus status = elv_spec_set_parameter(reader->spec, name, value, reader->error);
        if (!elv_read_added(reader, child->key, status)) {
            return false;
        }
        ElvParameter* list =
            elv_pool_grow(&reader->pool, reader->parameter, reader->n_parameter, sizeof *list);
        if (!list) {
            return elv_read_fail_memory(reader);
        }
        reader->parameter = list;
        list[reader->n_parameter].name = name;
        list[reader->n_parameter].value = value;
        reader->n_parameter++;
    }
    return true;
}

// ---- tree and frames

static bool fail_item(ElvReader* reader, const ElvYaml* item) {
    static const char* const words[] = {"body", "rod"};
    const ElvYaml* place = item->first ? item->first->key : item;
    const char* nearest = item->first ? elv_suggest(place->text, words, 2) : NULL;
    if (nearest) {
        return elv_read_fail(reader, place, "unknown key '%.80s', did you mean '%s'?", place->text,
                             nearest);
    }
    return elv_read_fail(reader, place,
                         "an item of the tree begins with 'body: NAME' or 'rod: NAME'");
}

static bool read_tree_item(ElvReader* reader, const ElvYaml* item) {
    if (item->kind != ELV_YAML_MAP) {
        return elv_read_fail_expected(reader, item, "'body: NAME ...' or 'rod: NAME ...'");
    }
    const ElvYaml* body_name = elv_yaml_get(item, "body");
    const ElvYaml* rod_name = elv_yaml_get(item, "rod");
    if (body_name && rod_name) {
        return elv_read_fail(reader, rod_name->key,
                             "an item of the tree is a body or a rod, not "
                             "both: begin another item with '- '");
    }
    const ElvYaml* name = body_name ? body_name : rod_name;
    if (!name) {
        return fail_item(reader, item);
    }
    if (!elv_read_text(reader, name, &reader->element)) {
        return false;
    }
    if (rod_name) {
        ElvRodDef rod;
        return elv_read_rod(reader, item, &rod) &&
               elv_read_added(reader, item, elv_spec_add_rod(reader->spec, &rod, reader->error));
    }
    ElvBodyDef body;
    return elv_read_body(reader, item, &body) &&
           elv_read_added(reader, item, elv_spec_add_body(reader->spec, &body, reader->error));
}

static bool read_tree(ElvReader* reader, const ElvYaml* list) {
    if (list->kind != ELV_YAML_LIST || list->n == 0) {
        return elv_read_fail_expected(reader, list, "a list of bodies and rods");
    }
    for (const ElvYaml* item = list->first; item; item = item->next) {
        bool is_read = read_tree_item(reader, item);
        reader->element = "";
        if (!is_read) {
            return false;
        }
    }
    return true;
}

static bool read_frame(ElvReader* reader, const ElvYaml* item) {
    static const char* const keys[] = {"name", "on", "pose"};
    ElvFrameDef frame = elv_frame_def_default();
    if (!elv_read_keys(reader, item, "a frame {name: ..., on: ..., pose: ...}", keys, 3)) {
        return false;
    }
    const ElvYaml* name = elv_read_required(reader, item, "name", "of the frame");
    if (!name || !elv_read_text(reader, name, &frame.name)) {
        return false;
    }
    reader->element = frame.name;
    const ElvYaml* on = elv_read_required(reader, item, "on", "the frame that carries it");
    return on && elv_read_text(reader, on, &frame.on) &&
           elv_read_pose_at(reader, item, "pose", &frame.pose) &&
           elv_read_added(reader, item, elv_spec_add_frame(reader->spec, &frame, reader->error));
}

static bool read_frames(ElvReader* reader, const ElvYaml* list) {
    if (list->kind != ELV_YAML_LIST) {
        return elv_read_fail_expected(reader, list, "a list of frames");
    }
    for (const ElvYaml* item = list->first; item; item = item->next) {
        bool is_read = read_frame(reader, item);
        reader->element = "";
        if (!is_read) {
            return false;
        }
    }
    return true;
}

// ---- record

// whether the tree has an element of this name
static bool has_element(const ElvReader* reader, const char* name) {
    const ElvYaml* tree = elv_yaml_get(reader->root, "tree");
    for (const ElvYaml* item = tree ? tree->first : NULL; item; item = item->next) {
        bool is_map = item->kind == ELV_YAML_MAP;
        const ElvYaml* body = is_map ? elv_yaml_get(item, "body") : NULL;
        const ElvYaml* rod = is_map ? elv_yaml_get(item, "rod") : NULL;
        if ((body && elv_yaml_is(body, name)) || (rod && elv_yaml_is(rod, name))) {
            return true;
        }
    }
    return false;
}

// .q, .v, .a or .effort, and maybe a number: what a joint has
static bool is_joint_signal(const char* text) {
    static const char* const part[] = {".q", ".v", ".a", ".effort"};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        size_t n = strlen(part[i]);
        if (strncmp(text, part[i], n) == 0 &&
            (text[n] == '\0' ||
             (text[n] == '.' && text[n + 1 + strspn(text + n + 1, "0123456789")] == '\0'))) {
            return true;
        }
    }
    return false;
}

// a signal of a joint of a URDF, by the name that it has in the model: that of its child link
static bool name_signal(ElvReader* reader, const char** signal) {
    const char* text = *signal;
    size_t n = strcspn(text, ".");
    for (int i = 0; i < reader->n_alias && is_joint_signal(text + n); i++) {
        const ElvReadAlias* alias = &reader->alias[i];
        if (strlen(alias->name) != n || strncmp(alias->name, text, n) != 0 ||
            has_element(reader, alias->name)) {
            continue;
        }
        size_t n_element = strlen(alias->element);
        char* name = elv_pool_take(&reader->pool, n_element + strlen(text + n) + 1, 1);
        if (!name) {
            return elv_read_fail_memory(reader);
        }
        memcpy(name, alias->element, n_element);
        memcpy(name + n_element, text + n, strlen(text + n) + 1);
        *signal = name;
        return true;
    }
    return true;
}

static bool read_signals(ElvReader* reader, const ElvYaml* list, ElvRecordDef* def) {
    if (list->kind != ELV_YAML_LIST) {
        return elv_read_fail_expected(reader, list, "a list of signals");
    }
    const char** signal = elv_pool_take(&reader->pool, (size_t)list->n, sizeof *signal);
    if (!signal) {
        return elv_read_fail_memory(reader);
    }
    int i = 0;
    for (const ElvYaml* item = list->first; item; item = item->next) {
        if (!elv_read_text(reader, item, &signal[i]) || !name_signal(reader, &signal[i])) {
            return false;
        }
        i++;
    }
    def->signal = signal;
    def->n_signal = list->n;
    return true;
}

static bool read_record(ElvReader* reader, const ElvYaml* map) {
    static const char* const keys[] = {"every", "signals"};
    ElvRecordDef def = elv_record_def_default();
    reader->element = "record";
    if (!elv_read_keys(reader, map, "a map {every: ..., signals: [...]}", keys, 2)) {
        return false;
    }
    const ElvYaml* signals = elv_yaml_get(map, "signals");
    if (!elv_read_number_at(reader, map, "every", &def.every) ||
        (signals && !read_signals(reader, signals, &def))) {
        return false;
    }
    ElvStatus status = elv_spec_set_record(reader->spec, &def, reader->error);
    reader->element = "";
    return elv_read_added(reader, map, status);
}

// ---- the whole

static bool read_head(ElvReader* reader) {
    const ElvYaml* root = reader->root;
    const char* name = "";
    const char* description = "";
    ElvVec3 gravity = elv_vec3(0.0, 0.0, 0.0);
    const ElvYaml* parameters = elv_yaml_get(root, "parameters");
    if (!elv_read_keys(reader, root, "a model", elv_top_keys, ELV_N_TOP_KEY) ||
        !elv_read_text_at(reader, root, "name", &name) ||
        !elv_read_text_at(reader, root, "description", &description) ||
        elv_spec_create(name, &reader->spec, reader->error) != ELV_OK ||
        (parameters && !read_parameters(reader, parameters)) ||
        !elv_read_vec3_at(reader, root, "gravity", &gravity)) {
        return false;
    }
    elv_spec_set_gravity(reader->spec, gravity);
    return true;
}

bool elv_read_model(ElvReader* reader) {
    const ElvYaml* root = reader->root;
    const ElvYaml* materials = elv_yaml_get(root, "materials");
    const ElvYaml* fluid = elv_yaml_get(root, "fluid");
    const ElvYaml* frames = elv_yaml_get(root, "frames");
    const ElvYaml* loads = elv_yaml_get(root, "loads");
    const ElvYaml* actuators = elv_yaml_get(root, "actuators");
    const ElvYaml* loops = elv_yaml_get(root, "loops");
    const ElvYaml* constraints = elv_yaml_get(root, "constraints");
    const ElvYaml* simulate = elv_yaml_get(root, "simulate");
    const ElvYaml* statics = elv_yaml_get(root, "statics");
    const ElvYaml* inverse = elv_yaml_get(root, "inverse");
    const ElvYaml* record = elv_yaml_get(root, "record");
    if (!read_head(reader) || (materials && !elv_read_materials(reader, materials))) {
        return false;
    }
    const ElvYaml* tree = elv_read_required(reader, root, "tree", "the list of bodies and rods");
    return tree && (!fluid || elv_read_fluid(reader, fluid)) && read_tree(reader, tree) &&
           (!frames || read_frames(reader, frames)) && (!loads || elv_read_loads(reader, loads)) &&
           (!actuators || elv_read_actuators(reader, actuators)) &&
           (!loops || elv_read_loops(reader, loops)) &&
           (!constraints || elv_read_constraints(reader, constraints)) &&
           (!simulate || elv_read_simulate(reader, simulate)) &&
           (!statics || elv_read_statics(reader, statics)) &&
           (!inverse || elv_read_inverse(reader, inverse)) &&
           (!record || read_record(reader, record));
}
