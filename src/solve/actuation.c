// SPDX-License-Identifier: Apache-2.0
// The actuation matrix B = d_Q/d_u at a state: how inputs enter the residual, with the sign of an effort; the columns are
// those of linear models (linear_feed.c), without what follows from them.
#include "multibody/tidm.h"
#include "solve/linear_model.h"

#include <stdlib.h>

/// What the caller sees, and whose memory it is.
typedef struct {
    ElvActuation form; // first
    ElvLinearizer linearizer;
} Actuation;

static ElvStatus out_of_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

// workspace and state, and the passes that inputs want to have run
static ElvStatus open_state(ElvLinearizer* l, const ElvState* state, ElvError* error) {
    ElvStatus status = elv_data_create(l->model, &l->data, error);
    status = status == ELV_OK ? elv_state_create(l->model, &l->base, error) : status;
    double* residual = elv_pool_take(&l->pool, (size_t)l->model->nv + 1, sizeof *residual);
    if (status != ELV_OK) {
        return status;
    }
    if (!residual) {
        return out_of_memory(error);
    }
    elv_state_copy(l->base, state);
    elv_residual(l->model, l->data, l->base, residual);
    elv_channel_pass(l->model, l->data, l->base);
    elv_tidm_pass(l->model, l->data, l->base, NULL, 0.0, 1.0);
    return ELV_OK;
}

// B, column by column
static ElvStatus fill(Actuation* self, ElvError* error) {
    ElvLinearizer* l = &self->linearizer;
    ElvActuation* form = &self->form;
    size_t nv = (size_t)l->model->nv;
    size_t n = (size_t)form->n_input;
    double* residual = elv_pool_take(&l->pool, nv + (size_t)l->model->nz + 1, sizeof *residual);
    form->B = elv_pool_take(&l->pool, nv * n + 1, sizeof *form->B);
    if (!residual || !form->B) {
        return out_of_memory(error);
    }
    for (size_t k = 0; k < n; k++) {
        ElvStatus status = elv_linear_feed_one(l, &l->input[k], residual, residual + nv, error);
        if (status != ELV_OK) {
            return status;
        }
        for (size_t i = 0; i < nv; i++) {
            form->B[i * n + k] = -residual[i];
        }
    }
    return ELV_OK;
}

ElvStatus elv_actuation_create(const ElvModel* model,
                               const ElvState* state,
                               const char* const* input,
                               int n_input,
                               ElvActuation** actuation,
                               ElvError* error) {
    *actuation = NULL;
    Actuation* self = calloc(1, sizeof *self);
    if (!self) {
        return out_of_memory(error);
    }
    ElvLinearizer* l = &self->linearizer;
    l->model = model;
    ElvStatus status = open_state(l, state, error);
    status = status == ELV_OK ? elv_linear_inputs(l, input, n_input, error) : status;
    self->form.nv = model->nv;
    self->form.n_input = l->form.n_input;
    self->form.input_name = l->form.input_name;
    status = status == ELV_OK ? fill(self, error) : status;
    // the numbers are in the pool
    elv_data_free(l->data);
    elv_state_free(l->base);
    if (status != ELV_OK) {
        elv_actuation_free(&self->form);
        return status;
    }
    *actuation = &self->form;
    return ELV_OK;
}

void elv_actuation_free(ElvActuation* actuation) {
    Actuation* self = (Actuation*)actuation;
    if (self) {
        elv_pool_free(&self->linearizer.pool);
        free(self);
    }
}
