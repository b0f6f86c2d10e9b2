// SPDX-License-Identifier: Apache-2.0
// Closed forms of vibrating beams, as equations in one unknown, and their roots by bisection.
#ifndef ELVER_TESTS_BEAM_ROOTS_H
#define ELVER_TESTS_BEAM_ROOTS_H

#include <math.h>

typedef double (*BeamEquation)(const void* beam, double x);

/// The i-th root (from 0) of f above x_low, found by steps and bisected to rounding. Poles do not
/// count: |f| must fall towards a root.
static inline double
beam_root(BeamEquation f, const void* beam, double x_low, double step, int i_root) {
    double x = x_low;
    for (double value = f(beam, x);; x += step) {
        double next = f(beam, x + step);
        if ((value < 0.0) != (next < 0.0) && i_root-- == 0) {
            break;
        }
        value = next;
    }
    double low = x;
    double high = x + step;
    double sign = f(beam, low);
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (low + high);
        if ((f(beam, middle) < 0.0) == (sign < 0.0)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

/// Euler-Bernoulli, clamped-free: cos z cosh z = -1 (divided by cosh z).
static inline double beam_cantilever(const void* beam, double z) {
    (void)beam;
    return cos(z) + 1.0 / cosh(z);
}

/// Euler-Bernoulli, free-free: cos z cosh z = 1; z = 0 is no vibration.
static inline double beam_free(const void* beam, double z) {
    (void)beam;
    return cos(z) - 1.0 / cosh(z);
}

#endif
