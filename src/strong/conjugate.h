// SPDX-License-Identifier: Apache-2.0
// Inside of conjugate points: how variations of an equilibrium pass a span of a rod, and how many ways to buckle a
// span adds to what lies beyond it.
//
// A Lagrangian plane of variations (zeta, d_lam), six columns, comes from the tip. It tells how the outer part
// answers, d_lam = S zeta. In units of the chain and with the half of ad_zeta^T Lambda taken away, S is symmetric
// where the loads have a potential.
#ifndef ELVER_STRONG_CONJUGATE_H
#define ELVER_STRONG_CONJUGATE_H

#include "elver/strong_inverse.h"
#include "strong/ivp.h"

/// Columns of variations: rows 0 ... 5 zeta, rows 6 ... 11 d_lam, both in units.
typedef struct {
    double x[12][6];
} ElvConjugatePlane;

/// A span from a station of a step to what stands at its end.
typedef struct {
    double T[12][12]; // variations at its end per variation at its start, in units
    ElvWrench lam;    // internal wrench at its end, in units
    ElvWrench first;  // the same at its start, as given
} ElvConjugateSpan;

typedef struct {
    const ElvChain* chain;
    const ElvEquilibrium* equilibrium;
    double load; // factor on gravity, loads and inputs
    ElvShotGrid grid;
    ElvPool pool;
    double length, moment; // units
    double size;           // largest internal wrench, in units
    // a span that begins within a step
    ElvShotNode node[ELV_RK8_NODE];
    ElvFibreNode* fibre[ELV_RK8_NODE];
    double* tension[ELV_RK8_NODE];
    double asymmetry; // largest of S so far, beside its size
} ElvConjugateWork;

/// elv_conjugate_points of a chain whose loads have a factor.
ELV_NODISCARD ElvStatus elv_conjugate_find(const ElvChain* chain,
                                           const ElvEquilibrium* equilibrium,
                                           double load,
                                           int steps,
                                           ElvConjugateReport* report,
                                           ElvError* error);

/// The span from station s of a step.
ELV_NODISCARD ElvStatus elv_conjugate_span(
    ElvConjugateWork* work, int i_step, double s, ElvConjugateSpan* span, ElvError* error);

/// Ways in which the part beyond the start of a span, clamped there, buckles, less those of the part beyond its end,
/// whose plane is given: eigenvalues of 1 - L^T S L below zero, with the flexibility L L^T of the span. smallest:
/// eigenvalue next to zero. Returns -1 where the span itself would buckle between clamps: it is too long.
int elv_conjugate_count(ElvConjugateWork* work,
                        const ElvConjugateSpan* span,
                        const ElvConjugatePlane* plane,
                        double* smallest);

/// The plane at the start of a span.
ELV_NODISCARD bool elv_conjugate_carry(const ElvConjugateSpan* span, ElvConjugatePlane* plane);

/// S of a plane in units, as it is: d_lam = S zeta.
void elv_conjugate_answer(const ElvConjugatePlane* plane, double S[6][6]);

#endif
