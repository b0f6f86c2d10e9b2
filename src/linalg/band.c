// SPDX-License-Identifier: Apache-2.0
// LU factorisation of a band matrix with partial pivoting: row exchanges reach `below` rows down, so that the
// upper factor has below + above diagonals.
#include "linalg/band.h"

#include "base/real4.h"

#include <float.h>
#include <math.h>
#include <string.h>

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static size_t row_length(const ElvBand* band) {
    return 2 * (size_t)band->below + (size_t)band->above + 1;
}

// rows, then the columns of the lower factor without their diagonal once more, as solutions go through them
size_t elv_band_size(int n, int below, int above) {
    return (size_t)n * (3 * (size_t)below + (size_t)above + 1);
}

static double* lower_column(const ElvBand* band, int k) {
    return band->a + (size_t)band->n * row_length(band) + (size_t)k * (size_t)band->below;
}

void elv_band_clear(ElvBand* band) {
    memset(band->a, 0, elv_band_size(band->n, band->below, band->above) * sizeof *band->a);
}

double* elv_band_at(const ElvBand* band, int i, int j) {
    return band->a + (size_t)i * row_length(band) + (j - i + band->below);
}

void elv_band_apply(const ElvBand* band, const double* x, double* y) {
    for (int i = 0; i < band->n; i++) {
        double sum = 0.0;
        int last = smaller(band->n - 1, i + band->above);
        for (int j = larger(0, i - band->below); j <= last; j++) {
            sum += *elv_band_at(band, i, j) * x[j];
        }
        y[i] = sum;
    }
}

void elv_band_apply_transpose(const ElvBand* band, const double* x, double* y) {
    memset(y, 0, (size_t)band->n * sizeof *y);
    for (int i = 0; i < band->n; i++) {
        int last = smaller(band->n - 1, i + band->above);
        for (int j = larger(0, i - band->below); j <= last; j++) {
            y[j] += *elv_band_at(band, i, j) * x[i];
        }
    }
}

void elv_band_normal(const ElvBand* A, double sigma, ElvBand* N) {
    elv_band_clear(N);
    for (int i = 0; i < A->n; i++) {
        int first = larger(0, i - A->below);
        int last = smaller(A->n - 1, i + A->above);
        for (int j = first; j <= last; j++) {
            double a = *elv_band_at(A, i, j);
            for (int k = first; k <= last && a != 0.0; k++) {
                *elv_band_at(N, j, k) += a * *elv_band_at(A, i, k);
            }
        }
    }
    for (int i = 0; i < A->n; i++) {
        *elv_band_at(N, i, i) += sigma;
    }
}

// largest entry of a column
static double column_size(const ElvBand* band, int j) {
    double size = 0.0;
    int last = smaller(band->n - 1, j + band->below);
    for (int i = larger(0, j - band->above); i <= last; i++) {
        double entry = fabs(*elv_band_at(band, i, j));
        size = entry > size ? entry : size;
    }
    return size;
}

// exchange rows k and p from column k on
static void swap_rows(ElvBand* band, int k, int p) {
    int last = smaller(band->n - 1, k + band->above + band->below);
    for (int j = k; j <= last; j++) {
        double* a = elv_band_at(band, k, j);
        double* b = elv_band_at(band, p, j);
        double t = *a;
        *a = *b;
        *b = t;
    }
}

// y -= factor x
ELV_INLINE void
subtract_scaled(int n, double factor, const double* restrict x, double* restrict y) {
    for (int j = 0; j < n; j++) {
        y[j] -= factor * x[j];
    }
}

ELV_VECTOR_CLONES
int elv_band_factor(ElvBand* band, int* pivot) {
    int n = band->n;
    for (int k = 0; k < n; k++) {
        int end = smaller(n - 1, k + band->below);
        int best = k;
        for (int i = k + 1; i <= end; i++) {
            if (fabs(*elv_band_at(band, i, k)) > fabs(*elv_band_at(band, best, k))) {
                best = i;
            }
        }
        pivot[k] = best;
        // NaN fails too
        double size = column_size(band, k);
        if (!(fabs(*elv_band_at(band, best, k)) > 4.0 * DBL_EPSILON * size)) {
            return k;
        }
        if (best != k) {
            swap_rows(band, k, best);
        }
        const double* top = elv_band_at(band, k, k);
        int width = smaller(n - 1, k + band->above + band->below) - k;
        double* column = lower_column(band, k);
        for (int i = k + 1; i <= end; i++) {
            double* row = elv_band_at(band, i, k);
            row[0] /= top[0];
            column[i - k - 1] = row[0];
            if (row[0] != 0.0) {
                subtract_scaled(width, row[0], top + 1, row + 1);
            }
        }
    }
    return -1;
}

// sum of x[j] y[j], four at a time
ELV_INLINE double product(int n, const double* x, const double* y) {
    ElvReal4 sum[2] = {{0.0}, {0.0}};
    double rest = 0.0;
    int j = 0;
    for (; j + 8 <= n; j += 8) {
        sum[0] += elv_real4_load(x + j) * elv_real4_load(y + j);
        sum[1] += elv_real4_load(x + j + 4) * elv_real4_load(y + j + 4);
    }
    for (; j < n; j++) {
        rest += x[j] * y[j];
    }
    sum[0] += sum[1];
    return (sum[0][0] + sum[0][1]) + (sum[0][2] + sum[0][3]) + rest;
}

ELV_VECTOR_CLONES
void elv_band_solve(const ElvBand* band, const int* pivot, double* b) {
    int n = band->n;
    for (int k = 0; k < n; k++) {
        double t = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = t;
        int end = smaller(n - 1, k + band->below);
        subtract_scaled(end - k, t, lower_column(band, k), b + k + 1);
    }
    for (int k = n - 1; k >= 0; k--) {
        const double* row = elv_band_at(band, k, k);
        int width = smaller(n - 1, k + band->above + band->below) - k;
        b[k] = (b[k] - product(width, row + 1, b + k + 1)) / row[0];
    }
}
