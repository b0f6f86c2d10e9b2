// SPDX-License-Identifier: Apache-2.0
// Cutting a rod into smooth segments and tabulating the basis on their nodes.
#ifndef ELVER_ROD_ROD_SEGMENT_H
#define ELVER_ROD_ROD_SEGMENT_H

#include "rod/rod.h"

enum { ELV_MAX_BREAKS = 4096 };

/// Stations at which a segment must end, sorted and distinct, 0 and 1 included; returns their
/// number, or -1 when there are more than ELV_MAX_BREAKS.
int elv_rod_breaks(const ElvRod* rod,
                   const ElvCrossSection* section,
                   const ElvRodFields* fields,
                   double* breaks);

/// Fill one segment from s0 to s1 with nodes, weights and basis values. n_motion: nodes that its imposed strains ask
/// for, 0 if there are none.
ELV_NODISCARD ElvStatus elv_rod_segment_init(ElvRodSegment* segment,
                                             const ElvRod* rod,
                                             int i_node,
                                             double s0,
                                             double s1,
                                             int n_motion,
                                             ElvPool* pool,
                                             ElvError* error);

// what the segments of both methods share

/// Element whose inside holds s.
int elv_rod_element_at(const ElvRod* rod, double s);

/// Port at station s (the root's excepted), or -1.
int elv_rod_port_at(const ElvRod* rod, double s);

/// List the columns of Phi that act on a segment whose middle is x_middle (element coordinate) and
/// the strain of each; with col NULL only count them.
int elv_rod_list_columns(const ElvRodElement* element, double x_middle, int* col, int* strain_of);

/// Gather a segment's columns by strain.
void elv_rod_list_runs(ElvRodSegment* segment);

/// Values of the active columns at station s.
void elv_rod_eval_columns(const ElvRodElement* element, double s, double x_middle, double* phi);

/// Segments begin … end - 1 and their nodes first … last - 1.
typedef struct {
    int begin, end;
    int first, last;
} ElvRodSpan;

/// What lies between two stations at which segments end.
ElvRodSpan elv_rod_span(const ElvRod* rod, double from, double to);

/// Phi x of one node, phi its values of the active columns.
static inline ElvTwist
elv_rod_combine(const ElvRodSegment* seg, const double* phi, const double* x) {
    double strain[ELV_N_STRAIN] = {0.0};
    for (int k = 0; k < seg->n_col; k++) {
        strain[seg->strain[k]] += phi[k] * x[seg->col[k]];
    }
    return elv_twist_from_array(strain);
}

/// Ad_g e_strain: twist beyond a section of pose g per unit of a strain there and metre.
static inline ElvTwist elv_rod_screw(const ElvPose* g, int strain) {
    ElvVec3 column = elv_mat3_column(g->R, strain % 3);
    if (strain < ELV_STRAIN_STRETCH) {
        return elv_twist(column, elv_vec3_cross(g->p, column));
    }
    return elv_twist(elv_vec3(0.0, 0.0, 0.0), column);
}

/// y -= A x, A (n x n).
static inline void elv_rod_subtract_product(int n, const double* A, const double* x, double* y) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            sum += A[(size_t)i * (size_t)n + (size_t)j] * x[j];
        }
        y[i] -= sum;
    }
}

/// Q += factor Phi^T stress at node i of a segment.
static inline void
elv_rod_project(const ElvRodSegment* seg, int i, double factor, const double stress[6], double* Q) {
    const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
    for (int k = 0; k < seg->n_col; k++) {
        Q[seg->col[k]] += factor * phi[k] * stress[seg->strain[k]];
    }
}

/// K += factor Phi^T H Phi at node i of a segment; K (n_v x n_v). In rod_build.c.       [P20 (26)]
void elv_rod_add_generalised(
    const ElvRodSegment* segment, int i, int n_v, double factor, const ElvMat6* H, double* K);

#endif
