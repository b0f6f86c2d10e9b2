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

#endif
