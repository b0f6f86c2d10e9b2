// SPDX-License-Identifier: Apache-2.0
// What tests of linear models share: example models, eigenvalues, step responses.
#ifndef ELVER_TESTS_LINEAR_CASE_H
#define ELVER_TESTS_LINEAR_CASE_H

#include "model_case.h"

#include "elver/analysis.h"
#include "linalg/eigen.h"

enum { MAX_STATE = 64 };

/// A model of models/, without ending.
static inline ModelCase open_example(const char* name) {
    char path[512];
    ModelCase c = {0};
    ElvError error;
    snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(path, NULL, 0, &c.model, &error), &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    c.nv = c.state->nv;
    return c;
}

/// Eigenvalues of A (n x n), by their real parts.
static inline void eigenvalues(int n, const double* A, double* re, double* im) {
    size_t size = (size_t)n * (size_t)n;
    double* copy = calloc(2 * size, sizeof *copy);
    CHECK_TRUE(copy != NULL);
    memcpy(copy, A, size * sizeof *copy);
    CHECK_TRUE(elv_eigen_general(n, copy, re, im, copy + size));
    free(copy);
    for (int i = 1; i < n; i++) {
        for (int k = i; k > 0 && re[k] < re[k - 1]; k--) {
            double entry[2] = {re[k], im[k]};
            re[k] = re[k - 1];
            im[k] = im[k - 1];
            re[k - 1] = entry[0];
            im[k - 1] = entry[1];
        }
    }
}

/// x' = A x + B u from 0, u constant, by steps of the Taylor series; then y.
static inline void linear_response(const ElvLinearModel* m, const double* u, double t, double* y) {
    double x[MAX_STATE] = {0.0};
    int n = m->n_state;
    enum { STEPS = 2000, TERMS = 12 };
    CHECK_TRUE(n <= MAX_STATE);
    double h = t / STEPS;
    for (int step = 0; step < STEPS; step++) {
        double term[MAX_STATE];
        double sum[MAX_STATE];
        memcpy(sum, x, sizeof sum);
        memcpy(term, x, sizeof term);
        for (int k = 1; k <= TERMS; k++) {
            double next[MAX_STATE] = {0.0};
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    next[i] += m->A[i * n + j] * term[j];
                }
                for (int j = 0; j < m->n_input && k == 1; j++) {
                    next[i] += m->B[i * m->n_input + j] * u[j];
                }
                next[i] *= h / k;
                sum[i] += next[i];
            }
            memcpy(term, next, sizeof term);
        }
        memcpy(x, sum, sizeof x);
    }
    for (int i = 0; i < m->n_output; i++) {
        y[i] = m->y[i];
        for (int j = 0; j < n; j++) {
            y[i] += m->C[i * n + j] * x[j];
        }
        for (int j = 0; j < m->n_input; j++) {
            y[i] += m->D[i * m->n_input + j] * u[j];
        }
    }
}

#endif
