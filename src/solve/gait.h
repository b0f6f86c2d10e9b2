// SPDX-License-Identifier: Apache-2.0
// What questions about connections need.
#ifndef ELVER_SOLVE_GAIT_H
#define ELVER_SOLVE_GAIT_H

#include "solve/connection.h"

typedef struct {
    const ElvModel* model;
    ElvConnect* connect;
    ElvData* data;
    ElvState* state;
    double* number; // (5 nv)
} ElvGaitStudy;

ELV_NODISCARD ElvStatus elv_gait_open(const ElvModel* model,
                                      const ElvState* state,
                                      ElvConnection kind,
                                      ElvGaitStudy* study,
                                      ElvError* error);
void elv_gait_close(ElvGaitStudy* study);

/// The joint that carries the net motion: the first on the world that is not wholly imposed; or
/// NULL.
const ElvNode* elv_gait_root(const ElvModel* model);

/// The shortest period of all that is imposed from t on, within twice the duration of the model; 0:
/// none is found, or nothing changes. False: out of memory.
bool elv_gait_period(ElvGaitStudy* study, double t, double* period);

#endif
