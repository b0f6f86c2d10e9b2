// SPDX-License-Identifier: Apache-2.0
// A span of a rod in the second variation of the energy. With its start clamped, a wrench p at its end moves the end
// by zeta = F p, F = L L^T. The part beyond answers with S zeta. Both together resist by F^-1 - S, whose negative
// eigenvalues are as many as those of 1 - L^T S L: that also holds where F is singular, in directions in which
// the rod cannot strain.
#include "strong/conjugate.h"

#include "linalg/eigen.h"
#include "linalg/lu.h"

#include <math.h>
#include <string.h>

enum { N = 6 };

// eigenvalues of a flexibility that count as zero, and as below it, beside the largest
static const double RIGID = 1e-11;
static const double BUCKLED = -1e-8;
// a wrench that is none, in units
static const double UNLOADED = 1e-9;

// a unit of zeta and of d_lam: rad and N m, or the length and the force that go with them
static double unit_of(const ElvConjugateWork* work, int row) {
    double zeta = row % N < 3 ? 1.0 : work->length;
    return row < N ? zeta : work->moment / zeta;
}

static ElvWrench in_units(const ElvConjugateWork* work, ElvWrench lam) {
    return elv_wrench(elv_vec3_scale(1.0 / work->moment, lam.mom),
                      elv_vec3_scale(work->length / work->moment, lam.frc));
}

// ---- the span

// tables of a step of its own from s to the end
static ElvStatus
tabulate(ElvConjugateWork* work, const ElvShotStep* step, double s, ElvError* error) {
    const ElvStrongRod* strong = &work->chain->rod[step->i_rod].strong;
    for (int k = 0; k < ELV_RK8_NODE; k++) {
        double at = s + (step->s1 - s) * ELV_RK8_AT[k];
        ElvStatus status = elv_shot_node(strong, step->i_piece, at, work->fibre[k],
                                         work->tension[k], &work->node[k], error);
        if (status == ELV_OK) {
            status = elv_shot_node_drive(strong, &work->grid.in, &work->node[k], error);
        }
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

ElvStatus elv_conjugate_span(
    ElvConjugateWork* work, int i_step, double s, ElvConjugateSpan* span, ElvError* error) {
    const ElvShotStep* step = &work->grid.step[i_step];
    const ElvChainRod* rod = &work->chain->rod[step->i_rod];
    const ElvShotNode* node = step->node;
    double zeta[N][ELV_IVP_COLUMN] = {{0.0}}, d_lam[N][ELV_IVP_COLUMN] = {{0.0}};
    ElvIvpTangent tangent;
    ElvPose g;
    ElvWrench lam;
    if (s > step->s0) {
        ElvStatus status = tabulate(work, step, s, error);
        if (status != ELV_OK) {
            return status;
        }
        node = work->node;
    }
    work->equilibrium->section(work->equilibrium->user, rod->i_node, s, &g, &lam);
    span->first = in_units(work, lam);
    ElvIvpState y = elv_ivp_start(g, lam);
    y.xi = node[0].xi_free;
    for (int k = 0; k < N; k++) {
        zeta[k][k] = unit_of(work, k);
        d_lam[k][N + k] = unit_of(work, N + k);
    }
    elv_ivp_tangent_start(2 * N, (const double(*)[ELV_IVP_COLUMN])zeta,
                          (const double(*)[ELV_IVP_COLUMN])d_lam, &tangent);
    double h = step->h * (step->s1 - s) / (step->s1 - step->s0);
    ElvStatus status = elv_ivp_step(&rod->strong, node, h, false, &y, &tangent);
    if (status != ELV_OK) {
        return elv_strong_strain_error(&rod->strong, &node[0].station, status, error);
    }
    elv_ivp_pass(step, &work->grid.in, &y, &tangent);
    elv_ivp_tangent_end(&y, &tangent, zeta, d_lam);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < 2 * N; j++) {
            span->T[i][j] = zeta[i][j] / unit_of(work, i);
            span->T[N + i][j] = d_lam[i][j] / unit_of(work, N + i);
        }
    }
    span->lam = in_units(work, elv_ivp_wrench(&y));
    return ELV_OK;
}

// ---- matrices

// X = B A^-1 with A and B 6 x 6; false: A is singular
static bool divide(double A[N][N], double B[N][N], double X[N][N]) {
    double LU[N * N], rhs[N * N];
    int pivot[N];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            LU[j * N + i] = A[i][j];
            rhs[j * N + i] = B[i][j];
        }
    }
    if (elv_lu_factor(N, LU, pivot) >= 0) {
        return false;
    }
    elv_lu_solve(N, LU, pivot, N, rhs);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            X[i][j] = rhs[j * N + i];
        }
    }
    return true;
}

// take half of ad_zeta^T Lambda per unit zeta from S
static void make_symmetric(double S[N][N], ElvWrench lam) {
    for (int j = 0; j < N; j++) {
        double unit[N] = {0.0}, turned[N];
        unit[j] = 1.0;
        elv_wrench_to_array(elv_twist_coad(elv_twist_from_array(unit), lam), turned);
        for (int i = 0; i < N; i++) {
            S[i][j] -= 0.5 * turned[i];
        }
    }
}

void elv_conjugate_answer(const ElvConjugatePlane* plane, double S[6][6]) {
    double Z[N][N], W[N][N];
    memcpy(Z, plane->x, sizeof Z);
    memcpy(W, plane->x + N, sizeof W);
    // a conjugate point to the last bit is taken a little beside
    for (int i = 0; !divide(Z, W, S) && i < N; i++) {
        for (int k = 0; k < N; k++) {
            Z[k][k] += 1e-13;
        }
    }
}

// flexibility of a span, F = V V^T with unit columns times the roots of their eigenvalues; false: not positive
static bool find_flexibility(const ElvConjugateSpan* span, double V[N][N], double value[N]) {
    double Z[N][N], W[N][N], K[N][N], F[N * N];
    for (int i = 0; i < N; i++) {
        memcpy(Z[i], &span->T[i][N], sizeof Z[i]);
        memcpy(W[i], &span->T[N + i][N], sizeof W[i]);
    }
    // W -= ad^T Lambda Z / 2
    memset(K, 0, sizeof K);
    make_symmetric(K, span->lam);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            for (int k = 0; k < N; k++) {
                W[i][j] += K[i][k] * Z[k][j];
            }
        }
    }
    if (!divide(W, Z, K)) {
        return false;
    }
    for (int i = 0; i < N * N; i++) {
        F[i] = 0.5 * (K[i / N][i % N] + K[i % N][i / N]);
    }
    if (!elv_eigen_symmetric(N, F, value)) {
        return false;
    }
    memcpy(V, F, sizeof F);
    return value[0] >= BUCKLED * value[N - 1];
}

// X = V S V^T for row vectors V
static void project(int n, double V[N][N], double S[N][N], double X[N][N]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            X[i][j] = 0.0;
            for (int k = 0; k < N * N; k++) {
                X[i][j] += V[i][k / N] * S[k / N][k % N] * V[j][k % N];
            }
        }
    }
}

// largest antisymmetric part beside the size, which is no less than the largest wrench of the chain
static double find_asymmetry(int n, double X[N][N], double size) {
    double odd = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            size = fmax(size, fabs(X[i][j]));
            odd = fmax(odd, 0.5 * fabs(X[i][j] - X[j][i]));
        }
    }
    return odd / fmax(size, UNLOADED);
}

int elv_conjugate_count(ElvConjugateWork* work,
                        const ElvConjugateSpan* span,
                        const ElvConjugatePlane* plane,
                        double* smallest) {
    double V[N][N], value[N], S[N][N], X[N][N], B[N * N], root[N];
    *smallest = 1.0;
    if (!find_flexibility(span, V, value)) {
        return -1;
    }
    elv_conjugate_answer(plane, S);
    make_symmetric(S, span->lam);
    // directions in which the span gives way
    int n = 0;
    for (int i = 0; i < N; i++) {
        if (value[i] > RIGID * value[N - 1]) {
            memmove(V[n], V[i], sizeof V[n]);
            root[n++] = sqrt(value[i]);
        }
    }
    project(n, V, S, X);
    work->asymmetry = fmax(work->asymmetry, find_asymmetry(n, X, work->size));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            B[i * n + j] = (i == j) - 0.5 * root[i] * root[j] * (X[i][j] + X[j][i]);
        }
    }
    if (n == 0 || !elv_eigen_symmetric(n, B, value)) {
        return n == 0 ? 0 : -1;
    }
    int count = 0;
    *smallest = value[0];
    for (int i = 0; i < n; i++) {
        count += value[i] < 0.0;
        *smallest = fabs(value[i]) < fabs(*smallest) ? value[i] : *smallest;
    }
    return count;
}

// ---- the plane

// columns of unit length, normal to each other
static bool straighten(double x[12][N]) {
    for (int j = 0; j < N; j++) {
        // twice, against rounding
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 0; k < j; k++) {
                double dot = 0.0;
                for (int i = 0; i < 2 * N; i++) {
                    dot += x[i][k] * x[i][j];
                }
                for (int i = 0; i < 2 * N; i++) {
                    x[i][j] -= dot * x[i][k];
                }
            }
        }
        double length = 0.0;
        for (int i = 0; i < 2 * N; i++) {
            length = hypot(length, x[i][j]);
        }
        if (!(length > 0.0) || !isfinite(length)) {
            return false;
        }
        for (int i = 0; i < 2 * N; i++) {
            x[i][j] /= length;
        }
    }
    return true;
}

bool elv_conjugate_carry(const ElvConjugateSpan* span, ElvConjugatePlane* plane) {
    double T[144];
    int pivot[12];
    memcpy(T, span->T, sizeof T);
    if (elv_lu_factor(2 * N, T, pivot) >= 0) {
        return false;
    }
    elv_lu_solve(2 * N, T, pivot, N, &plane->x[0][0]);
    return straighten(plane->x);
}
