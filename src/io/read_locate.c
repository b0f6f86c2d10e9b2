// SPDX-License-Identifier: Apache-2.0
// Places of a model file. Checks of the spec and of the compiler know nothing of files: their errors
// name an element ("arm", "loads[2]") and a dotted field ("joint.axis", "elements[1].to"). Here the
// field is followed through the file as far as it goes: the joint's type and the section's shape,
// which fields leave out, are stepped over, and what is missing stays where it would stand.
#include "io/read_locate.h"

#include "io/format_names.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STEP = 96 };

// one step of a path: a name, and an index after it or -1
typedef struct {
    char name[MAX_STEP];
    int index;
} Step;

// take the first step off a path; returns what follows
static const char* take_step(const char* path, Step* step) {
    size_t length = strcspn(path, ".[");
    size_t kept = length < MAX_STEP - 1 ? length : MAX_STEP - 1;
    memcpy(step->name, path, kept);
    step->name[kept] = '\0';
    step->index = -1;
    path += length;
    if (*path == '[') {
        step->index = (int)strtol(path + 1, NULL, 10);
        path += strcspn(path, ".");
    }
    return *path == '.' ? path + 1 : path;
}

// ---- steps

// keys that say the same as the one that the error names
static const ElvYaml* get_alias(const ElvYaml* node, const char* name) {
    static const char* const aliases[][2] = {
        {"circle", "tube"},        {"diameter", "radius"}, {"diameter", "outer"},
        {"wrench", "force"},       {"wrench", "torque"},   {"distributed", "force"},
        {"distributed", "torque"}, {"name", "rod"},        {"name", "body"},
        {"frame", "name"},
    };
    const ElvYaml* found = elv_yaml_get(node, name);
    for (size_t i = 0; !found && i < sizeof aliases / sizeof aliases[0]; i++) {
        if (strcmp(name, aliases[i][0]) == 0) {
            found = elv_yaml_get(node, aliases[i][1]);
        }
    }
    return found;
}

// value of a key, or of a key one level below where fields leave out a level
static const ElvYaml* get_near(const ElvYaml* node, const char* name) {
    const ElvYaml* found = get_alias(node, name);
    if (!found && node->kind == ELV_YAML_LIST && node->n == 1) {
        return get_alias(node->first, name);
    }
    if (found || node->kind != ELV_YAML_MAP) {
        return found;
    }
    // {revolute: {axis: …}} for "axis", elements: [{nodes: …}] for "nodes"
    if (node->n == 1) {
        return get_alias(node->first, name);
    }
    const ElvYaml* elements = elv_yaml_get(node, "elements");
    return elements ? get_alias(elements->first ? elements->first : elements, name) : NULL;
}

// follow a path from a node as far as it goes
static const ElvYaml* follow(const ElvYaml* root, const ElvYaml* node, const char* path) {
    while (*path != '\0') {
        Step step;
        path = take_step(path, &step);
        const ElvYaml* next = get_near(node, step.name);

        // the material of a rod may stand under its name
        if (!next && node->key && strcmp(node->key->text, "material") == 0 &&
            node->kind == ELV_YAML_SCALAR) {
            next = get_alias(elv_yaml_get(elv_yaml_get(root, "materials"), node->text), step.name);
        }
        // a list of one may be written without its brackets
        if (next && step.index >= 0 && next->kind == ELV_YAML_LIST) {
            const ElvYaml* item = elv_yaml_item(next, step.index);
            next = item ? item : next;
        }
        node = next ? next : node;
    }
    return node;
}

// ---- items

// under the first of the keys: the pattern of a muscle is not its name
static const ElvYaml* actuator_name(const ElvYaml* item) {
    const ElvYaml* name = NULL;
    for (size_t i = 0; i < ELV_N_ACTUATOR_NAME_KEY && !name; i++) {
        name = elv_yaml_get(item, elv_actuator_name_keys[i]);
    }
    return name;
}

ElvYaml* elv_read_find_item(const ElvYaml* root, const char* name) {
    const ElvYaml* tree = elv_yaml_get(root, "tree");
    for (ElvYaml* item = tree ? tree->first : NULL; item; item = item->next) {
        if (elv_yaml_is(elv_yaml_get(item, "body"), name) ||
            elv_yaml_is(elv_yaml_get(item, "rod"), name)) {
            return item;
        }
    }
    const ElvYaml* frames = elv_yaml_get(root, "frames");
    for (ElvYaml* item = frames ? frames->first : NULL; item; item = item->next) {
        if (elv_yaml_is(elv_yaml_get(item, "name"), name)) {
            return item;
        }
    }
    const ElvYaml* actuators = elv_yaml_get(root, "actuators");
    for (ElvYaml* item = actuators ? actuators->first : NULL; item; item = item->next) {
        if (elv_yaml_is(actuator_name(item), name)) {
            return item;
        }
    }
    return NULL;
}

bool elv_read_added(ElvReader* reader, const ElvYaml* item, ElvStatus status) {
    if (status == ELV_ERROR_INPUT) {
        elv_yaml_locate(follow(reader->root, item, reader->error->field), reader->error);
    }
    return status == ELV_OK;
}

void elv_read_place(const ElvYaml* root, ElvError* error) {
    const ElvYaml* item = elv_read_find_item(root, error->element);
    item = item ? item : follow(root, root, error->element);
    elv_yaml_locate(follow(root, item, error->field), error);
}
