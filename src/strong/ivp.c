// SPDX-License-Identifier: Apache-2.0
// One step of the static initial value problem and of its tangent. Unknowns of a step:
// the rotation vector theta with R = R_start exp(theta), theta' = T(theta)^-1 K; position; wrench.
#include "strong/ivp.h"

#include <math.h>
#include <string.h>

enum { STAGE = ELV_RK8_STAGE, NODE = ELV_RK8_NODE, COLUMN = ELV_IVP_COLUMN };

// a rotation in one step beyond which the shot has run away
static const double MAX_TURN = 2.0;

/// Derivatives of a stage by X, segment frame.
typedef struct {
    ElvVec3 theta, p;
    ElvWrench w;
} Rate;

/// What the tangent needs of a stage, segment frame.
typedef struct {
    ElvMat6 P;      // Ad_g C Ad_g^T
    ElvWrench w, f; // internal, external per metre
    double G[6][3]; // Ad_(g^-1)^T dF per unit turn
} Linear;

// ---- a stage

// strain at a node for the wrench lam, and the compliance unless NULL
static ElvStatus find_strain(
    const ElvStrongRod* strong, const ElvShotNode* node, ElvWrench lam, ElvTwist* xi, ElvMat6* C) {
    if (!strong->is_linear) {
        return elv_strong_strain(strong, &node->station, &node->drive, lam, 0.0, elv_twist_zero(),
                                 xi, C);
    }
    // [OCP (50)]
    double x[6], l[6];
    elv_twist_to_array(node->xi_free, x);
    elv_wrench_to_array(lam, l);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            x[i] += node->compliance.m[i][j] * l[j];
        }
    }
    *xi = elv_twist_from_array(x);
    if (C) {
        *C = node->compliance;
    }
    return ELV_OK;
}

// Ad_g m^T: row j of m, multiplied by Ad_g, becomes column j
static ElvMat6 carry_rows(const ElvPose* g, const ElvMat6* m) {
    ElvMat6 out;
    for (int j = 0; j < 6; j++) {
        double column[6];
        elv_twist_to_array(elv_twist_transform(*g, elv_twist_from_array(m->m[j])), column);
        for (int i = 0; i < 6; i++) {
            out.m[i][j] = column[i];
        }
    }
    return out;
}

static bool turns(const ElvStrongDrive* drive) {
    ElvWrench d = drive->dead;
    ElvVec3 g = drive->gravity;
    return g.x != 0.0 || g.y != 0.0 || g.z != 0.0 || d.mom.x != 0.0 || d.mom.y != 0.0 ||
           d.mom.z != 0.0 || d.frc.x != 0.0 || d.frc.y != 0.0 || d.frc.z != 0.0;
}

static void set_linear(const ElvShotNode* node,
                       const ElvPose* g,
                       const ElvPose* g_world,
                       const ElvMat6* C,
                       Linear* linear) {
    // Ad_g C Ad_g^T = Ad_g (Ad_g C^T)^T
    ElvMat6 half = carry_rows(g, C);
    linear->P = carry_rows(g, &half);
    memset(linear->G, 0, sizeof linear->G);
    for (int k = 0; k < 3 && turns(&node->drive); k++) {
        double column[6];
        ElvVec3 unit = elv_vec3(k == 0, k == 1, k == 2);
        ElvTwist zeta = elv_twist(elv_mat3_apply_transpose(g->R, unit), elv_vec3(0.0, 0.0, 0.0));
        ElvWrench d = elv_strong_wrench_variation(&node->station, &node->drive, g_world, zeta);
        elv_wrench_to_array(elv_wrench_transform(*g, d), column);
        for (int i = 0; i < 6; i++) {
            linear->G[i][k] = column[i];
        }
    }
}

static ElvStatus stage(const ElvStrongRod* strong,
                       const ElvShotNode* node,
                       bool is_free,
                       ElvIvpState* y,
                       ElvVec3 theta,
                       Rate* rate,
                       Linear* linear) {
    ElvMat6 C;
    ElvWrench lam = elv_wrench_transform_inv(y->g, y->w);
    ElvStatus status = ELV_OK;
    if (is_free) {
        memset(&C, 0, sizeof C);
        y->xi = node->xi_free;
    } else {
        status = find_strain(strong, node, lam, &y->xi, linear ? &C : NULL);
    }
    if (status != ELV_OK) {
        return status;
    }
    // the load turns with the section in the world: positions do not matter
    ElvPose g_world = elv_pose(elv_mat3_mul(y->frame.R, y->g.R), y->g.p);
    ElvWrench f = elv_strong_wrench(&node->station, &node->drive, &g_world);
    f = elv_wrench_transform(y->g, f);
    rate->theta = elv_mat3_apply(elv_so3_tangent_inv(theta), y->xi.ang);
    rate->p = elv_mat3_apply(y->g.R, y->xi.lin);
    rate->w = elv_wrench_scale(-1.0, f);
    if (linear) {
        linear->w = y->w;
        linear->f = f;
        set_linear(node, &y->g, &g_world, &C, linear);
    }
    return ELV_OK;
}

// ---- the tangent

// u = dw + ad_Z^T w and, if asked, v = ad_Z^T f - G Z, column by column
static inline void
coadjoint(int n, const double x[12][COLUMN], const Linear* l, double u[6][COLUMN], double* v) {
    ElvWrench w = l->w;
    ElvWrench f = l->f;
    for (int c = 0; c < n; c++) {
        ElvVec3 ang = elv_vec3(x[0][c], x[1][c], x[2][c]);
        ElvVec3 lin = elv_vec3(x[3][c], x[4][c], x[5][c]);
        ElvTwist Z = elv_twist(ang, lin);
        ElvWrench a = elv_twist_coad(Z, w);
        ElvWrench b = elv_twist_coad(Z, f);
        const double du[6] = {a.mom.x, a.mom.y, a.mom.z, a.frc.x, a.frc.y, a.frc.z};
        const double dv[6] = {b.mom.x, b.mom.y, b.mom.z, b.frc.x, b.frc.y, b.frc.z};
        for (int i = 0; i < 6; i++) {
            u[i][c] = x[6 + i][c] + du[i];
            v[i * COLUMN + c] =
                dv[i] - l->G[i][0] * ang.x - l->G[i][1] * ang.y - l->G[i][2] * ang.z;
        }
    }
}

// derivative of the columns at a stage                                              [OCP (77)-(78)]
static inline void
tangent_stage(int n, const double x[12][COLUMN], const Linear* l, double k[12][COLUMN]) {
    double u[6][COLUMN];
    coadjoint(n, x, l, u, k[6]);
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < n; c++) {
            k[i][c] = 0.0;
        }
        for (int j = 0; j < 6; j++) {
            double p = l->P.m[i][j];
            for (int c = 0; c < n; c++) {
                k[i][c] += p * u[j][c];
            }
        }
    }
}

// y = x + sum of a_j k_j over the rows of the columns
static inline void combine(int n,
                           const double x[12][COLUMN],
                           int n_term,
                           const int* j,
                           const double* a,
                           double h,
                           const double (*k)[12][COLUMN],
                           double y[12][COLUMN]) {
    for (int i = 0; i < 12; i++) {
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

static inline void tangent_columns(int n, const Linear* linear, double h, ElvIvpTangent* tangent) {
    double k[STAGE][12][COLUMN];
    double x[12][COLUMN];
    const double(*past)[12][COLUMN] = (const double(*)[12][COLUMN])k;
    const double(*start)[COLUMN] = (const double(*)[COLUMN])tangent->x;
    for (int i = 0; i < STAGE; i++) {
        const ElvRk8Stage* rk = &ELV_RK8[i];
        combine(n, start, rk->n, rk->j, rk->a, h, past, x);
        tangent_stage(n, (const double(*)[COLUMN])x, &linear[i], k[i]);
    }
    combine(n, start, NODE, ELV_RK8_LAST, ELV_RK8_WEIGHT, h, past, x);
    memcpy(tangent->x, x, sizeof x);
}

static void tangent_step(const Linear* linear, double h, ElvIvpTangent* tangent) {
    // two widths, each known to the compiler
    if (tangent->n <= 6) {
        tangent_columns(6, linear, h, tangent);
    } else {
        tangent_columns(COLUMN, linear, h, tangent);
    }
}

// ---- a step

static void add_rate(double factor, const Rate* rate, ElvIvpState* y, ElvVec3* theta) {
    *theta = elv_vec3_add_scaled(*theta, factor, rate->theta);
    y->g.p = elv_vec3_add_scaled(y->g.p, factor, rate->p);
    y->w = elv_wrench_add_scaled(y->w, factor, rate->w);
}

/// Strains at the nodes as they were met last.
typedef struct {
    const ElvShotNode* node;
    bool is_known[NODE];
    ElvTwist xi[NODE];
    int last;
} Guess;

// a strain to begin with at a node: what it was there, or elsewhere but for what actuators do
static void guess_strain(const Guess* guess, int i, ElvTwist* xi) {
    if (guess->is_known[i]) {
        *xi = guess->xi[i];
    } else if (guess->is_known[guess->last]) {
        ElvTwist change = elv_twist_sub(guess->node[i].xi_free, guess->node[guess->last].xi_free);
        *xi = elv_twist_add(guess->xi[guess->last], change);
    }
}

static bool is_calm(ElvVec3 theta, const ElvWrench* w) {
    // NaN fails
    double size = elv_vec3_dot(w->mom, w->mom) + elv_vec3_dot(w->frc, w->frc);
    return elv_vec3_dot(theta, theta) < MAX_TURN * MAX_TURN && size < 1e300;
}

ElvStatus elv_ivp_step(const ElvStrongRod* strong,
                       const ElvShotNode node[ELV_RK8_NODE],
                       double h,
                       bool is_free,
                       ElvIvpState* y,
                       ElvIvpTangent* tangent) {
    Rate rate[STAGE];
    Linear linear[STAGE];
    Guess guess = {.node = node};
    ElvIvpState start = *y;
    ElvVec3 theta;
    for (int i = 0; i < STAGE; i++) {
        const ElvRk8Stage* rk = &ELV_RK8[i];
        guess_strain(&guess, rk->node, &y->xi);
        theta = elv_vec3(0.0, 0.0, 0.0);
        y->g.p = start.g.p;
        y->w = start.w;
        for (int t = 0; t < rk->n; t++) {
            add_rate(h * rk->a[t], &rate[rk->j[t]], y, &theta);
        }
        if (!is_calm(theta, &y->w)) {
            return ELV_ERROR_NUMERIC;
        }
        y->g.R = elv_mat3_mul(start.g.R, elv_so3_exp(theta));
        ElvStatus status = stage(strong, &node[rk->node], is_free, y, theta, &rate[i],
                                 tangent ? &linear[i] : NULL);
        if (status != ELV_OK) {
            return status;
        }
        guess.is_known[rk->node] = true;
        guess.xi[rk->node] = y->xi;
        guess.last = rk->node;
    }
    theta = elv_vec3(0.0, 0.0, 0.0);
    y->g.p = start.g.p;
    y->w = start.w;
    for (int k = 0; k < NODE; k++) {
        add_rate(h * ELV_RK8_WEIGHT[k], &rate[ELV_RK8_LAST[k]], y, &theta);
    }
    if (!is_calm(theta, &y->w)) {
        return ELV_ERROR_NUMERIC;
    }
    y->g.R = elv_mat3_mul(start.g.R, elv_so3_exp(theta));
    if (tangent) {
        tangent_step(linear, h, tangent);
    }
    return ELV_OK;
}
