// SPDX-License-Identifier: Apache-2.0
// The inverse problem of a model by what the model says: here, because this layer is the first to know them all.
#include "solve/inverse.h"
#include "strong/inverse_rows.h"

#include <math.h>

ElvInverseKind elv_inverse_kind(const ElvModel* model) {
    if (model->inverse.has_tip) {
        return ELV_INVERSE_TIP;
    }
    for (int i = 0; i < model->n_node; i++) {
        if (model->node[i].info.is_imposed) {
            return ELV_INVERSE_STRAINS;
        }
    }
    return ELV_INVERSE_JOINTS;
}

bool elv_inverse_is_static(const ElvModel* model) {
    ElvInverseKind kind = elv_inverse_kind(model);
    return kind == ELV_INVERSE_TIP || (kind == ELV_INVERSE_STRAINS && model->inverse.is_static);
}

// ---- rows

int elv_inverse_n_load(const ElvModel* model) {
    return model->statics.n_load > 0 ? model->statics.n_load : 1;
}

double elv_inverse_load(const ElvModel* model, int i) {
    return model->statics.n_load > 0 ? model->statics.load[i] : 0.0;
}

ElvStatus elv_inverse_add_row(ElvInverseRows* rows, ElvError* error) {
    ElvInverseReport* report = rows->report;
    const ElvInverseRow* row = &report->row;
    ElvInverseRow* worst = &report->worst;
    worst->wanted = fmax(worst->wanted, row->wanted);
    worst->left = fmax(worst->left, row->left);
    worst->defect = fmax(worst->defect, row->defect);
    worst->distance = fmax(worst->distance, row->distance);
    worst->angle = fmax(worst->angle, row->angle);
    worst->is_reached = (report->n_sample == 0 || worst->is_reached) && row->is_reached;
    report->n_missed += row->is_reached ? 0 : 1;
    report->n_sample++;
    const ElvInverseOptions* options = rows->options;
    if (options->record && !options->record(options->user, rows->model, rows->data, rows->state)) {
        return elv_error_set(error, ELV_ERROR_CANCELLED, "", "",
                             "stopped by the caller at t = %.9g", rows->state->t);
    }
    return ELV_OK;
}

// ---- the run

static ElvStatus run_rods(ElvInverseRows* rows, ElvInverseKind kind, ElvError* error) {
    ElvStatus status = elv_data_create(rows->model, &rows->data, error);
    if (status == ELV_OK) {
        status = kind == ELV_INVERSE_TIP ? elv_inverse_run_tip(rows, error)
                                         : elv_inverse_run_strains(rows, error);
    }
    elv_data_free(rows->data);
    return status;
}

ElvStatus elv_inverse_run(const ElvModel* model,
                          ElvState* state,
                          const ElvInverseOptions* options,
                          ElvInverseReport* report,
                          ElvError* error) {
    ElvInverseKind kind = elv_inverse_kind(model);
    ElvInverseReport own = {0};
    elv_error_clear(error);
    report = report ? report : &own;
    *report = (ElvInverseReport){0};
    bool is_good = isfinite(options->t_start) && options->duration >= 0.0 &&
                   isfinite(options->t_start + options->duration) && options->every > 0.0;
    if (!is_good) {
        return elv_error_set(error, ELV_ERROR_INPUT, "record", "every",
                             "the interval must be positive, and the duration not negative");
    }
    if (kind == ELV_INVERSE_JOINTS) {
        return elv_inverse_run_joints(model, state, options, report, error);
    }
    ElvInverseRows rows = {.model = model, .options = options, .report = report, .state = state};
    return run_rods(&rows, kind, error);
}
