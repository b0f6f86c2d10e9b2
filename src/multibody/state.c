// SPDX-License-Identifier: Apache-2.0
// The state: small, copyable, one block.
#include "multibody/device.h"

#include <stdlib.h>
#include <string.h>

ElvStatus elv_state_create(const ElvModel* model, ElvState** state, ElvError* error) {
    size_t n = (size_t)model->nq + 6 * (size_t)model->nv + 3 * (size_t)model->nz;
    *state = calloc(1, sizeof **state + n * sizeof(double));
    if (!*state) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    double* block = (double*)(*state + 1);
    (*state)->nq = model->nq;
    (*state)->nv = model->nv;
    (*state)->q = block;
    (*state)->v = block + model->nq;
    (*state)->a = block + model->nq + model->nv;
    (*state)->aux = block + model->nq + 2 * model->nv;
    (*state)->nu_past = block + model->nq + 3 * model->nv;
    (*state)->w_past = block + model->nq + 4 * model->nv;
    (*state)->effort = block + model->nq + 5 * model->nv;
    (*state)->z = block + model->nq + 6 * model->nv + model->nz;
    (*state)->z_rate = (*state)->z + model->nz;
    (*state)->nz = model->nz;
    elv_state_reset(model, *state);
    return ELV_OK;
}

void elv_state_free(ElvState* state) {
    free(state);
}

void elv_state_copy(ElvState* to, const ElvState* from) {
    to->t = from->t;
    memcpy(to->q, from->q, (size_t)from->nq * sizeof *from->q);
    memcpy(to->v, from->v, (size_t)from->nv * sizeof *from->v);
    memcpy(to->a, from->a, (size_t)from->nv * sizeof *from->a);
    memcpy(to->aux, from->aux, (size_t)from->nv * sizeof *from->aux);
    memcpy(to->nu_past, from->nu_past, (size_t)from->nv * sizeof *from->nu_past);
    memcpy(to->w_past, from->w_past, (size_t)from->nv * sizeof *from->w_past);
    memcpy(to->effort, from->effort, (size_t)(from->nv + from->nz) * sizeof *from->effort);
    memcpy(to->z, from->z, (size_t)from->nz * sizeof *from->z);
    memcpy(to->z_rate, from->z_rate, (size_t)from->nz * sizeof *from->z_rate);
    to->aux_lead = from->aux_lead;
    to->step_past = from->step_past;
    to->step_next = from->step_next;
    to->n_calm = from->n_calm;
    to->work = from->work;
}

void elv_state_reset(const ElvModel* model, ElvState* state) {
    state->t = 0.0;
    state->aux_lead = 0.0;
    state->step_past = 0.0;
    state->step_next = 0.0;
    state->n_calm = 0;
    memset(&state->work, 0, sizeof state->work);
    memset(state->a, 0, (size_t)state->nv * sizeof *state->a);
    memset(state->z, 0, (size_t)state->nz * sizeof *state->z);
    memset(state->z_rate, 0, (size_t)state->nz * sizeof *state->z_rate);
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->initial) {
            device->ops->initial(device, state->z + device->i_z);
        }
    }
    for (int i = 0; i < model->n_node; i++) {
        const ElvNode* node = &model->node[i];
        node->joint->ops->initial(node->joint, state->q + node->i_q, state->v + node->i_v);
    }
    elv_state_impose(model, state);
}

void elv_state_impose(const ElvModel* model, ElvState* state) {
    for (int i = 0; i < model->n_node; i++) {
        const ElvNode* node = &model->node[i];
        node->joint->ops->impose(node->joint, state->t, state->q + node->i_q, state->v + node->i_v,
                                 state->a + node->i_v);
    }
}

void elv_state_rate(const ElvModel* model, const ElvState* state, double* q_dot) {
    for (int i = 0; i < model->n_node; i++) {
        const ElvNode* node = &model->node[i];
        node->joint->ops->rate(node->joint, state->q + node->i_q, state->v + node->i_v,
                               q_dot + node->i_q);
    }
}
