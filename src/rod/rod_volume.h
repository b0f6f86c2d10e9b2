// SPDX-License-Identifier: Apache-2.0
// Rods whose sections keep their volume: where the stretch is Gamma, Gamma_o at rest, the area is A_o Gamma_o / Gamma
// [ALI (6.3)]. Mass per unit X stays rho A_o (what flows out sideways flows nowhere else), the second moments of area
// go with the square of the area, and per unit X
//     rho J = rho J_o Gamma_o / Gamma,   T = 1/2 Omega^T rho J Omega + 1/2 rho A_o V^2.
// From this kinetic energy, beside M eta_dot - ad_eta^T M eta,
//     a moment (rho J)_dot Omega = -(Gamma_dot / Gamma) rho J Omega
//     an effort -dT/dGamma = 1/2 Omega^T rho J Omega / Gamma on the stretch,
// so that the power of both, T_J Gamma_dot (1 - 2) / Gamma, is that of the change of rho J. Stiffness stays.
#ifndef ELVER_ROD_ROD_VOLUME_H
#define ELVER_ROD_ROD_VOLUME_H

#include "rod/rod.h"

/// What the stretch does to the sections at the nodes, from the last forward sweep.
typedef struct ElvRodVolume {
    ElvInertia* inertia; // per metre, section frame                        (n_node)
    ElvInertia* rate;    // its time derivative                             (n_node)
    double* pressure;    // effort on the stretch at each node, N           (n_node)
} ElvRodVolume;

/// Inertia per metre at the nodes, section frame (n_node).
static inline const ElvInertia* elv_rod_inertia(const ElvRod* rod, const ElvRodWork* work) {
    return rod->keeps_volume ? work->volume->inertia : rod->inertia;
}

/// Whether all that the stretch is made of is imposed.
bool elv_rod_volume_is_imposed(const ElvRod* rod);

/// Workspace; NULL where sections do not keep their volume.
ElvRodVolume* elv_rod_volume_layout(const ElvRod* rod, ElvArena* arena);

/// After the forward sweep: inertias and their rates.
void elv_rod_volume_set(const ElvRod* rod, ElvRodWork* work, const ElvJointInput* in);

/// Add the moments to work->f.
void elv_rod_volume_moments(const ElvRod* rod, const ElvRodWork* work);

/// Add the efforts on the stretch to tau (n_v).
void elv_rod_volume_efforts(const ElvRod* rod, const ElvRodWork* work, double* tau);

/// Add the variation of the moments to work->K; the stretch held.
void elv_rod_volume_variations(const ElvRod* rod, const ElvRodWork* work);

#endif
