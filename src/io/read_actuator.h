// SPDX-License-Identifier: Apache-2.0
// Actuators of model files.
#ifndef ELVER_IO_READ_ACTUATOR_H
#define ELVER_IO_READ_ACTUATOR_H

#include "io/read_context.h"

/// A list of actuators, added to the spec one by one.
bool elv_read_actuators(ElvReader* reader, const ElvYaml* list);

/// The path of a tendon: a list of parts, or one part; in the pool (read_path.c).
bool elv_read_path(ElvReader* reader, const ElvYaml* node, const ElvPathDef** path, int* n);

/// The path of an actuator on one rod: one part under 'path', or its keys in the actuator itself.
bool elv_read_one_path(ElvReader* reader, const ElvYaml* item, ElvPathDef* path);

#endif
