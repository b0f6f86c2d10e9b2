// SPDX-License-Identifier: Apache-2.0
// Static shooting as a root search. Unknowns: displacements u of the joint at the root, Lambda(0), and for every
// further segment the pose and the internal wrench where it begins. Residuals: the balance of the joint, the
// gaps of pose and wrench between segments, and at the tip Lambda(l) - F_tip [OCP (52)] or, held, its pose.
//     e = log(g_k^-1 g_end):  d e = T(e)^-1 (zeta_end - Ad_(exp(-e)) zeta_k)
// Tangents come from the tangent initial value problems [OCP (77)-(79)].
#include "strong/shoot_statics.h"

#include <math.h>
#include <string.h>

enum { COLUMN = ELV_IVP_COLUMN };

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

// ---- residual

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

static double wrench_size(const ElvShooting* s, ElvWrench lam) {
    return (elv_vec3_norm(lam.mom) + s->length * elv_vec3_norm(lam.frc)) / s->moment;
}

bool elv_shoot_residual(void* user, double* r) {
    ElvShooting* s = user;
    const ElvShootPoint* x = &s->trial;
    int last = s->n_segment - 1;
    s->report.n_shot++;
    s->size = 0.0;
    for (int k = 0; k <= last; k++) {
        ElvIvpState* y = &s->end[k];
        *y = elv_ivp_start(x->g[k], x->lam[k]);
        if (elv_ivp_run(&s->fine, s->first[k], s->first[k + 1], false, y, NULL) != ELV_OK) {
            return false;
        }
        s->size = fmax(s->size, fmax(wrench_size(s, x->lam[k]), wrench_size(s, y->w)));
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
    if (s->has_tip) {
        put_gap(s, &s->tip, &s->end[last], r + row_of(s, last));
    } else {
        put_wrench(s, elv_ivp_wrench(&s->end[last]), r + row_of(s, last));
    }
    return true;
}

// wrenches relative to the largest there is, poses as they are
static double norm(void* user, const double* r) {
    const ElvShooting* s = user;
    double most = 0.0;
    int last = s->n_segment - 1;
    double size = fmax(s->size, 1e-4);
    for (int i = 0; i < s->problem.n; i++) {
        int behind = i - n_root(s);
        bool is_pose = behind >= 0 && (behind / 12 < last ? behind % 12 < 6 : s->has_tip);
        double value = fabs(r[i]) / (is_pose ? 1.0 : size);
        // keeps NaN
        most = value <= most ? most : value;
    }
    return most;
}

// ---- Jacobian

/// Variations at the end of a segment per unit of its own unknowns, in the section's axes.
typedef struct {
    int n;
    double zeta[6][COLUMN], lam[6][COLUMN];
} EndColumns;

// unknowns of a segment as variations of its start; those of the joint give r_u and r_lam too
static void start_columns(const ElvShooting* s, int k, EndColumns* at, double* r_u, double* r_lam) {
    int n_u = k == 0 ? n_root(s) : 6;
    memset(at, 0, sizeof *at);
    at->n = n_u + 6;
    if (k == 0) {
        elv_shoot_root_tangent(&s->now.root, &s->in, s->now.lam[0], r_u, r_lam, at->zeta);
    }
    for (int i = 0; i < 6; i++) {
        if (k > 0) {
            at->zeta[i][i] = pose_unit(s, i);
        }
        at->lam[i][n_u + i] = wrench_unit(s, i);
    }
}

// equations of the joint
static void put_joint(const ElvShooting* s, const double* r_u, const double* r_lam, ElvBand* J) {
    int n = n_root(s);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            *elv_band_at(J, i, j) = r_u[i * n + j] / s->moment;
        }
        for (int j = 0; j < 6; j++) {
            *elv_band_at(J, i, n + j) = r_lam[i * 6 + j] * wrench_unit(s, j) / s->moment;
        }
    }
}

// T(e)^-1 times the columns of poses, into rows of J; with `other` also the part of the next segment's start
static void put_gap_rows(const ElvShooting* s,
                         const EndColumns* at,
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
put_wrench_rows(const ElvShooting* s, const EndColumns* at, int row, int column, ElvBand* J) {
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < at->n; c++) {
            *elv_band_at(J, row + i, column + c) = at->lam[i][c] / wrench_unit(s, i);
        }
    }
}

// by how much the unknowns of a segment have grown over it
static double growth(const ElvShooting* s, const EndColumns* at) {
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
    s->report.n_shot++;
    for (int k = 0; k <= last; k++) {
        double r_u[36], r_lam[36];
        EndColumns at;
        ElvIvpTangent tangent;
        ElvIvpState y = elv_ivp_start(x->g[k], x->lam[k]);
        start_columns(s, k, &at, r_u, r_lam);
        if (k == 0) {
            put_joint(s, r_u, r_lam, J);
        }
        elv_ivp_tangent_start(&y, at.n, (const double(*)[COLUMN])at.zeta,
                              (const double(*)[COLUMN])at.lam, &tangent);
        if (elv_ivp_run(&s->fine, s->first[k], s->first[k + 1], false, &y, &tangent) != ELV_OK) {
            return false;
        }
        elv_ivp_tangent_end(&y, &tangent, at.zeta, at.lam);
        s->report.growth = fmax(k == 0 ? 0.0 : s->report.growth, growth(s, &at));
        int row = row_of(s, k);
        int column = column_of(s, k);
        if (k < last) {
            int next = column_of(s, k + 1);
            put_gap_rows(s, &at, &x->g[k + 1], &y, row, column, next, J);
            put_wrench_rows(s, &at, row + 6, column, J);
            for (int i = 0; i < 6; i++) {
                *elv_band_at(J, row + 6 + i, next + 6 + i) = -1.0;
            }
        } else if (s->has_tip) {
            put_gap_rows(s, &at, &s->tip, &y, row, column, -1, J);
        } else {
            put_wrench_rows(s, &at, row, column, J);
        }
    }
    return true;
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
}

ElvRootProblem elv_shoot_problem(ElvShooting* shooting) {
    int n_u = n_root(shooting);
    bool is_single = shooting->n_segment == 1;
    int below = is_single ? n_u + 5 : (n_u > 6 ? n_u : 6) + 11;
    return (ElvRootProblem){.n = n_u + 6 + 12 * (shooting->n_segment - 1),
                            .below = below,
                            .above = is_single ? n_u + 5 : 17,
                            .user = shooting,
                            .residual = elv_shoot_residual,
                            .jacobian = elv_shoot_jacobian,
                            .move = move,
                            .accept = accept,
                            .norm = norm};
}
