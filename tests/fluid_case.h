// SPDX-License-Identifier: Apache-2.0
// Currents and shapes for tests of fluid loads: an unsteady current that varies in place, with its
// exact derivatives, and shapes with one load or all.
#ifndef ELVER_TESTS_FLUID_CASE_H
#define ELVER_TESTS_FLUID_CASE_H

#include "lie_sample.h"
#include "rod/fluid_load.h"

/// U = A x + b cos t + c sin(k . x): material derivative and its gradient by hand.
typedef struct {
    ElvMat3 A;
    ElvVec3 b, c, k;
} FluidField;

static inline FluidField fluid_field(CheckRandom* r) {
    FluidField field;
    for (int i = 0; i < 9; i++) {
        field.A.m[i / 3][i % 3] = check_uniform(r, -0.5, 0.5);
    }
    field.b = sample_vec3(r, 1.0);
    field.c = sample_vec3(r, 1.0);
    field.k = sample_vec3(r, 1.0);
    return field;
}

static inline ElvMat3 fluid_outer(double s, ElvVec3 a, ElvVec3 b) {
    const double x[3] = {a.x, a.y, a.z};
    const double y[3] = {b.x, b.y, b.z};
    ElvMat3 m;
    for (int i = 0; i < 9; i++) {
        m.m[i / 3][i % 3] = s * x[i / 3] * y[i % 3];
    }
    return m;
}

static inline void fluid_field_eval(void* user, double t, ElvVec3 x, ElvCurrent* current) {
    const FluidField* f = user;
    double phase = elv_vec3_dot(f->k, x);
    ElvMat3 G = elv_mat3_add(f->A, fluid_outer(cos(phase), f->c, f->k));
    ElvVec3 U = elv_vec3_add(elv_mat3_apply(f->A, x), elv_vec3_scale(cos(t), f->b));
    U = elv_vec3_add_scaled(U, sin(phase), f->c);
    current->velocity = U;
    current->gradient = G;
    // DU/Dt = -b sin t + G U; its gradient is G G - sin(phase) (k . U) c k^T
    current->acceleration = elv_vec3_add_scaled(elv_mat3_apply(G, U), -sin(t), f->b);
    current->rise = elv_mat3_add(elv_mat3_mul(G, G),
                                 fluid_outer(-sin(phase) * elv_vec3_dot(f->k, U), f->c, f->k));
}

/// Loads of a shape, one by one.
typedef enum {
    FLUID_DRAG,
    FLUID_TANGENTIAL,
    FLUID_LIFT,
    FLUID_SPIN,
    FLUID_BUOYANCY,
    FLUID_RESISTANCE,
    FLUID_ADDED,
    FLUID_ALL,
    N_FLUID_LOAD
} FluidLoad;

static inline bool fluid_has(FluidLoad load, FluidLoad one) {
    return load == FLUID_ALL || load == one;
}

static inline ElvInertia fluid_inertia(CheckRandom* r, double size) {
    ElvInertia own = elv_inertia_zero();
    own.J = elv_mat3_diag(check_uniform(r, 0.1, size), check_uniform(r, 0.1, size),
                          check_uniform(r, 0.1, size));
    own.M = elv_mat3_diag(check_uniform(r, 0.1, size), check_uniform(r, 0.1, size),
                          check_uniform(r, 0.1, size));
    return elv_inertia_transform(sample_pose(r, 0.3), own);
}

static inline ElvFluidShape fluid_shape(CheckRandom* r, bool is_section, FluidLoad load) {
    ElvFluidShape shape;
    memset(&shape, 0, sizeof shape);
    shape.is_section = is_section;
    shape.radius = 0.4;
    shape.center = is_section ? elv_vec3(0.0, 0.0, 0.0) : sample_vec3(r, 0.3);
    if (fluid_has(load, FLUID_DRAG)) {
        shape.normal[0] = check_uniform(r, 0.5, 1.5);
        shape.normal[1] = check_uniform(r, 0.5, 1.5);
        shape.area = elv_vec3(0.5, check_uniform(r, 0.5, 1.5), 1.0);
    }
    shape.tangential = fluid_has(load, FLUID_TANGENTIAL) ? 0.8 : 0.0;
    shape.lift = fluid_has(load, FLUID_LIFT) ? 0.7 : 0.0;
    if (fluid_has(load, FLUID_LIFT)) {
        shape.fin = elv_vec3(0.2, 0.9, 1.4);
    }
    if (fluid_has(load, FLUID_SPIN)) {
        shape.spin = elv_vec3(0.3, 0.6, check_uniform(r, 0.5, 1.5));
    }
    shape.volume = fluid_has(load, FLUID_BUOYANCY) ? 0.6 : 0.0;
    if (fluid_has(load, FLUID_ADDED)) {
        shape.added = fluid_inertia(r, 1.0);
    }
    if (fluid_has(load, FLUID_RESISTANCE)) {
        shape.resistance = fluid_inertia(r, 1.0);
        shape.is_resisted = true;
    }
    return shape;
}

#endif
