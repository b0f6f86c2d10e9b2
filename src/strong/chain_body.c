// SPDX-License-Identifier: Apache-2.0
// What acts from outside on a rigid body of a chain, in its own frame: weight, point loads and a fluid, and
// how that varies with its pose, delta g = g hat(d_zeta), and its twist.
#include "strong/chain.h"

bool elv_chain_body_is_empty(const ElvChainBody* body) {
    return !body->is_massive && body->n_load == 0 && body->n_fluid == 0;
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

// what the fluid does to part i, in the axes of the body; derivatives by its own pose and twist unless NULL
static ElvWrench fluid_wrench(const ElvChainFluid* part,
                              const ElvStrongInput* in,
                              const ElvPose* g,
                              ElvTwist eta,
                              ElvMat6* by_pose,
                              ElvMat6* by_eta) {
    ElvPose at = elv_pose_compose(*g, part->pose);
    ElvTwist own = elv_twist_transform_inv(part->pose, eta);
    if (part->shape) {
        return elv_strong_fluid_wrench(part->shape, &in->fluid, &at, own, by_pose, by_eta);
    }
    ElvWrench flux = elv_fluid_flux(&part->added, &in->fluid, &at, own, by_pose, by_eta);
    return elv_wrench_scale(part->sign, flux);
}

ElvWrench elv_chain_body_wrench(const ElvChainBody* body,
                                const ElvStrongInput* in,
                                const ElvPose* g,
                                ElvTwist eta) {
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
    for (int i = 0; i < body->n_fluid; i++) {
        ElvWrench F = fluid_wrench(&body->fluid[i], in, g, eta, NULL, NULL);
        sum = elv_wrench_add(sum, elv_wrench_transform(body->fluid[i].pose, F));
    }
    return sum;
}

// by_pose d_zeta + by_eta d_eta of what the fluid does, carried to the body and back
static ElvWrench fluid_variation(const ElvChainFluid* part,
                                 const ElvStrongInput* in,
                                 const ElvPose* g,
                                 ElvTwist eta,
                                 ElvTwist d_zeta,
                                 ElvTwist d_eta) {
    ElvMat6 by_pose, by_eta;
    fluid_wrench(part, in, g, eta, &by_pose, &by_eta);
    ElvWrench d_F =
        elv_strong_fluid_vary(&by_pose, &by_eta, elv_twist_transform_inv(part->pose, d_zeta),
                              elv_twist_transform_inv(part->pose, d_eta));
    d_F = part->shape ? d_F : elv_wrench_scale(part->sign, d_F);
    return elv_wrench_transform(part->pose, d_F);
}

ElvWrench elv_chain_body_wrench_variation(const ElvChainBody* body,
                                          const ElvStrongInput* in,
                                          const ElvPose* g,
                                          ElvTwist eta,
                                          ElvTwist d_zeta,
                                          ElvTwist d_eta) {
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
    for (int i = 0; i < body->n_fluid; i++) {
        sum = elv_wrench_add(sum, fluid_variation(&body->fluid[i], in, g, eta, d_zeta, d_eta));
    }
    return sum;
}
