// SPDX-License-Identifier: Apache-2.0
// Tensions that bring the tip of a chain to a target. With the gap e(x) between the two, in lengths of the chain and rad,
// and inputs x in their units,
//     |e(x)|^2 + eps^2 |x|^2 -> min,   x >= 0,
// for an eps that falls, and then for the gap alone, from there by the shortest way: what is left are the smallest
// tensions that reach the target, or the nearest point. Each step solves the linear problem with x >= 0 (Lawson and Hanson), damped as by Levenberg and
// Marquardt where it leads uphill or to no equilibrium.
#include "strong/reach.h"

#include <math.h>
#include <string.h>

enum { MAX_STEP = 40, MAX_TRIAL = 14 };

// from the first one on, where x is nearly nothing whatever it was before. Which of all x it is decides itself on the
// way: when eps is small the curvature of e lets only short steps pass
enum { N_EPS = 5 };
static const double EPS[N_EPS] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5};

// weight of the change in steps for the gap alone
static const double EPS_ANCHOR = 1e-4;

// steps are no longer than this, in units of inputs
static const double LONGEST = 0.5;

// a gap from which on a target is near
static const double NEAR = 1e-3;

// first damping, beside the squares of tangents of order one
static const double DAMPING = 1e-3;

static ElvStatus no_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

// ---- inputs

static void give_value(void* user, double t, double s, ElvJet* jet) {
    (void)t;
    (void)s;
    *jet = (ElvJet){*(const double*)user, 0.0, 0.0};
}

static ElvStatus take_laws(ElvReach* self, ElvError* error) {
    ElvStatus status = ELV_OK;
    for (int i = 0; i < self->inputs.n && status == ELV_OK; i++) {
        self->unit[i] = 1.0;
        status = elv_law_callback(give_value, &self->value[i], &self->law[i], error);
    }
    return status == ELV_OK
               ? elv_chain_replace_inputs(&self->shooting->chain, &self->inputs, self->law, error)
               : status;
}

ElvStatus elv_reach_take_inputs(ElvReach* self, ElvError* error) {
    ElvPool* pool = &self->pool;
    ElvStatus status = elv_chain_inputs(self->model, pool, &self->inputs, error);
    self->input = elv_pool_take(pool, (size_t)self->model->n_device, sizeof *self->input);
    if (status != ELV_OK || !self->input) {
        return status != ELV_OK ? status : no_memory(error);
    }
    if (self->by == ELV_BY_WRENCH) {
        return ELV_OK;
    }
    if (self->inputs.n == 0) {
        return elv_error_set(error, ELV_ERROR_INPUT, "inverse", "by",
                             "the model has no tendon and no chamber to bring the tip to its "
                             "place: give it some under 'actuators', or write by: wrench");
    }
    size_t n = (size_t)self->inputs.n;
    double** part[] = {&self->value, &self->unit, &self->x, &self->trial, &self->row};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        *part[i] = elv_pool_take(pool, n + 1, sizeof(double));
        if (!*part[i]) {
            return no_memory(error);
        }
    }
    self->J = elv_pool_take(pool, 6 * n, sizeof(double));
    self->room = elv_pool_take(pool, (size_t)elv_nnls_size(self->inputs.n), sizeof(double));
    self->used = elv_pool_take(pool, n, sizeof *self->used);
    self->is_used = elv_pool_take(pool, n, sizeof *self->is_used);
    self->law = elv_pool_take(pool, n, sizeof *self->law);
    if (!self->J || !self->room || !self->used || !self->is_used || !self->law) {
        return no_memory(error);
    }
    status = elv_reach_tangent_init(&self->tangent, self->inputs.n, pool, error);
    return status == ELV_OK ? take_laws(self, error) : status;
}

// ---- the gap and its tangent

// number of components: position in lengths, then rotation
static int n_gap(const ElvReach* self) {
    return self->target.has_rotation ? 6 : 3;
}

static double find_gap(ElvReach* self, double e[6]) {
    ElvPose tip = elv_reach_tip(self);
    ElvPose target = self->target.pose;
    ElvVec3 d = elv_vec3_scale(1.0 / self->shooting->length, elv_vec3_sub(tip.p, target.p));
    ElvVec3 turn = elv_so3_log(elv_mat3_mul(elv_mat3_transpose(target.R), tip.R));
    const double all[6] = {d.x, d.y, d.z, turn.x, turn.y, turn.z};
    double sum = 0.0;
    memcpy(e, all, sizeof all);
    for (int i = 0; i < n_gap(self); i++) {
        sum += e[i] * e[i];
    }
    return sum;
}

// units by what the strongest tendon, and the strongest chamber, does to the tip
static void set_units(ElvReach* self) {
    int n = self->inputs.n;
    for (int i = 0; i < n; i++) {
        const char* kind = elv_model_device(self->model, self->inputs.device[i]).kind;
        double most = 0.0;
        for (int k = 0; k < n; k++) {
            bool is_same = elv_model_device(self->model, self->inputs.device[k]).kind == kind;
            double sum = 0.0;
            for (int j = 0; j < 6 && is_same; j++) {
                double part = self->J[j * n + k] / (j < 3 ? 1.0 : self->shooting->length);
                sum += part * part;
            }
            most = fmax(most, sum);
        }
        self->unit[i] = most > 0.0 ? 1.0 / sqrt(most) : 1.0;
        self->x[i] = self->value[i] / self->unit[i];
    }
    self->has_units = true;
}

// J becomes the tangent of the gap by x (n_gap x n)
static bool find_tangent(ElvReach* self, const double e[6]) {
    int n = self->inputs.n;
    if (elv_reach_tangent(&self->tangent, self->shooting, &self->inputs, self->J) != ELV_OK) {
        return false;
    }
    if (!self->has_units) {
        set_units(self);
    }
    ElvMat3 R = elv_reach_tip(self).R;
    ElvMat3 T_inv = elv_so3_tangent_inv(elv_vec3(e[3], e[4], e[5]));
    for (int c = 0; c < n; c++) {
        double* J = self->J + c;
        ElvVec3 ang = elv_vec3(J[0], J[n], J[2 * n]);
        ElvVec3 lin = elv_vec3(J[3 * n], J[4 * n], J[5 * n]);
        ElvVec3 d = elv_vec3_scale(1.0 / self->shooting->length, elv_mat3_apply(R, lin));
        ElvVec3 turn = elv_mat3_apply(T_inv, ang);
        const double all[6] = {d.x, d.y, d.z, turn.x, turn.y, turn.z};
        for (int i = 0; i < 6; i++) {
            J[i * n] = self->unit[c] * all[i];
        }
    }
    return true;
}

// ---- steps

/// The function in hand: eps |x - anchor|, and how short a step ends the search.
typedef struct {
    double eps;
    bool is_anchored; // at the x of each step; else at zero
    double step;      // beside the largest x, or a thousandth
} Stage;

// equilibrium at x
static bool balance_at(ElvReach* self, const double* x, bool is_trial) {
    for (int i = 0; i < self->inputs.n; i++) {
        self->value[i] = self->unit[i] * x[i];
    }
    return is_trial ? elv_reach_try(self) : elv_reach_balance(self, NULL) == ELV_OK;
}

static double cost(const ElvReach* self, const Stage* stage, double gap, const double* x) {
    double sum = gap;
    for (int i = 0; i < self->inputs.n && !stage->is_anchored; i++) {
        sum += stage->eps * stage->eps * x[i] * x[i];
    }
    return sum;
}

// trial: the best x >= 0 by the tangent, held near the present one by damping; returns the largest change
static double linear_step(ElvReach* self, const Stage* stage, const double e[6], double damping) {
    int n = self->inputs.n;
    ElvNnls nnls;
    elv_nnls_start(&nnls, n, self->room, self->used, self->is_used);
    for (int i = 0; i < n_gap(self); i++) {
        double rhs = -e[i];
        for (int c = 0; c < n; c++) {
            self->row[c] = self->J[i * n + c];
            rhs += self->row[c] * self->x[c];
        }
        self->row[n] = rhs;
        elv_nnls_add(&nnls, self->row);
    }
    for (int k = 0; k < 2; k++) {
        double weight = k == 0 ? stage->eps : sqrt(damping);
        bool is_near = k == 1 || stage->is_anchored;
        for (int c = 0; c < n && weight > 0.0; c++) {
            memset(self->row, 0, (size_t)n * sizeof *self->row);
            self->row[c] = weight;
            self->row[n] = is_near ? weight * self->x[c] : 0.0;
            elv_nnls_add(&nnls, self->row);
        }
    }
    elv_nnls_solve(&nnls, self->trial);
    double change = 0.0;
    for (int c = 0; c < n; c++) {
        change = fmax(change, fabs(self->trial[c] - self->x[c]));
    }
    // both ends are at zero or above, and so is what lies between
    double part = change > LONGEST ? LONGEST / change : 1.0;
    for (int c = 0; c < n; c++) {
        self->trial[c] =
            part < 1.0 ? self->x[c] + part * (self->trial[c] - self->x[c]) : self->trial[c];
    }
    return part * change;
}

// one step that lowers the cost; false: there is none, or it is shorter than the stage asks for
static bool descend(ElvReach* self, const Stage* stage, double* damping) {
    double e[6], moved[6];
    double now = find_gap(self, e);
    if (!find_tangent(self, e)) {
        return false;
    }
    double before = cost(self, stage, now, self->x);
    double size = 1e-3;
    for (int c = 0; c < self->inputs.n; c++) {
        size = fmax(size, self->x[c]);
    }
    for (int i = 0; i < MAX_TRIAL; i++) {
        double change = linear_step(self, stage, e, *damping);
        bool is_short = change <= stage->step * size;
        if (change == 0.0) {
            return false;
        }
        // a good one becomes an equilibrium with steps along the rods as fine as asked for
        if (balance_at(self, self->trial, true) &&
            cost(self, stage, find_gap(self, moved), self->trial) <= before &&
            elv_reach_balance(self, NULL) == ELV_OK) {
            memcpy(self->x, self->trial, (size_t)self->inputs.n * sizeof *self->x);
            *damping = *damping > DAMPING ? 0.1 * *damping : 0.0;
            return !is_short;
        }
        // back to where it was, which is an equilibrium
        if (!balance_at(self, self->x, false) || is_short) {
            return false;
        }
        *damping = *damping > 0.0 ? 5.0 * *damping : DAMPING;
    }
    return false;
}

static void search(ElvReach* self, const Stage* stage) {
    double damping = 0.0;
    for (int i = 0; i < MAX_STEP && descend(self, stage, &damping); i++) {
    }
}

ElvStatus elv_reach_tensions(ElvReach* self, ElvError* error) {
    for (int i = 0; i < N_EPS; i++) {
        Stage stage = {.eps = EPS[i], .step = i == 0 ? 1e-2 : 1e-6};
        search(self, &stage);
    }
    // the gap alone, by steps that are as short as may be
    double e[6];
    bool is_near = find_gap(self, e) < NEAR * NEAR;
    Stage last = {.eps = EPS_ANCHOR, .is_anchored = true, .step = is_near ? 1e-12 : 1e-4};
    search(self, &last);
    memset(self->input, 0, (size_t)self->model->n_device * sizeof *self->input);
    for (int i = 0; i < self->inputs.n; i++) {
        self->input[self->inputs.device[i]] = self->value[i];
    }
    // the tip, from an equilibrium that has just been found there
    return elv_reach_balance(self, error);
}
