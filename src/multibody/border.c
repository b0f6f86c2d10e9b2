// SPDX-License-Identifier: Apache-2.0
// The bordered tangent, solved by its Schur complement on the linear-time tree solve:
//     [ A B ] [ d_nu ]     [ R ]        d_nu = -A^-1 R + Y d_z,      Y = -A^-1 B,
//     [ C D ] [ d_z  ] = - [ c ]        (D + C Y) d_z = -c + C A^-1 R.
// A column of B is a set of wrenches at ports and efforts at joints, which the tree solve takes as they
// are; a row of C reads the variations of ports, which it leaves behind. The cost is that of one tree
// solve for each unknown.
#include "multibody/border.h"

#include "linalg/lu.h"
#include "multibody/tidm.h"

#include <math.h>
#include <string.h>

void elv_border_equation(const ElvModel* model,
                         ElvData* data,
                         const ElvState* state,
                         const ElvBorderRule* rule,
                         double* c,
                         double* size) {
    elv_channel_pass(model, data, state);
    ElvScene scene = {model, data, state, rule};
    elv_device_equation(&scene, c, size);
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = device->i_z; k < device->i_z + device->n_z && device->is_differential; k++) {
            double rate = rule->rate_n[k] + c[k];
            size[k] = fabs(state->z[k]) + fabs(rule->z_n[k]) +
                      rule->step * (fabs(rule->rate_n[k]) + fabs(c[k]) + size[k]);
            c[k] = state->z[k] - rule->z_n[k] - rule->step * rate;
        }
    }
}

void elv_border_accept(const ElvModel* model,
                       const ElvBorderRule* rule,
                       const double* z,
                       ElvState* state) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = device->i_z; k < device->i_z + device->n_z; k++) {
            double rate = (z[k] - state->z[k]) / rule->step - state->z_rate[k];
            state->z_rate[k] = device->is_differential ? rate : 0.0;
            state->z[k] = z[k];
        }
    }
}

void elv_border_between(const ElvState* from, const ElvState* to, double x, ElvState* state) {
    for (int k = 0; k < state->nz; k++) {
        state->z[k] = (1.0 - x) * from->z[k] + x * to->z[k];
        state->z_rate[k] = (1.0 - x) * from->z_rate[k] + x * to->z_rate[k];
    }
}

// d_c of all devices under data->x, d_nu and d_z
static void all_rows(const ElvScene* scene,
                     const ElvBorderRule* rule,
                     const double* d_nu,
                     const double* d_z,
                     double* d_c) {
    const ElvModel* model = scene->model;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->n_z == 0) {
            continue;
        }
        device->ops->row(device, scene, d_nu, d_z, d_c + device->i_z);
        for (int k = device->i_z; k < device->i_z + device->n_z && device->is_differential; k++) {
            d_c[k] = d_z[k] - rule->step * d_c[k];
        }
    }
}

// the column of unknown k: wrenches in data->e, efforts in residual
static void one_column(const ElvScene* scene, const ElvDevice* device, int k, double* residual) {
    const ElvModel* model = scene->model;
    memset(scene->data->e, 0, (size_t)model->n_port * 6 * sizeof(double));
    memset(residual, 0, (size_t)model->nv * sizeof *residual);
    device->ops->column(device, scene, k, residual);
}

int elv_border_factor(const ElvModel* model,
                      ElvData* data,
                      const ElvState* state,
                      const ElvBorderRule* rule) {
    ElvScene scene = {model, data, state, rule};
    int singular = elv_tree_factor(model, data);
    size_t nv = (size_t)model->nv;
    size_t nz = (size_t)model->nz;
    if (singular >= 0 || nz == 0) {
        return singular;
    }
    memset(data->d_z, 0, nz * sizeof *data->d_z);
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < device->n_z; k++) {
            size_t column = (size_t)device->i_z + (size_t)k;
            double* Y = data->border_Y + column * nv;
            one_column(&scene, device, k, data->tau);
            elv_tree_solve_wrenches(model, data, data->tau, Y);
            elv_tree_move(model, data, Y);
            data->d_z[column] = 1.0;
            all_rows(&scene, rule, Y, data->d_z, data->d_c);
            data->d_z[column] = 0.0;
            for (size_t row = 0; row < nz; row++) {
                data->border_S[row * nz + column] = data->d_c[row];
            }
        }
    }
    singular = elv_lu_factor(model->nz, data->border_S, data->border_pivot);
    return singular >= 0 ? model->n_node + singular : -1;
}

void elv_border_solve(const ElvModel* model,
                      ElvData* data,
                      const ElvState* state,
                      const ElvBorderRule* rule,
                      const double* residual,
                      const double* c,
                      double* d_nu,
                      double* d_z) {
    ElvScene scene = {model, data, state, rule};
    size_t nv = (size_t)model->nv;
    elv_tree_solve(model, data, residual, d_nu);
    if (model->nz == 0) {
        return;
    }
    elv_tree_move(model, data, d_nu);
    memset(data->d_z, 0, (size_t)model->nz * sizeof *data->d_z);
    all_rows(&scene, rule, d_nu, data->d_z, data->d_c);
    for (int k = 0; k < model->nz; k++) {
        d_z[k] = -c[k] - data->d_c[k];
    }
    elv_lu_solve(model->nz, data->border_S, data->border_pivot, 1, d_z);
    for (int k = 0; k < model->nz; k++) {
        const double* Y = data->border_Y + (size_t)k * nv;
        for (size_t i = 0; i < nv; i++) {
            d_nu[i] += Y[i] * d_z[k];
        }
    }
}

void elv_border_apply(const ElvModel* model,
                      ElvData* data,
                      const ElvState* state,
                      const ElvBorderRule* rule,
                      const double* d_nu,
                      const double* d_z,
                      double* d_residual,
                      double* d_c) {
    ElvScene scene = {model, data, state, rule};
    size_t nv = (size_t)model->nv;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < device->n_z; k++) {
            double* B = data->border_Y + (size_t)(device->i_z + k) * nv;
            one_column(&scene, device, k, data->tau);
            elv_tidm_project(model, data, data->tau, B);
        }
    }
    elv_tidm_apply(model, data, d_nu, d_residual);
    all_rows(&scene, rule, d_nu, d_z, d_c);
    for (int k = 0; k < model->nz; k++) {
        const double* B = data->border_Y + (size_t)k * nv;
        for (size_t i = 0; i < nv; i++) {
            d_residual[i] += B[i] * d_z[k];
        }
    }
}
