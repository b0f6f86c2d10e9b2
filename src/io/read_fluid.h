// SPDX-License-Identifier: Apache-2.0
// The fluid of model files, and what bodies and rods feel of it.
#ifndef ELVER_IO_READ_FLUID_H
#define ELVER_IO_READ_FLUID_H

#include "io/read_context.h"

/// The key `fluid` of the top level.
bool elv_read_fluid(ElvReader* reader, const ElvYaml* map);

/// The key `fluid` of a rod, and of a body.
bool elv_read_rod_fluid(ElvReader* reader, const ElvYaml* map, ElvRodFluidDef* fluid);
bool elv_read_body_fluid(ElvReader* reader, const ElvYaml* map, ElvBodyFluidDef* fluid);

/// The keys `resistance` and `added_inertia` of a body or rod, where they are given.
bool elv_read_coefficients(ElvReader* reader,
                           const ElvYaml* node,
                           double resistance[6],
                           double added_inertia[6]);

#endif
