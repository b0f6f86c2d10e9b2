// SPDX-License-Identifier: Apache-2.0
// The root of a chain in inverse dynamics. With the screws s_k of the joint at the root frame and the composite body
// of all that it carries, inertia I and bias wrench b in that frame,
//     effort_k = s_k^T (I eta_dot - b) + rotor inertia a_k - Upsilon_k,   eta_dot = eta_dot_0 + sum s_k a_k
// A root that is free has no effort, which gives a; for a free joint that is [OCP (85)].
#include "strong/riccati.h"

#include "linalg/cholesky.h"

#include <string.h>

enum { MAX_V = 6 };

static ElvJointInput joint_input(const ElvRiccati* r, const double* a) {
    return (ElvJointInput){.t = r->in.t,
                           .load = r->in.load,
                           .gravity = r->in.gravity,
                           .q = r->root.q,
                           .v = r->root.v,
                           .a = a,
                           .is_static = r->in.is_static};
}

// motion of the root frame, in one that has world axes and its origin at the base of the joint
static ElvMotion root_motion(const ElvRiccati* r, const double* a, ElvLumpedWork* work) {
    const ElvJoint* joint = &r->chain.joint->joint;
    ElvJointInput in = joint_input(r, a);
    ElvMotion base = {.g = elv_pose(r->chain.base.R, elv_vec3(0.0, 0.0, 0.0))};
    ElvMotion port;
    joint->ops->forward(joint, work, &in, &base, &port);
    return port;
}

static void copy(double* to, const double* from, int n) {
    memcpy(to, from, (size_t)n * sizeof *to);
}

void elv_riccati_root_motion(ElvRiccati* riccati) {
    ElvRiccatiBase* root = &riccati->root;
    const ElvStrainMotion* motion = &riccati->motion;
    memset(root, 0, sizeof *root);
    root->g = elv_pose_identity();
    root->is_free = motion->is_root_free && !motion->is_static;
    if (!riccati->chain.joint) {
        return;
    }
    const ElvJoint* joint = &riccati->chain.joint->joint;
    joint->ops->initial(joint, root->q, root->v);
    joint->ops->impose(joint, motion->t, root->q, root->v, root->a);
    if (motion->q) {
        copy(root->q, motion->q, joint->n_q);
    }
    if (motion->v) {
        copy(root->v, motion->v, joint->n_v);
    }
    if (motion->a) {
        copy(root->a, motion->a, joint->n_v);
    }
    if (motion->is_static) {
        memset(root->v, 0, sizeof root->v);
        memset(root->a, 0, sizeof root->a);
    }
    ElvLumpedWork work;
    ElvMotion port = root_motion(riccati, root->a, &work);
    root->g = port.g;
    root->g.p = elv_vec3_add(port.g.p, riccati->chain.base.p);
    root->eta = elv_twist_transform_inv(port.g, port.V);
    root->eta_dot = elv_twist_transform_inv(port.g, port.A);
}

ElvSweepState elv_riccati_first(const ElvRiccati* riccati) {
    const ElvPose offset = riccati->chain.rod[0].offset;
    ElvSweepState y;
    memset(&y, 0, sizeof y);
    y.g = elv_pose_compose(riccati->root.g, offset);
    y.eta = elv_twist_transform_inv(offset, riccati->root.eta);
    y.eta_dot = elv_twist_transform_inv(offset, riccati->root.eta_dot);
    return y;
}

// screws of the joint in the axes of the root frame
static void root_screws(const ElvRiccati* r, ElvTwist* screw) {
    ElvLumpedWork work;
    ElvMotion port = root_motion(r, r->root.a, &work);
    for (int k = 0; k < r->chain.joint->joint.n_v; k++) {
        screw[k] = elv_twist_transform_inv(port.g, work.S[k]);
    }
}

ElvTwist elv_riccati_root_change(const ElvRiccati* riccati, const double* a) {
    ElvTwist screw[MAX_V];
    ElvTwist sum = elv_twist_zero();
    root_screws(riccati, screw);
    for (int k = 0; k < riccati->chain.joint->joint.n_v; k++) {
        sum = elv_twist_add_scaled(sum, a[k], screw[k]);
    }
    return sum;
}

void elv_riccati_root_law(const ElvRiccati* riccati, double upsilon[6]) {
    const ElvJoint* joint = &riccati->chain.joint->joint;
    ElvLumpedWork work;
    double size[MAX_V];
    ElvJointInput in = joint_input(riccati, riccati->root.a);
    memset(upsilon, 0, MAX_V * sizeof *upsilon);
    root_motion(riccati, riccati->root.a, &work);
    joint->ops->efforts(joint, &work, &in, upsilon, size);
}

// effort at the present acceleration, and its derivative by a unless NULL
static void
find_effort(const ElvRiccati* r, const ElvTwist* screw, double effort[MAX_V], double* A) {
    const ElvRiccatiBase* root = &r->root;
    const ElvChainBody* body = &r->chain.root;
    const ElvSweepState* first = &r->step[0].begin;
    ElvPose offset = r->chain.rod[0].offset;
    int n = r->chain.joint->joint.n_v;
    double upsilon[MAX_V];
    // all that the joint carries as one body
    ElvInertia outer = elv_inertia_scale(-1.0, elv_inertia_transform(offset, first->S));
    ElvInertia I = elv_inertia_add(body->inertia, outer);
    ElvWrench bias = elv_wrench_transform(offset, first->s);
    bias = elv_wrench_add(bias, elv_chain_body_wrench(body, &r->in, &root->g, root->eta));
    bias = elv_wrench_add(bias,
                          elv_twist_coad(root->eta, elv_inertia_apply(body->inertia, root->eta)));
    ElvWrench F = elv_wrench_sub(elv_inertia_apply(I, root->eta_dot), bias);
    elv_riccati_root_law(r, upsilon);
    for (int k = 0; k < n; k++) {
        double rotor = r->chain.joint->rotor_inertia[k];
        effort[k] = elv_power(screw[k], F) + rotor * root->a[k] - upsilon[k];
        for (int i = 0; i < n && A; i++) {
            A[k * n + i] = elv_power(screw[k], elv_inertia_apply(I, screw[i]));
            A[k * n + i] += i == k ? rotor : 0.0;
        }
    }
}

ElvStatus elv_riccati_root_solve(ElvRiccati* riccati, ElvError* error) {
    ElvRiccatiBase* root = &riccati->root;
    if (!riccati->chain.joint) {
        return ELV_OK;
    }
    const ElvJoint* joint = &riccati->chain.joint->joint;
    ElvTwist screw[MAX_V];
    double A[MAX_V * MAX_V];
    root_screws(riccati, screw);
    find_effort(riccati, screw, root->effort, A);
    if (!root->is_free) {
        return ELV_OK;
    }
    if (elv_cholesky_factor(joint->n_v, A) >= 0) {
        const char* name = riccati->chain.model->node[riccati->chain.i_joint].name;
        return elv_error_set(error, ELV_ERROR_SINGULAR, name, "",
                             "something of the motion of joint '%s' has no mass: its acceleration "
                             "does not follow",
                             name);
    }
    // the joint gives no effort of its own                                              [OCP (85)]
    double d[MAX_V];
    copy(d, root->effort, joint->n_v);
    elv_cholesky_solve(joint->n_v, A, d);
    for (int k = 0; k < joint->n_v; k++) {
        root->a[k] -= d[k];
        root->eta_dot = elv_twist_add_scaled(root->eta_dot, -d[k], screw[k]);
    }
    find_effort(riccati, screw, root->effort, NULL);
    return ELV_OK;
}
