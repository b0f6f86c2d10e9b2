// SPDX-License-Identifier: Apache-2.0
// Multiple shooting, one shot for each element, condensed to the unknowns of the root: with y_i the points at nodes,
//     d_y_(i+1) = A_i d_y_i + miss_i,   d_y_0 = B d_x,
// so that each d_y is a sum of the columns that a single shot carries and of one more, which gathers what elements miss
// each other by. Elements start from points near the solution, where they are nearly linear.
#include "strong/finite_mesh.h"

#include "linalg/lu.h"

#include <math.h>
#include <string.h>

enum { N_MAX = ELV_FINITE_UNKNOWNS, MAX_ITERATION = 30 };

// changes of wrenches this small beside the largest are left to the single shot
static const double STEP_TOL = 1e-6;

ElvStatus elv_finite_mesh_init(ElvFiniteMesh* mesh,
                               const ElvFiniteGrid* grid,
                               ElvPool* pool,
                               ElvError* error) {
    size_t n = (size_t)grid->n_node;
    mesh->point = elv_pool_take(pool, n, sizeof *mesh->point);
    mesh->column = elv_pool_take(pool, n * ELV_FINITE_COLUMNS, sizeof *mesh->column);
    if (!mesh->point || !mesh->column) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    return ELV_OK;
}

void elv_finite_mesh_guess(ElvFiniteMesh* mesh,
                           const ElvFiniteGrid* grid,
                           const ElvFieldNode* now,
                           const ElvFieldNode* past,
                           double dt,
                           double ratio) {
    for (int i = 0; i < grid->n_node; i++) {
        ElvFinitePoint* to = &mesh->point[i];
        ElvTwist d_eta = elv_twist_sub(now[i].eta, past[i].eta);
        to->eta = elv_twist_add_scaled(now[i].eta, ratio, d_eta);
        to->lam = elv_wrench_add_scaled(now[i].lam, ratio, elv_wrench_sub(now[i].lam, past[i].lam));
        to->g = elv_pose_compose(now[i].g, elv_se3_exp(elv_twist_scale(dt, to->eta)));
    }
}

// J d_x = -(r + what the misses add), rows of the same size; false: singular
static bool solve(int n, const double* r, const double* J, double* d_x) {
    double LU[N_MAX * N_MAX];
    int pivot[N_MAX];
    for (int i = 0; i < n; i++) {
        const double* row = J + (size_t)(i * (n + 1));
        double most = 0.0;
        for (int j = 0; j < n; j++) {
            most = fmax(most, fabs(row[j]));
        }
        if (!(most > 0.0) || !isfinite(most)) {
            return false;
        }
        for (int j = 0; j < n; j++) {
            LU[i * n + j] = row[j] / most;
        }
        d_x[i] = -(r[i] + row[n]) / most;
    }
    if (elv_lu_factor(n, LU, pivot) >= 0) {
        return false;
    }
    elv_lu_solve(n, LU, pivot, 1, d_x);
    return true;
}

// move a point by its columns; returns the change of its wrench, moments over the length
static double move(const ElvFiniteGrid* grid,
                   int n,
                   const ElvFiniteVariation* column,
                   const double* d_x,
                   ElvFinitePoint* point) {
    ElvFiniteVariation d = column[n];
    for (int k = 0; k < n; k++) {
        d.zeta = elv_twist_add_scaled(d.zeta, d_x[k], column[k].zeta);
        d.eta = elv_twist_add_scaled(d.eta, d_x[k], column[k].eta);
        d.lam = elv_wrench_add_scaled(d.lam, d_x[k], column[k].lam);
    }
    point->g = elv_pose_compose(point->g, elv_se3_exp(d.zeta));
    point->eta = elv_twist_add(point->eta, d.eta);
    point->lam = elv_wrench_add(point->lam, d.lam);
    return fmax(elv_vec3_norm(d.lam.mom) / grid->length, elv_vec3_norm(d.lam.frc));
}

// one iteration; returns the largest change of a wrench, NaN: none was possible
static double iterate(ElvFiniteSweep* sweep, ElvFiniteMesh* mesh, double* x) {
    const ElvFiniteGrid* grid = sweep->grid;
    int n = sweep->root->n + 6;
    double r[N_MAX], J[N_MAX * (N_MAX + 1)], d_x[N_MAX];
    if (elv_finite_shoot(sweep, x, r, J, NULL) != ELV_OK || !solve(n, r, J, d_x)) {
        return NAN;
    }
    double most = 0.0;
    for (int i = 0; i < grid->n_piece; i++) {
        for (int k = 1; k <= grid->piece[i].n_element; k++) {
            int at = grid->piece[i].i_node + k;
            double size = move(grid, n, mesh->column + (size_t)at * ELV_FINITE_COLUMNS, d_x,
                               &mesh->point[at]);
            // keeps NaN
            most = size <= most ? most : size;
        }
    }
    for (int k = 0; k < n; k++) {
        x[k] += d_x[k];
    }
    return most;
}

bool elv_finite_mesh_solve(
    ElvFiniteSweep* sweep, ElvFiniteMesh* mesh, double largest, double* x, int* n_shot) {
    bool is_found = false;
    sweep->mesh = mesh;
    for (int i = 0; i < MAX_ITERATION && !is_found && !elv_brake_ask(sweep->brake); i++) {
        double change = iterate(sweep, mesh, x);
        (*n_shot)++;
        if (!isfinite(change)) {
            break;
        }
        for (int k = 0; k < 3; k++) {
            const double* lam = x + sweep->root->n;
            largest = fmax(largest, fmax(fabs(lam[k]) / sweep->grid->length, fabs(lam[k + 3])));
        }
        is_found = change <= STEP_TOL * largest;
    }
    sweep->mesh = NULL;
    return is_found;
}
