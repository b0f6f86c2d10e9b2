// SPDX-License-Identifier: Apache-2.0
// Ranks of the constraints of a mechanism [ALI (A.1)-(A.4)], by complete orthogonal decomposition.
//
// Accelerations a_p of passive joints and unknowns z of devices satisfy C_p a_p + D z = .. (the second
// derivatives of constraints; where a device gives a wrench, what it gives) and B_p z = .. (the dynamics of the
// passive joints). The motion is determined when no (a_p, z) != 0 with C_p a_p + D z = 0 moves a passive
// joint: with exact loops, when W_p of [ALI (A.1)] has full column rank. The effort of drive a is, when its
// row B_a is made up by the rows of B_p and D: then the z that are left open do not reach it.
#include "solve/mobility.h"

#include "linalg/min_norm.h"
#include "multibody/tidm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Pivots below this, rows and columns scaled, are zero.
static const double RANK_TOL = 1e-10;

/// Parts of a motion, or of an effort, above this are more than rounding.
static const double OPEN_PART = 1e-4;

ElvStatus elv_mobility_create(const ElvModel* model, ElvMobility* mobility, ElvError* error) {
    memset(mobility, 0, sizeof *mobility);
    size_t nv = (size_t)model->nv;
    size_t nz = (size_t)model->nz;
    size_t n = nv + nz;
    size_t n_work = (size_t)elv_min_norm_work((int)n);
    size_t room = nz * (2 * n + nv) + n * n + n_work + 3 * n + nv + 3 * nz + 1;
    double* block = calloc(room, sizeof *block);
    mobility->passive = calloc(nv + n + 1, sizeof *mobility->passive);
    mobility->motion = block;
    if (!block || !mobility->passive) {
        elv_mobility_free(mobility);
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    mobility->model = model;
    mobility->column = mobility->passive + nv;
    for (int i = 0; i < model->nv; i++) {
        if (!model->is_driven[i]) {
            mobility->passive[mobility->n_passive++] = i;
        }
    }
    mobility->n = mobility->n_passive + model->nz;
    mobility->efforts = mobility->motion + nz * n;
    mobility->on_drive = mobility->efforts + nz * n;
    mobility->factor = mobility->on_drive + nz * nv;
    mobility->work = mobility->factor + n * n;
    mobility->scale = mobility->work + n_work;
    mobility->x = mobility->scale + n;
    mobility->b = mobility->x + n;
    mobility->d_nu = mobility->b + n;
    mobility->d_z = mobility->d_nu + nv;
    mobility->d_c = mobility->d_z + nz;
    mobility->row_scale = mobility->d_c + nz;
    return ELV_OK;
}

void elv_mobility_free(ElvMobility* mobility) {
    free(mobility->motion);
    free(mobility->passive);
    memset(mobility, 0, sizeof *mobility);
}

// ---- the matrices

// d_c of all devices under data->x, d_nu and d_z; what is no constraint keeps its z
static void all_rows(ElvMobility* mobility, const ElvScene* scene) {
    const ElvModel* model = scene->model;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        double* d_c = mobility->d_c + device->i_z;
        if (device->n_z > 0 && device->ops->motion) {
            device->ops->row(device, scene, mobility->d_nu, mobility->d_z, d_c);
        } else {
            memcpy(d_c, mobility->d_z + device->i_z, (size_t)device->n_z * sizeof *d_c);
        }
    }
}

// C_p and D
static void set_motion(ElvMobility* mobility, const ElvScene* scene) {
    const ElvModel* model = scene->model;
    ElvData* data = scene->data;
    size_t n = (size_t)mobility->n;
    memset(mobility->d_nu, 0, (size_t)model->nv * sizeof(double));
    memset(mobility->d_z, 0, (size_t)model->nz * sizeof(double));
    memset(data->x, 0, ELV_N_VARIATION * sizeof *data->x);
    for (int j = 0; j < mobility->n; j++) {
        bool is_motion = j < mobility->n_passive;
        double* unit = is_motion ? &mobility->d_nu[mobility->passive[j]]
                                 : &mobility->d_z[j - mobility->n_passive];
        *unit = 1.0;
        elv_tree_move(model, data, mobility->d_nu);
        all_rows(mobility, scene);
        *unit = 0.0;
        for (int k = 0; k < model->nz; k++) {
            mobility->motion[(size_t)k * n + (size_t)j] = mobility->d_c[k];
        }
    }
}

// efforts of unknown k of a device on passive joints and on drives; beside them what all equations ask of it
static void
set_efforts_of(ElvMobility* mobility, const ElvScene* scene, const ElvDevice* device, int k) {
    const ElvModel* model = scene->model;
    size_t n = (size_t)mobility->n;
    size_t n_passive = (size_t)mobility->n_passive;
    size_t nz = (size_t)model->nz;
    size_t nv = (size_t)model->nv;
    size_t i_z = (size_t)device->i_z + (size_t)k;
    double* tau = mobility->on_drive + i_z * nv;
    double* row = mobility->efforts + i_z * n;
    memset(scene->data->e, 0, (size_t)model->n_port * 6 * sizeof(double));
    memset(tau, 0, nv * sizeof *tau);
    device->ops->column(device, scene, k, tau);
    elv_project_wrenches(model, scene->data, tau);
    for (size_t j = 0; j < n_passive; j++) {
        row[j] = tau[mobility->passive[j]];
    }
    for (size_t j = 0; j < nz; j++) {
        row[n_passive + j] = mobility->motion[j * n + n_passive + i_z];
    }
}

void elv_mobility_set(ElvMobility* mobility, ElvData* data, const ElvState* state) {
    const ElvModel* model = mobility->model;
    ElvBorderRule rule = {.is_motion = true};
    ElvScene scene = {model, data, state, &rule};
    set_motion(mobility, &scene);
    for (int i = 0; i < model->n_device; i++) {
        for (int k = 0; k < model->device[i]->n_z; k++) {
            set_efforts_of(mobility, &scene, model->device[i], k);
        }
    }
}

// ---- ranks

// Copy a matrix (nz x n) to the head of a square one, columns scaled, then rows. A row or column of rounding
// errors stays small.
static void place_scaled(ElvMobility* mobility, const double* matrix) {
    size_t n = (size_t)mobility->n;
    size_t nz = (size_t)mobility->model->nz;
    double* S = mobility->factor;
    double largest = 0.0;
    memset(S, 0, n * n * sizeof *S);
    for (size_t i = 0; i < nz * n; i++) {
        largest = fmax(largest, fabs(matrix[i]));
    }
    for (size_t j = 0; j < n; j++) {
        double own = 0.0;
        for (size_t i = 0; i < nz; i++) {
            own = fmax(own, fabs(matrix[i * n + j]));
        }
        mobility->scale[j] = own > RANK_TOL * largest ? 1.0 / own : 1.0;
    }
    for (size_t i = 0; i < nz; i++) {
        double own = 0.0;
        for (size_t j = 0; j < n; j++) {
            S[i * n + j] = matrix[i * n + j] * mobility->scale[j];
            own = fmax(own, fabs(S[i * n + j]));
        }
        mobility->row_scale[i] = own > RANK_TOL ? 1.0 / own : 1.0;
        for (size_t j = 0; j < n; j++) {
            S[i * n + j] *= mobility->row_scale[i];
        }
    }
}

static int factor(ElvMobility* mobility) {
    return elv_min_norm_factor(mobility->n, mobility->factor, mobility->work, mobility->column,
                               RANK_TOL, -1);
}

// shortest x with (scaled matrix) x = b, b in mobility->b (n); returns what of b it does not reach
static double solve(ElvMobility* mobility, int rank) {
    return elv_min_norm_solve(mobility->n, rank, mobility->factor, mobility->work, mobility->column,
                              mobility->b, mobility->b, mobility->x);
}

int elv_mobility_free_motion(ElvMobility* mobility) {
    size_t n = (size_t)mobility->n;
    size_t nz = (size_t)mobility->model->nz;
    double* freedom = mobility->d_nu;
    double most = 0.0;
    int found = -1;
    place_scaled(mobility, mobility->motion);
    int rank = factor(mobility);
    // 1 - (S^+ S)_jj: how freely unknown j moves; 0: not at all, 1: by itself
    for (int j = 0; j < mobility->n_passive && rank >= 0; j++) {
        memset(mobility->b, 0, n * sizeof *mobility->b);
        for (size_t i = 0; i < nz; i++) {
            mobility->b[i] =
                mobility->row_scale[i] * mobility->motion[i * n + (size_t)j] * mobility->scale[j];
        }
        (void)solve(mobility, rank);
        freedom[j] = 1.0 - mobility->b[j];
        most = fmax(most, freedom[j]);
    }
    for (int j = mobility->n_passive - 1; j >= 0 && most > OPEN_PART; j--) {
        found = freedom[j] >= 0.25 * most ? mobility->passive[j] : found;
    }
    return found;
}

// effort of unknown k on velocity component a
static double effort_on(const ElvMobility* mobility, int k, int a) {
    return mobility->on_drive[(size_t)k * (size_t)mobility->model->nv + (size_t)a];
}

int elv_mobility_free_effort(ElvMobility* mobility) {
    const ElvModel* model = mobility->model;
    double largest = 0.0;
    for (int k = 0; k < model->nz; k++) {
        for (int a = 0; a < model->nv; a++) {
            largest = fmax(largest, fabs(effort_on(mobility, k, a)));
        }
    }
    place_scaled(mobility, mobility->efforts);
    int rank = factor(mobility);
    double most = OPEN_PART;
    int found = -1;
    for (int a = 0; a < model->nv && rank >= 0; a++) {
        double size = 0.0;
        double scaled = 0.0;
        memset(mobility->b, 0, (size_t)mobility->n * sizeof *mobility->b);
        for (int k = 0; k < model->nz && model->is_driven[a]; k++) {
            double effort = effort_on(mobility, k, a);
            mobility->b[k] = mobility->row_scale[k] * effort;
            size = fmax(size, fabs(effort));
            scaled = fmax(scaled, fabs(mobility->b[k]));
        }
        double left = size > RANK_TOL * largest ? solve(mobility, rank) / scaled : 0.0;
        found = left > most ? a : found;
        most = fmax(most, left);
    }
    return found;
}
