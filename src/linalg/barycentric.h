// SPDX-License-Identifier: Apache-2.0
// The polynomial through any nodes, by barycentric weights: differentiation and interpolation.
#ifndef ELVER_LINALG_BARYCENTRIC_H
#define ELVER_LINALG_BARYCENTRIC_H

/// D[i * n + j]: derivative at x_i of the j-th Lagrange polynomial on the n distinct nodes x; D f
/// differentiates a polynomial of degree n - 1 exactly, a constant to the last bit.
void elv_barycentric_derivative(int n, const double* x, double* D);

/// row[j]: value at y of the j-th Lagrange polynomial.
void elv_barycentric_interpolation(int n, const double* x, double y, double* row);

#endif
