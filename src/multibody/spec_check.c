// SPDX-License-Identifier: Apache-2.0
// Checks of the parts that Defs are made of: names, numbers, poses, laws. Each message says what is
// wrong, what was found and what to write instead; comparisons are written so that NaN fails.
#include "multibody/spec_check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// tolerance on R^T R = 1: rotations typed with seven digits pass
static const double rotation_tol = 1e-6;

bool elv_check_fail(
    ElvError* error, const char* element, const char* field, const char* format, ...) {
    char message[ELV_SIZE_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (void)elv_error_set(error, ELV_ERROR_INPUT, element, field, "%s", message);
    return false;
}

// ---- names

// ASCII alone, whatever the locale
static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name(const char* name) {
    if (!is_letter(name[0])) {
        return false;
    }
    for (const char* c = name; *c; c++) {
        if (!is_letter(*c) && !(*c >= '0' && *c <= '9') && *c != '-') {
            return false;
        }
    }
    return true;
}

// what a name stands for already, or NULL
static const char* known_as(const ElvSpec* spec, const char* name) {
    for (int i = 0; i < spec->n_element; i++) {
        if (strcmp(elv_element_name(&spec->element[i]), name) == 0) {
            return spec->element[i].is_rod ? "rod" : "body";
        }
    }
    for (int i = 0; i < spec->n_frame; i++) {
        if (strcmp(spec->frame[i].name, name) == 0) {
            return "frame";
        }
    }
    for (int i = 0; i < spec->n_actuator; i++) {
        const char* other = elv_actuator_name(&spec->actuator[i]);
        if (other && strcmp(other, name) == 0) {
            return "actuator";
        }
    }
    for (int i = 0; i < spec->n_constraint; i++) {
        if (strcmp(elv_constraint_name(&spec->constraint[i]), name) == 0) {
            return elv_is_loop(spec->constraint[i].kind) ? "loop" : "constraint";
        }
    }
    return NULL;
}

// loops and sliders, or the other constraints, that a spec has
static int count_constraints(const ElvSpec* spec, bool is_loop) {
    int n = 0;
    for (int i = 0; i < spec->n_constraint; i++) {
        n += elv_is_loop(spec->constraint[i].kind) == is_loop;
    }
    return n;
}

static bool is_one_of(const char* kind, const char* const* list, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(kind, list[i]) == 0) {
            return true;
        }
    }
    return false;
}

// where the next element of a kind stands
static void describe_place(const ElvSpec* spec, const char* kind, char* place, size_t size) {
    static const char* const tree[] = {"body", "rod"};
    static const char* const loop[] = {"loop", "slider"};
    static const char* const constraint[] = {"velocity", "rolling",  "wheel",
                                             "contact",  "coupling", "constraint"};
    if (strcmp(kind, "frame") == 0) {
        snprintf(place, size, "frames[%d]", spec->n_frame);
    } else if (is_one_of(kind, tree, 2)) {
        snprintf(place, size, "tree[%d]", spec->n_element);
    } else if (is_one_of(kind, loop, 2)) {
        snprintf(place, size, "loops[%d]", count_constraints(spec, true));
    } else if (is_one_of(kind, constraint, 6)) {
        snprintf(place, size, "constraints[%d]", count_constraints(spec, false));
    } else {
        snprintf(place, size, "actuators[%d]", spec->n_actuator);
    }
}

bool elv_check_name(const ElvSpec* spec, const char* name, const char* kind, ElvError* error) {
    // a nameless element is located by its place
    if (!name || !name[0]) {
        char place[32];
        describe_place(spec, kind, place, sizeof place);
        return elv_check_fail(error, place, kind, "the %s has no name: give it one", kind);
    }
    if (!is_name(name)) {
        return elv_check_fail(error, name, kind,
                              "'%s' is not a name: use letters, digits, '_' and '-', starting with "
                              "a letter or '_'",
                              name);
    }
    if (strlen(name) >= ELV_SIZE_NAME) {
        return elv_check_fail(error, name, kind, "names have at most %d characters, got %zu",
                              ELV_SIZE_NAME - 1, strlen(name));
    }
    if (strcmp(name, "world") == 0) {
        return elv_check_fail(error, name, kind,
                              "'world' is the fixed frame: choose another name for this %s", kind);
    }
    const char* known = known_as(spec, name);
    if (known) {
        return elv_check_fail(error, name, kind, "names must be unique: '%s' is already %s %s",
                              name, known[0] == 'a' ? "an" : "a", known);
    }
    return true;
}

bool elv_check_reference(const char* element,
                         const char* field,
                         const char* reference,
                         ElvError* error) {
    if (!reference || !reference[0]) {
        return elv_check_fail(error, element, field, "'%s' is empty: name what it refers to",
                              field);
    }
    return true;
}

// ---- numbers

bool elv_check_finite(
    const char* element, const char* field, const double* value, int n, ElvError* error) {
    for (int i = 0; i < n; i++) {
        if (!isfinite(value[i])) {
            return elv_check_fail(error, element, field, "%s must be finite, got %g", field,
                                  value[i]);
        }
    }
    return true;
}

bool elv_check_vec3(const char* element, const char* field, ElvVec3 value, ElvError* error) {
    double component[3] = {value.x, value.y, value.z};
    return elv_check_finite(element, field, component, 3, error);
}

bool elv_check_not_negative(const char* element,
                            const char* field,
                            const double* value,
                            int n,
                            const char* unit,
                            ElvError* error) {
    if (!elv_check_finite(element, field, value, n, error)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        if (value[i] < 0.0) {
            return elv_check_fail(error, element, field,
                                  "%s must not be negative, got %g; give 0 or more (%s)", field,
                                  value[i], unit);
        }
    }
    return true;
}

bool elv_check_positive(
    const char* element, const char* field, double value, const char* unit, ElvError* error) {
    if (!(value > 0.0) || !isfinite(value)) {
        return elv_check_fail(error, element, field,
                              "%s must be positive and finite, got %g; give it in %s", field, value,
                              unit);
    }
    return true;
}

bool elv_check_range(
    const char* element, const char* prefix, double from, double to, ElvError* error) {
    char field[64];
    if (!(from >= 0.0 && from < 1.0)) {
        snprintf(field, sizeof field, "%sfrom", prefix);
        return elv_check_fail(error, element, field,
                              "'from' must be a station of the rod, at least 0 and below 1, got %g",
                              from);
    }
    if (!(to > from && to <= 1.0)) {
        snprintf(field, sizeof field, "%sto", prefix);
        return elv_check_fail(error, element, field,
                              "'to' must be a station of the rod above 'from' (%g) and at most 1, "
                              "got %g",
                              from, to);
    }
    return true;
}

bool elv_check_pose(const char* element, const char* field, const ElvPose* pose, ElvError* error) {
    if (!elv_check_finite(element, field, &pose->R.m[0][0], 9, error) ||
        !elv_check_vec3(element, field, pose->p, error)) {
        return false;
    }
    // R^T R = 1 and det R = 1
    ElvMat3 gram = elv_mat3_mul(elv_mat3_transpose(pose->R), pose->R);
    double worst = fabs(elv_mat3_det(pose->R) - 1.0);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            worst = fmax(worst, fabs(gram.m[i][j] - (i == j ? 1.0 : 0.0)));
        }
    }
    if (!(worst <= rotation_tol)) {
        return elv_check_fail(error, element, field,
                              "the matrix of '%s' is not a rotation (off by %.2g): its columns "
                              "must be right-handed unit vectors at right angles",
                              field, worst);
    }
    return true;
}

// ---- laws

// what is wrong with the numbers of a table, in text; true when nothing is
static bool describe_table(const ElvLawDef* law, char* text, size_t size) {
    if (law->n == 0 || !law->x || !law->y) {
        snprintf(text, size, "the table has no points: give at least one");
        return false;
    }
    if ((unsigned)law->variable > ELV_VARIABLE_S || (unsigned)law->table > ELV_TABLE_CUBIC) {
        snprintf(text, size, "unknown variable or interpolation of a table");
        return false;
    }
    for (size_t i = 0; i < law->n; i++) {
        if (!isfinite(law->x[i]) || !isfinite(law->y[i])) {
            snprintf(text, size, "point %zu of the table is not finite: (%g, %g)", i + 1, law->x[i],
                     law->y[i]);
            return false;
        }
        if (i > 0 && law->x[i] <= law->x[i - 1]) {
            snprintf(text, size, "the points of a table must increase: %g comes after %g",
                     law->x[i], law->x[i - 1]);
            return false;
        }
    }
    return true;
}

// what is wrong with a law, in text; true when nothing is
static bool describe_law(const ElvLawDef* law, char* text, size_t size) {
    switch (law->kind) {
    case ELV_LAW_CONSTANT:
        snprintf(text, size, "the number must be finite, got %g", law->value);
        return isfinite(law->value);
    case ELV_LAW_FORMULA:
        snprintf(text, size, "the formula is empty: give a number or a formula");
        return law->text && law->text[strspn(law->text, " \t\r\n")];
    case ELV_LAW_TABLE:
        return describe_table(law, text, size);
    case ELV_LAW_CALLBACK:
        snprintf(text, size, "the callback is missing");
        return law->callback != NULL;
    }
    snprintf(text, size, "unknown kind of law (%d)", (int)law->kind);
    return false;
}

bool elv_check_laws(
    const char* element, const char* field, const ElvLawDef* law, int n, ElvError* error) {
    for (int i = 0; i < n; i++) {
        char text[160];
        if (describe_law(&law[i], text, sizeof text)) {
            continue;
        }
        if (n == 1) {
            return elv_check_fail(error, element, field, "%s: %s", field, text);
        }
        return elv_check_fail(error, element, field, "%s, component %d of %d: %s", field, i + 1, n,
                              text);
    }
    return true;
}
