// SPDX-License-Identifier: Apache-2.0
// Rods whose sections follow the head: {bend_y: "f(x)", bend_z: "g(x)", path: "law of t"}. Curvatures are functions of
// the place x = L s + path(t) on one path in space, so that K_dot = V K' with V the rate of path, whatever the
// functions are [ALI (6.32), (6.39), (6.48)]. They become imposed laws of t and s, x written out.
#include "io/read_rod_parts.h"

#include "base/number_text.h"
#include "io/format_names.h"
#include "io/read_law.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_letter(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

// where the next x stands by itself, or NULL
static const char* find_place(const char* text, const char* from) {
    for (const char* c = from; *c; c++) {
        if (*c == 'x' && (c == text || !is_letter(c[-1])) && !is_letter(c[1])) {
            return c;
        }
    }
    return NULL;
}

// ---- f(x)

// a formula of x alone: messages are those of a file in which x is a parameter
static bool check_formula(ElvReader* reader, const ElvYaml* node) {
    int n = reader->n_parameter;
    ElvParameter* known = reader->parameter;
    ElvParameter* all = elv_pool_take(&reader->pool, (size_t)n + 1, sizeof *all);
    ElvLaw* law = NULL;
    double value = 0.0;
    if (!all) {
        return elv_read_fail_memory(reader);
    }
    for (int i = 0; i < n; i++) {
        all[i] = known[i];
        if (strcmp(all[i].name, "x") == 0) {
            return elv_read_fail(reader, node,
                                 "here x is the place along the path: give the parameter 'x' "
                                 "another name");
        }
    }
    all[n] = (ElvParameter){.name = "x", .value = 0.0};
    ElvStatus status = elv_law_formula(node->text, all, (size_t)n + 1, &law, NULL);
    bool is_right = status == ELV_OK;
    bool moves = is_right && (elv_law_depends_on_t(law) || elv_law_depends_on_s(law));
    elv_law_free(law);
    if (moves) {
        return elv_read_fail(reader, node,
                             "a bend that follows is a function of x alone, the place along the "
                             "path: what depends on t goes into 'path'");
    }
    if (!is_right) {
        reader->parameter = all;
        reader->n_parameter = n + 1;
        is_right = elv_read_formula(reader, node, ELV_READ_NO_VARIABLE, &value);
        reader->parameter = known;
        reader->n_parameter = n;
    }
    return is_right;
}

// text with x written out
static bool write_out(ElvReader* reader, const char* text, const char* place, ElvLawDef* law) {
    size_t n_place = strlen(place);
    size_t size = strlen(text) + 1;
    for (const char* x = find_place(text, text); x; x = find_place(text, x + 1)) {
        size += n_place;
    }
    char* out = elv_pool_take(&reader->pool, size, 1);
    if (!out) {
        return elv_read_fail_memory(reader);
    }
    const char* from = text;
    size_t n = 0;
    for (const char* x = find_place(text, text); x; x = find_place(text, x + 1)) {
        n += (size_t)snprintf(out + n, size - n, "%.*s%s", (int)(x - from), from, place);
        from = x + 1;
    }
    (void)snprintf(out + n, size - n, "%s", from);
    *law = elv_law_def_formula(out);
    return true;
}

static bool read_field(ElvReader* reader, const ElvYaml* node, const char* place, ElvLawDef* law) {
    bool is_number = false;
    double value = 0.0;
    if (node->kind != ELV_YAML_SCALAR) {
        return elv_read_fail_expected(reader, node,
                                      "a formula of x, the place along the path in m");
    }
    if (!elv_read_literal(reader, node, &is_number, &value)) {
        return false;
    }
    if (is_number) {
        *law = elv_law_def_value(value);
        return true;
    }
    return check_formula(reader, node) && write_out(reader, node->text, place, law);
}

// ---- x

// "(L*s + (path))"
static bool read_place(ElvReader* reader, const ElvYaml* map, double length, const char** place) {
    const ElvYaml* node = elv_read_required(reader, map, "path",
                                            "how far the rod has moved along itself, a law of t");
    ElvLawDef path;
    char size[ELV_NUMBER_TEXT], number[ELV_NUMBER_TEXT];
    if (!node || !elv_read_law(reader, node, ELV_READ_T, &path)) {
        return false;
    }
    if (path.kind == ELV_LAW_TABLE) {
        return elv_read_fail_expected(reader, node, "a formula of t");
    }
    elv_number_print(length, 17, size);
    elv_number_print(path.value, 17, number);
    const char* text = path.kind == ELV_LAW_FORMULA ? path.text : number;
    size_t n = strlen(size) + strlen(text) + 16;
    char* out = elv_pool_take(&reader->pool, n, 1);
    if (!out) {
        return elv_read_fail_memory(reader);
    }
    (void)snprintf(out, n, "(%s*s + (%s))", size, text);
    *place = out;
    return true;
}

// ---- the rod

static bool is_bend(int strain) {
    return strain == ELV_STRAIN_BEND_Y || strain == ELV_STRAIN_BEND_Z;
}

// nothing but bends may change, along the rod and in time                                   [ALI (6.48)]
static bool check_others(ElvReader* reader, const ElvYaml* node, const ElvRodDef* rod) {
    const ElvRodDef plain = elv_rod_def_default();
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        bool is_free = false;
        const ElvLawDef* rest = &rod->reference[i];
        for (int k = 0; k < rod->n_element && !rod->has_motion[i]; k++) {
            is_free = is_free || rod->element[k].modes[i] > 0;
        }
        bool is_bent = !rod->has_motion[i] &&
                       (rest->kind != ELV_LAW_CONSTANT || rest->value != plain.reference[i].value);
        if (is_free || is_bent) {
            return elv_read_fail(reader, node,
                                 "sections follow the head where nothing but the bends of 'follow' "
                                 "changes the rod: leave out %s of '%s', or use 'motion'",
                                 elv_strain_names[i], is_free ? "strain" : "reference");
        }
    }
    return true;
}

bool elv_read_follow(ElvReader* reader, const ElvYaml* map, ElvRodDef* rod) {
    const ElvYaml* node = elv_yaml_get(map, "follow");
    const char* keys[] = {elv_strain_names[ELV_STRAIN_BEND_Y], elv_strain_names[ELV_STRAIN_BEND_Z],
                          "path"};
    const char* place = "";
    bool has_any = false;
    if (!node) {
        return true;
    }
    if (elv_yaml_get(map, "motion")) {
        return elv_read_fail(reader, node,
                             "a rod has a 'motion' or a 'follow', not both: a stretch, shear or "
                             "twist that changes takes sections off the path");
    }
    if (!elv_read_keys(reader, node, "the bends that follow, and their path", keys, 3) ||
        !read_place(reader, node, rod->length, &place)) {
        return false;
    }
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        const ElvYaml* field = is_bend(i) ? elv_yaml_get(node, elv_strain_names[i]) : NULL;
        if (field && !read_field(reader, field, place, &rod->motion[i])) {
            return false;
        }
        rod->has_motion[i] = field != NULL;
        has_any = has_any || field;
    }
    if (!has_any) {
        return elv_read_fail(reader, node, "'follow' names no bend: give bend_y, bend_z or both");
    }
    return check_others(reader, node, rod);
}
