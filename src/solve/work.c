// SPDX-License-Identifier: Apache-2.0
// Accounts of energy of a run (work.h). Explicit methods integrate the powers with the motion, as further unknowns;
// implicit ones add up those of their steps (implicit_work.c).
#include "solve/work.h"

#include <string.h>

bool elv_work_is_wanted(const ElvModel* model, const ElvSimulateDef* options) {
    static const char* const names[] = {
        "work", "work.actuators", "work.loads", "work.dissipated", "work.fluid", "work.error"};
    ElvRecordDef record = elv_model_record(model);
    for (int i = 0; i < record.n_signal; i++) {
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            if (strcmp(record.signal[i], names[k]) == 0) {
                return true;
            }
        }
    }
    return options->keeps_work;
}

void elv_work_open(const ElvModel* model, ElvData* data, ElvState* state) {
    if (!state->work.is_kept) {
        ElvEnergy energy = elv_energy(model, data, state);
        memset(&state->work, 0, sizeof state->work);
        state->work.stored = energy.kinetic + energy.elastic + energy.gravity;
        state->work.is_kept = true;
    }
}

ElvWork elv_work_after(ElvWork start, double dt, ElvPowers mean) {
    ElvWork work = start;
    work.actuators += dt * mean.actuators;
    work.loads += dt * mean.loads;
    work.dissipated += dt * mean.dissipated;
    work.fluid += dt * mean.fluid;
    return work;
}

void elv_work_write(const ElvWork* work, double* y) {
    y[0] = work->actuators;
    y[1] = work->loads;
    y[2] = work->dissipated;
    y[3] = work->fluid;
}

void elv_work_read(const double* y, ElvWork* work) {
    work->actuators = y[0];
    work->loads = y[1];
    work->dissipated = y[2];
    work->fluid = y[3];
}

void elv_work_rate(ElvPowers powers, double* rate) {
    rate[0] = powers.actuators;
    rate[1] = powers.loads;
    rate[2] = powers.dissipated;
    rate[3] = powers.fluid;
}
