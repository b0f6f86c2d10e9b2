// SPDX-License-Identifier: Apache-2.0
// A fluid in the strong form. Added inertia is part of that of stations and bodies; here is what
// comes on top: the wrench of the fluid on a section or body by pose and twist, and elongated body
// theory. With Lambda* = Lambda + Phi in place of Lambda the equations of a slender rod are those
// of a rod in a vacuum [OCP (90)]; its tip takes Phi(l) [OCP (91)]. What integrates carries
// Lambda*; what is handed out is Lambda.
#ifndef ELVER_STRONG_STRONG_FLUID_H
#define ELVER_STRONG_STRONG_FLUID_H

#include "rod/fluid_load.h"
#include "rod/rod.h"

/// What of a section the fluid acts on.
typedef struct {
    bool acts;           // with a wrench by pose and twist
    bool is_slender;     // Phi is carried along
    ElvFluidShape shape; // with the added inertia
} ElvStrongFluid;

/// The fluid at station s of a rod.
ElvStrongFluid elv_strong_fluid(const ElvRod* rod, double s);

/// Wrench on a section, per metre, or body of pose g (world) and twist eta, in its axes;
/// derivatives unless NULL. Without a fluid of the model (now->fluid NULL) that is the resistance
/// alone.
ElvWrench elv_strong_fluid_wrench(const ElvFluidShape* shape,
                                  const ElvFluidNow* now,
                                  const ElvPose* g,
                                  ElvTwist eta,
                                  ElvMat6* by_pose,
                                  ElvMat6* by_eta);

/// Phi of a section, zero where the rod is not slender.
ElvWrench elv_strong_flux(const ElvStrongFluid* fluid,
                          const ElvFluidNow* now,
                          const ElvPose* g,
                          ElvTwist eta);

/// Its shares of energies and power: the potential of buoyancy, and what a section gives to the
/// fluid.
void elv_strong_fluid_measure(const ElvStrongFluid* fluid,
                              const ElvFluidNow* now,
                              const ElvPose* g,
                              ElvTwist eta,
                              ElvTwist xi_dot,
                              double weight,
                              ElvMeasure* sum);

/// by_pose d_zeta + by_eta d_eta.
ElvWrench elv_strong_fluid_vary(const ElvMat6* by_pose,
                                const ElvMat6* by_eta,
                                ElvTwist d_zeta,
                                ElvTwist d_eta);

#endif
