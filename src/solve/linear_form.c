// SPDX-License-Identifier: Apache-2.0
// The solution of the linearised motion for what changes: with forces z_r of rigid constraints C_r
//     [ M    B_r ] [ w_dot ]       [ K Z y + D Z w_y + B_o z_o + U u ]
//     [ C_r   0  ] [ z_r   ]  =  - [               0                 ]
// (o: what devices remember), then z that follow from it, and
//     y_dot = w_y + S y,   w_y_dot = w_dot at the free coordinates,   z_o_dot = C_o nu + C_w,o w + E_o z + V_o u.
#include "linalg/lu.h"
#include "solve/linear_model.h"

#include <math.h>
#include <string.h>

/// The bordered mass matrix, coordinates and constraints in units of their own.
typedef struct {
    size_t n, size; // coordinates; with constraints
    double* LU;     // (size x size)
    double* unit;   // of the unknowns: first of rows, then of columns (2 size)
    double* X;      // right-hand sides, solution     (size x width)
    int* pivot;     // (size)
} Saddle;

static ElvStatus fail_mass(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_SINGULAR, "", "",
                         "a direction has no mass: the model has no accelerations to linearise");
}

// x_0 ... x_(n-1) in units, 1 over their length
static double unit_of(size_t n, const double* x, size_t stride, const double* unit) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        double entry = x[i * stride] * unit[i];
        sum += entry * entry;
    }
    return sum > 0.0 ? 1.0 / sqrt(sum) : 1.0;
}

static bool factor(const ElvLinearizer* l, Saddle* s) {
    const ElvMatrices* matrices = &l->matrices;
    const ElvBorder* border = &matrices->border;
    size_t n = s->n;
    size_t nz = (size_t)border->nz;
    double* row_unit = s->unit;
    double* column_unit = s->unit + s->size;
    for (size_t i = 0; i < n; i++) {
        double mass = matrices->M[i * n + i];
        if (!(mass > 0.0)) {
            return false;
        }
        row_unit[i] = column_unit[i] = 1.0 / sqrt(mass);
    }
    for (size_t r = n; r < s->size; r++) {
        const double* C = border->C + (size_t)border->held[r - n] * n;
        row_unit[r] = unit_of(n, C, 1, column_unit);
        column_unit[r] = unit_of(n, border->B + border->rigid[r - n], nz, row_unit);
    }
    memset(s->LU, 0, s->size * s->size * sizeof *s->LU);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            s->LU[i * s->size + k] = row_unit[i] * matrices->M[i * n + k] * column_unit[k];
        }
        for (size_t r = n; r < s->size; r++) {
            double by_force = border->B[i * nz + (size_t)border->rigid[r - n]];
            double by_place = border->C[(size_t)border->held[r - n] * n + i];
            s->LU[i * s->size + r] = row_unit[i] * by_force * column_unit[r];
            s->LU[r * s->size + i] = row_unit[r] * by_place * column_unit[i];
        }
    }
    return elv_lu_factor((int)s->size, s->LU, s->pivot) < 0;
}

// to += factor X Z, X (n x n): to has rows of a width
static void add_moved(const ElvLinearizer* l,
                      size_t n_row,
                      const double* X,
                      double factor,
                      size_t width,
                      double* to) {
    size_t n = (size_t)l->matrices.n;
    size_t m = (size_t)l->matrices.border.n_free;
    for (size_t i = 0; i < n_row; i++) {
        for (size_t j = 0; j < n; j++) {
            double entry = factor * X[i * n + j];
            for (size_t k = 0; k < m && entry != 0.0; k++) {
                to[i * width + k] += entry * elv_linear_basis(l, j, k);
            }
        }
    }
}

// right-hand sides, then the solution
static void solve(const ElvLinearizer* l, Saddle* s) {
    const ElvMatrices* matrices = &l->matrices;
    const ElvBorder* border = &matrices->border;
    size_t m = (size_t)border->n_free;
    size_t nz = (size_t)border->nz;
    size_t n_input = (size_t)l->form.n_input;
    size_t width = (size_t)l->form.n_state + n_input;
    memset(s->X, 0, s->size * width * sizeof *s->X);
    add_moved(l, s->n, matrices->K, -1.0, width, s->X);
    add_moved(l, s->n, matrices->D, -1.0, width, s->X + m);
    for (size_t i = 0; i < s->n; i++) {
        double* x = s->X + i * width;
        for (size_t k = 0; k < (size_t)border->n_own; k++) {
            x[2 * m + k] = -border->B[i * nz + (size_t)border->own[k]];
        }
        for (size_t k = 0; k < n_input; k++) {
            x[(size_t)l->form.n_state + k] = -l->U[i * n_input + k];
        }
        for (size_t k = 0; k < width; k++) {
            x[k] *= s->unit[i];
        }
    }
    elv_lu_solve((int)s->size, s->LU, s->pivot, (int)width, s->X);
    for (size_t i = 0; i < s->size * width; i++) {
        s->X[i] *= s->unit[s->size + i / width];
    }
    memcpy(l->w_dot_of, s->X, s->n * width * sizeof *s->X);
}

// a row of the equations of z, by x and u: z that follows, or the rate of what is remembered
static void put_row(const ElvLinearizer* l, size_t z, double* to) {
    const ElvBorder* border = &l->matrices.border;
    size_t n_input = (size_t)l->form.n_input;
    size_t width = (size_t)l->form.n_state + n_input;
    const double* E = border->E + z * (size_t)border->nz;
    memset(to, 0, width * sizeof *to);
    add_moved(l, 1, border->C + z * (size_t)l->matrices.n, 1.0, width, to);
    add_moved(l, 1, border->C_w + z * (size_t)l->matrices.n, 1.0, width, to + border->n_free);
    for (int j = 0; j < border->n_own + border->n_rigid; j++) {
        size_t at = (size_t)(j < border->n_own ? border->own[j] : border->rigid[j - border->n_own]);
        for (size_t k = 0; k < width; k++) {
            to[k] += E[at] * l->z_of[at * width + k];
        }
    }
    for (size_t k = 0; k < n_input; k++) {
        to[(size_t)l->form.n_state + k] += l->V[z * n_input + k];
    }
}

// all z by x and u
static void place_unknowns(const ElvLinearizer* l, const Saddle* s) {
    const ElvBorder* border = &l->matrices.border;
    size_t width = (size_t)l->form.n_state + (size_t)l->form.n_input;
    for (int i = 0; i < border->n_own; i++) {
        l->z_of[(size_t)border->own[i] * width + (size_t)(2 * border->n_free + i)] = 1.0;
    }
    for (size_t r = s->n; r < s->size; r++) {
        size_t z = (size_t)border->rigid[r - s->n];
        memcpy(l->z_of + z * width, s->X + r * width, width * sizeof *s->X);
    }
    for (int i = 0; i < border->n_follow; i++) {
        size_t z = (size_t)border->follow[i];
        put_row(l, z, l->z_of + z * width);
    }
}

// row i of A and B from a row by x and u
static void put_state(const ElvLinearizer* l, size_t i, const double* row) {
    size_t n_state = (size_t)l->form.n_state;
    size_t n_input = (size_t)l->form.n_input;
    memcpy(l->form.A + i * n_state, row, n_state * sizeof *row);
    memcpy(l->form.B + i * n_input, row + n_state, n_input * sizeof *row);
}

static void place_states(const ElvLinearizer* l, double* row) {
    const ElvMatrices* matrices = &l->matrices;
    const ElvBorder* border = &matrices->border;
    size_t n = (size_t)matrices->n;
    size_t m = (size_t)border->n_free;
    size_t width = (size_t)l->form.n_state + (size_t)l->form.n_input;
    for (size_t i = 0; i < m; i++) {
        memset(row, 0, width * sizeof *row);
        // rigid constraints are looked at at rest, where nothing turns
        if (border->n_rigid == 0) {
            memcpy(row, matrices->S + i * n, n * sizeof *row);
        }
        row[m + i] = 1.0;
        put_state(l, i, row);
        size_t at = border->n_rigid > 0 ? (size_t)border->free_index[i] : i;
        put_state(l, m + i, l->w_dot_of + at * width);
    }
    for (int i = 0; i < border->n_own; i++) {
        put_row(l, (size_t)border->own[i], row);
        put_state(l, 2 * m + (size_t)i, row);
    }
}

ElvStatus elv_linear_form(ElvLinearizer* l, ElvError* error) {
    const ElvBorder* border = &l->matrices.border;
    Saddle s = {.n = (size_t)l->matrices.n};
    size_t width = (size_t)l->form.n_state + (size_t)l->form.n_input;
    s.size = s.n + (size_t)border->n_rigid;
    s.LU = elv_pool_take(&l->pool, s.size * s.size + 2 * s.size, sizeof *s.LU);
    s.X = elv_pool_take(&l->pool, (s.size + 1) * width, sizeof *s.X);
    s.pivot = elv_pool_take(&l->pool, s.size, sizeof *s.pivot);
    if (!s.LU || !s.X || !s.pivot) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    s.unit = s.LU + s.size * s.size;
    if (!factor(l, &s)) {
        return fail_mass(error);
    }
    solve(l, &s);
    place_unknowns(l, &s);
    place_states(l, s.X);
    return ELV_OK;
}
