// SPDX-License-Identifier: Apache-2.0
// The joint at the root, by its own operations (joint/joint.h): with the wrench W at its port,
//     r = S^T W - Upsilon,   W = -(wrench on the root body + Lambda(0))                  [P23 (22)]
// The one frame of these operations has world axes and its origin at the base of the joint.
#include "strong/shoot_root.h"

#include <string.h>

enum { MAX_V = 6, ROW = ELV_N_VARIATION };

static const double ZERO[MAX_V + 1] = {0.0};

static ElvJointInput joint_input(const ElvShootRoot* root, const ElvStrongInput* in) {
    return (ElvJointInput){.t = in->t,
                           .load = in->load,
                           .gravity = in->gravity,
                           .q = root->q,
                           .v = ZERO,
                           .a = ZERO,
                           .is_static = true};
}

static ElvMotion base_motion(const ElvShootRoot* root) {
    return (ElvMotion){.g = elv_pose(root->chain->base.R, elv_vec3(0.0, 0.0, 0.0))};
}

ElvShootRoot elv_shoot_root(const ElvChain* chain) {
    ElvShootRoot root = {.chain = chain};
    if (chain->joint) {
        const ElvJoint* joint = &chain->joint->joint;
        double v[MAX_V];
        root.n_u = joint->is_motion_driven ? 0 : joint->n_v;
        joint->ops->initial(joint, root.q, v);
    }
    return root;
}

void elv_shoot_root_impose(ElvShootRoot* root, double t) {
    double v[MAX_V] = {0.0}, a[MAX_V] = {0.0};
    if (root->chain->joint) {
        const ElvJoint* joint = &root->chain->joint->joint;
        joint->ops->impose(joint, t, root->q, v, a);
    }
}

void elv_shoot_root_move(ElvShootRoot* root, const double* u) {
    double q[MAX_V + 1], v[MAX_V], a[MAX_V];
    if (root->n_u > 0) {
        const ElvJoint* joint = &root->chain->joint->joint;
        joint->ops->chart_state(joint, root->q, u, ZERO, ZERO, q, v, a);
        memcpy(root->q, q, (size_t)joint->n_q * sizeof *q);
    }
}

ElvPose elv_shoot_root_pose(const ElvShootRoot* root) {
    const ElvChain* chain = root->chain;
    if (!chain->joint) {
        return elv_pose_identity();
    }
    ElvPose moving = elv_pose_compose(chain->base, chain->joint->type->pose(chain->joint, root->q));
    return elv_pose_compose(moving, chain->joint->body_pose);
}

ElvPose elv_shoot_root_start(const ElvShootRoot* root) {
    return elv_pose_compose(elv_shoot_root_pose(root), root->chain->rod[0].offset);
}

// wrench on the root frame from the root body and the first rod, its own axes
static ElvWrench outer_wrench(const ElvShootRoot* root, const ElvStrongInput* in, ElvWrench lam) {
    ElvPose g = elv_shoot_root_pose(root);
    ElvWrench F = elv_chain_body_wrench(&root->chain->root, in, &g, elv_twist_zero());
    return elv_wrench_add(F, elv_wrench_transform(root->chain->rod[0].offset, lam));
}

void elv_shoot_root_residual(const ElvShootRoot* root,
                             const ElvStrongInput* in,
                             ElvWrench lam,
                             double* r) {
    const ElvJoint* joint = root->chain->joint ? &root->chain->joint->joint : NULL;
    if (!joint) {
        return;
    }
    ElvLumpedWork work;
    ElvJointInput input = joint_input(root, in);
    ElvMotion base = base_motion(root);
    ElvMotion port;
    ElvWrench handed_on;
    double upsilon[MAX_V], size[MAX_V];
    joint->ops->forward(joint, &work, &input, &base, &port);
    ElvWrench W = elv_wrench_scale(-1.0, elv_wrench_transform(port.g, outer_wrench(root, in, lam)));
    joint->ops->backward(joint, &work, &input, &W, &handed_on, r);
    joint->ops->efforts(joint, &work, &input, upsilon, size);
    for (int k = 0; k < joint->n_v; k++) {
        r[k] -= upsilon[k];
    }
}

/// The tangent of the joint at the root.
typedef struct {
    double Xq[ROW * MAX_V], P[6 * MAX_V], Qq[MAX_V * MAX_V], Qx[MAX_V * ROW], Wq[6 * MAX_V],
        Wx[6 * ROW];
    ElvPose g;   // of the port
    ElvWrench W; // at it
} RootTangent;

static void
find_tangent(const ElvShootRoot* root, const ElvStrongInput* in, ElvWrench lam, RootTangent* t) {
    const ElvJoint* joint = &root->chain->joint->joint;
    ElvLumpedWork work;
    ElvJointInput input = joint_input(root, in);
    ElvMotion base = base_motion(root);
    ElvMotion port;
    double N[3][MAX_V * MAX_V];
    ElvUnknown unknown = {.c = 1.0};
    ElvJointTangent tangent = {t->Xq, t->P, t->Qq, t->Qx, t->Wq, t->Wx};
    joint->ops->forward(joint, &work, &input, &base, &port);
    if (joint->ops->chart_unknown(joint, ZERO, root->q, ZERO, ZERO, 0.0, 0.0, N[0], N[1], N[2])) {
        unknown.N0 = N[0];
        unknown.N1 = N[1];
        unknown.N2 = N[2];
    }
    t->g = port.g;
    t->W = elv_wrench_scale(-1.0, elv_wrench_transform(port.g, outer_wrench(root, in, lam)));
    joint->ops->tangent(joint, &work, &input, &unknown, &base, &t->W, true, &tangent);
}

// r += P^T dW, into column c of r (n_u x n_column)
static void
add_wrench(const RootTangent* t, int n_u, ElvWrench dW, int n_column, int c, double* r) {
    double d[6];
    elv_wrench_to_array(dW, d);
    for (int k = 0; k < n_u; k++) {
        for (int i = 0; i < 6; i++) {
            r[k * n_column + c] += t->P[i * n_u + k] * d[i];
        }
    }
}

void elv_shoot_root_tangent(const ElvShootRoot* root,
                            const ElvStrongInput* in,
                            ElvWrench lam,
                            double* r_u,
                            double* r_lam,
                            double zeta[6][ELV_IVP_COLUMN]) {
    RootTangent t;
    int n = root->n_u;
    if (n == 0) {
        return;
    }
    find_tangent(root, in, lam, &t);
    memcpy(r_u, t.Qq, (size_t)(n * n) * sizeof *r_u);
    memset(r_lam, 0, (size_t)(n * 6) * sizeof *r_lam);
    ElvPose offset = root->chain->rod[0].offset;
    ElvPose g_world = elv_shoot_root_pose(root);
    for (int c = 0; c < n; c++) {
        double column[6];
        for (int i = 0; i < 6; i++) {
            column[i] = t.Xq[i * n + c];
        }
        // dW = -Ad^-T dF - ad_Z^T W
        ElvTwist Z = elv_twist_from_array(column);
        ElvTwist own = elv_twist_transform_inv(t.g, Z);
        ElvWrench dF = elv_chain_body_wrench_variation(&root->chain->root, in, &g_world,
                                                       elv_twist_zero(), own, elv_twist_zero());
        ElvWrench dW = elv_wrench_add(elv_wrench_transform(t.g, dF), elv_twist_coad(Z, t.W));
        add_wrench(&t, n, elv_wrench_scale(-1.0, dW), n, c, r_u);
        elv_twist_to_array(elv_twist_transform_inv(offset, own), column);
        for (int i = 0; i < 6; i++) {
            zeta[i][c] = column[i];
        }
    }
    for (int c = 0; c < 6; c++) {
        double unit[6] = {0.0};
        unit[c] = -1.0;
        ElvWrench d = elv_wrench_transform(offset, elv_wrench_from_array(unit));
        add_wrench(&t, n, elv_wrench_transform(t.g, d), 6, c, r_lam);
    }
}
