// SPDX-License-Identifier: Apache-2.0
// Inverse dynamics by Newton-Euler recursion over the tree, in the one frame
// [P23 (39)-(44), (46)-(47)].
// Forward: each joint carries the motion of its root to its ports. Backward: each body's inertial
// minus external wrench joins those handed on by its children; each joint projects and hands on.
// Signs: W is the wrench that the antecedent exerts on what follows; external wrenches are
// subtracted (the sign of F_ext in [P23 (42)] is an erratum; [P23 (27)] is right).
#include "multibody/device.h"
#include "multibody/field_source.h"
#include "multibody/slender.h"

// one frame: world axes, origin at the base of the first node, so that a robot far away from the
// world's origin loses no digits
static void place_origin(const ElvModel* model, ElvData* data, const ElvState* state) {
    data->origin = elv_vec3(0.0, 0.0, 0.0);
    if (model->n_node > 0) {
        const ElvNode* base = &model->node[0];
        ElvVec3 local = base->joint->ops->locate(base->joint, state->q + base->i_q);
        data->origin = elv_pose_apply(base->offset, local);
    }
    data->port[0].g = elv_pose(elv_mat3_identity(), elv_vec3_scale(-1.0, data->origin));
    data->port[0].V = elv_twist_zero();
    data->port[0].A = elv_twist_zero();
}

// the fluid at the time of the state
static void place_fluid(const ElvModel* model, ElvData* data, double t) {
    if (model->fluid) {
        data->fluid = elv_fluid_now(model->fluid, t, data->load, data->is_static, data->origin);
    }
}

// coordinates say all from here on, and not the fields of a method without modes
static void let_go_of_fields(ElvData* data) {
    if (data->source) {
        data->source = NULL;
        data->is_static = false;
    }
}

void elv_idm_forward_pass(const ElvModel* model, ElvData* data, const ElvState* state) {
    let_go_of_fields(data);
    place_origin(model, data, state);
    place_fluid(model, data, state->t);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        ElvJointInput in = elv_joint_input(model, data, node, state);
        // the root of joint j is fixed to its antecedent: same V and A, offset pose     [P23 (34)]
        ElvMotion root = data->port[node->parent_port];
        root.g = elv_pose_compose(root.g, node->offset);
        // root to ports                                                            [P23 (39)-(41)]
        node->joint->ops->forward(node->joint, data->work[j], &in, &root,
                                  data->port + node->i_port);
    }
}

// f = M eta_dot - ad_eta^T M eta - F_gravity of a body, in the one frame           [P23 (27), (42)]
static ElvWrench body_wrench(const ElvPort* port, const ElvMotion* motion, ElvVec3 gravity_w) {
    ElvTwist eta = elv_twist_transform_inv(motion->g, motion->V);
    ElvTwist eta_dot = elv_twist_transform_inv(motion->g, motion->A);
    ElvWrench f = elv_wrench_sub(elv_inertia_apply(port->inertia, eta_dot),
                                 elv_twist_coad(eta, elv_inertia_apply(port->inertia, eta)));
    ElvVec3 gravity = elv_mat3_apply_transpose(motion->g.R, gravity_w);
    ElvWrench weight =
        elv_wrench(elv_vec3_cross(port->moment, gravity), elv_vec3_scale(port->mass, gravity));
    return elv_wrench_transform(motion->g, elv_wrench_sub(f, weight));
}

ElvWrench elv_point_wrench(const ElvPointLoad* load, const ElvMotion* motion, double t) {
    double value[6];
    for (int k = 0; k < 6; k++) {
        value[k] = elv_law_value(load->law[k], t, 0.0);
    }
    ElvPose g = elv_pose_compose(motion->g, load->frame.pose);
    // dead loads keep world axes: only their point of application moves
    g.R = load->axes == ELV_AXES_WORLD ? elv_mat3_identity() : g.R;
    return elv_wrench_transform(g, elv_wrench_from_array(value));
}

static void place_wrenches(const ElvModel* model, ElvData* data, double t) {
    for (int p = 0; p < model->n_port; p++) {
        const ElvPort* port = &model->port[p];
        data->W[p] = port->is_massive ? body_wrench(port, &data->port[p],
                                                    elv_vec3_scale(data->load, model->gravity))
                                      : elv_wrench_zero();
        // a fluid acts, or one at rest resists with R V
        if (port->fluid) {
            const ElvMotion* motion = &data->port[p];
            ElvTwist eta = elv_twist_transform_inv(motion->g, motion->V);
            ElvWrench load =
                elv_fluid_wrench(port->fluid, &data->fluid, &motion->g, eta, NULL, NULL);
            data->W[p] = elv_wrench_sub(data->W[p], elv_wrench_transform(motion->g, load));
        } else if (port->is_resisted) {
            ElvInertia R = elv_inertia_transform(data->port[p].g, port->resistance);
            data->W[p] = elv_wrench_add(data->W[p], elv_inertia_apply(R, data->port[p].V));
        }
    }
    elv_slender_load(model, data);
    for (int i = 0; i < model->n_point; i++) {
        const ElvPointLoad* load = &model->point[i];
        if (elv_law_value(load->when, t, 0.0) != 0.0) {
            int p = load->frame.port;
            data->W[p] = elv_wrench_add_scaled(data->W[p], -data->load,
                                               elv_point_wrench(load, &data->port[p], t));
        }
    }
}

void elv_place_wrenches(const ElvModel* model, ElvData* data, const ElvState* state) {
    place_fluid(model, data, state->t);
    place_wrenches(model, data, state->t);
    elv_device_load(model, data, state);
}

void elv_idm_backward_pass(const ElvModel* model,
                           ElvData* data,
                           const ElvState* state,
                           double* tau) {
    elv_place_wrenches(model, data, state);
    for (int j = model->n_node - 1; j >= 0; j--) {
        const ElvNode* node = &model->node[j];
        ElvJointInput in = elv_joint_input(model, data, node, state);
        ElvWrench root;
        // ports to root, and the projection on the coordinates               [P23 (43)-(44), (47)]
        node->joint->ops->backward(node->joint, data->work[j], &in, data->W + node->i_port, &root,
                                   tau + node->i_v);
        // the antecedent carries what follows                                           [P23 (42)]
        data->W[node->parent_port] = elv_wrench_add(data->W[node->parent_port], root);
    }
}

void elv_kinematics(const ElvModel* model, ElvData* data, const ElvState* state) {
    elv_idm_forward_pass(model, data, state);
}

void elv_idm(const ElvModel* model, ElvData* data, const ElvState* state, double* tau) {
    elv_idm_forward_pass(model, data, state);
    elv_idm_backward_pass(model, data, state, tau);
}

void elv_internal_efforts(const ElvModel* model,
                          ElvData* data,
                          const ElvState* state,
                          double* upsilon) {
    elv_device_input(model, data, state);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        ElvJointInput in = elv_joint_input(model, data, node, state);
        node->joint->ops->efforts(node->joint, data->work[j], &in, upsilon + node->i_v,
                                  data->effort + node->i_v);
    }
    elv_device_effort(model, data, state, upsilon);
}

void elv_residual(const ElvModel* model, ElvData* data, const ElvState* state, double* residual) {
    // R = IDM - Upsilon                                                      [P23 (22), (63)-(64)]
    elv_idm(model, data, state, residual);
    elv_internal_efforts(model, data, state, data->upsilon);
    for (int i = 0; i < model->nv; i++) {
        residual[i] -= data->upsilon[i];
    }
}

void elv_drive_efforts(const ElvModel* model,
                       ElvData* data,
                       const ElvState* state,
                       double* effort) {
    if (data->source) {
        data->source->efforts(data->source->owner, effort);
        return;
    }
    model = data->stand_in ? data->stand_in : model;
    elv_residual(model, data, state, effort);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        if (!node->joint->is_motion_driven) {
            ElvJointInput in = elv_joint_input(model, data, node, state);
            node->joint->ops->drive(node->joint, &in, effort + node->i_v);
        }
    }
}
