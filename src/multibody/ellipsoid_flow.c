// SPDX-License-Identifier: Apache-2.0
// Added inertia of an ellipsoid in ideal flow (Lamb, Hydrodynamics, articles 114-115). With
// semi-axes a_i, m the mass of the fluid that it displaces and
//     alpha_i = a b c integral of dx / ((a_i^2 + x) sqrt((a^2 + x)(b^2 + x)(c^2 + x))) over x > 0,
//     sum of alpha_i = 2,
// motion along axis i adds m alpha_i / (2 - alpha_i), and rotation about the first axis, with d =
// b^2 - c^2,
//     m/5 d^2 (alpha_c - alpha_b) / (2 d + (b^2 + c^2) (alpha_b - alpha_c)),
// and so on round. The integrals are Carlson's: alpha_i = 2/3 a b c R_D(a_j^2, a_k^2, a_i^2).
#include "multibody/ellipsoid_flow.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// R_D(x, y, z) = 3/2 integral of dt / ((t + z) sqrt((t + x)(t + y)(t + z))), by duplication: each
// step brings the arguments nearer by a factor of four, and the series that ends it has an error of
// order six
static double carlson_rd(double x, double y, double z) {
    double sum = 0.0;
    double power = 1.0;
    double mean = 0.0;
    double X = 1.0;
    double Y = 1.0;
    double Z = 1.0;
    while (fmax(fabs(X), fmax(fabs(Y), fabs(Z))) > 1e-3) {
        double root = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
        sum += power / (sqrt(z) * (z + root));
        power *= 0.25;
        x = 0.25 * (x + root);
        y = 0.25 * (y + root);
        z = 0.25 * (z + root);
        mean = 0.2 * (x + y + 3.0 * z);
        X = (mean - x) / mean;
        Y = (mean - y) / mean;
        Z = (mean - z) / mean;
    }
    // elementary symmetric functions of (X, Y, Z, Z, Z)
    double xy = X * Y;
    double zz = Z * Z;
    double e2 = xy - 6.0 * zz;
    double e3 = (3.0 * xy - 8.0 * zz) * Z;
    double e4 = 3.0 * (xy - zz) * zz;
    double e5 = xy * zz * Z;
    double series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 3.0 * e4 / 22.0 -
                    9.0 * e2 * e3 / 52.0 + 3.0 * e5 / 26.0;
    return 3.0 * sum + power * series / (mean * sqrt(mean));
}

// about the axis that b and c are normal to, per mass
static double spin(double b, double c, double alpha_b, double alpha_c) {
    double difference = b * b - c * c;
    if (difference == 0.0) {
        return 0.0;
    }
    double sum = b * b + c * c;
    double below = 2.0 * difference + sum * (alpha_b - alpha_c);
    return 0.2 * difference * difference * (alpha_c - alpha_b) / below;
}

ElvInertia elv_ellipsoid_added(double density, ElvVec3 radii) {
    // in units of the largest, so that no product overflows
    double scale = fmax(radii.x, fmax(radii.y, radii.z));
    double a = radii.x / scale;
    double b = radii.y / scale;
    double c = radii.z / scale;
    double factor = 2.0 / 3.0 * a * b * c;
    double alpha[3] = {factor * carlson_rd(b * b, c * c, a * a),
                       factor * carlson_rd(c * c, a * a, b * b),
                       factor * carlson_rd(a * a, b * b, c * c)};
    double mass = density * 4.0 / 3.0 * pi * radii.x * radii.y * radii.z;
    double turn = mass * scale * scale;
    ElvInertia added = elv_inertia_zero();
    added.J =
        elv_mat3_diag(turn * spin(b, c, alpha[1], alpha[2]), turn * spin(c, a, alpha[2], alpha[0]),
                      turn * spin(a, b, alpha[0], alpha[1]));
    added.M = elv_mat3_diag(mass * alpha[0] / (2.0 - alpha[0]), mass * alpha[1] / (2.0 - alpha[1]),
                            mass * alpha[2] / (2.0 - alpha[2]));
    return added;
}
