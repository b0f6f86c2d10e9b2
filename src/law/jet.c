// SPDX-License-Identifier: Apache-2.0
// Smooth functions of jets by the chain rule: for g = f(x),
//   g' = f1 x',   g'' = f2 x'^2 + f1 x'',
// and the like with mixed partial derivatives for two arguments. Infinite derivatives (sqrt at
// zero) stay infinite unless the inner derivative they multiply is exactly zero.
#include "law/jet.h"

#include <math.h>

static const double log_of_10 = 2.302585092994045684;

// partial derivatives of a function of two arguments
typedef struct {
    double x, y, xx, xy, yy;
} Partials;

// a b, where an exact zero wins over an infinity
static double product(double a, double b) {
    return (a == 0.0 || b == 0.0) ? 0.0 : a * b;
}

static int is_constant(ElvJet x) {
    return x.d == 0.0 && x.dd == 0.0;
}

ElvJet elv_jet_chain(double f, double f1, double f2, ElvJet x) {
    double curvature = product(f2, x.d * x.d);
    // at a singular point f2 is the stronger infinity, and decides
    double dd = isinf(curvature) ? curvature : curvature + product(f1, x.dd);
    return elv_jet(f, product(f1, x.d), dd);
}

static ElvJet chain2(double f, Partials p, ElvJet x, ElvJet y) {
    double d = product(p.x, x.d) + product(p.y, y.d);
    double second =
        product(p.xx, x.d * x.d) + 2.0 * product(p.xy, x.d * y.d) + product(p.yy, y.d * y.d);
    return elv_jet(f, d, second + product(p.x, x.dd) + product(p.y, y.dd));
}

ElvJet elv_jet_mul(ElvJet x, ElvJet y) {
    double d = product(x.d, y.v) + product(x.v, y.d);
    double dd = product(x.dd, y.v) + 2.0 * product(x.d, y.d) + product(x.v, y.dd);
    return elv_jet(x.v * y.v, d, dd);
}

ElvJet elv_jet_div(ElvJet x, ElvJet y) {
    double v = x.v / y.v;
    if (is_constant(y)) {
        // no 0/0 in the derivatives of a constant
        return elv_jet(v, x.d == 0.0 ? 0.0 : x.d / y.v, x.dd == 0.0 ? 0.0 : x.dd / y.v);
    }
    double d = (x.d - product(v, y.d)) / y.v;
    double dd = (x.dd - 2.0 * product(d, y.d) - product(v, y.dd)) / y.v;
    return elv_jet(v, d, dd);
}

// x^y when y varies: x^y = exp(y log x)
static ElvJet power_of_jet(ElvJet x, ElvJet y) {
    double f = pow(x.v, y.v);
    double f_less = pow(x.v, y.v - 1.0);
    double log_x = log(x.v);
    Partials p = {0};
    p.x = product(y.v, f_less);
    p.y = product(f, log_x);
    p.xx = product(y.v * (y.v - 1.0), pow(x.v, y.v - 2.0));
    p.xy = product(f_less, 1.0 + product(y.v, log_x));
    p.yy = product(f, log_x * log_x);
    return chain2(f, p, x, y);
}

ElvJet elv_jet_pow(ElvJet x, ElvJet y) {
    if (!is_constant(y)) {
        return power_of_jet(x, y);
    }
    // a vanishing factor y or y (y - 1) wins over 1/0 in the lower powers
    double f1 = product(y.v, pow(x.v, y.v - 1.0));
    double f2 = product(y.v * (y.v - 1.0), pow(x.v, y.v - 2.0));
    return elv_jet_chain(pow(x.v, y.v), f1, f2, x);
}

ElvJet elv_jet_sin(ElvJet x) {
    double s = sin(x.v);
    return elv_jet_chain(s, cos(x.v), -s, x);
}

ElvJet elv_jet_cos(ElvJet x) {
    double c = cos(x.v);
    return elv_jet_chain(c, -sin(x.v), -c, x);
}

ElvJet elv_jet_tan(ElvJet x) {
    double f = tan(x.v);
    double f1 = 1.0 + f * f;
    return elv_jet_chain(f, f1, 2.0 * f * f1, x);
}

ElvJet elv_jet_asin(ElvJet x) {
    double f1 = 1.0 / sqrt((1.0 - x.v) * (1.0 + x.v));
    return elv_jet_chain(asin(x.v), f1, x.v * f1 * f1 * f1, x);
}

ElvJet elv_jet_acos(ElvJet x) {
    double f1 = 1.0 / sqrt((1.0 - x.v) * (1.0 + x.v));
    return elv_jet_chain(acos(x.v), -f1, -x.v * f1 * f1 * f1, x);
}

ElvJet elv_jet_atan(ElvJet x) {
    double f1 = 1.0 / (1.0 + x.v * x.v);
    return elv_jet_chain(atan(x.v), f1, -2.0 * (x.v * f1) * f1, x);
}

ElvJet elv_jet_atan2(ElvJet y, ElvJet x) {
    // with c, s the direction and r the distance: dy = c/r, dx = -s/r
    double r = hypot(x.v, y.v);
    double c = x.v / r;
    double s = y.v / r;
    Partials p = {0};
    p.x = -s / r;
    p.y = c / r;
    p.xx = 2.0 * c * s / r / r;
    p.xy = (s - c) * (s + c) / r / r;
    p.yy = -p.xx;
    return chain2(atan2(y.v, x.v), p, x, y);
}

ElvJet elv_jet_sinh(ElvJet x) {
    double s = sinh(x.v);
    return elv_jet_chain(s, cosh(x.v), s, x);
}

ElvJet elv_jet_cosh(ElvJet x) {
    double c = cosh(x.v);
    return elv_jet_chain(c, sinh(x.v), c, x);
}

ElvJet elv_jet_tanh(ElvJet x) {
    // 1/cosh^2 keeps its digits where 1 - tanh^2 cancels
    double f = tanh(x.v);
    double sech = 1.0 / cosh(x.v);
    double f1 = sech * sech;
    return elv_jet_chain(f, f1, -2.0 * f * f1, x);
}

ElvJet elv_jet_exp(ElvJet x) {
    double f = exp(x.v);
    return elv_jet_chain(f, f, f, x);
}

ElvJet elv_jet_log(ElvJet x) {
    double f1 = 1.0 / x.v;
    return elv_jet_chain(log(x.v), f1, -f1 * f1, x);
}

ElvJet elv_jet_log10(ElvJet x) {
    double f1 = 1.0 / x.v;
    return elv_jet_chain(log10(x.v), f1 / log_of_10, -f1 * f1 / log_of_10, x);
}

ElvJet elv_jet_sqrt(ElvJet x) {
    double r = sqrt(x.v);
    if (x.v == 0.0 && x.d == 0.0 && x.dd != 0.0) {
        // sqrt(a t^2 / 2 + …) leaves zero with slope sqrt(a/2); its curvature needs a third
        // derivative that a jet does not hold
        return elv_jet(r, sqrt(0.5 * x.dd), (double)NAN);
    }
    return elv_jet_chain(r, 0.5 / r, -0.25 / (r * x.v), x);
}

// hypot at the origin: the speed, and the acceleration along the velocity
static ElvJet hypot_at_origin(ElvJet x, ElvJet y) {
    double speed = hypot(x.d, y.d);
    if (speed == 0.0) {
        return elv_jet(0.0, 0.0, hypot(x.dd, y.dd));
    }
    return elv_jet(0.0, speed, (x.d / speed) * x.dd + (y.d / speed) * y.dd);
}

ElvJet elv_jet_hypot(ElvJet x, ElvJet y) {
    double r = hypot(x.v, y.v);
    if (r == 0.0) {
        return hypot_at_origin(x, y);
    }
    double c = x.v / r;
    double s = y.v / r;
    Partials p = {c, s, s * s / r, -c * s / r, c * c / r};
    return chain2(r, p, x, y);
}
