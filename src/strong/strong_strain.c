// SPDX-License-Identifier: Apache-2.0
// The constitutive law of a rod solved for its free strains,
//     B^T Lambda = B^T stress(xi, rate_0 + c xi),                                   [OCP (50), (60)]
// by Newton's method with a line search. One step where Lambda_ad does not depend on the strain; else this
// takes the place of the differentiated law [OCP (55)].
#include "strong/strong_rod.h"

#include "linalg/lu.h"

#include <math.h>
#include <string.h>

enum { N = ELV_N_STRAIN, MAX_ITERATION = 50, MAX_HALVING = 30 };

// change of a strain (curvatures times the length) after which a Newton step is the last: the error
// behind it is of the order of its square
static const double STEP_TOL = 1e-8;
// one so small that it needs no second look
static const double STEP_SMALL = 1e-3;

typedef struct {
    const ElvStrongRod* strong;
    const ElvStrongStation* station;
    const ElvStrongDrive* drive;
    const ElvStrongPiece* piece;
    double lam[N];
    double c;
    ElvTwist rate_0;
} Balance;

// residual on the free strains (n_free), and its Jacobian unless NULL; returns what the residual is in
// units of energy
static double evaluate(const Balance* b, const double xi[N], double* residual, double* J) {
    double stress[N];
    ElvMat6 K, D;
    ElvTwist strain = elv_twist_from_array(xi);
    ElvTwist rate = elv_twist_add_scaled(b->rate_0, b->c, strain);
    elv_strong_stress(b->strong, b->station, b->drive, strain, rate, stress, J ? &K : NULL,
                      J && b->c != 0.0 ? &D : NULL);
    double norm = 0.0;
    int n = b->piece->n_free;
    for (int i = 0; i < n; i++) {
        int row = b->piece->free[i];
        residual[i] = b->lam[row] - stress[row];
        double H = b->station->H.m[row][row];
        norm += residual[i] * residual[i] / (H > 0.0 ? H : 1.0);
        for (int j = 0; j < n && J; j++) {
            int column = b->piece->free[j];
            J[i * n + j] = K.m[row][column] + (b->c != 0.0 ? b->c * D.m[row][column] : 0.0);
        }
    }
    return norm;
}

// half the step until the residual does not grow; returns the length of the step taken, scaled
static double take_step(const Balance* b, double norm, const double* step, double xi[N]) {
    double trial[N], residual[N];
    double factor = 1.0;
    for (int halving = 0; halving < MAX_HALVING; halving++, factor *= 0.5) {
        double size = 0.0;
        memcpy(trial, xi, sizeof trial);
        for (int i = 0; i < b->piece->n_free; i++) {
            int k = b->piece->free[i];
            double scale = k < ELV_STRAIN_STRETCH ? b->strong->length : 1.0;
            trial[k] += factor * step[i];
            size = fmax(size, factor * scale * fabs(step[i]));
        }
        // close to the end Newton's step is right, and at the very end rounding decides
        if (size <= STEP_SMALL || evaluate(b, trial, residual, NULL) <= norm) {
            memcpy(xi, trial, sizeof trial);
            return size;
        }
    }
    return -1.0;
}

// d xi / d Lambda from the factors of the Jacobian
static void
set_compliance(const ElvStrongPiece* piece, const double* LU, const int* pivot, ElvMat6* C) {
    double inverse[N * N] = {0.0};
    int n = piece->n_free;
    for (int i = 0; i < n; i++) {
        inverse[i * n + i] = 1.0;
    }
    elv_lu_solve(n, LU, pivot, n, inverse);
    memset(C, 0, sizeof *C);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            C->m[piece->free[i]][piece->free[j]] = inverse[i * n + j];
        }
    }
}

static bool is_finite(const double x[N]) {
    double sum = 0.0;
    for (int k = 0; k < N; k++) {
        sum += x[k];
    }
    return isfinite(sum);
}

// Newton from xi; leaves the factors of the Jacobian, of one step before the end
static ElvStatus iterate(const Balance* b, double xi[N], double* LU, int* pivot) {
    int n = b->piece->n_free;
    for (int iteration = 0; iteration < MAX_ITERATION; iteration++) {
        double step[N];
        double norm = evaluate(b, xi, step, LU);
        if (!isfinite(norm)) {
            return ELV_ERROR_NUMERIC;
        }
        if (elv_lu_factor(n, LU, pivot) >= 0) {
            return ELV_ERROR_SINGULAR;
        }
        elv_lu_solve(n, LU, pivot, 1, step);
        if (b->strong->is_linear) {
            for (int i = 0; i < n; i++) {
                xi[b->piece->free[i]] += step[i];
            }
            return is_finite(xi) ? ELV_OK : ELV_ERROR_NUMERIC;
        }
        double size = take_step(b, norm, step, xi);
        if (size < 0.0) {
            return ELV_ERROR_NUMERIC;
        }
        if (size <= STEP_TOL) {
            return ELV_OK;
        }
    }
    return ELV_ERROR_NUMERIC;
}

ElvStatus elv_strong_strain(const ElvStrongRod* strong,
                            const ElvStrongStation* station,
                            const ElvStrongDrive* drive,
                            ElvWrench lam,
                            double c,
                            ElvTwist rate_0,
                            ElvTwist* xi,
                            ElvMat6* compliance) {
    Balance b = {strong, station, drive, &strong->piece[station->i_piece], {0.0}, c, rate_0};
    double guess[N], strain[N], LU[N * N];
    int pivot[N];
    elv_wrench_to_array(lam, b.lam);
    elv_twist_to_array(*xi, guess);
    elv_twist_to_array(station->xi_o, strain);
    for (int i = 0; i < b.piece->n_free; i++) {
        int k = b.piece->free[i];
        strain[k] = guess[k];
    }
    ElvStatus status = iterate(&b, strain, LU, pivot);
    if (status != ELV_OK) {
        return status;
    }
    *xi = elv_twist_from_array(strain);
    if (compliance) {
        set_compliance(b.piece, LU, pivot, compliance);
    }
    return ELV_OK;
}

ElvStatus elv_strong_strain_error(const ElvStrongRod* strong,
                                  const ElvStrongStation* station,
                                  ElvStatus status,
                                  ElvError* error) {
    if (status == ELV_ERROR_SINGULAR) {
        return elv_error_set(error, status, strong->name, "",
                             "nothing resists a free strain of rod '%s' at s = %g: the strong form "
                             "needs a stiffness there (a method with modes does not), or the "
                             "strain's modes taken away",
                             strong->name, station->s);
    }
    return elv_error_set(error, status, strong->name, "",
                         "no strain of rod '%s' at s = %g balances its internal wrench",
                         strong->name, station->s);
}
