// SPDX-License-Identifier: Apache-2.0
// With the barycentric weights b_j = 1 / prod_(k != j) (x_j - x_k) of the nodes x,
//     l_j(y)   = (b_j / (y - x_j)) / sum_k b_k / (y - x_k)
//     l_j'(x_i) = (b_j / b_i) / (x_i - x_j),  l_i'(x_i) = - sum_(j != i) l_j'(x_i).
// Weights are never formed beyond a quotient: at most 64 factors of size 1 or less, on [0, 1].
#include "linalg/barycentric.h"

// prod over k != j of (x_j - x_k)
static double inverse_weight(int n, const double* x, int j) {
    double product = 1.0;
    for (int k = 0; k < n; k++) {
        product *= k == j ? 1.0 : x[j] - x[k];
    }
    return product;
}

void elv_barycentric_derivative(int n, const double* x, double* D) {
    // the diagonal holds the inverse weights until it is needed
    for (int i = 0; i < n; i++) {
        D[i * n + i] = inverse_weight(n, x, i);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (j != i) {
                D[i * n + j] = D[i * n + i] / (D[j * n + j] * (x[i] - x[j]));
            }
        }
    }
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            sum += j == i ? 0.0 : D[i * n + j];
        }
        D[i * n + i] = -sum;
    }
}

void elv_barycentric_interpolation(int n, const double* x, double y, double* row) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
        if (y == x[j]) {
            for (int k = 0; k < n; k++) {
                row[k] = k == j ? 1.0 : 0.0;
            }
            return;
        }
        row[j] = 1.0 / (inverse_weight(n, x, j) * (y - x[j]));
        sum += row[j];
    }
    for (int j = 0; j < n; j++) {
        row[j] /= sum;
    }
}
