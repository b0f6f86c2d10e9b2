// SPDX-License-Identifier: Apache-2.0
// What the files that make devices share.
#ifndef ELVER_MULTIBODY_COMPILE_DEVICE_H
#define ELVER_MULTIBODY_COMPILE_DEVICE_H

#include "multibody/compile.h"
#include "multibody/device.h"

/// Append a device whose ops, n_z and is_differential are set.
ELV_NODISCARD ElvStatus elv_compile_add_device(ElvCompiler* c, ElvDevice* device, const char* name);

/// The node of a rod that an actuator names; it was checked before.
ELV_NODISCARD ElvStatus elv_compile_rod_node(const ElvCompiler* c,
                                             const char* rod,
                                             const char* element,
                                             int* i_node);

/// The channel in the model of an actuator on one rod.
int elv_compile_channel(const ElvCompiler* c, int i_actuator, int i_node);

// compile_pattern.c

ELV_NODISCARD ElvStatus elv_compile_muscle(ElvCompiler* c, int i_actuator);

/// A pattern with all muscles that name it.
ELV_NODISCARD ElvStatus elv_compile_pattern(ElvCompiler* c, const ElvPatternDef* def);

/// Pattern of that name, with the nearest name in the error if there is none.
ELV_NODISCARD ElvStatus elv_compile_find_pattern(const ElvCompiler* c,
                                                 const ElvMuscleDef* muscle,
                                                 const ElvPatternDef** pattern);

#endif
