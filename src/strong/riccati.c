// SPDX-License-Identifier: Apache-2.0
// Inverse dynamics of a chain by three passes:                                       [OCP (84)-(86)]
//     1. root to tip: poses and velocities;
//     2. tip to root: S and s, with Lambda = S eta_dot + s; bodies at ends of steps add their own,
//            S -= M,   s += F + ad_eta^T M eta
//     3. root to tip: accelerations, and with them Lambda.
// A manipulator begins the third with the acceleration of its root; of a root that is free it follows from S and s
// there. Passes 2 and 3 take the motion along, so that their stages have it at full order.
#include "strong/riccati.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_STEPS = 32, LEAST_STEPS = 2, MAX_STEPS = 4096, NODE = ELV_RK8_NODE };

static ElvStatus no_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

// ---- creation

static ElvStatus take_memory(ElvRiccati* r, ElvError* error) {
    size_t n = (size_t)r->grid.n_step;
    size_t n_fibre = 0;
    for (int i = 0; i < r->chain.n_rod; i++) {
        size_t own = (size_t)r->chain.rod[i].strong.fields.n_fibre;
        n_fibre = own > n_fibre ? own : n_fibre;
    }
    r->given = elv_pool_take(&r->pool, n * NODE, sizeof *r->given);
    r->step = elv_pool_take(&r->pool, n, sizeof *r->step);
    ElvFibreNode* fibre = elv_pool_take(&r->pool, NODE * n_fibre, sizeof *fibre);
    double* tension = elv_pool_take(&r->pool, NODE * n_fibre, sizeof *tension);
    if (!r->given || !r->step || !fibre || !tension) {
        return no_memory(error);
    }
    for (size_t i = 0; i < NODE; i++) {
        r->fibre[i] = fibre + i * n_fibre;
        r->tension[i] = tension + i * n_fibre;
    }
    return ELV_OK;
}

ElvStatus
elv_riccati_create(const ElvModel* model, int steps, ElvRiccati** riccati, ElvError* error) {
    *riccati = NULL;
    elv_error_clear(error);
    if (steps < 0 || steps > MAX_STEPS) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "steps", "steps must be 0 to %d",
                             (int)MAX_STEPS);
    }
    ElvStatus status = elv_chain_refuse_volume(model, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvRiccati* r = calloc(1, sizeof *r);
    if (!r) {
        return no_memory(error);
    }
    status = elv_chain_create(model, &r->chain, error);
    if (status == ELV_OK) {
        status = elv_shot_grid_create(&r->chain, steps > 0 ? steps : DEFAULT_STEPS, LEAST_STEPS, 1,
                                      &r->grid, error);
    }
    status = status == ELV_OK ? take_memory(r, error) : status;
    status = status == ELV_OK ? elv_chain_inputs(model, &r->pool, &r->inputs, error) : status;
    if (status != ELV_OK) {
        elv_riccati_free(r);
        return status;
    }
    *riccati = r;
    return ELV_OK;
}

void elv_riccati_free(ElvRiccati* riccati) {
    if (riccati) {
        elv_shot_grid_free(&riccati->grid);
        elv_chain_free(&riccati->chain);
        elv_pool_free(&riccati->pool);
        free(riccati);
    }
}

// ---- what is given

void elv_riccati_strain(const ElvRiccati* riccati,
                        int i_rod,
                        const ElvStrongStation* station,
                        ElvSweepNode* given) {
    const ElvStrainMotion* motion = &riccati->motion;
    const ElvChainRod* rod = &riccati->chain.rod[i_rod];
    const ElvStrongPiece* piece = &rod->strong.piece[station->i_piece];
    double rest[6], xi[6], rate[6] = {0.0}, second[6] = {0.0};
    elv_twist_to_array(station->xi_o, rest);
    memcpy(xi, rest, sizeof xi);
    if (motion->strain) {
        motion->strain(motion->user, rod->i_node, station->s, xi, rate, second);
    }
    for (int k = 0; k < 6; k++) {
        bool moves = piece->is_free[k] && !motion->is_static;
        xi[k] = piece->is_free[k] ? xi[k] : rest[k];
        rate[k] = moves ? rate[k] : 0.0;
        second[k] = moves ? second[k] : 0.0;
    }
    given->xi = elv_twist_from_array(xi);
    given->xi_dot = elv_twist_from_array(rate);
    given->xi_ddot = elv_twist_from_array(second);
    given->change = elv_twist_zero();
    given->stress = elv_wrench_zero();
}

// loads, actuators and strains at all nodes
static void set_nodes(ElvRiccati* r) {
    for (int i = 0; i < r->grid.n_step; i++) {
        const ElvShotStep* step = &r->grid.step[i];
        const ElvStrongRod* strong = &r->chain.rod[step->i_rod].strong;
        for (int k = 0; k < NODE; k++) {
            ElvShotNode* node = &step->node[k];
            elv_strong_drive(strong, &node->station, &r->in, node->drive.tension, &node->drive);
            elv_riccati_strain(r, step->i_rod, &node->station, &r->given[i * NODE + k]);
        }
    }
}

// ---- passes

ElvSweepState elv_riccati_pass(const ElvRiccati* riccati, int i_step, ElvSweepState y) {
    const ElvPose* offset = riccati->grid.step[i_step].offset;
    if (offset) {
        y.g = elv_pose_compose(y.g, *offset);
        y.eta = elv_twist_transform_inv(*offset, y.eta);
        y.eta_dot = elv_twist_transform_inv(*offset, y.eta_dot);
        y.change = elv_twist_transform_inv(*offset, y.change);
    }
    return y;
}

static void motion_pass(ElvRiccati* r) {
    ElvSweepState y = elv_riccati_first(r);
    for (int i = 0; i < r->grid.n_step; i++) {
        const ElvShotStep* step = &r->grid.step[i];
        r->step[i].begin = y;
        elv_sweep_step(step->node, r->given + i * NODE, ELV_SWEEP_MOTION, step->h, &y);
        r->step[i].end = y;
        y = elv_riccati_pass(r, i, y);
    }
}

// what stands at the end of a step joins the composite body
static void add_body(const ElvRiccati* r, const ElvShotStep* step, ElvSweepState* y) {
    const ElvChainBody* body = step->body;
    if (!body) {
        return;
    }
    ElvWrench F = elv_chain_body_wrench(body, &r->in, &y->g, y->eta);
    F = elv_wrench_add(F, elv_twist_coad(y->eta, elv_inertia_apply(body->inertia, y->eta)));
    y->S = elv_inertia_add(y->S, elv_inertia_scale(-1.0, body->inertia));
    y->s = elv_wrench_add(y->s, F);
}

static void composite_pass(ElvRiccati* r) {
    ElvInertia S = elv_inertia_zero();
    ElvWrench s = elv_wrench_zero();
    for (int i = r->grid.n_step - 1; i >= 0; i--) {
        const ElvShotStep* step = &r->grid.step[i];
        ElvSweepState y = r->step[i].end;
        y.S = step->offset ? elv_inertia_transform(*step->offset, S) : S;
        y.s = step->offset ? elv_wrench_transform(*step->offset, s) : s;
        add_body(r, step, &y);
        r->step[i].end = y;
        elv_sweep_step(step->node, r->given + i * NODE, ELV_SWEEP_COMPOSITE, -step->h, &y);
        r->step[i].begin.S = S = y.S;
        r->step[i].begin.s = s = y.s;
    }
}

static double wrench_size(ElvWrench w, double length) {
    return elv_vec3_norm(w.mom) + length * elv_vec3_norm(w.frc);
}

// Lambda = S eta_dot + s                                                                   [OCP (57)]
static ElvWrench stress_of(const ElvSweepState* y) {
    return elv_wrench_add(elv_inertia_apply(y->S, y->eta_dot), y->s);
}

static void acceleration_pass(ElvRiccati* r) {
    double length = 0.0;
    for (int i = 0; i < r->chain.n_rod; i++) {
        length += r->chain.rod[i].strong.length;
    }
    ElvSweepState y = elv_riccati_first(r);
    double size = 0.0;
    double defect = 0.0;
    for (int i = 0; i < r->grid.n_step; i++) {
        const ElvShotStep* step = &r->grid.step[i];
        ElvSweepState* begin = &r->step[i].begin;
        ElvSweepState* end = &r->step[i].end;
        begin->eta_dot = y.eta_dot;
        begin->lam = stress_of(begin);
        y = *begin;
        elv_sweep_step(step->node, r->given + i * NODE, ELV_SWEEP_ACCELERATION, step->h, &y);
        // the wrench carried over the step, beside that of the composite body at its end
        end->eta_dot = y.eta_dot;
        end->lam = stress_of(end);
        defect += wrench_size(elv_wrench_sub(y.lam, end->lam), length);
        size = fmax(size, wrench_size(begin->lam, length));
        y = elv_riccati_pass(r, i, *end);
    }
    // NaN stays
    r->defect = size > 0.0 || isnan(defect) ? defect / size : 0.0;
}

ElvStatus elv_riccati_solve(ElvRiccati* riccati, const ElvStrainMotion* motion, ElvError* error) {
    elv_error_clear(error);
    riccati->is_solved = false;
    riccati->motion = *motion;
    if (motion->is_root_free && !riccati->chain.joint) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "",
                             "no joint at the root of the chain: its root cannot be free");
    }
    riccati->in = elv_chain_input(&riccati->chain, motion->t, 1.0, motion->is_static);
    elv_riccati_root_motion(riccati);
    set_nodes(riccati);
    motion_pass(riccati);
    composite_pass(riccati);
    ElvStatus status = elv_riccati_root_solve(riccati, error);
    if (status != ELV_OK) {
        return status;
    }
    acceleration_pass(riccati);
    if (!isfinite(riccati->defect)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                             "the motion or a law is not finite at t = %g", motion->t);
    }
    riccati->is_solved = true;
    return ELV_OK;
}

ElvRiccatiRoot elv_riccati_root(const ElvRiccati* riccati) {
    ElvRiccatiRoot root = {.defect = riccati->defect};
    memcpy(root.a, riccati->root.a, sizeof root.a);
    memcpy(root.effort, riccati->root.effort, sizeof root.effort);
    return root;
}
