// SPDX-License-Identifier: Apache-2.0
// Configurations and velocities that satisfy the constraints (reduced.h) [ALI (3.44)-(3.47)], and
// what imposed motions miss of these [ALI (3.44), (3.54)].
#include "base/number_text.h"
#include "solve/newton.h"
#include "solve/reduced.h"

#include <math.h>
#include <string.h>

/// Along directions of J that are smaller than this, relative to the largest, velocities that were
/// integrated are more exact than those that constraints give: the latter have rounding errors
/// divided by the size.
static const double FAINT = 1e-7;

/// Slips that are smaller than this, relative to the speeds they are made of, are interpolation;
/// those smaller than that, relative to speeds of the robot, are rounding.
static const double COMPATIBLE = 1e-6;
static const double ROUNDING = 1e-12;

// defects of active rows, or their rates (level 0, 1, 2), at the motion of the last forward pass;
// returns the largest
static double
set_defects(ElvReduced* r, ElvData* data, const ElvState* state, int level, double* c) {
    double largest = 0.0;
    elv_border_motion(r->model, data, state, level, 0.0, r->c);
    for (int i = 0; i < r->space.m; i++) {
        c[i] = r->c[r->row[r->active[i]]];
        largest = isfinite(c[i]) ? fmax(largest, fabs(c[i])) : INFINITY;
    }
    return largest;
}

void elv_reduced_second(ElvReduced* reduced, ElvData* data, const ElvState* state, double* c) {
    elv_kinematics(reduced->model, data, state);
    (void)set_defects(reduced, data, state, 2, c);
}

// ---- positions

// move a configuration back by the step
static void move_by_step(ElvReduced* r, ElvState* state) {
    const ElvModel* model = r->model;
    size_t nv = (size_t)model->nv;
    double *still = r->w, *w = r->w + nv, *unused = r->w + 2 * nv;
    memset(r->d_nu, 0, nv * sizeof *r->d_nu);
    memset(still, 0, nv * sizeof *still);
    for (int k = 0; k < r->n; k++) {
        int i = r->coordinate[k];
        r->d_nu[i] = -r->scale[i] * r->step[k];
    }
    // coordinates of the chart are linear in velocities
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        node->joint->ops->chart_rates(node->joint, state->q + node->i_q, r->d_nu + node->i_v, still,
                                      w + node->i_v, unused + node->i_v);
    }
    r->trial->t = state->t;
    elv_chart_state(model, state->q, w, still, still, r->trial);
    memcpy(state->q, r->trial->q, (size_t)state->nq * sizeof *state->q);
}

double elv_reduced_position(ElvReduced* reduced, ElvData* data, ElvState* state) {
    enum { MAX_ITERATION = 5 };
    const double CLOSED = 1e-15 * fmin(1.0, reduced->model->size);
    double gap = 0.0;
    if (reduced->n_position == 0) {
        return 0.0;
    }
    for (int i = 0; i < MAX_ITERATION; i++) {
        elv_device_place(reduced->model, data, state);
        if (!elv_reduced_rows(reduced, data, state, ELV_ROWS_POSITION)) {
            return INFINITY;
        }
        double left = set_defects(reduced, data, state, 0, reduced->defect);
        bool is_best = i > 0 && left > 0.1 * gap;
        gap = left;
        if (!(gap > CLOSED) || !isfinite(gap) || is_best) {
            break;
        }
        elv_row_space_solve(&reduced->space, reduced->defect, reduced->step);
        move_by_step(reduced, state);
    }
    return gap;
}

// ---- velocities

// what one unit of a row is in metres, or moves at the size of the robot
static double unit_of_row(const ElvReduced* r, int i) {
    return r->is_turn[i] ? r->model->size : 1.0;
}

void elv_reduced_choose_missed(ElvReduced* reduced) {
    ElvReduced* r = reduced;
    double worst = 0.0;
    r->missed = 0.0;
    r->i_missed = -1;
    for (int i = 0; i < r->n_row; i++) {
        double slip = fabs(r->c[r->row[i]]);
        if (slip * unit_of_row(r, i) > worst) {
            worst = slip * unit_of_row(r, i);
            r->missed = slip;
            r->i_missed = i;
        }
    }
}

// what velocities that were corrected still miss, beside the speeds of which a row is made
static void measure_missed(ElvReduced* r, ElvData* data, const ElvState* state) {
    const ElvModel* model = r->model;
    r->speed = r->rate = 0.0;
    elv_kinematics(model, data, state);
    elv_border_motion(model, data, state, 1, 0.0, r->c);
    for (int i = 0; i < r->n_row; i++) {
        double slip = r->c[r->row[i]];
        double known = slip, parts = 0.0;
        for (int k = 0; k < r->n; k++) {
            int i_v = r->coordinate[k];
            double part =
                r->J[(size_t)i * (size_t)r->n + (size_t)k] * state->v[i_v] / r->scale[i_v];
            known -= part;
            parts += fabs(part);
        }
        r->speed = fmax(r->speed, (fabs(known) + parts) * unit_of_row(r, i));
    }
    elv_reduced_choose_missed(r);
    for (int i = 0; i < model->nv; i++) {
        r->rate = fmax(r->rate, fabs(state->v[i]) / r->scale[i]);
    }
    r->fastest = fmax(r->fastest, r->rate);
}

bool elv_reduced_velocity(ElvReduced* reduced, ElvData* data, ElvState* state) {
    elv_device_place(reduced->model, data, state);
    if (!elv_reduced_rows(reduced, data, state, ELV_ROWS_ALL) ||
        !isfinite(set_defects(reduced, data, state, 1, reduced->defect))) {
        return false;
    }
    // the particular solution nearest to what was integrated              [ALI (3.44)-(3.46)]
    elv_row_space_filter(&reduced->space, reduced->defect, FAINT, reduced->step);
    bool is_finite = true;
    for (int k = 0; k < reduced->n; k++) {
        int i = reduced->coordinate[k];
        state->v[i] -= reduced->scale[i] * reduced->step[k];
        is_finite = is_finite && isfinite(state->v[i]);
    }
    if (is_finite) {
        measure_missed(reduced, data, state);
    }
    return is_finite;
}

// ---- compatibility

// name of the device that owns a row
static const char* owner_of(const ElvReduced* r, int i_row) {
    const char* name = "";
    for (int i = 0; i < r->model->n_device; i++) {
        const ElvDevice* device = r->model->device[i];
        int k = r->row[i_row];
        name = k >= device->i_z && k < device->i_z + device->n_z ? device->name : name;
    }
    return name;
}

bool elv_reduced_is_compatible(const ElvReduced* reduced) {
    if (reduced->i_missed < 0) {
        return true;
    }
    double speed = reduced->model->size * reduced->fastest;
    double allowed = fmax(COMPATIBLE * reduced->speed, ROUNDING * speed);
    return !(reduced->missed * unit_of_row(reduced, reduced->i_missed) > allowed);
}

const char* elv_reduced_worst(const ElvReduced* reduced) {
    return reduced->i_missed >= 0 ? owner_of(reduced, reduced->i_missed) : "";
}

// in which slips of a device are
static const char* unit_of(const ElvModel* model, const char* name) {
    int n_turn = 0, n_row = 0;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        bool is_named = device->ops->motion && strcmp(device->name, name) == 0;
        for (int k = 0; k < device->n_z && is_named; k++) {
            bool is_row = model->is_held[device->i_z + k];
            n_row += is_row;
            n_turn += is_row && device->ops->is_turn && device->ops->is_turn(device, k);
        }
    }
    return n_turn == 0 ? "m/s" : n_turn == n_row ? "rad/s" : "m/s or rad/s";
}

ElvStatus elv_reduced_fail_velocity(const ElvReduced* reduced, double t, ElvError* error) {
    char when[ELV_NUMBER_TEXT];
    // a bad law is to blame before what it acts on
    if (elv_device_check(reduced->model, t, error) != ELV_OK) {
        return ELV_ERROR_NUMERIC;
    }
    for (int i = 0; i < reduced->n_row; i++) {
        if (!isfinite(reduced->c[reduced->row[i]])) {
            const char* name = owner_of(reduced, i);
            return elv_error_set(error, ELV_ERROR_NUMERIC, name, "motion",
                                 "the velocity that '%s' holds is not a number %s: look at its "
                                 "laws, and at those of imposed motions",
                                 name, elv_time_text(t, when));
        }
    }
    return elv_error_set(error, ELV_ERROR_NUMERIC, "", "", "a velocity is not finite at t = %.9g",
                         t);
}

ElvStatus elv_reduced_incompatible(
    const ElvModel* model, const char* name, double slip, double t, ElvError* error) {
    char when[ELV_NUMBER_TEXT];
    return elv_error_set(error, ELV_ERROR_NUMERIC, name, "motion",
                         "the imposed motion does not agree with the constraints: '%s' would have "
                         "to slip by %.3g %s %s; leave a joint free, or impose a motion "
                         "that all constraints allow",
                         name, slip, unit_of(model, name), elv_time_text(t, when));
}

ElvStatus elv_reduced_check(const ElvReduced* reduced, double t, ElvError* error) {
    if (elv_reduced_is_compatible(reduced)) {
        return ELV_OK;
    }
    return elv_reduced_incompatible(reduced->model, elv_reduced_worst(reduced), reduced->missed, t,
                                    error);
}

int elv_reduced_redundant(const ElvReduced* reduced, const char** name) {
    int n = reduced->n_force - reduced->rank_seen;
    *name = NULL;
    for (int i = 0; i < reduced->n_row && n > 0 && !*name; i++) {
        // the last rows that the factors took, and those that are zero, depend on the others
        bool is_taken = false;
        for (int k = 0; k < reduced->space.m && k < reduced->rank_seen; k++) {
            is_taken = is_taken || reduced->active[reduced->space.row[k]] == i;
        }
        *name = is_taken ? NULL : owner_of(reduced, i);
    }
    return n > 0 ? n : 0;
}
