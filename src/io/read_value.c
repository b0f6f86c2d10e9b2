// SPDX-License-Identifier: Apache-2.0
// Numbers of model files: literals, formulas of the parameters, whole numbers, lists, vectors and
// poses. Values are SI numbers; a number with a unit gets a message that says what to write.
#include "io/read_value.h"

#include "base/number_text.h"
#include "io/read_unit.h"
#include "law/law.h"
#include "law/law_field.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- scalars

static bool is_word(const char* text, const char* const* words, size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (words[i][k] != '\0' && tolower((unsigned char)text[k]) == words[i][k]) {
            k++;
        }
        if (words[i][k] == '\0' && text[k] == '\0') {
            return true;
        }
    }
    return false;
}

static bool is_not_finite_word(const char* text) {
    static const char* const words[] = {"nan", ".nan", "inf", ".inf", "infinity"};
    text += text[0] == '+' || text[0] == '-' ? 1 : 0;
    return is_word(text, words, sizeof words / sizeof words[0]);
}

bool elv_read_literal(ElvReader* reader, const ElvYaml* node, bool* is_number, double* value) {
    *is_number = false;
    if (node->kind != ELV_YAML_SCALAR || node->text[0] == '\0') {
        return elv_read_fail_expected(reader, node, "a number");
    }
    const char* text = node->text;
    if (is_not_finite_word(text)) {
        return elv_read_fail_expected(reader, node, "a finite number");
    }
    size_t length = elv_number_scan(text, value);
    if (length == 0) {
        return true;
    }
    if (text[length] == '\0') {
        *is_number = true;
        return isfinite(*value) || elv_read_fail_expected(reader, node, "a finite number");
    }
    return elv_read_check_unit(reader, node, *value, text + length);
}

static const char* allowed_names(unsigned variables) {
    switch (variables) {
    case ELV_READ_T:
        return "t, pi, e and the parameters; s is not allowed here";
    case ELV_READ_S:
        return "s, pi, e and the parameters; t is not allowed here";
    case ELV_READ_T | ELV_READ_PLACE:
        return "t, the place x, y, z, pi, e and the parameters; s is not allowed here";
    case ELV_READ_NO_VARIABLE:
        return "pi, e and the parameters; t and s are not allowed here";
    default:
        return "t, s, pi, e and the parameters";
    }
}

// what a formula's error says here: which names may be used, which come too late
static void explain(const ElvReader* reader,
                    const ElvYaml* node,
                    unsigned variables,
                    const ElvError* error,
                    char message[ELV_SIZE_MESSAGE]) {
    static const char unknown[] = "unknown name '";
    char label[ELV_READ_LABEL];
    elv_read_label(node, label);
    const char* name = error->message + strlen(unknown);
    bool is_unknown = strncmp(error->message, unknown, strlen(unknown)) == 0;
    int length = is_unknown ? (int)strcspn(name, "'") : 0;
    const ElvYaml* parameters = elv_yaml_get(reader->root, "parameters");
    for (const ElvYaml* child = is_unknown && parameters ? parameters->first : NULL; child;
         child = child->next) {
        if (child->key && strlen(child->key->text) == (size_t)length &&
            memcmp(child->key->text, name, (size_t)length) == 0) {
            (void)snprintf(message, ELV_SIZE_MESSAGE,
                           "'%s': the parameter '%.*s' is used before it is defined: put it first",
                           label, length, name);
            return;
        }
    }
    if (is_unknown && !strstr(error->message, "did you mean")) {
        (void)snprintf(message, ELV_SIZE_MESSAGE, "'%s': unknown name '%.*s': a formula may use %s",
                       label, length, name, allowed_names(variables));
        return;
    }
    (void)snprintf(message, ELV_SIZE_MESSAGE, "'%s': %.300s", label, error->message);
}

// an error of the formula at its own column, where the text stands on one line
static bool
fail_formula(ElvReader* reader, const ElvYaml* node, unsigned variables, const ElvError* error) {
    char message[ELV_SIZE_MESSAGE];
    explain(reader, node, variables, error, message);
    (void)elv_read_fail(reader, node, "%s", message);
    bool is_on_line = node->line > 0 && node->style != ELV_YAML_BLOCK && error->column > 0;
    if (is_on_line) {
        reader->error->column += error->column - 1 + (node->style == ELV_YAML_QUOTED ? 1 : 0);
    }
    return false;
}

static bool fail_variable(ElvReader* reader, const ElvYaml* node, char name, unsigned variables) {
    char label[ELV_READ_LABEL];
    elv_read_label(node, label);
    const char* allowed = variables & ELV_READ_PLACE ? "t, x, y, z and the parameters"
                          : variables == ELV_READ_T  ? "t and the parameters"
                          : variables == ELV_READ_S  ? "s and the parameters"
                                                     : "the parameters";
    return elv_read_fail(reader, node, "'%s' may not depend on %c, only on %s", label, name,
                         allowed);
}

bool elv_read_formula(ElvReader* reader, const ElvYaml* node, unsigned variables, double* value) {
    ElvLaw* law = NULL;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status =
        elv_law_formula_of(node->text, reader->parameter, (size_t)reader->n_parameter,
                           (variables & ELV_READ_PLACE) != 0, &law, &error);
    if (status == ELV_ERROR_MEMORY) {
        return elv_read_fail_memory(reader);
    }
    if (status != ELV_OK) {
        return fail_formula(reader, node, variables, &error);
    }
    bool uses_t = elv_law_depends_on_t(law);
    bool uses_s = elv_law_depends_on_s(law);
    bool is_number = !uses_t && !uses_s && !elv_law_depends_on_place(law);
    *value = elv_law_value(law, 0.0, 0.0);
    elv_law_free(law);
    if (uses_t && !(variables & ELV_READ_T)) {
        return fail_variable(reader, node, 't', variables);
    }
    if (uses_s && !(variables & ELV_READ_S)) {
        return fail_variable(reader, node, 's', variables);
    }

    // without variables the value is final
    if (is_number && !isfinite(*value)) {
        return elv_read_fail(reader, node, "the formula gives %s, not a finite number",
                             isnan(*value) ? "nan" : "an infinite value");
    }
    return true;
}

bool elv_read_number(ElvReader* reader, const ElvYaml* node, double* value) {
    bool is_number = false;
    if (!elv_read_literal(reader, node, &is_number, value)) {
        return false;
    }
    return is_number || elv_read_formula(reader, node, ELV_READ_NO_VARIABLE, value);
}

bool elv_read_integer(ElvReader* reader, const ElvYaml* node, long lo, long hi, long* value) {
    double x = 0.0;
    if (!elv_read_number(reader, node, &x)) {
        return false;
    }
    if (x != floor(x) || x < (double)lo || x > (double)hi) {
        char expected[96];
        if (hi >= LONG_MAX / 2) {
            (void)snprintf(expected, sizeof expected, "a whole number of %ld or more", lo);
        } else {
            (void)snprintf(expected, sizeof expected, "a whole number from %ld to %ld", lo, hi);
        }
        return elv_read_fail_expected(reader, node, expected);
    }
    *value = (long)x;
    return true;
}

// ---- lists

bool elv_read_numbers(ElvReader* reader, const ElvYaml* node, int n, double* value) {
    if (node->kind != ELV_YAML_LIST || node->n != n) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "a list of %d numbers", n);
        return elv_read_fail_expected(reader, node, expected);
    }
    int i = 0;
    for (const ElvYaml* item = node->first; item; item = item->next) {
        if (!elv_read_number(reader, item, &value[i++])) {
            return false;
        }
    }
    return true;
}

bool elv_read_number_list(ElvReader* reader, const ElvYaml* node, double** value, int* n) {
    if (node->kind != ELV_YAML_LIST || node->n == 0) {
        return elv_read_fail_expected(reader, node, "a list of numbers");
    }
    *value = elv_pool_take(&reader->pool, (size_t)node->n, sizeof **value);
    *n = node->n;
    if (!*value) {
        return elv_read_fail_memory(reader);
    }
    return elv_read_numbers(reader, node, node->n, *value);
}

bool elv_read_vec3(ElvReader* reader, const ElvYaml* node, ElvVec3* value) {
    double x[3] = {0.0};
    if (!elv_read_numbers(reader, node, 3, x)) {
        return false;
    }
    *value = elv_vec3(x[0], x[1], x[2]);
    return true;
}

// ---- poses

static bool read_quaternion(ElvReader* reader, const ElvYaml* node, ElvMat3* R) {
    double x[4] = {0.0};
    if (!elv_read_numbers(reader, node, 4, x)) {
        return false;
    }
    // scaled first, so that the norm of any finite numbers is finite
    double largest = fmax(fmax(fabs(x[0]), fabs(x[1])), fmax(fabs(x[2]), fabs(x[3])));
    if (largest == 0.0) {
        return elv_read_fail(reader, node,
                             "a quaternion [w, x, y, z] must not be zero; "
                             "[1, 0, 0, 0] is no rotation");
    }
    ElvQuat q = elv_quat(x[0] / largest, x[1] / largest, x[2] / largest, x[3] / largest);
    *R = elv_quat_to_matrix(elv_quat_normalize(q));
    return true;
}

bool elv_read_pose(ElvReader* reader, const ElvYaml* node, ElvPose* pose) {
    static const char* const keys[] = {"xyz", "rpy", "quaternion"};
    if (!elv_read_keys(reader, node, "a pose {xyz: [x, y, z], rpy: [roll, pitch, yaw]}", keys, 3)) {
        return false;
    }
    const ElvYaml* rpy = elv_yaml_get(node, "rpy");
    const ElvYaml* quaternion = elv_yaml_get(node, "quaternion");
    if (rpy && quaternion) {
        return elv_read_fail(reader, quaternion->key, "give 'rpy' or 'quaternion', not both");
    }
    *pose = elv_pose_identity();
    if (!elv_read_vec3_at(reader, node, "xyz", &pose->p)) {
        return false;
    }
    if (rpy) {
        ElvVec3 angle;
        if (!elv_read_vec3(reader, rpy, &angle)) {
            return false;
        }
        pose->R = elv_so3_from_rpy(angle.x, angle.y, angle.z);
    }
    return !quaternion || read_quaternion(reader, quaternion, &pose->R);
}

// ---- keys that may be missing

bool elv_read_number_at(ElvReader* reader, const ElvYaml* map, const char* key, double* value) {
    const ElvYaml* node = elv_yaml_get(map, key);
    return !node || elv_read_number(reader, node, value);
}

bool elv_read_flag_at(ElvReader* reader, const ElvYaml* map, const char* key, bool* value) {
    static const char* const words[] = {"false", "true"};
    const ElvYaml* node = elv_yaml_get(map, key);
    int choice = *value ? 1 : 0;
    if (node && !elv_read_choice(reader, node, "value (true or false)", words, 2, &choice)) {
        return false;
    }
    *value = choice == 1;
    return true;
}

bool elv_read_vec3_at(ElvReader* reader, const ElvYaml* map, const char* key, ElvVec3* value) {
    const ElvYaml* node = elv_yaml_get(map, key);
    return !node || elv_read_vec3(reader, node, value);
}

bool elv_read_pose_at(ElvReader* reader, const ElvYaml* map, const char* key, ElvPose* pose) {
    const ElvYaml* node = elv_yaml_get(map, key);
    return !node || elv_read_pose(reader, node, pose);
}
