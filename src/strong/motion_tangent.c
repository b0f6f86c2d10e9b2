// SPDX-License-Identifier: Apache-2.0
// Tangent of one step along a chain in motion: matrices for four segments at once, columns for one after the other.
#include "strong/motion_tangent.h"

enum {
    STAGE = ELV_RK8_STAGE,
    NODE = ELV_RK8_NODE,
    ROW = ELV_MOTION_ROW,
    COLUMN = ELV_MOTION_COLUMN
};

// ---- matrices

/// [A B; D E] by 3 x 3 blocks.
typedef struct {
    ElvMat3x4 m[2][2];
} Block4;

ELV_INLINE void put_vec(ElvVec3x4 v, double to[3][4]) {
    elv_real4_store(to[0], v.x);
    elv_real4_store(to[1], v.y);
    elv_real4_store(to[2], v.z);
}

ELV_INLINE void put_blocks(const Block4* a, double to[6][6][4]) {
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            elv_real4_store(to[i][j], a->m[i / 3][j / 3].m[i % 3][j % 3]);
        }
    }
}

ELV_INLINE void add_row(ElvMat3x4* a, int i, ElvVec3x4 row) {
    a->m[i][0] += row.x;
    a->m[i][1] += row.y;
    a->m[i][2] += row.z;
}

ELV_INLINE void add_column(ElvMat3x4* a, int j, ElvVec3x4 column) {
    a->m[0][j] += column.x;
    a->m[1][j] += column.y;
    a->m[2][j] += column.z;
}

// a += hat(p) b
ELV_INLINE void add_hat(ElvMat3x4* a, ElvVec3x4 p, const ElvMat3x4* b) {
    for (int j = 0; j < 3; j++) {
        add_column(a, j, elv_vec3x4_cross(p, elv_mat3x4_column(b, j)));
    }
}

// a -= b hat(p)
ELV_INLINE void subtract_by_hat(ElvMat3x4* a, const ElvMat3x4* b, ElvVec3x4 p) {
    for (int i = 0; i < 3; i++) {
        add_row(a, i, elv_vec3x4_cross(p, elv_mat3x4_row(b, i)));
    }
}

ELV_INLINE ElvMat3x4 transpose(const ElvMat3x4* a) {
    ElvMat3x4 t;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            t.m[i][j] = a->m[j][i];
        }
    }
    return t;
}

ELV_INLINE ElvMat3x4 zero(void) {
    return (ElvMat3x4){{{{0.0}}}};
}

// Ad_g C Ad_g^T = [1 0; hat(p) 1] R C R^T [1 -hat(p); 0 1]
ELV_INLINE Block4 carry_compliance(const ElvMotionNode4* node, const ElvPose4* g) {
    Block4 c = {{{zero(), zero()}, {zero(), zero()}}};
    c.m[0][0] = elv_mat3x4_rotate(&g->R, &node->C[0][0]);
    if (!node->bends_alone) {
        c.m[0][1] = elv_mat3x4_rotate(&g->R, &node->C[0][1]);
        c.m[1][0] = elv_mat3x4_rotate(&g->R, &node->C[1][0]);
        c.m[1][1] = elv_mat3x4_rotate(&g->R, &node->C[1][1]);
        subtract_by_hat(&c.m[1][1], &c.m[1][0], g->p);
    }
    subtract_by_hat(&c.m[0][1], &c.m[0][0], g->p);
    add_hat(&c.m[1][0], g->p, &c.m[0][0]);
    add_hat(&c.m[1][1], g->p, &c.m[0][1]);
    return c;
}

// Ad_(g^-1)^T M Ad_(g^-1) = [1 hat(p); 0 1] R M R^T [1 0; -hat(p) 1]
ELV_INLINE Block4 carry_inertia(const ElvMotionNode4* node, const ElvPose4* g) {
    Block4 I;
    I.m[0][0] = elv_mat3x4_rotate(&g->R, &node->J);
    I.m[0][1] = elv_mat3x4_rotate(&g->R, &node->H);
    I.m[1][1] = elv_mat3x4_rotate(&g->R, &node->M);
    ElvMat3x4 H_T = transpose(&I.m[0][1]);
    add_hat(&I.m[0][0], g->p, &H_T);
    add_hat(&I.m[0][1], g->p, &I.m[1][1]);
    subtract_by_hat(&I.m[0][0], &I.m[0][1], g->p);
    I.m[1][0] = transpose(&I.m[0][1]);
    return I;
}

ELV_INLINE ElvWrench4 apply_blocks(const Block4* a, ElvTwist4 v) {
    return (ElvWrench4){
        elv_vec3x4_add(elv_mat3x4_apply(&a->m[0][0], v.ang), elv_mat3x4_apply(&a->m[0][1], v.lin)),
        elv_vec3x4_add(elv_mat3x4_apply(&a->m[1][0], v.ang), elv_mat3x4_apply(&a->m[1][1], v.lin))};
}

// a -= hat(v)
ELV_INLINE void subtract_hat(ElvMat3x4* a, ElvVec3x4 v) {
    a->m[0][1] += v.z;
    a->m[0][2] -= v.y;
    a->m[1][0] -= v.z;
    a->m[1][2] += v.x;
    a->m[2][0] += v.y;
    a->m[2][1] -= v.x;
}

// N v = -ad_v^T h - ad_V^T I v, h = I V; and -ad_V^T f = (V_ang x f_mom + V_lin x f_frc; V_ang x f_frc)
ELV_INLINE Block4 gyroscopic(const Block4* I, ElvTwist4 V) {
    Block4 N;
    ElvWrench4 h = apply_blocks(I, V);
    for (int c = 0; c < 2; c++) {
        N.m[0][c] = N.m[1][c] = zero();
        add_hat(&N.m[0][c], V.ang, &I->m[0][c]);
        add_hat(&N.m[0][c], V.lin, &I->m[1][c]);
        add_hat(&N.m[1][c], V.ang, &I->m[1][c]);
    }
    subtract_hat(&N.m[0][0], h.mom);
    subtract_hat(&N.m[0][1], h.frc);
    subtract_hat(&N.m[1][0], h.frc);
    return N;
}

// moments of -G: those of a load that does not turn while the section does,
//     G = hat(dead moment) + hat(p) hat(dead force) + hat(R moment) hat(gravity)
ELV_INLINE ElvMat3x4 turned_load(const ElvMotionNode4* node, const ElvPose4* g) {
    ElvMat3x4 G = zero(), force = zero(), weight = zero();
    subtract_hat(&G, node->dead.mom);
    subtract_hat(&force, node->dead.frc);
    subtract_hat(&weight, node->gravity);
    add_hat(&G, g->p, &force);
    add_hat(&G, elv_mat3x4_apply(&g->R, node->moment), &weight);
    return G;
}

ELV_VECTOR_CLONES
void elv_motion_linear(const ElvMotionGrid* motion,
                       const ElvMotionNode4* node,
                       const ElvMotionStage4* at,
                       ElvMotionLinear* l) {
    Block4 P = carry_compliance(node, &at->g);
    Block4 I = carry_inertia(node, &at->g);
    Block4 N = gyroscopic(&I, at->V);
    ElvMat3x4 G = turned_load(node, &at->g);
    ElvTwist4 E = elv_twist4_add_scaled(at->A, motion->a, at->V);
    if (motion->is_local) {
        for (int k = 0; k < 36; k++) {
            N.m[k / 18][k / 9 % 2].m[k / 3 % 3][k % 3] +=
                motion->a * I.m[k / 18][k / 9 % 2].m[k / 3 % 3][k % 3];
        }
    }
    put_blocks(&P, l->P);
    put_blocks(&I, l->I);
    put_blocks(&N, l->N);
    for (int i = 0; i < 3; i++) {
        put_vec(elv_mat3x4_row(&G, i), l->G[i]);
    }
    put_vec(node->dead.frc, l->f);
    put_vec(at->V.ang, l->V);
    put_vec(at->V.lin, l->V + 3);
    put_vec(E.ang, l->E);
    put_vec(E.lin, l->E + 3);
    put_vec(at->U.ang, l->U);
    put_vec(at->U.lin, l->U + 3);
    put_vec(at->w.mom, l->w);
    put_vec(at->w.frc, l->w + 3);
}

// ---- columns: rows of n vectors of four

// k += m x, n_row rows and columns of m
ELV_INLINE void add_product(int n,
                            int size,
                            int n_row,
                            int n_column,
                            const double* m,
                            int lane,
                            const ElvReal4 (*x)[2],
                            ElvReal4 (*k)[2]) {
    for (int i = 0; i < n_row; i++) {
        for (int j = 0; j < n_column; j++) {
            double factor = m[4 * (size * i + j) + lane];
            for (int v = 0; v < n; v++) {
                k[i][v] += factor * x[j][v];
            }
        }
    }
}

// k += sign a x x
ELV_INLINE void add_cross(
    int n, double sign, const double a[3][4], int lane, const ElvReal4 (*x)[2], ElvReal4 (*k)[2]) {
    double ax = sign * a[0][lane], ay = sign * a[1][lane], az = sign * a[2][lane];
    for (int v = 0; v < n; v++) {
        k[0][v] += ay * x[2][v] - az * x[1][v];
        k[1][v] += az * x[0][v] - ax * x[2][v];
        k[2][v] += ax * x[1][v] - ay * x[0][v];
    }
}

// k += sign ad_a x
ELV_INLINE void add_bracket(
    int n, double sign, const double a[6][4], int lane, const ElvReal4 (*x)[2], ElvReal4 (*k)[2]) {
    add_cross(n, sign, a, lane, x, k);
    add_cross(n, sign, a + 3, lane, x, k + 3);
    add_cross(n, sign, a, lane, x + 3, k + 3);
}

ELV_INLINE void stage_columns(int n,
                              const ElvMotionGrid* motion,
                              const ElvMotionLinear* l,
                              int lane,
                              const ElvReal4 x[ROW][2],
                              ElvReal4 k[ROW][2]) {
    ElvReal4 rate[6][2] = {{{0.0}}};
    const ElvReal4(*Z)[2] = (const ElvReal4(*)[2])rate;
    add_product(n, 6, 6, 6, &l->P[0][0][0], lane, x + 18, rate);
    for (int i = 0; i < 6; i++) {
        for (int v = 0; v < n; v++) {
            k[i][v] = rate[i][v];
            k[6 + i][v] = motion->a * rate[i][v];
            k[12 + i][v] = motion->b * rate[i][v];
            k[18 + i][v] = elv_real4(0.0);
        }
    }
    add_bracket(n, 1.0, l->V, lane, Z, k + 6);
    if (!motion->is_local) {
        add_bracket(n, 1.0, l->E, lane, Z, k + 12);
        add_bracket(n, -1.0, l->U, lane, x + 6, k + 12);
        add_product(n, 6, 6, 6, &l->I[0][0][0], lane, x + 12, k + 18);
    }
    add_product(n, 6, 6, 6, &l->N[0][0][0], lane, x + 6, k + 18);
    add_product(n, 3, 3, 3, &l->G[0][0][0], lane, x, k + 18);
    add_cross(n, -1.0, l->f, lane, x, k + 21);
    if (l->is_wet) {
        add_product(n, 6, 6, 6, &l->B[0][0][0], lane, x, k + 18);
    }
    // ad_(Z')^T w
    add_cross(n, 1.0, l->w, lane, Z, k + 18);
    add_cross(n, 1.0, l->w + 3, lane, Z + 3, k + 18);
    add_cross(n, 1.0, l->w + 3, lane, Z, k + 21);
}

// y = x + h sum of a_j k_j
ELV_INLINE void combine(int n,
                        const ElvReal4 x[ROW][2],
                        int n_term,
                        const int* j,
                        const double* a,
                        double h,
                        const ElvReal4 (*k)[ROW][2],
                        ElvReal4 y[ROW][2]) {
    // as many rows at a time as there are registers for
    for (int i = 0; i < ROW; i += 4) {
        ElvReal4 sum[4][2];
        for (int m = 0; m < 4 * n; m++) {
            sum[m / n][m % n] = x[i + m / n][m % n];
        }
        for (int t = 0; t < n_term; t++) {
            double length = h * a[t];
            for (int m = 0; m < 4 * n; m++) {
                sum[m / n][m % n] += length * k[j[t]][i + m / n][m % n];
            }
        }
        for (int m = 0; m < 4 * n; m++) {
            y[i + m / n][m % n] = sum[m / n][m % n];
        }
    }
}

// n vectors of columns from column c on
ELV_INLINE void step_columns(int n,
                             const ElvMotionGrid* motion,
                             const ElvMotionLinear* linear,
                             int lane,
                             double h,
                             int c,
                             ElvMotionTangent* tangent) {
    ElvReal4 start[ROW][2], x[ROW][2], k[STAGE][ROW][2];
    const ElvReal4(*from)[2] = (const ElvReal4(*)[2])start;
    const ElvReal4(*past)[ROW][2] = (const ElvReal4(*)[ROW][2])k;
    for (int i = 0; i < ROW; i++) {
        for (int v = 0; v < n; v++) {
            start[i][v] = elv_real4_load(&tangent->x[i][c + 4 * v]);
        }
    }
    for (int i = 0; i < STAGE; i++) {
        const ElvRk8Stage* rk = &ELV_RK8[i];
        combine(n, from, rk->n, rk->j, rk->a, h, past, x);
        stage_columns(n, motion, &linear[i], lane, (const ElvReal4(*)[2])x, k[i]);
    }
    combine(n, from, NODE, ELV_RK8_LAST, ELV_RK8_WEIGHT, h, past, x);
    for (int i = 0; i < ROW; i++) {
        for (int v = 0; v < n; v++) {
            elv_real4_store(&tangent->x[i][c + 4 * v], x[i][v]);
        }
    }
}

ELV_VECTOR_CLONES
void elv_motion_tangent_step(const ElvMotionGrid* motion,
                             const ElvMotionLinear linear[ELV_RK8_STAGE],
                             int lane,
                             double h,
                             ElvMotionTangent* tangent) {
    // columns beyond those in use are zero
    int c = 0;
    for (; c + 4 < tangent->n; c += 8) {
        step_columns(2, motion, linear, lane, h, c, tangent);
    }
    if (c < tangent->n) {
        step_columns(1, motion, linear, lane, h, c, tangent);
    }
}
