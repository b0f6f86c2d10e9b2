// SPDX-License-Identifier: Apache-2.0
// Rods that share their tables.
#ifndef ELVER_MULTIBODY_COMPILE_TWIN_H
#define ELVER_MULTIBODY_COMPILE_TWIN_H

#include "multibody/compile.h"
#include "rod/rod.h"

/// A rod built before that is like the one in hand but for its name and place; NULL: none.
const ElvRod* elv_compile_twin(const ElvCompiler* c, int i_element, const ElvRodFields* fields);

#endif
