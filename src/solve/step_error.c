// SPDX-License-Identifier: Apache-2.0
// The local error of a time step against its tolerance. Coordinates of one joint share a size, so that
// one that passes through zero does not ask for small steps. Rotations count in radians, and driven
// coordinates, which are exact, do not count.
#include "solve/step_error.h"

#include "multibody/model.h"

#include <math.h>

double elv_step_error(const ElvModel* model,
                      const ElvSimulateDef* options,
                      const ElvState* state,
                      const double* defect) {
    double worst = 0.0;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        // what follows a quaternion are positions
        bool is_group = node->joint->n_q > node->joint->n_v;
        double size = 0.0;
        for (int k = is_group ? 4 : 0; k < node->joint->n_q; k++) {
            size = fmax(size, fabs(state->q[node->i_q + k]));
        }
        for (int k = 0; k < node->joint->n_v; k++) {
            double own = is_group && k < 3 ? 1.0 : size;
            double error = model->is_driven[node->i_v + k] ? 0.0 : fabs(defect[node->i_v + k]);
            worst = fmax(worst, error / (options->rel_tol * own + options->abs_tol));
        }
    }
    return worst;
}
