// SPDX-License-Identifier: Apache-2.0
// Why a step of shooting in time has failed, and what may help: the step is below the critical one [OCP (88)], a shot runs
// away, Newton's method does not get there, or nothing resists a strain [OCP remark 8].
#include "strong/motion.h"

#include "strong/growth.h"

#include <math.h>
#include <stdio.h>

enum { HELP = 192 };

// error of steps along the chain from which on they are too long, where their number was asked for
static const double COARSE = 1e-5;

static ElvShotEnd classify(const ElvMotionShooting* self, const ElvRootReport* root, double dt) {
    if (self->head.brake.is_on) {
        return ELV_SHOT_STOPPED;
    }
    if (self->lost >= 0 && self->law == ELV_ERROR_SINGULAR) {
        return ELV_SHOT_SINGULAR;
    }
    if (dt < self->report.strong.critical_step) {
        return ELV_SHOT_STEP;
    }
    if (self->head.options.shooting.steps > 0 && self->report.strong.space_error > COARSE) {
        return ELV_SHOT_INACCURATE;
    }
    return root->end == ELV_ROOT_LOST ? ELV_SHOT_DIVERGED : ELV_SHOT_UNSOLVED;
}

// segments that would do, or none
static void suggest_segments(const ElvMotionShooting* self, double dt, char text[64]) {
    int own = self->cut.n_segment;
    int n = elv_motion_segments(self, dt);
    n = n > own ? n : 2 * own;
    text[0] = '\0';
    if (n <= ELV_SEGMENTS_MAX) {
        snprintf(text, 64, "more segments (simulate.segments: %d), ", n);
    }
}

ElvStatus elv_motion_fail_coarse(ElvMotionShooting* self, double dt, ElvError* error) {
    int n = self->grid.n_step / self->chain.n_rod;
    self->report.strong.end = ELV_SHOT_INACCURATE;
    self->report.strong.growth = self->growth;
    return elv_error_set(error, ELV_ERROR_STEP, self->chain.rod[0].strong.name, "",
                         "the step to t = %.9g, dt = %.3g s, has no meaning: %d steps along each "
                         "rod leave an error of %.1g of the length; use more of them "
                         "(simulate.steps: %d), or a method with modes",
                         self->t, dt, n, self->report.strong.space_error, 2 * n);
}

static const char* describe(const ElvRootReport* root) {
    switch (root->end) {
    case ELV_ROOT_LOST:
        return "a shot runs away";
    case ELV_ROOT_SINGULAR:
        return "the tip does not answer to the root";
    case ELV_ROOT_LIMIT:
        return "Newton does not converge";
    default:
        return "Newton stalls";
    }
}

ElvStatus
elv_motion_fail(ElvMotionShooting* self, const ElvRootReport* root, double dt, ElvError* error) {
    int i = self->lost >= 0 ? self->lost : self->grid.n_step - 1;
    const ElvShotStep* step = &self->grid.step[i];
    const ElvStrongRod* strong = &self->chain.rod[step->i_rod].strong;
    double least = self->report.strong.critical_step;
    double limpness = 0.0;
    char segments[64], help[HELP];
    self->report.strong.end = classify(self, root, dt);
    self->report.strong.growth = self->growth;
    suggest_segments(self, dt, segments);
    switch (self->report.strong.end) {
    case ELV_SHOT_STOPPED:
        return ELV_ERROR_CANCELLED;
    case ELV_SHOT_SINGULAR:
        return elv_strong_strain_error(strong, &step->node[0].station, self->law, error);
    case ELV_SHOT_STEP:
        snprintf(help, sizeof help,
                 "the step is below the critical one of shooting with %d segment%s, about %.2g s; "
                 "use %slonger steps, or a method with modes",
                 self->cut.n_segment, self->cut.n_segment == 1 ? "" : "s", least, segments);
        break;
    case ELV_SHOT_INACCURATE:
        snprintf(help, sizeof help,
                 "the steps along the rods leave an error of %.1g of the length; use more of them "
                 "(simulate.steps, or 0 for as many as it takes), or a method with modes",
                 self->report.strong.space_error);
        break;
    default:
        limpness = elv_growth_limpness(strong, &step->node[0].station, self->chain.gravity);
        if (limpness > ELV_GROWTH_LIMP) {
            snprintf(help, sizeof help,
                     "the rod is limp, its weight times l^2 is %.2g times its stiffness, and shots "
                     "run away along cables; use a method with modes (generalized-alpha)",
                     limpness);
            break;
        }
        snprintf(help, sizeof help,
                 "use %sshorter steps (with %d segment%s not below %.2g s), or a method with modes",
                 segments, self->cut.n_segment, self->cut.n_segment == 1 ? "" : "s", least);
    }
    return elv_error_set(
        error, ELV_ERROR_STEP, strong->name, "",
        "%s in the step from t = %.9g, dt = %.3g s (rod '%s', s = %.3g; residual %.2g; variations "
        "grow by %.1g over a segment): %s",
        describe(root), self->t, dt, strong->name, step->s0, root->norm, self->growth, help);
}
