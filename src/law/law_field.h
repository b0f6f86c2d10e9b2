// SPDX-License-Identifier: Apache-2.0
// Laws of time t and of the place x, y, z in the world: fields, with all first and second
// derivatives.
#ifndef ELVER_LAW_LAW_FIELD_H
#define ELVER_LAW_LAW_FIELD_H

#include "elver/law.h"
#include "elver/vec3.h"

/// A value with its derivatives by (t, x, y, z).
typedef struct {
    double v;
    double d[4];
    double dd[4][4];
} ElvFieldJet;

/// Compile a formula as elv_law_formula does, which may use x, y and z.
ELV_NODISCARD ElvStatus elv_law_field(const char* text,
                                      const ElvParameter* parameters,
                                      size_t n_parameter,
                                      ElvLaw** law,
                                      ElvError* error);

/// Whether a formula uses x, y or z. elv_law_eval takes them at the origin.
bool elv_law_depends_on_place(const ElvLaw* law);

/// Value and derivatives of any law, exact. Allocates nothing.
ElvFieldJet elv_law_eval_field(const ElvLaw* law, double t, ElvVec3 x);

#endif
