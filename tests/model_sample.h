// SPDX-License-Identifier: Apache-2.0
// Model files for the tests of the reader and the writer: together they use every key of the format.
#ifndef ELVER_TESTS_MODEL_SAMPLE_H
#define ELVER_TESTS_MODEL_SAMPLE_H

/// The short example of docs/model-format.md, with line numbers that tests rely on.
static const char* const sample_arm =
    "elver: 1\n"                                                     // 1
    "name: tendon arm\n"                                             // 2
    "gravity: [0, 0, -9.81]\n"                                       // 3
    "parameters: {R: 0.01, E: 1e6}\n"                                // 4
    "materials:\n"                                                   // 5
    "  silicone: {density: 1000, young: E, poisson: 0.45}\n"         // 6
    "tree:\n"                                                        // 7
    "  - rod: arm\n"                                                 // 8
    "    length: 0.4\n"                                              // 9
    "    section: {circle: {diameter: \"2*R*(1 - 0.5*s)\"}}\n"       // 10
    "    material: silicone\n"                                       // 11
    "    strain: {kirchhoff: 3, twist: 1}\n"                         // 12
    "  - body: gripper\n"                                            // 13
    "    parent: arm.tip\n"                                          // 14
    "    joint: {revolute: {axis: y, damping: 0.01}}\n"              // 15
    "    mass: 0.1\n"                                                // 16
    "    inertia: [1e-5, 1e-5, 1e-5]\n"                              // 17
    "loads:\n"                                                       // 18
    "  - {force: [0, 0, \"-5*t\"], at: arm.at(0.5), while: t < 1}\n" // 19
    "simulate: {method: explicit, duration: 2, rel_tol: 1e-6}\n"     // 20
    "record: {every: 0.02, signals: [arm.tip.position, energy]}\n";  // 21

/// Every joint type with every key, bodies with every shape, frames.
static const char* const sample_joints =
    "elver: 1\n"
    "name: \"joints: all \\\"types\\\"\"\n"
    "description: Bodies on every joint.\n"
    "gravity: [0.1, -0.2, -9.81]\n"
    "parameters:\n"
    "  L: 0.3\n"
    "  M: 2*L\n"
    "tree:\n"
    "  - body: base\n"
    "    pose: {xyz: [0.1, L, 0.3], rpy: [0.1, -0.2, 0.3]}\n"
    "    joint: fixed\n"
    "    mass: M\n"
    "    center: [0.01, 0, 0.02]\n"
    "    inertia: [[2e-3, 1e-4, 0], [1e-4, 3e-3, -2e-4], [0, -2e-4, 4e-3]]\n"
    "  - body: turn\n"
    "    parent: base\n"
    "    joint: {revolute: {axis: [1, 0, 1], damping: 0.1, stiffness: 5, rest: 0.2,\n"
    "                       rotor_inertia: 1e-3, force: \"sin(2*pi*t)\", position: 0.4,\n"
    "                       velocity: -0.5}}\n"
    "    body_pose: {xyz: [0.1, 0, 0], quaternion: [0.9, 0.1, -0.2, 0.3]}\n"
    "    shape: {box: {size: [0.1, 0.2, 0.3]}, pose: {xyz: [0, 0, 0.05], rpy: [0, 0.3, 0]}}\n"
    "    density: 1200\n"
    "  - body: slide\n"
    "    parent: turn\n"
    "    joint: {prismatic: {axis: -x, motion: {table: {t: [0, 1, 3], values: [0, 0.1, 0.05],\n"
    "                                                   interpolation: cubic}}}}\n"
    "    shape: {cylinder: {radius: 0.02, length: 0.1}}\n"
    "    mass: 0.3\n"
    "  - body: screw\n"
    "    parent: base\n"
    "    joint: {helical: {axis: y, pitch: 0.01, velocity: 1}}\n"
    "    shape: {capsule: {radius: 0.02, length: 0.1}}\n"
    "    density: 800\n"
    "  - body: can\n"
    "    parent: base\n"
    "    joint: {cylindrical: {axis: x, damping: 0.2, stiffness: [1, 2], rest: [0.1, 0.2],\n"
    "                          position: [0.3, 0.4], velocity: [0.5, 0.6]}}\n"
    "    shape: {sphere: {radius: 0.1}}\n"
    "    mass: 1\n"
    "  - body: cross\n"
    "    parent: base\n"
    "    joint: {universal: {axis: x, axis2: [0, 1, 0.1], motion: [\"0.1*t\", \"M*t^2\"]}}\n"
    "    shape: {ellipsoid: {radii: [0.1, 0.2, 0.3]}}\n"
    "    mass: 1\n"
    "    inertia: [0.03, 0.02, 0.025, 0.001, 0.002, -0.001]\n"
    "  - body: puck\n"
    "    joint: {planar: {axis: z, force: [0, 1, {table: {t: [0, 1], values: [0, 2],\n"
    "                                                     interpolation: step}}],\n"
    "                     position: [0.1, 0.2, 0.3], velocity: [1, 2, 3]}}\n"
    "    mass: 1\n"
    "    inertia: [0.1, 0.1, 0.1]\n"
    "  - body: ball\n"
    "    parent: puck\n"
    "    joint: {spherical: {damping: 0.1, stiffness: [1, 2, 3], rotor_inertia: 0.01,\n"
    "                        position: {rpy: [0.1, 0.2, 0.3]}, velocity: [1, 2, 3],\n"
    "                        force: [\"t\", 0, 1]}}\n"
    "    mass: 1\n"
    "    inertia: [0.1, 0.1, 0.1]\n"
    "  - body: rider\n"
    "    parent: grip\n"
    "    joint: {spherical: {motion: {rpy: [0, \"sin(t)\", 0]}}}\n"
    "    mass: 1\n"
    "  - body: ship\n"
    "    joint: {free: {damping: [0, 0, 0, 1, 1, 1], position: {xyz: [1, 2, 3]},\n"
    "                   velocity: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}}\n"
    "    mass: 1\n"
    "    inertia: [0.1, 0.1, 0.1]\n"
    "  - body: drone\n"
    "    joint: {free: {motion: {xyz: [\"t\", \"t^2\", 0]}}}\n"
    "    mass: 1\n"
    "  - body: plain\n"
    "    joint: free\n"
    "    mass: 1\n"
    "    inertia: [0.1, 0.1, 0.1]\n"
    "frames:\n"
    "  - {name: grip, on: puck, pose: {xyz: [0, 0, 0.1], quaternion: [0, 1, 0, 0]}}\n"
    "  - {name: eye, on: grip}\n"
    "loads:\n"
    "  - {wrench: [1, 2, 3, \"t\", 0, 0], at: eye, frame: local, while: \"t > 0.5\"}\n"
    "  - {torque: [0, 0, 1], force: [\"M\", 0, 0], at: ship}\n"
    "simulate: {method: explicit, duration: 0.5, step: 0.01, rel_tol: 1e-7, abs_tol: 1e-9,\n"
    "           order: 4, max_steps: 1000}\n"
    "record: {every: 0.1, signals: [energy.total, eye.position, turn.q]}\n";

/// Rods with every kind of section, material, matrix, basis and load.
static const char* const sample_rods =
    "elver: 1\n"
    "name: rods\n"
    "parameters: {D: 0.02}\n"
    "materials:\n"
    "  steel: {density: 7800, young: 2e11, shear: 8e10, damping: 1e-4}\n"
    "  rubber: {density: 1000, young: 1e6, poisson: 0.5, damping: [1, 2, 3, 4, 5, 6]}\n"
    "tree:\n"
    "  - rod: plain\n"
    "    pose: {rpy: [0, \"pi/2\", 0]}\n"
    "    joint: {revolute: {axis: z, damping: 0.1}}\n"
    "    length: 1\n"
    "    section: {circle: {radius: D}}\n"
    "    material: steel\n"
    "  - rod: tube\n"
    "    parent: plain.tip\n"
    "    length: 0.5\n"
    "    section: {tube: {outer: \"D*(1 - 0.2*s)\", inner: 0.01}, torsion: 1e-8, shear_factor: "
    "0.9}\n"
    "    material: rubber\n"
    "    strain: {reissner: 2}\n"
    "    basis: {bend_y: monomial, bend_z: chebyshev, twist: piecewise_linear}\n"
    "    nodes: 12\n"
    "    reference: {bend_y: \"0.1*s\", stretch: 1.01}\n"
    "    initial: {bend_z: 0.2, twist: 0}\n"
    "    initial_rate: {bend_z: \"s\"}\n"
    "  - rod: oval\n"
    "    parent: tube.at(0.5)\n"
    "    length: 0.5\n"
    "    section: {ellipse: {y: 0.02, z: 0.03, hole: {y: 0.01, z: 0.015}}}\n"
    "    material: {density: 900, young: 1e7, poisson: 0.3, damping: {bend_y: 0.1, twist: 0.2}}\n"
    "    strain: {extensible_kirchhoff: 2}\n"
    "    basis: {bend_y: {table: {s: [0, 0.5, 1], modes: [[1, 1, 1], [0, 1, 0]]}}}\n"
    "  - rod: bar\n"
    "    length: 2\n"
    "    section: {rectangle: {y: {table: {s: [0, 1], values: [0.03, 0.01]}}, z: 0.02}}\n"
    "    material: steel\n"
    "    elements:\n"
    "      - {to: 0.25, strain: {planar: 3}, nodes: 8}\n"
    "      - {to: 0.5, strain: {bend_y: 4, twist: 2}, basis: {bend_y: hermite}}\n"
    "      - {strain: {bend_y: 2}, basis: {table: {s: [0, 1], modes: [[1, 0], [0, 1]]}}}\n"
    "  - rod: given\n"
    "    parent: bar.root\n"
    "    joint: spherical\n"
    "    length: 0.5\n"
    "    section: {explicit: {area: 1e-4, inertia_y: 1e-9, inertia_z: 2e-9}}\n"
    "    material: {density: 1000, young: 1e9, poisson: 0.2}\n"
    "    strain: {kirchhoff: 3, bend_y: 2}\n"
    "    basis: piecewise_constant\n"
    "  - rod: matrix\n"
    "    length: 1\n"
    "    stiffness: [1, 2, 3, \"4 + s\", 5, 6]\n"
    "    inertia:\n"
    "      - [2e-3, 0, 0, 0, 0, 0]\n"
    "      - [0, 1e-3, 0, 0, 0, 0]\n"
    "      - [0, 0, 1e-3, 0, 0, 0]\n"
    "      - [0, 0, 0, 1, 0, 0]\n"
    "      - [0, 0, 0, 0, 1, 0]\n"
    "      - [0, 0, 0, 0, 0, 1]\n"
    "    damping: [0, 0, 0.1, 0, 0, 0]\n"
    "    strain: {planar: 2}\n"
    "loads:\n"
    "  - {distributed: [0, 0, 0, \"s*t\", 1, 0], rod: bar, from: 0.25, to: 0.75, while: t < 2}\n"
    "  - {force: [0, 0, -1], rod: tube, frame: local}\n"
    "actuators:\n"
    "  - {stress: {bend_y: \"0.1*t\", stretch: \"s\"}, rod: tube, from: 0.1}\n"
    "  - {stress: [0, 0, 1, 0, 0, 0], rod: matrix, while: \"t < 1\"}\n"
    "record: {signals: [tube.tip.position, bar.strain(0.5)]}\n";

#endif
