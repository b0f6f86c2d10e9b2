// SPDX-License-Identifier: Apache-2.0
// What of a section or body is under water, with derivatives by its pose.
#ifndef ELVER_ROD_FLUID_WET_H
#define ELVER_ROD_FLUID_WET_H

#include "rod/fluid_load.h"

/// Derivatives by d_zeta = (d_theta; d_x), delta R = R hat(d_theta), delta p = R d_x.
typedef struct {
    bool is_cut;              // the surface cuts it, or it is above
    double share;             // that is wet
    ElvVec3 by_turn, by_move; // of the share, rows
    ElvVec3 up;               // in the axes of the section or body
    double integral;          // potential over the lift of the whole, m
    ElvVec3 moment; // over the lift of the whole, beside that of share up at the centre, m
    ElvMat3 moment_by_turn, moment_by_move;
} ElvWet;

ElvWet elv_fluid_wet(const ElvFluidShape* shape, const ElvFluidNow* now, const ElvPose* g);

#endif
