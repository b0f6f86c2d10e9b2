// SPDX-License-Identifier: Apache-2.0
// The laws of one model: compiled from their definitions with the model's parameters, freed
// together.
#ifndef ELVER_LAW_LAW_SET_H
#define ELVER_LAW_LAW_SET_H

#include "base/pool.h"
#include "elver/law.h"
#include "elver/spec.h"

typedef struct {
    ElvPool* pool;
    const ElvParameter* parameter;
    int n_parameter;
    ElvLaw** law; // (n_law)
    int n_law;
} ElvLawSet;

/// Variables that a law may depend on at its place.
enum { ELV_LAW_OF_NOTHING = 0, ELV_LAW_OF_T = 1, ELV_LAW_OF_S = 2, ELV_LAW_OF_PLACE = 4 };

/// Compile one definition; element and field are named in errors.
ELV_NODISCARD ElvStatus elv_law_set_add(ElvLawSet* set,
                                        const ElvLawDef* def,
                                        int allowed,
                                        const char* element,
                                        const char* field,
                                        const ElvLaw** law,
                                        ElvError* error);

void elv_law_set_free(ElvLawSet* set);

#endif
