// SPDX-License-Identifier: Apache-2.0
// The Schur complement by LU, or, where constraints are redundant, by a complete orthogonal
// factorisation: the motion is unique, and of the wrenches that cause it the smallest are taken.
#include "multibody/schur.h"

#include "linalg/lu.h"
#include "linalg/min_norm.h"
#include "multibody/device.h"

#include <math.h>
#include <string.h>

/// Pivots that are smaller than this, rows and columns scaled, are zero.
static const double RANK_TOL = 1e-10;

/// Columns that are smaller than this, relative to the largest one, are not scaled up to it: where nothing but
/// rounding is in a column, its wrench does nothing.
static const double SMALL_COLUMN = 1e-4;

/// Pivots of an LU that are smaller than this ask for a closer look.
static const double SUSPECT = 1e-8;

// ---- wrenches in their own place

// the moment of z is about the world's origin; moved by sign times the arm it is about another point
static void move_wrench(ElvVec3 arm, double sign, double* z) {
    ElvWrench W = elv_wrench_from_array(z);
    W.mom = elv_vec3_add_scaled(W.mom, sign, elv_vec3_cross(arm, W.frc));
    elv_wrench_to_array(W, z);
}

// the wrenches in z (nz), all moved
static void move_wrenches(const ElvModel* model, const ElvData* data, double sign, double* z) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->point) {
            move_wrench(data->border_arm[i], sign, z + device->i_z);
        }
    }
}

// Columns of forces that act where they belong, not at the world's origin: what is small among wrenches then does
// not depend on where the robot stands.
static void place_columns(const ElvModel* model, ElvData* data, size_t n) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (!device->ops->point) {
            continue;
        }
        ElvVec3 arm = elv_vec3_add(data->origin, device->ops->point(device, data));
        data->border_arm[i] = arm;
        for (size_t row = 0; row < n; row++) {
            double* S = data->border_S + row * n + (size_t)device->i_z;
            ElvVec3 by_moment = elv_vec3(S[0], S[1], S[2]);
            // S_m . (arm x f) = (S_m x arm) . f
            ElvVec3 more = elv_vec3_cross(by_moment, arm);
            S[3] += more.x;
            S[4] += more.y;
            S[5] += more.z;
        }
    }
}

// ---- scales

// moments of one size, and forces of one: a wrench has no axes of its own
static void level_wrench(double* size) {
    for (int i = 0; i < 6; i += 3) {
        double all = elv_vec3_norm(elv_vec3(size[i], size[i + 1], size[i + 2]));
        size[i] = size[i + 1] = size[i + 2] = all;
    }
}

static void level_wrenches(const ElvModel* model, size_t n, double* size) {
    for (int i = 0; i < model->n_device; i++) {
        if (model->device[i]->ops->point) {
            level_wrench(size + model->device[i]->i_z);
        }
    }
    for (size_t k = (size_t)model->nz; k + 6 <= n; k += 6) {
        level_wrench(size + k);
    }
}

// Scale columns to the same size, then rows: those of constraints by the largest of them all, so that one
// which nothing in the model can break stays small, a row of rounding errors; others each by itself.
static void scale_schur(const ElvModel* model, ElvData* data, size_t n) {
    double* S = data->border_S;
    double* of_row = data->border_scale;
    double* of_column = of_row + n;
    double largest = 0.0;
    for (size_t k = 0; k < n; k++) {
        of_column[k] = 0.0;
        for (size_t i = 0; i < n; i++) {
            of_column[k] += S[i * n + k] * S[i * n + k];
        }
        of_column[k] = sqrt(of_column[k]);
        largest = fmax(largest, of_column[k]);
    }
    level_wrenches(model, n, of_column);
    for (size_t k = 0; k < n; k++) {
        bool is_place = k < (size_t)model->nz && model->is_place[k];
        double size = is_place ? of_column[k] : fmax(of_column[k], SMALL_COLUMN * largest);
        of_column[k] = size > 0.0 ? 1.0 / size : 1.0;
    }
    largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        of_row[i] = 0.0;
        for (size_t k = 0; k < n; k++) {
            S[i * n + k] *= of_column[k];
            of_row[i] = fmax(of_row[i], fabs(S[i * n + k]));
        }
        largest = model->is_held[i] ? fmax(largest, of_row[i]) : largest;
    }
    for (size_t i = 0; i < n; i++) {
        double size = model->is_held[i] ? largest : of_row[i];
        of_row[i] = size > 0.0 ? 1.0 / size : 1.0;
        for (size_t k = 0; k < n; k++) {
            S[i * n + k] *= of_row[i];
        }
    }
}

// ---- factors and solutions

// LU of what was regular before; false where it is in doubt
static bool factor_regular(ElvData* data, int n) {
    double smallest = INFINITY;
    double largest = 0.0;
    if (data->border_rank != n || elv_lu_factor(n, data->border_S, data->border_pivot) >= 0) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        double pivot = fabs(data->border_S[i * n + i]);
        smallest = fmin(smallest, pivot);
        largest = fmax(largest, pivot);
    }
    return smallest > SUSPECT * largest;
}

int elv_schur_factor(const ElvModel* model, ElvData* data, int n) {
    size_t size = (size_t)n * (size_t)n * sizeof(double);
    if (!model->is_constrained) {
        data->border_is_lu = true;
        return elv_lu_factor(n, data->border_S, data->border_pivot);
    }
    place_columns(model, data, (size_t)n);
    scale_schur(model, data, (size_t)n);
    memcpy(data->border_copy, data->border_S, size);
    data->border_is_lu = factor_regular(data, n);
    if (!data->border_is_lu) {
        memcpy(data->border_S, data->border_copy, size);
        data->border_rank = elv_min_norm_factor(n, data->border_S, data->border_work,
                                                data->border_pivot, RANK_TOL, data->border_pinned);
    }
    return data->border_rank < 0 ? 0 : -1;
}

void elv_schur_solve(const ElvModel* model, ElvData* data, int n, const double* z, double* d_z) {
    const double* of_row = data->border_scale;
    const double* of_column = of_row + n;
    if (!model->is_constrained) {
        elv_lu_solve(n, data->border_S, data->border_pivot, 1, d_z);
        return;
    }
    for (int i = 0; i < n; i++) {
        d_z[i] *= of_row[i];
    }
    if (data->border_is_lu) {
        elv_lu_solve(n, data->border_S, data->border_pivot, 1, d_z);
    } else {
        // b + S z is what the whole of z must satisfy; of places, small changes are best
        double* scratch = data->border_work + elv_min_norm_work(n);
        double* whole = data->d_c;
        memcpy(whole, z, (size_t)model->nz * sizeof *whole);
        move_wrenches(model, data, -1.0, whole);
        for (int i = 0; i < n; i++) {
            const double* row = data->border_copy + (size_t)i * (size_t)n;
            for (int k = 0; k < model->nz; k++) {
                d_z[i] += model->is_place[k] ? 0.0 : row[k] * whole[k] / of_column[k];
            }
        }
        (void)elv_min_norm_solve(n, data->border_rank, data->border_S, data->border_work,
                                 data->border_pivot, d_z, d_z, scratch);
        for (int k = 0; k < model->nz; k++) {
            d_z[k] -= model->is_place[k] ? 0.0 : whole[k] / of_column[k];
        }
    }
    for (int i = 0; i < n; i++) {
        d_z[i] *= of_column[i];
    }
    move_wrenches(model, data, 1.0, d_z);
}
