// SPDX-License-Identifier: Apache-2.0
// Robots with one slider, "ring", on the rod "rail": a bead on a rod of the ground; the tip of another rod on
// the rod of a floating body; a rod through an eyelet of its own tip.
#ifndef ELVER_TESTS_SLIDER_CASE_H
#define ELVER_TESTS_SLIDER_CASE_H

#include "border_case.h"

enum { N_SLIDER_ROBOT = 3, N_SLIDER_KIND = 3 };

/// What slides where; the space method, then the last lines of the slider are to be given.
static const char* const slider_robot[N_SLIDER_ROBOT] = {
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - rod: rail\n"
    "    length: 1.2\n"
    "    joint: {revolute: {axis: y, stiffness: 3}}\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4, damping: 1e-2}\n"
    "    strain: {twist: 1, bend_y: 3, bend_z: 2, stretch: 2, shear_y: 1}\n"
    "    nodes: 28\n"
    "    space: %s\n"
    "  - {body: bead, joint: free, mass: 0.3, inertia: [0.01, 0.02, 0.03], center: [0.1, 0, "
    "0.05]}\n"
    "frames:\n"
    "  - {name: hook, on: bead, pose: {xyz: [0.1, 0.2, -0.3], rpy: [0.3, 0.2, 0.1]}}\n"
    "loops:\n"
    "  - {slider: ring, point: hook, rod: rail, %s}\n",
    "gravity: [1, 2, -9.81]\n"
    "tree:\n"
    "  - {body: base, joint: free, mass: 1, inertia: [0.02, 0.03, 0.04]}\n"
    "  - rod: rail\n"
    "    parent: base\n"
    "    pose: {xyz: [0.2, 0.1, 0], rpy: [0.4, -0.3, 0.2]}\n"
    "    length: 0.8\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4, damping: 1e-2}\n"
    "    elements:\n"
    "      - {to: 0.37, strain: {bend_y: 2, bend_z: 1, stretch: 1}, nodes: 14}\n"
    "      - {to: 1, strain: {twist: 2, bend_y: 2}, nodes: 14}\n"
    "    reference: {bend_z: 0.7}\n"
    "    space: %s\n"
    "  - {body: other, joint: free, mass: 1, inertia: [0.02, 0.03, 0.04]}\n"
    "  - rod: finger\n"
    "    parent: other\n"
    "    length: 0.5\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4, damping: 1e-2}\n"
    "    strain: {bend_y: 2, bend_z: 2}\n"
    "  - {body: nail, parent: finger.tip, joint: {spherical: {}}, mass: 0.1, inertia: [1e-3, 1e-3, "
    "1e-3]}\n"
    "loops:\n"
    "  - {slider: ring, point: finger.tip, rod: rail, %s}\n",
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: base, joint: free, mass: 1, inertia: [0.02, 0.03, 0.04]}\n"
    "  - rod: rail\n"
    "    parent: base\n"
    "    length: 1.5\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4, damping: 1e-2}\n"
    "    strain: {twist: 1, bend_y: 3, bend_z: 3}\n"
    "    nodes: 28\n"
    "    space: %s\n"
    "  - {body: end, parent: rail.tip, mass: 0.1, inertia: [1e-3, 1e-3, 1e-3]}\n"
    "loops:\n"
    "  - {slider: ring, point: end, rod: rail, %s}\n"};

/// Passive; with a motor and a damper; driven.
static const char* const slider_kind[N_SLIDER_KIND] = {
    "station: 0.4", "station: 0.4, damping: 0.7, force: \"0.5 + t\"",
    "drive: \"0.5 + 0.2*sin(2*t)\""};

static inline ModelCase slider_open(int robot, int kind, bool is_spectral) {
    return case_open(slider_robot[robot], is_spectral ? "spectral" : "quadrature",
                     slider_kind[kind]);
}

static inline bool slider_is_free(int kind) {
    return kind < 2;
}

#endif
