// SPDX-License-Identifier: Apache-2.0
// What shooting in time hands out: the joint and the fields at an instant of the last step. At its end they are those of
// the step; within it poses follow the cubic of the logarithm with the twists at both ends, the rest is linear.
#include "strong/motion.h"

#include "strong/mode_project.h"

#include <string.h>

void elv_motion_set_effort(ElvMotionShooting* self, ElvWrench lam) {
    if (!self->chain.joint) {
        return;
    }
    const ElvJoint* joint = &self->chain.joint->joint;
    const ElvStrongInput* in = &self->grid.in;
    ElvWrench root = elv_wrench_transform(self->chain.rod[0].offset, lam);
    memcpy(self->effort_past, self->effort, sizeof self->effort);
    elv_chain_root_residual(&self->root, in, root, self->effort, NULL);
    if (!joint->is_motion_driven) {
        const ElvChainJoint* at = &self->root.joint;
        ElvJointInput input = {in->t, in->load, in->gravity, at->q, at->v,
                               at->a, NULL,     false,       NULL};
        joint->ops->drive(joint, &input, self->effort);
    }
}

// ---- the joint

void elv_motion_put_state(const ElvMotionShooting* self,
                          double t,
                          const ElvChainJoint* joint,
                          ElvState* state) {
    state->t = t;
    if (self->chain.joint) {
        const ElvNode* node = &self->chain.model->node[self->chain.i_joint];
        size_t n_v = (size_t)node->joint->n_v;
        memcpy(state->q + node->i_q, joint->q, (size_t)node->joint->n_q * sizeof(double));
        memcpy(state->v + node->i_v, joint->v, n_v * sizeof(double));
        memcpy(state->a + node->i_v, joint->a, n_v * sizeof(double));
    }
}

static double fraction(const ElvMotionShooting* self, double t) {
    double dt = self->t - self->t_past;
    return dt > 0.0 ? (t - self->t_past) / dt : 1.0;
}

// the joint within the last step: on its law, or on the cubic of its chart
static ElvChainJoint joint_within(const ElvMotionShooting* self, double t) {
    ElvChainJoint at = self->joint;
    if (!self->chain.joint || t == self->t) {
        return at;
    }
    const ElvJoint* joint = &self->chain.joint->joint;
    double x = fraction(self, t);
    if (joint->is_motion_driven) {
        joint->ops->impose(joint, t, at.q, at.v, at.a);
        return at;
    }
    double w[2][6], w_dot[2][6], nu[6], rate[6], rate_dot[6];
    const ElvChainJoint* end[2] = {&self->joint_past, &self->joint};
    for (int i = 0; i < 2; i++) {
        joint->ops->chart_rates(joint, end[i]->q, end[i]->v, end[i]->a, w[i], w_dot[i]);
    }
    elv_scheme_interpolate(joint->n_v, self->t - self->t_past, x, w[0], w[1], self->joint.nu, nu,
                           rate);
    for (int i = 0; i < joint->n_v; i++) {
        rate_dot[i] = (1.0 - x) * w_dot[0][i] + x * w_dot[1][i];
    }
    joint->ops->chart_state(joint, self->joint_past.q, nu, rate, rate_dot, at.q, at.v, at.a);
    return at;
}

ElvStatus
elv_motion_interpolate(ElvIntegrator* integrator, double t, ElvState* state, ElvError* error) {
    const ElvMotionShooting* self = (const ElvMotionShooting*)integrator;
    double x = fraction(self, t);
    if (t != self->t && !(x >= 0.0 && x <= 1.0)) {
        return elv_error_set(error, ELV_ERROR_STEP, "", "", "t = %.9g is not within the last step",
                             t);
    }
    ElvChainJoint joint = joint_within(self, t);
    elv_motion_put_state(self, t, &joint, state);
    return ELV_OK;
}

// ---- the fields

void elv_motion_see(ElvIntegrator* integrator, ElvState* state, ElvData* data) {
    ElvMotionShooting* self = (ElvMotionShooting*)integrator;
    ElvFieldView* view = &self->view;
    double t = state->t;
    double x = t == self->t ? 1.0 : fraction(self, t);
    view->t = t;
    for (int i = 0; i < self->n_node; i++) {
        view->node[i] = t == self->t ? self->field[i]
                                     : elv_field_within(&self->field_past[i], &self->field[i],
                                                        self->t - self->t_past, x);
    }
    for (int i = 0; i < 6; i++) {
        view->effort[i] = (1.0 - x) * self->effort_past[i] + x * self->effort[i];
    }
    ElvChainJoint joint = joint_within(self, t);
    ElvStrongInput in = elv_chain_input(&self->chain, t, 1.0, false);
    elv_chain_root_hold(&self->root, &in, &joint);
    view->root = self->root.motion;
    elv_field_view_fill(view, data);
    // a start has coordinates of its own
    if (self->has_stepped) {
        elv_mode_state(view, self->gram, state);
    }
}
