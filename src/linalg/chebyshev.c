// SPDX-License-Identifier: Apache-2.0
// The Chebyshev-Gauss-Lobatto grid x_i = sin^2(i pi / 2N), i = 0 … N = n - 1, on [0, 1].
//
// Differences of nodes are products of sines, x_i - x_j = sin((i + j) pi / 2N) sin((i - j) pi / 2N),
// and the diagonal of D is minus the sum of its row, so that constants have derivative 0: without
// either, D loses digits as N grows.
#include "linalg/chebyshev.h"

#include "linalg/lu.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static double node(int n, int i) {
    double y = sin(0.5 * PI * i / (n - 1));
    return y * y;
}

// 1, and 1/2 at the ends, with alternating signs: the weights of barycentric interpolation
static double barycentric(int n, int i) {
    double size = i == 0 || i == n - 1 ? 0.5 : 1.0;
    return i % 2 ? -size : size;
}

void elv_chebyshev_grid(int n, double* x, double* w) {
    assert(n >= 2 && n <= ELV_MAX_CHEBYSHEV);
    int N = n - 1;
    for (int i = 0; i < n; i++) {
        // integral of the cosine series of the i-th Lagrange polynomial
        double sum = 1.0;
        for (int m = 1; 2 * m <= N; m++) {
            double factor = 2 * m == N ? 1.0 : 2.0;
            sum -= factor * cos(2.0 * PI * m * i / N) / (4.0 * m * m - 1.0);
        }
        x[i] = node(n, i);
        w[i] = (i == 0 || i == N ? 0.5 : 1.0) * sum / N;
    }
}

void elv_chebyshev_derivative(int n, double* D) {
    assert(n >= 2 && n <= ELV_MAX_CHEBYSHEV);
    double angle = 0.5 * PI / (n - 1);
    for (int i = 0; i < n; i++) {
        double diagonal = 0.0;
        for (int j = 0; j < n; j++) {
            if (j != i) {
                double difference = sin((i + j) * angle) * sin((i - j) * angle);
                D[i * n + j] = barycentric(n, j) / (barycentric(n, i) * difference);
                diagonal -= D[i * n + j];
            }
        }
        D[i * n + i] = diagonal;
    }
}

void elv_chebyshev_cumulative(int n, const double* D, double* C) {
    assert(n >= 2 && n <= ELV_MAX_CHEBYSHEV);
    double A[(ELV_MAX_CHEBYSHEV - 1) * (ELV_MAX_CHEBYSHEV - 1)];
    int pivot[ELV_MAX_CHEBYSHEV - 1];
    int N = n - 1;
    memset(C, 0, (size_t)(n * n) * sizeof *C);
    for (int i = 0; i < N; i++) {
        memcpy(A + i * N, D + (i + 1) * n + 1, (size_t)N * sizeof *A);
        C[(i + 1) * n + i + 1] = 1.0;
    }
    // D without its first row and column is regular: y' = 0 with y(0) = 0 leaves y = 0
    (void)elv_lu_factor(N, A, pivot);
    elv_lu_solve(N, A, pivot, n, C + n);
}

void elv_chebyshev_interpolation(int n, double y, double* row) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
        double difference = y - node(n, j);
        if (difference == 0.0) {
            for (int k = 0; k < n; k++) {
                row[k] = k == j ? 1.0 : 0.0;
            }
            return;
        }
        row[j] = barycentric(n, j) / difference;
        sum += row[j];
    }
    for (int j = 0; j < n; j++) {
        row[j] /= sum;
    }
}
