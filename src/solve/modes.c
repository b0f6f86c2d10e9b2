// SPDX-License-Identifier: Apache-2.0
// Natural modes about a state. Without damping and with loads that have a potential: K x = omega^2 M x,
// K symmetric. What else there may be is in modes_damped.c. Shapes are given as velocities v, with unit
// modal mass x^H M x = 1 and their largest component real and positive.
#include "solve/modes.h"

#include "linalg/pencil.h"
#include "multibody/data.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TWO_PI = 6.28318530717958647692;

/// Eigenvalues (of omega^2) below this fraction of the smallest other one are zero.
static const double RIGID = 1e-9;

/// Growth relative to |lambda| that rounding may cause.
static const double GROWTH = 1e-7;

static ElvStatus out_of_memory(ElvError* error) {
    (void)elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    return ELV_ERROR_MEMORY;
}

static ElvStatus fail_eigen(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                         "the eigenvalues of the linearised motion were not found: is there a "
                         "direction without mass and stiffness, or a state that is not finite?");
}

ElvStatus elv_modes_room(const ElvMatrices* matrices, int nv, ElvModes** modes, ElvError* error) {
    ElvModes* made = calloc(1, sizeof *made);
    // null vectors of K, and two eigenvalues of each coordinate, zeros that rounding splits among them
    size_t n_mode = 3 * ((size_t)matrices->n + (size_t)matrices->border.nz);
    size_t size = n_mode * (size_t)nv;
    if (made) {
        made->mode = calloc(n_mode + 1, sizeof *made->mode);
        made->shape = calloc(2 * size + 1, sizeof *made->shape);
    }
    if (!made || !made->mode || !made->shape) {
        elv_modes_free(made);
        return out_of_memory(error);
    }
    made->nv = nv;
    made->shape_im = made->shape + size;
    *modes = made;
    return ELV_OK;
}

void elv_modes_free(ElvModes* modes) {
    if (modes) {
        free(modes->mode);
        free(modes->shape);
        free(modes);
    }
}

static double mass_of(const ElvMatrices* matrices, const double* x) {
    size_t n = (size_t)matrices->n;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            sum += x[i] * matrices->M[i * n + k] * x[k];
        }
    }
    return sum;
}

// unit modal mass, the largest component real and positive: x, y are real and imaginary part
static void normalise(const ElvMatrices* matrices, double* x, double* y) {
    double mass = mass_of(matrices, x) + mass_of(matrices, y);
    double c = 1.0;
    double s = 0.0;
    double largest = 0.0;
    for (int i = 0; i < matrices->n; i++) {
        double size = hypot(x[i], y[i]);
        // a little more than the first counts, so that rounding does not choose among equals
        if (size > 1.0001 * largest) {
            largest = size;
            c = x[i] / size;
            s = y[i] / size;
        }
    }
    double unit = mass > 0.0 ? 1.0 / sqrt(mass) : largest > 0.0 ? 1.0 / largest : 0.0;
    for (int i = 0; i < matrices->n; i++) {
        double re = unit * (c * x[i] + s * y[i]);
        y[i] = unit * (c * y[i] - s * x[i]);
        x[i] = re;
    }
}

void elv_modes_put(
    const ElvMatrices* matrices, ElvModes* modes, double re, double im, double* x, double* y) {
    ElvMode* mode = &modes->mode[modes->n_mode];
    double size = hypot(re, im);
    normalise(matrices, x, y);
    size_t row = (size_t)modes->n_mode * (size_t)modes->nv;
    elv_matrices_velocities(matrices, modes->nv, x, modes->shape + row);
    elv_matrices_velocities(matrices, modes->nv, y, modes->shape_im + row);
    mode->re = re;
    mode->im = im;
    mode->frequency = size / TWO_PI;
    mode->damping = size > 0.0 ? 0.0 - re / size : 0.0;
    mode->is_unstable = re > GROWTH * size;
    modes->n_mode++;
}

// ---- without damping

ElvStatus elv_modes_undamped(const ElvMatrices* matrices, ElvModes* modes, ElvError* error) {
    ElvPencil pencil;
    double* zero = calloc((size_t)matrices->n + 1, sizeof *zero);
    if (!elv_pencil_create(matrices->n, &pencil) || !zero) {
        elv_pencil_free(&pencil);
        free(zero);
        return out_of_memory(error);
    }
    bool is_solved = elv_pencil_solve(&pencil, matrices->K, matrices->M);
    for (int i = 0; i < pencil.n_finite && is_solved; i++) {
        double value = pencil.value[i];
        bool is_rigid = fabs(value) <= elv_matrices_zero(matrices, &pencil, i, RIGID);
        double re = value < 0.0 && !is_rigid ? sqrt(-value) : 0.0;
        double im = value >= 0.0 || is_rigid ? sqrt(fabs(value)) : 0.0;
        memset(zero, 0, (size_t)matrices->n * sizeof *zero);
        elv_modes_put(matrices, modes, re, im, pencil.vector + (size_t)i * (size_t)pencil.n, zero);
        modes->mode[modes->n_mode - 1].is_rigid = is_rigid;
    }
    elv_pencil_free(&pencil);
    free(zero);
    return is_solved ? ELV_OK : fail_eigen(error);
}

bool elv_has_damping(const ElvMatrices* matrices) {
    size_t n = (size_t)matrices->n;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            size_t a = i * n + i;
            size_t b = k * n + k;
            // against what critical damping would be, as far as single coordinates tell
            double critical = sqrt(sqrt(fabs(matrices->K[a] * matrices->M[a])) *
                                   sqrt(fabs(matrices->K[b] * matrices->M[b])));
            if (fabs(matrices->D[i * n + k]) > 1e3 * DBL_EPSILON * critical) {
                return true;
            }
        }
    }
    return false;
}

// ---- both

static int compare(const ElvMode* a, const ElvMode* b) {
    if (a->is_rigid != b->is_rigid) {
        return a->is_rigid ? -1 : 1;
    }
    return a->frequency < b->frequency ? -1 : a->frequency > b->frequency ? 1 : 0;
}

static void swap(size_t n, double* a, double* b) {
    for (size_t i = 0; i < n; i++) {
        double entry = a[i];
        a[i] = b[i];
        b[i] = entry;
    }
}

// by insertion: they come nearly in order
static void sort(ElvModes* modes) {
    size_t nv = (size_t)modes->nv;
    for (int i = 1; i < modes->n_mode; i++) {
        for (int k = i; k > 0 && compare(&modes->mode[k], &modes->mode[k - 1]) < 0; k--) {
            ElvMode mode = modes->mode[k];
            size_t row = (size_t)k * nv;
            modes->mode[k] = modes->mode[k - 1];
            modes->mode[k - 1] = mode;
            swap(nv, modes->shape + row, modes->shape + row - nv);
            swap(nv, modes->shape_im + row, modes->shape_im + row - nv);
        }
    }
}

static bool is_at_rest(const ElvState* state) {
    bool is_still = true;
    for (int i = 0; i < state->nv; i++) {
        is_still = is_still && state->v[i] == 0.0;
    }
    return is_still;
}

// into modes, which has room
static ElvStatus find_modes(ElvMatrices* matrices, ElvModes* modes, ElvError* error) {
    bool is_simple = matrices->border.n_own == 0 &&
                     elv_is_symmetric(matrices->n, matrices->K, matrices->M) &&
                     !elv_has_damping(matrices);
    if (is_simple) {
        elv_symmetrise(matrices->n, matrices->K);
        elv_symmetrise(matrices->n, matrices->M);
    }
    ElvStatus status = is_simple ? elv_modes_undamped(matrices, modes, error)
                                 : elv_modes_damped(matrices, modes, error);
    if (status != ELV_OK) {
        return status;
    }
    sort(modes);
    for (int i = 0; i < modes->n_mode; i++) {
        modes->n_rigid += modes->mode[i].is_rigid ? 1 : 0;
        modes->n_unstable += modes->mode[i].is_unstable ? 1 : 0;
    }
    return ELV_OK;
}

ElvStatus
elv_modes_create(const ElvModel* model, const ElvState* state, ElvModes** modes, ElvError* error) {
    ElvMatrices matrices = {0};
    ElvData* data = NULL;
    *modes = NULL;
    elv_error_clear(error);
    ElvStatus status = elv_matrices_create(model, &matrices, error);
    status = status == ELV_OK ? elv_data_create(model, &data, error) : status;
    if (status == ELV_OK) {
        data->is_static = is_at_rest(state);
        status = elv_matrices_fill(model, data, state, &matrices, error);
    }
    ElvModes* made = NULL;
    if (status == ELV_OK) {
        elv_matrices_project(model, &matrices);
        status = elv_modes_room(&matrices, elv_model_nv(model), &made, error);
    }
    if (status == ELV_OK) {
        status = find_modes(&matrices, made, error);
    }
    elv_matrices_free(&matrices);
    elv_data_free(data);
    if (status != ELV_OK) {
        elv_modes_free(made);
        return status;
    }
    *modes = made;
    return ELV_OK;
}
