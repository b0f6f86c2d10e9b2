// SPDX-License-Identifier: Apache-2.0
// What acts from outside on a rigid body of a chain, in its own frame: weight and point loads, and how that
// varies with its pose, delta g = g hat(d_zeta).
#include "strong/chain.h"

bool elv_chain_body_is_empty(const ElvChainBody* body) {
    return !body->is_massive && body->n_load == 0;
}

// components of a point load, NULL laws apart; false: it does not act
static bool eval_load(const ElvPointLoad* load, const ElvStrongInput* in, ElvWrench* F) {
    double value[6];
    if (elv_law_value(load->when, in->t, 0.0) == 0.0) {
        return false;
    }
    for (int k = 0; k < 6; k++) {
        value[k] = in->load * elv_law_value(load->law[k], in->t, 0.0);
    }
    *F = elv_wrench_from_array(value);
    return true;
}

// R^T F, about the same point
static ElvWrench turn_back(const ElvMat3* R, ElvWrench F) {
    return elv_wrench(elv_mat3_apply_transpose(*R, F.mom), elv_mat3_apply_transpose(*R, F.frc));
}

// a wrench at point p of the body, about its origin
static ElvWrench carry(ElvVec3 p, ElvWrench F) {
    return elv_wrench(elv_vec3_add(F.mom, elv_vec3_cross(p, F.frc)), F.frc);
}

ElvWrench
elv_chain_body_wrench(const ElvChainBody* body, const ElvStrongInput* in, const ElvPose* g) {
    ElvVec3 gravity = elv_mat3_apply_transpose(g->R, in->gravity);
    ElvWrench sum =
        elv_wrench(elv_vec3_cross(body->moment, gravity), elv_vec3_scale(body->mass, gravity));
    for (int i = 0; i < body->n_load; i++) {
        const ElvChainLoad* at = &body->load[i];
        ElvWrench F;
        if (!eval_load(at->load, in, &F)) {
            continue;
        }
        // dead loads keep world axes: only their point moves with the body
        F = at->load->axes == ELV_AXES_WORLD ? carry(at->pose.p, turn_back(&g->R, F))
                                             : elv_wrench_transform(at->pose, F);
        sum = elv_wrench_add(sum, F);
    }
    return sum;
}

ElvWrench elv_chain_body_wrench_variation(const ElvChainBody* body,
                                          const ElvStrongInput* in,
                                          const ElvPose* g,
                                          ElvTwist d_zeta) {
    // delta (R^T x) = R^T x cross d_theta
    ElvVec3 gravity = elv_vec3_cross(elv_mat3_apply_transpose(g->R, in->gravity), d_zeta.ang);
    ElvWrench sum =
        elv_wrench(elv_vec3_cross(body->moment, gravity), elv_vec3_scale(body->mass, gravity));
    for (int i = 0; i < body->n_load; i++) {
        const ElvChainLoad* at = &body->load[i];
        ElvWrench F;
        if (at->load->axes != ELV_AXES_WORLD || !eval_load(at->load, in, &F)) {
            continue;
        }
        F = turn_back(&g->R, F);
        ElvWrench d_F =
            elv_wrench(elv_vec3_cross(F.mom, d_zeta.ang), elv_vec3_cross(F.frc, d_zeta.ang));
        sum = elv_wrench_add(sum, carry(at->pose.p, d_F));
    }
    return sum;
}
