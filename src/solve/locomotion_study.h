// SPDX-License-Identifier: Apache-2.0
// What questions about constraints and imposed motions need.
#ifndef ELVER_SOLVE_LOCOMOTION_STUDY_H
#define ELVER_SOLVE_LOCOMOTION_STUDY_H

#include "solve/reduced.h"

typedef struct {
    const ElvModel* model;
    ElvData* data;
    ElvState* state; // a copy of the one that was given
    ElvReduced* reduced;
} ElvLocomotionStudy;

/// On failure nothing is left to close.
ELV_NODISCARD ElvStatus elv_locomotion_open(const ElvModel* model,
                                            const ElvState* state,
                                            ElvLocomotionStudy* study,
                                            ElvError* error);
void elv_locomotion_close(ElvLocomotionStudy* study);

#endif
