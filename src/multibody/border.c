// SPDX-License-Identifier: Apache-2.0
// The bordered tangent, solved by its Schur complement on the linear-time tree solve:
//     [ A B ] [ d_nu ]     [ R ]        d_nu = -A^-1 R + Y d_z,      Y = -A^-1 B,
//     [ C D ] [ d_z  ] = - [ c ]        (D + C Y) d_z = -c + C A^-1 R.
// A column of B is a set of wrenches at ports and efforts at joints, which the tree solve takes as they
// are; a row of C reads the variations of ports, which it leaves behind. The cost is that of one tree
// solve for each unknown.
//
// In statics a tree may be held by its constraints alone, and A is singular. Then springs, the anchors,
// hold the ports of constraints while the tree is eliminated, and further unknowns, the wrenches of these
// springs, take them away again: the solution is that of the matrix without them.
#include "multibody/border.h"

#include "multibody/anchor.h"
#include "multibody/schur.h"
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

void elv_border_motion(
    const ElvModel* model, ElvData* data, const ElvState* state, int level, double h, double* c) {
    ElvScene scene = {model, data, state, NULL};
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->motion) {
            device->ops->motion(device, &scene, level, h, c + device->i_z);
        } else {
            memset(c + device->i_z, 0, (size_t)device->n_z * sizeof *c);
        }
    }
}

void elv_border_open(const ElvModel* model, ElvData* data, const ElvState* state) {
    ElvScene scene = {model, data, state, NULL};
    // constraints that have no gap leave theirs at zero
    memset(data->gap, 0, (size_t)model->n_loop * sizeof *data->gap);
    elv_kinematics(model, data, state);
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->open) {
            device->ops->open(device, &scene);
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
            // where places go is a guess for the next step
            double mean = 0.5 * (z[k] - state->z[k]) / rule->step;
            bool is_place = k >= device->i_z + device->n_z - device->n_place;
            double rate = 2.0 * mean - state->z_rate[k];
            state->z_rate[k] = device->is_differential ? rate : is_place ? mean : 0.0;
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

// ---- rows and columns

// d_c of all devices under data->x, d_nu and d_z
static void all_rows(const ElvScene* scene,
                     const ElvBorderRule* rule,
                     const double* d_nu,
                     const double* d_z,
                     double* d_c) {
    const ElvModel* model = scene->model;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        size_t size = (size_t)device->n_z * sizeof *d_c;
        if (device->n_z == 0) {
            continue;
        }
        if (rule && rule->is_motion && !device->ops->motion) {
            memcpy(d_c + device->i_z, d_z + device->i_z, size);
            continue;
        }
        device->ops->row(device, scene, d_nu, d_z, d_c + device->i_z);
        bool is_stepped = rule && device->is_differential;
        for (int k = device->i_z; k < device->i_z + device->n_z && is_stepped; k++) {
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

// unknowns of the border in use
static int n_border(const ElvModel* model, const ElvData* data) {
    return model->nz + (data->anchor[0] > 0.0 ? 6 * model->n_anchor : 0);
}

// answer of the tree to unknown i, and with it a column of the Schur complement
static void answer(const ElvScene* scene, const ElvBorderRule* rule, size_t n, size_t column) {
    const ElvModel* model = scene->model;
    ElvData* data = scene->data;
    double* Y = data->border_Y + column * (size_t)model->nv;
    elv_tree_solve_wrenches(model, data, data->tau, Y);
    elv_tree_move(model, data, Y);
    data->d_z[column] = 1.0;
    all_rows(scene, rule, Y, data->d_z, data->d_c);
    elv_anchor_rows(model, data, data->d_z, data->d_c);
    data->d_z[column] = 0.0;
    for (size_t row = 0; row < n; row++) {
        data->border_S[row * n + column] = data->d_c[row];
    }
}

static void all_answers(const ElvScene* scene, const ElvBorderRule* rule, size_t n) {
    const ElvModel* model = scene->model;
    ElvData* data = scene->data;
    memset(data->d_z, 0, n * sizeof *data->d_z);
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < device->n_z; k++) {
            one_column(scene, device, k, data->tau);
            answer(scene, rule, n, (size_t)device->i_z + (size_t)k);
        }
    }
    for (size_t k = (size_t)model->nz; k < n; k++) {
        memset(data->tau, 0, (size_t)model->nv * sizeof *data->tau);
        elv_anchor_column(model, data, (int)k - model->nz);
        answer(scene, rule, n, k);
    }
}

// ---- the bordered tangent

int elv_border_factor(const ElvModel* model,
                      ElvData* data,
                      const ElvState* state,
                      const ElvBorderRule* rule) {
    ElvScene scene = {model, data, state, rule};
    elv_anchor_set(model, data);
    int singular = elv_tree_factor(model, data);
    elv_anchor_lift(model, data);
    int n = n_border(model, data);
    if (singular >= 0 || n == 0) {
        return singular;
    }
    all_answers(&scene, rule, (size_t)n);
    singular = elv_schur_factor(model, data, n);
    return singular >= 0 ? model->n_node + (singular < model->nz ? singular : 0) : -1;
}

// name of the device that owns unknown k
static const char* owner_of(const ElvModel* model, int k) {
    const char* name = NULL;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        name = k >= device->i_z && k < device->i_z + device->n_z ? device->name : name;
    }
    return name;
}

int elv_border_redundant(const ElvModel* model, const ElvData* data, const char** name) {
    int n = n_border(model, data);
    int rank = data->border_rank;
    int n_redundant = 0;
    *name = NULL;
    if (!model->is_constrained || data->border_is_lu || rank < 0) {
        return 0;
    }
    // anchors and places that are not unique belong to motions that cost nothing
    for (int j = n - 1; j >= rank; j--) {
        int k = data->border_pivot[j];
        if (k < model->nz && !model->is_place[k]) {
            n_redundant++;
            *name = owner_of(model, k);
        }
    }
    return n_redundant;
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
    size_t n = (size_t)n_border(model, data);
    elv_tree_solve(model, data, residual, d_nu);
    if (n == 0) {
        return;
    }
    elv_tree_move(model, data, d_nu);
    memset(data->d_z, 0, n * sizeof *data->d_z);
    all_rows(&scene, rule, d_nu, data->d_z, data->d_c);
    elv_anchor_rows(model, data, data->d_z, data->d_c);
    for (size_t k = 0; k < n; k++) {
        data->d_z[k] = -data->d_c[k] - (k < (size_t)model->nz ? c[k] : 0.0);
    }
    elv_schur_solve(model, data, (int)n, state->z, data->d_z);
    for (size_t k = 0; k < n; k++) {
        const double* Y = data->border_Y + k * nv;
        for (size_t i = 0; i < nv; i++) {
            d_nu[i] += Y[i] * data->d_z[k];
        }
    }
    memcpy(d_z, data->d_z, (size_t)model->nz * sizeof *d_z);
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
