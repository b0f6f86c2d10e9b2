// SPDX-License-Identifier: Apache-2.0
// Tangent of one step along a chain in motion.
#include "strong/motion_tangent.h"

#include <string.h>

enum {
    STAGE = ELV_RK8_STAGE,
    NODE = ELV_RK8_NODE,
    ROW = ELV_MOTION_ROW,
    COLUMN = ELV_MOTION_COLUMN
};

// ---- matrices

// ad_Z^T f = coadjoint(f) Z
static ElvMat6 coadjoint(ElvWrench f) {
    ElvMat6 m;
    for (int j = 0; j < 6; j++) {
        double unit[6] = {0.0}, column[6];
        unit[j] = 1.0;
        elv_wrench_to_array(elv_twist_coad(elv_twist_from_array(unit), f), column);
        for (int i = 0; i < 6; i++) {
            m.m[i][j] = column[i];
        }
    }
    return m;
}

static ElvMat6 transpose(const ElvMat6* a) {
    ElvMat6 m;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            m.m[i][j] = a->m[j][i];
        }
    }
    return m;
}

// x a + y b
static ElvMat6 sum(double x, const ElvMat6* a, double y, const ElvMat6* b) {
    ElvMat6 m;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            m.m[i][j] = x * a->m[i][j] + y * b->m[i][j];
        }
    }
    return m;
}

// Ad_(g^-1)^T dF per unit turn, subtracted from the columns of rotations
static void
subtract_load(const ElvShotNode* node, const ElvPose* g, const ElvPose* g_world, ElvMat6* m) {
    for (int k = 0; k < 3; k++) {
        double column[6];
        ElvVec3 unit = elv_vec3(k == 0, k == 1, k == 2);
        ElvTwist zeta = elv_twist(elv_mat3_apply_transpose(g->R, unit), elv_vec3(0.0, 0.0, 0.0));
        ElvWrench d = elv_strong_wrench_variation(&node->station, &node->drive, g_world, zeta);
        elv_wrench_to_array(elv_wrench_transform(*g, d), column);
        for (int i = 0; i < 6; i++) {
            m->m[i][k] -= column[i];
        }
    }
}

void elv_motion_linear(const ElvMotionGrid* motion,
                       const ElvShotNode* node,
                       const ElvMotionState* y,
                       const ElvPose* g_world,
                       const ElvMat6* C,
                       ElvTwist U,
                       ElvTwist Q,
                       ElvWrench slope,
                       ElvMotionLinear* l) {
    double a = motion->a;
    ElvMat6 Ad = elv_pose_adjoint(y->g);
    ElvMat6 ad_V = elv_twist_adjoint(y->V);
    ElvMat6 ad_A = elv_twist_adjoint(y->A);
    ElvMat6 ad_U = elv_twist_adjoint(U);
    ElvMat6 ad_Q = elv_twist_adjoint(Q);
    ElvMat6 one = {{{0.0}}};
    for (int i = 0; i < 6; i++) {
        one.m[i][i] = 1.0;
    }
    // strains
    ElvMat6 Cw = coadjoint(y->w);
    l->Zw = elv_mat6_mul(elv_mat6_mul(Ad, *C), transpose(&Ad));
    l->ZZ = elv_mat6_mul(l->Zw, Cw);
    // motion; ad_Z x = -ad_x Z
    ElvMat6 ad_VU = elv_mat6_mul(ad_V, ad_U);
    l->VZ = sum(-1.0, &ad_U, 0.0, &one);
    l->Az = sum(motion->b, &one, a, &ad_V);
    l->AZ = sum(-1.0, &ad_Q, -1.0, &ad_VU);
    l->AV = l->VZ;
    // inertia
    ElvMat6 I = elv_inertia_matrix(elv_inertia_transform(y->g, node->station.inertia));
    ElvWrench momentum =
        elv_inertia_apply(node->station.inertia, elv_twist_transform_inv(y->g, y->V));
    ElvMat6 Cp = coadjoint(elv_wrench_transform(y->g, momentum));
    ElvMat6 turned = elv_mat6_mul(transpose(&ad_V), I);
    ElvMat6 Cy = coadjoint(slope);
    l->wV = sum(-1.0, &Cp, -1.0, &turned);
    l->wA = I;
    l->wZ = sum(-1.0, &Cy, 0.0, &one);
    if (motion->is_local) {
        l->wV = sum(1.0, &l->wV, a, &I);
        memset(&l->wA, 0, sizeof l->wA);
    } else {
        ElvMat6 drag = elv_mat6_mul(I, ad_A);
        l->wZ = sum(1.0, &l->wZ, 1.0, &drag);
    }
    ElvMat6 spin = elv_mat6_mul(l->wV, ad_V);
    l->wZ = sum(1.0, &l->wZ, 1.0, &spin);
    subtract_load(node, &y->g, g_world, &l->wZ);
}

// ---- columns

// k += m x
static inline void
add_product(int n, const ElvMat6* m, const double x[6][COLUMN], double k[6][COLUMN]) {
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double factor = m->m[i][j];
            for (int c = 0; c < n; c++) {
                k[i][c] += factor * x[j][c];
            }
        }
    }
}

static inline void tangent_stage(int n,
                                 double a,
                                 bool is_local,
                                 const ElvMotionLinear* l,
                                 const double x[ROW][COLUMN],
                                 double k[ROW][COLUMN]) {
    const double(*past)[COLUMN] = (const double(*)[COLUMN])k;
    memset(k, 0, ROW * sizeof k[0]);
    add_product(n, &l->Zw, x + 18, k);
    add_product(n, &l->ZZ, x, k);
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < n; c++) {
            k[6 + i][c] = a * k[i][c];
        }
    }
    add_product(n, &l->VZ, x, k + 6);
    if (!is_local) {
        add_product(n, &l->Az, past, k + 12);
        add_product(n, &l->AZ, x, k + 12);
        add_product(n, &l->AV, x + 6, k + 12);
        add_product(n, &l->wA, x + 12, k + 18);
    }
    add_product(n, &l->wZ, x, k + 18);
    add_product(n, &l->wV, x + 6, k + 18);
}

static inline void combine(int n,
                           const double x[ROW][COLUMN],
                           int n_term,
                           const int* j,
                           const double* a,
                           double h,
                           const double (*k)[ROW][COLUMN],
                           double y[ROW][COLUMN]) {
    for (int i = 0; i < ROW; i++) {
        for (int c = 0; c < n; c++) {
            y[i][c] = x[i][c];
        }
        for (int t = 0; t < n_term; t++) {
            double factor = h * a[t];
            for (int c = 0; c < n; c++) {
                y[i][c] += factor * k[j[t]][i][c];
            }
        }
    }
}

static inline void tangent_columns(int n,
                                   const ElvMotionGrid* motion,
                                   const ElvMotionLinear* linear,
                                   double h,
                                   ElvMotionTangent* tangent) {
    double k[STAGE][ROW][COLUMN];
    double x[ROW][COLUMN];
    const double(*past)[ROW][COLUMN] = (const double(*)[ROW][COLUMN])k;
    const double(*start)[COLUMN] = (const double(*)[COLUMN])tangent->x;
    for (int i = 0; i < STAGE; i++) {
        const ElvRk8Stage* rk = &ELV_RK8[i];
        combine(n, start, rk->n, rk->j, rk->a, h, past, x);
        tangent_stage(n, motion->a, motion->is_local, &linear[i], (const double(*)[COLUMN])x, k[i]);
    }
    combine(n, start, NODE, ELV_RK8_LAST, ELV_RK8_WEIGHT, h, past, x);
    for (int i = 0; i < ROW; i++) {
        memcpy(tangent->x[i], x[i], (size_t)n * sizeof(double));
    }
}

void elv_motion_tangent_step(const ElvMotionGrid* motion,
                             const ElvMotionLinear linear[ELV_RK8_STAGE],
                             double h,
                             ElvMotionTangent* tangent) {
    // three widths, each known to the compiler; columns that are not in use are zero
    if (tangent->n <= 6) {
        tangent_columns(6, motion, linear, h, tangent);
    } else if (tangent->n <= 12) {
        tangent_columns(12, motion, linear, h, tangent);
    } else {
        tangent_columns(COLUMN, motion, linear, h, tangent);
    }
}
