// SPDX-License-Identifier: Apache-2.0
// Tables of a law: knots with step, linear or natural cubic interpolation.
#ifndef ELVER_LAW_TABLE_H
#define ELVER_LAW_TABLE_H

#include "elver/law.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    ElvVariable variable;
    ElvTableKind kind;
    size_t n;
    double* x;   // knots, strictly increasing                    (n), owns the block of all three
    double* y;   // values at the knots                           (n)
    double* ypp; // second derivatives of the spline at the knots (n)
} ElvTable;

/// Check and copy the knots; on failure the table is left empty.
ELV_NODISCARD ElvStatus elv_table_init(ElvTable* table,
                                       ElvVariable variable,
                                       ElvTableKind kind,
                                       const double* x,
                                       const double* y,
                                       size_t n,
                                       ElvError* error);
void elv_table_clear(ElvTable* table);

/// Value and derivatives with respect to the variable of the table, those on the right at a knot.
ElvJet elv_table_eval(const ElvTable* table, double x);

#ifdef __cplusplus
}
#endif

#endif
