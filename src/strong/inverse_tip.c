// SPDX-License-Identifier: Apache-2.0
// The tip of a chain led along its law, one equilibrium a load: tensions, or the wrench, for each.
#include "strong/inverse_rows.h"
#include "strong/reach.h"

#include <math.h>

static ElvStatus
find_target(const ElvModel* model, double t, ElvTipTarget* target, ElvError* error) {
    double x[6] = {0.0};
    for (int k = 0; k < 6; k++) {
        bool is_used = k >= 3 || model->inverse.has_rotation;
        x[k] = is_used ? elv_law_value(model->tip[k], t, 0.0) : 0.0;
        if (!isfinite(x[k])) {
            return elv_error_set(error, ELV_ERROR_NUMERIC, "inverse", k < 3 ? "tip.rpy" : "tip.xyz",
                                 "where the tip is to be is not a number at load %.9g", t);
        }
    }
    target->pose = elv_pose(elv_so3_from_rpy(x[0], x[1], x[2]), elv_vec3(x[3], x[4], x[5]));
    target->has_rotation = model->inverse.has_rotation;
    return ELV_OK;
}

static ElvStatus add_row(ElvInverseRows* rows, ElvReach* reach, double t, ElvError* error) {
    ElvTipTarget target;
    ElvReachReport report;
    ElvStatus status = find_target(rows->model, t, &target, error);
    status = status == ELV_OK ? elv_reach_solve(reach, t, &target, &report, error) : status;
    if (status != ELV_OK) {
        return status;
    }
    rows->report->row = (ElvInverseRow){.is_reached = report.is_reached,
                                        .distance = report.distance,
                                        .angle = report.angle,
                                        .wrench = report.wrench};
    rows->report->n_step = report.n_equilibrium;
    elv_shoot_hand_out(elv_reach_shooting(reach), rows->data, rows->state);
    return elv_inverse_add_row(rows, error);
}

ElvStatus elv_inverse_run_tip(ElvInverseRows* rows, ElvError* error) {
    const ElvModel* model = rows->model;
    ElvReach* reach = NULL;
    ElvStaticsDef statics = model->statics;
    statics.stop = rows->options->stop;
    ElvStatus status = elv_reach_create(model, &statics, model->inverse.by, &reach, error);
    for (int i = 0; i < elv_inverse_n_load(model) && status == ELV_OK; i++) {
        status = add_row(rows, reach, elv_inverse_load(model, i), error);
    }
    elv_reach_free(reach);
    return status;
}
