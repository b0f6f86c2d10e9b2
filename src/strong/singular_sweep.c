// SPDX-License-Identifier: Apache-2.0
// The sweep of the singular problem: Lambda = S eta_dot + s in x' = P x + p gives                [OCP (109)]
//     S' = P_cs - S P_ss + P_cc S - S P_sc S,   s' = P_cc s + p_c - S P_sc s - S p_s       [OCP (110)]
// which is integrated from the tip to the root; then eta_dot from the root to the tip.
#include "elver/singular_sweep.h"

#include "strong/singular_system.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { N = 6, NODE = ELV_RK8_NODE, STAGE = ELV_RK8_STAGE, ROW = N * N + N };

typedef struct {
    ElvRiccati* riccati;
    const ElvSingularOptions* options;
    ElvPool pool;
    const ElvStrongRod* strong;
    const ElvStrongPiece* piece;
    ElvSingularFields fields;
    ElvSingularSystem* system; // at the nodes of all steps                      (steps x NODE)
    double* S;                 // S and s at the starts of steps, and at the tip ((steps + 1) x ROW)
} Sweep;

typedef void (*Rates)(const ElvSingularSystem* q, const double* y, double* rate);

// ---- equations

// of S and s                                                                              [OCP (110)]
static void riccati_rates(const ElvSingularSystem* q, const double* y, double* rate) {
    ElvMat6 S;
    double v[N], Sv[N];
    memcpy(&S, y, sizeof S);
    const double* s = y + N * N;
    // S (P_ss + P_sc S), and P_cc S
    ElvMat6 A = elv_mat6_mul(q->P_sc, S);
    for (int i = 0; i < N * N; i++) {
        A.m[i / N][i % N] += q->P_ss.m[i / N][i % N];
    }
    ElvMat6 SA = elv_mat6_mul(S, A);
    ElvMat6 CS = elv_mat6_mul(q->P_cc, S);
    for (int i = 0; i < N * N; i++) {
        rate[i] = q->P_cs.m[i / N][i % N] - SA.m[i / N][i % N] + CS.m[i / N][i % N];
    }
    elv_singular_apply(&q->P_sc, s, v);
    for (int i = 0; i < N; i++) {
        v[i] += q->p_s[i];
    }
    elv_singular_apply(&S, v, Sv);
    elv_singular_apply(&q->P_cc, s, rate + N * N);
    for (int i = 0; i < N; i++) {
        rate[N * N + i] += q->p_c[i] - Sv[i];
    }
}

// of eta_dot and Lambda                                                                   [OCP (108)]
static void state_rates(const ElvSingularSystem* q, const double* y, double* rate) {
    double other[N];
    elv_singular_apply(&q->P_ss, y, rate);
    elv_singular_apply(&q->P_sc, y + N, other);
    for (int i = 0; i < N; i++) {
        rate[i] += other[i] + q->p_s[i];
    }
    elv_singular_apply(&q->P_cs, y, rate + N);
    elv_singular_apply(&q->P_cc, y + N, other);
    for (int i = 0; i < N; i++) {
        rate[N + i] += other[i] + q->p_c[i];
    }
}

static void step(const ElvSingularSystem* node, int n, Rates rates, double h, double* y) {
    double rate[STAGE][ROW], at[ROW];
    for (int i = 0; i < STAGE; i++) {
        const ElvRk8Stage* rk = &ELV_RK8[i];
        memcpy(at, y, (size_t)n * sizeof *at);
        for (int t = 0; t < rk->n; t++) {
            for (int k = 0; k < n; k++) {
                at[k] += h * rk->a[t] * rate[rk->j[t]][k];
            }
        }
        rates(&node[h < 0.0 ? NODE - 1 - rk->node : rk->node], at, rate[i]);
    }
    for (int t = 0; t < NODE; t++) {
        for (int k = 0; k < n; k++) {
            y[k] += h * ELV_RK8_WEIGHT[t] * rate[ELV_RK8_LAST[t]][k];
        }
    }
}

// ---- passes

static void backward_pass(Sweep* w) {
    const ElvSweepState* tip = &w->riccati->step[w->riccati->grid.n_step - 1].end;
    ElvMat6 S = elv_inertia_matrix(tip->S);
    double y[ROW];
    int n = w->options->steps;
    double h = w->strong->length / n;
    memcpy(y, &S, sizeof S);
    elv_wrench_to_array(tip->s, y + N * N);
    memcpy(w->S + n * ROW, y, sizeof y);
    for (int i = n - 1; i >= 0; i--) {
        step(w->system + i * NODE, ROW, riccati_rates, -h, y);
        memcpy(w->S + i * ROW, y, sizeof y);
    }
}

// compare u with the strain acceleration of the motion, and B^T Lambda with the stress, at the start of a step
static void
compare(const Sweep* w, int i, const double* y, ElvSingularReport* report, double* largest) {
    const ElvSingularSystem* q = &w->system[i * NODE];
    double rate[2 * N], turned[N], given[N];
    ElvSweepNode node;
    ElvStrongStation station = w->riccati->grid.step[0].node[0].station;
    station.s = (double)i / w->options->steps;
    elv_riccati_strain(w->riccati, 0, &station, &node);
    elv_twist_to_array(node.xi_ddot, given);
    // eta_dot' = -ad_xi eta_dot - ad_(xi_dot) eta + B u
    state_rates(q, y, rate);
    elv_twist_to_array(elv_twist_bracket(q->xi, elv_twist_from_array(y)), turned);
    for (int f = 0; f < w->piece->n_free; f++) {
        int k = w->piece->free[f];
        double u = rate[k] + turned[k] + q->drift[k];
        largest[0] = fmax(largest[0], fabs(given[k]));
        largest[1] = fmax(largest[1], fabs(q->stress[k]));
        report->error = fmax(report->error, fabs(u - given[k]));
        report->drift = fmax(report->drift, fabs(y[N + k] - q->stress[k]));
        report->is_finite = report->is_finite && isfinite(u);
    }
}

static void forward_pass(Sweep* w, ElvSingularReport* report) {
    double y[2 * N], largest[2] = {0.0};
    int n = w->options->steps;
    double h = w->strong->length / n;
    elv_twist_to_array(w->riccati->step[0].begin.eta_dot, y);
    for (int i = 0; i < n; i++) {
        // Lambda = S eta_dot + s                                                          [OCP (57)]
        const double* S = w->S + i * ROW;
        for (int k = 0; k < N; k++) {
            y[N + k] = S[N * N + k];
            for (int j = 0; j < N; j++) {
                y[N + k] += S[k * N + j] * y[j];
            }
        }
        compare(w, i, y, report, largest);
        step(w->system + i * NODE, 2 * N, state_rates, h, y);
    }
    report->error /= largest[0] > 0.0 ? largest[0] : 1.0;
    report->drift /= largest[1] > 0.0 ? largest[1] : 1.0;
}

// ---- the experiment

static ElvStatus prepare(Sweep* w, ElvError* error) {
    size_t steps = (size_t)w->options->steps;
    w->system = elv_pool_take(&w->pool, steps * NODE, sizeof *w->system);
    w->S = elv_pool_take(&w->pool, (steps + 1) * ROW, sizeof *w->S);
    if (!w->system || !w->S) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    ElvStatus status = elv_singular_fields(w->riccati, w->options->nodes, w->options->noise,
                                           &w->pool, &w->fields, error);
    for (size_t i = 0; i < steps * NODE && status == ELV_OK; i++) {
        size_t i_step = i / NODE;
        double s = ((double)i_step + ELV_RK8_AT[i % NODE]) / (double)steps;
        if (!elv_singular_system(&w->fields, w->piece, s, &w->system[i])) {
            status = elv_error_set(error, ELV_ERROR_SINGULAR, w->strong->name, "",
                                   "a free strain of rod '%s' has no inertia", w->strong->name);
        }
    }
    return status;
}

static void measure(const Sweep* w, ElvSingularReport* report) {
    const ElvMat6* M = &w->fields.at[0][0].M;
    double mass = M->m[3][3];
    double length = w->strong->length;
    double least = INFINITY;
    for (int k = 0; k < w->piece->n_free; k++) {
        int i = w->piece->free[k];
        least = i < 3 ? fmin(least, M->m[i][i]) : least;
    }
    report->growth = length * sqrt(mass / least);
    for (int i = 0; i <= w->options->steps; i++) {
        for (int k = 0; k < N * N; k++) {
            double unit = mass * length * (k / N < 3 ? length : 1.0) * (k % N < 3 ? length : 1.0);
            double size = fabs(w->S[i * ROW + k]) / unit;
            report->size = fmax(report->size, isfinite(size) ? size : INFINITY);
        }
    }
}

ElvStatus elv_singular_sweep(ElvRiccati* riccati,
                             const ElvSingularOptions* options,
                             ElvSingularReport* report,
                             ElvError* error) {
    assert(riccati->is_solved);
    const ElvChainRod* rod = &riccati->chain.rod[0];
    bool is_counted = options->nodes >= 4 && options->nodes <= ELV_MAX_CHEBYSHEV;
    memset(report, 0, sizeof *report);
    if (riccati->chain.n_rod != 1 || rod->strong.n_piece != 1 || !is_counted ||
        options->steps < 1) {
        return elv_error_set(error, ELV_ERROR_INPUT, rod->strong.name, "",
                             "the singular sweep takes one rod without breaks, 4 to %d nodes and a "
                             "step at least",
                             (int)ELV_MAX_CHEBYSHEV);
    }
    Sweep w = {.riccati = riccati,
               .options = options,
               .strong = &rod->strong,
               .piece = &rod->strong.piece[0]};
    report->is_finite = true;
    ElvStatus status = prepare(&w, error);
    if (status == ELV_OK) {
        backward_pass(&w);
        forward_pass(&w, report);
        measure(&w, report);
    }
    elv_pool_free(&w.pool);
    return status;
}
