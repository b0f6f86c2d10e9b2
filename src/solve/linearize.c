// SPDX-License-Identifier: Apache-2.0
// M, D and K of a tree about a state, from the exact tangent [P23 (14)-(19)]: with velocities that vary
// by a d_nu and accelerations that vary by b d_nu the tangent of the residual is
//     T(a, b) = K + a D + b M
// so that three of them give the three matrices. With a and b as powers of two far above any ratio
// of the matrices, K drops out of D and M by rounding, where a = b = 1 would drown a small M in a large K;
// with a as far below, D drops out of K. (a = b = 0 is statics, where velocities do not count.) The rows of
// devices' equations come apart in the same way.
#include "solve/linearize.h"

#include "elver/analysis.h"
#include "multibody/device.h"
#include "multibody/rod_contact.h"
#include "multibody/tidm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FAR = 0x1p+200;
static const double NEAR = 0x1p-200;

/// Asymmetry, relative, from which on the loads have no potential.
static const double ASYMMETRY = 1e-5;

/// Relative to the stiffness of two coordinates, what rounding may leave.
static const double ROUNDING = 1e-12;

/// What constraint forces leave uncertain in the stiffness of a closed robot: they are as good as its equilibrium.
static const double CLOSED = 1e-8;

// number and list of the components that move
static int list_moving(const ElvModel* model, int* index) {
    int n = 0;
    for (int i = 0; i < model->nv; i++) {
        if (!model->is_driven[i]) {
            index[n++] = i;
        }
    }
    return n;
}

ElvStatus elv_matrices_create(const ElvModel* model, ElvMatrices* matrices, ElvError* error) {
    size_t nv = (size_t)model->nv;
    memset(matrices, 0, sizeof *matrices);
    ElvStatus status = elv_rod_contact_refuse(model, error);
    if (status == ELV_OK) {
        status = elv_model_refuse_volume(model, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    matrices->index = calloc(nv + 1, sizeof *matrices->index);
    matrices->n = matrices->index ? list_moving(model, matrices->index) : 0;
    size_t n = (size_t)matrices->n;
    matrices->K = calloc(4 * n * n + nv * n + nv * nv + 2 * nv + 1, sizeof *matrices->K);
    if (!matrices->K || !matrices->index) {
        elv_matrices_free(matrices);
        (void)elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
        return ELV_ERROR_MEMORY;
    }
    status = elv_linear_border_create(model, matrices->n, &matrices->border, error);
    if (status != ELV_OK) {
        elv_matrices_free(matrices);
        return status;
    }
    matrices->D = matrices->K + n * n;
    matrices->M = matrices->D + n * n;
    matrices->S = matrices->M + n * n;
    matrices->N = matrices->S + n * n;
    matrices->full = matrices->N + nv * n;
    matrices->vector = matrices->full + nv * nv;
    return ELV_OK;
}

void elv_matrices_free(ElvMatrices* matrices) {
    free(matrices->index);
    free(matrices->K);
    elv_linear_border_free(&matrices->border);
    memset(matrices, 0, sizeof *matrices);
}

void elv_pull_back(const ElvModel* model, const ElvData* data, int n_column, double* X) {
    size_t stride = (size_t)n_column;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        const double* N0 = data->unknown[j].N0;
        int n = node->joint->n_v;
        for (size_t column = 0; column < stride && N0; column++) {
            double turned[6] = {0.0};
            double* entry = X + (size_t)node->i_v * stride + column;
            for (int k = 0; k < n; k++) {
                for (int i = 0; i < n; i++) {
                    turned[k] += N0[i * n + k] * entry[(size_t)i * stride];
                }
            }
            for (int k = 0; k < n; k++) {
                entry[(size_t)k * stride] = turned[k];
            }
        }
    }
}

// T(a, b) of the components that move, in the chart's own coordinates
static void fill_tangent(const ElvModel* model,
                         ElvData* data,
                         const ElvState* state,
                         double a,
                         double b,
                         const ElvMatrices* matrices,
                         double* T) {
    size_t n = (size_t)matrices->n;
    size_t nv = (size_t)model->nv;
    memset(matrices->vector, 0, nv * sizeof *matrices->vector);
    elv_tidm_pass(model, data, state, matrices->vector, a, b);
    elv_tidm_matrix(model, data, matrices->full);
    elv_pull_back(model, data, model->nv, matrices->full);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            T[i * n + k] =
                matrices->full[(size_t)matrices->index[i] * nv + (size_t)matrices->index[k]];
        }
    }
}

// place of a velocity component among those that move, or -1
static int place_of(const ElvMatrices* matrices, int i_v) {
    for (int i = 0; i < matrices->n; i++) {
        if (matrices->index[i] == i_v) {
            return i;
        }
    }
    return -1;
}

// v = N nu_dot, and S: a rotation seen from axes that turn with Omega has d_Theta_dot = d_Omega -
// Omega x d_Theta; both after the static tangent
static void fill_chart(const ElvModel* model, const ElvData* data, ElvMatrices* matrices) {
    size_t n = (size_t)matrices->n;
    memset(matrices->N, 0, (size_t)model->nv * n * sizeof *matrices->N);
    memset(matrices->S, 0, n * n * sizeof *matrices->S);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        const ElvUnknown* unknown = &data->unknown[j];
        int n_v = node->joint->n_v;
        int place = n_v > 0 ? place_of(matrices, node->i_v) : -1;
        for (int i = 0; i < n_v && place >= 0; i++) {
            for (int k = 0; k < n_v; k++) {
                size_t at = (size_t)(node->i_v + i) * n + (size_t)(place + k);
                double unit = i == k ? 1.0 : 0.0;
                matrices->N[at] = unknown->N0 ? unknown->N0[i * n_v + k] : unit;
                if (unknown->N0 && unknown->N1 && i < 3 && k < 3) {
                    matrices->S[(size_t)(place + i) * n + (size_t)(place + k)] =
                        unknown->N1[i * n_v + k] - NEAR * unknown->N0[i * n_v + k];
                }
            }
        }
    }
}

// X := (X - K) / FAR
static void take_off(size_t n, const double* K, double* X) {
    for (size_t i = 0; i < n; i++) {
        X[i] = (X[i] - K[i]) / FAR;
    }
}

ElvStatus elv_matrices_fill(const ElvModel* model,
                            ElvData* data,
                            const ElvState* state,
                            ElvMatrices* matrices,
                            ElvError* error) {
    ElvBorder* border = &matrices->border;
    matrices->n = list_moving(model, matrices->index);
    int n = matrices->n;
    size_t size = (size_t)n * (size_t)n;
    elv_residual(model, data, state, matrices->vector);
    elv_channel_pass(model, data, state);
    fill_tangent(model, data, state, FAR, 0.0, matrices, matrices->D);
    elv_linear_border_rows(model, data, state, n, matrices->index, border->C_w);
    fill_tangent(model, data, state, 0.0, FAR, matrices, matrices->M);
    fill_tangent(model, data, state, NEAR, 0.0, matrices, matrices->K);
    elv_linear_border_rows(model, data, state, n, matrices->index, border->C);
    elv_linear_border_columns(model, data, state, n, matrices->index, border);
    take_off(size, matrices->K, matrices->D);
    take_off(size, matrices->K, matrices->M);
    take_off((size_t)border->nz * (size_t)n, border->C, border->C_w);
    fill_chart(model, data, matrices);
    return elv_linear_border_condense(model, data, state, n, matrices->M, matrices->K, matrices->D,
                                      border, error);
}

// ---- rigid constraints

// to = L^T X R with L, R (n x m), which are 1 at the free coordinates; scratch (m x n)
static void project(const ElvBorder* border,
                    size_t n,
                    const double* L,
                    const double* X,
                    const double* R,
                    double* scratch,
                    double* to) {
    size_t m = (size_t)border->n_free;
    for (size_t i = 0; i < m; i++) {
        double* row = scratch + i * n;
        memcpy(row, X + (size_t)border->free_index[i] * n, n * sizeof *row);
        for (int j = 0; j < border->n_rigid; j++) {
            size_t bound = (size_t)border->bound[j];
            double factor = L[bound * m + i];
            for (size_t k = 0; k < n && factor != 0.0; k++) {
                row[k] += factor * X[bound * n + k];
            }
        }
    }
    for (size_t i = 0; i < m; i++) {
        const double* row = scratch + i * n;
        for (size_t k = 0; k < m; k++) {
            double sum = row[border->free_index[k]];
            for (int j = 0; j < border->n_rigid; j++) {
                size_t bound = (size_t)border->bound[j];
                sum += row[bound] * R[bound * m + k];
            }
            to[i * m + k] = sum;
        }
    }
}

// X := X R, rows of n shortened to m, with R (n x m); scratch (m)
static void
shorten_rows(size_t n_row, size_t n, size_t m, const double* R, double* scratch, double* X) {
    for (size_t i = 0; i < n_row; i++) {
        for (size_t k = 0; k < m; k++) {
            scratch[k] = 0.0;
            for (size_t j = 0; j < n; j++) {
                scratch[k] += X[i * n + j] * R[j * m + k];
            }
        }
        memcpy(X + i * m, scratch, m * sizeof *X);
    }
}

// X := L^T X, columns of n shortened to m
static void
shorten_columns(size_t n_column, size_t n, size_t m, const double* L, double* scratch, double* X) {
    for (size_t k = 0; k < n_column; k++) {
        for (size_t i = 0; i < m; i++) {
            scratch[i] = 0.0;
            for (size_t j = 0; j < n; j++) {
                scratch[i] += L[j * m + i] * X[j * n_column + k];
            }
        }
        for (size_t i = 0; i < m; i++) {
            X[i * n_column + k] = scratch[i];
        }
    }
}

void elv_matrices_project(const ElvModel* model, ElvMatrices* matrices) {
    ElvBorder* border = &matrices->border;
    if (border->n_rigid == 0) {
        return;
    }
    size_t n = (size_t)matrices->n;
    size_t m = (size_t)border->n_free;
    size_t nz = (size_t)border->nz;
    double* scratch = border->scratch;
    double* X[] = {matrices->K, matrices->D, matrices->M};
    for (int i = 0; i < 3; i++) {
        project(border, n, border->Y, X[i], border->Z, scratch, scratch + n * n);
        memcpy(X[i], scratch + n * n, m * m * sizeof *scratch);
    }
    // what is rigid does not turn: constraints are looked at at rest
    memset(matrices->S, 0, m * m * sizeof *matrices->S);
    shorten_rows((size_t)model->nv, n, m, border->Z, scratch, matrices->N);
    shorten_rows(nz, n, m, border->Z, scratch, border->C);
    shorten_rows(nz, n, m, border->Z, scratch, border->C_w);
    shorten_columns(nz, n, m, border->Y, scratch, border->B);
    for (size_t i = 0; i < m; i++) {
        matrices->index[i] = matrices->index[border->free_index[i]];
    }
    matrices->n = (int)m;
}

// ---- vectors

void elv_matrices_velocities(const ElvMatrices* matrices, int nv, const double* x, double* v) {
    size_t n = (size_t)matrices->n;
    for (size_t i = 0; i < (size_t)nv; i++) {
        v[i] = 0.0;
        for (size_t k = 0; k < n; k++) {
            v[i] += matrices->N[i * n + k] * x[k];
        }
    }
}

double
elv_matrices_zero(const ElvMatrices* matrices, const ElvPencil* pencil, int i, double fraction) {
    double zero = fmax(fraction * pencil->scale, pencil->noise[i]);
    bool is_closed = matrices->border.n_rigid > 0;
    return is_closed ? fmax(zero, elv_pencil_error(pencil, i, CLOSED)) : zero;
}

// ---- symmetry

// largest entry of row i, for coordinates of unit mass
static double row_size(size_t n, const double* K, const double* M, size_t i) {
    double largest = 0.0;
    for (size_t k = 0; k < n; k++) {
        double mass = M[i * n + i] * M[k * n + k];
        largest = mass > 0.0 ? fmax(largest, fabs(K[i * n + k]) / sqrt(mass)) : largest;
    }
    return largest;
}

// what rounding of two rows may cause where they meet
static double rounding_of(size_t n, const double* K, const double* M, size_t i, size_t k) {
    double unit = sqrt(fmax(M[i * n + i] * M[k * n + k], 0.0));
    return ROUNDING * unit * fmax(row_size(n, K, M, i), row_size(n, K, M, k));
}

bool elv_is_symmetric(int n, const double* K, const double* M) {
    size_t size = (size_t)n;
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k < i; k++) {
            double low = K[i * size + k];
            double high = K[k * size + i];
            double gap = fabs(low - high);
            double diagonal = sqrt(fabs(K[i * size + i]) * fabs(K[k * size + k]));
            if (!(gap <= ASYMMETRY * (diagonal + fabs(low) + fabs(high))) &&
                !(gap <= rounding_of(size, K, M, i, k))) {
                return false;
            }
        }
    }
    return true;
}

void elv_symmetrise(int n, double* A) {
    size_t size = (size_t)n;
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k < i; k++) {
            double mean = 0.5 * (A[i * size + k] + A[k * size + i]);
            A[i * size + k] = A[k * size + i] = mean;
        }
    }
}

// ---- the public form

static void spread(const ElvMatrices* matrices, int nv, const double* from, double* to) {
    size_t n = (size_t)matrices->n;
    memset(to, 0, (size_t)nv * (size_t)nv * sizeof *to);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            to[(size_t)matrices->index[i] * (size_t)nv + (size_t)matrices->index[k]] =
                from[i * n + k];
        }
    }
}

ElvStatus elv_tangent_matrices(const ElvModel* model,
                               ElvData* data,
                               const ElvState* state,
                               double* M,
                               double* D,
                               double* K,
                               ElvError* error) {
    ElvMatrices matrices;
    elv_error_clear(error);
    ElvStatus status = elv_matrices_create(model, &matrices, error);
    if (status != ELV_OK) {
        return status;
    }
    status = elv_matrices_fill(model, data, state, &matrices, error);
    const double* from[] = {matrices.M, matrices.D, matrices.K};
    double* to[] = {M, D, K};
    for (int i = 0; i < 3 && status == ELV_OK; i++) {
        if (to[i]) {
            spread(&matrices, model->nv, from[i], to[i]);
        }
    }
    elv_matrices_free(&matrices);
    return status;
}
