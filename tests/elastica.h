// SPDX-License-Identifier: Apache-2.0
// Bent rods of unit length without stretch: Euler's column by elliptic integrals, and a rod on a turned
// clamp by shooting.
#ifndef ELVER_TESTS_ELASTICA_H
#define ELVER_TESTS_ELASTICA_H

#include <math.h>

// complete elliptic integrals of modulus k by the arithmetic-geometric mean
static inline void elliptic(double k, double* K, double* E) {
    double a = 1.0;
    double b = sqrt(1.0 - k * k);
    double c = k;
    double sum = 0.5 * c * c;
    double power = 0.5;
    for (int i = 0; i < 40 && fabs(c) > 1e-17; i++) {
        double next = 0.5 * (a + b);
        c = 0.5 * (a - b);
        b = sqrt(a * b);
        a = next;
        power *= 2.0;
        sum += power * c * c;
    }
    *K = 3.14159265358979323846 / (2.0 * a);
    *E = *K * (1.0 - sum);
}

// tip of the bent column under load times the critical one: P/P_c = (2 K/pi)^2, k = sin(tip slope / 2)
static inline void elastica(double load, double* x, double* y) {
    double low = 0.0;
    double high = 1.0 - 1e-12;
    double K = 0.0;
    double E = 0.0;
    for (int i = 0; i < 200; i++) {
        double k = 0.5 * (low + high);
        elliptic(k, &K, &E);
        if (4.0 * K * K / (3.14159265358979323846 * 3.14159265358979323846) < load) {
            low = k;
        } else {
            high = k;
        }
    }
    *x = 2.0 * E / K - 1.0;
    *y = 2.0 * low / K;
}

/// theta'' = -p sin(theta), theta(L) = alpha, theta'(L) = 0, L = 1: theta(0), and the place of the tip
typedef struct {
    double angle, x, y;
} Shot;

static inline Shot shoot(double p, double alpha) {
    enum { STEPS = 2000 };
    double h = 1.0 / STEPS;
    double y[4] = {alpha, 0.0, 0.0, 0.0};
    for (int i = 0; i < STEPS; i++) {
        double k[4][4];
        for (int stage = 0; stage < 4; stage++) {
            double c = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
            double at[4];
            for (int j = 0; j < 4; j++) {
                at[j] = y[j] + (stage > 0 ? c * k[stage - 1][j] : 0.0);
            }
            // backwards along the rod
            k[stage][0] = at[1];
            k[stage][1] = -p * sin(at[0]);
            k[stage][2] = cos(at[0]);
            k[stage][3] = sin(at[0]);
        }
        for (int j = 0; j < 4; j++) {
            y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
        }
    }
    return (Shot){y[0], y[2], y[3]};
}

// where the clamp's angle is largest, by golden section
static inline Shot find_snap(double p) {
    double low = -3.0;
    double high = 0.0;
    double ratio = 0.5 * (sqrt(5.0) - 1.0);
    for (int i = 0; i < 100; i++) {
        double a = high - ratio * (high - low);
        double b = low + ratio * (high - low);
        if (shoot(p, a).angle > shoot(p, b).angle) {
            high = b;
        } else {
            low = a;
        }
    }
    return shoot(p, 0.5 * (low + high));
}

#endif
