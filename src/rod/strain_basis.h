// SPDX-License-Identifier: Apache-2.0
// Scalar bases for one strain on one element, in the element's own coordinate x in [0, 1].
#ifndef ELVER_ROD_STRAIN_BASIS_H
#define ELVER_ROD_STRAIN_BASIS_H

#include "elver/law.h"
#include "elver/spec.h"

enum { ELV_MAX_MODES = 256 }; // of one strain of one element

typedef struct {
    ElvBasisKind kind;
    int n_mode;
    const ElvLaw* const* shape; // table bases: one law of s per mode (n_mode)
} ElvStrainBasis;

/// Values phi[0 … n_mode - 1] at x.                                                   [P20 (29)]
/// At a knot of a piecewise constant basis the piece on the right is taken (left at x = 1).
void elv_strain_basis_eval(const ElvStrainBasis* basis, double x, double* phi);

/// Their derivatives by x, same convention at knots.
void elv_strain_basis_slope(const ElvStrainBasis* basis, double x, double* slope);

/// Pieces between knots: 1 for smooth bases.
int elv_strain_basis_pieces(const ElvStrainBasis* basis);

/// Polynomial degree on each piece (of tables: between knots): what the quadrature must resolve.
int elv_strain_basis_degree(const ElvStrainBasis* basis);

/// Modes that do not vanish on the given piece: first … first + n - 1.
void elv_strain_basis_support(const ElvStrainBasis* basis, int piece, int* first, int* n);

#endif
