// SPDX-License-Identifier: Apache-2.0
// The `inverse:` block of model files.
#ifndef ELVER_IO_READ_INVERSE_H
#define ELVER_IO_READ_INVERSE_H

#include "io/read_context.h"

/// Which inverse problem the model poses, put into the spec.
bool elv_read_inverse(ElvReader* reader, const ElvYaml* map);

#endif
