// SPDX-License-Identifier: Apache-2.0
// Segments of a chain: how they start and end, what stands between their steps, and runs over many.
#include "strong/ivp.h"

#include <string.h>

// ---- ends of steps

static void pass_tangent(const ElvChainBody* body,
                         const ElvStrongInput* in,
                         const ElvIvpState* y,
                         const ElvPose* g_world,
                         ElvIvpTangent* tangent) {
    for (int c = 0; c < tangent->n; c++) {
        double column[6], d[6];
        for (int i = 0; i < 6; i++) {
            column[i] = tangent->x[i][c];
        }
        ElvTwist zeta = elv_twist_transform_inv(y->g, elv_twist_from_array(column));
        ElvWrench dF = elv_chain_body_wrench_variation(body, in, g_world, elv_twist_zero(), zeta,
                                                       elv_twist_zero());
        elv_wrench_to_array(elv_wrench_transform(y->g, dF), d);
        for (int i = 0; i < 6; i++) {
            tangent->x[6 + i][c] -= d[i];
        }
    }
}

void elv_ivp_pass(const ElvShotStep* step,
                  const ElvStrongInput* in,
                  ElvIvpState* y,
                  ElvIvpTangent* tangent) {
    if (step->body) {
        // Lambda before = Lambda behind + wrench on the body                            [OCP (27)]
        ElvPose g_world = elv_ivp_pose(y);
        ElvWrench f = elv_wrench_transform(
            y->g, elv_chain_body_wrench(step->body, in, &g_world, elv_twist_zero()));
        y->w = elv_wrench_sub(y->w, f);
        if (tangent) {
            pass_tangent(step->body, in, y, &g_world, tangent);
        }
    }
    if (step->offset) {
        y->g = elv_pose_compose(y->g, *step->offset);
    }
}

ElvStatus elv_ivp_run(const ElvShotGrid* grid,
                      int first,
                      int last,
                      bool is_free,
                      ElvIvpState* y,
                      ElvIvpTangent* tangent,
                      ElvIvpState* start) {
    for (int i = first; i < last; i++) {
        const ElvShotStep* step = &grid->step[i];
        const ElvStrongRod* strong = &grid->chain->rod[step->i_rod].strong;
        if (i == first || step->s0 == 0.0) {
            y->xi = step->node[0].xi_free;
        }
        if (start) {
            start[i - first] = *y;
        }
        ElvStatus status = elv_ivp_step(strong, step->node, step->h, is_free, y, tangent);
        if (status != ELV_OK) {
            return status;
        }
        elv_ivp_pass(step, &grid->in, y, tangent);
    }
    return ELV_OK;
}

// ---- starts and ends

ElvIvpState elv_ivp_start(ElvPose g, ElvWrench lam) {
    ElvIvpState y = {.frame = g, .g = elv_pose_identity(), .w = lam, .xi = elv_twist_zero()};
    return y;
}

ElvPose elv_ivp_pose(const ElvIvpState* y) {
    return elv_pose_compose(y->frame, y->g);
}

ElvWrench elv_ivp_wrench(const ElvIvpState* y) {
    return elv_wrench_transform_inv(y->g, y->w);
}

void elv_ivp_tangent_start(int n,
                           const double zeta[6][ELV_IVP_COLUMN],
                           const double d_lam[6][ELV_IVP_COLUMN],
                           ElvIvpTangent* tangent) {
    // where a segment begins its frame is that of the section
    memset(tangent, 0, sizeof *tangent);
    tangent->n = n;
    for (int i = 0; i < 6; i++) {
        memcpy(tangent->x[i], zeta[i], (size_t)n * sizeof(double));
        memcpy(tangent->x[6 + i], d_lam[i], (size_t)n * sizeof(double));
    }
}

void elv_ivp_tangent_end(const ElvIvpState* y,
                         const ElvIvpTangent* tangent,
                         double zeta[6][ELV_IVP_COLUMN],
                         double d_lam[6][ELV_IVP_COLUMN]) {
    for (int c = 0; c < tangent->n; c++) {
        double Z[6], mu[6];
        for (int i = 0; i < 6; i++) {
            Z[i] = tangent->x[i][c];
            mu[i] = tangent->x[6 + i][c];
        }
        elv_twist_to_array(elv_twist_transform_inv(y->g, elv_twist_from_array(Z)), Z);
        elv_wrench_to_array(elv_wrench_transform_inv(y->g, elv_wrench_from_array(mu)), mu);
        for (int i = 0; i < 6; i++) {
            zeta[i][c] = Z[i];
            d_lam[i][c] = mu[i];
        }
    }
}
