// SPDX-License-Identifier: Apache-2.0
// Scalar coefficients of exp, T and T^-1 on SO(3), accurate to rounding at every angle.
//
// Series: sin(x)/x, (1 - cos(x))/x^2 and (x - sin(x))/x^3 are c_1, c_2 and c_3 of the family
// c_k(s) = sum_j (-s)^j/(2j + k)!. For T^-1 the expansion of the cotangent into partial fractions,
// b(s) = 2 sum_n 1/(4 pi^2 n^2 - s), gives a series of positive terms; the pole n = 1 is kept as it
// is, which quadruples the radius of convergence of the rest.
// Closed forms: from s c_(k+2) = 1/k! - c_k follow 2 s c_k' = c_(k-1) - k c_k and its derivative,
// 2 s c_k'' = c_(k-1)' - (k + 2) c_k', and b of T^-1 obeys 2 s b' = 1/4 - 3 b + s b^2.
#include "lie/coefficients.h"

#include <math.h>

enum { N_TERM = 16, N_POLE_TERM = 18 };

// 1/n!
static const double inverse_factorial[] = {
    1.0,
    1.0,
    0.5,
    0.16666666666666666,
    0.041666666666666664,
    0.0083333333333333333,
    0.0013888888888888889,
    1.984126984126984e-04,
    2.48015873015873e-05,
    2.7557319223985893e-06,
    2.755731922398589e-07,
    2.505210838544172e-08,
    2.08767569878681e-09,
    1.6059043836821613e-10,
    1.1470745597729725e-11,
    7.647163731819816e-13,
    4.779477332387385e-14,
    2.8114572543455206e-15,
    1.5619206968586225e-16,
    8.22063524662433e-18,
    4.110317623312165e-19,
    1.9572941063391263e-20,
    8.896791392450574e-22,
    3.868170170630684e-23,
    1.6117375710961184e-24,
    6.446950284384474e-26,
    2.4795962632247976e-27,
    9.183689863795546e-29,
    3.279889237069838e-30,
    1.1309962886447716e-31,
    3.7699876288159054e-33,
    1.216125041553518e-34,
    3.8003907548547434e-36,
    1.151633562077195e-37,
};

// 2 (zeta(2j + 2) - 1)/(4 pi^2)^(j + 1): the series of b without its first pole
static const double pole_rest[N_POLE_TERM] = {
    0.032672741512164448,   1.0564110705334699e-04, 5.6373702828768453e-07, 3.3571419266574514e-09,
    2.0742872904166046e-11, 1.3000482138698974e-13, 8.1960520556910086e-16, 5.1801181961697243e-18,
    3.2775391747017918e-20, 2.0747401878593605e-22, 1.3136241807166534e-24, 8.3180031951892641e-27,
    5.2672629968342309e-29, 3.3354842988221443e-31, 2.1122063323183885e-33, 1.3375664093215244e-35,
    8.4702273286502466e-38, 5.3638310466556986e-40,
};

static const double four_pi_squared = 39.478417604357434;

// factor of s^(j - order) in the derivative of s^j: 1, j, j (j - 1)
static const double power_factor[3][N_POLE_TERM] = {
    {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0},
    {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0,
     17.0},
    {0.0, 0.0, 2.0, 6.0, 12.0, 20.0, 30.0, 42.0, 56.0, 72.0, 90.0, 110.0, 132.0, 156.0, 182.0,
     210.0, 240.0, 272.0},
};

// derivative of c_k(s) of the given order, by its series
static double factorial_series(double s, int k, int order) {
    double sum = 0.0;
    for (int j = N_TERM - 1; j >= order; j--) {
        sum = power_factor[order][j] * inverse_factorial[2 * j + k] - s * sum;
    }
    return order == 1 ? -sum : sum;
}

// derivative of the b of T^-1 of the given order, by its first pole and the series of the rest
static double pole_series(double s, int order) {
    double sum = 0.0;
    for (int j = N_POLE_TERM - 1; j >= order; j--) {
        sum = power_factor[order][j] * pole_rest[j] + s * sum;
    }
    // derivatives of 2/(4 pi^2 - s)
    double pole = 1.0 / (four_pi_squared - s);
    double term = 2.0 * pole;
    for (int i = 1; i <= order; i++) {
        term *= (double)i * pole;
    }
    return term + sum;
}

ElvMapCoefficients elv_exp_coefficients(double s, ElvMapCoefficients tangent) {
    ElvMapCoefficients c = {0};
    c.a = s * tangent.b - 1.0;
    c.b = tangent.a;
    return c;
}

ElvMapCoefficients elv_tangent_coefficients(double s, int order) {
    ElvMapCoefficients c = {0};
    if (s < ELV_SERIES_LIMIT) {
        c.a = factorial_series(s, 2, 0);
        c.b = factorial_series(s, 3, 0);
        if (order >= 1) {
            c.a_d = factorial_series(s, 2, 1);
            c.b_d = factorial_series(s, 3, 1);
        }
        if (order >= 2) {
            c.a_dd = factorial_series(s, 2, 2);
            c.b_dd = factorial_series(s, 3, 2);
        }
        return c;
    }
    // c_1 = sin(x)/x; c_2 by the half angle, which does not cancel near a full turn
    double x = sqrt(s);
    double c_1 = sin(x) / x;
    double half_sine = sin(0.5 * x);
    c.a = 2.0 * half_sine * half_sine / s;
    c.b = (1.0 - c_1) / s;
    if (order >= 1) {
        c.a_d = (c_1 - 2.0 * c.a) / (2.0 * s);
        c.b_d = (c.a - 3.0 * c.b) / (2.0 * s);
    }
    if (order >= 2) {
        double c_1_d = 0.5 * (c.b - c.a);
        c.a_dd = (c_1_d - 4.0 * c.a_d) / (2.0 * s);
        c.b_dd = (c.a_d - 5.0 * c.b_d) / (2.0 * s);
    }
    return c;
}

ElvMapCoefficients elv_tangent_inv_coefficients(double s, int order) {
    ElvMapCoefficients c = {0};
    c.a = -0.5;
    if (s < ELV_SERIES_LIMIT) {
        c.b = pole_series(s, 0);
        c.b_d = order >= 1 ? pole_series(s, 1) : 0.0;
        c.b_dd = order >= 2 ? pole_series(s, 2) : 0.0;
        return c;
    }
    double half = 0.5 * sqrt(s);
    c.b = (1.0 - half / tan(half)) / s;
    if (order >= 1) {
        c.b_d = (0.25 - 3.0 * c.b + s * c.b * c.b) / (2.0 * s);
    }
    if (order >= 2) {
        c.b_dd = (c.b * c.b + (2.0 * s * c.b - 5.0) * c.b_d) / (2.0 * s);
    }
    return c;
}

const double elv_tangent_inv_term[ELV_TANGENT_INV_TERM] = {
    0.08333333333333333,   0.001388888888888889,  3.306878306878307e-05,  8.267195767195768e-07,
    2.08767569878681e-08,  5.284190138687493e-10, 1.3382536530684679e-11, 3.3896802963225827e-13,
    8.586062056277845e-15, 2.174868698558062e-16, 5.5090028283602295e-18};

void elv_step_coefficients(double s, ElvMapCoefficients* exp, double* b_inv) {
    if (!(s < 1.0)) {
        *exp = elv_exp_coefficients(s, elv_tangent_coefficients(s, 0));
        *b_inv = elv_tangent_inv_coefficients(s, 0).b;
        return;
    }
    // at s = 1 the eleventh terms are 1/22! and 1/23!
    enum { N = 9 };
    double c_2 = inverse_factorial[2 * N + 2];
    double c_3 = inverse_factorial[2 * N + 3];
    double b = elv_tangent_inv_term[N + 1] * s + elv_tangent_inv_term[N];
    for (int j = N - 1; j >= 0; j--) {
        c_2 = inverse_factorial[2 * j + 2] - s * c_2;
        c_3 = inverse_factorial[2 * j + 3] - s * c_3;
        b = elv_tangent_inv_term[j] + s * b;
    }
    *exp = (ElvMapCoefficients){.a = s * c_3 - 1.0, .b = c_2};
    *b_inv = b;
}
