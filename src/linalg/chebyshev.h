// SPDX-License-Identifier: Apache-2.0
// The Chebyshev-Gauss-Lobatto grid on [0, 1], both ends included: Clenshaw-Curtis weights,
// differentiation, cumulative integration and interpolation of the polynomial through its nodes.
#ifndef ELVER_LINALG_CHEBYSHEV_H
#define ELVER_LINALG_CHEBYSHEV_H

enum { ELV_MAX_CHEBYSHEV = 64 };

/// Nodes x (increasing from 0 to 1) and Clenshaw-Curtis weights w of the n-point grid, 2 <= n <= 64;
/// exact for polynomials of degree n - 1.
void elv_chebyshev_grid(int n, double* x, double* w);

/// D[i * n + j]: derivative at x_i of the j-th Lagrange polynomial; D f differentiates a polynomial
/// of degree n - 1 exactly.
void elv_chebyshev_derivative(int n, double* D);

/// C[i * n + j]: the solution at x_i of y' = f, y(0) = 0, collocated at x_1 … x_(n-1); column 0 is
/// therefore 0, and C f integrates a polynomial of degree n - 2 exactly.                  [P23 (67)]
void elv_chebyshev_cumulative(int n, const double* D, double* C);

/// row[j]: value at y in [0, 1] of the j-th Lagrange polynomial.
void elv_chebyshev_interpolation(int n, double y, double* row);

#endif
