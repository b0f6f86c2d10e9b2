// SPDX-License-Identifier: Apache-2.0
// Scalar coefficients of the rotation formulas, as functions of s = |theta|^2.
//
// exp, T and T^-1 on SO(3) all have the form M(theta) = 1 - a(s) hat(theta) + b(s) hat(theta)^2:
//   exp:   a = -sin(x)/x,          b = (1 - cos(x))/x^2
//   T:     a = (1 - cos(x))/x^2,   b = (x - sin(x))/x^3
//   T^-1:  a = -1/2,               b = (1 - (x/2) cot(x/2))/x^2
// with x = sqrt(s). Derivatives are taken by s, so that no odd power of x and no division by x
// appears in the matrices: d/dt a = a' 2 theta . theta_dot.
#ifndef ELVER_LIE_COEFFICIENTS_H
#define ELVER_LIE_COEFFICIENTS_H

/// Below this s every coefficient is a power series in s, above it a closed form. The value is
/// high on purpose: closed forms of the derivatives lose digits to cancellation well above
/// x = 1, and at 10 (just past a half turn, so that every logarithm is a series) both sides are
/// accurate to a few roundings.
#define ELV_SERIES_LIMIT 10.0

/// a, b and their first and second derivatives by s.
typedef struct {
    double a, a_d, a_dd;
    double b, b_d, b_dd;
} ElvMapCoefficients;

/// Coefficients of T. order (0, 1, 2): highest derivative wanted, the others are zero.
ElvMapCoefficients elv_tangent_coefficients(double s, int order);

/// Coefficients of T^-1, for s < 4 pi^2.
ElvMapCoefficients elv_tangent_inv_coefficients(double s, int order);

/// |B_(2j+2)|/(2j + 2)!, the series of b of T^-1; at s = 1 the twelfth term is 2e-18 of the first.
enum { ELV_TANGENT_INV_TERM = 11 };
extern const double elv_tangent_inv_term[ELV_TANGENT_INV_TERM];

/// a and b of exp and b of T^-1 at once, by fewer terms where s < 1: a step of an integrator has small angles.
void elv_step_coefficients(double s, ElvMapCoefficients* exp, double* b_inv);

/// Coefficients of exp from those of T, by sin(x)/x = 1 - s (x - sin(x))/x^3; derivatives are zero.
ElvMapCoefficients elv_exp_coefficients(double s, ElvMapCoefficients tangent);

#endif
