// SPDX-License-Identifier: Apache-2.0
// Chains of rods and bodies as model text, for tests of the strong form.
#ifndef ELVER_TESTS_CHAIN_CASE_H
#define ELVER_TESTS_CHAIN_CASE_H

// two rods with bodies at tips and between, loads on all of them; the joint of the base is open
#define CHAIN_JOINT                                                                                \
    "gravity: [1, 2, -9.81]\n"                                                                     \
    "tree:\n"                                                                                      \
    "  - {body: base, pose: {xyz: [0.1, 0.2, 0.3], rpy: [0.4, 0, 0.2]}, joint: %s, mass: 2,\n"     \
    "     center: [0.1, 0, 0], inertia: [0.1, 0.2, 0.3], body_pose: {xyz: [0, 0.1, 0], rpy: "      \
    "[0.3, 0, 0]}}\n"                                                                              \
    "  - {rod: one, parent: base, pose: {xyz: [0.2, 0, 0], rpy: [0, 0, 1]}, length: 0.5,\n"        \
    "     section: {circle: {diameter: 0.02}}, material: {density: 900, young: 1e6},\n"            \
    "     strain: {reissner: 2}}\n"                                                                \
    "  - {body: ring, parent: one.at(0.4), mass: 0.3, center: [0, 0.02, 0], inertia: [0.01, "      \
    "0.01, 0.02]}\n"                                                                               \
    "  - {body: hub, parent: one.tip, pose: {xyz: [0.05, 0, 0], rpy: [0.5, 0.2, 0]}, mass: "       \
    "0.5,\n"                                                                                       \
    "     inertia: [0.1, 0.1, 0.1]}\n"                                                             \
    "  - {rod: two, parent: hub, pose: {rpy: [0, 0.7, 0]}, length: 0.4,\n"                         \
    "     section: {circle: {diameter: 0.015}}, material: {density: 800, young: 2e6},\n"           \
    "     strain: {kirchhoff: 3}}\n"                                                               \
    "  - {body: hand, parent: two.tip, mass: 0.1, center: [0.03, 0, 0.01], inertia: [0.001, "      \
    "0.002, 0.003]}\n"                                                                             \
    "loads:\n"                                                                                     \
    "  - {force: [1, 2, 3], torque: [0.1, \"t\", 0], at: hand}\n"                                  \
    "  - {force: [1, -2, 0.5], torque: [0.3, 0, 0.2], at: hand, frame: local}\n"                   \
    "  - {force: [0, 0, 2], at: two.at(0.7)}\n"                                                    \
    "  - {force: [0, 1, 0], at: base}\n"

#endif
