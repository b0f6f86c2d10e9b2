// SPDX-License-Identifier: Apache-2.0
// Why shooting has found no equilibrium, and what may help: a shot runs away, Newton's method does not get there, something
// moves freely, next to nothing resists the loads, or steps along the chain cannot be made fine enough.
#include "strong/shoot_statics.h"

#include "base/number_text.h"
#include "strong/growth.h"

#include <stdio.h>

// wrenches of the loads, in units of what bends the chain by one, beside which its stiffness is lost to rounding
static const double MAX_SIZE = 1e12;

static ElvShotEnd classify(const ElvRootReport* root, double size, bool is_inaccurate) {
    if (is_inaccurate) {
        return ELV_SHOT_INACCURATE;
    }
    if (root->end == ELV_ROOT_SINGULAR || !(size <= MAX_SIZE)) {
        return ELV_SHOT_SINGULAR;
    }
    return root->end == ELV_ROOT_LOST ? ELV_SHOT_DIVERGED : ELV_SHOT_UNSOLVED;
}

static ElvStatus
fail_singular(const ElvShooting* s, const char* when, const ElvRootReport* root, ElvError* error) {
    const char* rod = s->chain.rod[0].strong.name;
    const char* name = s->chain.joint ? s->model->node[s->chain.i_joint].name : rod;
    if (root->end == ELV_ROOT_SINGULAR) {
        return elv_error_set(
            error, ELV_ERROR_SINGULAR, name, "",
            "shooting at load %s: nothing resists a motion of '%s', or the "
            "equilibrium is at a bifurcation: fix it, give it a spring, or let a load "
            "hold it",
            when, name);
    }
    return elv_error_set(error, ELV_ERROR_SINGULAR, rod, "",
                         "shooting at load %s: next to nothing resists the strains of rod '%s' "
                         "beside its loads, and the problem is singular: lower the loads, or "
                         "make the rod stiffer",
                         when, rod);
}

ElvStatus elv_shoot_fail(ElvShooting* s,
                         double t,
                         const ElvRootReport* root,
                         double size,
                         bool is_inaccurate,
                         ElvError* error) {
    char when[ELV_NUMBER_TEXT], help[160];
    const char* name = s->chain.rod[0].strong.name;
    int n = 4 * s->n_segment < ELV_SEGMENTS_MAX ? 4 * s->n_segment : ELV_SEGMENTS_MAX;
    elv_number_print(t, 9, when);
    if (n > s->n_segment) {
        snprintf(help, sizeof help, "more segments (statics.segments: %d), ", n);
    }
    s->report.end = classify(root, size, is_inaccurate);
    double limpness = elv_growth_limpness(&s->chain.rod[0].strong, &s->fine.step[0].node[0].station,
                                          s->chain.gravity);
    if (limpness > ELV_GROWTH_LIMP && s->report.end != ELV_SHOT_SINGULAR &&
        s->report.end != ELV_SHOT_INACCURATE) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, name, "",
                             "shooting at load %s: no equilibrium, the residual stays at %.3g: rod "
                             "'%s' is limp, its weight times l^2 is %.2g times its stiffness, and "
                             "shots run away along cables; use method newton, or more segments "
                             "(statics.segments: %d)",
                             when, root->norm, name, limpness, n);
    }
    switch (s->report.end) {
    case ELV_SHOT_INACCURATE:
        return elv_error_set(error, ELV_ERROR_NUMERIC, name, "",
                             "shooting at load %s: %d steps leave an error of %.3g of the length; "
                             "raise statics.space_tol",
                             when, s->report.n_step, s->report.space_error);
    case ELV_SHOT_SINGULAR:
        return fail_singular(s, when, root, error);
    case ELV_SHOT_DIVERGED:
        return elv_error_set(error, ELV_ERROR_NUMERIC, name, "",
                             "shooting at load %s: the shot from '%s' runs away; use %ssmaller "
                             "steps of the load, or method newton",
                             when, name, n > s->n_segment ? help : "");
    default:
        return elv_error_set(
            error, ELV_ERROR_NUMERIC, name, "",
            "shooting at load %s: no equilibrium after %d iterations and %ld cut increments, the "
            "residual stays at %.3g; variations grow by %.3g over a segment: use %ssmaller steps "
            "of the load, or method newton",
            when, root->n_iteration, s->report.n_halving, root->norm, s->report.growth,
            n > s->n_segment ? help : "");
    }
}

ElvStatus elv_shoot_fail_stopped(ElvShooting* s, double t, ElvError* error) {
    char when[ELV_NUMBER_TEXT];
    elv_number_print(t, 9, when);
    s->report.end = ELV_SHOT_STOPPED;
    return elv_error_set(error, ELV_ERROR_CANCELLED, "", "",
                         "stopped by the caller in the search for an equilibrium at load %s", when);
}

ElvStatus elv_shoot_fail_branch(ElvShooting* s, double t, int n_fall, ElvError* error) {
    char when[ELV_NUMBER_TEXT];
    elv_number_print(t, 9, when);
    if (n_fall == 0) {
        const char* joint = s->model->node[s->chain.i_joint].name;
        s->report.end = ELV_SHOT_SINGULAR;
        return elv_error_set(error, ELV_ERROR_SINGULAR, joint, "",
                             "'%s' can move freely: without loads nothing holds it, and no "
                             "equilibrium under them is found (load %s); fix it, give it a "
                             "spring, or let a load hold it",
                             joint, when);
    }
    s->report.end = ELV_SHOT_UNSOLVED;
    return elv_error_set(error, ELV_ERROR_NUMERIC, s->chain.rod[0].strong.name, "",
                         "shooting at load %s: the one equilibrium that is found is unstable, its "
                         "energy falls in %d directions, and loads that grow from none do not "
                         "lead to another; use more segments (statics.segments: %d), smaller "
                         "steps of the load, or method newton",
                         when, n_fall,
                         4 * s->n_segment < ELV_SEGMENTS_MAX ? 4 * s->n_segment : ELV_SEGMENTS_MAX);
}
