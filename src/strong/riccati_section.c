// SPDX-License-Identifier: Apache-2.0
// Sections of a motion at any station; motions given by the laws of the model, or by a state of it.
#include "strong/riccati.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { NODE = ELV_RK8_NODE };

// ---- sections

ElvStatus
elv_riccati_at(ElvRiccati* riccati, int i_step, double s, ElvSweepState* y, ElvError* error) {
    const ElvShotStep* step = &riccati->grid.step[i_step];
    const ElvStrongRod* strong = &riccati->chain.rod[step->i_rod].strong;
    for (int k = 0; k < NODE; k++) {
        // the tables of a step of its own, from the first section to the one that is wanted
        ElvShotNode* node = &riccati->node[k];
        double at = step->s0 + (s - step->s0) * ELV_RK8_AT[k];
        ElvStatus status = elv_shot_node(strong, step->i_piece, at, riccati->fibre[k],
                                         riccati->tension[k], node, error);
        if (status != ELV_OK) {
            return status;
        }
        elv_strong_drive(strong, &node->station, &riccati->in, riccati->tension[k], &node->drive);
        elv_riccati_strain(riccati, step->i_rod, &node->station, &riccati->between[k]);
    }
    *y = riccati->step[i_step].begin;
    double h = step->h * (s - step->s0) / (step->s1 - step->s0);
    if (h > 0.0) {
        elv_sweep_step(riccati->node, riccati->between, ELV_SWEEP_ACCELERATION, h, y);
    }
    return ELV_OK;
}

// the step that holds a station: the outer one of two; -1: the node is no rod of the chain
static int find_step(const ElvRiccati* r, int i_node, double s) {
    int found = -1;
    for (int i = 0; i < r->grid.n_step; i++) {
        const ElvShotStep* step = &r->grid.step[i];
        if (r->chain.rod[step->i_rod].i_node == i_node && (found < 0 || step->s0 <= s)) {
            found = i;
        }
    }
    return found;
}

ElvStatus elv_riccati_section(
    ElvRiccati* riccati, int i_node, double s, ElvRiccatiSection* section, ElvError* error) {
    elv_error_clear(error);
    assert(riccati->is_solved);
    memset(section, 0, sizeof *section);
    int i_step = find_step(riccati, i_node, s);
    if (i_step < 0 || !(s >= 0.0 && s <= 1.0)) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "",
                             "no section at s = %g of node %d: give a rod and a station 0 to 1", s,
                             i_node);
    }
    ElvSweepState y;
    ElvStatus status = elv_riccati_at(riccati, i_step, s, &y, error);
    if (status != ELV_OK) {
        return status;
    }
    const ElvStrongRod* strong = &riccati->chain.rod[riccati->grid.step[i_step].i_rod].strong;
    const ElvShotNode* node = &riccati->node[NODE - 1];
    const ElvSweepNode* given = &riccati->between[NODE - 1];
    // what is carried along is Lambda* = Lambda + Phi                                    [OCP (90)]
    ElvWrench flux = elv_strong_flux(&node->station.fluid, &node->drive.fluid, &y.g, y.eta);
    *section = (ElvRiccatiSection){.pose = y.g,
                                   .strain = given->xi,
                                   .strain_dot = given->xi_dot,
                                   .eta = y.eta,
                                   .eta_dot = y.eta_dot,
                                   .lam = elv_wrench_sub(y.lam, flux)};
    // Lambda_ad = Lambda - H (xi - xi_o) - D xi_dot                                      [OCP (16)]
    const ElvStrongPiece* piece = &strong->piece[node->station.i_piece];
    double lam[6], strain[6], rate[6];
    elv_wrench_to_array(section->lam, lam);
    elv_twist_to_array(elv_twist_sub(given->xi, node->station.xi_o), strain);
    elv_twist_to_array(given->xi_dot, rate);
    for (int k = 0; k < 6; k++) {
        for (int j = 0; j < 6; j++) {
            lam[k] -= node->station.H.m[k][j] * strain[j] + node->station.D.m[k][j] * rate[j];
        }
        section->actuation[k] = piece->is_free[k] ? lam[k] : 0.0;
    }
    return ELV_OK;
}

// ---- strains that the model imposes

static void imposed_strain(
    void* user, int i_node, double s, double xi[6], double xi_dot[6], double xi_ddot[6]) {
    const ElvRiccati* r = user;
    const ElvRod* rod = (const ElvRod*)r->chain.model->node[i_node].joint;
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        if (rod->motion[k]) {
            ElvJet jet = elv_law_eval(rod->motion[k], r->motion.t, s);
            xi[k] = jet.v;
            xi_dot[k] = jet.d;
            xi_ddot[k] = jet.dd;
        }
    }
}

ElvStatus elv_riccati_solve_imposed(ElvRiccati* riccati,
                                    double t,
                                    bool is_static,
                                    const double* q,
                                    const double* v,
                                    ElvError* error) {
    const ElvLumped* joint = riccati->chain.joint;
    ElvStrainMotion motion = {.t = t,
                              .is_static = is_static,
                              .q = q,
                              .v = v,
                              .is_root_free = joint && !joint->joint.is_motion_driven,
                              .strain = imposed_strain,
                              .user = riccati};
    return elv_riccati_solve(riccati, &motion, error);
}

// ---- states

// Phi x: strains of coordinates x without those at rest
static void rod_rate(const ElvRod* rod, const double* x, double s, double rate[6]) {
    elv_twist_to_array(elv_rod_strain_at(rod, x, s), rate);
    for (int k = 0; k < 6; k++) {
        rate[k] -= elv_law_value(rod->reference[k], 0.0, s);
    }
}

static void
state_strain(void* user, int i_node, double s, double xi[6], double xi_dot[6], double xi_ddot[6]) {
    const ElvRiccati* r = user;
    const ElvNode* node = &r->chain.model->node[i_node];
    const ElvRod* rod = (const ElvRod*)node->joint;
    elv_twist_to_array(elv_rod_strain_at(rod, r->state->q + node->i_q, s), xi);
    rod_rate(rod, r->state->v + node->i_v, s, xi_dot);
    rod_rate(rod, r->state->a + node->i_v, s, xi_ddot);
}

ElvStatus elv_riccati_solve_state(ElvRiccati* riccati,
                                  const ElvState* state,
                                  bool is_root_free,
                                  ElvError* error) {
    ElvStrainMotion motion = {
        .t = state->t, .is_root_free = is_root_free, .strain = state_strain, .user = riccati};
    riccati->state = state;
    if (riccati->chain.joint) {
        const ElvNode* node = &riccati->chain.model->node[riccati->chain.i_joint];
        motion.q = state->q + node->i_q;
        motion.v = state->v + node->i_v;
        motion.a = state->a + node->i_v;
    }
    return elv_riccati_solve(riccati, &motion, error);
}
