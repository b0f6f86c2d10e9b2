// SPDX-License-Identifier: Apache-2.0
// A state as the vector of unknowns of explicit integration.
#ifndef ELVER_SOLVE_EXPLICIT_VECTOR_H
#define ELVER_SOLVE_EXPLICIT_VECTOR_H

#include "elver/dynamics.h"

#include <nvector/nvector_serial.h>

/// Write a state to y: (nq + nv + nz), or as many and its accounts of energy (ELV_N_WORK).
void elv_explicit_pack(const ElvState* state, N_Vector y);

/// Read a state at t from y, imposed coordinates from their laws.
void elv_explicit_unpack(const ElvModel* model, double t, N_Vector y, ElvState* state);

/// Coordinates that are imposed are known and need not be integrated: take away their rates in
/// y_dot, unless that is NULL. Returns how many numbers of y they are.
int elv_explicit_hold(const ElvModel* model, double* rate);

#endif
