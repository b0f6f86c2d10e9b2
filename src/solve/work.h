// SPDX-License-Identifier: Apache-2.0
// Accounts of energy of a run: time integrals of powers, in the state.
#ifndef ELVER_SOLVE_WORK_H
#define ELVER_SOLVE_WORK_H

#include "elver/dynamics.h"

enum { ELV_N_WORK = 4 };

/// Whether a run is to keep accounts: its options say so, or the model records one.
bool elv_work_is_wanted(const ElvModel* model, const ElvSimulateDef* options);

/// Open the accounts of a state, unless it has some that go on.
void elv_work_open(const ElvModel* model, ElvData* data, ElvState* state);

/// Accounts after a time dt with these powers in the mean.
ElvWork elv_work_after(ElvWork start, double dt, ElvPowers mean);

/// Accounts as numbers of an integration (ELV_N_WORK).
void elv_work_write(const ElvWork* work, double* y);
void elv_work_read(const double* y, ElvWork* work);
void elv_work_rate(ElvPowers powers, double* rate);

#endif
