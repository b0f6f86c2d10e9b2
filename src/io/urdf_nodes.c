// SPDX-License-Identifier: Apache-2.0
// Attributes of a URDF as numbers, and nodes of the model's tree made of them. A node that finds no
// memory is noted once and replaced by a spare one, so that building needs no checks on the way.
#include "base/number_text.h"
#include "io/urdf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- failures and notes

bool elv_urdf_fail(const ElvUrdf* urdf, int line, int column, const char* format, ...) {
    char message[ELV_SIZE_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ElvYaml at = {.file = urdf->file, .line = line, .column = column};
    return elv_read_fail(urdf->reader, &at, "%s", message);
}

void elv_urdf_note(ElvUrdf* urdf, ElvUrdfNote kind, const ElvXml* at) {
    if (urdf->n_note[kind]++ == 0) {
        urdf->noted[kind] = at;
    }
}

// ---- attributes

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool fail_numbers(const ElvUrdf* urdf, const ElvXmlAttribute* attribute, int n) {
    const char* hint = strstr(attribute->value, "${") || strstr(attribute->value, "$(")
                           ? "; this is xacro: make URDF of it first (xacro FILE > robot.urdf)"
                           : "";
    if (n == 1) {
        return elv_urdf_fail(urdf, attribute->line, attribute->column,
                             "'%.40s' is a finite number, found '%.60s'%s", attribute->name,
                             attribute->value, hint);
    }
    return elv_urdf_fail(urdf, attribute->line, attribute->column,
                         "'%.40s' takes %d finite numbers with spaces between, found '%.60s'%s",
                         attribute->name, n, attribute->value, hint);
}

bool elv_urdf_numbers(
    const ElvUrdf* urdf, const ElvXml* element, const char* name, int n, double* value) {
    const ElvXmlAttribute* attribute = element ? elv_xml_attribute(element, name) : NULL;
    if (!attribute) {
        return true;
    }
    const char* at = attribute->value;
    for (int i = 0; i <= n; i++) {
        while (is_space(*at)) {
            at++;
        }
        if (i == n) {
            break;
        }
        size_t length = elv_number_scan(at, &value[i]);
        if (length == 0 || !isfinite(value[i]) || (at[length] && !is_space(at[length]))) {
            return fail_numbers(urdf, attribute, n);
        }
        at += length;
    }
    return *at == '\0' || fail_numbers(urdf, attribute, n);
}

bool elv_urdf_required(
    const ElvUrdf* urdf, const ElvXml* element, const char* name, int n, double* value) {
    if (!elv_xml_attribute(element, name)) {
        return elv_urdf_fail(urdf, element->line, element->column, "<%.40s> needs %s=\"...\"",
                             element->name, name);
    }
    return elv_urdf_numbers(urdf, element, name, n, value);
}

// ---- nodes

void elv_urdf_at(ElvUrdf* urdf, const ElvXml* element) {
    urdf->line = element->line;
    urdf->column = element->column;
}

void elv_urdf_at_attribute(ElvUrdf* urdf, const ElvXml* element, const char* name) {
    const ElvXmlAttribute* attribute = elv_xml_attribute(element, name);
    urdf->line = attribute ? attribute->line : element->line;
    urdf->column = attribute ? attribute->column : element->column;
}

static ElvYaml* make(ElvUrdf* urdf, ElvYamlKind kind, const char* text) {
    ElvYaml* node = elv_pool_take(&urdf->reader->pool, 1, sizeof *node);
    const char* copy = node && text ? elv_pool_string(&urdf->reader->pool, text) : NULL;
    if (!node || (text && !copy)) {
        urdf->is_full = true;
        urdf->spare = (ElvYaml){.kind = ELV_YAML_MAP, .text = ""};
        return &urdf->spare;
    }
    node->kind = kind;
    node->text = copy;
    node->file = urdf->file;
    node->line = urdf->line;
    node->column = urdf->column;
    return node;
}

static void append(ElvUrdf* urdf, ElvYaml* parent, const char* key, ElvYaml* node) {
    ElvYaml* name = key ? make(urdf, ELV_YAML_SCALAR, key) : NULL;
    if (!urdf->is_full) {
        elv_yaml_append(parent, name, node);
    }
}

ElvYaml* elv_urdf_put(ElvUrdf* urdf, ElvYaml* parent, const char* key, ElvYamlKind kind) {
    ElvYaml* node = make(urdf, kind, NULL);
    append(urdf, parent, key, node);
    return node;
}

void elv_urdf_put_text(ElvUrdf* urdf, ElvYaml* parent, const char* key, const char* text) {
    append(urdf, parent, key, make(urdf, ELV_YAML_SCALAR, text));
}

void elv_urdf_put_number(ElvUrdf* urdf, ElvYaml* parent, const char* key, double value) {
    char text[ELV_NUMBER_TEXT];
    elv_number_print(value, 17, text);
    elv_urdf_put_text(urdf, parent, key, text);
}

void elv_urdf_put_numbers(
    ElvUrdf* urdf, ElvYaml* parent, const char* key, int n, const double* value) {
    ElvYaml* list = elv_urdf_put(urdf, parent, key, ELV_YAML_LIST);
    for (int i = 0; i < n; i++) {
        elv_urdf_put_number(urdf, list, NULL, value[i]);
    }
}

ElvYaml* elv_urdf_put_copy(ElvUrdf* urdf, ElvYaml* parent, const char* key, const ElvYaml* node) {
    ElvYaml* copy = make(urdf, node->kind, NULL);
    if (!urdf->is_full) {
        *copy = *node;
    }
    append(urdf, parent, key, copy);
    // a key is where the one was that it stands for
    if (!urdf->is_full && copy->key && node->key) {
        copy->key->file = node->key->file;
        copy->key->line = node->key->line;
        copy->key->column = node->key->column;
    }
    return copy;
}

bool elv_urdf_put_origin(ElvUrdf* urdf, ElvYaml* parent, const ElvXml* element) {
    const ElvXml* origin = elv_xml_child(element, "origin");
    double xyz[3] = {0.0};
    double rpy[3] = {0.0};
    if (!elv_urdf_numbers(urdf, origin, "xyz", 3, xyz) ||
        !elv_urdf_numbers(urdf, origin, "rpy", 3, rpy)) {
        return false;
    }
    if (origin) {
        elv_urdf_at(urdf, origin);
        ElvYaml* pose = elv_urdf_put(urdf, parent, "pose", ELV_YAML_MAP);
        elv_urdf_put_numbers(urdf, pose, "xyz", 3, xyz);
        elv_urdf_put_numbers(urdf, pose, "rpy", 3, rpy);
    }
    return true;
}
