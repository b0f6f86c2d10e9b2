// SPDX-License-Identifier: Apache-2.0
// Laws of model files. Formulas are compiled once here, so that what is wrong in them is told at its
// own column; the spec keeps their text.
#include "io/read_law.h"

#include "base/number_text.h"
#include "io/format_names.h"

#include <stdio.h>
#include <string.h>

// ---- tables

static bool check_increasing(ElvReader* reader, const ElvYaml* list, const double* x) {
    int i = 0;
    for (const ElvYaml* item = list->first; item; item = item->next, i++) {
        if (i > 0 && !(x[i] > x[i - 1])) {
            return elv_read_fail(reader, item,
                                 "'%s' must increase from value to value, found %g after %g",
                                 list->key->text, x[i], x[i - 1]);
        }
    }
    return true;
}

// the list of the independent variable: t or s
static const ElvYaml*
table_variable(ElvReader* reader, const ElvYaml* table, unsigned variables, ElvVariable* variable) {
    static const char* const words[] = {"t", "s"};
    const ElvYaml* list = NULL;
    int choice = 0;
    if (!elv_read_one_of(reader, table, "table", words, 2, &list, &choice)) {
        return NULL;
    }
    *variable = choice == 0 ? ELV_VARIABLE_T : ELV_VARIABLE_S;
    unsigned needed = choice == 0 ? ELV_READ_T : ELV_READ_S;
    if (!(variables & needed)) {
        (void)elv_read_fail(reader, list->key, "this law may not depend on %s, only on %s",
                            words[choice], words[1 - choice]);
        return NULL;
    }
    return list;
}

// last check, by the one who will evaluate the table
static bool try_table(ElvReader* reader, const ElvYaml* node, const ElvLawDef* def) {
    ElvLaw* law = NULL;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status =
        elv_law_table(def->variable, def->table, def->x, def->y, def->n, &law, &error);
    elv_law_free(law);
    if (status == ELV_ERROR_MEMORY) {
        return elv_read_fail_memory(reader);
    }
    return status == ELV_OK || elv_read_fail(reader, node, "%s", error.message);
}

static bool read_table(ElvReader* reader, const ElvYaml* node, unsigned variables, ElvLawDef* law) {
    static const char* const keys[] = {"t", "s", "values", "interpolation"};
    if (!elv_read_keys(reader, node, "a table {t: [...], values: [...]}", keys, 4)) {
        return false;
    }
    ElvVariable variable = ELV_VARIABLE_T;
    const ElvYaml* list = table_variable(reader, node, variables, &variable);
    const ElvYaml* values =
        list ? elv_read_required(reader, node, "values", "as many numbers as knots") : NULL;
    double* x = NULL;
    double* y = NULL;
    int n_x = 0;
    int n_y = 0;
    if (!values || !elv_read_number_list(reader, list, &x, &n_x) ||
        !elv_read_number_list(reader, values, &y, &n_y)) {
        return false;
    }
    if (n_x != n_y) {
        return elv_read_fail(reader, values, "'values' has %d numbers, but '%s' has %d", n_y,
                             list->key->text, n_x);
    }
    int kind = ELV_TABLE_LINEAR;
    const ElvYaml* interpolation = elv_yaml_get(node, "interpolation");
    if (interpolation && !elv_read_choice(reader, interpolation, "interpolation", elv_table_names,
                                          ELV_N_TABLE_NAME, &kind)) {
        return false;
    }
    *law = elv_law_def_table(variable, (ElvTableKind)kind, x, y, (size_t)n_x);
    return check_increasing(reader, list, x) && try_table(reader, node, law);
}

// ---- laws

bool elv_read_law(ElvReader* reader, const ElvYaml* node, unsigned variables, ElvLawDef* law) {
    if (node->kind == ELV_YAML_MAP) {
        static const char* const keys[] = {"table"};
        if (!elv_read_keys(reader, node, "a law", keys, 1)) {
            return false;
        }
        const ElvYaml* table =
            elv_read_required(reader, node, "table", "a law is a number, a formula or a table");
        return table && read_table(reader, table, variables, law);
    }
    if (node->kind == ELV_YAML_LIST) {
        return elv_read_fail_expected(reader, node, "a number, a formula or a table");
    }

    bool is_number = false;
    double value = 0.0;
    if (!elv_read_literal(reader, node, &is_number, &value)) {
        return false;
    }
    if (is_number) {
        *law = elv_law_def_value(value);
        return true;
    }
    *law = elv_law_def_formula(node->text);
    return elv_read_formula(reader, node, variables, &value);
}

bool elv_read_laws(
    ElvReader* reader, const ElvYaml* node, int n, unsigned variables, ElvLawDef* law) {
    if (node->kind != ELV_YAML_LIST || node->n != n) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "a list of %d numbers or laws", n);
        return elv_read_fail_expected(reader, node, expected);
    }
    int i = 0;
    for (const ElvYaml* item = node->first; item; item = item->next) {
        if (!elv_read_law(reader, item, variables, &law[i++])) {
            return false;
        }
    }
    return true;
}

bool elv_read_law_at(
    ElvReader* reader, const ElvYaml* map, const char* key, unsigned variables, ElvLawDef* law) {
    const ElvYaml* node = elv_yaml_get(map, key);
    return !node || elv_read_law(reader, node, variables, law);
}

static bool scale_formula(ElvReader* reader, double factor, ElvLawDef* law) {
    char number[ELV_NUMBER_TEXT];
    elv_number_print(factor, 17, number);
    size_t size = strlen(law->text) + sizeof number + 4;
    char* text = elv_pool_take(&reader->pool, size, 1);
    if (!text) {
        return elv_read_fail_memory(reader);
    }
    (void)snprintf(text, size, "%s*(%s)", number, law->text);
    law->text = text;
    return true;
}

bool elv_read_scale_law(ElvReader* reader, double factor, ElvLawDef* law) {
    if (law->kind == ELV_LAW_FORMULA) {
        return scale_formula(reader, factor, law);
    }
    if (law->kind == ELV_LAW_TABLE) {
        double* y = elv_pool_take(&reader->pool, law->n, sizeof *y);
        if (!y) {
            return elv_read_fail_memory(reader);
        }
        for (size_t i = 0; i < law->n; i++) {
            y[i] = factor * law->y[i];
        }
        law->y = y;
        return true;
    }
    law->value *= factor;
    return true;
}
