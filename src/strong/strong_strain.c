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
// what Newton's method may leave undone, likewise: rounding
static const double STEP_LEFT = 1e-15;

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

// ---- a rod that neither stretches nor shears, with fibres

/// Its law on curvatures: moment = free + A K + sum of T D x t, where fibres follow the strain.
typedef struct {
    ElvVec3 free;
    ElvMat3 A;
} Bending;

static bool bends_alone(const Balance* b) {
    const ElvStrongPiece* piece = b->piece;
    return b->strong->fields.n_law == 0 && piece->n_free == 3 && piece->is_free[0] &&
           piece->is_free[1] && piece->is_free[2];
}

// the block of a matrix that takes angular to angular strains
static ElvMat3 angular(const ElvMat6* m) {
    return (ElvMat3){{{m->m[0][0], m->m[0][1], m->m[0][2]},
                      {m->m[1][0], m->m[1][1], m->m[1][2]},
                      {m->m[2][0], m->m[2][1], m->m[2][2]}}};
}

// what damps
static void add_damping(const Balance* b, Bending* law) {
    const ElvStrongStation* at = b->station;
    // rates at no curvature
    ElvVec3 lin = elv_vec3_add_scaled(b->rate_0.lin, b->c, at->xi_o.lin);
    double rate[N], moment[3] = {0.0};
    elv_twist_to_array(elv_twist(b->rate_0.ang, lin), rate);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < N; j++) {
            moment[i] += at->D.m[i][j] * rate[j];
        }
        moment[i] += at->kd[i] * rate[i];
        law->A.m[i][i] += b->c * at->kd[i];
        for (int j = 0; j < 3; j++) {
            law->A.m[i][j] += b->c * at->D.m[i][j];
        }
    }
    law->free = elv_vec3_add(law->free, elv_vec3(moment[0], moment[1], moment[2]));
}

static Bending set_bending(const Balance* b) {
    const ElvStrongStation* at = b->station;
    const ElvRodFields* fields = &b->strong->fields;
    const double* stress = b->drive->stress;
    Bending law = {.A = angular(&at->H)};
    law.free = elv_vec3_sub(elv_vec3(stress[0], stress[1], stress[2]),
                            elv_mat3_apply(law.A, at->xi_o.ang));
    for (int i = 0; i < 3; i++) {
        law.A.m[i][i] += at->kp[i];
    }
    ElvTwist v = b->rate_0;
    if (b->c != 0.0 || elv_vec3_dot(v.ang, v.ang) + elv_vec3_dot(v.lin, v.lin) > 0.0) {
        add_damping(b, &law);
    }
    for (int i = 0; i < fields->n_fibre; i++) {
        const double* lam = at->fibre[i].lam_o;
        if (fields->fibre[i].neglects_strain) {
            law.free = elv_vec3_add_scaled(law.free, b->drive->tension[i],
                                           elv_vec3(lam[0], lam[1], lam[2]));
        }
    }
    return law;
}

// add T m, m = D x t, and its derivative T/l (|D|^2 - D D^T - m m^T)
static void
add_fibre(const ElvFibreNode* node, double T, const ElvTwist* xi, ElvVec3* M, ElvMat3* K) {
    ElvVec3 c = elv_vec3_add(xi->lin, elv_vec3_add(elv_vec3_cross(xi->ang, node->D), node->D_ds));
    double over_l = 1.0 / elv_vec3_norm(c);
    ElvVec3 m = elv_vec3_scale(over_l, elv_vec3_cross(node->D, c));
    *M = elv_vec3_add_scaled(*M, T, m);
    double f = T * over_l;
    const double D[3] = {node->D.x, node->D.y, node->D.z};
    const double n[3] = {m.x, m.y, m.z};
    double square = f * elv_vec3_dot(node->D, node->D);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            K->m[i][j] -= f * (D[i] * D[j] + n[i] * n[j]);
        }
        K->m[i][i] += square;
    }
}

// inverse by minors; false: it is singular, or nearly so
static bool invert(const ElvMat3* K, ElvMat3* inverse) {
    ElvVec3 a = elv_vec3(K->m[0][0], K->m[0][1], K->m[0][2]);
    ElvVec3 b = elv_vec3(K->m[1][0], K->m[1][1], K->m[1][2]);
    ElvVec3 c = elv_vec3(K->m[2][0], K->m[2][1], K->m[2][2]);
    ElvVec3 x = elv_vec3_cross(b, c), y = elv_vec3_cross(c, a), z = elv_vec3_cross(a, b);
    double det = elv_vec3_dot(a, x);
    double size = elv_vec3_dot(a, a) * elv_vec3_dot(b, b) * elv_vec3_dot(c, c);
    if (!(det * det > 1e-16 * size)) {
        return false;
    }
    double f = 1.0 / det;
    *inverse = (ElvMat3){
        {{f * x.x, f * y.x, f * z.x}, {f * x.y, f * y.y, f * z.y}, {f * x.z, f * y.z, f * z.z}}};
    return true;
}

// Newton from xi with whole steps. false: they do not converge at once, and xi is as it was
static bool iterate_bending(const Balance* b, ElvTwist* xi, ElvMat3* inverse, bool needs_inverse) {
    enum { MAX_STEP = 8 };
    const ElvRodFields* fields = &b->strong->fields;
    Bending law = set_bending(b);
    ElvTwist at = *xi;
    double before = 0.0, norm_before = INFINITY;
    for (int iteration = 0; iteration < MAX_STEP; iteration++) {
        ElvVec3 M = elv_vec3_add(law.free, elv_mat3_apply(law.A, at.ang));
        ElvMat3 K = law.A;
        for (int i = 0; i < fields->n_fibre; i++) {
            if (b->drive->tension[i] != 0.0 && !fields->fibre[i].neglects_strain) {
                add_fibre(&b->station->fibre[i], b->drive->tension[i], &at, &M, &K);
            }
        }
        ElvVec3 r = elv_vec3_sub(elv_vec3(b->lam[0], b->lam[1], b->lam[2]), M);
        double norm = elv_vec3_dot(r, r);
        if (!(norm <= norm_before) || !invert(&K, inverse)) {
            return false;
        }
        ElvVec3 step = elv_mat3_apply(*inverse, r);
        double size = b->strong->length * sqrt(elv_vec3_dot(step, step));
        at.ang = elv_vec3_add(at.ang, step);
        // what is left is the next step: this one squared, times what made it of the one before
        bool is_last = size * size * size <= STEP_LEFT * before * before;
        if (size <= STEP_TOL || (is_last && !needs_inverse && iteration > 0)) {
            *xi = at;
            return true;
        }
        // close to the end rounding decides whether the residual falls
        norm_before = size <= STEP_SMALL ? INFINITY : norm;
        before = size;
    }
    return false;
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
    if (bends_alone(&b)) {
        ElvTwist at = elv_twist_from_array(strain);
        ElvMat3 inverse;
        if (iterate_bending(&b, &at, &inverse, compliance != NULL)) {
            *xi = at;
            if (compliance) {
                memset(compliance, 0, sizeof *compliance);
                for (int i = 0; i < 3; i++) {
                    memcpy(compliance->m[i], inverse.m[i], sizeof inverse.m[i]);
                }
            }
            return ELV_OK;
        }
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

void elv_strong_strain_affine(const ElvStrongRod* strong,
                              const ElvStrongStation* station,
                              const ElvStrongDrive* drive,
                              ElvWrench lam,
                              double c,
                              ElvTwist rate_0,
                              const ElvMat6* compliance,
                              ElvTwist* xi) {
    double stress[N], strain[N], l[N];
    ElvTwist rate = elv_twist_add_scaled(rate_0, c, station->xi_o);
    elv_strong_stress(strong, station, drive, station->xi_o, rate, stress, NULL, NULL);
    elv_wrench_to_array(lam, l);
    elv_twist_to_array(station->xi_o, strain);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            strain[i] += compliance->m[i][j] * (l[j] - stress[j]);
        }
    }
    *xi = elv_twist_from_array(strain);
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
