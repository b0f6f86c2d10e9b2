// SPDX-License-Identifier: Apache-2.0
// The `simulate:` block of model files: method, steps, tolerances, start.
#ifndef ELVER_IO_READ_SIMULATE_H
#define ELVER_IO_READ_SIMULATE_H

#include "io/read_context.h"

/// What to simulate, put into the spec.
bool elv_read_simulate(ElvReader* reader, const ElvYaml* map);

#endif
