// SPDX-License-Identifier: Apache-2.0
// The smooth segments of a rod: their nodes, with the basis and Magnus moments tabulated there.
#include "rod/rod_segment.h"

#include "base/sort.h"
#include "linalg/block_product.h"
#include "linalg/quadrature.h"
#include "rod/fibre.h"
#include "rod/magnus.h"
#include "rod/rod_motion.h"

#include <math.h>

// stations closer than this are one
static const double SAME_STATION = 1e-10;

// nodes of a segment that is the part ds of its rod: degree of the basis + NODES_MORE +
// NODES_TURN sqrt(ds), measured in docs/decisions.md, "Rods"
static const int NODES_MORE = 4;
static const double NODES_TURN = 10.0;

// Magnus steps over the widest gap between nodes: ELV_ROD_SUBSTEP, fewer where there are few nodes
enum { NODES_FOR_2_STEPS = 8, NODES_FOR_3_STEPS = 12 };

bool elv_same_station(double a, double b) {
    return fabs(a - b) <= SAME_STATION;
}

int elv_rod_element_at(const ElvRod* rod, double s) {
    int i_element = 0;
    while (s > rod->element[i_element].s1) {
        i_element++;
    }
    return i_element;
}

int elv_rod_port_at(const ElvRod* rod, double s) {
    int port = -1;
    for (int p = 1; p < rod->joint.n_port; p++) {
        port = elv_same_station(rod->station[p], s) ? p : port;
    }
    return port;
}

ElvRodSpan elv_rod_span(const ElvRod* rod, double from, double to) {
    ElvRodSpan span = {0, 0, 0, 0};
    for (int i = 0; i < rod->n_segment; i++) {
        const ElvRodSegment* segment = &rod->segment[i];
        double middle = 0.5 * (segment->s0 + segment->s1);
        if (middle > from && middle < to) {
            span.begin = span.end == 0 ? i : span.begin;
            span.first = span.end == 0 ? segment->i_node : span.first;
            span.end = i + 1;
            span.last = segment->i_node + segment->n_node;
        }
    }
    return span;
}

void elv_rod_list_runs(ElvRodSegment* segment) {
    segment->n_run = 0;
    for (int k = 0; k < segment->n_col; k++) {
        int strain = segment->strain[k];
        if (k == 0 || strain != segment->strain[k - 1]) {
            segment->run[segment->n_run++] = (ElvColumnRun){strain, k, 0, segment->col[k]};
        }
        segment->run[segment->n_run - 1].n++;
    }
}

// nodes that resolve the basis: its degree, and the turning of the frame over the segment, or that of strains
// which are known
static int
choose_nodes(const ElvRod* rod, const ElvRodElement* element, double s0, double s1, int n_motion) {
    if (element->nodes > 0) {
        return element->nodes;
    }
    int degree = 0;
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        int d = elv_strain_basis_degree(&element->basis[strain]);
        degree = element->basis[strain].n_mode > 0 && d > degree ? d : degree;
    }
    int n = degree + NODES_MORE + (int)ceil(NODES_TURN * sqrt(s1 - s0));
    bool is_known = n_motion > 0 && elv_rod_motion_is_whole(rod, element);
    n = is_known || n_motion > n ? n_motion : n;
    return n > ELV_MAX_QUADRATURE ? ELV_MAX_QUADRATURE : n;
}

// modes of one strain that act on a segment whose middle is x (element coordinate)
static void find_support(const ElvStrainBasis* basis, double x, int* first, int* n) {
    int n_piece = elv_strain_basis_pieces(basis);
    int piece = (int)(x * n_piece);
    elv_strain_basis_support(basis, piece < n_piece ? piece : n_piece - 1, first, n);
}

int elv_rod_list_columns(const ElvRodElement* element, double x_middle, int* col, int* strain_of) {
    int n_col = 0;
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        int first = 0;
        int n = 0;
        find_support(&element->basis[strain], x_middle, &first, &n);
        for (int m = 0; m < n; m++, n_col++) {
            if (col) {
                col[n_col] = element->column[strain] + first + m;
                strain_of[n_col] = strain;
            }
        }
    }
    return n_col;
}

void elv_rod_eval_columns(const ElvRodElement* element, double s, double x_middle, double* phi) {
    double value[ELV_MAX_MODES];
    double x = (s - element->s0) / (element->s1 - element->s0);
    int n_col = 0;
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        int first = 0;
        int n = 0;
        find_support(&element->basis[strain], x_middle, &first, &n);
        elv_strain_basis_eval(&element->basis[strain], x, value);
        for (int m = 0; m < n; m++) {
            phi[n_col++] = value[first + m];
        }
    }
}

// moments of the columns and of the reference curvature over one Magnus step; n_lane numbers from one
// column, or component, to the next
static void eval_step(const ElvRod* rod,
                      const ElvRodElement* element,
                      double x_middle,
                      double s0,
                      double s1,
                      int n_col,
                      int n_lane,
                      double* scratch,
                      double* step,
                      double* ref) {
    double h = (s1 - s0) * rod->length;
    for (int p = 0; p < ELV_MAGNUS_POINT; p++) {
        double s = s0 + (s1 - s0) * ELV_MAGNUS_NODE[p];
        elv_rod_eval_columns(element, s, x_middle, scratch);
        for (int m = 0; m < 3; m++) {
            double factor = h * ELV_MAGNUS_MOMENT[m][p];
            for (int c = 0; c < 3; c++) {
                double curvature = elv_law_value(rod->reference[c], 0.0, s);
                ref[(m * 3 + c) * n_lane] += factor * curvature;
            }
            for (int k = 0; k < n_col; k++) {
                step[(m * n_col + k) * n_lane] += factor * scratch[k];
            }
        }
    }
}

// memory of a segment's tables
typedef struct {
    int *col, *strain, *n_step;
    int n_lane;
    double *x, *w, *C, *phi, *phi_lane, *step, *ref, *scratch;
    ElvVec3* gamma_ref;
} SegmentTables;

static bool take_tables(SegmentTables* t, int n, int n_col, ElvPool* pool) {
    size_t nn = (size_t)n;
    size_t nc = (size_t)n_col;
    size_t most = (nn + 1) * ELV_ROD_SUBSTEP;
    size_t n_node_lane = (size_t)elv_padded(n);
    t->n_step = elv_pool_take(pool, nn + 1, sizeof *t->n_step);
    t->col = elv_pool_take(pool, nc, sizeof *t->col);
    t->strain = elv_pool_take(pool, nc, sizeof *t->strain);
    t->x = elv_pool_take(pool, nn, sizeof *t->x);
    t->w = elv_pool_take(pool, nn, sizeof *t->w);
    t->C = elv_pool_take(pool, nn * nn, sizeof *t->C);
    t->phi = elv_pool_take(pool, nn * nc, sizeof *t->phi);
    t->phi_lane = elv_pool_take(pool, n_node_lane * nc, sizeof *t->phi_lane);
    t->step = elv_pool_take(pool, most * 3 * nc, sizeof *t->step);
    t->gamma_ref = elv_pool_take(pool, nn, sizeof *t->gamma_ref);
    t->ref = elv_pool_take(pool, most * 9, sizeof *t->ref);
    t->scratch = elv_pool_take(pool, nc, sizeof *t->scratch);
    return t->col && t->strain && t->n_step && t->x && t->w && t->C && t->phi && t->phi_lane &&
           t->step && t->ref && t->gamma_ref && t->scratch;
}

// Magnus steps of nearly equal length (Gauss nodes crowd at the ends), so many that their error stays
// below that of the quadrature (docs/decisions.md, "Rods"); returns how many. most: over the widest gap, 0: chosen
static int choose_steps(int n, const double* x, int most, int* n_step) {
    if (most == 0) {
        most = n <= NODES_FOR_2_STEPS ? 2 : n <= NODES_FOR_3_STEPS ? 3 : ELV_ROD_SUBSTEP;
    }
    double widest = 0.0;
    int n_all = 0;
    for (int i = 0; i <= n; i++) {
        double gap = (i == n ? 1.0 : x[i]) - (i == 0 ? 0.0 : x[i - 1]);
        widest = gap > widest ? gap : widest;
    }
    for (int i = 0; i <= n; i++) {
        double gap = (i == n ? 1.0 : x[i]) - (i == 0 ? 0.0 : x[i - 1]);
        n_step[i] = (int)ceil(most * gap / widest - 1e-9);
        n_all += n_step[i];
    }
    return n_all;
}

static void fill_tables(SegmentTables* t,
                        const ElvRod* rod,
                        const ElvRodElement* element,
                        int n,
                        int n_col,
                        double s0,
                        double s1,
                        bool is_known) {
    double x_middle = (0.5 * (s0 + s1) - element->s0) / (element->s1 - element->s0);
    elv_rod_list_columns(element, x_middle, t->col, t->strain);
    elv_gauss_legendre(n, t->x, t->w);
    elv_gauss_cumulative(n, t->x, t->w, t->C);
    int most = is_known ? elv_rod_motion_steps(rod, n, t->x, s0, s1) : 0;
    t->n_lane = elv_padded(choose_steps(n, t->x, most, t->n_step));
    int i_step = 0;
    for (int i = 0; i <= n; i++) {
        double a = s0 + (s1 - s0) * (i == 0 ? 0.0 : t->x[i - 1]);
        double b = s0 + (s1 - s0) * (i == n ? 1.0 : t->x[i]);
        int n_step = t->n_step[i];
        for (int sub = 0; sub < n_step; sub++, i_step++) {
            eval_step(rod, element, x_middle, a + (b - a) * sub / n_step,
                      a + (b - a) * (sub + 1) / n_step, n_col, t->n_lane, t->scratch,
                      t->step + i_step, t->ref + i_step);
        }
        if (i < n) {
            t->gamma_ref[i] = elv_vec3(elv_law_value(rod->reference[ELV_STRAIN_STRETCH], 0.0, b),
                                       elv_law_value(rod->reference[ELV_STRAIN_SHEAR_Y], 0.0, b),
                                       elv_law_value(rod->reference[ELV_STRAIN_SHEAR_Z], 0.0, b));
            double* phi = t->phi + (size_t)i * (size_t)n_col;
            elv_rod_eval_columns(element, b, x_middle, phi);
            // lanes past the last node repeat it (base/real4.h)
            for (int lane = i; lane < (i == n - 1 ? elv_padded(n) : i + 1); lane++) {
                for (int k = 0; k < n_col; k++) {
                    t->phi_lane[k * elv_padded(n) + lane] = phi[k];
                }
            }
        }
    }
}

ElvStatus elv_rod_segment_init(ElvRodSegment* segment,
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
    int n = choose_nodes(rod, element, s0, s1, n_motion);
    int n_col = elv_rod_list_columns(element, x_middle, NULL, NULL);
    SegmentTables t;
    if (!take_tables(&t, n, n_col, pool)) {
        return elv_error_set(error, ELV_ERROR_MEMORY, rod->name, "", "out of memory");
    }
    bool is_known = n_motion > 0 && elv_rod_motion_is_whole(rod, element);
    fill_tables(&t, rod, element, n, n_col, s0, s1, is_known);
    ElvRodSegment result = {.i_element = i_element,
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
                            .phi_lane = t.phi_lane,
                            .x = t.x,
                            .w = t.w,
                            .C = t.C,
                            .n_step = t.n_step,
                            .n_lane = t.n_lane,
                            .step = t.step,
                            .ref = t.ref,
                            .gamma_ref = t.gamma_ref};
    elv_rod_list_runs(&result);
    *segment = result;
    return ELV_OK;
}
