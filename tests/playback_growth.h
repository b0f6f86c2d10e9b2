// SPDX-License-Identifier: Apache-2.0
// How fast errors of a robot without imposed motions grow: the largest real part of the eigenvalues
// of its linearised forward dynamics at a state of the imposed motion, efforts held.
//
// The unknowns are (q, v / GROWTH_RATE), in rad and m (playback_measure.h). The matrix is never
// formed: its products with vectors are differences of the forward dynamics, and Arnoldi's method
// takes eigenvalues from up to KRYLOV_MAX of them: all of a robot with up to half as many
// coordinates, of others the outermost, which are those that count. Poses of free joints are not
// varied: nothing depends on them in any of the robots that have one.
#ifndef ELVER_TESTS_PLAYBACK_GROWTH_H
#define ELVER_TESTS_PLAYBACK_GROWTH_H

#include "linalg/eigen.h"
#include "playback_case.h"
#include "playback_measure.h"

enum { KRYLOV_MAX = 60 };

static const double GROWTH_RATE = 10.0;       // 1/s
static const double GROWTH_DIFFERENCE = 1e-5; // rad, m

typedef struct {
    Playback* p;
    int size;      // 2 nv
    double* basis; // orthonormal vectors                               (KRYLOV_MAX + 1, size)
    double* rest;  // rates at the state itself                         (size)
    double H[KRYLOV_MAX][KRYLOV_MAX + 1]; // the matrix on these vectors, by columns
} Growth;

// (v, a) of the twin at point 0 of the tape plus a step along x, in the units of x
static inline void growth_rate(const Growth* g, const double* x, double step, double* y) {
    const ElvModel* model = g->p->play.model;
    ElvState* state = g->p->play.state;
    ElvError error;
    playback_place(g->p, 0);
    for (int i = 0; i < model->nv; i++) {
        y[i] = y[model->nv + i] = 0.0;
    }
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        bool is_flat = node->joint->n_q == node->joint->n_v;
        for (int k = 0; k < node->joint->n_v; k++) {
            int i = node->i_v + k;
            double unit = model->is_driven[i] ? 0.0 : step / measure_of(node, k).reach;
            state->q[node->i_q + k] += is_flat ? unit * x[i] : 0.0;
            state->v[i] += unit * GROWTH_RATE * x[model->nv + i];
        }
    }
    g->p->flow.t_begin = state->t;
    CHECK_STATUS(elv_flow_rate(&g->p->flow, state, &error), &error);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        for (int k = 0; k < node->joint->n_v; k++) {
            int i = node->i_v + k;
            double unit = model->is_driven[i] ? 0.0 : measure_of(node, k).reach;
            y[i] = unit * state->v[i];
            y[model->nv + i] = unit * state->a[i] / GROWTH_RATE;
        }
    }
}

// take the first n basis vectors out of w, twice, and make it a unit vector; column (n + 1): the
// parts, and the length of what was left
static inline void growth_orthogonalise(const Growth* g, int n, double* w, double* column) {
    double sum = 0.0;
    for (int j = 0; j <= n; j++) {
        column[j] = 0.0;
    }
    for (int l = 0; l < 2 * n; l++) {
        const double* b = g->basis + (size_t)(l % n) * (size_t)g->size;
        double part = 0.0;
        for (int i = 0; i < g->size; i++) {
            part += b[i] * w[i];
        }
        for (int i = 0; i < g->size; i++) {
            w[i] -= part * b[i];
        }
        column[l % n] += part;
    }
    for (int i = 0; i < g->size; i++) {
        sum += w[i] * w[i];
    }
    column[n] = sqrt(sum);
    for (int i = 0; i < g->size && sum > 0.0; i++) {
        w[i] /= column[n];
    }
}

static inline void growth_random(const Growth* g, CheckRandom* random, int n, double* w) {
    double column[KRYLOV_MAX + 1];
    for (int i = 0; i < g->size; i++) {
        w[i] = check_uniform(random, -1.0, 1.0);
    }
    growth_orthogonalise(g, n, w, column);
}

// largest real part of the eigenvalues of the leading n x n part of H
static inline double growth_largest(const Growth* g, int n) {
    static double A[KRYLOV_MAX * KRYLOV_MAX], vector[KRYLOV_MAX * KRYLOV_MAX];
    double re[KRYLOV_MAX], im[KRYLOV_MAX], most = -INFINITY;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            A[i * n + k] = i <= k + 1 ? g->H[k][i] : 0.0;
        }
    }
    CHECK_TRUE(elv_eigen_general(n, A, re, im, vector));
    for (int i = 0; i < n; i++) {
        most = fmax(most, re[i]);
    }
    return most;
}

/// The rate at point 0 of the tape, 1/s.
static inline double playback_growth(Playback* p) {
    static Growth g;
    CheckRandom random = check_random(7);
    double most = 0.0;
    g.p = p;
    g.size = 2 * p->play.model->nv;
    int n = g.size < KRYLOV_MAX ? g.size : KRYLOV_MAX;
    g.basis = calloc((size_t)(n + 2) * (size_t)g.size, sizeof *g.basis);
    CHECK_TRUE(g.basis != NULL);
    g.rest = g.basis + (size_t)(n + 1) * (size_t)g.size;
    growth_rate(&g, g.basis, 0.0, g.rest);
    growth_random(&g, &random, 0, g.basis);
    for (int k = 0; k < n; k++) {
        const double* x = g.basis + (size_t)k * (size_t)g.size;
        double* w = g.basis + (size_t)(k + 1) * (size_t)g.size;
        growth_rate(&g, x, GROWTH_DIFFERENCE, w);
        for (int i = 0; i < g.size; i++) {
            w[i] = (w[i] - g.rest[i]) / GROWTH_DIFFERENCE;
        }
        growth_orthogonalise(&g, k + 1, w, g.H[k]);
        for (int i = 0; i <= k; i++) {
            most = fmax(most, fabs(g.H[k][i]));
        }
        // what is left is of the size of errors of differences: begin anew
        if (g.H[k][k + 1] < 1e-4 * most) {
            g.H[k][k + 1] = 0.0;
            growth_random(&g, &random, k + 1, w);
        }
    }
    most = growth_largest(&g, n);
    free(g.basis);
    return most;
}

#endif
