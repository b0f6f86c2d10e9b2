// SPDX-License-Identifier: Apache-2.0
// Constraints on the motion at a state, row by row: their defects c, the rates of these, and J with
//     c_dot = J v + what laws of time add.
// A row is an equation of a device that holds something, in the order of the devices. A column is what the equations,
// differentiated twice, see of a unit acceleration of one velocity component.                              [P23 (7)]
#include "multibody/border.h"

#include <string.h>

int elv_model_n_constraint(const ElvModel* model) {
    int n = 0;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < device->n_z && device->ops->motion; k++) {
            n += model->is_held[device->i_z + k];
        }
    }
    return n;
}

int elv_model_constraint_device(const ElvModel* model, int i_row) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < device->n_z && device->ops->motion; k++) {
            i_row -= model->is_held[device->i_z + k];
        }
        if (i_row < 0) {
            return i;
        }
    }
    return -1;
}

// what is held of all equations (nz) into rows of the given stride
static void take_rows(const ElvModel* model, const double* c, size_t stride, double* row) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < device->n_z && device->ops->motion; k++) {
            if (model->is_held[device->i_z + k]) {
                *row = c[device->i_z + k];
                row += stride;
            }
        }
    }
}

void elv_constraint_defects(
    const ElvModel* model, ElvData* data, const ElvState* state, int level, double* c) {
    if (elv_model_n_constraint(model) == 0) {
        return;
    }
    elv_kinematics(model, data, state);
    elv_border_motion(model, data, state, level, 0.0, data->d_c);
    take_rows(model, data->d_c, 1, c);
}

// accelerations of all ports under that of velocity component k of node j
static void move_ports(const ElvModel* model, ElvData* data, int j, int k) {
    memset(data->x, 0, (size_t)model->n_port * ELV_N_VARIATION * sizeof *data->x);
    for (int i = j; i < model->n_node; i++) {
        const ElvNode* node = &model->node[i];
        const double* root = data->x + (size_t)node->parent_port * ELV_N_VARIATION + 12;
        for (int p = 0; p < node->joint->n_port; p++) {
            double* x = data->x + (size_t)(node->i_port + p) * ELV_N_VARIATION + 12;
            if (i == j) {
                elv_twist_to_array(data->screw[node->i_screw + (size_t)(p * node->joint->n_v + k)],
                                   x);
            } else {
                memcpy(x, root, 6 * sizeof *x);
            }
        }
    }
}

// the equations of all devices under data->x and d_nu
static void set_column(const ElvModel* model, const ElvScene* scene, const double* d_nu) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->motion && device->n_z > 0) {
            device->ops->row(device, scene, d_nu, scene->data->d_z, scene->data->d_c + device->i_z);
        }
    }
}

void elv_constraint_jacobian(const ElvModel* model,
                             ElvData* data,
                             const ElvState* state,
                             double* J) {
    size_t nv = (size_t)model->nv;
    size_t n_row = (size_t)elv_model_n_constraint(model);
    ElvBorderRule rule = {.is_motion = true};
    ElvScene scene = {model, data, state, &rule};
    if (n_row == 0) {
        return;
    }
    // points that slide find their places by their equations
    elv_kinematics(model, data, state);
    elv_border_motion(model, data, state, 2, 0.0, data->d_c);
    elv_screw_pass(model, data);
    memset(J, 0, n_row * nv * sizeof *J);
    memset(data->d_z, 0, (size_t)model->nz * sizeof *data->d_z);
    memset(data->v, 0, nv * sizeof *data->v);
    for (int j = 0; j < model->n_node; j++) {
        data->unknown[j] = (ElvUnknown){.b = 1.0};
    }
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        for (int k = 0; k < node->joint->n_v; k++) {
            size_t i_v = (size_t)node->i_v + (size_t)k;
            if (!model->is_driven[i_v]) {
                move_ports(model, data, j, k);
                data->v[i_v] = 1.0;
                set_column(model, &scene, data->v);
                data->v[i_v] = 0.0;
                take_rows(model, data->d_c, nv, J + i_v);
            }
        }
    }
}
