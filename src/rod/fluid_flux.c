// SPDX-License-Identifier: Apache-2.0
// The wrench that the flow along a slender body carries past a section                  [OCP (90)]:
//     Phi = V_1 P - (0; T_f E_1),  P = M_a zeta,  T_f = 1/2 zeta^T P,  V_1 = zeta_4
// with zeta = eta - (0; R^T U) the twist relative to a current U. It does the power Phi^T zeta =
// V_1 T_f. Variations:
//     d Phi  = P d V_1 + V_1 M_a d zeta - (0; P^T d zeta E_1)
//     d zeta = d eta - (0; R^T U x d theta + R^T grad U R d x),   delta g = g hat(d theta; d x)
#include "rod/fluid_load.h"

enum { AXIAL = 3 };

// (0; R^T U) and, unless NULL, its derivative by the pose
static ElvTwist stream(const ElvFluidNow* now, const ElvPose* g, ElvMat6* by_pose) {
    ElvCurrent current = elv_fluid_current(now, g->p);
    ElvVec3 u = elv_mat3_apply_transpose(g->R, current.velocity);
    if (by_pose) {
        ElvMat3 turned = elv_mat3_hat(u);
        ElvMat3 moved =
            elv_mat3_mul(elv_mat3_transpose(g->R), elv_mat3_mul(current.gradient, g->R));
        *by_pose = (ElvMat6){{{0.0}}};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                by_pose->m[3 + i][j] = turned.m[i][j];
                by_pose->m[3 + i][3 + j] = moved.m[i][j];
            }
        }
    }
    return elv_twist(elv_vec3(0.0, 0.0, 0.0), u);
}

ElvWrench elv_fluid_flux(const ElvInertia* added,
                         const ElvFluidNow* now,
                         const ElvPose* g,
                         ElvTwist eta,
                         ElvMat6* by_pose,
                         ElvMat6* by_eta) {
    ElvMat6 flow_by_pose;
    ElvTwist zeta = elv_twist_sub(eta, stream(now, g, by_pose ? &flow_by_pose : NULL));
    ElvWrench momentum = elv_inertia_apply(*added, zeta);
    double V_1 = zeta.lin.x;
    // V_1 P - (0; T_f E_1)                                                              [OCP (90)]
    ElvWrench flux = elv_wrench_scale(V_1, momentum);
    flux.frc.x -= 0.5 * elv_power(zeta, momentum);
    if (!by_pose && !by_eta) {
        return flux;
    }
    double P[6];
    ElvMat6 by_zeta = elv_inertia_matrix(*added);
    elv_wrench_to_array(momentum, P);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            by_zeta.m[i][j] *= V_1;
        }
    }
    for (int i = 0; i < 6; i++) {
        by_zeta.m[i][AXIAL] += P[i];
        by_zeta.m[AXIAL][i] -= P[i];
    }
    if (by_eta) {
        *by_eta = by_zeta;
    }
    if (by_pose) {
        *by_pose = elv_mat6_mul(by_zeta, flow_by_pose);
        for (int k = 0; k < 36; k++) {
            by_pose->m[k / 6][k % 6] *= -1.0;
        }
    }
    return flux;
}
