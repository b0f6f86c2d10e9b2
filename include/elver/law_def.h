// SPDX-License-Identifier: Apache-2.0
// Laws as a spec has them, before they are compiled.
#ifndef ELVER_LAW_DEF_H
#define ELVER_LAW_DEF_H

#include "elver/law.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A law before compilation: a number, a formula, a table or a callback.
typedef struct {
    ElvLawKind kind;
    double value;            // constant
    const char* text;        // formula of t, s and parameters
    ElvVariable variable;    // table
    ElvTableKind table;      // table
    const double *x, *y;     // table (n)
    size_t n;                // table
    ElvLawCallback callback; // callback
    void* user;              // callback
} ElvLawDef;

ELV_API ElvLawDef elv_law_def_value(double value);
ELV_API ElvLawDef elv_law_def_formula(const char* text);
ELV_API ElvLawDef elv_law_def_table(
    ElvVariable variable, ElvTableKind kind, const double* x, const double* y, size_t n);
ELV_API ElvLawDef elv_law_def_callback(ElvLawCallback callback, void* user);

#ifdef __cplusplus
}
#endif

#endif
