// SPDX-License-Identifier: Apache-2.0
// Elongated body theory written out again, for tests: a rod with elliptic sections of linear
// widths, its motion integrated along fine equal steps in section axes, and the wrench of the fluid
// per metre with the derivative of Phi by hand.
#ifndef ELVER_TESTS_LIGHTHILL_CASE_H
#define ELVER_TESTS_LIGHTHILL_CASE_H

#include "rod/rod.h"
#include "step_case.h"

static const double PI = 3.14159265358979323846;
static const double RHO = 1000.0;

/// Full widths along y and z at s = 0, and what they change by up to s = 1.
typedef struct {
    double y, dy, z, dz;
} Widths;

enum { CASE_STEP = 1200, CASE_V = 24 };

/// A section on the way: motion, and the twists per unit of each velocity.
typedef struct {
    ElvPose g;
    ElvTwist eta, eta_dot;
    ElvTwist J[CASE_V];
} CaseSection;

/// diag(J, 0, 0, 0, m_y, m_z) of the added inertia and its derivative by s.
typedef struct {
    double m[6], ds[6];
} Added;

static inline Added added_of(const Widths* w, double s) {
    double y = w->y + w->dy * s, z = w->z + w->dz * s;
    double c = 0.25 * (y * y - z * z), dc = 0.5 * (y * w->dy - z * w->dz);
    Added a = {
        {RHO * PI / 8.0 * c * c, 0.0, 0.0, 0.0, RHO * PI / 4.0 * z * z, RHO * PI / 4.0 * y * y},
        {RHO * PI / 4.0 * c * dc, 0.0, 0.0, 0.0, RHO * PI / 2.0 * z * w->dz,
         RHO * PI / 2.0 * y * w->dy}};
    return a;
}

static inline ElvWrench apply_diagonal(const double m[6], ElvTwist v) {
    return elv_wrench(elv_vec3(m[0] * v.ang.x, m[1] * v.ang.y, m[2] * v.ang.z),
                      elv_vec3(m[3] * v.lin.x, m[4] * v.lin.y, m[5] * v.lin.z));
}

/// Phi = V_1 M_a eta - (0; T_f E_1).
static inline ElvWrench flux_of(const Added* a, ElvTwist eta) {
    ElvWrench P = apply_diagonal(a->m, eta);
    ElvWrench flux = elv_wrench_scale(eta.lin.x, P);
    flux.frc.x -= 0.5 * elv_power(eta, P);
    return flux;
}

/// -(M_a eta_dot - ad_eta^T M_a eta) + Phi' - ad_xi^T Phi, with eta' = xi_dot - ad_xi eta and the
/// length of the rod.
static inline ElvWrench fluid_density(
    const Added* a, double length, ElvTwist xi, ElvTwist xi_dot, ElvTwist eta, ElvTwist eta_dot) {
    ElvTwist slope = elv_twist_sub(xi_dot, elv_twist_bracket(xi, eta));
    ElvWrench P = apply_diagonal(a->m, eta);
    ElvWrench P_ds = elv_wrench_add_scaled(apply_diagonal(a->m, slope), 1.0 / length,
                                           apply_diagonal(a->ds, eta));
    ElvWrench F =
        elv_wrench_add(elv_wrench_scale(slope.lin.x, P), elv_wrench_scale(eta.lin.x, P_ds));
    F.frc.x -= 0.5 * (elv_power(slope, P) + elv_power(eta, P_ds));
    F = elv_wrench_sub(F, elv_twist_coad(xi, flux_of(a, eta)));
    F = elv_wrench_sub(F, apply_diagonal(a->m, eta_dot));
    return elv_wrench_add(F, elv_twist_coad(eta, P));
}

/// Strain, rate and acceleration of a rod at s, and the strain of each of its columns.
typedef struct {
    ElvTwist xi, xi_dot, xi_ddot, column[CASE_V];
} CaseStrain;

static inline CaseStrain
strain_of(const ElvRod* rod, const double* q, const double* v, const double* a, double s) {
    CaseStrain strain;
    strain.xi = elv_rod_strain_at(rod, q, s);
    strain.xi_dot = elv_rod_strain_rate_at(rod, v, s);
    strain.xi_ddot = elv_rod_strain_rate_at(rod, a, s);
    for (int k = 0; k < rod->joint.n_v; k++) {
        double unit[CASE_V] = {0.0};
        unit[k] = 1.0;
        strain.column[k] = elv_rod_strain_rate_at(rod, unit, s);
    }
    return strain;
}

// rates by X; the pose moves with xi itself
static inline void
section_rates(const CaseStrain* at, int n_root, int n_v, const CaseSection* y, CaseSection* rate) {
    rate->eta = elv_twist_sub(at->xi_dot, elv_twist_bracket(at->xi, y->eta));
    rate->eta_dot = elv_twist_sub(at->xi_ddot, elv_twist_bracket(at->xi, y->eta_dot));
    rate->eta_dot = elv_twist_sub(rate->eta_dot, elv_twist_bracket(at->xi_dot, y->eta));
    for (int k = 0; k < n_v; k++) {
        ElvTwist own = k < n_root ? elv_twist_zero() : at->column[k - n_root];
        rate->J[k] = elv_twist_sub(own, elv_twist_bracket(at->xi, y->J[k]));
    }
}

static inline CaseSection moved(const CaseSection* y, double h, const CaseSection* rate, int n_v) {
    CaseSection next = *y;
    next.eta = elv_twist_add_scaled(y->eta, h, rate->eta);
    next.eta_dot = elv_twist_add_scaled(y->eta_dot, h, rate->eta_dot);
    for (int k = 0; k < n_v; k++) {
        next.J[k] = elv_twist_add_scaled(y->J[k], h, rate->J[k]);
    }
    return next;
}

/// Sections at s = i/CASE_STEP of a rod whose root moves by y[0], by Runge and Kutta's method.
static inline void integrate_sections(const ElvRod* rod,
                                      const double* q,
                                      const double* v,
                                      const double* a,
                                      int n_root,
                                      CaseSection* y) {
    int n_v = n_root + rod->joint.n_v;
    double h = rod->length / CASE_STEP;
    for (int i = 0; i < CASE_STEP; i++) {
        double s = (double)i / CASE_STEP, half = 0.5 / CASE_STEP;
        CaseStrain at[3] = {strain_of(rod, q, v, a, s), strain_of(rod, q, v, a, s + half),
                            strain_of(rod, q, v, a, s + 2.0 * half)};
        CaseSection k[4];
        section_rates(&at[0], n_root, n_v, &y[i], &k[0]);
        CaseSection trial = moved(&y[i], 0.5 * h, &k[0], n_v);
        section_rates(&at[1], n_root, n_v, &trial, &k[1]);
        trial = moved(&y[i], 0.5 * h, &k[1], n_v);
        section_rates(&at[1], n_root, n_v, &trial, &k[2]);
        trial = moved(&y[i], h, &k[2], n_v);
        section_rates(&at[2], n_root, n_v, &trial, &k[3]);
        CaseSection next = y[i];
        static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        for (int m = 0; m < 4; m++) {
            next = moved(&next, h * weight[m], &k[m], n_v);
        }
        // fourth order: two exponentials at Gauss' points
        ElvTwist one = elv_rod_strain_at(rod, q, s + half * (1.0 - 1.0 / sqrt(3.0)));
        ElvTwist two = elv_rod_strain_at(rod, q, s + half * (1.0 + 1.0 / sqrt(3.0)));
        ElvTwist turn = elv_twist_scale(0.5 * h, elv_twist_add(one, two));
        turn = elv_twist_add_scaled(turn, -h * h * sqrt(3.0) / 12.0, elv_twist_bracket(two, one));
        next.g = elv_pose_compose(y[i].g, elv_se3_exp(turn));
        y[i + 1] = next;
    }
}

/// Weight of Simpson's rule from step `from` to the last, which are an even number apart, m.
static inline double simpson(int from, int i, double length) {
    double h = length / CASE_STEP / 3.0;
    return i == from || i == CASE_STEP ? h : (i - from) % 2 == 1 ? 4.0 * h : 2.0 * h;
}

#endif
