// SPDX-License-Identifier: Apache-2.0
// Capstan friction: along a fibre with r' = R c the direction turns per metre of X by
//     omega = |c x e| / |c|^2,  e = c' + K x c,  c' = Gamma' + K' x D + K x D' + D''
// (the curvature of the fibre times its stretch), and theta = integral of omega since it entered. The
// norm is rounded off, sqrt(|.|^2 + eps^2) - eps with eps = 1e-6 / length, so that a straight fibre has
// a derivative: that lowers theta by less than 1e-6 over the rod. Strains are differentiated by the
// polynomials through the nodes, exactly for polynomial bases.
#include "rod/fibre_friction.h"

#include "linalg/barycentric.h"
#include "linalg/quadrature.h"
#include "rod/rod_active.h"

#include <math.h>
#include <string.h>

// turning per metre below which a fibre counts as straight, per length of the rod
static const double STRAIGHT = 1e-6;

// c, e and the vector c x e / |c|^2
typedef struct {
    ElvVec3 c, e, turn;
    double omega, root; // root = sqrt(|turn|^2 + eps^2)
} Turning;

static Turning
turning_at(const ElvRod* rod, const ElvRodWork* work, const ElvFibre* fibre, int i_node) {
    const ElvFibreNode* node = &fibre->node[i_node];
    ElvTwist xi = work->active->xi[i_node];
    ElvTwist xi_ds = work->active->xi_ds[i_node];
    Turning x;
    x.c = elv_vec3_add(elv_vec3_add(xi.lin, elv_vec3_cross(xi.ang, node->D)), node->D_ds);
    ElvVec3 c_ds = elv_vec3_add(xi_ds.lin, elv_vec3_cross(xi_ds.ang, node->D));
    c_ds = elv_vec3_add(c_ds, elv_vec3_add(elv_vec3_cross(xi.ang, node->D_ds), node->D_dds));
    x.e = elv_vec3_add(c_ds, elv_vec3_cross(xi.ang, x.c));
    x.turn = elv_vec3_scale(1.0 / elv_vec3_dot(x.c, x.c), elv_vec3_cross(x.c, x.e));
    double eps = STRAIGHT / rod->length;
    x.root = sqrt(elv_vec3_dot(x.turn, x.turn) + eps * eps);
    x.omega = x.root - eps;
    return x;
}

// derivative of omega by the strain and by its derivative, 6 each
static void turning_gradient(
    const Turning* x, const ElvFibreNode* node, ElvVec3 K, double by_xi[6], double by_xi_ds[6]) {
    double ll = elv_vec3_dot(x->c, x->c);
    ElvVec3 n = elv_vec3_scale(1.0 / x->root, x->turn);
    // by e, and by c: the product, the denominator, and K x c in e
    ElvVec3 by_e = elv_vec3_scale(1.0 / ll, elv_vec3_cross(n, x->c));
    ElvVec3 by_c = elv_vec3_scale(1.0 / ll, elv_vec3_cross(x->e, n));
    by_c = elv_vec3_add_scaled(by_c, -2.0 * elv_vec3_dot(n, x->turn) / ll, x->c);
    by_c = elv_vec3_add(by_c, elv_vec3_cross(by_e, K));
    // K is in c, beside D' and before c in e
    ElvVec3 by_K = elv_vec3_add(elv_vec3_cross(node->D, by_c), elv_vec3_cross(node->D_ds, by_e));
    by_K = elv_vec3_add(by_K, elv_vec3_cross(x->c, by_e));
    elv_wrench_to_array(elv_wrench(by_K, by_c), by_xi);
    elv_wrench_to_array(elv_wrench(elv_vec3_cross(node->D, by_e), by_e), by_xi_ds);
}

// part of the integral of omega from where a fibre enters a segment to node i that node j brings
static double share(const ElvRodSegment* seg, bool is_reversed, int i, int j) {
    double C = seg->C[i * seg->n_node + j];
    return seg->h * (is_reversed ? seg->w[j] - C : C);
}

double elv_fibre_turn(const ElvRod* rod, ElvRodWork* work, const ElvFibre* fibre) {
    ElvRodActiveWork* w = work->active;
    bool is_reversed = fibre->def.is_reversed;
    double start = 0.0;
    for (int k = 0; k < fibre->span.end - fibre->span.begin; k++) {
        const ElvRodSegment* seg =
            &rod->segment[is_reversed ? fibre->span.end - 1 - k : fibre->span.begin + k];
        const double* omega = w->omega + seg->i_node;
        double end = start;
        for (int j = 0; j < seg->n_node; j++) {
            w->omega[seg->i_node + j] = turning_at(rod, work, fibre, seg->i_node + j).omega;
            end += seg->h * seg->w[j] * omega[j];
        }
        for (int i = 0; i < seg->n_node; i++) {
            double theta = start;
            for (int j = 0; j < seg->n_node; j++) {
                theta += share(seg, is_reversed, i, j) * omega[j];
            }
            w->theta[seg->i_node + i] = theta;
        }
        start = end;
    }
    return start;
}

double
elv_fibre_angle_at(const ElvRod* rod, const ElvRodWork* work, const ElvFibre* fibre, double s) {
    int i_segment = fibre->span.begin;
    while (i_segment < fibre->span.end - 1 && s >= rod->segment[i_segment].s1) {
        i_segment++;
    }
    const ElvRodSegment* seg = &rod->segment[i_segment];
    double row[ELV_MAX_QUADRATURE];
    double theta = 0.0;
    elv_barycentric_interpolation(seg->n_node, seg->x, (s - seg->s0) / (seg->s1 - seg->s0), row);
    for (int j = 0; j < seg->n_node; j++) {
        theta += row[j] * work->active->theta[seg->i_node + j];
    }
    return theta;
}

// omega_dq: derivative of omega at the nodes of a segment by its active columns
static void
segment_gradients(const ElvRod* rod, ElvRodWork* work, const ElvFibre* fibre, int i_segment) {
    const ElvRodSegment* seg = &rod->segment[i_segment];
    ElvRodActiveWork* w = work->active;
    const double* phi_ds = rod->active->phi_ds + rod->active->i_phi_ds[i_segment];
    for (int j = 0; j < seg->n_node; j++) {
        int i_node = seg->i_node + j;
        double by_xi[6], by_xi_ds[6];
        Turning x = turning_at(rod, work, fibre, i_node);
        turning_gradient(&x, &fibre->node[i_node], w->xi[i_node].ang, by_xi, by_xi_ds);
        for (int k = 0; k < seg->n_col; k++) {
            int strain = seg->strain[k];
            size_t at = (size_t)j * (size_t)seg->n_col + (size_t)k;
            w->omega_dq[at] = by_xi[strain] * seg->phi[at] + by_xi_ds[strain] * phi_ds[at];
        }
    }
}

// carry the derivative of theta to where the path leaves the segment
static void
pass_segment(const ElvRod* rod, ElvRodWork* work, const ElvFibre* fibre, int i_segment) {
    const ElvRodSegment* seg = &rod->segment[i_segment];
    ElvRodActiveWork* w = work->active;
    segment_gradients(rod, work, fibre, i_segment);
    for (int j = 0; j < seg->n_node; j++) {
        for (int k = 0; k < seg->n_col; k++) {
            w->theta_dq[seg->col[k]] += seg->h * seg->w[j] * w->omega_dq[j * seg->n_col + k];
        }
    }
}

void elv_fibre_friction_begin(const ElvRod* rod, ElvRodWork* work) {
    memset(work->active->theta_dq, 0, (size_t)rod->joint.n_v * sizeof(double));
}

void elv_fibre_friction_segment(
    const ElvRod* rod, ElvRodWork* work, const ElvFibre* fibre, int i_segment, double* Qq) {
    const ElvRodSegment* seg = &rod->segment[i_segment];
    ElvRodActiveWork* w = work->active;
    int n_v = rod->joint.n_v;
    double mu = fibre->def.friction;
    // d_T = -mu T d_theta: what theta has when it enters acts on all forces of the segment
    for (int k = 0; k < seg->n_col; k++) {
        double sum = 0.0;
        for (int i = 0; i < seg->n_node; i++) {
            sum += w->force[i * seg->n_col + k];
        }
        double* row = Qq + (size_t)seg->col[k] * (size_t)n_v;
        for (int l = 0; l < n_v; l++) {
            row[l] -= mu * sum * w->theta_dq[l];
        }
    }
    // what node j adds to theta acts on the forces beyond it
    pass_segment(rod, work, fibre, i_segment);
    for (int j = 0; j < seg->n_node; j++) {
        memset(w->row, 0, (size_t)seg->n_col * sizeof *w->row);
        for (int i = 0; i < seg->n_node; i++) {
            double factor = mu * share(seg, fibre->def.is_reversed, i, j);
            for (int k = 0; k < seg->n_col; k++) {
                w->row[k] += factor * w->force[i * seg->n_col + k];
            }
        }
        for (int k = 0; k < seg->n_col; k++) {
            double* row = Qq + (size_t)seg->col[k] * (size_t)n_v;
            for (int l = 0; l < seg->n_col; l++) {
                row[seg->col[l]] -= w->row[k] * w->omega_dq[j * seg->n_col + l];
            }
        }
    }
}

double
elv_fibre_factor(const ElvRod* rod, ElvRodWork* work, const ElvFibre* fibre, double* d_factor) {
    memset(d_factor, 0, (size_t)rod->joint.n_v * sizeof *d_factor);
    if (!elv_fibre_has_friction(fibre)) {
        return 1.0;
    }
    double factor = exp(-fibre->def.friction * elv_fibre_turn(rod, work, fibre));
    elv_fibre_friction_begin(rod, work);
    for (int i = fibre->span.begin; i < fibre->span.end; i++) {
        pass_segment(rod, work, fibre, i);
    }
    for (int k = 0; k < rod->joint.n_v; k++) {
        d_factor[k] = -fibre->def.friction * factor * work->active->theta_dq[k];
    }
    return factor;
}
