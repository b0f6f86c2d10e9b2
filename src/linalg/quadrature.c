// SPDX-License-Identifier: Apache-2.0
// Gauss-Legendre quadrature on [0, 1] with its cumulative integration matrix.
//
// Nodes are the zeros of the Legendre polynomial P_n, by Newton's method from Tricomi's estimate.
// The cumulative matrix expands each Lagrange polynomial in Legendre polynomials, whose integrals
// are (P_(m+1) - P_(m-1)) / (2 (2 m + 1)) on [0, 1].
#include "linalg/quadrature.h"

#include <assert.h>
#include <math.h>

static const double PI = 3.14159265358979323846;

// p[0 … n]: Legendre polynomials at y in [-1, 1]
static void legendre_values(int n, double y, double* p) {
    p[0] = 1.0;
    if (n >= 1) {
        p[1] = y;
    }
    for (int m = 1; m < n; m++) {
        p[m + 1] = ((2.0 * m + 1.0) * y * p[m] - m * p[m - 1]) / (m + 1.0);
    }
}

void elv_gauss_legendre(int n, double* x, double* w) {
    assert(n >= 1 && n <= ELV_MAX_QUADRATURE);
    double p[ELV_MAX_QUADRATURE + 1];
    for (int i = 0; i < n; i++) {
        // i-th zero from the left
        double y = -cos(PI * (i + 0.75) / (n + 0.5));
        double slope = 1.0;
        for (int iteration = 0; iteration < 8; iteration++) {
            legendre_values(n, y, p);
            slope = n * (p[n - 1] - y * p[n]) / (1.0 - y * y);
            y -= p[n] / slope;
        }
        legendre_values(n, y, p);
        slope = n * (p[n - 1] - y * p[n]) / (1.0 - y * y);
        x[i] = 0.5 * (1.0 + y);
        w[i] = 1.0 / ((1.0 - y * y) * slope * slope);
    }
}

void elv_gauss_cumulative_row(int n, const double* x, const double* w, double y, double* row) {
    double at_y[ELV_MAX_QUADRATURE + 1];
    double at_node[ELV_MAX_QUADRATURE + 1];
    legendre_values(n, 2.0 * y - 1.0, at_y);
    for (int j = 0; j < n; j++) {
        legendre_values(n, 2.0 * x[j] - 1.0, at_node);
        double sum = y;
        for (int m = 1; m < n; m++) {
            sum += 0.5 * at_node[m] * (at_y[m + 1] - at_y[m - 1]);
        }
        row[j] = w[j] * sum;
    }
}

void elv_gauss_cumulative(int n, const double* x, const double* w, double* C) {
    for (int i = 0; i < n; i++) {
        elv_gauss_cumulative_row(n, x, w, x[i], C + i * n);
    }
}
