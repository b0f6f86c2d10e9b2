// SPDX-License-Identifier: Apache-2.0
// The Jacobian of the centre of mass, p_dot = J v: a weight m e_k along axis k of the world does J^T m e_k to the
// coordinates, which is what the inverse dynamics changes by when gravity e_k is put on.
#include "multibody/data.h"

void elv_center_jacobian(const ElvModel* model, ElvData* data, const ElvState* state, double* J) {
    size_t nv = (size_t)model->nv;
    double mass = elv_model_mass(model);
    ElvModel weighed = *model;
    weighed.gravity = elv_vec3(0.0, 0.0, 0.0);
    elv_idm(&weighed, data, state, data->tau);
    for (int k = 0; k < 3; k++) {
        double* row = J + (size_t)k * nv;
        weighed.gravity = elv_vec3(k == 0, k == 1, k == 2);
        elv_idm(&weighed, data, state, row);
        for (size_t i = 0; i < nv; i++) {
            row[i] = mass > 0.0 ? (data->tau[i] - row[i]) / mass : 0.0;
        }
    }
}
