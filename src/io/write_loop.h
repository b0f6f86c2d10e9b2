// SPDX-License-Identifier: Apache-2.0
// Closed loops and constraints as YAML.
#ifndef ELVER_IO_WRITE_LOOP_H
#define ELVER_IO_WRITE_LOOP_H

#include "io/write_value.h"

/// The lists of loops and of constraints, those that are not empty.
void elv_write_loops(ElvWriter* writer, const ElvSpec* spec);

#endif
