// SPDX-License-Identifier: Apache-2.0
// The fluid of a model, and what it acts on.
#ifndef ELVER_MULTIBODY_COMPILE_FLUID_H
#define ELVER_MULTIBODY_COMPILE_FLUID_H

#include "multibody/body_inertia.h"
#include "multibody/compile.h"

/// Compile the fluid; elements that feel one need it.
ELV_NODISCARD ElvStatus elv_compile_fluid(ElvCompiler* c);

/// Added inertia and resistance of a body, and what else of it the fluid acts on, into its port.
ELV_NODISCARD ElvStatus elv_compile_body_fluid(ElvCompiler* c,
                                               const ElvBodyDef* def,
                                               const ElvMassProperties* mass,
                                               ElvPort* port);

#endif
