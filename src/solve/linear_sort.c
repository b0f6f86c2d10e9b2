// SPDX-License-Identifier: Apache-2.0
// Which equation of devices gives which unknown: Gauss elimination of E with complete pivoting, on rows in
// units of their largest entries. An equation with a pivot gives the unknown of that column, which follows;
// what is left of the others has no z in it: constraints, whose forces are the unknowns that are left.
#include "solve/linear_border.h"

#include <math.h>
#include <string.h>

/// Entries that elimination leaves below this, rows in units of their own, are zero.
static const double ZERO = 1e-10;

/// An equation gives rather its own unknown than another one with so many times its entry.
static const double OWN = 4.0;

/// The algebraic equations and unknowns, n of each.
typedef struct {
    size_t n;
    double* X;            // what elimination has left of E          (n x n)
    int* index;           // which of the z they are                 (n)
    int* is_row_taken;    // 1: its pivot has been found   (n)
    int* is_column_taken; //                               (n)
} Elimination;

// rows in units of their largest entries
static void copy_rows(const ElvBorder* border, Elimination* e) {
    for (size_t i = 0; i < e->n; i++) {
        const double* row = border->E + (size_t)e->index[i] * (size_t)border->nz;
        double unit = 0.0;
        for (size_t k = 0; k < e->n; k++) {
            unit = fmax(unit, fabs(row[e->index[k]]));
        }
        for (size_t k = 0; k < e->n; k++) {
            e->X[i * e->n + k] = unit > 0.0 ? row[e->index[k]] / unit : 0.0;
        }
    }
}

// the best pivot among what is left; false: none
static bool find_pivot(const Elimination* e, size_t* row, size_t* column) {
    double best = 0.0;
    for (size_t i = 0; i < e->n; i++) {
        for (size_t k = 0; k < e->n && !e->is_row_taken[i]; k++) {
            double size = e->is_column_taken[k] ? 0.0 : fabs(e->X[i * e->n + k]);
            double weighed = i == k ? OWN * size : size;
            if (size > ZERO && weighed > best) {
                best = weighed;
                *row = i;
                *column = k;
            }
        }
    }
    return best > 0.0;
}

static void eliminate(Elimination* e, size_t row, size_t column) {
    const double* own = e->X + row * e->n;
    e->is_row_taken[row] = e->is_column_taken[column] = 1;
    for (size_t i = 0; i < e->n; i++) {
        double* x = e->X + i * e->n;
        double factor = x[column] / own[column];
        for (size_t k = 0; k < e->n && factor != 0.0 && !e->is_row_taken[i]; k++) {
            x[k] -= factor * own[k];
        }
    }
}

// what is left goes together: with their own where both are left, else as they come
static void pair_rest(const Elimination* e, ElvBorder* border) {
    size_t row = 0;
    for (size_t k = 0; k < e->n; k++) {
        if (!e->is_column_taken[k] && !e->is_row_taken[k]) {
            border->order[e->index[k]] = e->index[k];
            e->is_row_taken[k] = e->is_column_taken[k] = 1;
        }
    }
    for (size_t k = 0; k < e->n; k++) {
        if (e->is_column_taken[k]) {
            continue;
        }
        while (e->is_row_taken[row]) {
            row++;
        }
        border->order[e->index[k]] = e->index[row++];
    }
}

void elv_linear_sort(const ElvModel* model, int n_move, ElvBorder* border) {
    size_t nz = (size_t)border->nz;
    int* flag = border->pivot + nz;
    Elimination e = {0, border->scratch, border->pivot, flag, flag + nz};
    border->n_own = border->n_follow = border->n_rigid = 0;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = device->i_z; k < device->i_z + device->n_z; k++) {
            border->order[k] = k;
            if (device->is_differential) {
                border->own[border->n_own++] = k;
            } else {
                e.index[e.n++] = k;
            }
        }
    }
    copy_rows(border, &e);
    memset(flag, 0, 2 * nz * sizeof *flag);
    size_t row = 0;
    size_t column = 0;
    while (find_pivot(&e, &row, &column)) {
        eliminate(&e, row, column);
        border->order[e.index[column]] = e.index[row];
    }
    for (size_t k = 0; k < e.n; k++) {
        if (e.is_column_taken[k]) {
            border->follow[border->n_follow++] = e.index[k];
        } else {
            border->rigid[border->n_rigid++] = e.index[k];
        }
    }
    pair_rest(&e, border);
    elv_linear_reorder(border, (size_t)n_move, border->C);
    elv_linear_reorder(border, (size_t)n_move, border->C_w);
    elv_linear_reorder(border, nz, border->E);
}

void elv_linear_reorder(const ElvBorder* border, size_t width, double* X) {
    size_t nz = (size_t)border->nz;
    double* column = border->scratch;
    for (size_t k = 0; k < width; k++) {
        for (size_t i = 0; i < nz; i++) {
            column[i] = X[i * width + k];
        }
        for (size_t i = 0; i < nz; i++) {
            X[i * width + k] = column[border->order[i]];
        }
    }
}
