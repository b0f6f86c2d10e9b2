// SPDX-License-Identifier: Apache-2.0
// Equilibria by shooting, one after the other: a first guess, the search at one load with steps as fine as asked
// for, and increments of the load that are halved where the search fails.
//
// First guess: the shape that the rods would have without internal wrench, and the wrenches that balance the loads
// on it. Where that leads nowhere, all loads and inputs grow from zero.
#include "strong/shoot_statics.h"

#include "elver/strong_inverse.h"

#include <math.h>

// what halving the steps leaves of an error: 1/255 by a method of order 8, more where steps are coarse
static const double RICHARDSON = 1.0 / 100.0;

// most cuts of increments on a way, in units of max_halvings
enum { MAX_CUT = 2 };

// directions in which a way may lose its stability at once: two where a section has no weaker axis
enum { FALLS = 2 };

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
        ElvStatus status =
            elv_ivp_run(&s->fine, s->first[k], s->first[k + 1], true, &y, NULL, NULL);
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
        if (elv_ivp_run(&s->coarse, s->first[k] / 2, s->first[k + 1] / 2, false, &y, NULL, NULL) !=
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
    s->shot = NULL;
    s->norm = INFINITY;
    ElvStatus status = elv_shot_grid_drive(&s->fine, &s->in, error);
    return status == ELV_OK ? elv_shot_grid_drive(&s->coarse, &s->in, error) : status;
}

// steps divided by `times`; segments stay
static ElvStatus divide(ElvShooting* s, int times, ElvError* error) {
    int before = s->times;
    ElvStatus status = elv_shoot_build(s, times, error);
    if (status != ELV_OK) {
        return status;
    }
    for (int k = 0; k <= s->n_segment; k++) {
        s->first[k] =
            times > before ? s->first[k] * (times / before) : s->first[k] / (before / times);
    }
    return drive(s, error);
}

// half the steps
static ElvStatus refine(ElvShooting* s, ElvError* error) {
    ElvStatus status = divide(s, 2 * s->times, error);
    s->report.n_refinement += status == ELV_OK;
    return status;
}

// ---- the search at one load

typedef struct {
    ElvRootReport root;
    bool is_inaccurate; // steps cannot be made finer
    bool is_loose;      // nothing holds the joint where there are no loads
    int n_fall;         // directions in which the energy of what was found falls, too many
} Outcome;

static ElvStatus search(ElvShooting* s, bool needs_guess, Outcome* outcome, ElvError* error) {
    ElvRootOptions options = {.is_dogleg = s->options.shooting.solver == ELV_SHOOT_DOGLEG,
                              .tol = s->options.tolerance,
                              .max_iterations = s->options.max_iterations,
                              .brake = &s->brake};
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
        if (s->brake.is_on) {
            return ELV_ERROR_CANCELLED;
        }
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

// the equilibrium at a load, from s->now; on success it is kept
static ElvStatus solve_at(
    ElvShooting* s, double t, double load, bool needs_guess, Outcome* outcome, ElvError* error) {
    s->in = elv_chain_input(&s->chain, t, load, true);
    elv_shoot_root_impose(&s->now.root, t);
    ElvStatus status = drive(s, error);
    if (status == ELV_OK) {
        status = search(s, needs_guess, outcome, error);
    }
    if (status == ELV_OK && elv_shoot_can_move(s)) {
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
    bool is_stable; // so far, and no equilibrium that is not may be jumped to
} Way;

// in how many directions the energy of the equilibrium just found falls; 0: it is stable, or that is not known
static int count_falls(ElvShooting* s) {
    ElvConjugateReport report;
    s->is_balanced = elv_shoot_store(s, NULL) == ELV_OK;
    bool is_judged = elv_conjugate_points_shooting(s, &report, NULL) == ELV_OK;
    s->is_balanced = false;
    return is_judged && report.stability == ELV_STABILITY_UNSTABLE ? report.n_negative : 0;
}

// go on by a share of the way between two equilibria; the joint stays
static void extrapolate(ElvShooting* s, double ratio) {
    for (int k = 0; k < s->n_segment; k++) {
        ElvTwist way = elv_se3_log(elv_pose_compose(elv_pose_inverse(s->past.g[k]), s->kept.g[k]));
        ElvWrench gain = elv_wrench_sub(s->kept.lam[k], s->past.lam[k]);
        s->now.g[k] = elv_pose_compose(s->kept.g[k], elv_se3_exp(elv_twist_scale(ratio, way)));
        s->now.lam[k] = elv_wrench_add_scaled(s->kept.lam[k], ratio, gain);
    }
}

// One increment from kept to p; past becomes what kept was. A way that loses its stability does so in a direction or
// two, however short increments are: what else is unstable lies on another
static ElvStatus
advance(ElvShooting* s, Way* way, double p, bool is_last, Outcome* outcome, ElvError* error) {
    double t = p < 1.0 ? way->t[0] + p * (way->t[1] - way->t[0]) : way->t[1];
    double load = way->load[0] + p * (way->load[1] - way->load[0]);
    elv_shoot_copy(s, &s->kept, &s->past);
    ElvStatus status = solve_at(s, t, load, false, outcome, error);
    int n_fall = status == ELV_OK && way->is_stable ? count_falls(s) : 0;
    if (n_fall == 0) {
        return status;
    }
    if (is_last && n_fall <= FALLS) {
        way->is_stable = false;
        return ELV_OK;
    }
    elv_shoot_copy(s, &s->past, &s->kept);
    return ELV_ERROR_NUMERIC;
}

// increments are halved where they fail, down to 2^-max_halvings of the way
static ElvStatus follow(ElvShooting* s, Way way, Outcome* outcome, ElvError* error) {
    double p = 0.0;
    double increment = 1.0;
    double last = 0.0; // increment
    double smallest = ldexp(1.0, -s->options.max_halvings);
    for (int n_cut = 0; p < 1.0;) {
        double next = fmin(1.0, p + increment);
        bool is_last = 0.5 * (next - p) < smallest || n_cut == MAX_CUT * s->options.max_halvings;
        int times = s->times;
        if (last > 0.0) {
            extrapolate(s, (next - p) / last);
        }
        ElvStatus status = advance(s, &way, next, is_last, outcome, error);
        if (status == ELV_OK) {
            last = next - p;
            p = next;
            increment *= 1.5;
            continue;
        }
        if (status != ELV_ERROR_NUMERIC || is_last) {
            return status;
        }
        // from the last one itself, with its steps
        increment = 0.5 * (next - p);
        last = 0.0;
        n_cut++;
        s->report.n_halving++;
        elv_shoot_copy(s, &s->kept, &s->now);
        status = s->times > times ? divide(s, times, error) : ELV_OK;
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

// with all loads growing from none
static ElvStatus grow(ElvShooting* s, double t, Outcome* outcome, ElvError* error) {
    s->now.root = elv_shoot_root(&s->chain);
    // what ran away may have asked for more steps than there is need for
    ElvStatus status = divide(s, s->first_times, error);
    if (status == ELV_OK) {
        status = solve_at(s, t, 0.0, true, outcome, error);
    }
    if (status == ELV_OK) {
        Way way = {{t, t}, {0.0, 1.0}, !s->has_tip};
        status = follow(s, way, outcome, error);
    }
    return status;
}

// One guess at the whole load may end on any branch. Where that is unstable, the one to which growing loads lead is
// another, or there is no better
static ElvStatus look_for_stable(ElvShooting* s, double t, Outcome* outcome, ElvError* error) {
    // a tip that is held is led by hand
    int n_fall = s->has_tip ? 0 : count_falls(s);
    if (n_fall == 0) {
        return ELV_OK;
    }
    Outcome before = *outcome;
    elv_shoot_copy(s, &s->now, &s->last);
    ElvStatus status = grow(s, t, outcome, error);
    if (status != ELV_ERROR_NUMERIC) {
        return status;
    }
    *outcome = before;
    if (n_fall > FALLS) {
        outcome->n_fall = n_fall;
        return ELV_ERROR_NUMERIC;
    }
    elv_shoot_copy(s, &s->last, &s->now);
    return solve_at(s, t, 1.0, false, outcome, error);
}

// the first equilibrium: at once, or with all loads growing from none
static ElvStatus find_first(ElvShooting* s, double t, Outcome* outcome, ElvError* error) {
    ElvStatus status = solve_at(s, t, 1.0, true, outcome, error);
    if (status == ELV_OK) {
        return look_for_stable(s, t, outcome, error);
    }
    if (status != ELV_ERROR_NUMERIC || outcome->root.end == ELV_ROOT_SINGULAR) {
        return status;
    }
    Outcome before = *outcome;
    long n_before = s->report.n_increment;
    status = grow(s, t, outcome, error);
    if (status == ELV_ERROR_NUMERIC && s->report.n_increment == n_before) {
        before.is_loose = outcome->root.end == ELV_ROOT_SINGULAR;
        *outcome = before;
    }
    return status;
}

// ---- an equilibrium

// largest wrench that the loads make along the shape of the first guess, in units
static double load_size(ElvShooting* s, double t) {
    double most = 0.0;
    s->in = elv_chain_input(&s->chain, t, 1.0, true);
    if (drive(s, NULL) != ELV_OK || guess(s) != ELV_OK) {
        return 0.0;
    }
    for (int k = 0; k < s->n_segment; k++) {
        ElvWrench lam = s->now.lam[k];
        double size = elv_vec3_norm(lam.mom) + s->length * elv_vec3_norm(lam.frc);
        most = fmax(most, size / s->moment);
    }
    return most;
}

ElvStatus elv_shoot_statics(ElvShooting* shooting, double t, ElvError* error) {
    ElvShooting* s = shooting;
    Outcome outcome = {.root = {.i_singular = -1}};
    ElvStrongInput before = s->in;
    double error_before = s->report.space_error;
    elv_error_clear(error);
    s->brake.is_on = false;
    if (!isfinite(t)) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "", "a load must be a finite number");
    }
    if (elv_device_check(s->model, t, error) != ELV_OK) {
        return ELV_ERROR_NUMERIC;
    }
    ElvStatus status = ELV_OK;
    if (s->is_balanced) {
        Way way = {{before.t, t}, {1.0, 1.0}, false};
        elv_shoot_copy(s, &s->last, &s->now);
        elv_shoot_copy(s, &s->last, &s->kept);
        status = follow(s, way, &outcome, error);
    } else {
        status = find_first(s, t, &outcome, error);
    }
    s->report.end = status == ELV_ERROR_SINGULAR ? ELV_SHOT_SINGULAR : ELV_SHOT_FOUND;
    if (status == ELV_ERROR_NUMERIC && (outcome.n_fall > 0 || outcome.is_loose)) {
        status = elv_shoot_fail_branch(s, t, outcome.n_fall, error);
    } else if (status == ELV_ERROR_CANCELLED) {
        status = elv_shoot_fail_stopped(s, t, error);
    } else if (status == ELV_ERROR_NUMERIC) {
        status = elv_shoot_fail(s, t, &outcome.root, load_size(s, t), outcome.is_inaccurate, error);
    }
    if (status == ELV_OK) {
        status = elv_shoot_store(s, error);
    }
    if (status == ELV_OK) {
        s->is_balanced = true;
        s->report.t_reached = t;
        elv_shoot_copy(s, &s->now, &s->last);
        return ELV_OK;
    }
    s->report.space_error = error_before;
    if (s->is_balanced) {
        // the last equilibrium is what there is again
        s->in = before;
        elv_shoot_copy(s, &s->last, &s->now);
        s->is_balanced = drive(s, NULL) == ELV_OK && elv_shoot_store(s, NULL) == ELV_OK;
    } else {
        // another search begins as this one did
        s->now.root = elv_shoot_root(&s->chain);
    }
    return status;
}
