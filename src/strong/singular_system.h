// SPDX-License-Identifier: Apache-2.0
// The linear system of the singular problem along one rod, x' = P x + p with x = (eta_dot; Lambda).   [OCP (108)]
#ifndef ELVER_STRONG_SINGULAR_SYSTEM_H
#define ELVER_STRONG_SINGULAR_SYSTEM_H

#include "linalg/chebyshev.h"
#include "strong/riccati.h"

/// What the system is made of at a station, or its derivative by X.
typedef struct {
    double xi[6], xi_dot[6], eta[6];
    double force[6];  // F_bar + ad_eta^T M eta
    double stress[6]; // Lambda of the motion
    ElvMat6 M;
} ElvSingularField;

/// Polynomials through Chebyshev nodes.
typedef struct {
    int n;
    double length;
    ElvSingularField* at[3]; // by derivative  (n each)
} ElvSingularFields;

/// At a station.
typedef struct {
    ElvMat6 P_ss, P_sc, P_cs, P_cc;
    double p_s[6], p_c[6];
    double stress[6]; // Lambda_a
    ElvTwist xi;
    double drift[6]; // ad_(xi_dot) eta
} ElvSingularSystem;

/// Sample the last motion of a chain of one rod. noise: relative error of the stress, alternating.
ELV_NODISCARD ElvStatus elv_singular_fields(ElvRiccati* riccati,
                                            int nodes,
                                            double noise,
                                            ElvPool* pool,
                                            ElvSingularFields* fields,
                                            ElvError* error);

/// The system at station s; false: a free strain has no inertia.
ELV_NODISCARD bool elv_singular_system(const ElvSingularFields* fields,
                                       const ElvStrongPiece* piece,
                                       double s,
                                       ElvSingularSystem* system);

/// y = A x.
void elv_singular_apply(const ElvMat6* A, const double* x, double* y);

#endif
