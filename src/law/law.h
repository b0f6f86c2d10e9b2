// SPDX-License-Identifier: Apache-2.0
// Inside of a law: one of a constant, a formula, a table or a callback.
#ifndef ELVER_LAW_LAW_H
#define ELVER_LAW_LAW_H

#include "law/formula.h"
#include "law/table.h"

struct ElvLaw {
    ElvLawKind kind;
    double constant;         // of ELV_LAW_CONSTANT
    ElvFormula formula;      // of ELV_LAW_FORMULA
    ElvTable table;          // of ELV_LAW_TABLE
    ElvLawCallback callback; // of ELV_LAW_CALLBACK
    void* user;              // of ELV_LAW_CALLBACK, not owned
};

/// Compile a formula; has_place: it may use x, y and z (law_field.h).
ELV_NODISCARD ElvStatus elv_law_formula_of(const char* text,
                                           const ElvParameter* parameters,
                                           size_t n_parameter,
                                           bool has_place,
                                           ElvLaw** law,
                                           ElvError* error);

#endif
