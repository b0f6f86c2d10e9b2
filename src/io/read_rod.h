// SPDX-License-Identifier: Apache-2.0
// Rods of model files.
#ifndef ELVER_IO_READ_ROD_H
#define ELVER_IO_READ_ROD_H

#include "io/read_context.h"

/// An item "- rod: NAME …" of the tree. Its elements live in the pool.
bool elv_read_rod(ElvReader* reader, const ElvYaml* node, ElvRodDef* rod);

#endif
