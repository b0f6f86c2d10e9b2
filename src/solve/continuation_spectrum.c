// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of the tangent stiffness at a place of a path, on the motions that constraints leave, and its
// determinant there, in a basis of unit length:
//     det(Z^T K Z) / det(Z^T Z)
// Neutral motions cost nothing all along a path; their eigenvalues change sign by rounding, and do not count.
// Where another one vanishes as well, the null vectors mix: what is looked for has no part in those motions
// that were neutral beside.
#include "solve/continuation.h"

#include "linalg/cholesky.h"
#include "linalg/eigen.h"
#include "linalg/lu.h"
#include "multibody/data.h"

#include <math.h>
#include <string.h>

/// Eigenvalues below this fraction of the smallest other one are zero.
static const double NEUTRAL = 1e-9;

enum { MAX_CANDIDATE = ELV_NEUTRAL_MAX + 1 };

// ---- neutral motions

// chart coordinates (n), with the dependent ones, of a vector of the coordinates that are left
static void spread_vector(const ElvContinuation* c, const double* x, double* to) {
    const ElvMatrices* matrices = &c->matrices;
    const ElvBorder* border = &matrices->border;
    size_t n = (size_t)matrices->n;
    memset(to, 0, (size_t)c->n * sizeof(double));
    for (size_t k = 0; k < n; k++) {
        to[matrices->index[k]] = x[k];
    }
    // dependent coordinates have no place in index any more
    int at = 0;
    for (int i = 0; i < c->model->nv && border->n_rigid > 0; i++) {
        if (c->model->is_driven[i]) {
            continue;
        }
        to[i] = 0.0;
        for (size_t k = 0; k < n; k++) {
            to[i] += border->Z[(size_t)at * n + k] * x[k];
        }
        at++;
    }
}

// how many eigenvalues are zero but for rounding
static int count_zeros(const ElvContinuation* c) {
    const ElvPencil* pencil = &c->pencil;
    int n = 0;
    for (int i = 0; i < pencil->n_finite && c->model->is_constrained; i++) {
        double zero = elv_matrices_zero(&c->matrices, pencil, i, NEUTRAL);
        n += fabs(pencil->value[i]) <= zero ? 1 : 0;
    }
    return n < ELV_NEUTRAL_MAX ? n : ELV_NEUTRAL_MAX;
}

// take eigenvalue i behind the last that counts
static void set_aside(ElvContinuation* c, int i) {
    size_t n = (size_t)c->pencil.n;
    for (int k = i; k + 1 < c->n_counted; k++) {
        double value = c->pencil.value[k];
        double* row = c->pencil.vector + (size_t)k * n;
        c->pencil.value[k] = c->pencil.value[k + 1];
        c->pencil.value[k + 1] = value;
        for (size_t j = 0; j < n; j++) {
            double entry = row[j];
            row[j] = row[n + j];
            row[n + j] = entry;
        }
    }
    c->n_counted--;
}

// the neutral motions of a place, of unit length and normal to each other
static void keep_neutral(ElvContinuation* c, ElvPlace* place) {
    size_t n = (size_t)c->n;
    for (int i = 0; i < place->n_neutral; i++) {
        double* own = place->neutral + (size_t)i * n;
        spread_vector(c, c->pencil.vector + (size_t)(c->n_counted + i) * (size_t)c->pencil.n, own);
        for (int k = 0; k < i; k++) {
            const double* other = place->neutral + (size_t)k * n;
            double along = elv_continuation_product(c, own, other);
            for (size_t j = 0; j < n; j++) {
                own[j] -= along * other[j];
            }
        }
        double length = sqrt(elv_continuation_product(c, own, own));
        for (size_t j = 0; j < n && length > 0.0; j++) {
            own[j] /= length;
        }
    }
}

// the smallest eigenvalues are neutral, as many as there are
static void part_neutral(ElvContinuation* c, ElvPlace* place) {
    int n_zero = c->n_neutral >= 0 ? c->n_neutral : count_zeros(c);
    c->n_counted = c->pencil.n_finite;
    place->n_neutral = n_zero < c->n_counted ? n_zero : c->n_counted;
    for (int k = 0; k < place->n_neutral; k++) {
        int smallest = 0;
        for (int i = 1; i < c->n_counted; i++) {
            bool is_smaller = fabs(c->pencil.value[i]) < fabs(c->pencil.value[smallest]);
            smallest = is_smaller ? i : smallest;
        }
        set_aside(c, smallest);
    }
    keep_neutral(c, place);
}

// ---- the determinant

// of matrices->K as it is, after the projection
static void find_determinant(ElvContinuation* c, ElvPlace* place) {
    const ElvBorder* border = &c->matrices.border;
    size_t m = (size_t)c->matrices.n;
    size_t n = m + (size_t)border->n_rigid;
    int* pivot = c->problem.data->free_index;
    double* LU = border->scratch;
    double* gram = LU + m * m;
    memcpy(LU, c->matrices.K, m * m * sizeof *LU);
    place->sign = 1;
    place->log_det = 0.0;
    if (elv_lu_factor((int)m, LU, pivot) >= 0) {
        place->log_det = -INFINITY;
        return;
    }
    for (size_t k = 0; k < m; k++) {
        double entry = LU[k * m + k];
        place->sign = (pivot[k] != (int)k) != (entry < 0.0) ? -place->sign : place->sign;
        place->log_det += log(fabs(entry));
    }
    if (border->n_rigid == 0) {
        return;
    }
    memset(gram, 0, m * m * sizeof *gram);
    for (size_t j = 0; j < n; j++) {
        const double* row = border->Z + j * m;
        for (size_t i = 0; i < m; i++) {
            for (size_t k = 0; k < m && row[i] != 0.0; k++) {
                gram[i * m + k] += row[i] * row[k];
            }
        }
    }
    if (elv_cholesky_factor((int)m, gram) < 0) {
        for (size_t k = 0; k < m; k++) {
            place->log_det -= 2.0 * log(gram[k * m + k]);
        }
    }
}

// ---- the spectrum

void elv_continuation_spectrum(ElvContinuation* c, ElvPlace* place) {
    ElvMatrices* matrices = &c->matrices;
    place->n_negative = -1;
    place->eigenvalue = NAN;
    place->n_neutral = 0;
    c->pencil.n_finite = c->n_counted = 0;
    if (elv_matrices_fill(c->model, c->problem.data, place->state, matrices, NULL) != ELV_OK) {
        return;
    }
    elv_matrices_project(c->model, matrices);
    size_t n = (size_t)matrices->n;
    if (n == 0) {
        // nothing is left to move
        place->eigenvalue = 0.0;
        place->n_negative = 0;
        return;
    }
    if (c->model->is_constrained) {
        find_determinant(c, place);
    }
    bool is_symmetric = elv_is_symmetric(matrices->n, matrices->K, matrices->M);
    // the damping is not asked for
    memcpy(matrices->D, matrices->K, n * n * sizeof *matrices->K);
    elv_symmetrise(matrices->n, matrices->K);
    elv_symmetrise(matrices->n, matrices->M);
    // tendons that go slack or taut change the number of coordinates that are left
    c->pencil.n = matrices->n;
    place->eigenvalue = elv_pencil_smallest(&c->pencil, matrices->K, matrices->M);
    part_neutral(c, place);
    // what is neutral leaves the determinant no sign
    place->sign = place->n_neutral > 0 ? 0 : place->sign;
    place->eigenvalue = c->n_counted > 0 ? c->pencil.value[0] : place->eigenvalue;
    place->n_negative = is_symmetric && c->pencil.n_finite > 0 ? 0 : -1;
    for (int i = 0; i < c->n_counted && place->n_negative >= 0; i++) {
        place->n_negative += c->pencil.value[i] < 0.0 ? 1 : 0;
    }
}

// ---- null vectors

// by inverse iteration with the tangent, in problem.trial; for loads without potential
static void iterate_null(ElvContinuation* c, double* x) {
    ElvProblem* problem = &c->problem;
    (void)elv_continuation_tangent(c, &c->found);
    memset(problem->trial, 0, (size_t)c->n * sizeof(double));
    for (int i = 0; i < c->model->nv; i++) {
        problem->trial[i] = c->model->is_driven[i] ? 0.0 : 1.0 / (1.0 + (double)(i % 7));
    }
    for (int i = 0; i < 4; i++) {
        elv_problem_solve(problem, problem->trial, problem->d_next);
        double unit = sqrt(elv_continuation_product(c, problem->d_next, problem->d_next));
        for (int k = 0; k < c->model->nv; k++) {
            problem->trial[k] = unit > 0.0 ? problem->d_next[k] / unit : problem->trial[k];
        }
    }
    for (int k = 0; k < c->matrices.n; k++) {
        x[k] = problem->trial[c->matrices.index[k]];
    }
}

// of n candidates, rows of m, the sum that has no part in the neutral motions of a place, into x
static void
mix(ElvContinuation* c, int n, const double* candidate, const ElvPlace* place, double* x) {
    double overlap[MAX_CANDIDATE * MAX_CANDIDATE] = {0.0};
    double value[MAX_CANDIDATE];
    double vector[MAX_CANDIDATE * MAX_CANDIDATE] = {0.0};
    size_t m = (size_t)c->matrices.n;
    for (int k = 0; k < n; k++) {
        spread_vector(c, candidate + (size_t)k * m, c->null_vector);
        for (int i = 0; i < place->n_neutral && i < n; i++) {
            const double* neutral = place->neutral + (size_t)i * (size_t)c->n;
            overlap[i * n + k] = elv_continuation_product(c, neutral, c->null_vector);
        }
    }
    bool is_mixed = n > 1 && elv_eigen_singular(n, overlap, value, vector);
    for (size_t j = 0; j < m; j++) {
        x[j] = is_mixed ? 0.0 : candidate[j];
        for (int k = 0; k < n && is_mixed; k++) {
            x[j] += vector[(n - 1) * n + k] * candidate[(size_t)k * m + j];
        }
    }
}

void elv_continuation_null(ElvContinuation* c, int i, const ElvPlace* other) {
    ElvMatrices* matrices = &c->matrices;
    size_t n = (size_t)matrices->n;
    double* x = c->problem.before;
    int n_aside = other->n_neutral < matrices->n ? other->n_neutral : 0;
    if (i >= 0) {
        set_aside(c, i);
        mix(c, c->pencil.n_finite - c->n_counted, c->pencil.vector + (size_t)c->n_counted * n,
            other, x);
    } else if (c->model->is_constrained &&
               elv_eigen_singular(matrices->n, matrices->D, matrices->vector, matrices->full)) {
        mix(c, n_aside + 1, matrices->full + (n - 1 - (size_t)n_aside) * n, other, x);
    } else {
        iterate_null(c, x);
    }
    size_t largest = 0;
    for (size_t k = 1; k < n; k++) {
        largest = fabs(x[k]) > 1.0001 * fabs(x[largest]) ? k : largest;
    }
    for (size_t k = 0; k < n; k++) {
        c->problem.trial[k] = x[largest] < 0.0 ? -x[k] : x[k];
    }
    spread_vector(c, c->problem.trial, c->null_vector);
    elv_matrices_velocities(matrices, c->model->nv, c->problem.trial, c->shape);
}
