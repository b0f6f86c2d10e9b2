// SPDX-License-Identifier: Apache-2.0
// Newton's method on a shot, with its exact Jacobian and a line search      (section V of [RKMK], which differences it).
// Residuals are wrenches: forces, and moments over the length of the chain.
#include "strong/finite_solve.h"

#include "linalg/lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N_MAX = ELV_FINITE_UNKNOWNS, MAX_HALVING = 12 };

// a Newton step this small beside the largest wrench is the last: what it leaves is of the order of its square, and
// rounding
static const double STEP_TOL = 1e-10;

// roundings in the stress of a section, in units of the last place
static const double ROUNDING = 64.0;

// What rounding may leave at the tip, beside the largest wrench, where Newton's steps have come to their end: short steps
// make both what cancels in M (c_0 eta + eta_h) and its growth towards the tip large
static const double ROUNDING_TOL = 1e-6;

typedef struct {
    ElvFiniteSweep* sweep;
    int n; // unknowns
    double x[N_MAX], r[N_MAX], J[N_MAX * N_MAX];
    double norm;
} Iterate;

// weight of a component of x or r: wrenches after what belongs to the joint
static double weight(const Iterate* it, int i) {
    int n_joint = it->n - 6;
    bool is_moment = i < n_joint + 3;
    return is_moment ? 1.0 / it->sweep->grid->length : 1.0;
}

static double largest_of(const Iterate* it, const double* y, int first) {
    double most = 0.0;
    for (int i = first; i < it->n; i++) {
        // keeps NaN
        double size = weight(it, i) * fabs(y[i]);
        most = size <= most ? most : size;
    }
    return most;
}

static ElvStatus shoot(Iterate* it) {
    ElvStatus status = elv_finite_shoot(it->sweep, it->x, it->r, it->J, NULL);
    it->norm = status == ELV_OK ? largest_of(it, it->r, 0) : INFINITY;
    return status == ELV_OK && !isfinite(it->norm) ? ELV_ERROR_NUMERIC : status;
}

// what rounding leaves of the balance at the tip
static double rounding_floor(const ElvFiniteGrid* grid) {
    const ElvFinitePiece* piece = &grid->piece[grid->n_piece - 1];
    const ElvStrongStation* tip = &elv_finite_node(grid, piece, piece->n_element)->at;
    double most = 0.0;
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        double stiffness =
            tip->H.m[k][k] + fabs(tip->kp[k]) + grid->c_0 * (tip->D.m[k][k] + fabs(tip->kd[k]));
        double unit = k < ELV_STRAIN_STRETCH ? 1.0 / (grid->length * grid->length) : 1.0;
        most = fmax(most, stiffness * unit);
    }
    return ROUNDING * DBL_EPSILON * most;
}

/// The Jacobian of an iterate, factored with rows of the same size.
typedef struct {
    double LU[N_MAX * N_MAX];
    int pivot[N_MAX];
    double row[N_MAX];
} Factors;

// false: singular
static bool factor(const Iterate* it, Factors* factors) {
    int n = it->n;
    for (int i = 0; i < n; i++) {
        double most = 0.0;
        for (int j = 0; j < n; j++) {
            most = fmax(most, fabs(it->J[i * n + j]) / weight(it, j));
        }
        if (!(most > 0.0) || !isfinite(most)) {
            return false;
        }
        for (int j = 0; j < n; j++) {
            factors->LU[i * n + j] = it->J[i * n + j] / (weight(it, j) * most);
        }
        factors->row[i] = most;
    }
    return elv_lu_factor(n, factors->LU, factors->pivot) < 0;
}

// the step that r asks for: J step = -r
static void solve(const Iterate* it, const Factors* factors, const double* r, double* step) {
    for (int i = 0; i < it->n; i++) {
        step[i] = -r[i] / factors->row[i];
    }
    elv_lu_solve(it->n, factors->LU, factors->pivot, 1, step);
    for (int j = 0; j < it->n; j++) {
        step[j] /= weight(it, j);
    }
}

// how a wrench at the root grows to the tip: the largest sum of a row of the Jacobian
static double growth_of(const Iterate* it) {
    double most = 0.0;
    int n_joint = it->n - 6;
    for (int i = n_joint; i < it->n; i++) {
        double sum = 0.0;
        for (int j = n_joint; j < it->n; j++) {
            sum += weight(it, i) * fabs(it->J[i * it->n + j]) / weight(it, j);
        }
        most = fmax(most, sum);
    }
    return most;
}

// Move by the step or a part of it, such that the step which the same Jacobian asks for next is shorter: a residual at the
// tip, where all has grown, would not tell. false: there is no such part
static bool search(Iterate* it,
                   const Factors* factors,
                   const double* step,
                   double small,
                   ElvFiniteReport* report,
                   double* size) {
    const Iterate from = *it;
    double full = largest_of(it, step, 0);
    double part = 1.0;
    for (int halving = 0; halving < MAX_HALVING; halving++, part *= 0.5) {
        for (int i = 0; i < it->n; i++) {
            it->x[i] = from.x[i] + part * step[i];
        }
        double next[N_MAX];
        ElvStatus status = shoot(it);
        report->n_shot++;
        *size = part * full;
        if (status != ELV_OK) {
            continue;
        }
        solve(it, factors, it->r, next);
        // close to the end rounding decides
        if (largest_of(it, next, 0) <= (1.0 - 0.25 * part) * full || *size <= small) {
            return true;
        }
    }
    *it = from;
    return false;
}

// what the last step has led to, the whole of it or parts of a longer one
static ElvFiniteEnd
end_of(const Iterate* it, const double* step, double tol, double beside, double floor) {
    if (it->norm <= fmax(tol, ROUNDING_TOL) * beside + floor) {
        return ELV_FINITE_FOUND;
    }
    return largest_of(it, step, 0) <= STEP_TOL * beside ? ELV_FINITE_ROUNDING : ELV_FINITE_STALLED;
}

ElvFiniteReport
elv_finite_solve(ElvFiniteSweep* sweep, double tol, int max_iterations, double largest, double* x) {
    ElvFiniteReport report = {.end = ELV_FINITE_LIMIT, .n_shot = 1};
    Iterate it = {.sweep = sweep, .n = sweep->root->n + 6};
    memcpy(it.x, x, (size_t)it.n * sizeof *x);
    double floor = rounding_floor(sweep->grid);
    report.law = shoot(&it);
    if (report.law != ELV_OK) {
        report.end = report.law == ELV_ERROR_NUMERIC ? ELV_FINITE_LOST : ELV_FINITE_LAW;
        report.residual = INFINITY;
        return report;
    }
    for (;;) {
        double beside = fmax(largest, largest_of(&it, it.x, it.n - 6));
        report.residual = beside > 0.0 ? it.norm / beside : it.norm;
        report.growth = growth_of(&it);
        if (it.norm <= tol * beside + floor) {
            report.end = ELV_FINITE_FOUND;
            break;
        }
        if (report.n_iteration == max_iterations) {
            break;
        }
        if (elv_brake_ask(sweep->brake)) {
            report.end = ELV_FINITE_STOPPED;
            break;
        }
        Factors factors;
        double step[N_MAX];
        double size = 0.0;
        if (!factor(&it, &factors)) {
            report.end = ELV_FINITE_SINGULAR;
            break;
        }
        solve(&it, &factors, it.r, step);
        report.n_iteration++;
        if (!search(&it, &factors, step, STEP_TOL * beside, &report, &size)) {
            report.end = ELV_FINITE_STALLED;
            break;
        }
        if (size <= STEP_TOL * beside) {
            report.residual = beside > 0.0 ? it.norm / beside : it.norm;
            report.end = end_of(&it, step, tol, beside, floor);
            break;
        }
    }
    if (report.end == ELV_FINITE_FOUND) {
        memcpy(x, it.x, (size_t)it.n * sizeof *x);
    }
    return report;
}

double elv_finite_largest(const ElvFiniteGrid* grid, const ElvFieldNode* node) {
    double most = 0.0;
    for (int i = 0; i < grid->n_node; i++) {
        double moment = elv_vec3_norm(node[i].lam.mom) / grid->length;
        most = fmax(most, fmax(moment, elv_vec3_norm(node[i].lam.frc)));
    }
    return most;
}
