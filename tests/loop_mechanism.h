// SPDX-License-Identifier: Apache-2.0
// A planar mechanism for tests of loops: two elastic legs stand on hinges at (0, 0) and (1.2, 0) of a base and
// carry a coupler of 0.4 m between their tips, at rest in a symmetric position, in a plane that may be tilted.
// All its joints turn about z of the base; the loop closes it on either side of the coupler.
#ifndef ELVER_TESTS_LOOP_MECHANISM_H
#define ELVER_TESTS_LOOP_MECHANISM_H

#include "loop_run.h"

typedef struct {
    const char* strain; // of the legs, default planar: "bend_z: 3"
    bool is_cut_left;   // the coupler is on the right leg, and the loop on its left
    const char* loop;   // text of the loops, default: a hinge called "apex"
    double damping;     // of the legs, s
    double tilt[3];     // roll, pitch, yaw of the base
    double offset;      // of the right leg out of the plane, m
    double place[3];    // of the base
    bool is_floating;   // the base is free to move
} Mechanism;

static inline void mechanism_loop(const Mechanism* m, char* text, size_t size) {
    if (m->loop) {
        snprintf(text, size, "%s", m->loop);
    } else {
        snprintf(text, size, "  - {loop: apex, joint: revolute, axis: z, between: %s}\n",
                 m->is_cut_left ? "[left.tip, start]" : "[right.tip, end]");
    }
}

// gravity stays as it is in the axes of the base
static inline ElvVec3 mechanism_gravity(const Mechanism* m) {
    ElvMat3 R = elv_so3_from_rpy(m->tilt[0], m->tilt[1], m->tilt[2]);
    return elv_mat3_apply(R, elv_vec3(2.0, -9.81, 0.0));
}

static inline Robot mechanism(const Mechanism* m) {
    static const char* const leg =
        "length: 1, section: {circle: {diameter: 0.03}}, nodes: 12, basis: chebyshev";
    char loops[1024];
    mechanism_loop(m, loops, sizeof loops);
    ElvVec3 g = mechanism_gravity(m);
    const char* strain = m->strain ? m->strain : "bend_z: 3";
    return loop_robot(
        "gravity: [%.17g, %.17g, %.17g]\n"
        "parameters: {angle: acos(0.4)}\n"
        "materials: {rubber: {density: 1000, young: 1e7, poisson: 0.4, damping: %.17g}}\n"
        "tree:\n"
        "  - {body: base, joint: %s, mass: 1, inertia: [0.2, 0.2, 0.3],\n"
        "     pose: {xyz: [%.17g, %.17g, %.17g], rpy: [%.17g, %.17g, %.17g]}}\n"
        "  - {rod: left, parent: base, joint: {revolute: {axis: z, position: angle}},\n"
        "     %s, material: rubber, strain: {%s}}\n"
        "  - {rod: right, parent: base, pose: {xyz: [1.2, 0, %.17g]},\n"
        "     joint: {revolute: {axis: z, position: pi - angle}},\n"
        "     %s, material: rubber, strain: {%s}}\n"
        "  - {body: coupler, parent: %s, joint: {revolute: {axis: z, position: \"%s\"}},\n"
        "     body_pose: {xyz: [%g, 0, 0]}, mass: 0.5, inertia: [0.001, 0.008, 0.008]}\n"
        "frames:\n"
        "  - {name: start, on: coupler, pose: {xyz: [-0.2, 0, 0]}}\n"
        "  - {name: end, on: coupler, pose: {xyz: [0.2, 0, 0]}}\n"
        "loops:\n%s"
        "simulate: {duration: 1}\n",
        g.x, g.y, g.z, m->damping, m->is_floating ? "free" : "fixed", m->place[0], m->place[1],
        m->place[2], m->tilt[0], m->tilt[1], m->tilt[2], leg, strain, m->offset, leg, strain,
        m->is_cut_left ? "right.tip" : "left.tip", m->is_cut_left ? "angle - pi" : "-angle",
        m->is_cut_left ? -0.2 : 0.2, loops);
}

#endif
