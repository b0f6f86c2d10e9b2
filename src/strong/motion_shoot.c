// SPDX-License-Identifier: Apache-2.0
// A step in time as a root search. Unknowns: the displacement of the joint, Lambda(0), and for every further segment pose,
// eta, eta_dot and Lambda where it begins. Residuals: the balance of the joint, the gaps between segments, and at the
// tip Lambda(l) - F_+ [OCP (62)-(63)]. Tangents come from the tangent initial value problems [OCP (80)-(83)].
//     e = log(g_k^-1 g_end):  d e = T(e)^-1 (zeta_end - Ad_(exp(-e)) zeta_k)
#include "strong/motion.h"

#include <math.h>
#include <string.h>

enum { COLUMN = ELV_MOTION_COLUMN };

// ---- units and places

// parts of a section: pose, eta, eta_dot, Lambda
static double unit_of(const ElvMotionShooting* s, int part, int i) {
    double pose = i < 3 ? 1.0 : s->length;
    switch (part) {
    case 0:
        return pose;
    case 1:
        return s->motion.a * pose;
    case 2:
        return s->motion.b * pose;
    default:
        return i < 3 ? s->moment : s->moment / s->length;
    }
}

// the k-th of the n_gap components of a section: its part
static int part_of(const ElvMotionShooting* s, int k) {
    return k >= s->n_gap - 6 ? 3 : k / 6;
}

static int n_root(const ElvMotionShooting* s) {
    return s->root.n;
}

static int column_of(const ElvMotionShooting* s, int k) {
    return k == 0 ? 0 : n_root(s) + 6 + s->n_gap * (k - 1);
}

static int row_of(const ElvMotionShooting* s, int k) {
    return n_root(s) + s->n_gap * k;
}

// segments that run side by side, from segment k on
static int lanes_from(const ElvMotionShooting* s, int k) {
    int left = s->cut.n_segment - k;
    return left < ELV_MOTION_LANE ? left : ELV_MOTION_LANE;
}

static double unit_at(const ElvMotionShooting* s, int k) {
    return unit_of(s, part_of(s, k), k % 6);
}

// ---- residual

void elv_motion_place(ElvMotionShooting* s, ElvMotionPoint* x) {
    elv_chain_root_place(&s->root, &s->grid.in, x->nu, NULL);
    ElvPose offset = s->chain.rod[0].offset;
    x->at[0].g = elv_pose_compose(s->root.motion.g, offset);
    x->at[0].eta = elv_twist_transform_inv(offset, s->root.eta);
    x->at[0].eta_dot = elv_twist_transform_inv(offset, s->root.eta_dot);
}

static double wrench_size(const ElvMotionShooting* s, ElvWrench lam) {
    return (elv_vec3_norm(lam.mom) + s->length * elv_vec3_norm(lam.frc)) / s->moment;
}

static void put_gap(const ElvMotionShooting* s,
                    const ElvMotionSection* end,
                    const ElvMotionSection* next,
                    double* r) {
    double x[ELV_MOTION_ROW];
    ElvPose gap = elv_pose_compose(elv_pose_inverse(next->g), end->g);
    elv_twist_to_array(elv_se3_log(gap), x);
    elv_twist_to_array(elv_twist_sub(end->eta, next->eta), x + 6);
    elv_twist_to_array(elv_twist_sub(end->eta_dot, next->eta_dot), x + 12);
    elv_wrench_to_array(elv_wrench_sub(end->lam, next->lam), x + s->n_gap - 6);
    for (int k = 0; k < s->n_gap; k++) {
        r[k] = x[k] / unit_at(s, k);
    }
}

bool elv_motion_shoot(ElvMotionShooting* s,
                      const ElvMotionPoint* x,
                      ElvMotionState* end,
                      ElvFieldNode* node) {
    for (int k = 0; k < s->cut.n_segment; k += ELV_MOTION_LANE) {
        int n = lanes_from(s, k);
        for (int i = k; i < k + n; i++) {
            end[i] = elv_motion_state_at(&x->at[i]);
        }
        s->law = elv_motion_run(&s->motion, n, s->cut.first + k, end + k, NULL, node, &s->lost);
        if (s->law != ELV_OK) {
            return false;
        }
    }
    s->lost = -1;
    return true;
}

static bool residual(void* user, double* r) {
    ElvMotionShooting* s = user;
    ElvMotionPoint* x = &s->cut.trial;
    int last = s->cut.n_segment - 1;
    elv_motion_place(s, x);
    s->report.n_evaluation++;
    s->size = 0.0;
    if (!elv_motion_shoot(s, x, s->cut.end, NULL)) {
        return false;
    }
    for (int k = 0; k <= last; k++) {
        double size = fmax(wrench_size(s, x->at[k].lam), wrench_size(s, s->cut.end[k].w));
        s->size = fmax(s->size, size);
    }
    if (n_root(s) > 0) {
        ElvWrench lam = elv_wrench_transform(s->chain.rod[0].offset, x->at[0].lam);
        elv_chain_root_residual(&s->root, &s->grid.in, lam, r, NULL);
        for (int i = 0; i < n_root(s); i++) {
            r[i] /= s->moment;
        }
    }
    for (int k = 0; k < last; k++) {
        ElvMotionSection end = elv_motion_section(&s->cut.end[k]);
        put_gap(s, &end, &x->at[k + 1], r + row_of(s, k));
    }
    double* tip = r + row_of(s, last);
    elv_wrench_to_array(elv_motion_section(&s->cut.end[last]).lam, tip);
    for (int i = 0; i < 6; i++) {
        tip[i] /= unit_of(s, 3, i);
    }
    return true;
}

// wrenches relative to the largest there is, the rest as it is
static double norm(void* user, const double* r) {
    const ElvMotionShooting* s = user;
    double most = 0.0;
    double size = fmax(s->size, 1e-4);
    int last = row_of(s, s->cut.n_segment - 1);
    for (int i = 0; i < s->cut.problem.n; i++) {
        int behind = i - n_root(s);
        bool is_wrench = behind < 0 || i >= last || part_of(s, behind % s->n_gap) == 3;
        double value = fabs(r[i]) / (is_wrench ? size : 1.0);
        // keeps NaN
        most = value <= most ? most : value;
    }
    return most;
}

// ---- Jacobian

// equations of the joint
static void put_joint(ElvMotionShooting* s, ElvBand* J) {
    int n = n_root(s);
    ElvPose offset = s->chain.rod[0].offset;
    double r[6], D[6 * 12];
    ElvWrench lam = elv_wrench_transform(offset, s->cut.now.at[0].lam);
    elv_chain_root_residual(&s->root, &s->grid.in, lam, r, D);
    for (int i = 0; i < n; i++) {
        const double* row = D + i * (n + 6);
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += row[k] * s->basis[k][j];
            }
            *elv_band_at(J, i, j) = sum / s->moment;
        }
        // by Lambda in the axes of the first section
        for (int j = 0; j < 6; j++) {
            double unit[6] = {0.0};
            unit[j] = unit_of(s, 3, j) / s->moment;
            elv_wrench_to_array(elv_wrench_transform(offset, elv_wrench_from_array(unit)), unit);
            double sum = 0.0;
            for (int k = 0; k < 6; k++) {
                sum += row[n + k] * unit[k];
            }
            *elv_band_at(J, i, n + j) = sum;
        }
    }
}

// variations of the first section per unknown of the joint, whose equations are put before
static void start_root(const ElvMotionShooting* s, ElvMotionTangent* at) {
    ElvPose offset = s->chain.rod[0].offset;
    for (int c = 0; c < n_root(s); c++) {
        double x[18];
        ElvTwist zeta = elv_twist_zero(), eta = elv_twist_zero(), eta_dot = elv_twist_zero();
        for (int k = 0; k < n_root(s); k++) {
            zeta = elv_twist_add_scaled(zeta, s->basis[k][c], s->root.d_zeta[k]);
            eta = elv_twist_add_scaled(eta, s->basis[k][c], s->root.d_eta[k]);
            eta_dot = elv_twist_add_scaled(eta_dot, s->basis[k][c], s->root.d_eta_dot[k]);
        }
        elv_twist_to_array(elv_twist_transform_inv(offset, zeta), x);
        elv_twist_to_array(elv_twist_transform_inv(offset, eta), x + 6);
        elv_twist_to_array(elv_twist_transform_inv(offset, eta_dot), x + 12);
        for (int i = 0; i < 18; i++) {
            at->x[i][c] = x[i];
        }
    }
}

// unknowns of a segment as variations of its start
static void start_columns(ElvMotionShooting* s, int k, ElvMotionTangent* at, ElvBand* J) {
    memset(at, 0, sizeof *at);
    if (k == 0) {
        if (n_root(s) > 0) {
            put_joint(s, J);
            start_root(s, at);
        }
        at->n = n_root(s) + 6;
        for (int i = 0; i < 6; i++) {
            at->x[18 + i][n_root(s) + i] = unit_of(s, 3, i);
        }
        return;
    }
    at->n = s->n_gap;
    for (int c = 0; c < s->n_gap; c++) {
        at->x[6 * part_of(s, c) + c % 6][c] = unit_at(s, c);
    }
}

// rows of the gap behind segment k
static void put_gap_rows(const ElvMotionShooting* s,
                         const ElvMotionTangent* at,
                         const ElvMotionSection* end,
                         int k,
                         ElvBand* J) {
    int row = row_of(s, k);
    int own = column_of(s, k);
    int next = column_of(s, k + 1);
    ElvPose gap = elv_pose_compose(elv_pose_inverse(s->cut.now.at[k + 1].g), end->g);
    ElvMat6 T_inv = elv_se3_tangent_inv(elv_se3_log(gap));
    ElvMat6 back = elv_mat6_mul(T_inv, elv_pose_adjoint(elv_pose_inverse(gap)));
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < at->n; c++) {
            double sum = 0.0;
            for (int j = 0; j < 6; j++) {
                sum += T_inv.m[i][j] * at->x[j][c];
            }
            *elv_band_at(J, row + i, own + c) = sum / unit_at(s, i);
        }
        for (int j = 0; j < 6; j++) {
            *elv_band_at(J, row + i, next + j) = -back.m[i][j] * unit_at(s, j) / unit_at(s, i);
        }
    }
    for (int i = 6; i < s->n_gap; i++) {
        for (int c = 0; c < at->n; c++) {
            *elv_band_at(J, row + i, own + c) = at->x[6 * part_of(s, i) + i % 6][c] / unit_at(s, i);
        }
        *elv_band_at(J, row + i, next + i) = -1.0;
    }
}

static double growth_of(const ElvMotionShooting* s, const ElvMotionTangent* at) {
    double most = 0.0;
    for (int i = 0; i < ELV_MOTION_ROW; i++) {
        bool counts = i < 12 || i >= 18 || s->n_gap == ELV_MOTION_ROW;
        for (int c = 0; c < at->n && counts; c++) {
            most = fmax(most, fabs(at->x[i][c]) / unit_of(s, i / 6, i % 6));
        }
    }
    return most;
}

// rows at the end of segment k
static void put_rows(const ElvMotionShooting* s,
                     int k,
                     const ElvMotionState* y,
                     const ElvMotionTangent* at,
                     ElvBand* J) {
    if (k + 1 < s->cut.n_segment) {
        ElvMotionSection end = elv_motion_section(y);
        put_gap_rows(s, at, &end, k, J);
        return;
    }
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < at->n; c++) {
            *elv_band_at(J, row_of(s, k) + i, column_of(s, k) + c) =
                at->x[18 + i][c] / unit_of(s, 3, i);
        }
    }
}

static bool jacobian(void* user, ElvBand* J) {
    ElvMotionShooting* s = user;
    elv_motion_place(s, &s->cut.now);
    s->report.n_jacobian++;
    s->growth = 0.0;
    for (int k = 0; k < s->cut.n_segment; k += ELV_MOTION_LANE) {
        ElvMotionTangent at[ELV_MOTION_LANE];
        ElvMotionState y[ELV_MOTION_LANE];
        int n = lanes_from(s, k);
        for (int i = 0; i < n; i++) {
            y[i] = elv_motion_state_at(&s->cut.now.at[k + i]);
            start_columns(s, k + i, &at[i], J);
        }
        s->law = elv_motion_run(&s->motion, n, s->cut.first + k, y, at, NULL, &s->lost);
        if (s->law != ELV_OK) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            elv_motion_tangent_end(&y[i], &at[i]);
            s->growth = fmax(s->growth, growth_of(s, &at[i]));
            put_rows(s, k + i, &y[i], &at[i], J);
        }
    }
    return true;
}

// ---- points

static void copy(const ElvMotionShooting* s, const ElvMotionPoint* from, ElvMotionPoint* to) {
    memcpy(to->nu, from->nu, sizeof to->nu);
    memcpy(to->at, from->at, (size_t)s->cut.n_segment * sizeof *to->at);
}

// a section moved by (n_gap) components, or by Lambda alone
static void
move_section(const ElvMotionShooting* s, const double* step, bool is_first, ElvMotionSection* at) {
    double x[ELV_MOTION_ROW] = {0.0};
    for (int k = is_first ? s->n_gap - 6 : 0; k < s->n_gap; k++) {
        double value = step[is_first ? k - s->n_gap + 6 : k];
        x[6 * part_of(s, k) + k % 6] = value * unit_at(s, k);
    }
    at->lam = elv_wrench_add(at->lam, elv_wrench_from_array(x + 18));
    if (!is_first) {
        at->g = elv_pose_compose(at->g, elv_se3_exp(elv_twist_from_array(x)));
        at->eta = elv_twist_add(at->eta, elv_twist_from_array(x + 6));
        at->eta_dot = elv_twist_add(at->eta_dot, elv_twist_from_array(x + 12));
    }
}

static void move(void* user, const double* step) {
    ElvMotionShooting* s = user;
    copy(s, &s->cut.now, &s->cut.trial);
    for (int i = 0; i < n_root(s); i++) {
        for (int k = 0; k < n_root(s); k++) {
            s->cut.trial.nu[i] += s->basis[i][k] * step[k];
        }
    }
    move_section(s, step + n_root(s), true, &s->cut.trial.at[0]);
    for (int k = 1; k < s->cut.n_segment; k++) {
        move_section(s, step + column_of(s, k), false, &s->cut.trial.at[k]);
    }
}

static void accept(void* user) {
    ElvMotionShooting* s = user;
    copy(s, &s->cut.trial, &s->cut.now);
}

ElvRootProblem elv_motion_problem(ElvMotionShooting* self) {
    int n_u = n_root(self);
    int n_gap = self->n_gap;
    bool is_single = self->cut.n_segment == 1;
    return (ElvRootProblem){.n = n_u + 6 + n_gap * (self->cut.n_segment - 1),
                            .below = is_single ? n_u + 5 : 2 * n_gap - 7,
                            .above = is_single ? n_u + 5 : n_gap + 5,
                            .user = self,
                            .residual = residual,
                            .jacobian = jacobian,
                            .move = move,
                            .accept = accept,
                            .norm = norm};
}
