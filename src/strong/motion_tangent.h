// SPDX-License-Identifier: Apache-2.0
// Variations along a chain in motion [OCP (80)-(81)], carried by Ad_g into the frame of the segment. With Z = Ad_g zeta,
//     Z'  = P (dw + ad_Z^T w),                 P = Ad_g C Ad_g^T
//     dV' = a Z' + ad_Z U
//     dA' = b Z' + ad_Z Q + ad_dV U + ad_V dV'
//     dw' = I alpha - ad_v^T I V - ad_V^T I v - G Z - ad_Z^T w',    v = dV - ad_Z V,   alpha = dA - ad_Z A
// and alpha = a v where accelerations are those of each section by itself.
#ifndef ELVER_STRONG_MOTION_TANGENT_H
#define ELVER_STRONG_MOTION_TANGENT_H

#include "strong/motion_ivp.h"

/// The equations of a stage, as matrices.
typedef struct {
    ElvMat6 ZZ, Zw;     // Z' = ZZ Z + Zw dw
    ElvMat6 VZ;         // dV' = a Z' + VZ Z
    ElvMat6 AZ, AV, Az; // dA' = Az Z' + AZ Z + AV dV
    ElvMat6 wZ, wV, wA; // dw' = wZ Z + wV dV + wA dA
} ElvMotionLinear;

/// The equations at a stage: y, its pose in the world (position apart), compliance, U, Q and w'.
void elv_motion_linear(const ElvMotionGrid* motion,
                       const ElvShotNode* node,
                       const ElvMotionState* y,
                       const ElvPose* g_world,
                       const ElvMat6* C,
                       ElvTwist U,
                       ElvTwist Q,
                       ElvWrench slope,
                       ElvMotionLinear* linear);

/// A step of the variations over the stages.
void elv_motion_tangent_step(const ElvMotionGrid* motion,
                             const ElvMotionLinear linear[ELV_RK8_STAGE],
                             double h,
                             ElvMotionTangent* tangent);

#endif
