// SPDX-License-Identifier: Apache-2.0
// The equations of the passes by the Runge-Kutta method of order 8, all numbers of a section in one row. Within a
// step the rotation is R = R_start exp(theta), theta' = T(theta)^-1 K.
#include "strong/sweep_step.h"

#include <string.h>

// places in the row of a section: composite bodies or accelerations stand behind the motion
enum {
    THETA = 0,
    POSITION = 3,
    ETA = 6,
    COMPOSITE = 12,
    COMPOSITE_S = COMPOSITE + 27,
    ETA_DOT = 12,
    LAM = 18,
    CHANGE = 24,
    COST = 30,
    ROW = 45,
    STAGE = ELV_RK8_STAGE,
    NODE = ELV_RK8_NODE
};

static int row_length(ElvSweepPass pass) {
    switch (pass) {
    case ELV_SWEEP_MOTION:
        return COMPOSITE;
    case ELV_SWEEP_COMPOSITE:
        return ROW;
    case ELV_SWEEP_ACCELERATION:
        return CHANGE;
    default:
        return COST + 1;
    }
}

static void pack(ElvSweepPass pass, const ElvSweepState* y, double* row) {
    memset(row, 0, ROW * sizeof *row);
    row[POSITION] = y->g.p.x;
    row[POSITION + 1] = y->g.p.y;
    row[POSITION + 2] = y->g.p.z;
    elv_twist_to_array(y->eta, row + ETA);
    if (pass == ELV_SWEEP_COMPOSITE) {
        memcpy(row + COMPOSITE, &y->S, sizeof y->S);
        elv_wrench_to_array(y->s, row + COMPOSITE_S);
    } else if (pass != ELV_SWEEP_MOTION) {
        elv_twist_to_array(y->eta_dot, row + ETA_DOT);
        elv_wrench_to_array(y->lam, row + LAM);
        elv_twist_to_array(y->change, row + CHANGE);
        row[COST] = y->cost;
    }
}

static void unpack(ElvSweepPass pass, const ElvMat3* R, const double* row, ElvSweepState* y) {
    ElvVec3 theta = elv_vec3(row[THETA], row[THETA + 1], row[THETA + 2]);
    y->g = elv_pose(elv_mat3_mul(*R, elv_so3_exp(theta)),
                    elv_vec3(row[POSITION], row[POSITION + 1], row[POSITION + 2]));
    y->eta = elv_twist_from_array(row + ETA);
    if (pass == ELV_SWEEP_COMPOSITE) {
        memcpy(&y->S, row + COMPOSITE, sizeof y->S);
        y->s = elv_wrench_from_array(row + COMPOSITE_S);
    } else if (pass != ELV_SWEEP_MOTION) {
        y->eta_dot = elv_twist_from_array(row + ETA_DOT);
        y->lam = elv_wrench_from_array(row + LAM);
        y->change = elv_twist_from_array(row + CHANGE);
        y->cost = row[COST];
    }
}

// ---- the equations

// M + ad_xi^T S + S ad_xi, block by block
static ElvInertia composite_rate(ElvTwist xi, const ElvInertia* M, const ElvInertia* S) {
    ElvMat3 K = elv_mat3_hat(xi.ang);
    ElvMat3 G = elv_mat3_hat(xi.lin);
    ElvMat3 JK = elv_mat3_mul(S->J, K);
    ElvMat3 HG = elv_mat3_mul(S->H, G);
    ElvMat3 MK = elv_mat3_mul(S->M, K);
    ElvMat3 H = elv_mat3_sub(elv_mat3_mul(S->H, K), elv_mat3_mul(K, S->H));
    ElvInertia rate;
    rate.J = elv_mat3_add(elv_mat3_add(JK, elv_mat3_transpose(JK)),
                          elv_mat3_add(HG, elv_mat3_transpose(HG)));
    rate.H = elv_mat3_sub(H, elv_mat3_mul(G, S->M));
    rate.M = elv_mat3_add(MK, elv_mat3_transpose(MK));
    return elv_inertia_add(*M, rate);
}

// F_tilde: external wrench and what the velocity asks for
static ElvWrench bias_wrench(const ElvShotNode* node, const ElvSweepState* y) {
    ElvWrench F = elv_strong_wrench(&node->station, &node->drive, &y->g, y->eta);
    ElvWrench momentum = elv_inertia_apply(node->station.inertia, y->eta);
    return elv_wrench_add(F, elv_twist_coad(y->eta, momentum));
}

static void composite_rates(const ElvShotNode* node,
                            const ElvSweepNode* given,
                            const ElvSweepState* y,
                            double* rate) {
    // [OCP (84)]
    ElvInertia S = composite_rate(given->xi, &node->station.inertia, &y->S);
    ElvTwist drift = elv_twist_sub(elv_twist_bracket(given->xi_dot, y->eta), given->xi_ddot);
    ElvWrench s = elv_wrench_sub(elv_twist_coad(given->xi, y->s), bias_wrench(node, y));
    memcpy(rate + COMPOSITE, &S, sizeof S);
    elv_wrench_to_array(elv_wrench_add(s, elv_inertia_apply(y->S, drift)), rate + COMPOSITE_S);
}

static void acceleration_rates(const ElvShotNode* node,
                               const ElvSweepNode* given,
                               const ElvSweepState* y,
                               double* rate) {
    // [OCP (45)]
    ElvTwist turned = elv_twist_add(elv_twist_bracket(given->xi, y->eta_dot),
                                    elv_twist_bracket(given->xi_dot, y->eta));
    ElvWrench inertial = elv_inertia_apply(node->station.inertia, y->eta_dot);
    ElvWrench lam = elv_wrench_add(elv_twist_coad(given->xi, y->lam), inertial);
    elv_twist_to_array(elv_twist_sub(given->xi_ddot, turned), rate + ETA_DOT);
    elv_wrench_to_array(elv_wrench_sub(lam, bias_wrench(node, y)), rate + LAM);
}

// the cost of the changed acceleration, with the stress turned to Cosserat's convention      [OCP (35)]
static void gauss_rates(const ElvShotNode* node,
                        const ElvSweepNode* given,
                        const ElvSweepState* y,
                        ElvWrench stress,
                        double* rate) {
    ElvTwist change = elv_twist_sub(given->change, elv_twist_bracket(given->xi, y->change));
    elv_twist_to_array(change, rate + CHANGE);
    ElvTwist eta_dot = elv_twist_add(y->eta_dot, y->change);
    ElvTwist u = elv_twist_add(given->xi_ddot, given->change);
    double energy = 0.5 * elv_power(eta_dot, elv_inertia_apply(node->station.inertia, eta_dot));
    rate[COST] = energy - elv_power(eta_dot, bias_wrench(node, y)) + elv_power(u, stress);
}

static void rates(const ElvShotNode* node,
                  const ElvSweepNode* given,
                  ElvSweepPass pass,
                  ElvVec3 theta,
                  const ElvSweepState* y,
                  double* rate) {
    // [OCP (49)]
    ElvVec3 turn = elv_mat3_apply(elv_so3_tangent_inv(theta), given->xi.ang);
    ElvVec3 move = elv_mat3_apply(y->g.R, given->xi.lin);
    ElvTwist eta = elv_twist_sub(given->xi_dot, elv_twist_bracket(given->xi, y->eta));
    elv_twist_to_array(elv_twist(turn, move), rate + THETA);
    elv_twist_to_array(eta, rate + ETA);
    if (pass == ELV_SWEEP_COMPOSITE) {
        composite_rates(node, given, y, rate);
    } else if (pass != ELV_SWEEP_MOTION) {
        acceleration_rates(node, given, y, rate);
    }
    if (pass == ELV_SWEEP_GAUSS || pass == ELV_SWEEP_GAUSS_LAW) {
        gauss_rates(node, given, y, pass == ELV_SWEEP_GAUSS ? y->lam : given->stress, rate);
    }
}

// ---- the step

void elv_sweep_step(const ElvShotNode node[ELV_RK8_NODE],
                    const ElvSweepNode given[ELV_RK8_NODE],
                    ElvSweepPass pass,
                    double h,
                    ElvSweepState* y) {
    double rate[STAGE][ROW];
    double start[ROW], row[ROW];
    int n = row_length(pass);
    ElvMat3 R = y->g.R;
    pack(pass, y, start);
    for (int i = 0; i < STAGE; i++) {
        const ElvRk8Stage* rk = &ELV_RK8[i];
        memcpy(row, start, sizeof row);
        for (int t = 0; t < rk->n; t++) {
            for (int k = 0; k < n; k++) {
                row[k] += h * rk->a[t] * rate[rk->j[t]][k];
            }
        }
        unpack(pass, &R, row, y);
        // the nodes lie the same way from both ends
        int at = h < 0.0 ? NODE - 1 - rk->node : rk->node;
        rates(&node[at], &given[at], pass, elv_vec3(row[0], row[1], row[2]), y, rate[i]);
    }
    memcpy(row, start, sizeof row);
    for (int t = 0; t < NODE; t++) {
        for (int k = 0; k < n; k++) {
            row[k] += h * ELV_RK8_WEIGHT[t] * rate[ELV_RK8_LAST[t]][k];
        }
    }
    unpack(pass, &R, row, y);
}
