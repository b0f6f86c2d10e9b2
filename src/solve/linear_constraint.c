// SPDX-License-Identifier: Apache-2.0
// Motions that rigid constraints C d_nu = 0 leave, with forces B z. With as many dependent coordinates (d)
// as there are constraints, chosen by complete pivoting in units of the masses, and the free ones (y),
//     C_d d_nu_d + C_y d_nu_y = 0:   Z = [1; -C_d^-1 C_y],   Y^T = [1, -B_y B_d^-1]
// gives nu = Z y and Y^T B = 0, so that about rest the motion is
//     Y^T M Z y_ddot + Y^T D Z y_dot + Y^T K Z y = 0,
// the reduction of index 3. Forces of loops are given in other units than their constraints: B is C^T G, and
// where constraints repeat others as many forces are dropped. Without friction Y = Z.
#include "solve/linear_border.h"

#include <math.h>
#include <string.h>

/// A constraint that is a sum of others but for this share is none of its own.
static const double REDUNDANT = 1e-10;

static void swap_rows(size_t n, double* X, int* label, int i, int k) {
    int other = label[i];
    label[i] = label[k];
    label[k] = other;
    for (size_t j = 0; j < n && i != k; j++) {
        double entry = X[(size_t)i * n + j];
        X[(size_t)i * n + j] = X[(size_t)k * n + j];
        X[(size_t)k * n + j] = entry;
    }
}

// the largest weighed entry of the rows from first on
static double find_pivot(
    int n_row, size_t n, int first, const double* weight, const double* X, int* row, int* column) {
    double best = 0.0;
    for (int i = first; i < n_row; i++) {
        for (size_t k = 0; k < n; k++) {
            double size = fabs(X[(size_t)i * n + k]) * weight[k];
            if (size > best) {
                best = size;
                *row = i;
                *column = (int)k;
            }
        }
    }
    return best;
}

// X (n_row x n) by Gauss and Jordan: rows sorted with their labels, as many as are independent; X becomes
// X_d^-1 X, and dependent holds the columns d
static int
eliminate(int n_row, size_t n, const double* weight, double* X, int* label, int* dependent) {
    double first = 0.0;
    int n_done = 0;
    for (; n_done < n_row; n_done++) {
        int row = n_done;
        int column = -1;
        double best = find_pivot(n_row, n, n_done, weight, X, &row, &column);
        first = fmax(first, best);
        if (column < 0 || best <= REDUNDANT * first) {
            break;
        }
        swap_rows(n, X, label, row, n_done);
        dependent[n_done] = column;
        double* own = X + (size_t)n_done * n;
        double pivot = own[column];
        for (size_t k = 0; k < n; k++) {
            own[k] /= pivot;
        }
        for (int i = 0; i < n_row; i++) {
            double* x = X + (size_t)i * n;
            double factor = x[column];
            for (size_t k = 0; k < n && i != n_done; k++) {
                x[k] -= factor * own[k];
            }
        }
    }
    return n_done;
}

// to (n x n_free): 1 at the free coordinates, -X (n_rigid x n) at the dependent ones
static void
set_basis(const ElvBorder* border, size_t n, const double* X, const int* dependent, double* to) {
    size_t m = (size_t)border->n_free;
    memset(to, 0, n * m * sizeof *to);
    for (size_t k = 0; k < m; k++) {
        size_t at = (size_t)border->free_index[k];
        to[at * m + k] = 1.0;
        for (int i = 0; i < border->n_rigid; i++) {
            to[(size_t)dependent[i] * m + k] = -X[(size_t)i * n + at];
        }
    }
}

// X = B_d^-T B^T with as many of the forces as there are constraints; dependent: d, as they come. False: there
// are fewer.
static bool
solve_forces(ElvBorder* border, int n_force, size_t n, double* weight, double* X, int* dependent) {
    size_t nz = (size_t)border->nz;
    for (size_t i = 0; i < (size_t)n_force; i++) {
        for (size_t k = 0; k < n; k++) {
            X[i * n + k] = border->B[k * nz + (size_t)border->rigid[i]];
        }
    }
    for (int k = 0; k < border->n_free; k++) {
        weight[border->free_index[k]] = 0.0;
    }
    return eliminate(n_force, n, weight, X, border->rigid, dependent) == border->n_rigid;
}

static void list_free(int n, const int* dependent, ElvBorder* border) {
    border->n_free = 0;
    for (int k = 0; k < n; k++) {
        bool is_free = true;
        for (int i = 0; i < border->n_rigid; i++) {
            is_free = is_free && dependent[i] != k;
        }
        if (is_free) {
            border->free_index[border->n_free++] = k;
        }
    }
    memcpy(border->bound, dependent, (size_t)border->n_rigid * sizeof *dependent);
}

bool elv_linear_constrain(int n_move, const double* M, double mass, ElvBorder* border) {
    size_t n = (size_t)n_move;
    int n_force = border->n_rigid;
    double* X = border->scratch;
    double* weight = X + (size_t)n_force * n;
    int* dependent = border->pivot;
    for (size_t i = 0; i < (size_t)n_force; i++) {
        memcpy(X + i * n, border->C + (size_t)border->rigid[i] * n, n * sizeof *X);
    }
    for (size_t k = 0; k < n; k++) {
        double own = M[k * n + k] > 0.0 ? M[k * n + k] : mass > 0.0 ? mass : 1.0;
        weight[k] = 1.0 / sqrt(own);
    }
    memcpy(border->held, border->rigid, (size_t)n_force * sizeof *border->held);
    border->n_rigid = eliminate(n_force, n, weight, X, border->held, dependent);
    list_free(n_move, dependent, border);
    set_basis(border, n, X, dependent, border->Z);
    if (!solve_forces(border, n_force, n, weight, X, dependent)) {
        return false;
    }
    set_basis(border, n, X, dependent, border->Y);
    return true;
}
