// SPDX-License-Identifier: Apache-2.0
// Rods with one fibre, and that fibre in space: its points, its direction, and how fast that turns.
#ifndef ELVER_TESTS_FIBRE_CASE_H
#define ELVER_TESTS_FIBRE_CASE_H

#include "rod_case.h"

// a spiral, far from the axis, on part of the rod
static const double FROM = 0.15;
static const double TO = 0.85;

static inline ElvRodFibre spiral(RodCase* c) {
    ElvRodFibre fibre = {.from = FROM,
                         .to = TO,
                         .y = rod_case_law(c, "0.03*cos(4*s + 0.3)"),
                         .z = rod_case_law(c, "0.02*sin(4*s) + 0.01*s^2"),
                         .sign = 1.0};
    return fibre;
}

// a rod with one spiral fibre, nodes enough to integrate it to rounding
static inline void open_spiral(RodCase* c, ElvSpaceMethod space, ElvRodFibre* fibre) {
    const double between[2] = {FROM, TO};
    ElvElementDef element;
    ElvRodDef def = rod_case_def(&element, ELV_BASIS_LEGENDRE, 3, space);
    element.nodes = 32;
    ElvRodFields fields = {.fibre = fibre, .n_fibre = 1};
    rod_case_build(c, &def, between, 2, &fields);
}

// a straight rod with bending and stretch in the plane, and one fibre on it
static inline void open_planar(RodCase* c, ElvSpaceMethod space, ElvRodFibre* fibre) {
    ElvElementDef element;
    ElvRodDef def = rod_case_def(&element, ELV_BASIS_LEGENDRE, 0, space);
    element.modes[ELV_STRAIN_BEND_Z] = 3;
    element.modes[ELV_STRAIN_STRETCH] = 2;
    def.reference[ELV_STRAIN_TWIST] = elv_law_def_value(0.0);
    def.reference[ELV_STRAIN_BEND_Z] = elv_law_def_value(0.0);
    ElvRodFields fields = {.fibre = fibre, .n_fibre = 1};
    rod_case_build(c, &def, NULL, 0, &fields);
}

// ---- the fibre in space

static inline ElvVec3 point_at(const RodCase* c, double s) {
    return elv_pose_apply(elv_rod_pose_at(&c->rod, c->work, c->q, s),
                          elv_rod_fibre_point(&c->rod, 0, s));
}

// unit tangent of the fibre in space, from the pose and the derivative of its place
static inline ElvVec3 direction_at(const RodCase* c, double s) {
    ElvTwist xi = elv_rod_strain_at(&c->rod, c->q, s);
    const ElvRodFibre* def = &c->rod.active->fields.fibre[0];
    ElvVec3 D = elv_rod_fibre_point(&c->rod, 0, s);
    ElvVec3 D_ds = elv_vec3(0.0, elv_law_eval_s(def->y, 0.0, s).d / c->rod.length,
                            elv_law_eval_s(def->z, 0.0, s).d / c->rod.length);
    ElvVec3 r_ds = elv_vec3_add(elv_vec3_add(xi.lin, elv_vec3_cross(xi.ang, D)), D_ds);
    r_ds = elv_mat3_apply(elv_rod_pose_at(&c->rod, c->work, c->q, s).R, r_ds);
    return elv_vec3_scale(1.0 / elv_vec3_norm(r_ds), r_ds);
}

// its derivative by X: central differences of order 8
static inline ElvVec3 turning_at(const RodCase* c, double s) {
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    double h = 0.008;
    ElvVec3 sum = elv_vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < 4; i++) {
        ElvVec3 difference =
            elv_vec3_sub(direction_at(c, s + (i + 1) * h), direction_at(c, s - (i + 1) * h));
        sum = elv_vec3_add_scaled(sum, weight[i] / (h * c->rod.length), difference);
    }
    return sum;
}

#endif
