// SPDX-License-Identifier: Apache-2.0
// Why a step of the finite differences has failed, and what may help; the step below which one shot along all rods is expected
// to fail [OCP (88)]; and rods that resist by next to nothing.
#include "strong/finite.h"

#include "strong/growth.h"

#include <stdio.h>

// ---- growth

// exponent by which variations grow along a piece: as by BDF2
static double piece_exponent(const ElvFiniteGrid* grid, const ElvFinitePiece* piece, double dt) {
    double c = 1.5 / dt;
    double sum = 0.0;
    for (int k = 0; k < piece->n_element; k++) {
        const ElvStrongStation* at = &elv_finite_node(grid, piece, k)->at;
        const ElvStrongPiece* own = &piece->link->strong.piece[piece->i_piece];
        sum += piece->ds * elv_growth_at(at, own, c, c * c);
    }
    return sum;
}

static double exponent_of(const void* owner, double dt) {
    const ElvFiniteGrid* grid = &((const ElvFinite*)owner)->grid;
    double sum = 0.0;
    for (int i = 0; i < grid->n_piece; i++) {
        sum += piece_exponent(grid, &grid->piece[i], dt);
    }
    return sum;
}

double elv_finite_critical(const ElvFinite* self) {
    return elv_growth_step(exponent_of, self, 1);
}

ElvStatus elv_finite_check_growth(const ElvFinite* self, double dt, ElvError* error) {
    double sum = 0.0;
    for (int i = 0; i < self->grid.n_piece; i++) {
        const ElvFinitePiece* piece = &self->grid.piece[i];
        sum = piece_exponent(&self->grid, piece, dt) + (piece->is_first ? 0.0 : sum);
        ElvStatus status =
            elv_growth_check(&piece->link->strong, dt, self->head.options.duration, sum, error);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

// ---- steps that fail

static ElvShotEnd classify(const ElvFinite* self, const ElvFiniteReport* report, double dt) {
    bool is_short = dt < self->report.strong.critical_step;
    if (self->head.brake.is_on) {
        return ELV_SHOT_STOPPED;
    }
    switch (report->end) {
    case ELV_FINITE_LAW:
        return report->law == ELV_ERROR_SINGULAR ? ELV_SHOT_SINGULAR : ELV_SHOT_UNSOLVED;
    case ELV_FINITE_LOST:
        return is_short ? ELV_SHOT_STEP : ELV_SHOT_DIVERGED;
    case ELV_FINITE_SINGULAR:
    case ELV_FINITE_ROUNDING:
        return ELV_SHOT_STEP;
    default:
        return is_short ? ELV_SHOT_STEP : ELV_SHOT_UNSOLVED;
    }
}

static void suggest(const ElvFinite* self, char help[256]) {
    const ElvFinitePiece* piece = self->sweep.piece;
    const ElvStrongStation* at = &elv_finite_node(&self->grid, piece, 0)->at;
    double limpness = elv_growth_limpness(&piece->link->strong, at, self->grid.chain->gravity);
    if (limpness > ELV_GROWTH_LIMP) {
        snprintf(help, 256,
                 "the rod is limp, its weight times l^2 is %.2g times its stiffness, and shots run "
                 "away along cables; use a method with modes (generalized-alpha)",
                 limpness);
    } else if (self->report.strong.end == ELV_SHOT_STEP) {
        snprintf(help, 256,
                 "steps are too short for one shot along the rods (below about %.2g s that is to "
                 "be expected); use longer ones, method shooting with segments, or a method with "
                 "modes",
                 self->report.strong.critical_step);
    } else {
        snprintf(help, 256,
                 "a longer step or more nodes may help (short steps and long elements are what "
                 "breaks finite differences), or a method with modes");
    }
}

ElvStatus
elv_finite_fail(ElvFinite* self, const ElvFiniteReport* report, double dt, ElvError* error) {
    const ElvFiniteSweep* sweep = &self->sweep;
    self->report.strong.end = classify(self, report, dt);
    self->report.strong.growth = report->growth;
    if (self->report.strong.end == ELV_SHOT_STOPPED) {
        return ELV_ERROR_CANCELLED;
    }
    const char* rod = sweep->piece->link->strong.name;
    char help[256];
    suggest(self, help);
    switch (report->end) {
    case ELV_FINITE_LAW:
        return elv_strong_strain_error(
            &sweep->piece->link->strong,
            &elv_finite_node(&self->grid, sweep->piece, sweep->i_element)->at, report->law, error);
    case ELV_FINITE_LOST:
        return elv_error_set(error, ELV_ERROR_STEP, rod, "",
                             "the shot of the step from t = %.9g, dt = %.3g s, diverges along rod "
                             "'%s' beyond s = %.3g: %s",
                             self->t, dt, rod,
                             self->grid.s[sweep->piece->i_node + sweep->i_element], help);
    case ELV_FINITE_SINGULAR:
        return elv_error_set(error, ELV_ERROR_STEP, rod, "",
                             "the tip does not answer to the root of rod '%s' in the step from t = "
                             "%.9g, dt = %.3g s (a wrench grows by %.1g on its way): %s",
                             rod, self->t, dt, report->growth, help);
    case ELV_FINITE_ROUNDING:
        return elv_error_set(error, ELV_ERROR_STEP, rod, "",
                             "rounding leaves a residual of %.2g of the largest wrench at the tip "
                             "of rod '%s' in the step from t = %.9g, dt = %.3g s, as a wrench "
                             "grows by %.1g on its way: %s",
                             report->residual, rod, self->t, dt, report->growth, help);
    default:
        return elv_error_set(
            error, ELV_ERROR_STEP, rod, "",
            "Newton does not converge in the step from t = %.9g, dt = %.3g s: %s after "
            "%d iterations, a residual of %.2g of the largest wrench is left at the "
            "tip, and a wrench grows by %.1g on its way there: %s",
            self->t, dt, report->end == ELV_FINITE_LIMIT ? "stopped" : "stalled",
            report->n_iteration, report->residual, report->growth, help);
    }
}
