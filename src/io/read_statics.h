// SPDX-License-Identifier: Apache-2.0
// The `statics:` block of model files, read and written.
#ifndef ELVER_IO_READ_STATICS_H
#define ELVER_IO_READ_STATICS_H

#include "io/read_context.h"

/// How to find equilibria, put into the spec.
bool elv_read_statics(ElvReader* reader, const ElvYaml* map);

#endif
