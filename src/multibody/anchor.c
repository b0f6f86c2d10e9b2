// SPDX-License-Identifier: Apache-2.0
// The spring of an anchor at a port resists turns Z_ang and shifts Z_lin + Z_ang x p of its origin p, with
// the wrench (k_a Z_ang + p x k_l (Z_lin + Z_ang x p); k_l (Z_lin + Z_ang x p)) on what holds it. How stiff
// it is does not change the solution; it is of the size of the stiffness that is there, so that
// neither is lost in rounding.
#include "multibody/anchor.h"

#include <math.h>
#include <string.h>

enum { ROW = ELV_N_VARIATION };

// stiffness per radian of the joints and rods
static double typical(const ElvModel* model, const ElvData* data) {
    double largest = 0.0;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        double across = node->info.is_rod ? node->info.length * node->info.length : 1.0;
        for (int k = 0; k < node->joint->n_v; k++) {
            double own = fabs(data->tangent[j].Qq[k * node->joint->n_v + k]) / across;
            largest = isfinite(own) ? fmax(largest, own) : largest;
        }
    }
    return largest > 0.0 ? largest : 1.0;
}

// the wrench of the spring of anchor i under a variation Z of its port
static void resist(const ElvModel* model, const ElvData* data, int i, const double* Z, double* W) {
    ElvVec3 p = data->port[model->anchor[i]].g.p;
    ElvTwist z = elv_twist_from_array(Z);
    ElvVec3 shift = elv_vec3_add(z.lin, elv_vec3_cross(z.ang, p));
    ElvVec3 f = elv_vec3_scale(data->anchor[1], shift);
    ElvVec3 m = elv_vec3_scale(data->anchor[0], z.ang);
    elv_wrench_to_array(elv_wrench(elv_vec3_add(m, elv_vec3_cross(p, f)), f), W);
}

// data->K += sign times the springs
static void add_springs(const ElvModel* model, ElvData* data, double sign) {
    for (int i = 0; i < model->n_anchor; i++) {
        double* K = data->K + (size_t)model->anchor[i] * 6 * ROW;
        data->has_K[model->anchor[i]] = true;
        for (int column = 0; column < 6; column++) {
            double Z[6] = {0.0};
            double W[6];
            Z[column] = 1.0;
            resist(model, data, i, Z, W);
            for (int row = 0; row < 6; row++) {
                K[row * ROW + column] += sign * W[row];
            }
        }
    }
}

void elv_anchor_set(const ElvModel* model, ElvData* data) {
    data->anchor[0] = data->anchor[1] = 0.0;
    if (data->is_static && model->n_anchor > 0) {
        data->anchor[0] = typical(model, data);
        data->anchor[1] = data->anchor[0] / (model->size * model->size);
        add_springs(model, data, 1.0);
    }
}

void elv_anchor_lift(const ElvModel* model, ElvData* data) {
    if (data->anchor[0] > 0.0) {
        add_springs(model, data, -1.0);
    }
}

void elv_anchor_column(const ElvModel* model, ElvData* data, int k) {
    memset(data->e, 0, (size_t)model->n_port * 6 * sizeof *data->e);
    data->e[(size_t)model->anchor[k / 6] * 6 + (size_t)(k % 6)] = -1.0;
}

void elv_anchor_rows(const ElvModel* model, const ElvData* data, const double* d_z, double* d_c) {
    for (int i = 0; i < model->n_anchor && data->anchor[0] > 0.0; i++) {
        double W[6];
        const double* d_s = d_z + model->nz + (size_t)6 * (size_t)i;
        resist(model, data, i, data->x + (size_t)model->anchor[i] * ROW, W);
        for (int k = 0; k < 6; k++) {
            d_c[model->nz + 6 * i + k] = d_s[k] - W[k];
        }
    }
}
