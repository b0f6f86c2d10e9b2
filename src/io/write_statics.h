// SPDX-License-Identifier: Apache-2.0
// The `statics:` block of a model file, written.
#ifndef ELVER_IO_WRITE_STATICS_H
#define ELVER_IO_WRITE_STATICS_H

#include "io/write_value.h"

/// "statics: {...}" on a line of its own.
void elv_write_statics(ElvWriter* writer, const ElvStaticsDef* statics);

#endif
