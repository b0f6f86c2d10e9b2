// SPDX-License-Identifier: Apache-2.0
// Gauss' constraint of an acceleration: with accelerations that the chain allows, u for xi_ddot,
//     C = integral of eta_dot^T (M eta_dot / 2 - F - ad_eta^T M eta) + u^T Lambda_a dX
//         + the same of bodies + that of the joint at the root
// The sign of u^T Lambda_a is that of Cosserat's stress, opposite to the papers' table.  [OCP (33), (35)-(36)]
#include "strong/riccati.h"

#include <assert.h>
#include <string.h>

enum { NODE = ELV_RK8_NODE };

// change of the strains and stress of the laws at all nodes
static void set_nodes(ElvRiccati* r, const ElvAccelerationChange* change) {
    for (int i = 0; i < r->grid.n_step * NODE; i++) {
        const ElvShotStep* step = &r->grid.step[i / NODE];
        const ElvShotNode* node = &step->node[i % NODE];
        const ElvChainRod* rod = &r->chain.rod[step->i_rod];
        ElvSweepNode* given = &r->given[i];
        double stress[6];
        elv_strong_stress(&rod->strong, &node->station, &node->drive, given->xi, given->xi_dot,
                          stress, NULL, NULL);
        given->stress = elv_wrench_from_array(stress);
        given->change = elv_twist_zero();
        if (change && change->strain) {
            double xi[6] = {0.0}, rate[6] = {0.0}, d[6] = {0.0};
            change->strain(change->user, rod->i_node, node->station.s, xi, rate, d);
            for (int k = 0; k < 6; k++) {
                d[k] = rod->strong.piece[step->i_piece].is_free[k] ? d[k] : 0.0;
            }
            given->change = elv_twist_from_array(d);
        }
    }
}

// a body with velocity eta and acceleration eta_dot
static double body_cost(const ElvRiccati* r,
                        const ElvChainBody* body,
                        const ElvPose* g,
                        ElvTwist eta,
                        ElvTwist eta_dot) {
    ElvWrench F = elv_chain_body_wrench(body, &r->in, g, eta);
    F = elv_wrench_add(F, elv_twist_coad(eta, elv_inertia_apply(body->inertia, eta)));
    return 0.5 * elv_power(eta_dot, elv_inertia_apply(body->inertia, eta_dot)) -
           elv_power(eta_dot, F);
}

// the joint at the root: its body, its motors and its efforts
static double
root_cost(const ElvRiccati* r, const double* change, ElvGaussEfforts efforts, ElvTwist eta_dot) {
    const ElvRiccatiBase* root = &r->root;
    double cost = body_cost(r, &r->chain.root, &root->g, root->eta, eta_dot);
    double upsilon[6];
    elv_riccati_root_law(r, upsilon);
    for (int k = 0; k < r->chain.joint->joint.n_v; k++) {
        double a = root->a[k] + (change ? change[k] : 0.0);
        double effort = upsilon[k] + (efforts == ELV_GAUSS_FOUND ? root->effort[k] : 0.0);
        cost += 0.5 * r->chain.joint->rotor_inertia[k] * a * a - a * effort;
    }
    return cost;
}

static ElvStatus check(const ElvRiccati* r, const ElvAccelerationChange* change, ElvError* error) {
    if (change && change->a && (!r->chain.joint || r->chain.joint->joint.is_motion_driven)) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "",
                             "the root of the chain has no acceleration of its own to change");
    }
    return ELV_OK;
}

ElvStatus elv_riccati_gauss(ElvRiccati* riccati,
                            const ElvAccelerationChange* change,
                            ElvGaussEfforts efforts,
                            double* value,
                            ElvError* error) {
    assert(riccati->is_solved);
    elv_error_clear(error);
    ElvStatus status = check(riccati, change, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvSweepPass pass = efforts == ELV_GAUSS_FOUND ? ELV_SWEEP_GAUSS : ELV_SWEEP_GAUSS_LAW;
    const double* a = change ? change->a : NULL;
    set_nodes(riccati, change);
    // the root
    ElvTwist moved = a ? elv_riccati_root_change(riccati, a) : elv_twist_zero();
    ElvTwist eta_dot = elv_twist_add(riccati->root.eta_dot, moved);
    double cost = riccati->chain.joint ? root_cost(riccati, a, efforts, eta_dot) : 0.0;
    ElvTwist carried = elv_twist_transform_inv(riccati->chain.rod[0].offset, moved);
    // rods, and what stands at the ends of steps
    for (int i = 0; i < riccati->grid.n_step; i++) {
        const ElvShotStep* step = &riccati->grid.step[i];
        ElvSweepState y = riccati->step[i].begin;
        y.change = carried;
        y.cost = 0.0;
        elv_sweep_step(step->node, riccati->given + i * NODE, pass, step->h, &y);
        cost += y.cost;
        eta_dot = elv_twist_add(y.eta_dot, y.change);
        cost += step->body ? body_cost(riccati, step->body, &y.g, y.eta, eta_dot) : 0.0;
        carried = elv_riccati_pass(riccati, i, y).change;
    }
    *value = cost;
    return ELV_OK;
}
