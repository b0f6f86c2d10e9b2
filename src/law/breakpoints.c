// SPDX-License-Identifier: Apache-2.0
// Breakpoints of laws: where a law or one of its derivatives jumps. A table jumps at its knots (a
// cubic in its third derivative), a formula at its switches; callbacks do not say.
#include "law/law.h"

// knots of the table in [lo, hi]
static size_t
table_breakpoints(const ElvTable* table, double lo, double hi, double* out, size_t capacity) {
    size_t n = 0;
    for (size_t i = 0; i < table->n; i++) {
        if (table->x[i] >= lo && table->x[i] <= hi) {
            if (n < capacity) {
                out[n] = table->x[i];
            }
            n++;
        }
    }
    return n;
}

size_t elv_law_breakpoints(
    const ElvLaw* law, ElvVariable variable, double lo, double hi, double* out, size_t capacity) {
    // a range that is empty or not a number holds nothing
    if (!(lo <= hi)) {
        return 0;
    }
    switch (elv_law_kind(law)) {
    case ELV_LAW_FORMULA:
        return elv_formula_breakpoints(&law->formula, variable, lo, hi, out, capacity);
    case ELV_LAW_TABLE:
        return law->table.variable == variable
                   ? table_breakpoints(&law->table, lo, hi, out, capacity)
                   : 0;
    default:
        return 0;
    }
}
