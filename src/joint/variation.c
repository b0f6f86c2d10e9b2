// SPDX-License-Identifier: Apache-2.0
// Variation of wrenches under (Z, Z_dot, Z_ddot), in the one frame.
//
// Z is the spatial variation of a pose, delta g = hat(Z) g. Twists vary as Ad_g delta eta = Z_dot and
// Ad_g delta eta_dot = Z_ddot - ad_V Z_dot, so that the inertial wrench f = I A - ad_V^T I V has
//     d_f = I (Z_ddot - ad_V Z_dot) - ad_(Z_dot)^T I V - ad_V^T I Z_dot - ad_Z^T f,
// which is [P23 (51)] transported by Ad_g. With ad_v^T p = N(p) v, N(p) = [hat(m) hat(f); hat(f) 0].
#include "joint/variation.h"

#include <string.h>

enum { ROW = ELV_N_VARIATION };

// K[row … , column …] += s hat(v)
static void add_hat(double* K, int row, int column, double s, ElvVec3 v) {
    K[row * ROW + column + 1] -= s * v.z;
    K[row * ROW + column + 2] += s * v.y;
    K[(row + 1) * ROW + column] += s * v.z;
    K[(row + 1) * ROW + column + 2] -= s * v.x;
    K[(row + 2) * ROW + column] -= s * v.y;
    K[(row + 2) * ROW + column + 1] += s * v.x;
}

// K[:, column …] += s N(p)
static void add_coad(double* K, int column, double s, const ElvWrench* p) {
    add_hat(K, 0, column, s, p->mom);
    add_hat(K, 0, column + 3, s, p->frc);
    add_hat(K, 3, column, s, p->frc);
}

static void add_block(double* K, int row, int column, double s, const ElvMat3* m) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            K[(row + i) * ROW + column + j] += s * m->m[i][j];
        }
    }
}

// A hat(v): rows crossed with v
static ElvMat3 times_hat(const ElvMat3* a, ElvVec3 v) {
    ElvMat3 b;
    for (int i = 0; i < 3; i++) {
        b.m[i][0] = a->m[i][1] * v.z - a->m[i][2] * v.y;
        b.m[i][1] = a->m[i][2] * v.x - a->m[i][0] * v.z;
        b.m[i][2] = a->m[i][0] * v.y - a->m[i][1] * v.x;
    }
    return b;
}

// the 3x3 blocks of B = I ad_V; then I ad_V + ad_V^T I = B + B^T
static void add_symmetric_product(double* K, const ElvInertia* I, const ElvTwist* V) {
    ElvMat3 Ht = elv_mat3_transpose(I->H);
    ElvMat3 B00 = elv_mat3_add(times_hat(&I->J, V->ang), times_hat(&I->H, V->lin));
    ElvMat3 B01 = times_hat(&I->H, V->ang);
    ElvMat3 B10 = elv_mat3_add(times_hat(&Ht, V->ang), times_hat(&I->M, V->lin));
    ElvMat3 B11 = times_hat(&I->M, V->ang);
    ElvMat3 D0 = elv_mat3_add(B00, elv_mat3_transpose(B00));
    ElvMat3 D1 = elv_mat3_add(B11, elv_mat3_transpose(B11));
    ElvMat3 off = elv_mat3_add(B01, elv_mat3_transpose(B10));
    ElvMat3 off_t = elv_mat3_transpose(off);
    add_block(K, 0, 6, -1.0, &D0);
    add_block(K, 0, 9, -1.0, &off);
    add_block(K, 3, 6, -1.0, &off_t);
    add_block(K, 3, 9, -1.0, &D1);
}

void elv_variation_inertia(const ElvInertia* I,
                           const ElvTwist* V,
                           const ElvTwist* A,
                           double K[108]) {
    memset(K, 0, 108 * sizeof *K);
    ElvWrench momentum = elv_inertia_apply(*I, *V);
    ElvWrench f = elv_wrench_sub(elv_inertia_apply(*I, *A), elv_twist_coad(*V, momentum));
    // K0 = -N(f)
    add_coad(K, 0, -1.0, &f);
    // K1 = -(I ad_V + ad_V^T I) - N(I V)
    add_symmetric_product(K, I, V);
    add_coad(K, 6, -1.0, &momentum);
    // K2 = I
    ElvMat3 Ht = elv_mat3_transpose(I->H);
    add_block(K, 0, 12, 1.0, &I->J);
    add_block(K, 0, 15, 1.0, &I->H);
    add_block(K, 3, 12, 1.0, &Ht);
    add_block(K, 3, 15, 1.0, &I->M);
}

void elv_variation_resistance(const ElvInertia* R, const ElvTwist* V, double scale, double K[108]) {
    ElvWrench drag = elv_inertia_apply(*R, *V);
    ElvMat3 Ht = elv_mat3_transpose(R->H);
    add_coad(K, 0, -scale, &drag);
    add_block(K, 0, 6, scale, &R->J);
    add_block(K, 0, 9, scale, &R->H);
    add_block(K, 3, 6, scale, &Ht);
    add_block(K, 3, 9, scale, &R->M);
}

// the point of application moves by d_x = u + z x x
void elv_variation_dead_force(ElvVec3 x, ElvVec3 force, double scale, double K[108]) {
    ElvMat3 f_hat = elv_mat3_hat(force);
    ElvMat3 product = times_hat(&f_hat, x);
    // -(d_x x f) = f x d_x = f x (u - x x z)
    add_block(K, 0, 0, -scale, &product);
    add_block(K, 0, 3, scale, &f_hat);
}

void elv_variation_follower(const ElvWrench* W, double scale, double K[108]) {
    add_coad(K, 0, scale, W);
}

void elv_variation_weight(
    double mass, ElvVec3 moment, ElvVec3 gravity, double scale, double K[108]) {
    ElvMat3 g_hat = elv_mat3_hat(gravity);
    ElvMat3 product = times_hat(&g_hat, moment);
    // -(d_moment x g) = g x (m u - moment x z)
    add_block(K, 0, 0, -scale, &product);
    add_block(K, 0, 3, scale * mass, &g_hat);
}

// K[:, column ...] += scale A^T m A
static void add_carried(double* K, int column, double scale, const ElvMat6* A, const ElvMat6* m) {
    ElvMat6 half = elv_mat6_mul(*m, *A);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++) {
                sum += A->m[k][i] * half.m[k][j];
            }
            K[i * ROW + column + j] += scale * sum;
        }
    }
}

void elv_variation_wrench(const ElvPose* g,
                          const ElvWrench* F,
                          const ElvMat6* by_pose,
                          const ElvMat6* by_eta,
                          double scale,
                          double K[108]) {
    ElvMat6 back = elv_pose_adjoint(elv_pose_inverse(*g));
    ElvWrench W = elv_wrench_transform(*g, *F);
    add_carried(K, 0, scale, &back, by_pose);
    add_carried(K, 6, scale, &back, by_eta);
    add_coad(K, 0, -scale, &W);
}
