// SPDX-License-Identifier: Apache-2.0
// A smooth segment on a Chebyshev-Gauss-Lobatto grid: nodes, Clenshaw-Curtis weights, differentiation
// and cumulative integration on [0, 1], basis and strain at rest at the nodes.
//
// The ends of a segment are nodes, and laws may jump there: tables are filled from just inside.
#include "rod/spectral.h"

#include "linalg/chebyshev.h"
#include "rod/rod_segment.h"

#include <math.h>

// how far inside the ends laws are taken, as a station: above rounding, below any other error
static const double INSIDE = 1e-12;

// nodes that give 1e-9 on a rod bent by a full turn (docs/theory/spectral.md), and that integrate the
// products of modes in the stiffness exactly
static int choose_nodes(const ElvRodElement* element, double s0, double s1, int n_motion) {
    if (element->nodes > 0) {
        return element->nodes;
    }
    int degree = 0;
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        int d = elv_strain_basis_degree(&element->basis[strain]);
        degree = element->basis[strain].n_mode > 0 && d > degree ? d : degree;
    }
    int n = 6 + (int)ceil((14.0 + 2.0 * degree) * sqrt(s1 - s0));
    n = n < 2 * degree + 2 ? 2 * degree + 2 : n;
    n = n_motion > n ? n_motion : n;
    return n > ELV_MAX_CHEBYSHEV ? ELV_MAX_CHEBYSHEV : n;
}

// memory of a segment's tables
typedef struct {
    int *col, *strain;
    double *x, *w, *C, *D, *phi;
    ElvTwist* xi_o;
} SpectralTables;

static bool take_tables(SpectralTables* t, int n, int n_col, ElvPool* pool) {
    size_t nn = (size_t)n;
    size_t nc = (size_t)n_col;
    t->col = elv_pool_take(pool, nc, sizeof *t->col);
    t->strain = elv_pool_take(pool, nc, sizeof *t->strain);
    t->x = elv_pool_take(pool, nn, sizeof *t->x);
    t->w = elv_pool_take(pool, nn, sizeof *t->w);
    t->C = elv_pool_take(pool, nn * nn, sizeof *t->C);
    t->D = elv_pool_take(pool, nn * nn, sizeof *t->D);
    t->phi = elv_pool_take(pool, nn * nc, sizeof *t->phi);
    t->xi_o = elv_pool_take(pool, nn, sizeof *t->xi_o);
    return t->col && t->strain && t->x && t->w && t->C && t->D && t->phi && t->xi_o;
}

static void fill_tables(SpectralTables* t,
                        const ElvRod* rod,
                        const ElvRodElement* element,
                        int n,
                        int n_col,
                        double s0,
                        double s1) {
    double x_middle = (0.5 * (s0 + s1) - element->s0) / (element->s1 - element->s0);
    elv_rod_list_columns(element, x_middle, t->col, t->strain);
    elv_chebyshev_grid(n, t->x, t->w);
    elv_chebyshev_derivative(n, t->D);
    elv_chebyshev_cumulative(n, t->D, t->C);
    double inside = fmin(INSIDE / (s1 - s0), 1e-3);
    t->x[0] = inside;
    t->x[n - 1] = 1.0 - inside;
    for (int i = 0; i < n; i++) {
        double s = s0 + (s1 - s0) * t->x[i];
        double xi[ELV_N_STRAIN];
        for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
            xi[strain] = elv_law_value(rod->reference[strain], 0.0, s);
        }
        t->xi_o[i] = elv_twist_from_array(xi);
        elv_rod_eval_columns(element, s, x_middle, t->phi + (size_t)i * (size_t)n_col);
    }
}

ElvStatus elv_spectral_segment_init(ElvRodSegment* segment,
                                    const ElvRod* rod,
                                    int i_node,
                                    double s0,
                                    double s1,
                                    int n_motion,
                                    ElvPool* pool,
                                    ElvError* error) {
    int i_element = elv_rod_element_at(rod, 0.5 * (s0 + s1));
    const ElvRodElement* element = &rod->element[i_element];
    double x_middle = (0.5 * (s0 + s1) - element->s0) / (element->s1 - element->s0);
    int n = choose_nodes(element, s0, s1, n_motion);
    int n_col = elv_rod_list_columns(element, x_middle, NULL, NULL);
    SpectralTables t;
    if (!take_tables(&t, n, n_col, pool)) {
        return elv_error_set(error, ELV_ERROR_MEMORY, rod->name, "", "out of memory");
    }
    fill_tables(&t, rod, element, n, n_col, s0, s1);
    *segment = (ElvRodSegment){.i_element = i_element,
                               .s0 = s0,
                               .s1 = s1,
                               .h = (s1 - s0) * rod->length,
                               .i_node = i_node,
                               .n_node = n,
                               .end_port = elv_rod_port_at(rod, s1),
                               .n_col = n_col,
                               .col = t.col,
                               .strain = t.strain,
                               .phi = t.phi,
                               .x = t.x,
                               .w = t.w,
                               .C = t.C,
                               .D = t.D,
                               .xi_o = t.xi_o};
    elv_rod_list_runs(segment);
    return ELV_OK;
}
