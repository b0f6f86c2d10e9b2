// SPDX-License-Identifier: Apache-2.0
// Arithmetic of jets: a value with its first and second time derivatives, carried through every
// function by the chain rule. A derivative that is exactly zero wins over an infinite factor, and
// where a function has a corner the derivatives are those just after, as time grows.
#ifndef ELVER_LAW_JET_H
#define ELVER_LAW_JET_H

#include "elver/law.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline ElvJet elv_jet(double v, double d, double dd) {
    ElvJet x = {v, d, dd};
    return x;
}

static inline ElvJet elv_jet_constant(double v) {
    return elv_jet(v, 0.0, 0.0);
}

static inline ElvJet elv_jet_neg(ElvJet x) {
    return elv_jet(-x.v, -x.d, -x.dd);
}

static inline ElvJet elv_jet_add(ElvJet x, ElvJet y) {
    return elv_jet(x.v + y.v, x.d + y.d, x.dd + y.dd);
}

static inline ElvJet elv_jet_sub(ElvJet x, ElvJet y) {
    return elv_jet(x.v - y.v, x.d - y.d, x.dd - y.dd);
}

static inline ElvJet elv_jet_scale(double a, ElvJet x) {
    return elv_jet(a * x.v, a * x.d, a * x.dd);
}

/// f(x) from f, f' and f'' at x.v.
ElvJet elv_jet_chain(double f, double f1, double f2, ElvJet x);

// smooth functions (jet.c)
ElvJet elv_jet_mul(ElvJet x, ElvJet y);
ElvJet elv_jet_div(ElvJet x, ElvJet y);
ElvJet elv_jet_pow(ElvJet x, ElvJet y);
ElvJet elv_jet_sin(ElvJet x);
ElvJet elv_jet_cos(ElvJet x);
ElvJet elv_jet_tan(ElvJet x);
ElvJet elv_jet_asin(ElvJet x);
ElvJet elv_jet_acos(ElvJet x);
ElvJet elv_jet_atan(ElvJet x);
ElvJet elv_jet_atan2(ElvJet y, ElvJet x);
ElvJet elv_jet_sinh(ElvJet x);
ElvJet elv_jet_cosh(ElvJet x);
ElvJet elv_jet_tanh(ElvJet x);
ElvJet elv_jet_exp(ElvJet x);
ElvJet elv_jet_log(ElvJet x);
ElvJet elv_jet_log10(ElvJet x);
ElvJet elv_jet_sqrt(ElvJet x);
ElvJet elv_jet_hypot(ElvJet x, ElvJet y);

// functions made of pieces (jet_piecewise.c)
ElvJet elv_jet_abs(ElvJet x);
ElvJet elv_jet_sign(ElvJet x);
ElvJet elv_jet_min(ElvJet x, ElvJet y);
ElvJet elv_jet_max(ElvJet x, ElvJet y);
ElvJet elv_jet_floor(ElvJet x);
ElvJet elv_jet_ceil(ElvJet x);
ElvJet elv_jet_mod(ElvJet x, ElvJet y);
ElvJet elv_jet_and(ElvJet x, ElvJet y);
ElvJet elv_jet_or(ElvJet x, ElvJet y);
ElvJet elv_jet_not(ElvJet x);
ElvJet elv_jet_if(ElvJet condition, ElvJet yes, ElvJet no);
ElvJet elv_jet_step(ElvJet x);
ElvJet elv_jet_pulse(ElvJet x, ElvJet a, ElvJet b);
ElvJet elv_jet_ramp(ElvJet x, ElvJet a, ElvJet b);
ElvJet elv_jet_smooth(ElvJet x, ElvJet a, ElvJet b);
ElvJet elv_jet_bump(ElvJet x, ElvJet a, ElvJet b);
ElvJet elv_jet_triangle(ElvJet x, ElvJet a, ElvJet b);

/// The integer n with x = n y + mod(x, y), exact to the last bit of mod.
double elv_floor_quotient(double x, double y);

#ifdef __cplusplus
}
#endif

#endif
