// SPDX-License-Identifier: Apache-2.0
// Dipping into a surface. With x = height / radius of the centre over the surface, the share below
// it is, inside
// -1 < x < 1,
//     circle  (acos x - x s) / pi,  s = sqrt(1 - x^2),   slope -2 s / pi,        integral (s - s^3/3 - x acos x) / pi
//     sphere  (1 - x)^2 (2 + x) / 4,                     slope -3/4 (1 - x^2),   integral (1 - x)^3 (3 + x) / 16
// and its slope is continuous. The lift share(height) rho V gravity has the potential rho V gravity
// integral(height). A node of a rod stands for a cell of it, which may lie across the surface: with
// S the share, I its integral, J that of I, and y the height of the cell's end over its middle,
//     mean S = (I(h - y) - I(h + y)) / 2 y,   mean I = (J(h - y) - J(h + y)) / 2 y,
//     mean xi S = (mean I - (I(h + y) + I(h - y)) / 2) / y,   and their derivatives likewise.
#include "rod/fluid_surface.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

double elv_surface_share(bool is_section, double radius, double height, double* slope) {
    double x = height / radius;
    *slope = 0.0;
    if (!(x > -1.0)) {
        return 1.0;
    }
    if (!(x < 1.0)) {
        return 0.0;
    }
    double square = (1.0 - x) * (1.0 + x);
    if (is_section) {
        double s = sqrt(square);
        *slope = -2.0 * s / (PI * radius);
        return (acos(x) - x * s) / PI;
    }
    *slope = -0.75 * square / radius;
    return 0.25 * (1.0 - x) * (1.0 - x) * (2.0 + x);
}

double elv_surface_integral(bool is_section, double radius, double height) {
    if (!(height > -radius)) {
        return -height;
    }
    if (!(height < radius)) {
        return 0.0;
    }
    double x = height / radius;
    if (is_section) {
        double s = sqrt((1.0 - x) * (1.0 + x));
        return radius * (s - s * s * s / 3.0 - x * acos(x)) / PI;
    }
    double d = 1.0 - x;
    return radius * d * d * d * (3.0 + x) / 16.0;
}

// ---- cells

// integral of the integral of a circle from height upwards: half the mean square of what is above
static double second_integral(double radius, double height) {
    if (!(height < radius)) {
        return 0.0;
    }
    if (!(height > -radius)) {
        return 0.125 * radius * radius + 0.5 * height * height;
    }
    double x = height / radius;
    double s = sqrt((1.0 - x) * (1.0 + x));
    double sum = (0.125 + 0.5 * x * x) * acos(x) - x * s * (13.0 / 24.0 + x * x / 12.0);
    return radius * radius * sum / PI;
}

// of spreads that differences would lose digits of: Gauss's rule of three points
static ElvDip dip_narrow(bool is_section, double radius, double height, double spread) {
    static const double node[3] = {-0.77459666924148337704, 0.0, 0.77459666924148337704};
    static const double weight[3] = {5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0};
    ElvDip dip = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        double slope = 0.0;
        double h = height + node[k] * spread;
        double share = weight[k] * elv_surface_share(is_section, radius, h, &slope);
        slope *= weight[k];
        dip.share += share;
        dip.arm += node[k] * share;
        dip.share_by_height += slope;
        dip.share_by_spread += node[k] * slope;
        dip.arm_by_spread += node[k] * node[k] * slope;
        dip.integral += weight[k] * elv_surface_integral(is_section, radius, h);
    }
    return dip;
}

ElvDip elv_surface_dip(bool is_section, double radius, double height, double spread) {
    const double NARROW = 1e-3;
    ElvDip dip = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    if (!(height + fabs(spread) > -radius)) {
        dip.share = 1.0;
        dip.integral = -height;
        return dip;
    }
    if (!(height - fabs(spread) < radius)) {
        return dip;
    }
    if (spread == 0.0) {
        dip.share = elv_surface_share(is_section, radius, height, &dip.share_by_height);
        dip.arm_by_spread = dip.share_by_height / 3.0;
        dip.integral = elv_surface_integral(is_section, radius, height);
        return dip;
    }
    if (fabs(spread) < NARROW * radius || !is_section) {
        return dip_narrow(is_section, radius, height, spread);
    }
    double slope = 0.0;
    double y = spread;
    double S[2] = {elv_surface_share(true, radius, height - y, &slope),
                   elv_surface_share(true, radius, height + y, &slope)};
    double I[2] = {elv_surface_integral(true, radius, height - y),
                   elv_surface_integral(true, radius, height + y)};
    double J[2] = {second_integral(radius, height - y), second_integral(radius, height + y)};
    dip.share = 0.5 * (I[0] - I[1]) / y;
    dip.integral = 0.5 * (J[0] - J[1]) / y;
    dip.arm = (dip.integral - 0.5 * (I[0] + I[1])) / y;
    dip.share_by_height = 0.5 * (S[1] - S[0]) / y;
    dip.share_by_spread = (0.5 * (S[0] + S[1]) - dip.share) / y;
    dip.arm_by_spread = (0.5 * (S[1] - S[0]) - 2.0 * dip.arm) / y;
    return dip;
}
