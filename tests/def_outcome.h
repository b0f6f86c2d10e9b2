// SPDX-License-Identifier: Apache-2.0
// What tests of single Defs share: a macro that spoils a good Def and checks what becomes of it.
#ifndef ELVER_TESTS_DEF_OUTCOME_H
#define ELVER_TESTS_DEF_OUTCOME_H

#include "check.h"
#include "elver/spec.h"

// outcome of one add: refused (at element.field, with word in the message) or taken (field NULL)
static inline void check_outcome(ElvStatus status,
                                 const ElvError* error,
                                 const char* element,
                                 const char* field,
                                 const char* word,
                                 int line) {
    bool is_expected = field ? status == ELV_ERROR_INPUT && error->status == status &&
                                   strcmp(error->element, element) == 0 &&
                                   strcmp(error->field, field) == 0 && strstr(error->message, word)
                             : status == ELV_OK;
    if (!is_expected) {
        print_error("line %d: status %d at %s.%s: %s\n", line, (int)status, error->element,
                    error->field, error->message);
        _fail(__FILE__, line);
    }
}

// change a good Def by a statement and add it to a new spec
#define CHECK_DEF(Type, make, add, element, change, field, word)                                   \
    do {                                                                                           \
        Type def = make;                                                                           \
        ElvSpec* spec = NULL;                                                                      \
        ElvError error;                                                                            \
        elv_error_clear(&error);                                                                   \
        CHECK_STATUS(elv_spec_create("checks", &spec, &error), &error);                            \
        change;                                                                                    \
        check_outcome(add(spec, &def, &error), &error, element, field, word, __LINE__);            \
        elv_spec_free(spec);                                                                       \
    } while (0)

// a rod with n_element equal elements, which the caller keeps
static inline ElvRodDef good_rod(ElvElementDef* element, int n_element) {
    ElvRodDef def = elv_rod_def_default();
    def.name = "arm";
    def.length = 0.4;
    def.section.kind = ELV_SECTION_CIRCLE;
    def.section.outer[0] = elv_law_def_value(0.02);
    def.material.density = 1000.0;
    def.material.young = 1e6;
    for (int i = 0; i < n_element; i++) {
        element[i] = elv_element_def_default();
        element[i].to = (i + 1.0) / n_element;
        element[i].modes[ELV_STRAIN_BEND_Y] = 4;
    }
    def.element = element;
    def.n_element = n_element;
    return def;
}

#endif
