// SPDX-License-Identifier: Apache-2.0
// What acts along a rod: distributed wrenches, stress fields, fibres (tendons, chambers, muscles),
// strain controllers and stress laws, each between two stations. Laws are compiled and borrowed.
#ifndef ELVER_ROD_ROD_FIELDS_H
#define ELVER_ROD_ROD_FIELDS_H

#include "elver/law.h"
#include "elver/spec.h"

/// A field along part of a rod: distributed wrench, or actuation stress.
typedef struct {
    double from, to;
    ElvAxes axes;
    const ElvLaw* law[6];
    const ElvLaw* when;
} ElvRodField;

/// A fibre at place (0, y, z) of the sections. Its tension (pull > 0) at station s is
///     sign profile(s) activation(t, s) u e^(-friction theta(s))
/// where u is the input of its channel and theta the angle by which it has turned since it entered the
/// rod.
typedef struct {
    double from, to;          // stations, from < to
    const ElvLaw *y, *z;      // m, laws of s
    const ElvLaw* profile;    // law of s: area of a chamber, force of a muscle; NULL: 1
    const ElvLaw* activation; // law of t and s, of a muscle; NULL: 1
    double sign;              // 1 pulls, -1 pushes
    double friction;          // Capstan coefficient
    int channel;              // of the joint, each used once
    bool is_reversed;         // the path enters at `to` and runs towards the root
    bool neglects_strain;     // directions from the strain at rest; friction sees the strain
    bool measures_length;     // the channel's value leaves out the profile
} ElvRodFibre;

/// Strain controller, by strain component.                                              [OCP (92)]
typedef struct {
    double from, to;
    const ElvLaw* kp[ELV_N_STRAIN];     // laws of s
    const ElvLaw* kd[ELV_N_STRAIN];     // laws of s
    const ElvLaw* target[ELV_N_STRAIN]; // laws of t and s; NULL: the strain at rest
} ElvRodControl;

/// A stress law in C.
typedef struct {
    double from, to;
    ElvStressCallback callback;
    void* user;
} ElvRodLaw;

/// All of them, for elv_rod_build.
typedef struct {
    const ElvRodField* distributed;
    int n_distributed;
    const ElvRodField* stress;
    int n_stress;
    const ElvRodFibre* fibre;
    int n_fibre;
    const ElvRodControl* control;
    int n_control;
    const ElvRodLaw* law;
    int n_law;
    const struct ElvFluid* fluid; // NULL: none
    double t_from, t_to;          // times over which imposed strains are to be resolved
} ElvRodFields;

#endif
