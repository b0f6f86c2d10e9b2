// SPDX-License-Identifier: Apache-2.0
// Equilibria by shooting, one after the other: a first guess, the search at one load with steps as fine as asked
// for, and increments of the load that are halved where the search fails.
//
// First guess: the shape that the rods would have without internal wrench, and the wrenches that balance the loads
// on it. Where that leads nowhere, all loads and inputs grow from zero.
#include "strong/shoot_statics.h"

#include "base/number_text.h"

#include <math.h>

// what halving the steps leaves of an error: 1/255 by a method of order 8, more where steps are coarse
static const double RICHARDSON = 1.0 / 100.0;

// displacement per unit of effort, in units of the chain, from which on a joint is free
static const double FREE = 1e12;

// ---- the first guess

// starts of the segments along the shape without internal wrench; w counts from zero, and what is missing at the
// tip is added everywhere
static ElvStatus guess(ElvShooting* s) {
    ElvShootPoint* x = &s->now;
    ElvIvpState y = elv_ivp_start(elv_shoot_root_start(&x->root), elv_wrench_zero());
    ElvPose start = y.frame;
    for (int k = 0; k < s->n_segment; k++) {
        x->g[k] = elv_ivp_pose(&y);
        x->lam[k] = y.w;
        ElvStatus status = elv_ivp_run(&s->fine, s->first[k], s->first[k + 1], true, &y, NULL);
        if (status != ELV_OK) {
            return status;
        }
    }
    for (int k = 0; k < s->n_segment; k++) {
        ElvPose g = elv_pose_compose(elv_pose_inverse(start), x->g[k]);
        x->lam[k] = elv_wrench_transform_inv(g, elv_wrench_sub(x->lam[k], y.w));
    }
    return ELV_OK;
}

// ---- steps

// error of the fine grid, from the coarse one over the same segments
static double space_error(ElvShooting* s) {
    double most = 0.0;
    s->report.n_shot++;
    for (int k = 0; k < s->n_segment; k++) {
        ElvIvpState y = elv_ivp_start(s->now.g[k], s->now.lam[k]);
        if (elv_ivp_run(&s->coarse, s->first[k] / 2, s->first[k + 1] / 2, false, &y, NULL) !=
            ELV_OK) {
            return INFINITY;
        }
        double gap[6], d[6];
        const ElvIvpState* end = &s->end[k];
        ElvPose g = elv_pose_compose(elv_pose_inverse(end->g), y.g);
        elv_twist_to_array(elv_se3_log(g), gap);
        elv_wrench_to_array(elv_wrench_sub(y.w, end->w), d);
        for (int i = 0; i < 6; i++) {
            double wrench = i < 3 ? s->moment : s->moment / s->length;
            most = fmax(most, fabs(gap[i]) / (i < 3 ? 1.0 : s->length));
            most = fmax(most, fabs(d[i]) / (wrench * fmax(1.0, s->size)));
        }
    }
    return RICHARDSON * most;
}

static bool can_refine(const ElvShooting* s) {
    return s->options.shooting.steps == 0 && 4 * s->steps * s->times <= ELV_SHOOT_STEPS_MAX;
}

static ElvStatus drive(ElvShooting* s, ElvError* error) {
    ElvStatus status = elv_shot_grid_drive(&s->fine, &s->in, error);
    return status == ELV_OK ? elv_shot_grid_drive(&s->coarse, &s->in, error) : status;
}

// half the steps; segments stay
static ElvStatus refine(ElvShooting* s, ElvError* error) {
    s->times *= 2;
    s->report.n_refinement++;
    for (int k = 0; k <= s->n_segment; k++) {
        s->first[k] *= 2;
    }
    ElvStatus status = elv_shoot_build(s, error);
    return status == ELV_OK ? drive(s, error) : status;
}

// ---- the search at one load

typedef struct {
    ElvRootReport root;
    bool is_inaccurate; // steps cannot be made finer
} Outcome;

static ElvStatus search(ElvShooting* s, bool needs_guess, Outcome* outcome, ElvError* error) {
    ElvRootOptions options = {.is_dogleg = s->options.shooting.solver == ELV_SHOOT_DOGLEG,
                              .tol = s->options.tolerance,
                              .max_iterations = s->options.max_iterations};
    *outcome = (Outcome){.root = {.end = ELV_ROOT_LOST, .i_singular = -1}};
    int n_iteration = 0;
    for (;;) {
        if (!needs_guess || guess(s) == ELV_OK) {
            s->now.g[0] = elv_shoot_root_start(&s->now.root);
            elv_shoot_copy(s, &s->now, &s->trial);
            outcome->root = elv_root_solve(&s->problem, &options, &s->work);
        }
        n_iteration += outcome->root.n_iteration;
        s->report.n_iteration += outcome->root.n_iteration;
        bool is_found = outcome->root.end == ELV_ROOT_FOUND;
        s->report.space_error = is_found ? space_error(s) : INFINITY;
        bool is_fine = s->report.space_error <= s->options.shooting.space_tol;
        if (is_fine || (is_found && s->options.shooting.steps > 0)) {
            break;
        }
        // a first shot that runs away may do so for want of steps
        if (!can_refine(s) || (!is_found && outcome->root.end != ELV_ROOT_LOST)) {
            outcome->is_inaccurate = is_found;
            outcome->root.n_iteration = n_iteration;
            return ELV_ERROR_NUMERIC;
        }
        ElvStatus status = refine(s, error);
        if (status != ELV_OK) {
            return status;
        }
        needs_guess = needs_guess && !is_found;
    }
    outcome->root.n_iteration = n_iteration;
    return ELV_OK;
}

// whether the joint of an equilibrium can move without resistance: some unit residual moves it without bounds
static bool can_move(ElvShooting* s) {
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

// the equilibrium at a load, from s->now; on success it is kept
static ElvStatus solve_at(
    ElvShooting* s, double t, double load, bool needs_guess, Outcome* outcome, ElvError* error) {
    s->in = elv_chain_input(&s->chain, t, load, true);
    elv_shoot_root_impose(&s->now.root, t);
    ElvStatus status = drive(s, error);
    if (status == ELV_OK) {
        status = search(s, needs_guess, outcome, error);
    }
    if (status == ELV_OK && can_move(s)) {
        outcome->root.end = ELV_ROOT_SINGULAR;
        return ELV_ERROR_NUMERIC;
    }
    if (status == ELV_OK) {
        s->report.n_increment++;
        s->report.last_iterations = outcome->root.n_iteration;
        s->report.last_residual = outcome->root.norm;
        elv_shoot_copy(s, &s->now, &s->kept);
    }
    return status;
}

// ---- increments

/// A way of loads from one equilibrium to another: p from 0 to 1.
typedef struct {
    double t[2];
    double load[2];
} Way;

static ElvStatus follow(ElvShooting* s, const Way* way, Outcome* outcome, ElvError* error) {
    double p = 0.0;
    double increment = 1.0;
    for (int n_halving = 0; p < 1.0;) {
        double next = fmin(1.0, p + increment);
        double t = next < 1.0 ? way->t[0] + next * (way->t[1] - way->t[0]) : way->t[1];
        double load = way->load[0] + next * (way->load[1] - way->load[0]);
        ElvStatus status = solve_at(s, t, load, false, outcome, error);
        if (status == ELV_OK) {
            p = next;
            increment *= 1.5;
            continue;
        }
        if (status != ELV_ERROR_NUMERIC || ++n_halving > s->options.max_halvings) {
            return status;
        }
        s->report.n_halving++;
        elv_shoot_copy(s, &s->kept, &s->now);
        increment = 0.5 * (next - p);
    }
    return ELV_OK;
}

// the first equilibrium: at once, or with all loads growing from none
static ElvStatus find_first(ElvShooting* s, double t, Outcome* outcome, ElvError* error) {
    ElvStatus status = solve_at(s, t, 1.0, true, outcome, error);
    if (status != ELV_ERROR_NUMERIC || outcome->root.end == ELV_ROOT_SINGULAR) {
        return status;
    }
    Outcome before = *outcome;
    s->now.root = elv_shoot_root(&s->chain);
    status = solve_at(s, t, 0.0, true, outcome, error);
    if (status == ELV_OK) {
        Way way = {{t, t}, {0.0, 1.0}};
        return follow(s, &way, outcome, error);
    }
    *outcome = before;
    return status;
}

// ---- what went wrong

static ElvStatus fail(const ElvShooting* s, double t, const Outcome* outcome, ElvError* error) {
    char when[ELV_NUMBER_TEXT];
    const char* name = s->chain.rod[0].strong.name;
    elv_number_print(t, 9, when);
    if (outcome->is_inaccurate) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, name, "",
                             "shooting at load %s: %d steps leave an error of %.3g of the length; "
                             "raise statics.space_tol",
                             when, s->report.n_step, s->report.space_error);
    }
    switch (outcome->root.end) {
    case ELV_ROOT_SINGULAR:
        return elv_error_set(error, ELV_ERROR_SINGULAR,
                             s->chain.joint ? s->model->node[s->chain.i_joint].name : name, "",
                             "shooting at load %s: nothing resists a motion of '%s', or the "
                             "equilibrium is at a bifurcation",
                             when, s->chain.joint ? s->model->node[s->chain.i_joint].name : name);
    case ELV_ROOT_LOST:
        return elv_error_set(error, ELV_ERROR_NUMERIC, name, "",
                             "shooting at load %s: the shot from '%s' runs away; use more segments "
                             "(statics.segments: %d), smaller steps of the load, or method newton",
                             when, name, 4 * s->n_segment);
    default:
        return elv_error_set(
            error, ELV_ERROR_NUMERIC, name, "",
            "shooting at load %s: no equilibrium after %d iterations and %ld cut "
            "increments, the residual stays at %.3g; variations grow by %.3g over "
            "a segment: use more segments (statics.segments: %d), smaller steps of "
            "the load, or method newton",
            when, outcome->root.n_iteration, s->report.n_halving, outcome->root.norm,
            s->report.growth, 4 * s->n_segment);
    }
}

ElvStatus elv_shoot_statics(ElvShooting* shooting, double t, ElvError* error) {
    ElvShooting* s = shooting;
    Outcome outcome = {.root = {.i_singular = -1}};
    ElvStrongInput before = s->in;
    elv_error_clear(error);
    if (elv_device_check(s->model, t, error) != ELV_OK) {
        return ELV_ERROR_NUMERIC;
    }
    ElvStatus status = ELV_OK;
    if (s->is_balanced) {
        Way way = {{before.t, t}, {1.0, 1.0}};
        elv_shoot_copy(s, &s->last, &s->now);
        elv_shoot_copy(s, &s->last, &s->kept);
        status = follow(s, &way, &outcome, error);
    } else {
        status = find_first(s, t, &outcome, error);
    }
    if (status == ELV_OK) {
        s->is_balanced = true;
        s->report.t_reached = t;
        elv_shoot_copy(s, &s->now, &s->last);
        return elv_shoot_store(s, error);
    }
    if (status == ELV_ERROR_NUMERIC) {
        status = fail(s, t, &outcome, error);
    }
    if (s->is_balanced) {
        // the last equilibrium is what there is again
        s->in = before;
        elv_shoot_copy(s, &s->last, &s->now);
        s->is_balanced = drive(s, NULL) == ELV_OK && elv_shoot_store(s, NULL) == ELV_OK;
    }
    return status;
}
