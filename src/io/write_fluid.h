// SPDX-License-Identifier: Apache-2.0
// The fluid as YAML, and what bodies and rods feel of it.
#ifndef ELVER_IO_WRITE_FLUID_H
#define ELVER_IO_WRITE_FLUID_H

#include "io/write_value.h"

/// The line `fluid` of the top level, if there is one.
void elv_write_fluid(ElvWriter* writer, const ElvFluidDef* fluid);

/// The line `fluid` of a rod or body, where it feels something.
void elv_write_rod_fluid(ElvWriter* writer, const ElvRodFluidDef* fluid);
void elv_write_body_fluid(ElvWriter* writer, const ElvBodyFluidDef* fluid);

/// The lines `resistance` and `added_inertia`, where there are any.
void elv_write_coefficients(ElvWriter* writer,
                            const double resistance[6],
                            const double added_inertia[6]);

#endif
