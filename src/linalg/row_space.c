// SPDX-License-Identifier: Apache-2.0
// Rows by Householder reflections from the right, the longest remaining row first: P A Q = [L 0].
// Where L is in doubt, or has more rows than columns, one-sided Jacobi rotations of its columns
// give the singular values, small ones as exact as A allows.
#include "linalg/row_space.h"

#include <math.h>
#include <string.h>

/// Rows that are shorter than this, relative to the longest one, are not scaled up to it.
static const double SHORT_ROW = 1e-4;

/// Diagonals of L that fall below this, relative to the first one, ask for singular values.
static const double DOUBT = 1e-3;

/// Columns of m numbers are orthogonal when their cosine is below this times the root of m.
static const double ORTHOGONAL = 1e-15;

/// Directions below this, relative to the largest, are made of rounding errors.
static const double NOISE = 1e-13;

enum { MAX_SWEEP = 40 };

static double dot(int n, const double* a, const double* b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// y += factor x
static void add(int n, double factor, const double* x, double* y) {
    for (int i = 0; i < n; i++) {
        y[i] += factor * x[i];
    }
}

void elv_row_space_layout(ElvRowSpace* space, int m, int n, ElvArena* arena) {
    size_t rows = (size_t)m;
    size_t columns = (size_t)n;
    size_t k = rows < columns ? rows : columns;
    memset(space, 0, sizeof *space);
    space->m = m;
    space->n = n;
    space->scale = elv_arena_take(arena, rows, sizeof(double));
    space->row = elv_arena_take(arena, rows, sizeof(int));
    space->L = elv_arena_take(arena, rows * columns, sizeof(double));
    space->reflection = elv_arena_take(arena, k * columns, sizeof(double));
    space->G = elv_arena_take(arena, k * rows, sizeof(double));
    space->W = elv_arena_take(arena, k * k, sizeof(double));
    space->sigma = elv_arena_take(arena, k, sizeof(double));
    space->work = elv_arena_take(arena, rows + columns, sizeof(double));
}

// ---- reflections

// copy A with rows scaled by their usual lengths; false when a number is not finite
static bool scale_rows(ElvRowSpace* s, const double* A, const double* usual) {
    double longest = 0.0;
    for (int i = 0; i < s->m; i++) {
        const double* row = A + (size_t)i * (size_t)s->n;
        s->scale[i] = sqrt(dot(s->n, row, row));
        if (!isfinite(s->scale[i])) {
            return false;
        }
        s->scale[i] = usual ? fmax(usual[i], s->scale[i]) : s->scale[i];
        longest = fmax(longest, s->scale[i]);
    }
    for (int i = 0; i < s->m; i++) {
        double length = fmax(s->scale[i], SHORT_ROW * longest);
        s->scale[i] = length > 0.0 ? 1.0 / length : 1.0;
        s->row[i] = i;
        for (int k = 0; k < s->n; k++) {
            size_t at = (size_t)i * (size_t)s->n + (size_t)k;
            s->L[at] = s->scale[i] * A[at];
        }
    }
    return true;
}

static double* row_of(ElvRowSpace* s, int i) {
    return s->L + (size_t)i * (size_t)s->n;
}

// bring the row that is longest beyond column i to place i
static void choose_row(ElvRowSpace* s, int i) {
    int best = i;
    double longest = -1.0;
    for (int r = i; r < s->m; r++) {
        const double* row = row_of(s, r) + i;
        double length = dot(s->n - i, row, row);
        if (length > longest) {
            longest = length;
            best = r;
        }
    }
    if (best != i) {
        int place = s->row[i];
        s->row[i] = s->row[best];
        s->row[best] = place;
        for (int k = 0; k < s->n; k++) {
            double own = row_of(s, i)[k];
            row_of(s, i)[k] = row_of(s, best)[k];
            row_of(s, best)[k] = own;
        }
    }
}

// x - (v . x) v with |v|^2 = 2, from place i on
static void reflect(int n, int i, const double* v, double* x) {
    add(n - i, -dot(n - i, v + i, x + i), v + i, x + i);
}

// take row i to its first i + 1 places
static void reflect_rows(ElvRowSpace* s, int i) {
    double* v = s->reflection + (size_t)i * (size_t)s->n;
    double* row = row_of(s, i);
    double length = sqrt(dot(s->n - i, row + i, row + i));
    memset(v, 0, (size_t)s->n * sizeof *v);
    s->sigma[i] = length;
    if (length == 0.0) {
        return;
    }
    memcpy(v + i, row + i, (size_t)(s->n - i) * sizeof *v);
    v[i] += v[i] < 0.0 ? -length : length;
    double unit = sqrt(2.0 / dot(s->n - i, v + i, v + i));
    for (int k = i; k < s->n; k++) {
        v[k] *= unit;
    }
    for (int r = i; r < s->m; r++) {
        reflect(s->n, i, v, row_of(s, r));
    }
}

// ---- singular values

static void swap_rows(int n, double* a, double* b) {
    for (int i = 0; i < n; i++) {
        double own = a[i];
        a[i] = b[i];
        b[i] = own;
    }
}

static void rotate(int n, double c, double s, double* a, double* b) {
    for (int i = 0; i < n; i++) {
        double own = a[i];
        a[i] = c * own - s * b[i];
        b[i] = s * own + c * b[i];
    }
}

// make columns i and j of L orthogonal; returns whether they were not
static bool orthogonalize(ElvRowSpace* s, int i, int j) {
    double* a = s->G + (size_t)i * (size_t)s->m;
    double* b = s->G + (size_t)j * (size_t)s->m;
    double aa = dot(s->m, a, a);
    double bb = dot(s->m, b, b);
    double ab = dot(s->m, a, b);
    if (fabs(ab) <= ORTHOGONAL * sqrt((double)s->m * aa) * sqrt(bb)) {
        return false;
    }
    double zeta = (bb - aa) / (2.0 * ab);
    double t = (zeta < 0.0 ? -1.0 : 1.0) / (fabs(zeta) + hypot(1.0, zeta));
    double c = 1.0 / sqrt(1.0 + t * t);
    rotate(s->m, c, c * t, a, b);
    rotate(s->k, c, c * t, s->W + (size_t)i * (size_t)s->k, s->W + (size_t)j * (size_t)s->k);
    return true;
}

static void sort_columns(ElvRowSpace* s) {
    for (int i = 0; i < s->k; i++) {
        const double* g = s->G + (size_t)i * (size_t)s->m;
        s->sigma[i] = sqrt(dot(s->m, g, g));
    }
    for (int i = 0; i < s->k; i++) {
        int best = i;
        for (int j = i + 1; j < s->k; j++) {
            best = s->sigma[j] > s->sigma[best] ? j : best;
        }
        swap_rows(1, s->sigma + i, s->sigma + best);
        if (best != i) {
            swap_rows(s->m, s->G + (size_t)i * (size_t)s->m, s->G + (size_t)best * (size_t)s->m);
            swap_rows(s->k, s->W + (size_t)i * (size_t)s->k, s->W + (size_t)best * (size_t)s->k);
        }
    }
}

// what is left of x beside the first i vectors of U, as a vector of length one; returns its share
static double reduce(const ElvRowSpace* s, int i, double* x) {
    double before = sqrt(dot(s->m, x, x));
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < i; j++) {
            const double* u = s->G + (size_t)j * (size_t)s->m;
            add(s->m, -dot(s->m, u, x), u, x);
        }
    }
    double after = sqrt(dot(s->m, x, x));
    for (int r = 0; r < s->m && after > 0.0; r++) {
        x[r] /= after;
    }
    return before > 0.0 ? after / before : 0.0;
}

// U from the columns; where only rounding is left of one, any vector beside the others
static void set_left(ElvRowSpace* s) {
    // of the unit vectors, one has at least this share in what is left
    double enough = 0.5 / sqrt((double)s->m);
    for (int i = 0; i < s->k; i++) {
        double* u = s->G + (size_t)i * (size_t)s->m;
        bool is_known = s->sigma[i] > NOISE * s->sigma[0] && reduce(s, i, u) > 0.5;
        for (int r = 0; r < s->m && !is_known; r++) {
            memset(u, 0, (size_t)s->m * sizeof *u);
            u[r] = 1.0;
            is_known = reduce(s, i, u) > enough;
        }
    }
}

static void set_singular(ElvRowSpace* s) {
    size_t k = (size_t)s->k;
    for (size_t i = 0; i < k; i++) {
        for (int r = 0; r < s->m; r++) {
            s->G[i * (size_t)s->m + (size_t)r] = row_of(s, r)[i];
        }
        for (size_t j = 0; j < k; j++) {
            s->W[i * k + j] = i == j ? 1.0 : 0.0;
        }
    }
    bool is_moving = true;
    for (int sweep = 0; sweep < MAX_SWEEP && is_moving; sweep++) {
        is_moving = false;
        for (int i = 0; i < s->k; i++) {
            for (int j = i + 1; j < s->k; j++) {
                is_moving = orthogonalize(s, i, j) || is_moving;
            }
        }
    }
    sort_columns(s);
    set_left(s);
}

// ---- the whole

bool elv_row_space_factor(
    ElvRowSpace* space, int m, const double* A, const double* usual, double tol) {
    space->m = m;
    space->k = m < space->n ? m : space->n;
    space->rank = 0;
    space->is_full = true;
    if (!scale_rows(space, A, usual)) {
        return false;
    }
    for (int i = 0; i < space->k; i++) {
        choose_row(space, i);
        reflect_rows(space, i);
    }
    bool is_regular = space->m == space->k &&
                      (space->k == 0 || space->sigma[space->k - 1] > DOUBT * space->sigma[0]);
    space->rank = space->k;
    if (!is_regular) {
        space->is_full = false;
        set_singular(space);
        space->rank = 0;
        while (space->rank < space->k && space->sigma[space->rank] > tol * space->sigma[0]) {
            space->rank++;
        }
    }
    return true;
}

void elv_row_space_resolve(ElvRowSpace* space) {
    if (space->is_full) {
        space->is_full = false;
        set_singular(space);
    }
}

// Q x, with x (n) in the places of the reflections
static void turn_back(const ElvRowSpace* s, double* x) {
    for (int i = s->k - 1; i >= 0; i--) {
        reflect(s->n, i, s->reflection + (size_t)i * (size_t)s->n, x);
    }
}

// x of the first n directions, with a filter
static void solve(ElvRowSpace* space, int n, const double* c, double mu, double* x) {
    double* b = space->work;
    double floor = mu * (space->k > 0 ? space->sigma[0] : 0.0);
    memset(x, 0, (size_t)space->n * sizeof *x);
    for (int i = 0; i < space->m; i++) {
        b[i] = space->scale[space->row[i]] * c[space->row[i]];
    }
    if (space->is_full) {
        for (int i = 0; i < space->k; i++) {
            const double* row = space->L + (size_t)i * (size_t)space->n;
            x[i] = (b[i] - dot(i, row, x)) / row[i];
        }
    } else {
        for (int i = 0; i < n && space->sigma[i] > 0.0; i++) {
            double along = dot(space->m, space->G + (size_t)i * (size_t)space->m, b);
            double ratio = floor / space->sigma[i];
            double factor = along / (space->sigma[i] * (1.0 + ratio * ratio));
            add(space->k, isfinite(factor) ? factor : 0.0, space->W + (size_t)i * (size_t)space->k,
                x);
        }
    }
    turn_back(space, x);
}

void elv_row_space_solve(ElvRowSpace* space, const double* c, double* x) {
    solve(space, space->rank, c, 0.0, x);
}

void elv_row_space_filter(ElvRowSpace* space, const double* c, double mu, double* x) {
    solve(space, space->k, c, mu, x);
}

void elv_row_space_kernel(const ElvRowSpace* space, int i, double* h) {
    memset(h, 0, (size_t)space->n * sizeof *h);
    int lost = space->rank + i;
    if (lost < space->k) {
        memcpy(h, space->W + (size_t)lost * (size_t)space->k, (size_t)space->k * sizeof *h);
    } else {
        h[lost] = 1.0;
    }
    turn_back(space, h);
}

void elv_row_space_lost(const ElvRowSpace* space, int i, double* u) {
    const double* left = space->G + (size_t)(space->rank + i) * (size_t)space->m;
    for (int r = 0; r < space->m; r++) {
        u[space->row[r]] = space->scale[space->row[r]] * left[r];
    }
}
