// SPDX-License-Identifier: Apache-2.0
// Definitions of laws, one maker for each kind. A definition borrows its text and arrays.
#include "elver/spec.h"

#include <string.h>

ElvLawDef elv_law_def_value(double value) {
    ElvLawDef law;
    memset(&law, 0, sizeof law);
    law.kind = ELV_LAW_CONSTANT;
    law.value = value;
    return law;
}

ElvLawDef elv_law_def_formula(const char* text) {
    ElvLawDef law = elv_law_def_value(0.0);
    law.kind = ELV_LAW_FORMULA;
    law.text = text;
    return law;
}

ElvLawDef elv_law_def_table(
    ElvVariable variable, ElvTableKind kind, const double* x, const double* y, size_t n) {
    ElvLawDef law = elv_law_def_value(0.0);
    law.kind = ELV_LAW_TABLE;
    law.variable = variable;
    law.table = kind;
    law.x = x;
    law.y = y;
    law.n = n;
    return law;
}

ElvLawDef elv_law_def_callback(ElvLawCallback callback, void* user) {
    ElvLawDef law = elv_law_def_value(0.0);
    law.kind = ELV_LAW_CALLBACK;
    law.callback = callback;
    law.user = user;
    return law;
}
