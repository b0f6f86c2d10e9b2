// SPDX-License-Identifier: Apache-2.0
// Values of model files as YAML: strings, numbers that read back as the same bits, poses and laws.
#include "io/write_value.h"

#include "base/number_text.h"
#include "io/format_names.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- text

static bool reserve(ElvWriter* writer, size_t more) {
    if (writer->status != ELV_OK) {
        return false;
    }
    if (writer->size + more + 1 <= writer->capacity) {
        return true;
    }
    size_t capacity = 2 * (writer->size + more + 1);
    char* text = realloc(writer->text, capacity);
    if (!text) {
        writer->status =
            elv_error_set(writer->error, ELV_ERROR_MEMORY, "", "", "no memory for the text");
        return false;
    }
    writer->text = text;
    writer->capacity = capacity;
    return true;
}

void elv_write(ElvWriter* writer, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (n < 0 || !reserve(writer, (size_t)n)) {
        return;
    }
    va_start(arguments, format);
    (void)vsnprintf(writer->text + writer->size, (size_t)n + 1, format, arguments);
    va_end(arguments);
    writer->size += (size_t)n;
}

void elv_write_quoted(ElvWriter* writer, const char* text) {
    elv_write(writer, "\"");
    for (const char* c = text; *c != '\0'; c++) {
        unsigned char code = (unsigned char)*c;
        if (*c == '"' || *c == '\\') {
            elv_write(writer, "\\%c", *c);
        } else if (code < 0x20 || code == 0x7F) {
            elv_write(writer, "\\x%02x", (unsigned)code);
        } else {
            elv_write(writer, "%c", *c);
        }
    }
    elv_write(writer, "\"");
}

void elv_write_word(ElvWriter* writer, const char* text) {
    static const char* const letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.()-";
    bool is_plain = text[0] != '\0' && strchr("-.()0123456789", text[0]) == NULL &&
                    strspn(text, letters) == strlen(text);
    if (is_plain) {
        elv_write(writer, "%s", text);
    } else {
        elv_write_quoted(writer, text);
    }
}

// ---- numbers

void elv_write_number(ElvWriter* writer, double value) {
    char text[ELV_NUMBER_TEXT];
    elv_number_print(value, 17, text);
    elv_write(writer, "%s", text);
}

void elv_write_numbers(ElvWriter* writer, const double* value, int n) {
    elv_write(writer, "[");
    for (int i = 0; i < n; i++) {
        elv_write(writer, "%s", i > 0 ? ", " : "");
        elv_write_number(writer, value[i]);
    }
    elv_write(writer, "]");
}

void elv_write_vec3(ElvWriter* writer, ElvVec3 value) {
    double x[3] = {value.x, value.y, value.z};
    elv_write_numbers(writer, x, 3);
}

// ---- poses

static bool is_rotated(const ElvPose* pose) {
    ElvMat3 identity = elv_mat3_identity();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (pose->R.m[i][j] != identity.m[i][j]) {
                return true;
            }
        }
    }
    return false;
}

bool elv_pose_is_identity(const ElvPose* pose) {
    return pose->p.x == 0.0 && pose->p.y == 0.0 && pose->p.z == 0.0 && !is_rotated(pose);
}

void elv_write_pose(ElvWriter* writer, const ElvPose* pose) {
    ElvWriteMap map = {writer, 0};
    elv_write_key(&map, "xyz");
    elv_write_vec3(writer, pose->p);
    if (is_rotated(pose)) {
        ElvQuat q = elv_quat_from_matrix(pose->R);
        double x[4] = {q.w, q.x, q.y, q.z};
        elv_write_key(&map, "quaternion");
        elv_write_numbers(writer, x, 4);
    }
    elv_write_map_end(&map);
}

// ---- laws

static void write_table(ElvWriter* writer, const ElvLawDef* law) {
    elv_write(writer, "{table: {%s: ", law->variable == ELV_VARIABLE_T ? "t" : "s");
    elv_write_numbers(writer, law->x, (int)law->n);
    elv_write(writer, ", values: ");
    elv_write_numbers(writer, law->y, (int)law->n);
    elv_write(writer, ", interpolation: %s}}", elv_table_names[law->table]);
}

void elv_write_law(ElvWriter* writer, const ElvLawDef* law) {
    switch (law->kind) {
    case ELV_LAW_CONSTANT:
        elv_write_number(writer, law->value);
        break;
    case ELV_LAW_FORMULA:
        elv_write_quoted(writer, law->text);
        break;
    case ELV_LAW_TABLE:
        write_table(writer, law);
        break;
    case ELV_LAW_CALLBACK:
        if (writer->status == ELV_OK) {
            writer->status = elv_error_set(
                writer->error, ELV_ERROR_INPUT, writer->element, "",
                "a law of '%s' is a C callback, which a file cannot hold: use a formula or a table",
                writer->element);
        }
        break;
    }
}

void elv_write_laws(ElvWriter* writer, const ElvLawDef* law, int n) {
    elv_write(writer, "[");
    for (int i = 0; i < n; i++) {
        elv_write(writer, "%s", i > 0 ? ", " : "");
        elv_write_law(writer, &law[i]);
    }
    elv_write(writer, "]");
}

bool elv_law_def_is(const ElvLawDef* law, double value) {
    return law->kind == ELV_LAW_CONSTANT && law->value == value;
}

void elv_write_strain_laws(ElvWriter* writer,
                           const ElvLawDef law[ELV_N_STRAIN],
                           const bool is_given[ELV_N_STRAIN]) {
    ElvWriteMap map = {writer, 0};
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        if (is_given[i]) {
            elv_write_key(&map, elv_strain_names[i]);
            elv_write_law(writer, &law[i]);
        }
    }
    elv_write_map_end(&map);
}

// ---- flow maps

void elv_write_key(ElvWriteMap* map, const char* key) {
    elv_write(map->writer, "%s%s: ", map->n > 0 ? ", " : "{", key);
    map->n++;
}

void elv_write_map_end(ElvWriteMap* map) {
    elv_write(map->writer, "%s", map->n > 0 ? "}" : "{}");
}
