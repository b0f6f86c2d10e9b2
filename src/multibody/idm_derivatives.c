// SPDX-License-Identifier: Apache-2.0
// Derivatives of the inverse dynamics tau(q, v, a), exact: the tangent pass over the tree without internal efforts,
// once for displacements and once for velocities; accelerations enter by the mass matrix.     [P23 (48)-(55)]
// Displacements are taken in the axes of the velocities, so that d_q belongs to elv_configuration_integrate.
#include "multibody/tidm.h"

void elv_idm_derivatives(const ElvModel* model,
                         ElvData* data,
                         const ElvState* state,
                         double* d_q,
                         double* d_v,
                         double* d_a) {
    if (d_a) {
        elv_mass_matrix(model, data, state, d_a);
    }
    elv_idm(model, data, state, data->tau);
    // rows of velocities and accelerations are left out where nothing of them varies, as in statics: a nearly
    // vanishing one keeps them
    if (d_q) {
        elv_tidm_bare_pass(model, data, state, 1.0, 0x1p-200, 0.0);
        elv_tidm_matrix(model, data, d_q);
    }
    if (d_v) {
        elv_tidm_bare_pass(model, data, state, 0.0, 1.0, 0.0);
        elv_tidm_matrix(model, data, d_v);
    }
}
