// SPDX-License-Identifier: Apache-2.0
// Tables: step, linear, and the natural cubic spline, whose second derivatives at the knots solve
//   h_(i-1) m_(i-1) + 2 (h_(i-1) + h_i) m_i + h_i m_(i+1) = 6 (s_i - s_(i-1)),  m_0 = m_(n-1) = 0,
// with h_i the spacings and s_i the slopes of the chords. Outside its range a table holds its end
// values; at a knot the piece on the right is taken, so a time step may start there.
#include "law/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ElvStatus
check_knots(ElvTableKind kind, const double* x, const double* y, size_t n, ElvError* error) {
    size_t n_least = kind == ELV_TABLE_STEP ? 1 : 2;
    if (n < n_least || !x || !y) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "", "a %s table needs %zu %s, %zu given",
                             kind == ELV_TABLE_STEP     ? "step"
                             : kind == ELV_TABLE_LINEAR ? "linear"
                                                        : "cubic",
                             n_least, n_least == 1 ? "point or more" : "points or more", n);
    }
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) {
            return elv_error_set(error, ELV_ERROR_INPUT, "", "",
                                 "point %zu of the table, (%g, %g), is not finite", i, x[i], y[i]);
        }
        if (i > 0 && !(x[i] > x[i - 1])) {
            return elv_error_set(error, ELV_ERROR_INPUT, "", "",
                                 "point %zu of the table has x = %.17g, which must be greater than "
                                 "%.17g, the x of point %zu",
                                 i, x[i], x[i - 1], i - 1);
        }
    }
    if (!isfinite(x[n - 1] - x[0])) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "",
                             "the table spans too wide a range, from %g to %g", x[0], x[n - 1]);
    }
    return ELV_OK;
}

// slope of the chord from knot i to knot i + 1
static double chord(const ElvTable* table, size_t i) {
    return (table->y[i + 1] - table->y[i]) / (table->x[i + 1] - table->x[i]);
}

// second derivatives of the natural spline by elimination, super holding the upper diagonal
static void solve_spline(ElvTable* table, double* super) {
    size_t n = table->n;
    const double* x = table->x;
    double* m = table->ypp;
    m[0] = 0.0;
    super[0] = 0.0;
    for (size_t i = 1; i + 1 < n; i++) {
        double h_left = x[i] - x[i - 1];
        double h_right = x[i + 1] - x[i];
        double pivot = 2.0 * (h_left + h_right) - h_left * super[i - 1];
        super[i] = h_right / pivot;
        m[i] = (6.0 * (chord(table, i) - chord(table, i - 1)) - h_left * m[i - 1]) / pivot;
    }
    m[n - 1] = 0.0;
    for (size_t i = n - 1; i-- > 1;) {
        m[i] -= super[i] * m[i + 1];
    }
}

// every piece must stay finite with its derivatives
static ElvStatus check_pieces(const ElvTable* table, ElvError* error) {
    for (size_t i = 0; i + 1 < table->n && table->kind != ELV_TABLE_STEP; i++) {
        ElvJet start = elv_table_eval(table, table->x[i]);
        if (!isfinite(start.v) || !isfinite(start.d) || !isfinite(start.dd)) {
            return elv_error_set(error, ELV_ERROR_INPUT, "", "",
                                 "the table is too steep between points %zu and %zu", i, i + 1);
        }
    }
    return ELV_OK;
}

ElvStatus elv_table_init(ElvTable* table,
                         ElvVariable variable,
                         ElvTableKind kind,
                         const double* x,
                         const double* y,
                         size_t n,
                         ElvError* error) {
    ElvTable empty = {0};
    *table = empty;
    ElvStatus status = check_knots(kind, x, y, n, error);
    if (status != ELV_OK) {
        return status;
    }

    // one block: x, y, second derivatives, and room for the elimination
    double* block = calloc(n, 4 * sizeof *block);
    if (!block) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "no memory for a table of %zu points",
                             n);
    }
    table->variable = variable;
    table->kind = kind;
    table->n = n;
    table->x = block;
    table->y = block + n;
    table->ypp = block + 2 * n;
    memcpy(table->x, x, n * sizeof *x);
    memcpy(table->y, y, n * sizeof *y);
    if (kind == ELV_TABLE_CUBIC) {
        solve_spline(table, block + 3 * n);
    }
    status = check_pieces(table, error);
    if (status != ELV_OK) {
        elv_table_clear(table);
    }
    return status;
}

void elv_table_clear(ElvTable* table) {
    free(table->x);
    ElvTable empty = {0};
    *table = empty;
}

// last knot at or before x; x is inside the range
static size_t find_piece(const ElvTable* table, double x) {
    size_t low = 0;
    size_t high = table->n - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (table->x[middle] <= x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

ElvJet elv_table_eval(const ElvTable* table, double x) {
    size_t n = table->n;
    ElvJet jet = {x, 0.0, 0.0};
    if (isnan(x)) {
        return jet;
    }
    if (x < table->x[0] || x >= table->x[n - 1]) {
        jet.v = x < table->x[0] ? table->y[0] : table->y[n - 1];
        return jet;
    }
    size_t i = find_piece(table, x);
    jet.v = table->y[i];
    if (table->kind == ELV_TABLE_STEP) {
        return jet;
    }

    // linear part: distances a and b to the two knots, so that both ends come out exactly
    double h = table->x[i + 1] - table->x[i];
    double a = (table->x[i + 1] - x) / h;
    double b = (x - table->x[i]) / h;
    jet.v = a * table->y[i] + b * table->y[i + 1];
    jet.d = chord(table, i);
    if (table->kind == ELV_TABLE_CUBIC) {
        // cubic part, which vanishes at both knots
        double m0 = table->ypp[i];
        double m1 = table->ypp[i + 1];
        jet.v += h * h * ((a * a * a - a) * m0 + (b * b * b - b) * m1) / 6.0;
        jet.d += h * ((1.0 - 3.0 * a * a) * m0 + (3.0 * b * b - 1.0) * m1) / 6.0;
        jet.dd = a * m0 + b * m1;
    }
    return jet;
}
