// SPDX-License-Identifier: Apache-2.0
// The tangent with inputs: steps along the equilibrium, from the sections that shooting has kept. Rotation and
// internal wrench are integrated along, in one step from each section, as plain numbers; positions do not matter.
#include "strong/reach_tangent.h"

#include "linalg/lu.h"

#include <math.h>
#include <string.h>

enum { STAGE = ELV_RK8_STAGE, NODE = ELV_RK8_NODE, MAX_X = 12 };

/// The equilibrium at a stage.
typedef struct {
    ElvMat3 R; // world
    ElvWrench lam;
    ElvTwist xi;
} Base;

ElvStatus
elv_reach_tangent_init(ElvReachTangent* tangent, int n_input, ElvPool* pool, ElvError* error) {
    size_t n = (size_t)n_input + MAX_X;
    tangent->n_input = n_input;
    tangent->column = elv_pool_take(pool, n, sizeof *tangent->column);
    tangent->stage = elv_pool_take(pool, n, sizeof *tangent->stage);
    tangent->rate = elv_pool_take(pool, STAGE * n, sizeof *tangent->rate);
    tangent->lam = elv_pool_take(pool, 6 * n, sizeof *tangent->lam);
    tangent->rhs = elv_pool_take(pool, MAX_X * n, sizeof *tangent->rhs);
    if (!tangent->column || !tangent->stage || !tangent->rate || !tangent->lam || !tangent->rhs) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    return ELV_OK;
}

// ---- a stage

// stress of each input at unit input
static void set_inputs(ElvReachTangent* t,
                       const ElvShooting* s,
                       const ElvChainInputs* inputs,
                       int i_rod,
                       const ElvShotNode* node,
                       ElvTwist xi) {
    const ElvStrongRod* strong = &s->chain.rod[i_rod].strong;
    memset(t->lam, 0, 6 * (size_t)t->n_input * sizeof *t->lam);
    for (int i = 0; i < strong->fields.n_fibre; i++) {
        int input = elv_chain_fibre_input(&s->chain, inputs, i_rod, i);
        double profile = node->station.fibre[i].profile;
        if (input < 0 || profile == 0.0) {
            continue;
        }
        double lam[6];
        elv_strong_fibre(strong, &node->station, i, xi, lam);
        for (int k = 0; k < 6; k++) {
            t->lam[6 * input + k] += profile * lam[k];
        }
    }
}

// rates of the equilibrium and of all columns
static ElvStatus stage_rates(ElvReachTangent* t,
                             const ElvShooting* s,
                             const ElvChainInputs* inputs,
                             int i_rod,
                             const ElvShotNode* node,
                             Base* y,
                             Base* rate,
                             ElvReachColumn* column_rate) {
    const ElvStrongRod* strong = &s->chain.rod[i_rod].strong;
    ElvPose g = elv_pose(y->R, elv_vec3(0.0, 0.0, 0.0));
    ElvMat6 C;
    ElvStatus status = elv_strong_strain(strong, &node->station, &node->drive, y->lam, 0.0,
                                         elv_twist_zero(), &y->xi, &C);
    if (status != ELV_OK) {
        return status;
    }
    ElvTwist xi = y->xi;
    rate->R = elv_mat3_mul(y->R, elv_mat3_hat(xi.ang));
    rate->lam =
        elv_wrench_sub(elv_twist_coad(xi, y->lam),
                       elv_strong_wrench(&node->station, &node->drive, &g, elv_twist_zero()));
    set_inputs(t, s, inputs, i_rod, node, xi);
    for (int c = 0; c < t->n; c++) {
        ElvReachColumn x = t->stage[c];
        int input = c - (t->n - t->n_input);
        double lam[6], d[6] = {0.0};
        elv_wrench_to_array(x.lam, lam);
        for (int k = 0; k < 6 && input >= 0; k++) {
            lam[k] -= t->lam[6 * input + k];
        }
        for (int i = 0; i < 36; i++) {
            d[i / 6] += C.m[i / 6][i % 6] * lam[i % 6];
        }
        ElvTwist d_xi = elv_twist_from_array(d);
        ElvWrench d_F = elv_strong_wrench_variation(&node->station, &node->drive, &g,
                                                    elv_twist_zero(), x.zeta, elv_twist_zero());
        ElvWrench turned = elv_wrench_add(elv_twist_coad(xi, x.lam), elv_twist_coad(d_xi, y->lam));
        column_rate[c].zeta = elv_twist_sub(d_xi, elv_twist_bracket(xi, x.zeta));
        column_rate[c].lam = elv_wrench_sub(turned, d_F);
    }
    return ELV_OK;
}

// ---- a step

static void add_columns(int n, double h, const ElvReachColumn* rate, ElvReachColumn* x) {
    for (int c = 0; c < n; c++) {
        x[c].zeta = elv_twist_add_scaled(x[c].zeta, h, rate[c].zeta);
        x[c].lam = elv_wrench_add_scaled(x[c].lam, h, rate[c].lam);
    }
}

static void add_base(double h, const Base* rate, Base* y) {
    y->R = elv_mat3_add(y->R, elv_mat3_scale(h, rate->R));
    y->lam = elv_wrench_add_scaled(y->lam, h, rate->lam);
}

static ElvStatus
take_step(ElvReachTangent* t, const ElvShooting* s, const ElvChainInputs* inputs, int i_step) {
    const ElvShotStep* step = &s->fine.step[i_step];
    const ElvShootSection* from = &s->section[i_step];
    const Base start = {from->g.R, from->lam, from->xi};
    Base rate[STAGE];
    Base y = start;
    size_t n = (size_t)t->n;
    for (int i = 0; i < STAGE; i++) {
        const ElvRk8Stage* rk = &ELV_RK8[i];
        y.R = start.R;
        y.lam = start.lam;
        memcpy(t->stage, t->column, n * sizeof *t->stage);
        for (int k = 0; k < rk->n; k++) {
            double h = step->h * rk->a[k];
            add_base(h, &rate[rk->j[k]], &y);
            add_columns(t->n, h, t->rate + (size_t)rk->j[k] * n, t->stage);
        }
        ElvStatus status = stage_rates(t, s, inputs, step->i_rod, &step->node[rk->node], &y,
                                       &rate[i], t->rate + (size_t)i * n);
        if (status != ELV_OK) {
            return status;
        }
    }
    for (int k = 0; k < NODE; k++) {
        add_columns(t->n, step->h * ELV_RK8_WEIGHT[k], t->rate + (size_t)ELV_RK8_LAST[k] * n,
                    t->column);
    }
    return ELV_OK;
}

// across what stands at the end of a step, whose section has pose g
static void pass(ElvReachTangent* t, const ElvShooting* s, const ElvShotStep* step, ElvPose g) {
    for (int c = 0; c < t->n; c++) {
        ElvReachColumn* x = &t->column[c];
        if (step->body) {
            x->lam = elv_wrench_sub(
                x->lam, elv_chain_body_wrench_variation(step->body, &s->in, &g, elv_twist_zero(),
                                                        x->zeta, elv_twist_zero()));
        }
        if (step->offset) {
            x->zeta = elv_twist_transform_inv(*step->offset, x->zeta);
            x->lam = elv_wrench_transform_inv(*step->offset, x->lam);
        }
    }
}

// ---- the whole

static double wrench_unit(const ElvShooting* s, int i) {
    return i < 3 ? s->moment : s->moment / s->length;
}

// columns at the first section; A receives the balance of the joint
static void start_columns(ElvReachTangent* t, const ElvShooting* s, int n_x, double* A) {
    int n_u = s->last.root.n_u;
    double r_u[36], r_lam[36], zeta[6][ELV_IVP_COLUMN];
    memset(t->column, 0, (size_t)t->n * sizeof *t->column);
    elv_shoot_root_tangent(&s->last.root, &s->in, s->last.lam[0], r_u, r_lam, zeta);
    for (int c = 0; c < n_u; c++) {
        double x[6];
        for (int i = 0; i < 6; i++) {
            x[i] = zeta[i][c];
        }
        t->column[c].zeta = elv_twist_from_array(x);
    }
    for (int c = 0; c < 6; c++) {
        double x[6] = {0.0};
        x[c] = wrench_unit(s, c);
        t->column[n_u + c].lam = elv_wrench_from_array(x);
    }
    for (int i = 0; i < n_u; i++) {
        for (int c = 0; c < n_x; c++) {
            double r =
                c < n_u ? r_u[i * n_u + c] : r_lam[i * 6 + c - n_u] * wrench_unit(s, c - n_u);
            A[i * n_x + c] = r / s->moment;
        }
    }
}

// nothing acts behind the tip: d_Lambda = 0 gives the unknowns per unit of each input
static bool close_tip(ElvReachTangent* t, const ElvShooting* s, int n_x, double* A) {
    int n_u = n_x - 6;
    int pivot[MAX_X];
    memset(t->rhs, 0, (size_t)(n_x * t->n_input) * sizeof *t->rhs);
    for (int c = 0; c < t->n; c++) {
        double lam[6];
        elv_wrench_to_array(t->column[c].lam, lam);
        for (int i = 0; i < 6; i++) {
            double value = lam[i] / wrench_unit(s, i);
            if (c < n_x) {
                A[(n_u + i) * n_x + c] = value;
            } else {
                t->rhs[(n_u + i) * t->n_input + c - n_x] = -value;
            }
        }
    }
    if (elv_lu_factor(n_x, A, pivot) >= 0) {
        return false;
    }
    elv_lu_solve(n_x, A, pivot, t->n_input, t->rhs);
    return true;
}

ElvStatus elv_reach_tangent(ElvReachTangent* tangent,
                            ElvShooting* shooting,
                            const ElvChainInputs* inputs,
                            double* J) {
    ElvReachTangent* t = tangent;
    const ElvShooting* s = shooting;
    int n_x = s->last.root.n_u + 6;
    double A[MAX_X * MAX_X];
    t->n = n_x + t->n_input;
    start_columns(t, s, n_x, A);
    for (int i = 0; i < s->fine.n_step; i++) {
        const ElvShotStep* step = &s->fine.step[i];
        ElvStatus status = take_step(t, s, inputs, i);
        if (status != ELV_OK) {
            return status;
        }
        ElvPose g = elv_pose_identity();
        if (step->body) {
            int i_node = s->chain.rod[step->i_rod].i_node;
            elv_shoot_section(shooting, i_node, step->s1, &g, NULL, NULL);
        }
        pass(t, s, step, g);
    }
    if (!close_tip(t, s, n_x, A)) {
        return ELV_ERROR_SINGULAR;
    }
    for (int c = 0; c < t->n_input; c++) {
        ElvTwist zeta = t->column[n_x + c].zeta;
        double x[6];
        for (int k = 0; k < n_x; k++) {
            zeta = elv_twist_add_scaled(zeta, t->rhs[k * t->n_input + c], t->column[k].zeta);
        }
        elv_twist_to_array(zeta, x);
        for (int i = 0; i < 6; i++) {
            J[i * t->n_input + c] = x[i];
        }
    }
    return ELV_OK;
}
