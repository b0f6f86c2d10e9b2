// SPDX-License-Identifier: Apache-2.0
// [ALI (A.1)-(A.4)] word for word: with the dense Jacobian W of the constraints, made from Jacobians of
// frames,  tau_a = tau_a,tree - W_a^T W_p^-T tau_p,tree.
#ifndef ELVER_TESTS_INVERSE_CASE_H
#define ELVER_TESTS_INVERSE_CASE_H

#include "elver/inverse.h"
#include "model_case.h"

enum { INVERSE_MAX = 12 };

/// A row of W: direction . (velocity of second against first), of their origins or angular, world axes.
typedef struct {
    bool is_angular;
    ElvVec3 direction;
} InverseRow;

typedef struct {
    ModelCase model; // its state is the one of the solver
    ElvInverse* solver;
    double tau[INVERSE_MAX];
} InverseCase;

static inline void inverse_start(InverseCase* c) {
    ElvError error;
    CHECK_TRUE(c->model.nv <= INVERSE_MAX);
    CHECK_STATUS(elv_inverse_create(c->model.model, &c->solver, &error), &error);
}

static inline void inverse_solve(InverseCase* c, double t) {
    ElvError error;
    CHECK_STATUS(elv_inverse_at(c->solver, t, c->model.state, c->tau, &error), &error);
    CHECK_NEAR(c->model.state->t, t, 0.0);
}

static inline void inverse_close(InverseCase* c) {
    elv_inverse_free(c->solver);
    case_close(&c->model);
}

/// Rows of W (n_row x nv) between two frames.
static inline void inverse_rows(ModelCase* c,
                                const char* first,
                                const char* second,
                                const InverseRow* row,
                                int n_row,
                                double* W) {
    double J[6 * INVERSE_MAX];
    size_t nv = (size_t)c->nv;
    memset(W, 0, (size_t)n_row * nv * sizeof *W);
    for (int side = 0; side < 2; side++) {
        ElvFrame frame = case_frame(c, side == 0 ? first : second);
        elv_frame_jacobian(c->model, c->data, c->state, frame, J);
        ElvMat3 R = elv_frame_pose(c->model, c->data, frame).R;
        for (int i = 0; i < n_row; i++) {
            const double* block = J + (row[i].is_angular ? 0 : 3 * nv);
            for (size_t k = 0; k < nv; k++) {
                ElvVec3 v = elv_vec3(block[k], block[nv + k], block[2 * nv + k]);
                double own = elv_vec3_dot(row[i].direction, elv_mat3_apply(R, v));
                W[(size_t)i * nv + k] += side == 0 ? -own : own;
            }
        }
    }
}

/// Solve A x = b (n x n), in place, by elimination with row exchanges.
static inline void inverse_eliminate(int n, double A[][INVERSE_MAX], double* b) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        }
        for (int j = 0; j < n; j++) {
            double t = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = t;
        }
        double t = b[k];
        b[k] = b[best];
        b[best] = t;
        for (int i = k + 1; i < n; i++) {
            double factor = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) {
                A[i][j] -= factor * A[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            b[k] -= A[k][j] * b[j];
        }
        b[k] /= A[k][k];
    }
}

/// tau_a by [ALI (A.4)] for W (n_row x nv) with as many rows as passive joints, at the motion of the state.
static inline void inverse_literal(ModelCase* c, const double* W, int n_row, double* tau) {
    double tree[INVERSE_MAX];
    double A[INVERSE_MAX][INVERSE_MAX];
    double lambda[INVERSE_MAX];
    double z[64];
    int n_passive = 0;
    // the tree with the same motion: loops do not act
    size_t size = (size_t)c->state->nz * sizeof *z;
    CHECK_TRUE(c->state->nz <= 64);
    memcpy(z, c->state->z, size);
    memset(c->state->z, 0, size);
    elv_residual(c->model, c->data, c->state, tree);
    memcpy(c->state->z, z, size);
    // W_p^T lambda = -tau_p,tree                                                       [ALI (A.3)]
    for (int i = 0; i < c->nv; i++) {
        if (!elv_model_is_driven(c->model, i)) {
            for (int k = 0; k < n_row; k++) {
                A[n_passive][k] = W[k * c->nv + i];
            }
            lambda[n_passive++] = -tree[i];
        }
    }
    CHECK_TRUE(n_passive == n_row);
    inverse_eliminate(n_row, A, lambda);
    // tau_a = tau_a,tree + W_a^T lambda                                                [ALI (A.2)]
    for (int i = 0; i < c->nv; i++) {
        tau[i] = elv_model_is_driven(c->model, i) ? tree[i] : 0.0;
        for (int k = 0; k < n_row && elv_model_is_driven(c->model, i); k++) {
            tau[i] += W[k * c->nv + i] * lambda[k];
        }
    }
}

/// Velocities and accelerations against differences of eighth order of what they are rates of; joints with
/// scalar coordinates alone.
static inline void inverse_check_rates(InverseCase* c, double t, double h, double tol) {
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    double v[INVERSE_MAX], a[INVERSE_MAX];
    double v_rate[INVERSE_MAX] = {0.0};
    double q_rate[INVERSE_MAX] = {0.0};
    ElvState* state = c->model.state;
    size_t nv = (size_t)c->model.nv;
    CHECK_TRUE(state->nq == state->nv);
    inverse_solve(c, t);
    memcpy(v, state->v, nv * sizeof *v);
    memcpy(a, state->a, nv * sizeof *a);
    for (int k = 0; k < 8; k++) {
        double sign = k < 4 ? 1.0 : -1.0;
        inverse_solve(c, t + sign * h * (k % 4 + 1));
        for (size_t i = 0; i < nv; i++) {
            q_rate[i] += sign * weight[k % 4] / h * state->q[i];
            v_rate[i] += sign * weight[k % 4] / h * state->v[i];
        }
    }
    CHECK_ARRAY_NEAR(v, q_rate, nv, tol * (1.0 + largest(v, nv)));
    CHECK_ARRAY_NEAR(a, v_rate, nv, tol * (1.0 + largest(a, nv)));
    inverse_solve(c, t);
}

#endif
