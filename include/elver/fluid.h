// SPDX-License-Identifier: Apache-2.0
// The fluid around a model, and what of it bodies and rods feel: part of a spec.
//
// Velocities are relative to the current. Forces are quadratic drag and lift, buoyancy, added
// inertia, and for slender bodies the momentum that the flow along them carries past their ends
// (Lighthill). Viscous resistance
// -R eta is a key of its own on bodies and rods.
#ifndef ELVER_FLUID_H
#define ELVER_FLUID_H

#include "elver/law_def.h"
#include "elver/lie.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The current at a point, world axes. gradient.m[i][k] = d velocity_i / d x_k; the acceleration is
/// that of the fluid, its material derivative d velocity / d t + gradient velocity, and rise its
/// derivative by place.
typedef struct {
    ElvVec3 velocity;     // m/s
    ElvMat3 gradient;     // 1/s
    ElvVec3 acceleration; // m/s^2
    ElvMat3 rise;         // 1/s^2
} ElvCurrent;

/// A current in C, at the point x (world axes) at time t. *current is zero at the call: a uniform
/// current needs its velocity, and its acceleration where it changes in time. Called in the middle
/// of steps, from several threads: must depend on nothing but its arguments, not fail, and be
/// smooth. Where derivatives by place are left out, steps need more iterations for the same result.
typedef void (*ElvCurrentCallback)(void* user, double t, ElvVec3 x, ElvCurrent* current);

/// The fluid. Density 0: there is none.
typedef struct {
    double density;              // kg/m^3
    ElvLawDef current[3];        // velocity, world axes, m/s: laws of t, and of the place x, y, z
    ElvCurrentCallback callback; // in their place; NULL: none
    void* user;
    bool has_surface; // above it neither drag, lift, buoyancy nor resistance act
    double surface;   // its height over the origin, against gravity (along z without), m
} ElvFluidDef;

ELV_API ElvFluidDef elv_fluid_def_default(void); // no fluid, still, no surface

/// What a rod feels of it, by coefficients on what its sections give: widths, perimeter, area.
typedef struct {
    bool is_buoyant;        // it displaces its sections
    double drag_normal;     // C_n: -1/2 rho C_n width |u_n| u_n per metre
    double drag_tangential; // C_t: -1/2 rho C_t perimeter |u_t| u_t per metre
    double lift;            // C_l: 1/2 rho C_l width u_t |u_n| per metre, normal to the flow
    double added_mass;      // factor on the added mass of the sections in ideal flow, 1: ideal
    bool is_slender; // elongated body theory: wrenches at its ends                   [OCP (90)]
} ElvRodFluidDef;

/// What a body feels of it, about its centre of mass, in the axes of the body.
typedef struct {
    bool is_buoyant;   // it displaces its volume
    double volume;     // m^3; 0: of its shape
    bool has_center;   // false: it is the centre of mass
    ElvVec3 center;    // where buoyancy and drag act, body axes, m
    ElvVec3 drag_area; // C A by axis: -1/2 rho C A |u| u, m^2
    ElvVec3 drag_spin; // C by axis: -1/2 rho C |Omega| Omega, m^5
    // of fins whose planes are normal to the axes, C_l A with the lift slope C_l, m^2: in total
    // 1/2 rho (L |u| - (u . L u)/|u|) (-u), normal to u, L diagonal
    ElvVec3 lift_area;
    double added_mass; // factor on the added inertia of its shape in ideal flow, 1: ideal
} ElvBodyFluidDef;

#ifdef __cplusplus
}
#endif

#endif
