// SPDX-License-Identifier: Apache-2.0
// Stability of an equilibrium. Loads with a potential: it is a minimum of the energy, all eigenvalues of
// K against M positive. Loads without: no motion lambda^2 M + lambda D + K grows; it may do so without
// oscillation (divergence) or with it (flutter).
#include "solve/modes.h"

#include "linalg/pencil.h"
#include "multibody/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Growth relative to |lambda| that does not count: without damping rounding gives as much.
static const double GROWTH = 1e-6;

/// An eigenvalue below this fraction of the smallest other one is zero: neither stable nor not.
static const double ZERO = 1e-11;

static ElvStatus
judge_motion(const ElvMatrices* matrices, int nv, ElvStabilityReport* report, ElvError* error) {
    ElvModes* modes = NULL;
    ElvStatus status = elv_modes_room(matrices, nv, &modes, error);
    status = status == ELV_OK ? elv_modes_damped(matrices, modes, error) : status;
    bool is_free = false;
    double growth = -INFINITY;
    for (int i = 0; i < (status == ELV_OK ? modes->n_mode : 0); i++) {
        const ElvMode* mode = &modes->mode[i];
        double size = hypot(mode->re, mode->im);
        double re = fabs(mode->re) > GROWTH * size ? mode->re : 0.0;
        is_free = is_free || mode->is_rigid;
        if (re > growth) {
            growth = re;
            report->is_flutter = re > 0.0 && mode->im > 0.0;
        }
    }
    elv_modes_free(modes);
    if (status == ELV_OK) {
        ElvStability calm = is_free ? ELV_STABILITY_UNKNOWN : ELV_STABILITY_STABLE;
        report->growth = isfinite(growth) ? growth : 0.0;
        report->stability = report->growth > 0.0 ? ELV_STABILITY_UNSTABLE : calm;
    }
    return status;
}

// whether something remembered acts on the motion
static bool has_memory(const ElvMatrices* matrices) {
    const ElvBorder* border = &matrices->border;
    for (int i = 0; i < matrices->n; i++) {
        for (int k = 0; k < border->n_own; k++) {
            if (border->B[(size_t)i * (size_t)border->nz + (size_t)border->own[k]] != 0.0) {
                return true;
            }
        }
    }
    return false;
}

// the lowest eigenvalue decides; where the pencil has none to trust that of K itself, which tells no rate
static void
judge_energy(const ElvMatrices* matrices, const ElvPencil* pencil, ElvStabilityReport* report) {
    double lowest = report->eigenvalue;
    bool has_zero = pencil->n_finite == 0 && lowest == 0.0;
    for (int i = 0; i < pencil->n_finite; i++) {
        double zero = elv_matrices_zero(matrices, pencil, i, ZERO);
        has_zero = has_zero || fabs(pencil->value[i]) <= zero;
    }
    if (report->n_negative > 0) {
        report->stability = ELV_STABILITY_UNSTABLE;
        report->growth = pencil->n_finite > 0 ? sqrt(-lowest) : 0.0;
    } else if (!has_zero) {
        report->stability = ELV_STABILITY_STABLE;
    }
}

static ElvStatus
find_lowest(ElvMatrices* matrices, ElvPencil* pencil, ElvStabilityReport* report, ElvError* error) {
    elv_symmetrise(matrices->n, matrices->K);
    elv_symmetrise(matrices->n, matrices->M);
    pencil->n = matrices->n;
    double lowest = elv_pencil_smallest(pencil, matrices->K, matrices->M);
    if (!isfinite(lowest)) {
        return elv_error_set(
            error, ELV_ERROR_NUMERIC, "", "",
            "the eigenvalues of the tangent stiffness were not found: is the state "
            "finite?");
    }
    report->eigenvalue = lowest;
    for (int i = 0; i < pencil->n_finite; i++) {
        double zero = elv_matrices_zero(matrices, pencil, i, ZERO);
        report->n_negative += pencil->value[i] < -zero ? 1 : 0;
    }
    if (pencil->n_finite == 0 && lowest < 0.0) {
        report->n_negative = 1;
    }
    return ELV_OK;
}

static ElvStatus judge(ElvMatrices* matrices, int nv, ElvStabilityReport* report, ElvError* error) {
    ElvPencil pencil = {0};
    // what a controller remembers has no potential
    report->is_conservative =
        !has_memory(matrices) && elv_is_symmetric(matrices->n, matrices->K, matrices->M);
    if (matrices->n == 0) {
        report->stability = ELV_STABILITY_STABLE;
        return ELV_OK;
    }
    ElvStatus status = ELV_OK;
    if (!report->is_conservative) {
        status = judge_motion(matrices, nv, report, error);
    }
    if (status == ELV_OK && !elv_pencil_create(matrices->n, &pencil)) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    if (status == ELV_OK) {
        status = find_lowest(matrices, &pencil, report, error);
    }
    if (status == ELV_OK && report->is_conservative) {
        judge_energy(matrices, &pencil, report);
    }
    elv_pencil_free(&pencil);
    return status;
}

ElvStatus elv_stability(const ElvModel* model,
                        const ElvState* state,
                        ElvStabilityReport* report,
                        ElvError* error) {
    ElvMatrices matrices = {0};
    ElvData* data = NULL;
    memset(report, 0, sizeof *report);
    elv_error_clear(error);
    ElvStatus status = elv_matrices_create(model, &matrices, error);
    status = status == ELV_OK ? elv_data_create(model, &data, error) : status;
    if (status == ELV_OK) {
        data->is_static = true;
        status = elv_matrices_fill(model, data, state, &matrices, error);
    }
    if (status == ELV_OK) {
        elv_matrices_project(model, &matrices);
        status = judge(&matrices, elv_model_nv(model), report, error);
    }
    elv_matrices_free(&matrices);
    elv_data_free(data);
    if (status != ELV_OK) {
        memset(report, 0, sizeof *report);
    }
    return status;
}
