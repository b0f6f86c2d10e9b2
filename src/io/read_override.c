// SPDX-License-Identifier: Apache-2.0
// Overrides of model values: "arm.length=0.5" replaces a node of the tree, or adds it. New nodes
// have the override for their file, so that whatever the reader finds wrong in them is told as an
// error of "--set arm.length=0.5".
#include "io/read_override.h"

#include "io/read_locate.h"
#include "io/read_model.h"

#include <stdio.h>
#include <string.h>

enum { MAX_STEP = 96 };

typedef struct {
    ElvReader* reader;
    ElvYaml* value;  // parsed, not yet in the tree
    const char* key; // whole path
    ElvYaml place;   // its file is "--set KEY=VALUE"
} Setting;

// ---- nodes

// a node that takes the content of another and keeps its own place in its parent
static void assign(ElvYaml* node, const ElvYaml* value) {
    ElvYaml before = *node;
    *node = *value;
    node->key = before.key;
    node->next = before.next;
    node->parent = before.parent;
    node->index = before.index;
    for (ElvYaml* child = node->first; child; child = child->next) {
        child->parent = node;
    }
}

static ElvYaml* make_node(const Setting* setting, ElvYamlKind kind, const char* text) {
    ElvYaml* node = elv_pool_take(&setting->reader->pool, 1, sizeof *node);
    if (node) {
        node->kind = kind;
        node->file = setting->place.file;
        node->text = text ? elv_pool_string(&setting->reader->pool, text) : NULL;
    }
    return node && (!text || node->text) ? node : NULL;
}

// an empty map under a new key of node
static ElvYaml* add_key(const Setting* setting, ElvYaml* node, const char* name) {
    ElvYaml* key = make_node(setting, ELV_YAML_SCALAR, name);
    ElvYaml* child = make_node(setting, ELV_YAML_MAP, NULL);
    if (!key || !child) {
        (void)elv_read_fail_memory(setting->reader);
        return NULL;
    }
    elv_yaml_append(node, key, child);
    return child;
}

// ---- paths

// index of a list item, or -1: digits alone
static int parse_index(const char* name) {
    int index = 0;
    size_t n = 0;
    for (; name[n] >= '0' && name[n] <= '9' && n < 6; n++) {
        index = 10 * index + (name[n] - '0');
    }
    return n > 0 && name[n] == '\0' ? index : -1;
}

// a key that is not there may be set in any map, but only a known one, or a key of an element or of
// the file, has keys of its own: a joint type or a shape is not made up from a path
static bool may_add(const ElvYaml* node, bool is_last) {
    bool is_element = node->parent && node->parent->kind == ELV_YAML_LIST;
    return is_last || !node->parent || is_element;
}

static ElvYaml* step_into(const Setting* setting, ElvYaml* node, const char* name, bool is_last) {
    if (node->kind == ELV_YAML_LIST) {
        int index = parse_index(name);
        ElvYaml* item = index >= 0 ? elv_yaml_item(node, index) : NULL;
        if (!item) {
            (void)elv_read_fail(setting->reader, &setting->place,
                                "'%s' is no item of the list, which has %d, counted from 0", name,
                                node->n);
        }
        return item;
    }
    // "joint: revolute" stands for "joint: {revolute: {}}"
    if (elv_yaml_is(node, name)) {
        node->kind = ELV_YAML_MAP;
        return add_key(setting, node, name);
    }
    if (node->kind == ELV_YAML_SCALAR && node->text[0] != '\0') {
        (void)elv_read_fail(setting->reader, &setting->place,
                            "there is no key '%s' within the value '%.80s'", name, node->text);
        return NULL;
    }
    node->kind = ELV_YAML_MAP;
    ElvYaml* child = elv_yaml_get(node, name);
    if (!child && !may_add(node, is_last)) {
        (void)elv_read_fail(setting->reader, &setting->place,
                            "'%.80s' has no '%s' in which a key could be set: set the whole of it, "
                            "'%s={KEY: VALUE}'",
                            node->key ? node->key->text : "the item", name, name);
        return NULL;
    }
    return child ? child : add_key(setting, node, name);
}

static bool fail_start(const Setting* setting, const ElvYaml* root, const char* name) {
    // candidates one by one, the nearest so far against the next
    const char* pair[2] = {elv_suggest(name, elv_top_keys, ELV_N_TOP_KEY), NULL};
    const ElvYaml* parameters = elv_yaml_get(root, "parameters");
    for (const ElvYaml* child = parameters ? parameters->first : NULL; child; child = child->next) {
        pair[1] = child->key ? child->key->text : NULL;
        pair[0] = elv_suggest(name, pair, 2);
    }
    pair[0] = elv_read_suggest_item(root, name, pair[0]);
    if (pair[0]) {
        return elv_read_fail(setting->reader, &setting->place,
                             "the model has no '%s' to set, did you mean '%.80s'?", name, pair[0]);
    }
    return elv_read_fail(setting->reader, &setting->place,
                         "the model has no '%s' to set: give a parameter, NAME.KEY of a body, rod, "
                         "frame, actuator, loop or constraint, or a key of the file",
                         name);
}

// the first step: a parameter if the path is one step long, an element, or a key of the file
static ElvYaml* find_start(const Setting* setting, ElvYaml* root, const char* name, bool is_alone) {
    ElvYaml* parameter = elv_yaml_get(elv_yaml_get(root, "parameters"), name);
    if (is_alone && parameter) {
        return parameter;
    }
    ElvYaml* item = elv_read_find_item(root, name);
    if (item && !is_alone) {
        return item;
    }
    for (size_t i = 0; i < ELV_N_TOP_KEY; i++) {
        if (strcmp(elv_top_keys[i], name) == 0) {
            return step_into(setting, root, name, is_alone);
        }
    }
    if (item) {
        (void)elv_read_fail(setting->reader, &setting->place,
                            "'%s' is an element of the model: set one of its keys, '%s.KEY'", name,
                            name);
    } else {
        (void)fail_start(setting, root, name);
    }
    return NULL;
}

// next step of a path, at a dot or a bracket; returns what follows, NULL when it is not a path
static const char* take_step(const char* path, char name[MAX_STEP]) {
    size_t length = strcspn(path, ".[]");
    if (length == 0 || length >= MAX_STEP) {
        return NULL;
    }
    memcpy(name, path, length);
    name[length] = '\0';
    path += length;
    path += *path == ']' ? 1 : 0;
    if (*path == '.' || *path == '[') {
        return path[1] != '\0' ? path + 1 : NULL;
    }
    return *path == '\0' ? path : NULL;
}

static bool put(const Setting* setting, ElvYaml* root) {
    char name[MAX_STEP];
    ElvYaml* node = NULL;
    const char* rest = setting->key;
    do {
        rest = take_step(rest, name);
        if (!rest) {
            return elv_read_fail(setting->reader, &setting->place,
                                 "'%.80s' is no key: write names with dots between them, such as "
                                 "arm.length",
                                 setting->key);
        }
        node = node ? step_into(setting, node, name, *rest == '\0')
                    : find_start(setting, root, name, *rest == '\0');
        if (!node) {
            return false;
        }
    } while (*rest != '\0');
    assign(node, setting->value);
    return true;
}

bool elv_read_override(ElvReader* reader, ElvYaml* root, const ElvOverride* override) {
    const char* key = override->key ? override->key : "";
    const char* text = override->value ? override->value : "";
    size_t size = strlen(key) + strlen(text) + 16;
    char* label = elv_pool_take(&reader->pool, size, 1);
    if (!label) {
        return elv_read_fail_memory(reader);
    }
    (void)snprintf(label, size, "--set %s=%s", key, text);

    Setting setting = {.reader = reader, .key = key, .place = {.file = label}};
    ElvYamlSource source = {.text = text, .size = strlen(text), .file = label};
    return elv_yaml_parse(&source, &reader->pool, &setting.value, reader->error) == ELV_OK &&
           put(&setting, root);
}
