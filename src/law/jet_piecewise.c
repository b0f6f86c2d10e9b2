// SPDX-License-Identifier: Apache-2.0
// Functions of jets made of pieces. The piece is selected, never weighted, so that a NaN in the
// piece not taken does not leak. Values follow the definition of the function; at a corner the
// derivatives are those of the piece entered as time grows. A NaN argument gives NaN.
#include "law/jet.h"

#include <math.h>
#include <stdbool.h>

static const double two_pi = 6.283185307179586477;

static int is_nan(ElvJet x) {
    return isnan(x.v);
}

static ElvJet truth(int is_true) {
    return elv_jet_constant(is_true ? 1.0 : 0.0);
}

static int sign_of(double x) {
    return (x > 0.0) - (x < 0.0);
}

// sign of x - level just after now: the first of value, rate and acceleration that differs
static int side_after(ElvJet x, double level) {
    if (x.v != level) {
        return x.v > level ? 1 : -1;
    }
    return x.d != 0.0 ? sign_of(x.d) : sign_of(x.dd);
}

// sign of x - y just after now; values are compared, not subtracted, so infinities are fine
static int order_after(ElvJet x, ElvJet y) {
    if (x.v != y.v) {
        return x.v > y.v ? 1 : -1;
    }
    return x.d != y.d ? sign_of(x.d - y.d) : sign_of(x.dd - y.dd);
}

ElvJet elv_jet_abs(ElvJet x) {
    ElvJet mirrored = side_after(x, 0.0) < 0 ? elv_jet_neg(x) : x;
    return elv_jet(fabs(x.v), mirrored.d, mirrored.dd);
}

ElvJet elv_jet_sign(ElvJet x) {
    return is_nan(x) ? x : elv_jet_constant(sign_of(x.v));
}

ElvJet elv_jet_min(ElvJet x, ElvJet y) {
    if (is_nan(x) || is_nan(y)) {
        return is_nan(x) ? x : y;
    }
    return order_after(x, y) <= 0 ? x : y;
}

ElvJet elv_jet_max(ElvJet x, ElvJet y) {
    if (is_nan(x) || is_nan(y)) {
        return is_nan(x) ? x : y;
    }
    return order_after(x, y) >= 0 ? x : y;
}

ElvJet elv_jet_floor(ElvJet x) {
    return elv_jet_constant(floor(x.v));
}

ElvJet elv_jet_ceil(ElvJet x) {
    return elv_jet_constant(ceil(x.v));
}

// remainder with the sign of y
static double mod_value(double x, double y) {
    double r = fmod(x, y);
    return (r != 0.0 && (r < 0.0) != (y < 0.0)) ? r + y : r;
}

double elv_floor_quotient(double x, double y) {
    return rint((x - mod_value(x, y)) / y);
}

ElvJet elv_jet_mod(ElvJet x, ElvJet y) {
    // x - n y with n held
    double n = elv_floor_quotient(x.v, y.v);
    return elv_jet(mod_value(x.v, y.v), x.d - (y.d == 0.0 ? 0.0 : n * y.d),
                   x.dd - (y.dd == 0.0 ? 0.0 : n * y.dd));
}

ElvJet elv_jet_and(ElvJet x, ElvJet y) {
    if (is_nan(x) || is_nan(y)) {
        return elv_jet_constant((double)NAN);
    }
    return truth(x.v != 0.0 && y.v != 0.0);
}

ElvJet elv_jet_or(ElvJet x, ElvJet y) {
    if (is_nan(x) || is_nan(y)) {
        return elv_jet_constant((double)NAN);
    }
    return truth(x.v != 0.0 || y.v != 0.0);
}

ElvJet elv_jet_not(ElvJet x) {
    return is_nan(x) ? x : truth(x.v == 0.0);
}

ElvJet elv_jet_if(ElvJet condition, ElvJet yes, ElvJet no) {
    if (is_nan(condition)) {
        return elv_jet_constant((double)NAN);
    }
    return condition.v != 0.0 ? yes : no;
}

ElvJet elv_jet_step(ElvJet x) {
    return is_nan(x) ? x : truth(x.v >= 0.0);
}

ElvJet elv_jet_pulse(ElvJet x, ElvJet a, ElvJet b) {
    if (is_nan(x) || is_nan(a) || is_nan(b)) {
        return elv_jet_constant((double)NAN);
    }
    return truth(a.v <= x.v && x.v < b.v);
}

// u = (x - a)/(b - a), the place of x between a (0) and b (1)
static ElvJet place_between(ElvJet x, ElvJet a, ElvJet b) {
    return elv_jet_div(elv_jet_sub(x, a), elv_jet_sub(b, a));
}

ElvJet elv_jet_ramp(ElvJet x, ElvJet a, ElvJet b) {
    if (a.v == b.v) {
        return elv_jet_step(elv_jet_sub(x, a));
    }
    ElvJet u = place_between(x, a, b);
    if (side_after(u, 0.0) <= 0 && u.v <= 0.0) {
        return elv_jet_constant(0.0);
    }
    if (side_after(u, 1.0) >= 0 && u.v >= 1.0) {
        return elv_jet_constant(1.0);
    }
    return u;
}

// x - sin(x) for 0 <= x <= pi, with all its digits: below 1 the first terms cancel, and the series
// x^3/3! - x^5/5! + ... takes their place, whose ninth term is below rounding
static double cycloid(double x) {
    if (x > 1.0) {
        return x - sin(x);
    }
    double sum = 1.0;
    for (int k = 17; k >= 5; k -= 2) {
        sum = 1.0 - x * x / (k * (k - 1)) * sum;
    }
    return x * x * x / 6.0 * sum;
}

// u - sin(2 pi u)/(2 pi) between 0 and 1, a C2 rise                          [P20 (64)]
ElvJet elv_jet_smooth(ElvJet x, ElvJet a, ElvJet b) {
    if (a.v == b.v) {
        return elv_jet_step(elv_jet_sub(x, a));
    }
    ElvJet u = place_between(x, a, b);
    if (u.v <= 0.0) {
        return elv_jet_constant(0.0);
    }
    if (u.v >= 1.0) {
        return elv_jet_constant(1.0);
    }
    // the second half mirrors the first; 2 sin^2(pi u) is 1 - cos(2 pi u) without its cancellation
    bool is_second = u.v > 0.5;
    double angle = two_pi * (is_second ? 1.0 - u.v : u.v);
    double rise = cycloid(angle) / two_pi;
    double half = sin(0.5 * angle);
    double bend = two_pi * sin(angle);
    return elv_jet_chain(is_second ? 1.0 - rise : rise, 2.0 * half * half, is_second ? -bend : bend,
                         u);
}

// exp(-u^2/(1 - u^2)) with u from -1 at a to 1 at b, all of whose derivatives vanish there; erratum: the printed
// denominator has the other sign                                                   [ALI (6.41)]
ElvJet elv_jet_bump(ElvJet x, ElvJet a, ElvJet b) {
    if (a.v == b.v) {
        return elv_jet_constant(0.0);
    }
    ElvJet u = elv_jet_sub(elv_jet_scale(2.0, place_between(x, a, b)), elv_jet_constant(1.0));
    double square = u.v * u.v;
    double rest = 1.0 - square;
    // exp(-1/rest) is no number beyond
    if (rest < 1e-3) {
        return elv_jet_constant(0.0);
    }
    double value = exp(-square / rest);
    double slope = -2.0 * u.v / (rest * rest);
    double bend = slope * slope - (2.0 + 6.0 * square) / (rest * rest * rest);
    return elv_jet_chain(value, value * slope, value * bend, u);
}

ElvJet elv_jet_triangle(ElvJet x, ElvJet a, ElvJet b) {
    if (a.v == b.v) {
        return elv_jet_constant(0.0);
    }
    ElvJet u = place_between(x, a, b);
    if ((side_after(u, 0.0) <= 0 && u.v <= 0.0) || (side_after(u, 1.0) >= 0 && u.v >= 1.0)) {
        return elv_jet_constant(0.0);
    }
    ElvJet rise = elv_jet_scale(2.0, u);
    ElvJet fall = elv_jet_sub(elv_jet_constant(2.0), rise);
    return side_after(u, 0.5) < 0 ? rise : fall;
}
