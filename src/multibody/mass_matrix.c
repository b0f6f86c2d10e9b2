// SPDX-License-Identifier: Apache-2.0
// The mass matrix twice: by composite inertias, from the tips to
// the base, and column by column from the IDM [P20 (35)-(36)]; and the bias [P20 (33)-(34)].
#include "multibody/data.h"

#include <string.h>

void elv_screw_pass(const ElvModel* model, ElvData* data) {
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        node->joint->ops->screws(node->joint, data->work[j], data->screw + node->i_screw);
    }
}

bool elv_has_free_screws(const ElvNode* node) {
    return !node->info.is_rod || !node->joint->is_motion_driven;
}

void elv_screw_free_pass(const ElvModel* model, ElvData* data) {
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        if (elv_has_free_screws(node)) {
            node->joint->ops->screws(node->joint, data->work[j], data->screw + node->i_screw);
        }
    }
}

// rows of the antecedents of node j: M_ij = S_i^T momentum_j, climbing from port to port
static void project_on_antecedents(
    const ElvModel* model, const ElvData* data, bool is_whole, int j, double* M) {
    size_t nv = (size_t)model->nv;
    const ElvNode* node = &model->node[j];
    for (int p = node->parent_port; p != 0;) {
        const ElvNode* above = &model->node[model->port[p].i_node];
        bool is_left_out = !is_whole && above->joint->is_motion_driven;
        size_t n_above = is_left_out ? 0 : (size_t)above->joint->n_v;
        const ElvTwist* screw =
            data->screw + above->i_screw + (size_t)(p - above->i_port) * n_above;
        for (size_t k = 0; k < n_above; k++) {
            for (int l = 0; l < node->joint->n_v; l++) {
                size_t row = (size_t)above->i_v + k;
                size_t column = (size_t)node->i_v + (size_t)l;
                double value = elv_power(screw[k], data->momentum[l]);
                M[row * nv + column] = value;
                M[column * nv + row] = value;
            }
        }
        p = above->parent_port;
    }
}

// is_whole: with the rows and columns of joints whose motion is imposed
static void composite_pass(const ElvModel* model, ElvData* data, bool is_whole, double* M) {
    size_t nv = (size_t)model->nv;
    memset(M, 0, nv * nv * sizeof *M);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        bool is_wanted = is_whole || !node->joint->is_motion_driven;
        node->joint->ops->screws(node->joint, data->work[j],
                                 is_wanted ? data->screw + node->i_screw : NULL);
    }
    for (int p = 0; p < model->n_port; p++) {
        const ElvPort* port = &model->port[p];
        data->I[p] = port->is_massive ? elv_inertia_transform(data->port[p].g, port->inertia)
                                      : elv_inertia_zero();
    }
    for (int j = model->n_node - 1; j >= 0; j--) {
        const ElvNode* node = &model->node[j];
        ElvInertia root;
        bool is_wanted = is_whole || !node->joint->is_motion_driven;
        double* block = M + (size_t)node->i_v * nv + (size_t)node->i_v;
        node->joint->ops->composite(node->joint, data->work[j], data->I + node->i_port, &root,
                                    data->momentum, is_wanted ? block : NULL, model->nv);
        data->I[node->parent_port] = elv_inertia_add(data->I[node->parent_port], root);
        if (is_wanted) {
            project_on_antecedents(model, data, is_whole, j, M);
        }
    }
}

void elv_composite_pass(const ElvModel* model, ElvData* data, double* M) {
    composite_pass(model, data, true, M);
}

void elv_composite_free_pass(const ElvModel* model, ElvData* data, double* M) {
    composite_pass(model, data, false, M);
}

void elv_mass_matrix(const ElvModel* model, ElvData* data, const ElvState* state, double* M) {
    elv_idm_forward_pass(model, data, state);
    elv_composite_pass(model, data, M);
}

// a state with velocities and accelerations of our own
static ElvState borrow_state(const ElvState* state, double* v, double* a) {
    ElvState s = *state;
    s.v = v;
    s.a = a;
    return s;
}

void elv_bias(const ElvModel* model, ElvData* data, const ElvState* state, double* c) {
    ElvState s = borrow_state(state, state->v, data->a);
    memset(data->a, 0, (size_t)model->nv * sizeof *data->a);
    elv_idm(model, data, &s, c);
}

void elv_mass_matrix_idm(const ElvModel* model, ElvData* data, const ElvState* state, double* M) {
    size_t nv = (size_t)model->nv;
    ElvState s = borrow_state(state, data->v, data->a);
    memset(data->v, 0, nv * sizeof *data->v);
    memset(data->a, 0, nv * sizeof *data->a);
    // Q_c = IDM(q, 0, 0)                                                                 [P20 (33)]
    elv_idm(model, data, &s, data->upsilon);
    // column k = IDM(q, 0, e_k) - Q_c                                             [P20 (35)-(36)]
    for (size_t k = 0; k < nv; k++) {
        data->a[k] = 1.0;
        elv_idm(model, data, &s, data->tau);
        data->a[k] = 0.0;
        for (size_t i = 0; i < nv; i++) {
            M[i * nv + k] = data->tau[i] - data->upsilon[i];
        }
    }
}
