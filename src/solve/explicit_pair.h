// SPDX-License-Identifier: Apache-2.0
// Runge-Kutta pairs of the explicit method, by order.
#ifndef ELVER_SOLVE_EXPLICIT_PAIR_H
#define ELVER_SOLVE_EXPLICIT_PAIR_H

/// Give an integrator of ARKODE (ERKStep) the pair of an order, 2 to 8. Returns a flag of ARKODE.
int elv_explicit_set_pair(void* arkode, int order);

#endif
