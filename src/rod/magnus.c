// SPDX-License-Identifier: Apache-2.0
// Sixth-order Magnus step of R' = R hat(K), the rotations of [P20 (17), P23 (35)].
//
// With K(X_mid + tau h) = b_0 + b_1 tau + b_2 tau^2 through three Gauss points and a_m = h b_m, the
// increment is exp(Omega), Omega = a_0 + a_2/12 + commutators up to h^6 (Blanes, Casas, Oteo, Ros,
// Phys. Rep. 470, 2009, eq. 255). The series is written for Y' = A Y; here the factor is on
// the right, so every commutator changes its sign.
#include "rod/magnus.h"

// (1 -+ sqrt(3/5)) / 2
const double ELV_MAGNUS_NODE[ELV_MAGNUS_POINT] = {0.11270166537925831148, 0.5,
                                                  0.88729833462074168852};

// rows: value at the middle; sqrt(15)/3 (K_3 - K_1); 10/3 (K_3 - 2 K_2 + K_1)
const double ELV_MAGNUS_MOMENT[3][ELV_MAGNUS_POINT] = {
    {0.0, 1.0, 0.0},
    {-1.29099444873580562839, 0.0, 1.29099444873580562839},
    {10.0 / 3.0, -20.0 / 3.0, 10.0 / 3.0}};

ElvVec3 elv_magnus_log(const ElvVec3 a[3]) {
    // C1 = -[a0, a1],  C2 = [a0, 2 a2 + C1] / 60
    ElvVec3 c1 = elv_vec3_cross(a[1], a[0]);
    ElvVec3 c2 =
        elv_vec3_scale(1.0 / 60.0, elv_vec3_cross(a[0], elv_vec3_add_scaled(c1, 2.0, a[2])));
    // Omega = a0 + a2/12 - [-20 a0 - a2 + C1, a1 + C2] / 240
    ElvVec3 left = elv_vec3_add_scaled(elv_vec3_sub(c1, a[2]), -20.0, a[0]);
    ElvVec3 right = elv_vec3_add(a[1], c2);
    ElvVec3 omega = elv_vec3_add_scaled(a[0], 1.0 / 12.0, a[2]);
    return elv_vec3_add_scaled(omega, -1.0 / 240.0, elv_vec3_cross(left, right));
}
