// SPDX-License-Identifier: Apache-2.0
// Elongated body theory along a rod: Phi of the sections as a stress.
//
// The fluid gives a slender rod the wrench -(M_a eta_dot - ad_eta^T M_a eta) + Phi' - ad_xi^T Phi
// per metre. Against a virtual motion d_zeta, with d_xi = d_zeta' + ad_xi d_zeta, the part of Phi
// does the work
//     [ d_zeta^T Phi ]  -  integral of d_xi^T Phi dX:
// wrenches at its ends, which ports take (multibody/slender.c), and here what it does to free
// strains. The backward sweep thereby carries Lambda* = Lambda + Phi.               [OCP (90)-(91)]
#ifndef ELVER_ROD_ROD_FLUX_H
#define ELVER_ROD_ROD_FLUX_H

#include "rod/rod.h"

/// Whether Phi has a part along a strain: bending meets none of ellipses, and some of added inertia
/// about y or z.
bool elv_rod_meets_flux(const ElvRod* rod, int strain);

/// Set work->flux at all nodes of a slender rod, after forward, and add integral of Phi^T of its
/// strains to tau (n_v).
void elv_rod_flux(const ElvRod* rod, ElvRodWork* work, const ElvJointInput* in, double* tau);

/// Add the variation of that integral to Qq and, unless is_grounded, to Qx. work->X holds n_row
/// rows of x.
void elv_rod_flux_variation(const ElvRod* rod,
                            const ElvRodWork* work,
                            const ElvJointInput* in,
                            const ElvUnknown* unknown,
                            int n_row,
                            bool is_grounded,
                            ElvJointTangent* tangent);

/// Phi at any station, section axes, from the nodes of its segment; zero where the rod is not
/// slender.
ElvWrench elv_rod_flux_at(const ElvRod* rod, const ElvRodWork* work, double s);

#endif
