// SPDX-License-Identifier: Apache-2.0
// From a stress field to tensions: what tendons and chambers give at unit input are the columns of a least-squares
// problem over the chain, its rows the free strains at the nodes of all steps. Inputs stay at zero or above.
//     integral of |W^(1/2) (Lambda - stress of all else - sum_i u_i lam_i)|^2 dX -> min       [OCP (17)]
#include "strong/riccati.h"

#include "linalg/cholesky.h"
#include "linalg/nnls.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODE = ELV_RK8_NODE, N = ELV_N_STRAIN };

typedef struct {
    ElvRiccati* riccati;
    const double* weight;
    ElvPool pool;
    int n;           // unknown inputs
    double* row;     // stress of the unknowns at a node, then what is wanted  (6 x (n + 1))
    double* tension; // of the fibres of a rod
    ElvNnls nnls;
    double wanted; // square
} Search;

static ElvStatus no_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

// ---- unknowns

static ElvStatus start(Search* search, ElvError* error) {
    const ElvModel* model = search->riccati->chain.model;
    search->n = search->riccati->inputs.n;
    if (search->n == 0) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "",
                             "the model has no tendon and no chamber to give a stress");
    }
    size_t n = (size_t)search->n;
    search->row = elv_pool_take(&search->pool, N * (n + 1), sizeof(double));
    search->tension = elv_pool_take(&search->pool, (size_t)model->n_channel, sizeof(double));
    double* room = elv_pool_take(&search->pool, (size_t)elv_nnls_size(search->n), sizeof(double));
    int* used = elv_pool_take(&search->pool, n, sizeof *used);
    bool* is_used = elv_pool_take(&search->pool, n, sizeof *is_used);
    if (!search->row || !search->tension || !room || !used || !is_used) {
        return no_memory(error);
    }
    elv_nnls_start(&search->nnls, search->n, room, used, is_used);
    return ELV_OK;
}

// ---- rows

// stress of each unknown at unit input, and of all else by its laws, taken from what the section needs
static void fill_row(Search* search, int i_rod, ElvWrench lam) {
    ElvRiccati* r = search->riccati;
    const ElvStrongRod* strong = &r->chain.rod[i_rod].strong;
    const ElvShotNode* node = &r->node[NODE - 1];
    const ElvSweepNode* given = &r->between[NODE - 1];
    ElvStrongDrive drive = node->drive;
    int m = search->n + 1;
    double others[N], needed[N], column[N];
    memset(search->row, 0, (size_t)(N * m) * sizeof *search->row);
    drive.tension = search->tension;
    for (int i = 0; i < strong->fields.n_fibre; i++) {
        int unknown = elv_chain_fibre_input(&r->chain, &r->inputs, i_rod, i);
        drive.tension[i] = unknown < 0 ? node->drive.tension[i] : 0.0;
        double profile = node->station.fibre[i].profile;
        if (unknown < 0 || profile == 0.0) {
            continue;
        }
        elv_strong_fibre(strong, &node->station, i, given->xi, column);
        for (int k = 0; k < N; k++) {
            search->row[k * m + unknown] += profile * column[k];
        }
    }
    elv_strong_stress(strong, &node->station, &drive, given->xi, given->xi_dot, others, NULL, NULL);
    elv_wrench_to_array(lam, needed);
    for (int k = 0; k < N; k++) {
        search->row[k * m + search->n] = needed[k] - others[k];
    }
}

// rows of the free strains times the root of the weight: W = L^-T L^-1 with the stiffness L L^T
static bool weigh_rows(Search* search, const ElvStrongPiece* piece, const ElvMat6* H) {
    int m = search->n + 1;
    int n = piece->n_free;
    double L[N * N];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            L[i * n + j] = H->m[piece->free[i]][piece->free[j]];
        }
        if (search->weight) {
            for (int c = 0; c < m; c++) {
                search->row[i * m + c] =
                    sqrt(search->weight[piece->free[i]]) * search->row[piece->free[i] * m + c];
            }
        }
    }
    if (search->weight) {
        return true;
    }
    if (elv_cholesky_factor(n, L) >= 0) {
        return false;
    }
    for (int c = 0; c < m; c++) {
        for (int i = 0; i < n; i++) {
            double sum = search->row[piece->free[i] * m + c];
            for (int j = 0; j < i; j++) {
                sum -= L[i * n + j] * search->row[j * m + c];
            }
            search->row[i * m + c] = sum / L[i * n + i];
        }
    }
    return true;
}

static ElvStatus add_node(Search* search, int i_step, int i_node, ElvError* error) {
    ElvRiccati* r = search->riccati;
    const ElvShotStep* step = &r->grid.step[i_step];
    const ElvStrongRod* strong = &r->chain.rod[step->i_rod].strong;
    const ElvStrongPiece* piece = &strong->piece[step->i_piece];
    double s = step->s0 + (step->s1 - step->s0) * ELV_RK8_AT[i_node];
    ElvSweepState y;
    ElvStatus status = elv_riccati_at(r, i_step, s, &y, error);
    if (status != ELV_OK) {
        return status;
    }
    fill_row(search, step->i_rod, y.lam);
    if (!weigh_rows(search, piece, &r->node[NODE - 1].station.H)) {
        return elv_error_set(error, ELV_ERROR_INPUT, strong->name, "",
                             "rod '%s' has no stiffness at s = %g: give weights of the stress",
                             strong->name, s);
    }
    double root = sqrt(step->h * ELV_RK8_WEIGHT[i_node]);
    int m = search->n + 1;
    for (int i = 0; i < piece->n_free; i++) {
        for (int c = 0; c < m; c++) {
            search->row[i * m + c] *= root;
        }
        search->wanted += search->row[i * m + search->n] * search->row[i * m + search->n];
        elv_nnls_add(&search->nnls, search->row + i * m);
    }
    return ELV_OK;
}

static ElvStatus
find_tensions(Search* search, double* input, ElvTensionReport* report, ElvError* error) {
    ElvStatus status = start(search, error);
    for (int i = 0; i < search->riccati->grid.n_step && status == ELV_OK; i++) {
        for (int k = 0; k < NODE && status == ELV_OK; k++) {
            status = add_node(search, i, k, error);
        }
    }
    double* u =
        status == ELV_OK ? elv_pool_take(&search->pool, (size_t)search->n, sizeof *u) : NULL;
    if (!u) {
        return status == ELV_OK ? no_memory(error) : status;
    }
    *report = (ElvTensionReport){.wanted = sqrt(search->wanted)};
    report->left = elv_nnls_solve(&search->nnls, u);
    memset(input, 0, (size_t)search->riccati->chain.model->n_device * sizeof *input);
    for (int i = 0; i < search->n; i++) {
        input[search->riccati->inputs.device[i]] = u[i];
        report->n_used += u[i] > 0.0;
    }
    return ELV_OK;
}

ElvStatus elv_riccati_tensions(ElvRiccati* riccati,
                               const double* weight,
                               double* input,
                               ElvTensionReport* report,
                               ElvError* error) {
    assert(riccati->is_solved);
    elv_error_clear(error);
    for (int k = 0; k < N && weight; k++) {
        if (!(weight[k] >= 0.0 && isfinite(weight[k]))) {
            return elv_error_set(error, ELV_ERROR_INPUT, "", "weight",
                                 "weight %d of the stress must be finite and not negative, got %g",
                                 k, weight[k]);
        }
    }
    Search search = {.riccati = riccati, .weight = weight};
    ElvStatus status = find_tensions(&search, input, report, error);
    elv_pool_free(&search.pool);
    return status;
}
