// SPDX-License-Identifier: Apache-2.0
// Forward dynamics: M_ff a_f = Upsilon_f - IDM_f(q, v, a_f = 0, a_driven), by Cholesky [P20 (37)].
// Velocity components of motion-driven joints are known; only the free ones (f) are solved for.
#include "linalg/cholesky.h"
#include "multibody/device.h"

#include <math.h>
#include <string.h>

// the joint or rod that owns a velocity component
static const char* owner_name(const ElvModel* model, int i_v) {
    const char* name = "";
    for (int j = 0; j < model->n_node; j++) {
        if (model->node[j].i_v <= i_v && model->node[j].joint->n_v > 0) {
            name = model->node[j].name;
        }
    }
    return name;
}

static int list_free(const ElvModel* model, int* free_index) {
    int n = 0;
    for (int i = 0; i < model->nv; i++) {
        if (!model->is_driven[i]) {
            free_index[n++] = i;
        }
    }
    return n;
}

// rows and columns of the free components, packed in place
static void pack_matrix(int nv, int n_free, const int* free_index, double* M) {
    if (n_free == nv) {
        return;
    }
    for (int i = 0; i < n_free; i++) {
        for (int j = 0; j < n_free; j++) {
            size_t from = (size_t)free_index[i] * (size_t)nv + (size_t)free_index[j];
            M[(size_t)i * (size_t)n_free + (size_t)j] = M[from];
        }
    }
}

ElvStatus
elv_forward_dynamics(const ElvModel* model, ElvData* data, ElvState* state, ElvError* error) {
    int* free_index = data->free_index;
    int n_free = list_free(model, free_index);
    ElvState trial = *state;
    trial.a = data->a;
    memset(data->a, 0, (size_t)model->nv * sizeof *data->a);
    elv_state_impose(model, &trial);
    // tensions that do not follow at once are taken as they are
    (void)elv_device_follow(model, data, &trial);
    // bias, internal efforts, mass matrix at the same configuration
    elv_idm(model, data, &trial, data->tau);
    elv_internal_efforts(model, data, &trial, data->upsilon);
    elv_composite_free_pass(model, data, data->M);
    pack_matrix(model->nv, n_free, free_index, data->M);
    int bad = elv_cholesky_factor(n_free, data->M);
    if (bad >= 0) {
        const char* name = owner_name(model, free_index[bad]);
        return elv_error_set(error, ELV_ERROR_SINGULAR, name, "",
                             "the mass matrix is singular at a coordinate of '%s' (t = %.9g): give "
                             "it mass, rotary inertia or rotor inertia, or fewer modes",
                             name, state->t);
    }
    for (int i = 0; i < n_free; i++) {
        data->v[i] = data->upsilon[free_index[i]] - data->tau[free_index[i]];
    }
    elv_cholesky_solve(n_free, data->M, data->v);
    for (int i = 0; i < n_free; i++) {
        data->a[free_index[i]] = data->v[i];
    }
    for (int i = 0; i < model->nv; i++) {
        if (!isfinite(data->a[i])) {
            return elv_error_set(error, ELV_ERROR_NUMERIC, owner_name(model, i), "",
                                 "an acceleration of '%s' is not finite at t = %.9g",
                                 owner_name(model, i), state->t);
        }
    }
    memcpy(state->a, data->a, (size_t)model->nv * sizeof *data->a);
    return ELV_OK;
}
