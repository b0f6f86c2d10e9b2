// SPDX-License-Identifier: Apache-2.0
// Numbers written with a unit, which model files do not have.
#ifndef ELVER_IO_READ_UNIT_H
#define ELVER_IO_READ_UNIT_H

#include "io/read_context.h"

/// node is a scalar that begins with the number value; fail when what follows, rest, is a unit, and
/// say what to write instead.
bool elv_read_check_unit(ElvReader* reader, const ElvYaml* node, double value, const char* rest);

#endif
