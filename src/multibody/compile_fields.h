// SPDX-License-Identifier: Apache-2.0
// What acts along one rod, from the loads and actuators of the spec.
#ifndef ELVER_MULTIBODY_COMPILE_FIELDS_H
#define ELVER_MULTIBODY_COMPILE_FIELDS_H

#include "multibody/compile.h"
#include "rod/rod_fields.h"

/// Number the parts of all actuators' paths.
ELV_NODISCARD ElvStatus elv_compile_parts(ElvCompiler* c);

/// The fields of the rod of that name. Fibres with a channel note it in c->channel_of.
ELV_NODISCARD ElvStatus elv_compile_fields(ElvCompiler* c, const char* rod, ElvRodFields* fields);

#endif
