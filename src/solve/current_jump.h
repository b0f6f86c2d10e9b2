// SPDX-License-Identifier: Apache-2.0
// Currents that jump.
#ifndef ELVER_SOLVE_CURRENT_JUMP_H
#define ELVER_SOLVE_CURRENT_JUMP_H

#include "multibody/model.h"

/// Refuse a current that jumps within ]t_begin, t_end], after t = 0, around something with added inertia or buoyancy: it
/// would get an impulse, which no method knows.
ELV_NODISCARD ElvStatus elv_current_check(const ElvModel* model,
                                          double t_begin,
                                          double t_end,
                                          ElvError* error);

#endif
