// SPDX-License-Identifier: Apache-2.0
// Places of a model file. Checks of the spec and of the compiler know nothing of files: their errors
// name an element ("arm", "loads[2]") and a dotted field ("joint.axis", "elements[1].to"). Here the
// field is followed through the file as far as it goes: the joint's type and the section's shape,
// which fields leave out, are stepped over, and what is missing stays where it would stand.
#include "io/read_locate.h"

#include "io/format_names.h"

#include <stdio.h>
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
        {"frame", "name"},         {"rows", "direction"},
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
        // the axes of a joint that closes a loop may stand beside it
        if (!next && node->key && strcmp(node->key->text, "joint") == 0 &&
            node->kind == ELV_YAML_SCALAR && strncmp(step.name, "axis", 4) == 0) {
            next = elv_yaml_get(node->parent, step.name);
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

// where the lists of a file have the names of their items
static const struct {
    const char* list;
    const char* const* keys;
    size_t n;
} lists[] = {
    {"tree", (const char* const[]){"body", "rod"}, 2},
    {"frames", (const char* const[]){"name"}, 1},
    {"actuators", elv_actuator_name_keys, ELV_N_ACTUATOR_NAME_KEY},
    {"loops", elv_loop_name_keys, ELV_N_LOOP_NAME_KEY},
    {"constraints", elv_constraint_name_keys, ELV_N_CONSTRAINT_NAME_KEY},
};

void elv_loop_default_name(int index, char name[ELV_LOOP_NAME]) {
    (void)snprintf(name, ELV_LOOP_NAME, "loop%d", index + 1);
}

// under the first of the keys: the pattern of a muscle is not its name
static const char* item_name(const ElvYaml* item, size_t i_list, char buffer[ELV_LOOP_NAME]) {
    const ElvYaml* name = NULL;
    for (size_t i = 0; i < lists[i_list].n && !name; i++) {
        name = elv_yaml_get(item, lists[i_list].keys[i]);
    }
    if (name) {
        return name->kind == ELV_YAML_SCALAR ? name->text : NULL;
    }
    if (lists[i_list].keys != elv_loop_name_keys || item->kind != ELV_YAML_MAP) {
        return NULL;
    }
    elv_loop_default_name(item->index, buffer);
    return buffer;
}

ElvYaml* elv_read_find_item(const ElvYaml* root, const char* name) {
    char buffer[ELV_LOOP_NAME];
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const ElvYaml* list = elv_yaml_get(root, lists[i].list);
        for (ElvYaml* item = list ? list->first : NULL; item; item = item->next) {
            const char* other = item_name(item, i, buffer);
            if (other && strcmp(other, name) == 0) {
                return item;
            }
        }
    }
    return NULL;
}

const char* elv_read_suggest_item(const ElvYaml* root, const char* word, const char* nearest) {
    char buffer[ELV_LOOP_NAME];
    const char* pair[2] = {nearest, NULL};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const ElvYaml* list = elv_yaml_get(root, lists[i].list);
        for (const ElvYaml* item = list ? list->first : NULL; item; item = item->next) {
            pair[1] = item_name(item, i, buffer);
            // names that the file does not have are not suggested
            pair[1] = pair[1] == buffer ? NULL : pair[1];
            pair[0] = elv_suggest(word, pair, 2);
        }
    }
    return pair[0];
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
