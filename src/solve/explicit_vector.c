// SPDX-License-Identifier: Apache-2.0
// The unknowns of explicit integration: a state as the vector y = (q, v, z), z those of devices, and behind
// them the accounts of energy where these are kept. Imposed coordinates are in y, but follow their laws: they
// are not integrated, and no error of theirs asks for steps.
#include "solve/explicit_vector.h"

#include "multibody/model.h"
#include "solve/work.h"

#include <string.h>

void elv_explicit_pack(const ElvState* state, N_Vector y) {
    memcpy(NV_DATA_S(y), state->q, (size_t)state->nq * sizeof(double));
    memcpy(NV_DATA_S(y) + state->nq, state->v, (size_t)state->nv * sizeof(double));
    memcpy(NV_DATA_S(y) + state->nq + state->nv, state->z, (size_t)state->nz * sizeof(double));
    int n = state->nq + state->nv + state->nz;
    if (N_VGetLength(y) > n) {
        elv_work_write(&state->work, NV_DATA_S(y) + n);
    }
}

void elv_explicit_unpack(const ElvModel* model, double t, N_Vector y, ElvState* state) {
    state->t = t;
    memcpy(state->q, NV_DATA_S(y), (size_t)state->nq * sizeof(double));
    memcpy(state->v, NV_DATA_S(y) + state->nq, (size_t)state->nv * sizeof(double));
    memcpy(state->z, NV_DATA_S(y) + state->nq + state->nv, (size_t)state->nz * sizeof(double));
    int n = state->nq + state->nv + state->nz;
    if (N_VGetLength(y) > n) {
        elv_work_read(NV_DATA_S(y) + n, &state->work);
    }
    elv_state_impose(model, state);
}

int elv_explicit_hold(const ElvModel* model, double* rate) {
    int n = 0;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        const ElvJoint* joint = node->joint;
        // joints are imposed as a whole, strains of rods one by one; these have one coordinate for
        // each velocity
        for (int k = 0; k < joint->n_q; k++) {
            bool is_held = joint->is_motion_driven || (joint->driven && joint->driven[k]);
            n += is_held;
            if (is_held && rate) {
                rate[node->i_q + k] = 0.0;
            }
        }
        for (int k = 0; k < joint->n_v; k++) {
            bool is_held = elv_joint_is_driven(joint, k);
            n += is_held;
            if (is_held && rate) {
                rate[model->nq + node->i_v + k] = 0.0;
            }
        }
    }
    return n;
}
