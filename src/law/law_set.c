// SPDX-License-Identifier: Apache-2.0
// The laws of one model: compiled from their definitions with the model's parameters, freed
// together.
#include "law/law_set.h"

#include "law/law.h"

#include <stdio.h>

static ElvStatus
compile(const ElvLawSet* set, const ElvLawDef* def, int allowed, ElvLaw** law, ElvError* error) {
    switch (def->kind) {
    case ELV_LAW_CONSTANT:
        return elv_law_constant(def->value, law, error);
    case ELV_LAW_FORMULA:
        return elv_law_formula_of(def->text, set->parameter, (size_t)set->n_parameter,
                                  (allowed & ELV_LAW_OF_PLACE) != 0, law, error);
    case ELV_LAW_TABLE:
        return elv_law_table(def->variable, def->table, def->x, def->y, def->n, law, error);
    case ELV_LAW_CALLBACK:
        return elv_law_callback(def->callback, def->user, law, error);
    }
    return elv_error_set(error, ELV_ERROR_INPUT, "", "", "unknown kind of law");
}

// name the place of an error that came from the law itself
static void place_error(ElvError* error, const char* element, const char* field) {
    if (error) {
        snprintf(error->element, sizeof error->element, "%s", element);
        snprintf(error->field, sizeof error->field, "%s", field);
    }
}

ElvStatus elv_law_set_add(ElvLawSet* set,
                          const ElvLawDef* def,
                          int allowed,
                          const char* element,
                          const char* field,
                          const ElvLaw** law,
                          ElvError* error) {
    ElvLaw** grown = elv_pool_grow(set->pool, set->law, set->n_law, sizeof *set->law);
    if (!grown) {
        return elv_error_set(error, ELV_ERROR_MEMORY, element, field, "out of memory");
    }
    set->law = grown;
    ElvLaw* compiled = NULL;
    ElvStatus status = compile(set, def, allowed, &compiled, error);
    if (status != ELV_OK) {
        place_error(error, element, field);
        return status;
    }
    set->law[set->n_law++] = compiled;
    if (!(allowed & ELV_LAW_OF_T) && elv_law_depends_on_t(compiled) &&
        def->kind != ELV_LAW_CALLBACK) {
        return elv_error_set(error, ELV_ERROR_INPUT, element, field,
                             "this value cannot change in time: remove t from the formula");
    }
    if (!(allowed & ELV_LAW_OF_S) && elv_law_depends_on_s(compiled) &&
        def->kind != ELV_LAW_CALLBACK) {
        return elv_error_set(error, ELV_ERROR_INPUT, element, field,
                             "this value has no station: remove s from the formula");
    }
    *law = compiled;
    return ELV_OK;
}

void elv_law_set_free(ElvLawSet* set) {
    for (int i = 0; i < set->n_law; i++) {
        elv_law_free(set->law[i]);
    }
    set->n_law = 0;
}
