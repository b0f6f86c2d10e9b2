// SPDX-License-Identifier: Apache-2.0
// Gauss-Legendre quadrature on [0, 1] with its cumulative integration matrix.
#ifndef ELVER_LINALG_QUADRATURE_H
#define ELVER_LINALG_QUADRATURE_H

enum { ELV_MAX_QUADRATURE = 64 }; // nodes of one rule

/// Nodes x (increasing) and weights w of the n-point rule on [0, 1]; 1 <= n <= 64.
void elv_gauss_legendre(int n, double* x, double* w);

/// C[i * n + j]: integral from 0 to x_i of the j-th Lagrange polynomial on the nodes, so that
/// C f integrates a polynomial of degree n - 1 exactly. The Gauss nodes make it adjoint to itself:
/// w_i C_ij + w_j C_ji = w_i w_j.
void elv_gauss_cumulative(int n, const double* x, const double* w, double* C);

/// One row of that matrix for any end point y in [0, 1]: row[j] is the integral from 0 to y of the
/// j-th Lagrange polynomial.
void elv_gauss_cumulative_row(int n, const double* x, const double* w, double y, double* row);

#endif
