// SPDX-License-Identifier: Apache-2.0
// With F = F_bar + ad_eta^T M eta, differentiating B^T Lambda = Lambda_a twice by X gives
//     u = M_aa^-1 (Lambda_a'' - B^T (D eta_dot + E Lambda + I))                    [OCP (56), (105)-(106)]
//     D = M' + ad_xi^T M - M ad_xi,   E = ad_xi'^T + ad_xi^T ad_xi^T,
//     I = -F' - ad_xi^T F - M ad_(xi_dot) eta                                              [OCP (107)]
// and with G = B M_aa^-1 B^T the system
//     P_ss = -ad_xi - G D,   P_sc = -G E,   P_cs = M,   P_cc = ad_xi^T                      [OCP (108)]
//     p_s = G (Lambda_a'' - I) - ad_(xi_dot) eta,   p_c = -F
#include "strong/singular_system.h"

#include "linalg/cholesky.h"

#include <string.h>

enum { N = 6, NODE = ELV_RK8_NODE, NUMBER = sizeof(ElvSingularField) / sizeof(double) };

// ---- fields

static ElvStatus sample(ElvRiccati* r, double s, ElvSingularField* field, ElvError* error) {
    ElvSweepState y;
    int i_step = 0;
    while (i_step + 1 < r->grid.n_step && r->grid.step[i_step + 1].s0 <= s) {
        i_step++;
    }
    ElvStatus status = elv_riccati_at(r, i_step, s, &y, error);
    if (status != ELV_OK) {
        return status;
    }
    const ElvShotNode* node = &r->node[NODE - 1];
    const ElvSweepNode* given = &r->between[NODE - 1];
    ElvWrench F = elv_strong_wrench(&node->station, &node->drive, &y.g, y.eta);
    F = elv_wrench_add(F, elv_twist_coad(y.eta, elv_inertia_apply(node->station.inertia, y.eta)));
    elv_twist_to_array(given->xi, field->xi);
    elv_twist_to_array(given->xi_dot, field->xi_dot);
    elv_twist_to_array(y.eta, field->eta);
    elv_wrench_to_array(F, field->force);
    elv_wrench_to_array(y.lam, field->stress);
    field->M = node->station.M;
    return ELV_OK;
}

// numbers of a field in a row
static double* row_of(ElvSingularField* field) {
    return field->xi;
}

ElvStatus elv_singular_fields(ElvRiccati* riccati,
                              int nodes,
                              double noise,
                              ElvPool* pool,
                              ElvSingularFields* fields,
                              ElvError* error) {
    double x[ELV_MAX_CHEBYSHEV], weight[ELV_MAX_CHEBYSHEV];
    double D[ELV_MAX_CHEBYSHEV * ELV_MAX_CHEBYSHEV];
    // Lambda* must give the stress of free strains
    ElvStatus taken = elv_chain_refuse_slender(riccati->chain.model, error);
    if (taken != ELV_OK) {
        return taken;
    }
    fields->n = nodes;
    fields->length = riccati->chain.rod[0].strong.length;
    for (int k = 0; k < 3; k++) {
        fields->at[k] = elv_pool_take(pool, (size_t)nodes, sizeof *fields->at[k]);
        if (!fields->at[k]) {
            return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
        }
    }
    elv_chebyshev_grid(nodes, x, weight);
    elv_chebyshev_derivative(nodes, D);
    for (int i = 0; i < nodes; i++) {
        ElvSingularField* field = &fields->at[0][i];
        ElvStatus status = sample(riccati, x[i], field, error);
        if (status != ELV_OK) {
            return status;
        }
        for (int k = 0; k < N; k++) {
            field->stress[k] *= 1.0 + (i % 2 ? -noise : noise);
        }
    }
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < nodes * nodes; i++) {
            const double* from = row_of(&fields->at[k][i % nodes]);
            double* to = row_of(&fields->at[k + 1][i / nodes]);
            for (int c = 0; c < NUMBER; c++) {
                to[c] += D[i] * from[c] / fields->length;
            }
        }
    }
    return ELV_OK;
}

static void interpolate(const ElvSingularFields* fields, double s, ElvSingularField value[3]) {
    double row[ELV_MAX_CHEBYSHEV];
    elv_chebyshev_interpolation(fields->n, s, row);
    memset(value, 0, 3 * sizeof *value);
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < fields->n; j++) {
            const double* from = row_of(&fields->at[k][j]);
            for (int c = 0; c < NUMBER; c++) {
                row_of(&value[k])[c] += row[j] * from[c];
            }
        }
    }
}

// ---- the system

static ElvMat6 transpose(ElvMat6 A) {
    ElvMat6 T;
    for (int i = 0; i < N * N; i++) {
        T.m[i % N][i / N] = A.m[i / N][i % N];
    }
    return T;
}

// A + c B
static ElvMat6 combine(ElvMat6 A, double c, ElvMat6 B) {
    for (int i = 0; i < N * N; i++) {
        A.m[i / N][i % N] += c * B.m[i / N][i % N];
    }
    return A;
}

void elv_singular_apply(const ElvMat6* A, const double* x, double* y) {
    for (int i = 0; i < N; i++) {
        y[i] = 0.0;
        for (int j = 0; j < N; j++) {
            y[i] += A->m[i][j] * x[j];
        }
    }
}

// G = B M_aa^-1 B^T; false: a free strain has no inertia
static bool find_inverse(const ElvStrongPiece* piece, const ElvMat6* M, ElvMat6* G) {
    double A[N * N];
    int n = piece->n_free;
    memset(G, 0, sizeof *G);
    for (int i = 0; i < n * n; i++) {
        A[i] = M->m[piece->free[i / n]][piece->free[i % n]];
    }
    if (elv_cholesky_factor(n, A) >= 0) {
        return false;
    }
    for (int j = 0; j < n; j++) {
        double unit[N] = {0.0};
        unit[j] = 1.0;
        elv_cholesky_solve(n, A, unit);
        for (int i = 0; i < n; i++) {
            G->m[piece->free[i]][piece->free[j]] = unit[i];
        }
    }
    return true;
}

bool elv_singular_system(const ElvSingularFields* fields,
                         const ElvStrongPiece* piece,
                         double s,
                         ElvSingularSystem* system) {
    ElvSingularField f[3];
    ElvMat6 G;
    double turned[N], carried[N], rhs[N];
    interpolate(fields, s, f);
    if (!find_inverse(piece, &f[0].M, &G)) {
        return false;
    }
    system->xi = elv_twist_from_array(f[0].xi);
    ElvMat6 ad = elv_twist_adjoint(system->xi);
    ElvMat6 adT = transpose(ad);
    ElvMat6 adT_slope = transpose(elv_twist_adjoint(elv_twist_from_array(f[1].xi)));
    // [OCP (107)]
    ElvMat6 D =
        combine(combine(f[1].M, 1.0, elv_mat6_mul(adT, f[0].M)), -1.0, elv_mat6_mul(f[0].M, ad));
    ElvMat6 E = combine(adT_slope, 1.0, elv_mat6_mul(adT, adT));
    elv_twist_to_array(
        elv_twist_bracket(elv_twist_from_array(f[0].xi_dot), elv_twist_from_array(f[0].eta)),
        system->drift);
    elv_singular_apply(&f[0].M, system->drift, carried);
    elv_singular_apply(&adT, f[0].force, turned);
    for (int i = 0; i < N; i++) {
        double I = -f[1].force[i] - turned[i] - carried[i];
        rhs[i] = f[2].stress[i] - I;
        system->stress[i] = f[0].stress[i];
        system->p_c[i] = -f[0].force[i];
    }
    // [OCP (108)]
    ElvMat6 none = {{{0.0}}};
    system->P_ss = combine(combine(none, -1.0, ad), -1.0, elv_mat6_mul(G, D));
    system->P_sc = combine(none, -1.0, elv_mat6_mul(G, E));
    system->P_cs = f[0].M;
    system->P_cc = adT;
    elv_singular_apply(&G, rhs, system->p_s);
    for (int i = 0; i < N; i++) {
        system->p_s[i] -= system->drift[i];
    }
    return true;
}
