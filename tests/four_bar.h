// SPDX-License-Identifier: Apache-2.0
// The four-bar linkage of models/four-bar.yaml in closed form: angles by the half-angle formula, rates by
// differentiation, the torque of the crank by virtual power, and again by Newton and Euler body by body.
// e(x) = (cos x, sin x), n(x) = e'(x); angles theta, phi, psi of crank, coupler and rocker against the
// ground:  a e(theta) + b e(phi) = (d, 0) + c e(psi).
#ifndef ELVER_TESTS_FOUR_BAR_H
#define ELVER_TESTS_FOUR_BAR_H

#include <math.h>

typedef struct {
    double x, y;
} Vec2;

static inline Vec2 vec2_direction(double angle) {
    return (Vec2){cos(angle), sin(angle)};
}

static inline Vec2 vec2_sum(double s, Vec2 a, double t, Vec2 b) {
    return (Vec2){s * a.x + t * b.x, s * a.y + t * b.y};
}

static inline double vec2_dot(Vec2 a, Vec2 b) {
    return a.x * b.x + a.y * b.y;
}

static inline double vec2_cross(Vec2 a, Vec2 b) {
    return a.x * b.y - a.y * b.x;
}

/// A link: its mass, its centre in its own axes from its first pin on, its inertia about the centre.
typedef struct {
    double mass;
    Vec2 center;
    double inertia;
} FourBarLink;

typedef struct {
    double a, b, c, d; // crank, coupler, rocker, ground, m
    double gravity;    // along -y, m/s^2
    FourBarLink link[3];
} FourBar;

/// As in the file.
static inline FourBar four_bar_default(void) {
    FourBar bar = {.a = 0.1, .b = 0.35, .c = 0.25, .d = 0.4, .gravity = 9.81};
    bar.link[0] = (FourBarLink){0.6, {0.03, 0.0}, 1.3e-3};
    bar.link[1] = (FourBarLink){0.8, {0.16, 0.02}, 9.1e-3};
    bar.link[2] = (FourBarLink){0.5, {0.12, 0.0}, 3.1e-3};
    return bar;
}

/// The motion of the links, their angles against the ground, and what it takes.
typedef struct {
    double q[3], v[3], a[3]; // theta, phi, psi
    double torque;           // of the crank by virtual power
    double torque_again;     // by Newton and Euler
    Vec2 pin;                // force of the coupler on the rocker
} FourBarMotion;

/// Angles and their rates from those of the crank; the branch with the pin above the line of sight.
static inline void four_bar_move(const FourBar* bar, FourBarMotion* m) {
    double a = bar->a;
    double b = bar->b;
    double c = bar->c;
    double theta = m->q[0];
    // |(X, Y) + c e(psi)| = b, with u = tan(psi/2): (K - 2cX) u^2 + 4cY u + (K + 2cX) = 0
    double X = bar->d - a * cos(theta);
    double Y = -a * sin(theta);
    double K = X * X + Y * Y + c * c - b * b;
    double root = sqrt(4.0 * c * c * (X * X + Y * Y) - K * K);
    double psi = 2.0 * atan2(-2.0 * c * Y - root, K - 2.0 * c * X);
    double phi = atan2(Y + c * sin(psi), X + c * cos(psi));
    // a theta' n(theta) + b phi' n(phi) = c psi' n(psi), along e(psi) and along e(phi)
    double w = m->v[0];
    double phi_d = -a * w * sin(psi - theta) / (b * sin(psi - phi));
    double psi_d = a * w * sin(phi - theta) / (c * sin(phi - psi));
    // and its derivative
    double phi_dd = (-c * psi_d * psi_d - a * m->a[0] * sin(psi - theta) +
                     a * w * w * cos(psi - theta) + b * phi_d * phi_d * cos(psi - phi)) /
                    (b * sin(psi - phi));
    double psi_dd = (a * m->a[0] * sin(phi - theta) - a * w * w * cos(phi - theta) -
                     b * phi_d * phi_d + c * psi_d * psi_d * cos(phi - psi)) /
                    (c * sin(phi - psi));
    m->q[1] = phi;
    m->q[2] = psi;
    m->v[1] = phi_d;
    m->v[2] = psi_d;
    m->a[1] = phi_dd;
    m->a[2] = psi_dd;
}

// vector of fixed length on a link, its derivative per unit rate, and its second time derivative
typedef struct {
    Vec2 r, along, dd;
} FourBarArm;

static inline FourBarArm four_bar_arm(Vec2 own, double q, double v, double a) {
    Vec2 e = vec2_direction(q);
    Vec2 n = {-e.y, e.x};
    FourBarArm arm;
    arm.r = vec2_sum(own.x, e, own.y, n);
    arm.along = (Vec2){-arm.r.y, arm.r.x};
    arm.dd = vec2_sum(a, arm.along, -v * v, arm.r);
    return arm;
}

/// Torque and force of the pin at the motion in m.
static inline void four_bar_efforts(const FourBar* bar, FourBarMotion* m) {
    Vec2 up = {0.0, bar->gravity};
    FourBarArm center[3];
    for (int i = 0; i < 3; i++) {
        center[i] = four_bar_arm(bar->link[i].center, m->q[i], m->v[i], m->a[i]);
    }
    FourBarArm crank = four_bar_arm((Vec2){bar->a, 0.0}, m->q[0], m->v[0], m->a[0]);
    // virtual power: rates of the links per rate of the crank
    double k[3] = {1.0, -bar->a * sin(m->q[2] - m->q[0]) / (bar->b * sin(m->q[2] - m->q[1])),
                   bar->a * sin(m->q[1] - m->q[0]) / (bar->c * sin(m->q[1] - m->q[2]))};
    m->torque = 0.0;
    Vec2 push[3]; // mass times (acceleration - gravity)
    for (int i = 0; i < 3; i++) {
        Vec2 zero = {0.0, 0.0};
        Vec2 acceleration = vec2_sum(1.0, center[i].dd, i == 1 ? 1.0 : 0.0, crank.dd);
        Vec2 virtual_velocity = vec2_sum(k[i], center[i].along, 1.0, i == 1 ? crank.along : zero);
        push[i] = vec2_sum(bar->link[i].mass, acceleration, bar->link[i].mass, up);
        m->torque += vec2_dot(push[i], virtual_velocity) + bar->link[i].inertia * m->a[i] * k[i];
    }
    // moments of the rocker about the ground and of the coupler about the crank's pin give the pin's force
    double of_rocker = bar->link[2].inertia * m->a[2] + vec2_cross(center[2].r, push[2]);
    double of_coupler = -bar->link[1].inertia * m->a[1] - vec2_cross(center[1].r, push[1]);
    Vec2 rocker = vec2_direction(m->q[2]);
    Vec2 coupler = vec2_direction(m->q[1]);
    double det = vec2_cross(rocker, coupler);
    double along = of_rocker / bar->c;
    double across = of_coupler / bar->b;
    // rocker x F = along, coupler x F = across
    m->pin = vec2_sum(-across / det, rocker, along / det, coupler);
    // the crank carries its own and what the coupler needs
    Vec2 on_coupler = vec2_sum(1.0, push[1], 1.0, m->pin);
    m->torque_again = bar->link[0].inertia * m->a[0] + vec2_cross(center[0].r, push[0]) +
                      vec2_cross(crank.r, on_coupler);
}

/// All of it for an angle of the crank and its rates.
static inline FourBarMotion four_bar_at(const FourBar* bar, double theta, double rate, double dd) {
    FourBarMotion m = {{theta}, {rate}, {dd}, 0.0, 0.0, {0.0, 0.0}};
    four_bar_move(bar, &m);
    four_bar_efforts(bar, &m);
    return m;
}

#endif
