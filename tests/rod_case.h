// SPDX-License-Identifier: Apache-2.0
// One rod by itself, built from a Def and what acts along it, with its workspace and coordinates: for
// tests of what is local to a rod. Its root stays at the origin.
#ifndef ELVER_TESTS_ROD_CASE_H
#define ELVER_TESTS_ROD_CASE_H

#include "check.h"
#include "rod/rod_active.h"

#include <stdlib.h>

enum { ROD_NV = 48, ROD_CHANNEL = 8, ROD_PORT = 8 };

typedef struct {
    ElvPool pool;
    ElvLawSet laws;
    ElvRod rod;
    void* block;
    ElvRodWork* work;
    double q[ROD_NV], v[ROD_NV], a[ROD_NV], u[ROD_CHANNEL];
    ElvJointInput in;
} RodCase;

/// Before anything else: laws of the fields need a place.
static inline void rod_case_begin(RodCase* c) {
    memset(c, 0, sizeof *c);
    c->laws.pool = &c->pool;
}

static inline const ElvLaw* rod_case_law(RodCase* c, const char* text) {
    const ElvLaw* law = NULL;
    ElvError error;
    ElvLawDef def = elv_law_def_formula(text);
    CHECK_STATUS(
        elv_law_set_add(&c->laws, &def, ELV_LAW_OF_T | ELV_LAW_OF_S, "rod", "law", &law, &error),
        &error);
    return law;
}

/// A soft rod of 0.6 m with every strain, curved at rest; modes of one basis on one element (two
/// given shapes for tables).
static inline ElvRodDef
rod_case_def(ElvElementDef* element, ElvBasisKind basis, int modes, ElvSpaceMethod space) {
    ElvRodDef def = elv_rod_def_default();
    def.name = "rod";
    def.length = 0.6;
    def.space = space;
    *element = elv_element_def_default();
    def.element = element;
    def.n_element = 1;
    static const double shape_station[4] = {0.0, 0.3, 0.6, 1.0};
    static const double shape[8] = {1.0, 0.7, 1.2, 0.9, -1.0, -0.4, 0.3, 1.1};
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        element->modes[k] = modes;
        element->basis[k] = basis;
        if (basis == ELV_BASIS_TABLE) {
            element->modes[k] = 2;
            element->table[k] = (ElvBasisTable){4, 2, shape_station, shape};
        }
    }
    def.stiffness.n = def.inertia.n = 6;
    for (int k = 0; k < 6; k++) {
        def.stiffness.entry[k] = elv_law_def_value(k < 3 ? 0.5 : 40.0);
        def.inertia.entry[k] = elv_law_def_value(k < 3 ? 0.01 : 1.0);
    }
    def.reference[ELV_STRAIN_TWIST] = elv_law_def_formula("0.5 - s");
    def.reference[ELV_STRAIN_BEND_Z] = elv_law_def_formula("1 + 2*s");
    return def;
}

/// Build, with ports at the given stations between 0 and 1.
static inline void rod_case_build(RodCase* c,
                                  const ElvRodDef* def,
                                  const double* between,
                                  int n_between,
                                  const ElvRodFields* fields) {
    ElvError error;
    double* station = elv_pool_take(&c->pool, ROD_PORT, sizeof *station);
    for (int i = 0; i < n_between; i++) {
        station[i + 1] = between[i];
    }
    station[n_between + 1] = 1.0;
    CHECK_STATUS(elv_rod_build(&c->rod, def, station, n_between + 2, fields, &c->laws, &error),
                 &error);
    CHECK_TRUE(c->rod.joint.n_v <= ROD_NV && c->rod.joint.n_channel <= ROD_CHANNEL);
    ElvArena arena = {0};
    (void)c->rod.joint.ops->layout(&c->rod.joint, &arena);
    c->block = aligned_alloc(ELV_ARENA_ALIGN, arena.size);
    if (!c->block) {
        fail_msg("no memory");
        return;
    }
    // NaN wherever something is read before it is written
    memset(c->block, 0xFF, arena.size);
    arena = (ElvArena){.base = c->block};
    c->work = c->rod.joint.ops->layout(&c->rod.joint, &arena);
    c->in = (ElvJointInput){.load = 1.0, .q = c->q, .v = c->v, .a = c->a, .u = c->u};
}

static inline void rod_case_end(RodCase* c) {
    free(c->block);
    elv_law_set_free(&c->laws);
    elv_pool_free(&c->pool);
}

/// Random coordinates; size: curvatures per metre.
static inline void rod_case_randomize(RodCase* c, uint64_t seed, double size) {
    CheckRandom r = check_random(seed);
    for (int k = 0; k < c->rod.joint.n_v; k++) {
        c->q[k] = check_uniform(&r, -size, size);
        c->v[k] = check_uniform(&r, -1.0, 1.0);
    }
    for (int k = 0; k < ROD_CHANNEL; k++) {
        c->u[k] = check_uniform(&r, 1.0, 3.0);
    }
    // stretch and shear small, so that no fibre is squeezed to nothing
    for (int i = 0; i < c->rod.n_element; i++) {
        const ElvRodElement* element = &c->rod.element[i];
        for (int strain = ELV_STRAIN_STRETCH; strain < ELV_N_STRAIN; strain++) {
            for (int m = 0; m < element->basis[strain].n_mode; m++) {
                c->q[element->column[strain] + m] *= 0.05;
            }
        }
    }
}

static inline void rod_case_forward(RodCase* c) {
    ElvMotion root = {.g = elv_pose_identity()};
    ElvMotion port[ROD_PORT];
    c->rod.joint.ops->forward(&c->rod.joint, c->work, &c->in, &root, port);
}

/// Upsilon.
static inline void rod_case_efforts(RodCase* c, double* upsilon) {
    double size[256];
    CHECK_TRUE(c->rod.joint.n_v <= 256);
    c->rod.joint.ops->efforts(&c->rod.joint, c->work, &c->in, upsilon, size);
}

/// The actuation's part of Upsilon alone
static inline void rod_case_active_efforts(RodCase* c, double* Q) {
    memset(Q, 0, ROD_NV * sizeof *Q);
    elv_rod_active_efforts(&c->rod, c->work, &c->in, Q);
}

/// One channel, its arrays (n_v) given.
static inline ElvChannel
rod_case_channel(RodCase* c, int i, double* effort, double* d_value, double* d_factor) {
    ElvChannel channel = {.effort = effort, .d_value = d_value, .d_factor = d_factor};
    memset(effort, 0xFF, ROD_NV * sizeof *effort);
    memset(d_value, 0xFF, ROD_NV * sizeof *d_value);
    memset(d_factor, 0xFF, ROD_NV * sizeof *d_factor);
    c->rod.joint.ops->channel(&c->rod.joint, c->work, &c->in, i, &channel);
    return channel;
}

/// Part of Qq that comes from the actuation.
static inline void rod_case_tangent(RodCase* c, double by_q, double by_v, double* Qq) {
    ElvUnknown unknown = {.c = by_q, .a = by_v};
    memset(Qq, 0, ROD_NV * ROD_NV * sizeof *Qq);
    elv_rod_active_tangent(&c->rod, c->work, &c->in, &unknown, Qq);
}

static inline double array_largest(const double* x, int n) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fabs(x[i]) > most ? fabs(x[i]) : most;
    }
    return most;
}

#endif
