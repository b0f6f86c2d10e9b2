// SPDX-License-Identifier: Apache-2.0
// Stability of a static equilibrium by its conjugate points. The second variation of the energy is positive if every
// section resists every strain (Legendre, Clebsch) and no station between root and tip is conjugate (Jacobi):
// none from which the part beyond it, clamped there, could move with its own loads in balance. Variations come
// from the tangent of the initial value problem [OCP (77)-(79)], from the tip, free or held, to the root. Conjugate
// points count with their multiplicity: by Morse their number is that of the directions in which the energy falls.
#include "strong/conjugate.h"

#include "linalg/cholesky.h"
#include "linalg/eigen.h"
#include "strong/shoot_root.h"

#include <math.h>
#include <string.h>

enum { N = 6, DEFAULT_STEPS = 32, MAX_STEPS = 2048, MAX_BISECTION = 50 };

// a held tip gives way by this share of what the chain does
static const double HOLD = 1e-10;
// S that is not symmetric; an eigenvalue that is zero; conjugate points that are one
static const double ODD = 1e-2;
static const double NEUTRAL = 1e-7;
static const double SAME = 1e-7;

// ---- the equilibrium

static void set_units(ElvConjugateWork* work) {
    double bend = 0.0;
    work->length = 0.0;
    for (int i = 0; i < work->grid.n_step; i++) {
        const ElvShotStep* step = &work->grid.step[i];
        const ElvMat6* H = &step->node[0].station.H;
        double stiff = fmax(H->m[1][1], H->m[2][2]);
        bend = fmax(bend, stiff);
        work->length += step->h;
    }
    work->moment = bend > 0.0 ? bend / work->length : 1.0;
}

// memory and tables, one factor finer
static ElvStatus prepare(ElvConjugateWork* work, int steps, int times, ElvError* error) {
    size_t n_fibre = 0;
    for (int i = 0; i < work->chain->n_rod; i++) {
        size_t own = (size_t)work->chain->rod[i].strong.fields.n_fibre;
        n_fibre = own > n_fibre ? own : n_fibre;
    }
    for (int k = 0; k < ELV_RK8_NODE; k++) {
        work->fibre[k] = elv_pool_take(&work->pool, n_fibre, sizeof *work->fibre[k]);
        work->tension[k] = elv_pool_take(&work->pool, n_fibre, sizeof *work->tension[k]);
        if (!work->fibre[k] || !work->tension[k]) {
            return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
        }
    }
    ElvStatus status = elv_shot_grid_create(work->chain, steps, 2, times, &work->grid, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvStrongInput in = elv_chain_input(work->chain, work->equilibrium->t, work->load, true);
    status = elv_shot_grid_drive(&work->grid, &in, error);
    set_units(work);
    return status;
}

// ---- Legendre and Clebsch

// whether a node resists its free strains
static bool is_stiff(const ElvStrongRod* strong, const ElvShotNode* node, ElvWrench lam) {
    const ElvStrongPiece* piece = &strong->piece[node->station.i_piece];
    ElvTwist xi = node->xi_free;
    ElvMat6 K;
    double stress[N], A[N * N];
    ElvStatus status = elv_strong_strain(strong, &node->station, &node->drive, lam, 0.0,
                                         elv_twist_zero(), &xi, NULL);
    if (status != ELV_OK) {
        return false;
    }
    elv_strong_stress(strong, &node->station, &node->drive, xi, elv_twist_zero(), stress, &K, NULL);
    int n = piece->n_free;
    for (int i = 0; i < n * n; i++) {
        int a = piece->free[i / n];
        int b = piece->free[i % n];
        A[i] = 0.5 * (K.m[a][b] + K.m[b][a]);
    }
    return n == 0 || elv_cholesky_factor(n, A) < 0;
}

static void check_stiffness(ElvConjugateWork* work, ElvConjugateReport* report) {
    report->is_stiff = true;
    for (int i = 0; i < work->grid.n_step * ELV_RK8_NODE && report->is_stiff; i++) {
        const ElvShotStep* step = &work->grid.step[i / ELV_RK8_NODE];
        const ElvShotNode* node = &step->node[i % ELV_RK8_NODE];
        const ElvChainRod* rod = &work->chain->rod[step->i_rod];
        ElvPose g;
        ElvWrench lam;
        work->equilibrium->section(work->equilibrium->user, rod->i_node, node->station.s, &g, &lam);
        double size = elv_vec3_norm(lam.mom) + work->length * elv_vec3_norm(lam.frc);
        work->size = fmax(work->size, size / work->moment);
        if (!is_stiff(&rod->strong, node, lam)) {
            report->is_stiff = false;
            report->weak_node = rod->i_node;
            report->weak_s = node->station.s;
        }
    }
}

// ---- conjugate points

static void add_point(ElvConjugateReport* report, int i_node, double s) {
    ElvConjugatePoint* last = report->n_point > 0 ? &report->point[report->n_point - 1] : NULL;
    if (last && last->i_node == i_node && fabs(last->s - s) < SAME) {
        last->multiplicity++;
    } else if (report->n_point < ELV_CONJUGATE_MAX) {
        report->point[report->n_point++] = (ElvConjugatePoint){i_node, s, 1};
    }
}

// where within a step the count reaches k: between s0, where it has, and s1, where it is zero
static ElvStatus locate(ElvConjugateWork* work,
                        int i_step,
                        const ElvConjugatePlane* plane,
                        int k,
                        double* s,
                        ElvError* error) {
    double low = work->grid.step[i_step].s0;
    double high = work->grid.step[i_step].s1;
    for (int i = 0; i < MAX_BISECTION && high - low > 1e-13; i++) {
        double middle = 0.5 * (low + high);
        double smallest;
        ElvConjugateSpan span;
        ElvStatus status = elv_conjugate_span(work, i_step, middle, &span, error);
        if (status != ELV_OK) {
            return status;
        }
        if (elv_conjugate_count(work, &span, plane, &smallest) >= k) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *s = 0.5 * (low + high);
    return ELV_OK;
}

// the plane beyond the tip: nothing acts there, or it is held
static ElvConjugatePlane tip_plane(const ElvConjugateWork* work) {
    ElvConjugatePlane plane = {{{0.0}}};
    const ElvEquilibrium* at = work->equilibrium;
    for (int k = 0; k < N; k++) {
        bool is_held = at->is_tip_held && (k >= 3 || !at->is_tip_pinned);
        plane.x[k][k] = is_held ? HOLD : 1.0;
        plane.x[N + k][k] = is_held ? -1.0 : 0.0;
    }
    return plane;
}

// how far a span ends from the wrench that is given there, beside the largest
static double
find_defect(const ElvConjugateWork* work, const ElvConjugateSpan* span, ElvWrench lam) {
    ElvWrench d = elv_wrench_sub(span->lam, lam);
    double size = elv_vec3_norm(d.mom) + elv_vec3_norm(d.frc);
    return work->size > 0.0 ? size / work->size : 0.0;
}

// from the tip to the root; is_short: false where a step is too long
static ElvStatus sweep(ElvConjugateWork* work,
                       ElvConjugateReport* report,
                       ElvConjugatePlane* plane,
                       double* smallest,
                       bool* is_short,
                       ElvError* error) {
    ElvWrench beyond = elv_wrench_zero();
    *plane = tip_plane(work);
    *is_short = true;
    for (int i = work->grid.n_step - 1; i >= 0; i--) {
        const ElvShotStep* step = &work->grid.step[i];
        ElvConjugateSpan span;
        ElvStatus status = elv_conjugate_span(work, i, step->s0, &span, error);
        if (status == ELV_ERROR_NUMERIC) {
            // stages that run away are those of a step that is too long
            *is_short = false;
            return ELV_OK;
        }
        if (status != ELV_OK) {
            return status;
        }
        bool is_last = i + 1 == work->grid.n_step;
        if (!is_last || !work->equilibrium->is_tip_held) {
            report->defect = fmax(report->defect, find_defect(work, &span, beyond));
        }
        beyond = span.first;
        int count = elv_conjugate_count(work, &span, plane, smallest);
        *is_short = count >= 0;
        for (int k = 1; k <= count; k++) {
            double s;
            status = locate(work, i, plane, k, &s, error);
            if (status != ELV_OK) {
                return status;
            }
            add_point(report, work->chain->rod[step->i_rod].i_node, s);
            report->n_negative++;
        }
        if (!*is_short || !elv_conjugate_carry(&span, plane)) {
            *is_short = false;
            return ELV_OK;
        }
    }
    return ELV_OK;
}

// ---- the root

// stiffness of the joint at the root with all that it carries: n eigenvalues of r_u + r_lam S zeta
static bool root_values(const ElvConjugateWork* work,
                        const ElvConjugatePlane* plane,
                        const ElvShootRoot* root,
                        double* value) {
    double S[N][N], r_u[N * N], r_lam[N * N], zeta[N][ELV_IVP_COLUMN], A[N * N];
    ElvPose g;
    ElvWrench lam;
    int n = root->n_u;
    work->equilibrium->section(work->equilibrium->user, work->chain->rod[0].i_node, 0.0, &g, &lam);
    elv_shoot_root_tangent(root, &work->grid.in, lam, r_u, r_lam, zeta);
    elv_conjugate_answer(plane, S);
    for (int i = 0; i < N * N; i++) {
        double row = i / N < 3 ? work->moment : work->moment / work->length;
        double column = i % N < 3 ? 1.0 : work->length;
        S[i / N][i % N] *= row / column;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = r_u[i * n + j];
            for (int k = 0; k < N * N; k++) {
                sum += r_lam[i * N + k / N] * S[k / N][k % N] * zeta[k % N][j];
            }
            A[i * n + j] = sum;
        }
    }
    double odd = 0.0;
    double size = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            odd = fmax(odd, fabs(A[i * n + j] - A[j * n + i]));
            A[i * n + j] = A[j * n + i] = 0.5 * (A[i * n + j] + A[j * n + i]);
        }
        size = fmax(size, fabs(A[i * n + i]));
    }
    return odd <= ODD * size && elv_eigen_symmetric(n, A, value);
}

// what a joint that may move adds; false: something of its motion is neutral, or the loads have no potential
static bool
add_root(const ElvConjugateWork* work, const ElvConjugatePlane* plane, ElvConjugateReport* report) {
    ElvShootRoot root = elv_shoot_root(work->chain);
    double value[N];
    if (root.n_u == 0) {
        return true;
    }
    if (work->equilibrium->q) {
        size_t n_q = (size_t)work->chain->joint->joint.n_q;
        memcpy(root.q, work->equilibrium->q, n_q * sizeof *root.q);
    }
    if (!root_values(work, plane, &root, value)) {
        report->is_conservative = false;
        return false;
    }
    double largest = fmax(fabs(value[0]), fabs(value[root.n_u - 1]));
    bool is_known = true;
    for (int i = 0; i < root.n_u; i++) {
        report->n_negative += value[i] < 0.0;
        is_known = is_known && fabs(value[i]) > NEUTRAL * largest;
    }
    return is_known;
}

// ---- all of it

static ElvStatus
judge(ElvConjugateWork* work, ElvConjugateReport* report, bool* is_short, ElvError* error) {
    ElvConjugatePlane plane;
    double smallest = 1.0;
    memset(report, 0, sizeof *report);
    *is_short = true;
    check_stiffness(work, report);
    if (!report->is_stiff) {
        report->stability = ELV_STABILITY_UNSTABLE;
        return ELV_OK;
    }
    report->is_conservative = true;
    ElvStatus status = sweep(work, report, &plane, &smallest, is_short, error);
    if (status != ELV_OK || !*is_short) {
        return status;
    }
    // fields that are not in balance are not symmetric either
    report->is_conservative = work->asymmetry <= ODD + fmin(report->defect, 0.2);
    bool is_root_known = add_root(work, &plane, report);
    // an error of the fields moves a conjugate point by its share of the chain: one beside the root may be none
    double doubt = fmin(fmax(NEUTRAL, report->defect * work->grid.n_step), 0.5);
    bool is_known = report->is_conservative && is_root_known && fabs(smallest) > doubt;
    report->stability = !is_known                 ? ELV_STABILITY_UNKNOWN
                        : report->n_negative == 0 ? ELV_STABILITY_STABLE
                                                  : ELV_STABILITY_UNSTABLE;
    return ELV_OK;
}

ElvStatus elv_conjugate_find(const ElvChain* chain,
                             const ElvEquilibrium* equilibrium,
                             double load,
                             int steps,
                             ElvConjugateReport* report,
                             ElvError* error) {
    steps = steps > 0 ? steps : DEFAULT_STEPS;
    for (int times = 1; steps * times <= MAX_STEPS; times *= 2) {
        ElvConjugateWork work = {.chain = chain, .equilibrium = equilibrium, .load = load};
        bool is_short = false;
        ElvStatus status = prepare(&work, steps, times, error);
        status = status == ELV_OK ? judge(&work, report, &is_short, error) : status;
        elv_shot_grid_free(&work.grid);
        elv_pool_free(&work.pool);
        if (status != ELV_OK || is_short) {
            return status;
        }
    }
    return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                         "the equilibrium varies too fast along the rods: even the shortest steps "
                         "lose their stability");
}

ElvStatus elv_conjugate_points(const ElvModel* model,
                               const ElvEquilibrium* equilibrium,
                               int steps,
                               ElvConjugateReport* report,
                               ElvError* error) {
    ElvChain chain;
    elv_error_clear(error);
    memset(report, 0, sizeof *report);
    if (!equilibrium->section) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "section",
                             "an equilibrium needs its section: the callback is NULL");
    }
    if (steps < 0 || steps > MAX_STEPS) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "steps", "steps must be 0 to %d",
                             (int)MAX_STEPS);
    }
    ElvStatus status = elv_chain_create(model, &chain, error);
    if (status == ELV_OK) {
        status = elv_conjugate_find(&chain, equilibrium, 1.0, steps, report, error);
    }
    elv_chain_free(&chain);
    return status;
}
