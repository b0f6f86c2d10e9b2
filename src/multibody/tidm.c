// SPDX-License-Identifier: Apache-2.0
// Tangent inverse dynamics (TIDM) over the tree, in the one frame               [P23 (48)-(55), (66)].
// Variations are x = (Z, Z_dot, Z_ddot) of every port; in one inertial frame they add up from joint to
// joint, and wrench variations add up the other way.
#include "multibody/tidm.h"

#include "joint/variation.h"
#include "multibody/device.h"
#include "multibody/slender.h"

#include <string.h>

enum { ROW = ELV_N_VARIATION };

// nu NULL: the coordinates stay, only accelerations vary                           [P23 (14)-(15)]
static void set_unknown(const ElvModel* model,
                        ElvData* data,
                        const ElvState* state,
                        const double* nu,
                        double a,
                        double b,
                        int j) {
    const ElvNode* node = &model->node[j];
    ElvUnknown* unknown = &data->unknown[j];
    double* N = data->N + (size_t)j * 3 * 36;
    unknown->is_bare = false;
    unknown->c = nu ? 1.0 : 0.0;
    unknown->a = a;
    unknown->b = b;
    bool has_chart = nu && node->joint->ops->chart_unknown(
                               node->joint, nu + node->i_v, state->q + node->i_q,
                               state->v + node->i_v, state->a + node->i_v, a, b, N, N + 36, N + 72);
    unknown->N0 = has_chart ? N : NULL;
    unknown->N1 = has_chart ? N + 36 : NULL;
    unknown->N2 = has_chart ? N + 72 : NULL;
}

// N = a I - c ad_eta, of the first n components
static void set_bracket(int n, double a, double c, ElvTwist eta, double* N) {
    for (int k = 0; k < n; k++) {
        double unit[6] = {0.0}, turned[6];
        unit[k] = 1.0;
        elv_twist_to_array(elv_twist_bracket(eta, elv_twist_from_array(unit)), turned);
        for (int i = 0; i < n; i++) {
            N[i * n + k] = (i == k ? a : 0.0) - c * turned[i];
        }
    }
}

// variations d of the moving frame, in its own axes, with velocities and accelerations that vary by a d and b d
//     u = c d, u_dot = a d - ad_eta u, u_ddot = b d - ad_eta_dot u - ad_eta u_dot
static void
set_bare(const ElvModel* model, ElvData* data, const ElvState* state, const double cab[3], int j) {
    const ElvNode* node = &model->node[j];
    int n = node->joint->n_v;
    ElvUnknown* unknown = &data->unknown[j];
    double* N = data->N + (size_t)j * 3 * 36;
    bool is_group = node->joint->n_q > n;
    *unknown = (ElvUnknown){.c = cab[0], .a = cab[1], .b = cab[2], .is_bare = true};
    if (!is_group) {
        return;
    }
    double full[2][6] = {{0.0}};
    memcpy(full[0], state->v + node->i_v, (size_t)n * sizeof(double));
    memcpy(full[1], state->a + node->i_v, (size_t)n * sizeof(double));
    ElvTwist eta = elv_twist_from_array(full[0]);
    double ad[36];
    set_bracket(n, cab[0], 0.0, eta, N);
    set_bracket(n, cab[1], cab[0], eta, N + 36);
    set_bracket(n, cab[2], cab[0], elv_twist_from_array(full[1]), N + 72);
    set_bracket(n, 0.0, -1.0, eta, ad);
    for (int i = 0; i < n * n; i++) {
        for (int k = 0; k < n; k++) {
            N[72 + i] -= ad[i / n * n + k] * N[36 + k * n + i % n];
        }
    }
    unknown->N0 = N;
    unknown->N1 = N + 36;
    unknown->N2 = N + 72;
}

// K of the bodies: inertia, weight and the resistance of a fluid                        [P23 (51)]
static void body_variations(const ElvModel* model, ElvData* data) {
    for (int p = 0; p < model->n_port; p++) {
        const ElvPort* port = &model->port[p];
        const ElvMotion* motion = &data->port[p];
        double* K = data->K + (size_t)p * 6 * ROW;
        data->has_K[p] = port->is_massive || port->is_resisted || port->fluid;
        if (port->is_massive) {
            ElvInertia I = elv_inertia_transform(motion->g, port->inertia);
            elv_variation_inertia(&I, &motion->V, &motion->A, K);
            ElvVec3 moment = elv_vec3_add(elv_vec3_scale(port->mass, motion->g.p),
                                          elv_mat3_apply(motion->g.R, port->moment));
            elv_variation_weight(port->mass, moment, model->gravity, data->load, K);
        } else {
            memset(K, 0, 6 * ROW * sizeof *K);
        }
        if (port->fluid) {
            ElvMat6 by_pose, by_eta;
            ElvTwist eta = elv_twist_transform_inv(motion->g, motion->V);
            ElvWrench load =
                elv_fluid_wrench(port->fluid, &data->fluid, &motion->g, eta, &by_pose, &by_eta);
            elv_variation_wrench(&motion->g, &load, &by_pose, &by_eta, -1.0, K);
        } else if (port->is_resisted) {
            ElvInertia R = elv_inertia_transform(motion->g, port->resistance);
            elv_variation_resistance(&R, &motion->V, 1.0, K);
        }
    }
}

// K of the point loads, dead and following                                              [P23 (51)]
static void load_variations(const ElvModel* model, ElvData* data, double t) {
    for (int i = 0; i < model->n_point; i++) {
        const ElvPointLoad* load = &model->point[i];
        if (elv_law_value(load->when, t, 0.0) == 0.0) {
            continue;
        }
        double value[6];
        for (int k = 0; k < 6; k++) {
            value[k] = elv_law_value(load->law[k], t, 0.0);
        }
        ElvWrench wrench = elv_wrench_from_array(value);
        int p = load->frame.port;
        double* K = data->K + (size_t)p * 6 * ROW;
        ElvPose g = elv_pose_compose(data->port[p].g, load->frame.pose);
        data->has_K[p] = true;
        if (load->axes == ELV_AXES_WORLD) {
            elv_variation_dead_force(g.p, wrench.frc, data->load, K);
        } else {
            wrench = elv_wrench_transform(g, wrench);
            elv_variation_follower(&wrench, data->load, K);
        }
    }
}

// tangents of everything but the efforts of devices, for the unknowns in data
static void set_tangents(const ElvModel* model, ElvData* data, const ElvState* state) {
    body_variations(model, data);
    elv_slender_variation(model, data);
    load_variations(model, data, state->t);
    elv_device_variation(model, data, state);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        ElvJointInput in = elv_joint_input(model, data, node, state);
        ElvMotion root = data->port[node->parent_port];
        root.g = elv_pose_compose(root.g, node->offset);
        node->joint->ops->tangent(node->joint, data->work[j], &in, &data->unknown[j], &root,
                                  data->W + node->i_port, node->parent_port == 0,
                                  &data->tangent[j]);
    }
}

void elv_tidm_pass(const ElvModel* model,
                   ElvData* data,
                   const ElvState* state,
                   const double* nu,
                   double a,
                   double b) {
    for (int j = 0; j < model->n_node; j++) {
        set_unknown(model, data, state, nu, a, b, j);
    }
    set_tangents(model, data, state);
    elv_device_tangent(model, data, state);
}

void elv_tidm_bare_pass(
    const ElvModel* model, ElvData* data, const ElvState* state, double c, double a, double b) {
    const double cab[3] = {c, a, b};
    for (int j = 0; j < model->n_node; j++) {
        set_bare(model, data, state, cab, j);
    }
    set_tangents(model, data, state);
}

// y += A x, A (m x n)
static void add_product(int m, int n, const double* A, const double* x, double* y) {
    for (int i = 0; i < m; i++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) {
            sum += A[(size_t)i * (size_t)n + (size_t)k] * x[k];
        }
        y[i] += sum;
    }
}

// y += A d_nu of a joint, A (m x n_v), d_nu of all coordinates: driven ones do not vary
static void add_varied(int m, const ElvNode* node, const double* A, const double* d_nu, double* y) {
    const ElvJoint* joint = node->joint;
    const double* own = d_nu + node->i_v;
    if (!joint->driven && !joint->is_motion_driven) {
        add_product(m, joint->n_v, A, own, y);
    }
    for (int k = 0; k < joint->n_v && joint->driven; k++) {
        for (int i = 0; i < m && !joint->driven[k]; i++) {
            y[i] += A[(size_t)i * (size_t)joint->n_v + (size_t)k] * own[k];
        }
    }
}

// y += A^T x, A (m x n)
static void add_transposed(int m, int n, const double* A, const double* x, double* y) {
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < n; k++) {
            y[k] += A[(size_t)i * (size_t)n + (size_t)k] * x[i];
        }
    }
}

// x of every port, root to tips                                                      [P23 (48)-(50)]
static void tidm_forward_pass(const ElvModel* model, ElvData* data, const double* d_nu) {
    memset(data->x, 0, ROW * sizeof *data->x);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        int n_v = node->joint->n_v;
        for (int p = 0; p < node->joint->n_port; p++) {
            double* x = data->x + (size_t)(node->i_port + p) * ROW;
            // x = x_root + Xq d_nu                                                      [P23 (48)]
            memcpy(x, data->x + (size_t)node->parent_port * ROW, ROW * sizeof *x);
            add_varied(ROW, node, data->tangent[j].Xq + (size_t)p * ROW * (size_t)n_v, d_nu, x);
        }
    }
}

// wrench variations e of every port, tips to root, and d_residual                [P23 (51)-(55)]
static void
tidm_backward_pass(const ElvModel* model, ElvData* data, const double* d_nu, double* d_residual) {
    memset(data->e, 0, (size_t)model->n_port * 6 * sizeof *data->e);
    // bodies and loads: d_f = K x                                                       [P23 (51)]
    for (int p = 0; p < model->n_port; p++) {
        if (data->has_K[p]) {
            add_product(6, ROW, data->K + (size_t)p * 6 * ROW, data->x + (size_t)p * ROW,
                        data->e + (size_t)p * 6);
        }
    }
    for (int j = model->n_node - 1; j >= 0; j--) {
        const ElvNode* node = &model->node[j];
        const ElvJointTangent* t = &data->tangent[j];
        int n_v = node->joint->n_v;
        const double* x_root = data->x + (size_t)node->parent_port * ROW;
        double* e_root = data->e + (size_t)node->parent_port * 6;
        double* row = d_residual + node->i_v;
        memset(row, 0, (size_t)n_v * sizeof *row);
        // from the ports: d_R = sum P^T d_W, d_W_root = sum d_W                    [P23 (52)-(55)]
        for (int p = 0; p < node->joint->n_port; p++) {
            const double* e = data->e + (size_t)(node->i_port + p) * 6;
            add_transposed(6, n_v, t->P + (size_t)p * 6 * (size_t)n_v, e, row);
            for (int i = 0; i < 6; i++) {
                e_root[i] += e[i];
            }
        }
        // from the joint itself: Qx x + Qq d_nu, Wx x + Wq d_nu         [P23 (54)-(55), (65)-(66)]
        if (node->parent_port != 0) {
            add_product(n_v, ROW, t->Qx, x_root, row);
            add_product(6, ROW, t->Wx, x_root, e_root);
        }
        add_varied(n_v, node, t->Qq, d_nu, row);
        add_varied(6, node, t->Wq, d_nu, e_root);
    }
}

void elv_tidm_project(const ElvModel* model,
                      ElvData* data,
                      const double* effort,
                      double* d_residual) {
    for (int j = model->n_node - 1; j >= 0; j--) {
        const ElvNode* node = &model->node[j];
        int n_v = node->joint->n_v;
        double* e_root = data->e + (size_t)node->parent_port * 6;
        double* row = d_residual + node->i_v;
        memcpy(row, effort + node->i_v, (size_t)n_v * sizeof *row);
        for (int p = 0; p < node->joint->n_port; p++) {
            const double* e = data->e + (size_t)(node->i_port + p) * 6;
            add_transposed(6, n_v, data->tangent[j].P + (size_t)p * 6 * (size_t)n_v, e, row);
            for (int i = 0; i < 6; i++) {
                e_root[i] += e[i];
            }
        }
    }
}

void elv_tidm_apply(const ElvModel* model, ElvData* data, const double* d_nu, double* d_residual) {
    tidm_forward_pass(model, data, d_nu);
    tidm_backward_pass(model, data, d_nu, d_residual);
}

// a column for each coordinate                                                          [P23 (24)]
void elv_tidm_matrix(const ElvModel* model, ElvData* data, double* jacobian) {
    size_t nv = (size_t)model->nv;
    memset(data->v, 0, nv * sizeof *data->v);
    for (size_t k = 0; k < nv; k++) {
        data->v[k] = 1.0;
        elv_tidm_apply(model, data, data->v, data->tau);
        data->v[k] = 0.0;
        for (size_t i = 0; i < nv; i++) {
            jacobian[i * nv + k] = data->tau[i];
        }
    }
}
