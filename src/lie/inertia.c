// SPDX-License-Identifier: Apache-2.0
// Inertias of rigid bodies: assembly, change of frame and dense form.
//
// An inertia is the symmetric matrix [J H; H^T M] of the kinetic energy 1/2 v^T I v; a change of
// frame keeps that energy: I_a = Ad_g^-T I_b Ad_g^-1 with g = g_ab.
#include "elver/lie.h"

// R A R^T
static ElvMat3 rotate(ElvMat3 R, ElvMat3 a) {
    return elv_mat3_mul(elv_mat3_mul(R, a), elv_mat3_transpose(R));
}

// (A + A^T)/2: rounding must not make J or M unsymmetric
static ElvMat3 symmetric_part(ElvMat3 a) {
    return elv_mat3_scale(0.5, elv_mat3_add(a, elv_mat3_transpose(a)));
}

ElvInertia elv_inertia_rigid(double mass, ElvVec3 center, ElvMat3 J_c) {
    ElvMat3 c_hat = elv_mat3_hat(center);
    ElvInertia I;
    // parallel axes: J = J_c - m hat(c)^2
    I.H = elv_mat3_scale(mass, c_hat);
    I.J = elv_mat3_sub(J_c, elv_mat3_mul(I.H, c_hat));
    I.M = elv_mat3_diag(mass, mass, mass);
    return I;
}

ElvInertia elv_inertia_transform(ElvPose g_ab, ElvInertia I_b) {
    ElvMat3 p_hat = elv_mat3_hat(g_ab.p);
    // rotate the blocks into the axes of a
    ElvMat3 J = rotate(g_ab.R, I_b.J);
    ElvMat3 H = rotate(g_ab.R, I_b.H);
    ElvInertia I;
    I.M = symmetric_part(rotate(g_ab.R, I_b.M));
    // move the origin by p: [1 hat(p); 0 1] [J H; H^T M] [1 0; -hat(p) 1]
    I.H = elv_mat3_add(H, elv_mat3_mul(p_hat, I.M));
    J = elv_mat3_add(J, elv_mat3_mul(p_hat, elv_mat3_transpose(H)));
    I.J = symmetric_part(elv_mat3_sub(J, elv_mat3_mul(I.H, p_hat)));
    return I;
}

ElvMat6 elv_inertia_matrix(ElvInertia I) {
    ElvMat6 a;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a.m[i][j] = I.J.m[i][j];
            a.m[i][j + 3] = I.H.m[i][j];
            a.m[i + 3][j] = I.H.m[j][i];
            a.m[i + 3][j + 3] = I.M.m[i][j];
        }
    }
    return a;
}
