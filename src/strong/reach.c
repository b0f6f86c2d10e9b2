// SPDX-License-Identifier: Apache-2.0
// A place for the tip of a chain in statics: by tensions (reach_tensions.c), or by a wrench, which is an unknown of
// shooting. By a wrench the tip is led from where it is, on the screw (or the straight line) to its target, in
// increments that are halved where no equilibrium is found.
#include "strong/reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// of the length of the chain, and rad
static const double REACHED = 1e-9;

// ---- creation

ElvStatus elv_reach_create(const ElvModel* model,
                           const ElvStaticsDef* options,
                           ElvReachBy by,
                           ElvReach** reach,
                           ElvError* error) {
    *reach = NULL;
    elv_error_clear(error);
    ElvReach* self = calloc(1, sizeof *self);
    if (!self) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    self->model = model;
    self->by = by;
    ElvStatus status = elv_shoot_create(model, options, &self->shooting, error);
    status = status == ELV_OK ? elv_reach_take_inputs(self, error) : status;
    if (status != ELV_OK) {
        elv_reach_free(self);
        return status;
    }
    *reach = self;
    return ELV_OK;
}

void elv_reach_free(ElvReach* reach) {
    if (!reach) {
        return;
    }
    for (int i = 0; i < reach->inputs.n && reach->law; i++) {
        elv_law_free(reach->law[i]);
    }
    elv_shoot_free(reach->shooting);
    elv_pool_free(&reach->pool);
    free(reach);
}

// ---- equilibria

ElvPose elv_reach_tip(ElvReach* reach) {
    const ElvChain* chain = &reach->shooting->chain;
    ElvPose tip;
    elv_shoot_section(reach->shooting, chain->rod[chain->n_rod - 1].i_node, 1.0, &tip, NULL, NULL);
    return tip;
}

ElvStatus elv_reach_balance(ElvReach* reach, ElvError* error) {
    if (reach->is_stopped) {
        return elv_error_set(error, ELV_ERROR_CANCELLED, "", "",
                             "stopped by the caller on the way to the target at load %.9g",
                             reach->t);
    }
    reach->n_equilibrium++;
    ElvStatus status = elv_shoot_statics(reach->shooting, reach->t, error);
    reach->is_stopped = status == ELV_ERROR_CANCELLED;
    return status;
}

bool elv_reach_try(ElvReach* reach) {
    ElvStaticsDef* options = &reach->shooting->options;
    ElvStaticsDef kept = *options;
    options->max_halvings = 0;
    options->shooting.steps = options->shooting.steps > 0 ? options->shooting.steps : 1;
    bool is_found = elv_reach_balance(reach, NULL) == ELV_OK;
    if (!is_found) {
        // what one solver does not find the other may
        bool is_dogleg = options->shooting.solver == ELV_SHOOT_DOGLEG;
        options->shooting.solver = is_dogleg ? ELV_SHOOT_LEVENBERG : ELV_SHOOT_DOGLEG;
        is_found = elv_reach_balance(reach, NULL) == ELV_OK;
    }
    *options = kept;
    return is_found;
}

// ---- by a wrench

static void hold(ElvReach* self, const ElvPose* pose) {
    if (self->target.has_rotation) {
        elv_shoot_hold_tip(self->shooting, pose);
    } else {
        elv_shoot_hold_point(self->shooting, &pose->p);
    }
}

// a part p of the way between two places
static ElvPose between(const ElvReach* self, const ElvPose* from, double p) {
    const ElvPose* to = &self->target.pose;
    ElvPose at = *to;
    if (p < 1.0 && self->target.has_rotation) {
        ElvTwist way = elv_se3_log(elv_pose_compose(elv_pose_inverse(*from), *to));
        at = elv_pose_compose(*from, elv_se3_exp(elv_twist_scale(p, way)));
    } else if (p < 1.0) {
        at.p = elv_vec3_add_scaled(elv_vec3_scale(1.0 - p, from->p), p, to->p);
    }
    return at;
}

static ElvStatus lead(ElvReach* self, ElvError* error) {
    ElvPose from = self->held;
    double p = 0.0;
    double increment = 1.0;
    double least = ldexp(1.0, -self->shooting->options.max_halvings);
    while (p < 1.0 && increment >= least && !self->is_stopped) {
        double next = fmin(1.0, p + increment);
        ElvPose at = between(self, &from, next);
        hold(self, &at);
        if (elv_reach_try(self) && elv_reach_balance(self, NULL) == ELV_OK) {
            self->held = at;
            p = next;
            increment *= 1.5;
            continue;
        }
        increment = 0.5 * (next - p);
    }
    // the last place where it could be held
    hold(self, &self->held);
    return elv_reach_balance(self, error);
}

// ---- both

static void fill_report(ElvReach* self, ElvReachReport* report) {
    ElvPose tip = elv_reach_tip(self);
    const ElvTipTarget* target = &self->target;
    memset(report, 0, sizeof *report);
    report->distance = elv_vec3_norm(elv_vec3_sub(tip.p, target->pose.p));
    if (target->has_rotation) {
        ElvMat3 turn = elv_mat3_mul(elv_mat3_transpose(target->pose.R), tip.R);
        report->angle = elv_vec3_norm(elv_so3_log(turn));
    }
    report->is_reached =
        report->distance <= REACHED * self->shooting->length && report->angle <= REACHED;
    report->n_equilibrium = self->n_equilibrium;
    for (int i = 0; i < self->inputs.n; i++) {
        report->n_used += self->by == ELV_BY_TENSIONS && self->value[i] > 0.0;
    }
    if (self->by == ELV_BY_WRENCH) {
        ElvWrench own = elv_shoot_tip_wrench(self->shooting);
        report->wrench = elv_wrench(elv_mat3_apply(tip.R, own.mom), elv_mat3_apply(tip.R, own.frc));
    }
}

ElvStatus elv_reach_solve(ElvReach* reach,
                          double t,
                          const ElvTipTarget* target,
                          ElvReachReport* report,
                          ElvError* error) {
    ElvReach* self = reach;
    memset(report, 0, sizeof *report);
    self->target = *target;
    self->t = t;
    self->is_stopped = false;
    // the load first, with what held or pulled at the last one
    if (self->by == ELV_BY_WRENCH && self->has_equilibrium) {
        self->held = elv_reach_tip(self);
        hold(self, &self->held);
    }
    ElvStatus status = elv_reach_balance(self, error);
    if (status == ELV_OK && !self->has_equilibrium) {
        self->has_equilibrium = true;
        self->held = elv_reach_tip(self);
    }
    if (status == ELV_OK) {
        status = self->by == ELV_BY_WRENCH ? lead(self, error) : elv_reach_tensions(self, error);
    }
    if (status == ELV_OK) {
        fill_report(self, report);
    }
    return status;
}

const double* elv_reach_input(const ElvReach* reach) {
    return reach->input;
}

ElvShooting* elv_reach_shooting(ElvReach* reach) {
    return reach->shooting;
}
