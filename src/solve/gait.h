// SPDX-License-Identifier: Apache-2.0
// What questions about connections need.
#ifndef ELVER_SOLVE_GAIT_H
#define ELVER_SOLVE_GAIT_H

#include "base/brake.h"
#include "solve/connection.h"

typedef struct {
    const ElvModel* model;
    ElvConnect* connect;
    ElvData* data;
    ElvState* state;
    double* number; // (5 nv)
    ElvBrake brake;
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

/// The group of net motions at a state, static, "" where the freedoms form none, and the joint that
/// carries it: the last of a chain of free joints from the root on whose twists are independent and
/// closed under the bracket; else the root itself, or NULL. Leaves data with the kinematics of the
/// state.
const ElvNode*
elv_gait_group(const ElvModel* model, ElvData* data, const ElvState* state, const char** group);

/// The shortest period of all that is imposed from t on, within twice the duration of the model; 0:
/// none is found, nothing changes, or the brake is on. False: out of memory.
bool elv_gait_period(ElvGaitStudy* study, double t, double* period);

#endif
