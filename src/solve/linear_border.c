// SPDX-License-Identifier: Apache-2.0
// Unknowns of devices in the linearised motion (linear_border.h). What follows at once is eliminated,
//     0 = C d_nu + C_w d_w + E d_z  ->  z_f = -E_ff^-1 (C_f d_nu + C_w,f d_w + E_fo d_z_o).
// What has no z is a constraint (linear_constraint.c): of a loop, or of a tendon that does not stretch.
#include "solve/linear_border.h"

#include "linalg/lu.h"
#include "multibody/tidm.h"
#include "solve/linearize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Constraints that a state keeps less well, in m (or sizes of the robot) and rad, are not kept.
static const double OPEN = 1e-6;

/// Share of the rates in a constraint, or of the places, that is rounding.
static const double RATE = 1e-12;

ElvStatus
elv_linear_border_create(const ElvModel* model, int n_move, ElvBorder* border, ElvError* error) {
    size_t n = (size_t)n_move;
    size_t nz = (size_t)model->nz;
    memset(border, 0, sizeof *border);
    border->nz = model->nz;
    border->n_free = n_move;
    border->own = calloc(8 * nz + 2 * n + 1, sizeof *border->own);
    // motions that are left are looked for only where constraints may be
    size_t square = nz > 0 ? n * n : 0;
    border->B =
        calloc(3 * n * nz + 2 * nz * nz + 5 * square + 2 * nz * (n + nz) + 1, sizeof *border->B);
    if (!border->own || !border->B) {
        elv_linear_border_free(border);
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    border->follow = border->own + nz;
    border->rigid = border->follow + nz;
    border->order = border->rigid + nz;
    border->held = border->order + nz;
    border->pivot = border->held + nz;
    border->free_index = border->pivot + 3 * nz;
    border->bound = border->free_index + n;
    border->C = border->B + n * nz;
    border->C_w = border->C + n * nz;
    border->E = border->C_w + n * nz;
    border->F = border->E + nz * nz;
    border->Z = border->F + nz * nz;
    border->Y = border->Z + square;
    border->scratch = border->Y + square;
    return ELV_OK;
}

void elv_linear_border_free(ElvBorder* border) {
    free(border->own);
    free(border->B);
    memset(border, 0, sizeof *border);
}

// ---- rows and columns

// d_c of all devices under data->x, d_nu and d_z
static void all_rows(const ElvScene* scene, const double* d_nu, const double* d_z, double* d_c) {
    for (int i = 0; i < scene->model->n_device; i++) {
        const ElvDevice* device = scene->model->device[i];
        if (device->n_z > 0) {
            device->ops->row(device, scene, d_nu, d_z, d_c + device->i_z);
        }
    }
}

void elv_linear_border_rows(const ElvModel* model,
                            ElvData* data,
                            const ElvState* state,
                            int n,
                            const int* index,
                            double* C) {
    ElvScene scene = {model, data, state, NULL};
    memset(data->v, 0, (size_t)model->nv * sizeof *data->v);
    memset(data->d_z, 0, (size_t)model->nz * sizeof *data->d_z);
    for (int k = 0; k < n && model->nz > 0; k++) {
        data->v[index[k]] = 1.0;
        elv_tidm_apply(model, data, data->v, data->tau);
        all_rows(&scene, data->v, data->d_z, data->d_c);
        data->v[index[k]] = 0.0;
        for (int i = 0; i < model->nz; i++) {
            C[(size_t)i * (size_t)n + (size_t)k] = data->d_c[i];
        }
    }
}

// a column of B in the chart's own coordinates, all components (nv)
static void one_column(const ElvScene* scene, const ElvDevice* device, int k, double* column) {
    const ElvModel* model = scene->model;
    ElvData* data = scene->data;
    memset(data->e, 0, (size_t)model->n_port * 6 * sizeof *data->e);
    memset(data->tau, 0, (size_t)model->nv * sizeof *data->tau);
    device->ops->column(device, scene, k, data->tau);
    elv_tidm_project(model, data, data->tau, column);
    elv_pull_back(model, data, 1, column);
}

void elv_linear_border_columns(const ElvModel* model,
                               ElvData* data,
                               const ElvState* state,
                               int n,
                               const int* index,
                               ElvBorder* border) {
    ElvScene scene = {model, data, state, NULL};
    size_t nz = (size_t)model->nz;
    // no motion: data->x is zero
    memset(data->v, 0, (size_t)model->nv * sizeof *data->v);
    elv_tidm_apply(model, data, data->v, data->tau);
    memset(data->d_z, 0, nz * sizeof *data->d_z);
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < device->n_z; k++) {
            size_t column = (size_t)device->i_z + (size_t)k;
            data->d_z[column] = 1.0;
            all_rows(&scene, data->v, data->d_z, data->d_c);
            data->d_z[column] = 0.0;
            for (size_t row = 0; row < nz; row++) {
                border->E[row * nz + column] = data->d_c[row];
            }
            one_column(&scene, device, k, data->a);
            for (int j = 0; j < n; j++) {
                border->B[(size_t)j * nz + column] = data->a[index[j]];
            }
        }
    }
}

// ---- what follows

// F = E_ff^-1, its rows in units of their largest entries; false when singular
static bool invert(ElvBorder* border) {
    size_t n = (size_t)border->n_follow;
    size_t nz = (size_t)border->nz;
    double* LU = border->scratch;
    memset(border->F, 0, n * n * sizeof *border->F);
    for (size_t i = 0; i < n; i++) {
        double unit = 0.0;
        for (size_t k = 0; k < n; k++) {
            LU[i * n + k] = border->E[(size_t)border->follow[i] * nz + (size_t)border->follow[k]];
            unit = fmax(unit, fabs(LU[i * n + k]));
        }
        for (size_t k = 0; k < n && unit > 0.0; k++) {
            LU[i * n + k] /= unit;
        }
        border->F[i * n + i] = unit > 0.0 ? 1.0 / unit : 0.0;
    }
    if (elv_lu_factor(border->n_follow, LU, border->pivot) >= 0) {
        return false;
    }
    elv_lu_solve(border->n_follow, LU, border->pivot, border->n_follow, border->F);
    return true;
}

// rows of what follows, X (nz x width): X_f := -F X_f
static void solve_rows(const ElvBorder* border, size_t width, double* X) {
    size_t n = (size_t)border->n_follow;
    double* column = border->scratch;
    for (size_t k = 0; k < width; k++) {
        for (size_t i = 0; i < n; i++) {
            column[i] = X[(size_t)border->follow[i] * width + k];
        }
        for (size_t i = 0; i < n; i++) {
            double sum = 0.0;
            for (size_t j = 0; j < n; j++) {
                sum += border->F[i * n + j] * column[j];
            }
            X[(size_t)border->follow[i] * width + k] = -sum;
        }
    }
}

// to (n_row x width) += A X_f, with A (n_row x nz), X (nz x width): what follows put in
static void put_in(const ElvBorder* border,
                   size_t n_row,
                   const double* A,
                   size_t width,
                   const double* X,
                   double* to) {
    for (size_t i = 0; i < n_row; i++) {
        for (int j = 0; j < border->n_follow; j++) {
            size_t f = (size_t)border->follow[j];
            double factor = A[i * (size_t)border->nz + f];
            for (size_t k = 0; k < width && factor != 0.0; k++) {
                to[i * width + k] += factor * X[f * width + k];
            }
        }
    }
}

// the same for the rows of what is remembered, and of constraints
static void put_in_rows(const ElvBorder* border, size_t width, double* X) {
    size_t nz = (size_t)border->nz;
    for (int i = 0; i < border->n_own + border->n_rigid; i++) {
        size_t row =
            (size_t)(i < border->n_own ? border->own[i] : border->rigid[i - border->n_own]);
        put_in(border, 1, border->E + row * nz, width, X, X + row * width);
    }
}

// z_f by the other z alone; the columns of what follows stay in the other rows, for inputs
static void put_in_unknowns(ElvBorder* border, size_t n) {
    size_t nz = (size_t)border->nz;
    double* E_f = border->scratch + nz;
    memcpy(E_f, border->E, nz * nz * sizeof *E_f);
    solve_rows(border, nz, E_f);
    for (int i = 0; i < border->n_follow; i++) {
        size_t row = (size_t)border->follow[i];
        for (int k = 0; k < border->n_follow; k++) {
            E_f[row * nz + (size_t)border->follow[k]] = 0.0;
        }
        memcpy(border->E + row * nz, E_f + row * nz, nz * sizeof *E_f);
    }
    for (int i = 0; i < border->n_own; i++) {
        size_t own = (size_t)border->own[i];
        put_in(border, 1, border->E + own * nz, nz, E_f, border->E + own * nz);
    }
    put_in(border, n, border->B, nz, E_f, border->B);
}

void elv_linear_border_feed(const ElvBorder* border, int n, int n_input, double* U, double* V) {
    size_t width = (size_t)n_input;
    elv_linear_reorder(border, width, V);
    solve_rows(border, width, V);
    put_in_rows(border, width, V);
    put_in(border, (size_t)n, border->B, width, V, U);
}

// ---- all of it

static const ElvDevice* owner_of(const ElvModel* model, int k) {
    const ElvDevice* owner = NULL;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        owner = k >= device->i_z && k < device->i_z + device->n_z ? device : owner;
    }
    return owner;
}

static ElvStatus
check_rest(const ElvModel* model, const ElvState* state, const ElvBorder* border, ElvError* error) {
    bool is_still = true;
    for (int i = 0; i < model->nv; i++) {
        is_still = is_still && (state->v[i] == 0.0 || model->is_driven[i]);
    }
    if (is_still || border->n_rigid == 0) {
        return ELV_OK;
    }
    const ElvDevice* device = owner_of(model, border->rigid[0]);
    if (device->ops->motion) {
        return elv_error_set(error, ELV_ERROR_INPUT, device->name, "",
                             "the motion that '%s' leaves is looked at about rest alone: give a "
                             "state without velocities",
                             device->name);
    }
    return elv_error_set(error, ELV_ERROR_INPUT, device->name, "stiffness",
                         "'%s' does not stretch: the motion that it leaves is looked at about rest "
                         "alone; give it a stiffness, or a state without velocities",
                         device->name);
}

// constraints that the state does not keep leave no motions about it
static ElvStatus check_closed(const ElvModel* model,
                              ElvData* data,
                              const ElvState* state,
                              const ElvBorder* border,
                              ElvError* error) {
    ElvScene scene = {model, data, state, NULL};
    double* c = border->scratch;
    double* size = c + border->nz;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        double worst = 0.0;
        if (!device->ops->motion) {
            continue;
        }
        device->ops->equation(device, &scene, c, size);
        for (int k = 0; k < device->n_z; k++) {
            worst = model->is_held[device->i_z + k] ? fmax(worst, fabs(c[k])) : worst;
        }
        if (!(worst <= OPEN * fmin(1.0, model->size))) {
            return elv_error_set(error, ELV_ERROR_INPUT, device->name, "",
                                 "the state does not keep '%s', by %.3g (m, rad, or one of them a "
                                 "second): look at one that does, such as an equilibrium",
                                 device->name, worst);
        }
    }
    return ELV_OK;
}

static double largest_of(size_t n, const double* x) {
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

// Constraints on rates C_w d_w = 0 are, about rest, constraints C_w d_nu = 0 on how far it moves: what they
// leave of it for ever is another equilibrium, or none.
static ElvStatus hold_rates(const ElvModel* model, size_t n, ElvBorder* border, ElvError* error) {
    border->n_rate = 0;
    for (int i = 0; i < border->n_rigid; i++) {
        double* C = border->C + (size_t)border->rigid[i] * n;
        const double* C_w = border->C_w + (size_t)border->rigid[i] * n;
        double by_rates = largest_of(n, C_w);
        double by_place = largest_of(n, C);
        if (by_rates <= RATE * by_place) {
            continue;
        }
        if (by_place > RATE * by_rates) {
            const ElvDevice* device = owner_of(model, border->rigid[i]);
            return elv_error_set(error, ELV_ERROR_INPUT, device->name, "",
                                 "'%s' ties velocities to places: there are no vibrations about "
                                 "this state",
                                 device->name);
        }
        memcpy(C, C_w, n * sizeof *C);
        border->n_rate++;
    }
    return ELV_OK;
}

static ElvStatus
constrain(const ElvModel* model, int n, const double* M, ElvBorder* border, ElvError* error) {
    if (border->n_rigid == 0) {
        return ELV_OK;
    }
    const ElvDevice* device = owner_of(model, border->rigid[0]);
    double mass = elv_model_mass(model) * model->size * model->size;
    if (!elv_linear_constrain(n, M, mass, border)) {
        return elv_error_set(error, ELV_ERROR_SINGULAR, device->name, "",
                             device->ops->motion ? "the forces of '%s' do not hold it"
                                                 : "the tension of '%s' does not hold its length",
                             device->name);
    }
    return ELV_OK;
}

ElvStatus elv_linear_border_condense(const ElvModel* model,
                                     ElvData* data,
                                     const ElvState* state,
                                     int n,
                                     const double* M,
                                     double* K,
                                     double* D,
                                     ElvBorder* border,
                                     ElvError* error) {
    border->n_free = n;
    if (border->nz == 0) {
        return ELV_OK;
    }
    size_t width = (size_t)n;
    elv_linear_sort(model, n, border);
    ElvStatus status = check_rest(model, state, border, error);
    status = status == ELV_OK ? check_closed(model, data, state, border, error) : status;
    if (status != ELV_OK) {
        return status;
    }
    if (!invert(border)) {
        const char* name = owner_of(model, border->follow[0])->name;
        return elv_error_set(error, ELV_ERROR_SINGULAR, name, "",
                             "the forces of '%s' and its like do not follow from the motion", name);
    }
    solve_rows(border, width, border->C);
    solve_rows(border, width, border->C_w);
    put_in_rows(border, width, border->C);
    put_in_rows(border, width, border->C_w);
    put_in(border, width, border->B, width, border->C, K);
    put_in(border, width, border->B, width, border->C_w, D);
    put_in_unknowns(border, width);
    status = hold_rates(model, width, border, error);
    return status == ELV_OK ? constrain(model, n, M, border, error) : status;
}
