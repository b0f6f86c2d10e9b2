// SPDX-License-Identifier: Apache-2.0
// Closed loops and constraints of model files.
#ifndef ELVER_IO_READ_LOOP_H
#define ELVER_IO_READ_LOOP_H

#include "io/read_context.h"

/// A list of loops and sliders, added to the spec one by one.
bool elv_read_loops(ElvReader* reader, const ElvYaml* list);

/// A list of velocity constraints, wheels and couplings (read_constraint.c).
bool elv_read_constraints(ElvReader* reader, const ElvYaml* list);

#endif
