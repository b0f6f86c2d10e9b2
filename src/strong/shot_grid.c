// SPDX-License-Identifier: Apache-2.0
// Steps along a chain and their tables.
#include "strong/shot_grid.h"

#include <math.h>
#include <string.h>

static int steps_of_piece(const ElvStrongPiece* piece, int steps, int least, int times) {
    int n = (int)ceil(steps * (piece->s1 - piece->s0) - 1e-9);
    return times * (n > least ? n : least);
}

static int count_steps(const ElvChain* chain, int steps, int least, int times) {
    int n = 0;
    for (int i = 0; i < chain->n_rod; i++) {
        const ElvStrongRod* strong = &chain->rod[i].strong;
        for (int k = 0; k < strong->n_piece; k++) {
            n += steps_of_piece(&strong->piece[k], steps, least, times);
        }
    }
    return n;
}

ElvStatus elv_shot_node(const ElvStrongRod* strong,
                        int i_piece,
                        double s,
                        ElvFibreNode* fibre,
                        double* tension,
                        ElvShotNode* node,
                        ElvError* error) {
    ElvStatus status = elv_strong_station(strong, i_piece, s, fibre, &node->station, error);
    if (status != ELV_OK) {
        return status;
    }
    node->drive.tension = tension;
    node->xi_free = node->station.xi_o;
    return ELV_OK;
}

ElvStatus elv_shot_node_drive(const ElvStrongRod* strong,
                              const ElvStrongInput* in,
                              ElvShotNode* node,
                              ElvError* error) {
    elv_strong_drive(strong, &node->station, in, node->drive.tension, &node->drive);
    ElvStatus status = elv_strong_strain(strong, &node->station, &node->drive, elv_wrench_zero(),
                                         0.0, elv_twist_zero(), &node->xi_free,
                                         strong->is_linear ? &node->compliance : NULL);
    if (status == ELV_ERROR_NUMERIC && !strong->is_linear) {
        // no strain without a wrench: the guess stays at rest
        node->xi_free = node->station.xi_o;
        return ELV_OK;
    }
    return status == ELV_OK ? ELV_OK
                            : elv_strong_strain_error(strong, &node->station, status, error);
}

static ElvStatus
fill_step(ElvShotGrid* grid, ElvShotStep* step, const ElvStrongRod* strong, ElvError* error) {
    size_t n_fibre = (size_t)strong->fields.n_fibre;
    step->node = elv_pool_take(&grid->pool, ELV_RK8_NODE, sizeof *step->node);
    ElvFibreNode* fibre = elv_pool_take(&grid->pool, ELV_RK8_NODE * n_fibre, sizeof *fibre);
    double* tension = elv_pool_take(&grid->pool, ELV_RK8_NODE * n_fibre, sizeof *tension);
    if (!step->node || !fibre || !tension) {
        return elv_error_set(error, ELV_ERROR_MEMORY, strong->name, "", "out of memory");
    }
    for (size_t i = 0; i < ELV_RK8_NODE; i++) {
        double s = step->s0 + (step->s1 - step->s0) * ELV_RK8_AT[i];
        ElvStatus status = elv_shot_node(strong, step->i_piece, s, fibre + i * n_fibre,
                                         tension + i * n_fibre, &step->node[i], error);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

// the steps of one piece
static ElvStatus
fill_piece(ElvShotGrid* grid, int i_rod, int i_piece, int n, int* i_step, ElvError* error) {
    const ElvChainRod* link = &grid->chain->rod[i_rod];
    const ElvStrongPiece* piece = &link->strong.piece[i_piece];
    for (int i = 0; i < n; i++) {
        ElvShotStep* step = &grid->step[(*i_step)++];
        step->i_rod = i_rod;
        step->i_piece = i_piece;
        step->s0 = piece->s0 + (piece->s1 - piece->s0) * i / n;
        step->s1 = i + 1 == n ? piece->s1 : piece->s0 + (piece->s1 - piece->s0) * (i + 1) / n;
        step->h = piece->h / n;
        ElvStatus status = fill_step(grid, step, &link->strong, error);
        if (status != ELV_OK) {
            return status;
        }
        if (i + 1 < n) {
            continue;
        }
        // the end of the piece
        const ElvChainBody* body = &link->body[i_piece];
        bool ends_rod = i_piece + 1 == link->strong.n_piece;
        step->body = elv_chain_body_is_empty(body) ? NULL : body;
        step->offset =
            ends_rod && i_rod + 1 < grid->chain->n_rod ? &grid->chain->rod[i_rod + 1].offset : NULL;
    }
    return ELV_OK;
}

ElvStatus elv_shot_grid_create(
    const ElvChain* chain, int steps, int least, int times, ElvShotGrid* grid, ElvError* error) {
    memset(grid, 0, sizeof *grid);
    grid->chain = chain;
    grid->n_step = count_steps(chain, steps, least, times);
    grid->step = elv_pool_take(&grid->pool, (size_t)grid->n_step, sizeof *grid->step);
    if (!grid->step) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    int i_step = 0;
    for (int i = 0; i < chain->n_rod; i++) {
        const ElvStrongRod* strong = &chain->rod[i].strong;
        for (int k = 0; k < strong->n_piece; k++) {
            int n = steps_of_piece(&strong->piece[k], steps, least, times);
            ElvStatus status = fill_piece(grid, i, k, n, &i_step, error);
            if (status != ELV_OK) {
                return status;
            }
        }
    }
    return ELV_OK;
}

void elv_shot_grid_free(ElvShotGrid* grid) {
    elv_pool_free(&grid->pool);
}

ElvStatus elv_shot_grid_drive(ElvShotGrid* grid, const ElvStrongInput* in, ElvError* error) {
    grid->in = *in;
    for (int i = 0; i < grid->n_step; i++) {
        const ElvStrongRod* strong = &grid->chain->rod[grid->step[i].i_rod].strong;
        for (int k = 0; k < ELV_RK8_NODE; k++) {
            ElvShotNode* node = &grid->step[i].node[k];
            if (grid->has_compliance && strong->is_linear) {
                elv_strong_drive(strong, &node->station, in, node->drive.tension, &node->drive);
                elv_strong_strain_affine(strong, &node->station, &node->drive, elv_wrench_zero(),
                                         0.0, elv_twist_zero(), &node->compliance, &node->xi_free);
                continue;
            }
            ElvStatus status = elv_shot_node_drive(strong, in, node, error);
            if (status != ELV_OK) {
                return status;
            }
        }
    }
    grid->has_compliance = true;
    return ELV_OK;
}
