// SPDX-License-Identifier: Apache-2.0
// Loads share the range and condition of actuators; actuators as YAML.
#ifndef ELVER_IO_WRITE_ACTUATOR_H
#define ELVER_IO_WRITE_ACTUATOR_H

#include "io/write_value.h"

/// ", rod: NAME, from: A, to: B" within a flow map.
void elv_write_range(ElvWriter* writer, const char* rod, double from, double to);

/// ", while: LAW}" or, for what always acts, "}".
void elv_write_while(ElvWriter* writer, const ElvLawDef* when);

/// The list of actuators, if there are any.
void elv_write_actuators(ElvWriter* writer, const ElvSpec* spec);

#endif
