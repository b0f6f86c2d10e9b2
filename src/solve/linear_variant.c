// SPDX-License-Identifier: Apache-2.0
// What a law does to signals without any motion: a copy of the model in which the law is shifted, and central
// differences of its signals, extrapolated to order 4. (Residual and equations have exact columns,
// linear_feed.c; signals are too many for that.)
#include "joint/lumped.h"
#include "solve/linear_model.h"

#include <math.h>
#include <string.h>

/// Steps of set points and of other laws, relative to their values and to 1: efforts of controllers are
/// bent by their limits, in all else the laws enter as they are.
static const double TARGET_STEP = 1e-3;
static const double LAW_STEP = 1.0;

/// A law with more of its value, and of its rate.
typedef struct {
    const ElvLaw* law;
    double value, rate;
} Shift;

static void evaluate_shift(void* user, double t, double s, ElvJet* jet) {
    const Shift* shift = user;
    *jet = elv_law_eval(shift->law, t, s);
    jet->v += shift->value;
    jet->d += shift->rate;
}

// a copy of the model in which one law is another, and where the law was; false: no memory
static bool
make_variant(ElvLinearizer* l, const ElvInput* input, ElvModel* variant, const ElvLaw*** place) {
    *variant = *l->model;
    if (input->kind == ELV_INPUT_COMMAND) {
        const ElvDevice* device = variant->device[input->i];
        ElvDevice** list =
            elv_pool_copy(&l->pool, variant->device, (size_t)variant->n_device, sizeof *list);
        ElvDevice* copy = elv_pool_copy(&l->pool, device, 1, device->ops->commands->size);
        if (!list || !copy) {
            return false;
        }
        list[input->i] = copy;
        variant->device = list;
        *place = device->ops->commands->law(copy, input->k);
        return true;
    }
    ElvNode* list = elv_pool_copy(&l->pool, variant->node, (size_t)variant->n_node, sizeof *list);
    ElvLumped* copy = elv_pool_copy(&l->pool, variant->node[input->i].joint, 1, sizeof(ElvLumped));
    if (!list || !copy) {
        return false;
    }
    list[input->i].joint = &copy->joint;
    variant->node = list;
    *place = &copy->control.target[input->k];
    return true;
}

// (y(h) - y(-h)) / 2h in l->high
static void difference(
    ElvLinearizer* l, const ElvModel* variant, ElvSignals* signals, double h, double* shifted) {
    *shifted = -h;
    elv_linear_evaluate(l, variant, signals, l->low);
    *shifted = h;
    elv_linear_evaluate(l, variant, signals, l->high);
    *shifted = 0.0;
    for (int k = 0; k < l->form.n_output; k++) {
        l->high[k] = (l->high[k] - l->low[k]) / (2.0 * h);
    }
}

static void differentiate(ElvLinearizer* l,
                          const ElvInput* input,
                          const ElvModel* variant,
                          ElvSignals* signals,
                          Shift* shift) {
    ElvJet jet = elv_law_eval(shift->law, l->base->t, 0.0);
    bool is_rate = input->kind == ELV_INPUT_TARGET_RATE;
    double step = input->kind == ELV_INPUT_COMMAND ? LAW_STEP : TARGET_STEP;
    double h = step * fmax(1.0, fabs(is_rate ? jet.d : jet.v));
    double* shifted = is_rate ? &shift->rate : &shift->value;
    difference(l, variant, signals, h, shifted);
    memcpy(l->near, l->high, (size_t)l->form.n_output * sizeof(double));
    difference(l, variant, signals, 0.5 * h, shifted);
    for (int k = 0; k < l->form.n_output; k++) {
        l->high[k] = (4.0 * l->high[k] - l->near[k]) / 3.0;
    }
}

ElvStatus elv_linear_vary_law(ElvLinearizer* l, const ElvInput* input, ElvError* error) {
    ElvModel variant;
    const ElvLaw** place = NULL;
    ElvSignals* signals = NULL;
    ElvLaw* law = NULL;
    if (!make_variant(l, input, &variant, &place)) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    Shift shift = {*place, 0.0, 0.0};
    ElvStatus status = elv_law_callback(evaluate_shift, &shift, &law, error);
    if (status == ELV_OK) {
        *place = law;
        status = elv_signals_create(&variant, l->output, l->n_output, &signals, error);
    }
    if (status == ELV_OK) {
        differentiate(l, input, &variant, signals, &shift);
    }
    elv_signals_free(signals);
    elv_law_free(law);
    return status;
}
