// SPDX-License-Identifier: Apache-2.0
// Linear ODEs on the Chebyshev grid of a segment                                         [P23 (67)].
//
// With D the differentiation matrix on [0, 1] and h the length of the segment, x' = A x + b holds at
// every node but the one where x is known:
//     sum_j D_ij x_j - h A_i x_i = h b_i
// whose term of the known node goes to the right. Unknowns are ordered node by node.
#include "rod/spectral.h"

#include "linalg/lu.h"

#include <math.h>
#include <string.h>

void elv_collocation_factor(const ElvRodSegment* segment, const double* A, ElvCollocation* system) {
    int n = segment->n_node;
    int dim = system->dim;
    int first = system->from_end ? 0 : 1;
    size_t size = (size_t)(n - 1) * (size_t)dim;
    memset(system->LU, 0, size * size * sizeof *system->LU);
    for (int i = 0; i < n - 1; i++) {
        for (int r = 0; r < dim; r++) {
            double* row = system->LU + (size_t)(i * dim + r) * size;
            const double* D = segment->D + (i + first) * n + first;
            for (int j = 0; j < n - 1; j++) {
                row[j * dim + r] = D[j];
            }
            const double* a = A + ((i + first) * dim + r) * dim;
            for (int c = 0; c < dim; c++) {
                row[i * dim + c] -= segment->h * a[c];
            }
        }
    }
    system->is_regular = elv_lu_factor((int)size, system->LU, system->pivot) < 0;
}

void elv_collocation_factor_cross(const ElvRodSegment* segment,
                                  const ElvTwist* xi,
                                  double* A,
                                  ElvCollocation* system) {
    for (int i = 0; i < segment->n_node; i++) {
        ElvMat3 minus_hat = elv_mat3_hat(elv_vec3_scale(-1.0, xi[i].ang));
        memcpy(A + 9 * i, &minus_hat.m[0][0], sizeof minus_hat.m);
    }
    elv_collocation_factor(segment, A, system);
}

void elv_collocation_solve(const ElvRodSegment* segment,
                           const ElvCollocation* system,
                           int m,
                           double* x) {
    int n = segment->n_node;
    int size = system->dim * m;
    int first = system->from_end ? 0 : 1;
    int i_known = system->from_end ? n - 1 : 0;
    const double* known = x + (size_t)i_known * (size_t)size;
    for (int i = first; i < n - 1 + first; i++) {
        double* row = x + (size_t)i * (size_t)size;
        double d = segment->D[i * n + i_known];
        for (int k = 0; k < size; k++) {
            row[k] = system->is_regular ? segment->h * row[k] - d * known[k] : (double)NAN;
        }
    }
    if (system->is_regular) {
        elv_lu_solve((n - 1) * system->dim, system->LU, system->pivot, m,
                     x + (size_t)first * (size_t)size);
    }
}
