// SPDX-License-Identifier: Apache-2.0
// Rods with a point at any station, for its tests: one and three elements, every kind of basis,
// strains at rest that vary and jump, a root that is turned and moves, both methods of space; and
// differences of what depends on the rod, extrapolated.
#ifndef ELVER_TESTS_ROD_POINT_CASE_H
#define ELVER_TESTS_ROD_POINT_CASE_H

#include "rod/rod_point.h"
#include "rod_case.h"

enum { N_SHAPE = 5, N_STATION = 5 };

// inside, where the strain at rest jumps, at a port, inside again, and the tip
#define SMOOTH_STATION 0.22
static const double STATION[N_STATION] = {SMOOTH_STATION, 0.35, 0.4, 0.618, 1.0};
static const double PORT[2] = {0.4, 0.87};

typedef struct {
    RodCase c;
    ElvMotion root;
    ElvMotion port[ROD_PORT];
    ElvRodPoint point;
    double s; // where the point was placed
    void* block;
    ElvWrench W;
} PointCase;

// shapes 0 to 3: one basis on one element; shape 4: three elements
static inline void set_elements(int shape, ElvElementDef* element, ElvRodDef* def) {
    static const ElvBasisKind kind[4] = {ELV_BASIS_LEGENDRE, ELV_BASIS_PIECEWISE_CONSTANT,
                                         ELV_BASIS_TABLE, ELV_BASIS_MONOMIAL};
    static const ElvBasisKind part[3] = {ELV_BASIS_CHEBYSHEV, ELV_BASIS_HERMITE,
                                         ELV_BASIS_PIECEWISE_LINEAR};
    ElvSpaceMethod space = def->space;
    *def = rod_case_def(&element[0], kind[shape % 4], shape == 0 ? 4 : 2, space);
    for (int i = 0; i < 3 && shape == 4; i++) {
        element[i] = elv_element_def_default();
        element[i].to = i == 2 ? 1.0 : 0.3 + 0.3 * i;
        for (int k = 0; k < ELV_N_STRAIN; k++) {
            element[i].basis[k] = part[(i + k) % 3];
            element[i].modes[k] = (k + i) % 4 == 0                         ? 0
                                  : part[(i + k) % 3] == ELV_BASIS_HERMITE ? 4
                                                                           : 3;
        }
        def->n_element = 3;
    }
    def->reference[ELV_STRAIN_BEND_Y] = elv_law_def_formula("if(s < 0.35, 0.8, -0.5)");
    def->reference[ELV_STRAIN_STRETCH] = elv_law_def_formula("1 + 0.2*s^2");
}

static inline ElvTwist random_twist(CheckRandom* r) {
    double x[6];
    for (int i = 0; i < 6; i++) {
        x[i] = check_uniform(r, -1.0, 1.0);
    }
    return elv_twist_from_array(x);
}

static inline void forward(PointCase* p) {
    RodCase* c = &p->c;
    c->rod.joint.ops->forward(&c->rod.joint, c->work, &c->in, &p->root, p->port);
}

static inline void place(PointCase* p, double s) {
    p->s = s;
    elv_rod_point_place(&p->c.rod, p->c.work, p->c.q, s, &p->point);
}

static inline void layout_point(PointCase* p) {
    // NaN wherever something is read before it is written
    ElvArena arena = {0};
    elv_rod_point_layout(&p->c.rod, &arena, &p->point);
    p->block = aligned_alloc(ELV_ARENA_ALIGN, arena.size);
    if (!p->block) {
        fail_msg("no memory");
        return;
    }
    memset(p->block, 0xFF, arena.size);
    arena = (ElvArena){.base = p->block};
    elv_rod_point_layout(&p->c.rod, &arena, &p->point);
}

static inline void open_point(PointCase* p, int shape, ElvSpaceMethod space) {
    ElvElementDef element[3];
    ElvRodDef def = {.space = space};
    const ElvRodFields none = {0};
    CheckRandom r = check_random((uint64_t)shape + 1);
    rod_case_begin(&p->c);
    set_elements(shape, element, &def);
    rod_case_build(&p->c, &def, PORT, 2, &none);
    rod_case_randomize(&p->c, (uint64_t)shape + 1, 1.5);
    for (int k = 0; k < p->c.rod.joint.n_v; k++) {
        p->c.a[k] = check_uniform(&r, -1.0, 1.0);
    }
    p->root.g = elv_se3_exp(random_twist(&r));
    p->root.V = random_twist(&r);
    p->root.A = random_twist(&r);
    ElvTwist W = random_twist(&r);
    p->W = elv_wrench(W.ang, W.lin);
    layout_point(p);
    forward(p);
}

static inline void close_point(PointCase* p) {
    free(p->block);
    rod_case_end(&p->c);
}

// every shape by both methods
static inline void for_all(void (*check)(PointCase* p)) {
    for (int i = 0; i < 2 * N_SHAPE; i++) {
        PointCase p;
        open_point(&p, i / 2, i % 2 ? ELV_SPACE_SPECTRAL : ELV_SPACE_QUADRATURE);
        check(&p);
        close_point(&p);
    }
}

// ---- differences

enum { N_LEVEL = 3, N_OUT = ROD_NV };

/// Numbers that depend on one: out (n <= N_OUT), k says on which.
typedef void (*Curve)(PointCase* p, int k, double e, double* out);

// value at 0 of a function that is even in h from values at h, h/2, h/4: the error is of order h^6
static inline double extrapolate(double coarse, double middle, double fine) {
    double a = (4.0 * middle - coarse) / 3.0;
    double b = (4.0 * fine - middle) / 3.0;
    return (16.0 * b - a) / 15.0;
}

// derivative at 0 by central differences; everything is as it was afterwards
static inline void differentiate(PointCase* p, Curve curve, int k, double h, int n, double* d) {
    double level[N_LEVEL][N_OUT], side[2][N_OUT];
    for (int i = 0; i < N_LEVEL; i++) {
        double e = h / (1 << i);
        curve(p, k, e, side[0]);
        curve(p, k, -e, side[1]);
        for (int j = 0; j < n; j++) {
            level[i][j] = (side[0][j] - side[1][j]) / (2.0 * e);
        }
    }
    for (int j = 0; j < n; j++) {
        d[j] = extrapolate(level[0][j], level[1][j], level[2][j]);
    }
    curve(p, k, 0.0, side[0]);
}

// the rod with coordinate k moved by e
static inline void move_coordinate(PointCase* p, int k, double e) {
    double q = p->c.q[k];
    p->c.q[k] = q + e;
    forward(p);
    elv_rod_point_place(&p->c.rod, p->c.work, p->c.q, p->s, &p->point);
    p->c.q[k] = q;
}

static inline void move_station(PointCase* p, double e) {
    elv_rod_point_place(&p->c.rod, p->c.work, p->c.q, p->s + e, &p->point);
}

#define CHECK_TWIST_NEAR(actual, expected, tol)                                                    \
    do {                                                                                           \
        ElvTwist actual_ = (actual), expected_ = (expected);                                       \
        CHECK_ARRAY_NEAR(&actual_.ang.x, &expected_.ang.x, 6, tol);                                \
    } while (0)

#endif
