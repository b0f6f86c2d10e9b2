// SPDX-License-Identifier: Apache-2.0
// Tangent of one step of the static initial value problem: equations of a stage, and columns four at a time.
#include "strong/ivp_tangent.h"

#include "base/real4.h"

#include <string.h>

enum { STAGE = ELV_RK8_STAGE, NODE = ELV_RK8_NODE, COLUMN = ELV_IVP_COLUMN, ROW = 12, VECTOR = 3 };

_Static_assert(COLUMN == 4 * VECTOR, "columns come in vectors of four");

// ---- the equations of a stage

// block (row, column) of C
static ElvMat3 block(const ElvMat6* C, int row, int column) {
    ElvMat3 m;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m.m[i][j] = C->m[3 * row + i][3 * column + j];
        }
    }
    return m;
}

// R A R^T
static ElvMat3 rotate(const ElvMat3* R, ElvMat3 a) {
    ElvMat3 half = elv_mat3_mul(*R, a);
    ElvMat3 m;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m.m[i][j] =
                half.m[i][0] * R->m[j][0] + half.m[i][1] * R->m[j][1] + half.m[i][2] * R->m[j][2];
        }
    }
    return m;
}

// a + hat(p) b
static ElvMat3 add_hat(ElvMat3 a, ElvVec3 p, const ElvMat3* b) {
    for (int j = 0; j < 3; j++) {
        ElvVec3 c = elv_vec3_cross(p, elv_vec3(b->m[0][j], b->m[1][j], b->m[2][j]));
        a.m[0][j] += c.x;
        a.m[1][j] += c.y;
        a.m[2][j] += c.z;
    }
    return a;
}

// a - b hat(p)
static ElvMat3 subtract_by_hat(ElvMat3 a, const ElvMat3* b, ElvVec3 p) {
    for (int i = 0; i < 3; i++) {
        ElvVec3 c = elv_vec3_cross(p, elv_vec3(b->m[i][0], b->m[i][1], b->m[i][2]));
        a.m[i][0] += c.x;
        a.m[i][1] += c.y;
        a.m[i][2] += c.z;
    }
    return a;
}

// Ad_g C Ad_g^T = [1 0; hat(p) 1] R C R^T [1 -hat(p); 0 1]
static void carry(const ElvPose* g, const ElvMat6* C, bool bends_alone, double P[6][6]) {
    ElvMat3 A = rotate(&g->R, block(C, 0, 0));
    ElvMat3 B = elv_mat3_zero(), D = elv_mat3_zero(), E = elv_mat3_zero();
    if (!bends_alone) {
        B = rotate(&g->R, block(C, 0, 1));
        D = rotate(&g->R, block(C, 1, 0));
        E = subtract_by_hat(rotate(&g->R, block(C, 1, 1)), &D, g->p);
    }
    B = subtract_by_hat(B, &A, g->p);
    D = add_hat(D, g->p, &A);
    E = add_hat(E, g->p, &B);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            P[i][j] = A.m[i][j];
            P[i][3 + j] = B.m[i][j];
            P[3 + i][j] = D.m[i][j];
            P[3 + i][3 + j] = E.m[i][j];
        }
    }
}

void elv_ivp_linear(const ElvShotNode* node,
                    const ElvIvpLoad* load,
                    const ElvIvpState* y,
                    const ElvMat6* C,
                    bool bends_alone,
                    ElvIvpLinear* linear) {
    carry(&y->g, C, bends_alone, linear->P);
    elv_wrench_to_array(y->w, linear->w);
    linear->turns = load->acts;
    if (!load->acts) {
        return;
    }
    // G = hat(dead moment) + hat(p) hat(dead force) + hat(R moment) hat(gravity)
    ElvMat3 G = elv_mat3_hat(load->dead.mom);
    ElvMat3 force = elv_mat3_hat(load->dead.frc);
    G = add_hat(G, y->g.p, &force);
    if (load->is_eccentric) {
        ElvMat3 weight = elv_mat3_hat(load->gravity);
        G = add_hat(G, elv_mat3_apply(y->g.R, node->station.moment), &weight);
    }
    G = elv_mat3_scale(-1.0, G);
    memcpy(linear->G, G.m, sizeof linear->G);
    linear->force[0] = load->dead.frc.x;
    linear->force[1] = load->dead.frc.y;
    linear->force[2] = load->dead.frc.z;
}

// ---- columns: rows of n vectors of four

// k += m x, a square matrix of n_row rows
ELV_INLINE void
add_product(int n, int n_row, const double* m, const ElvReal4 (*x)[VECTOR], ElvReal4 (*k)[VECTOR]) {
    for (int i = 0; i < n_row; i++) {
        for (int j = 0; j < n_row; j++) {
            for (int v = 0; v < n; v++) {
                k[i][v] += m[n_row * i + j] * x[j][v];
            }
        }
    }
}

// k += sign a x x
ELV_INLINE void add_cross(
    int n, double sign, const double a[3], const ElvReal4 (*x)[VECTOR], ElvReal4 (*k)[VECTOR]) {
    double ax = sign * a[0], ay = sign * a[1], az = sign * a[2];
    for (int v = 0; v < n; v++) {
        k[0][v] += ay * x[2][v] - az * x[1][v];
        k[1][v] += az * x[0][v] - ax * x[2][v];
        k[2][v] += ax * x[1][v] - ay * x[0][v];
    }
}

// derivative of the columns at a stage                                              [OCP (77)-(78)]
ELV_INLINE void stage_columns(int n,
                              const ElvIvpLinear* l,
                              const ElvReal4 x[ROW][VECTOR],
                              ElvReal4 k[ROW][VECTOR]) {
    const ElvReal4(*Z)[VECTOR] = (const ElvReal4(*)[VECTOR])k;
    for (int i = 0; i < ROW; i++) {
        for (int v = 0; v < n; v++) {
            k[i][v] = elv_real4(0.0);
        }
    }
    add_product(n, 6, &l->P[0][0], x + 6, k);
    // ad_(Z')^T w
    add_cross(n, 1.0, l->w, Z, k + 6);
    add_cross(n, 1.0, l->w + 3, Z + 3, k + 6);
    add_cross(n, 1.0, l->w + 3, Z, k + 9);
    if (l->is_wet) {
        add_product(n, 6, &l->B[0][0], x, k + 6);
    }
    if (l->turns) {
        add_product(n, 3, &l->G[0][0], x, k + 6);
        add_cross(n, -1.0, l->force, x, k + 9);
    }
}

// y = x + h sum of a_j k_j
ELV_INLINE void combine(int n,
                        const ElvReal4 x[ROW][VECTOR],
                        int n_term,
                        const int* j,
                        const double* a,
                        double h,
                        const ElvReal4 (*k)[ROW][VECTOR],
                        ElvReal4 y[ROW][VECTOR]) {
    // as many rows at a time as there are registers for
    for (int i = 0; i < ROW; i += 3) {
        ElvReal4 sum[3][VECTOR];
        for (int m = 0; m < 3 * n; m++) {
            sum[m / n][m % n] = x[i + m / n][m % n];
        }
        for (int t = 0; t < n_term; t++) {
            double length = h * a[t];
            for (int m = 0; m < 3 * n; m++) {
                sum[m / n][m % n] += length * k[j[t]][i + m / n][m % n];
            }
        }
        for (int m = 0; m < 3 * n; m++) {
            y[i + m / n][m % n] = sum[m / n][m % n];
        }
    }
}

ELV_INLINE void step_columns(int n, const ElvIvpLinear* linear, double h, ElvIvpTangent* tangent) {
    ElvReal4 start[ROW][VECTOR], x[ROW][VECTOR], k[STAGE][ROW][VECTOR];
    const ElvReal4(*from)[VECTOR] = (const ElvReal4(*)[VECTOR])start;
    const ElvReal4(*past)[ROW][VECTOR] = (const ElvReal4(*)[ROW][VECTOR])k;
    for (int i = 0; i < ROW; i++) {
        for (int v = 0; v < n; v++) {
            start[i][v] = elv_real4_load(&tangent->x[i][4 * v]);
        }
    }
    for (int i = 0; i < STAGE; i++) {
        const ElvRk8Stage* rk = &ELV_RK8[i];
        combine(n, from, rk->n, rk->j, rk->a, h, past, x);
        stage_columns(n, &linear[i], (const ElvReal4(*)[VECTOR])x, k[i]);
    }
    combine(n, from, NODE, ELV_RK8_LAST, ELV_RK8_WEIGHT, h, past, x);
    for (int i = 0; i < ROW; i++) {
        for (int v = 0; v < n; v++) {
            elv_real4_store(&tangent->x[i][4 * v], x[i][v]);
        }
    }
}

ELV_VECTOR_CLONES
void elv_ivp_tangent_step(const ElvIvpLinear linear[ELV_RK8_STAGE],
                          double h,
                          ElvIvpTangent* tangent) {
    // two widths, each known to the compiler; columns that are not in use are zero
    if (tangent->n <= 8) {
        step_columns(2, linear, h, tangent);
    } else {
        step_columns(3, linear, h, tangent);
    }
}
