// SPDX-License-Identifier: Apache-2.0
// Static shooting as a root search. Unknowns: displacements u of the joint at the root, Lambda(0), and for every
// further segment the pose and the internal wrench where it begins. Residuals: the balance of the joint, the
// gaps of pose and wrench between segments, and at the tip Lambda(l) - F_tip [OCP (52)] or, held, its pose (its
// position and the moment).
//     e = log(g_k^-1 g_end):  d e = T(e)^-1 (zeta_end - Ad_(exp(-e)) zeta_k)
// Tangents come from the tangent initial value problems [OCP (77)-(79)].
#include "strong/shoot_statics.h"

#include <math.h>
#include <string.h>

enum { COLUMN = ELV_IVP_COLUMN };

// displacement per unit of effort, in units of the chain, from which on a joint is free
static const double FREE = 1e9;

// ---- units

static double pose_unit(const ElvShooting* s, int i) {
    return i < 3 ? 1.0 : s->length;
}

static double wrench_unit(const ElvShooting* s, int i) {
    return i < 3 ? s->moment : s->moment / s->length;
}

// ---- places of unknowns and equations

static int n_root(const ElvShooting* s) {
    return s->now.root.n_u;
}

// first unknown of a segment: of the first one, those of the joint and Lambda
static int column_of(const ElvShooting* s, int k) {
    return k == 0 ? 0 : n_root(s) + 6 + 12 * (k - 1);
}

// first equation at the end of a segment
static int row_of(const ElvShooting* s, int k) {
    return n_root(s) + 12 * k;
}

void elv_shoot_copy(const ElvShooting* shooting, const ElvShootPoint* from, ElvShootPoint* to) {
    size_t n = (size_t)shooting->n_segment;
    to->root = from->root;
    memcpy(to->g, from->g, n * sizeof *to->g);
    memcpy(to->lam, from->lam, n * sizeof *to->lam);
}

// ---- parts of the residual

static void put_wrench(const ElvShooting* s, ElvWrench lam, double* r) {
    elv_wrench_to_array(lam, r);
    for (int i = 0; i < 6; i++) {
        r[i] /= wrench_unit(s, i);
    }
}

// log(g^-1 g_end)
static void put_gap(const ElvShooting* s, const ElvPose* g, const ElvIvpState* end, double* r) {
    ElvPose gap = elv_pose_compose(elv_pose_inverse(*g), elv_ivp_pose(end));
    elv_twist_to_array(elv_se3_log(gap), r);
    for (int i = 0; i < 6; i++) {
        r[i] /= pose_unit(s, i);
    }
}

// at the tip: its gap where it is held, else its wrench; pinned, moments and the gap of its position in its own axes
static void put_tip(const ElvShooting* s, const ElvIvpState* end, double* r) {
    if (s->has_tip && !s->is_pinned) {
        put_gap(s, &s->tip, end, r);
        return;
    }
    put_wrench(s, elv_ivp_wrench(end), r);
    if (s->is_pinned) {
        ElvPose g = elv_ivp_pose(end);
        ElvVec3 gap = elv_mat3_apply_transpose(g.R, elv_vec3_sub(g.p, s->tip.p));
        r[3] = gap.x / s->length;
        r[4] = gap.y / s->length;
        r[5] = gap.z / s->length;
    }
}

static double wrench_size(const ElvShooting* s, ElvWrench lam) {
    return (elv_vec3_norm(lam.mom) + s->length * elv_vec3_norm(lam.frc)) / s->moment;
}

// ---- shots

// unknowns of a segment as variations of its start; those of the joint vary its balance too
static void start_columns(ElvShooting* s, const ElvShootPoint* x, int k, ElvShootColumns* at) {
    int n_u = k == 0 ? n_root(s) : 6;
    memset(at, 0, sizeof *at);
    at->n = n_u + 6;
    if (k == 0) {
        elv_shoot_root_tangent(&x->root, &s->in, x->lam[0], s->joint_u, s->joint_lam, at->zeta);
    }
    for (int i = 0; i < 6; i++) {
        if (k > 0) {
            at->zeta[i][i] = pose_unit(s, i);
        }
        at->lam[i][n_u + i] = wrench_unit(s, i);
    }
}

bool elv_shoot_over(ElvShooting* s, const ElvShootPoint* x, bool with_columns) {
    s->report.n_shot++;
    s->shot = NULL;
    for (int k = 0; k < s->n_segment; k++) {
        ElvIvpTangent tangent;
        ElvIvpState* y = &s->end[k];
        ElvShootColumns* at = &s->column[k];
        *y = elv_ivp_start(x->g[k], x->lam[k]);
        if (with_columns) {
            start_columns(s, x, k, at);
            elv_ivp_tangent_start(at->n, (const double(*)[COLUMN])at->zeta,
                                  (const double(*)[COLUMN])at->lam, &tangent);
        }
        if (elv_ivp_run(&s->fine, s->first[k], s->first[k + 1], false, y,
                        with_columns ? &tangent : NULL, s->start + s->first[k]) != ELV_OK) {
            return false;
        }
        if (with_columns) {
            elv_ivp_tangent_end(y, &tangent, at->zeta, at->lam);
        }
    }
    s->shot = x;
    s->has_column = with_columns;
    return true;
}

// ---- residual

static bool residual(void* user, double* r) {
    ElvShooting* s = user;
    const ElvShootPoint* x = &s->trial;
    int last = s->n_segment - 1;
    // errors of Newton's method are squared from point to point: is the one after this the last?
    bool goes_on = s->norm * s->norm > s->options.tolerance;
    if (!elv_shoot_over(s, x, goes_on)) {
        return false;
    }
    s->size = 0.0;
    for (int k = 0; k <= last; k++) {
        double size = fmax(wrench_size(s, x->lam[k]), wrench_size(s, s->end[k].w));
        s->size = fmax(s->size, size);
    }
    if (n_root(s) > 0) {
        elv_shoot_root_residual(&x->root, &s->in, x->lam[0], r);
        for (int i = 0; i < n_root(s); i++) {
            r[i] /= s->moment;
        }
    }
    for (int k = 0; k < last; k++) {
        double* row = r + row_of(s, k);
        put_gap(s, &x->g[k + 1], &s->end[k], row);
        put_wrench(s, elv_wrench_sub(elv_ivp_wrench(&s->end[k]), x->lam[k + 1]), row + 6);
    }
    put_tip(s, &s->end[last], r + row_of(s, last));
    return true;
}

// wrenches relative to the largest there is, poses as they are
static double norm(void* user, const double* r) {
    ElvShooting* s = user;
    double most = 0.0;
    int last = s->n_segment - 1;
    double size = fmax(s->size, 1e-4);
    for (int i = 0; i < s->problem.n; i++) {
        int behind = i - n_root(s);
        bool is_tip_pose = s->has_tip && (!s->is_pinned || behind % 12 >= 3);
        bool is_pose = behind >= 0 && (behind / 12 < last ? behind % 12 < 6 : is_tip_pose);
        double value = fabs(r[i]) / (is_pose ? 1.0 : size);
        // keeps NaN
        most = value <= most ? most : value;
    }
    s->norm = most;
    return most;
}

// ---- Jacobian

// equations of the joint
static void put_joint(const ElvShooting* s, ElvBand* J) {
    int n = n_root(s);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            *elv_band_at(J, i, j) = s->joint_u[i * n + j] / s->moment;
        }
        for (int j = 0; j < 6; j++) {
            *elv_band_at(J, i, n + j) = s->joint_lam[i * 6 + j] * wrench_unit(s, j) / s->moment;
        }
    }
}

// T(e)^-1 times the columns of poses, into rows of J; with `other` also the part of the next segment's start
static void put_gap_rows(const ElvShooting* s,
                         const ElvShootColumns* at,
                         const ElvPose* g,
                         const ElvIvpState* end,
                         int row,
                         int column,
                         int other,
                         ElvBand* J) {
    ElvPose gap = elv_pose_compose(elv_pose_inverse(*g), elv_ivp_pose(end));
    ElvMat6 T_inv = elv_se3_tangent_inv(elv_se3_log(gap));
    ElvMat6 back = elv_mat6_mul(T_inv, elv_pose_adjoint(elv_pose_inverse(gap)));
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < at->n; c++) {
            double sum = 0.0;
            for (int j = 0; j < 6; j++) {
                sum += T_inv.m[i][j] * at->zeta[j][c];
            }
            *elv_band_at(J, row + i, column + c) = sum / pose_unit(s, i);
        }
        for (int j = 0; j < 6 && other >= 0; j++) {
            *elv_band_at(J, row + i, other + j) = -back.m[i][j] * pose_unit(s, j) / pose_unit(s, i);
        }
    }
}

static void
put_wrench_rows(const ElvShooting* s, const ElvShootColumns* at, int row, int column, ElvBand* J) {
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < at->n; c++) {
            *elv_band_at(J, row + i, column + c) = at->lam[i][c] / wrench_unit(s, i);
        }
    }
}

// rows of put_tip
static void put_tip_rows(const ElvShooting* s,
                         const ElvShootColumns* at,
                         const ElvIvpState* y,
                         int row,
                         int column,
                         ElvBand* J) {
    if (s->has_tip && !s->is_pinned) {
        put_gap_rows(s, at, &s->tip, y, row, column, -1, J);
        return;
    }
    put_wrench_rows(s, at, row, column, J);
    ElvPose g = elv_ivp_pose(y);
    ElvVec3 gap = elv_mat3_apply_transpose(g.R, elv_vec3_sub(g.p, s->tip.p));
    for (int c = 0; c < at->n && s->is_pinned; c++) {
        // delta (R^T d) = R^T d cross theta + R^T delta p
        ElvVec3 theta = elv_vec3(at->zeta[0][c], at->zeta[1][c], at->zeta[2][c]);
        ElvVec3 lin = elv_vec3(at->zeta[3][c], at->zeta[4][c], at->zeta[5][c]);
        ElvVec3 d = elv_vec3_add(elv_vec3_cross(gap, theta), lin);
        *elv_band_at(J, row + 3, column + c) = d.x / s->length;
        *elv_band_at(J, row + 4, column + c) = d.y / s->length;
        *elv_band_at(J, row + 5, column + c) = d.z / s->length;
    }
}

// by how much the unknowns of a segment have grown over it
static double growth(const ElvShooting* s, const ElvShootColumns* at) {
    double most = 0.0;
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < at->n; c++) {
            most = fmax(most, fabs(at->zeta[i][c]) / pose_unit(s, i));
            most = fmax(most, fabs(at->lam[i][c]) / wrench_unit(s, i));
        }
    }
    return most;
}

bool elv_shoot_jacobian(void* user, ElvBand* J) {
    ElvShooting* s = user;
    const ElvShootPoint* x = &s->now;
    int last = s->n_segment - 1;
    s->report.n_jacobian++;
    s->report.growth = 0.0;
    bool is_known = s->shot == x && s->has_column;
    if (!is_known && !elv_shoot_over(s, x, true)) {
        return false;
    }
    put_joint(s, J);
    for (int k = 0; k <= last; k++) {
        const ElvShootColumns* at = &s->column[k];
        int row = row_of(s, k);
        int column = column_of(s, k);
        s->report.growth = fmax(s->report.growth, growth(s, at));
        if (k < last) {
            int next = column_of(s, k + 1);
            put_gap_rows(s, at, &x->g[k + 1], &s->end[k], row, column, next, J);
            put_wrench_rows(s, at, row + 6, column, J);
            for (int i = 0; i < 6; i++) {
                *elv_band_at(J, row + 6 + i, next + 6 + i) = -1.0;
            }
        } else {
            put_tip_rows(s, at, &s->end[k], row, column, J);
        }
    }
    return true;
}

bool elv_shoot_can_move(ElvShooting* s) {
    ElvRootWork* w = &s->work;
    int n = s->problem.n;
    if (s->now.root.n_u == 0) {
        return false;
    }
    elv_band_clear(&w->factor);
    if (!elv_shoot_jacobian(s, &w->factor) || elv_band_factor(&w->factor, w->pivot) >= 0) {
        return true;
    }
    for (int i = 0; i < n; i++) {
        w->step[i] = i % 2 == 0 ? 1.0 : 0.7;
    }
    elv_band_solve(&w->factor, w->pivot, w->step);
    double most = 0.0;
    for (int i = 0; i < s->now.root.n_u; i++) {
        most = fmax(most, fabs(w->step[i]));
    }
    return !(most < FREE);
}

// ---- points

static void move(void* user, const double* step) {
    ElvShooting* s = user;
    int n_u = n_root(s);
    elv_shoot_copy(s, &s->now, &s->trial);
    elv_shoot_root_move(&s->trial.root, step);
    s->trial.g[0] = elv_shoot_root_start(&s->trial.root);
    for (int k = 0; k < s->n_segment; k++) {
        double zeta[6] = {0.0}, lam[6];
        const double* own = step + column_of(s, k) + (k == 0 ? n_u : 6);
        elv_wrench_to_array(s->trial.lam[k], lam);
        for (int i = 0; i < 6; i++) {
            lam[i] += own[i] * wrench_unit(s, i);
            zeta[i] = k > 0 ? step[column_of(s, k) + i] * pose_unit(s, i) : 0.0;
        }
        s->trial.lam[k] = elv_wrench_from_array(lam);
        if (k > 0) {
            s->trial.g[k] =
                elv_pose_compose(s->trial.g[k], elv_se3_exp(elv_twist_from_array(zeta)));
        }
    }
}

static void accept(void* user) {
    ElvShooting* s = user;
    elv_shoot_copy(s, &s->trial, &s->now);
    s->shot = s->shot == &s->trial ? &s->now : NULL;
}

ElvRootProblem elv_shoot_problem(ElvShooting* shooting) {
    int n_u = n_root(shooting);
    bool is_single = shooting->n_segment == 1;
    int below = is_single ? n_u + 5 : (n_u > 6 ? n_u : 6) + 11;
    return (ElvRootProblem){.n = n_u + 6 + 12 * (shooting->n_segment - 1),
                            .below = below,
                            .above = is_single ? n_u + 5 : 17,
                            .user = shooting,
                            .residual = residual,
                            .jacobian = elv_shoot_jacobian,
                            .move = move,
                            .accept = accept,
                            .norm = norm};
}
