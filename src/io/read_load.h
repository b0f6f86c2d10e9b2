// SPDX-License-Identifier: Apache-2.0
// Loads of model files.
#ifndef ELVER_IO_READ_LOAD_H
#define ELVER_IO_READ_LOAD_H

#include "io/read_context.h"

/// A list of loads, added to the spec one by one.
bool elv_read_loads(ElvReader* reader, const ElvYaml* list);

#endif
