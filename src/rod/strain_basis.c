// SPDX-License-Identifier: Apache-2.0
// Scalar strain bases: monomials [P20 (29)], Legendre and Chebyshev polynomials shifted to [0, 1],
// piecewise constant (PCS), piecewise linear, cubic Hermite, and tables of mode shapes.
// A Hermite basis orders its modes (value, slope) knot by knot; slopes are per unit of x.
#include "rod/strain_basis.h"

#include <stddef.h>

static void monomials(int n, double x, double* phi) {
    double power = 1.0;
    for (int m = 0; m < n; m++) {
        phi[m] = power;
        power *= x;
    }
}

static void legendre(int n, double x, double* phi) {
    double y = 2.0 * x - 1.0;
    for (int m = 0; m < n; m++) {
        phi[m] = m == 0   ? 1.0
                 : m == 1 ? y
                          : ((2.0 * m - 1.0) * y * phi[m - 1] - (m - 1.0) * phi[m - 2]) / m;
    }
}

static void chebyshev(int n, double x, double* phi) {
    double y = 2.0 * x - 1.0;
    for (int m = 0; m < n; m++) {
        phi[m] = m == 0 ? 1.0 : m == 1 ? y : 2.0 * y * phi[m - 1] - phi[m - 2];
    }
}

// piece of x and the coordinate u in [0, 1] within it
static int find_piece(int n_piece, double x, double* u) {
    int piece = (int)(x * n_piece);
    piece = piece < 0 ? 0 : piece >= n_piece ? n_piece - 1 : piece;
    *u = x * n_piece - piece;
    return piece;
}

static void hermite(int n_piece, double x, double* phi) {
    double u = 0.0;
    int piece = find_piece(n_piece, x, &u);
    double width = 1.0 / n_piece;
    double v = 1.0 - u;
    double* left = phi + 2 * (size_t)piece;
    left[0] = v * v * (1.0 + 2.0 * u);
    left[1] = width * u * v * v;
    left[2] = u * u * (1.0 + 2.0 * v);
    left[3] = -width * u * u * v;
}

void elv_strain_basis_eval(const ElvStrainBasis* basis, double x, double* phi) {
    double u = 0.0;
    int n_piece = elv_strain_basis_pieces(basis);
    for (int m = 0; m < basis->n_mode; m++) {
        phi[m] = 0.0;
    }
    switch (basis->kind) {
    case ELV_BASIS_MONOMIAL:
        monomials(basis->n_mode, x, phi);
        break;
    case ELV_BASIS_LEGENDRE:
        legendre(basis->n_mode, x, phi);
        break;
    case ELV_BASIS_CHEBYSHEV:
        chebyshev(basis->n_mode, x, phi);
        break;
    case ELV_BASIS_PIECEWISE_CONSTANT:
        phi[find_piece(n_piece, x, &u)] = 1.0;
        break;
    case ELV_BASIS_PIECEWISE_LINEAR: {
        int piece = find_piece(n_piece, x, &u);
        phi[piece] = 1.0 - u;
        phi[piece + 1] = u;
        break;
    }
    case ELV_BASIS_HERMITE:
        hermite(n_piece, x, phi);
        break;
    case ELV_BASIS_TABLE:
        for (int m = 0; m < basis->n_mode; m++) {
            phi[m] = elv_law_value(basis->shape[m], 0.0, x);
        }
        break;
    case ELV_N_BASIS:
        break;
    }
}

// by x: m x^(m-1); with y = 2 x - 1, half of P_m' = P_(m-2)' + (2 m - 1) P_(m-1) and of
// T_m' = 2 T_(m-1) + 2 y T_(m-1)' - T_(m-2)'
static void polynomial_slopes(const ElvStrainBasis* basis, double x, double* slope) {
    double phi[ELV_MAX_MODES];
    elv_strain_basis_eval(basis, x, phi);
    for (int m = 1; m < basis->n_mode; m++) {
        double before = m > 1 ? slope[m - 2] : 0.0;
        if (basis->kind == ELV_BASIS_MONOMIAL) {
            slope[m] = m * phi[m - 1];
        } else if (basis->kind == ELV_BASIS_LEGENDRE) {
            slope[m] = before + 2.0 * (2.0 * m - 1.0) * phi[m - 1];
        } else {
            slope[m] =
                m == 1 ? 2.0 : 4.0 * phi[m - 1] + 2.0 * (2.0 * x - 1.0) * slope[m - 1] - before;
        }
    }
}

static void hermite_slopes(int n_piece, double x, double* slope) {
    double u = 0.0;
    int piece = find_piece(n_piece, x, &u);
    double v = 1.0 - u;
    double* left = slope + 2 * (size_t)piece;
    left[0] = -6.0 * u * v * n_piece;
    left[1] = v * (v - 2.0 * u);
    left[2] = 6.0 * u * v * n_piece;
    left[3] = u * (u - 2.0 * v);
}

void elv_strain_basis_slope(const ElvStrainBasis* basis, double x, double* slope) {
    double u = 0.0;
    int n_piece = elv_strain_basis_pieces(basis);
    for (int m = 0; m < basis->n_mode; m++) {
        slope[m] = 0.0;
    }
    switch (basis->kind) {
    case ELV_BASIS_MONOMIAL:
    case ELV_BASIS_LEGENDRE:
    case ELV_BASIS_CHEBYSHEV:
        polynomial_slopes(basis, x, slope);
        break;
    case ELV_BASIS_PIECEWISE_LINEAR: {
        int piece = find_piece(n_piece, x, &u);
        slope[piece] = -n_piece;
        slope[piece + 1] = n_piece;
        break;
    }
    case ELV_BASIS_HERMITE:
        hermite_slopes(n_piece, x, slope);
        break;
    case ELV_BASIS_TABLE:
        for (int m = 0; m < basis->n_mode; m++) {
            slope[m] = elv_law_eval_s(basis->shape[m], 0.0, x).d;
        }
        break;
    case ELV_BASIS_PIECEWISE_CONSTANT:
    case ELV_N_BASIS:
        break;
    }
}

int elv_strain_basis_pieces(const ElvStrainBasis* basis) {
    switch (basis->kind) {
    case ELV_BASIS_PIECEWISE_CONSTANT:
        return basis->n_mode > 0 ? basis->n_mode : 1;
    case ELV_BASIS_PIECEWISE_LINEAR:
        return basis->n_mode > 1 ? basis->n_mode - 1 : 1;
    case ELV_BASIS_HERMITE:
        return basis->n_mode > 3 ? basis->n_mode / 2 - 1 : 1;
    default:
        return 1;
    }
}

int elv_strain_basis_degree(const ElvStrainBasis* basis) {
    switch (basis->kind) {
    case ELV_BASIS_PIECEWISE_CONSTANT:
        return 0;
    case ELV_BASIS_PIECEWISE_LINEAR:
        return 1;
    case ELV_BASIS_HERMITE:
    case ELV_BASIS_TABLE:
        return 3;
    default:
        return basis->n_mode > 0 ? basis->n_mode - 1 : 0;
    }
}

void elv_strain_basis_support(const ElvStrainBasis* basis, int piece, int* first, int* n) {
    switch (basis->kind) {
    case ELV_BASIS_PIECEWISE_CONSTANT:
        *first = piece;
        *n = basis->n_mode > 0 ? 1 : 0;
        break;
    case ELV_BASIS_PIECEWISE_LINEAR:
        *first = piece;
        *n = basis->n_mode > 0 ? 2 : 0;
        break;
    case ELV_BASIS_HERMITE:
        *first = 2 * piece;
        *n = basis->n_mode > 0 ? 4 : 0;
        break;
    default:
        *first = 0;
        *n = basis->n_mode;
        break;
    }
}
