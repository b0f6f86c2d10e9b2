// SPDX-License-Identifier: Apache-2.0
// A spec with more modes than another.
#ifndef ELVER_MULTIBODY_SPEC_REFINE_H
#define ELVER_MULTIBODY_SPEC_REFINE_H

#include "elver/spec.h"

/// Compile a spec with one mode more for every strain that has any: one piece more where the basis has
/// pieces, so that Hermite's has two modes more. Tabulated bases stay as they are.
ELV_NODISCARD ElvStatus elv_spec_compile_refined(const ElvSpec* spec,
                                                 ElvModel** model,
                                                 ElvError* error);

#endif
