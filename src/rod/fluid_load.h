// SPDX-License-Identifier: Apache-2.0
// What the fluid does to one section, per metre, or to one body: drag, lift, buoyancy and the part
// of added inertia that a current causes, with exact derivatives. And the wrench that the flow
// along a slender body carries past a section, zeta its twist relative to the current and V_1 that
// along x,
//     Phi = V_1 M_a zeta - (0; T_f E_1),  T_f = 1/2 zeta^T M_a zeta                      [OCP (90)]
// The inertia of the body has its added inertia already: here is what comes on top of M eta_dot -
// ad_eta^T M eta. Everything is in the axes of the section or body, about its origin; eta is its
// twist, angular before linear.
#ifndef ELVER_ROD_FLUID_LOAD_H
#define ELVER_ROD_FLUID_LOAD_H

#include "elver/fluid.h"
#include "law/law_set.h"

/// The fluid, compiled.
typedef struct ElvFluid {
    double density;
    const ElvLaw* current[3];
    bool is_field;               // the current varies in place: by a callback, or laws of x, y, z
    ElvCurrentCallback callback; // NULL: the laws
    void* user;
    bool has_surface;
    ElvVec3 up;     // against gravity, of length 1
    double gravity; // its size, m/s^2
    double surface; // height along up, from the world's origin
} ElvFluid;

/// The fluid at an instant, evaluated once for all sections. load: the factor on gravity and
/// currents while statics steps loads up.
typedef struct ElvFluidNow {
    const ElvFluid* fluid;
    double t;
    double load;
    bool is_static;
    ElvCurrent current; // by the laws, with that factor
    ElvVec3 origin;     // of the poses' frame, in the world
} ElvFluidNow;

/// What of a section or body the fluid acts on. Drag: -1/2 rho of
///     normal[i] |u_n| u_i in y and z, tangential |u_x| u_x, and lift         (sections)
///     area[i] |u| u_i and spin[i] |Omega| Omega_i                            (bodies)
typedef struct ElvFluidShape {
    bool is_section;
    ElvShapeKind hull; // of a body: how the surface cuts it; none: as a sphere of its volume
    double hull_size[3];
    ElvMat3 hull_axes;
    double normal[2], tangential,
        lift;              // m: coefficients times widths seen along y and z, perimeter, mean width
    ElvVec3 area, spin;    // m^2, m^5
    ElvVec3 fin;           // lift of a body by axis, m^2
    double volume;         // m^3, or m^2 of a section; 0: not buoyant
    double radius;         // over which it dips into the surface, m
    double reach;          // half the length of rod that a section stands for at the surface, m
    ElvVec3 center;        // where drag and buoyancy act
    ElvInertia added;      // added inertia, about the origin
    ElvInertia resistance; // viscous: -R (eta - current)
    bool is_resisted;
} ElvFluidShape;

/// The instant t. is_static: t is a load, and the laws have no rates.
ElvFluidNow
elv_fluid_now(const ElvFluid* fluid, double t, double load, bool is_static, ElvVec3 origin);

/// The current at a point of the poses' frame, with the factor on loads.
ElvCurrent elv_fluid_current(const ElvFluidNow* now, ElvVec3 x);

/// The wrench of the fluid. by_pose, by_eta: its derivatives where the pose varies by delta g = g
/// hat(d_zeta) and where eta varies, unless NULL.
ElvWrench elv_fluid_wrench(const ElvFluidShape* shape,
                           const ElvFluidNow* now,
                           const ElvPose* g,
                           ElvTwist eta,
                           ElvMat6* by_pose,
                           ElvMat6* by_eta);

/// Power that a section or body gives to the fluid, W/m or W. Buoyancy, whose potential is counted
/// as energy, is left out; added inertia is part of kinetic energy.
double
elv_fluid_power(const ElvFluidShape* shape, const ElvFluidNow* now, const ElvPose* g, ElvTwist eta);

/// Potential energy of buoyancy, J, or J/m of a section; zero for what is not buoyant.
double elv_fluid_potential(const ElvFluidShape* shape, const ElvFluidNow* now, const ElvPose* g);

/// Phi of a section with added inertia (slender bodies), relative to the current, with the same
/// derivatives.
ElvWrench elv_fluid_flux(const ElvInertia* added,
                         const ElvFluidNow* now,
                         const ElvPose* g,
                         ElvTwist eta,
                         ElvMat6* by_pose,
                         ElvMat6* by_eta);

#endif
