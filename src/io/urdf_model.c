// SPDX-License-Identifier: Apache-2.0
// Robots as models: which texts are URDF, the model that a robot alone makes, and the short form of
// the key `urdf`.
#include "io/urdf.h"

#include <stdio.h>
#include <string.h>

bool elv_urdf_is_option(const char* key) {
    return key && strncmp(key, "urdf", 4) == 0 && strchr(".[", key[4]);
}

static bool open_robot(ElvReader* reader, ElvYaml* node) {
    if (node->kind != ELV_YAML_SCALAR || node->text[0] == '\0') {
        return true;
    }
    ElvYaml* key = elv_pool_take(&reader->pool, 1, sizeof *key);
    ElvYaml* file = elv_pool_copy(&reader->pool, node, 1, sizeof *file);
    if (!key || !file) {
        return elv_read_fail_memory(reader);
    }
    *key = *node;
    key->key = NULL;
    key->text = "file";
    node->kind = ELV_YAML_MAP;
    elv_yaml_append(node, key, file);
    return true;
}

bool elv_urdf_open(ElvReader* reader, ElvYaml* root) {
    ElvYaml* robots = elv_yaml_get(root, "urdf");
    if (!robots || robots->kind != ELV_YAML_LIST) {
        return !robots || open_robot(reader, robots);
    }
    for (ElvYaml* item = robots->first; item; item = item->next) {
        if (!open_robot(reader, item)) {
            return false;
        }
    }
    return true;
}

bool elv_urdf_is(const ElvXmlSource* source) {
    const char* dot = source->file ? strrchr(source->file, '.') : NULL;
    size_t i = source->size >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (i < source->size && strchr(" \t\r\n", source->text[i]) && source->text[i]) {
        i++;
    }
    bool is_xml = i < source->size && source->text[i] == '<';
    return is_xml || (dot && (strcmp(dot, ".urdf") == 0 || strcmp(dot, ".URDF") == 0));
}

bool elv_urdf_wrap(ElvReader* reader, const ElvXmlSource* source, ElvYaml** root) {
    static const double gravity[3] = {0.0, 0.0, -9.81};
    ElvUrdf urdf = {.reader = reader, .file = source->file, .line = 1, .column = 1};
    *root = elv_pool_take(&reader->pool, 1, sizeof **root);
    if (!*root) {
        return elv_read_fail_memory(reader);
    }
    (*root)->kind = ELV_YAML_MAP;
    (*root)->file = source->file;
    (*root)->line = (*root)->column = 1;
    elv_urdf_put_text(&urdf, *root, "elver", "1");
    elv_urdf_put_numbers(&urdf, *root, "gravity", 3, gravity);
    (void)elv_urdf_put(&urdf, *root, "urdf", ELV_YAML_MAP);
    return !urdf.is_full || elv_read_fail_memory(reader);
}

void elv_urdf_put_model(ElvUrdf* urdf) {
    const ElvXmlAttribute* name = elv_xml_attribute(urdf->robot, "name");
    const ElvYaml* base = elv_yaml_get(urdf->options, "base");
    ElvYaml* root = urdf->reader->root;
    elv_urdf_at_attribute(urdf, urdf->robot, "name");
    if (name && name->value[0] != '\0') {
        elv_urdf_put_text(urdf, root, "name", name->value);
    }
    ElvYaml* record = elv_urdf_put(urdf, root, "record", ELV_YAML_MAP);
    ElvYaml* signals = elv_urdf_put(urdf, record, "signals", ELV_YAML_LIST);
    for (int i = 0; i < urdf->n_link; i++) {
        const ElvUrdfLink* link = &urdf->link[i];
        const ElvXmlAttribute* type =
            link->joint >= 0 ? elv_xml_attribute(urdf->joint[link->joint].xml, "type") : NULL;
        bool is_moving = type ? strcmp(type->value, "fixed") != 0
                              : base && !elv_yaml_is(base, "fixed") && !urdf->is_root_world;
        char signal[ELV_SIZE_NAME + 8];
        if (is_moving) {
            (void)snprintf(signal, sizeof signal, "%.*s.q", ELV_SIZE_NAME, link->element);
            elv_urdf_put_text(urdf, signals, NULL, signal);
        }
    }
}
