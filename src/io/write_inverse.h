// SPDX-License-Identifier: Apache-2.0
// The `inverse:` block of a model file, written.
#ifndef ELVER_IO_WRITE_INVERSE_H
#define ELVER_IO_WRITE_INVERSE_H

#include "io/write_value.h"

/// "inverse: {...}" on a line of its own; nothing where all is as by default.
void elv_write_inverse(ElvWriter* writer, const ElvInverseDef* inverse);

#endif
