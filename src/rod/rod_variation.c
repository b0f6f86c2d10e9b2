// SPDX-License-Identifier: Apache-2.0
// Variation of the wrench per metre of the sections of a rod, times the quadrature weight, four nodes at a
// time: d_f = K x, K = [K0 K1 K2] (6 x 18), x = (Z, Z_dot, Z_ddot) in the one frame   [P23 (51), (54)].
// The formulas are those of joint/variation.c, which stands for bodies and serves the loads here:
//     K0 = -N(f) + weight,  K1 = -(I ad_V + ad_V^T I) - N(I V),  K2 = I,  N(p) = [hat(m) hat(f); hat(f) 0]
#include "rod/rod.h"

#include "joint/variation.h"
#include "lie/lie4.h"
#include "rod/rod_volume.h"

#include <string.h>

enum { ROW = ELV_N_VARIATION };

typedef struct {
    ElvMat3x4 J, H, M;
} Inertia4;

ELV_INLINE ElvMat3x4 transposed(const ElvMat3x4* a) {
    ElvMat3x4 b;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            b.m[i][j] = a->m[j][i];
        }
    }
    return b;
}

ELV_INLINE ElvMat3x4 sum(const ElvMat3x4* a, const ElvMat3x4* b) {
    ElvMat3x4 c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.m[i][j] = a->m[i][j] + b->m[i][j];
        }
    }
    return c;
}

// A hat(v): rows crossed with v
ELV_INLINE ElvMat3x4 times_hat(const ElvMat3x4* a, ElvVec3x4 v) {
    ElvMat3x4 b;
    for (int i = 0; i < 3; i++) {
        ElvVec3x4 row = elv_vec3x4(a->m[i][0], a->m[i][1], a->m[i][2]);
        ElvVec3x4 c = elv_vec3x4_cross(row, v);
        b.m[i][0] = c.x;
        b.m[i][1] = c.y;
        b.m[i][2] = c.z;
    }
    return b;
}

// R A R^T of a symmetric A
ELV_INLINE ElvMat3x4 rotated_symmetric(const ElvMat3x4* R, const ElvMat3x4* a) {
    ElvMat3x4 b;
    for (int j = 0; j < 3; j++) {
        // column j of A R^T
        ElvVec3x4 row = elv_vec3x4(R->m[j][0], R->m[j][1], R->m[j][2]);
        ElvVec3x4 column = elv_mat3x4_apply(a, row);
        for (int i = 0; i <= j; i++) {
            ElvVec3x4 left = elv_vec3x4(R->m[i][0], R->m[i][1], R->m[i][2]);
            b.m[i][j] = b.m[j][i] = elv_vec3x4_dot(left, column);
        }
    }
    return b;
}

// R A R^T
ELV_INLINE ElvMat3x4 rotated(const ElvMat3x4* R, const ElvMat3x4* a) {
    ElvMat3x4 b;
    for (int j = 0; j < 3; j++) {
        ElvVec3x4 row = elv_vec3x4(R->m[j][0], R->m[j][1], R->m[j][2]);
        ElvVec3x4 column = elv_mat3x4_apply(R, elv_mat3x4_apply(a, row));
        b.m[0][j] = column.x;
        b.m[1][j] = column.y;
        b.m[2][j] = column.z;
    }
    return b;
}

// inertia per metre in the one frame: [1 hat(p); 0 1] R [J H; H^T M] R^T [1 0; -hat(p) 1]
ELV_INLINE Inertia4 inertia4(const ElvInertia* at, const ElvPose4* g, const ElvQuad* quad) {
    const size_t stride = sizeof *at / sizeof(double);
    ElvMat3x4 J_b = elv_mat3x4_load(&at->J.m[0][0], stride, quad);
    ElvMat3x4 H_b = elv_mat3x4_load(&at->H.m[0][0], stride, quad);
    ElvMat3x4 M_b = elv_mat3x4_load(&at->M.m[0][0], stride, quad);
    ElvMat3x4 H = rotated(&g->R, &H_b);
    Inertia4 I;
    I.J = rotated_symmetric(&g->R, &J_b);
    I.M = rotated_symmetric(&g->R, &M_b);
    // H + hat(p) M = H - (M hat(p))^T and J + hat(p) H^T - (H + hat(p) M) hat(p)
    ElvMat3x4 H_p = times_hat(&H, g->p);
    ElvMat3x4 M_p = times_hat(&I.M, g->p);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            I.H.m[i][j] = H.m[i][j] - M_p.m[j][i];
        }
    }
    ElvMat3x4 shift = times_hat(&I.H, g->p);
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            I.J.m[i][j] = I.J.m[j][i] = I.J.m[i][j] - H_p.m[j][i] - shift.m[i][j];
        }
    }
    return I;
}

ELV_INLINE ElvWrench4 inertia_apply(const Inertia4* I, ElvTwist4 v) {
    return (ElvWrench4){
        elv_vec3x4_add(elv_mat3x4_apply(&I->J, v.ang), elv_mat3x4_apply(&I->H, v.lin)),
        elv_vec3x4_add(elv_mat3x4_apply_transpose(&I->H, v.ang), elv_mat3x4_apply(&I->M, v.lin))};
}

// block -= hat(v)
ELV_INLINE void subtract_hat(ElvMat3x4* a, ElvVec3x4 v) {
    a->m[0][1] += v.z;
    a->m[0][2] -= v.y;
    a->m[1][0] -= v.z;
    a->m[1][2] += v.x;
    a->m[2][0] += v.y;
    a->m[2][1] -= v.x;
}

// weight times a 3 x 3 block, at row and column of K
ELV_INLINE void
store(const ElvMat3x4* a, ElvReal4 weight, int row, int column, double* K, const ElvQuad* quad) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            elv_real4_scatter(weight * a->m[i][j], K + (row + i) * ELV_ROD_K_ROW + column + j,
                              (size_t)6 * ELV_ROD_K_ROW, quad);
        }
    }
}

// K1 = -(I ad_V + ad_V^T I) - N(I V), with I ad_V = B
ELV_INLINE void store_velocity(const Inertia4* I,
                               ElvTwist4 V,
                               ElvWrench4 momentum,
                               ElvReal4 weight,
                               double* K,
                               const ElvQuad* quad) {
    ElvMat3x4 Ht = transposed(&I->H);
    ElvMat3x4 JV = times_hat(&I->J, V.ang), HV = times_hat(&I->H, V.lin);
    ElvMat3x4 HtV = times_hat(&Ht, V.ang), MV = times_hat(&I->M, V.lin);
    ElvMat3x4 B00 = sum(&JV, &HV), B01 = times_hat(&I->H, V.ang);
    ElvMat3x4 B10 = sum(&HtV, &MV), B11 = times_hat(&I->M, V.ang);
    ElvMat3x4 D0, off, off_t, D1;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            D0.m[i][j] = -(B00.m[i][j] + B00.m[j][i]);
            D1.m[i][j] = -(B11.m[i][j] + B11.m[j][i]);
            off.m[i][j] = off_t.m[j][i] = -(B01.m[i][j] + B10.m[j][i]);
        }
    }
    subtract_hat(&D0, momentum.mom);
    subtract_hat(&off, momentum.frc);
    subtract_hat(&off_t, momentum.frc);
    store(&D0, weight, 0, 6, K, quad);
    store(&off, weight, 0, 9, K, quad);
    store(&off_t, weight, 3, 6, K, quad);
    store(&D1, weight, 3, 9, K, quad);
}

// K0 = -N(f), and the weight: g x (m u - moment x z)
ELV_INLINE void store_pose(ElvWrench4 f,
                           ElvReal4 mass,
                           ElvVec3x4 moment,
                           ElvVec3x4 gravity,
                           ElvReal4 weight,
                           double* K,
                           const ElvQuad* quad) {
    ElvMat3x4 zero = {{{{0.0}}}};
    ElvMat3x4 g_minus = zero, upper = zero, lower = zero;
    subtract_hat(&g_minus, gravity);
    ElvMat3x4 left = times_hat(&g_minus, moment);
    subtract_hat(&left, f.mom);
    subtract_hat(&upper, elv_vec3x4_sub(f.frc, elv_vec3x4_scale(mass, gravity)));
    subtract_hat(&lower, f.frc);
    store(&left, weight, 0, 0, K, quad);
    store(&upper, weight, 0, 3, K, quad);
    store(&lower, weight, 3, 0, K, quad);
    store(&zero, weight, 3, 3, K, quad);
}

ELV_VECTOR_CLONES
void elv_rod_variations(const ElvRod* rod, const ElvRodWork* work, ElvVec3 gravity_w) {
    const ElvInertia* inertia = elv_rod_inertia(rod, work);
    for (int i = 0; i < rod->n_node; i += 4) {
        ElvQuad quad = elv_quad(i, rod->n_node);
        ElvPose4 g = elv_pose4_load(work->g, &quad);
        ElvTwist4 V = elv_twist4_load(work->V, &quad);
        ElvReal4 weight = elv_real4_gather(rod->weight, 1, &quad);
        ElvReal4 mass = elv_real4_gather(rod->mass, 1, &quad);
        Inertia4 I = inertia4(inertia, &g, &quad);
        ElvWrench4 momentum = inertia_apply(&I, V);
        ElvWrench4 f = elv_wrench4_sub(inertia_apply(&I, elv_twist4_load(work->A, &quad)),
                                       elv_twist4_coad(V, momentum));
        ElvVec3x4 moment = elv_mat3x4_apply(&g.R, elv_vec3x4_load(&rod->moment->x, 3, &quad));
        moment = elv_vec3x4_add(moment, elv_vec3x4_scale(mass, g.p));
        store_pose(f, mass, moment, elv_vec3x4_same(gravity_w), weight, work->K, &quad);
        store_velocity(&I, V, momentum, weight, work->K, &quad);
        ElvMat3x4 Ht = transposed(&I.H);
        store(&I.J, weight, 0, 12, work->K, &quad);
        store(&I.H, weight, 0, 15, work->K, &quad);
        store(&Ht, weight, 3, 12, work->K, &quad);
        store(&I.M, weight, 3, 15, work->K, &quad);
    }
}

void elv_rod_load_variations(const ElvRod* rod, const ElvRodWork* work, const ElvJointInput* in) {
    for (int i = 0; i < rod->n_node && rod->n_distributed > 0; i++) {
        double K[6 * ROW] = {0.0};
        double* padded = work->K + (size_t)i * 6 * ELV_ROD_K_ROW;
        (void)elv_rod_distributed(rod, &work->g[i], rod->s[i], in->t, in->load * rod->weight[i], K);
        for (int p = 0; p < 6; p++) {
            for (int k = 0; k < ROW; k++) {
                padded[p * ELV_ROD_K_ROW + k] += K[p * ROW + k];
            }
        }
    }
}
