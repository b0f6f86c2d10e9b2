// SPDX-License-Identifier: Apache-2.0
// The root joint of a chain behind the joint interface: motions and variations are those of src/joint, with the
// world as the one frame. With F = M eta_dot - ad_eta^T M eta - F_ext - Lambda the wrench on the root body,
//     residual = S^T W + rotors - Upsilon,   W = Ad_g^-T F.                    [P23 (42), (47), (22)]
#include "strong/chain_root.h"

#include <string.h>

void elv_chain_root_init(ElvChainRoot* root, const ElvChain* chain) {
    memset(root, 0, sizeof *root);
    root->chain = chain;
    root->is_sought = chain->joint && !chain->joint->joint.is_motion_driven;
    root->n = root->is_sought ? chain->joint->joint.n_v : 0;
}

void elv_chain_root_begin(ElvChainRoot* root,
                          const double c[3],
                          const ElvChainJoint* now,
                          bool has_past) {
    if (!root->is_sought) {
        return;
    }
    const ElvJoint* joint = &root->chain->joint->joint;
    double w_dot[6];
    memcpy(root->q_n, now->q, sizeof root->q_n);
    joint->ops->chart_rates(joint, now->q, now->v, now->a, root->w_n, w_dot);
    root->a = c[0];
    root->b = c[0] * c[0];
    for (int i = 0; i < root->n; i++) {
        // the chart starts at nu_n = 0, and nu_(n-1) = -nu of the last step            [RKMK (5)-(6)]
        double past = has_past ? c[2] : 0.0;
        root->f[i] = -past * now->nu[i];
        root->h[i] = c[0] * root->f[i] + c[1] * root->w_n[i] + past * now->w[i];
    }
}

static ElvJointInput joint_input(const ElvChainRoot* root, const ElvStrongInput* in) {
    const ElvChainJoint* at = &root->joint;
    return (ElvJointInput){in->t, in->load, in->gravity, at->q, at->v, at->a, NULL, false, NULL};
}

// the base of the joint does not move
static ElvMotion base_motion(const ElvChainRoot* root) {
    ElvMotion base = {root->chain->base, elv_twist_zero(), elv_twist_zero()};
    return base;
}

// motion of the root frame with the joint's coordinates as they are
static void set_motion(ElvChainRoot* root, const ElvStrongInput* in) {
    ElvMotion base = base_motion(root);
    root->motion = base;
    if (root->chain->joint) {
        const ElvJoint* joint = &root->chain->joint->joint;
        ElvJointInput input = joint_input(root, in);
        joint->ops->forward(joint, &root->work, &input, &base, &root->motion);
    }
    root->eta = elv_twist_transform_inv(root->motion.g, root->motion.V);
    root->eta_dot = elv_twist_transform_inv(root->motion.g, root->motion.A);
}

void elv_chain_root_hold(ElvChainRoot* root, const ElvStrongInput* in, const ElvChainJoint* joint) {
    root->joint = *joint;
    set_motion(root, in);
}

void elv_chain_root_place(ElvChainRoot* root,
                          const ElvStrongInput* in,
                          const double* nu,
                          const double* q) {
    ElvChainJoint* at = &root->joint;
    const ElvJoint* joint = root->chain->joint ? &root->chain->joint->joint : NULL;
    if (joint && root->is_sought) {
        double w[6], w_dot[6];
        for (int i = 0; i < root->n; i++) {
            root->nu[i] = at->nu[i] = nu[i];
            w[i] = root->a * nu[i] + root->f[i];
            w_dot[i] = root->b * nu[i] + root->h[i];
        }
        joint->ops->chart_state(joint, root->q_n, nu, w, w_dot, at->q, at->v, at->a);
        memcpy(at->w, root->w_n, sizeof at->w);
    } else if (joint) {
        joint->ops->impose(joint, in->t, at->q, at->v, at->a);
        if (q) {
            memcpy(at->q, q, (size_t)joint->n_q * sizeof *q);
        }
    }
    set_motion(root, in);
}

// Z, Z_dot, Z_ddot of the root frame per unit of nu, seen from it:
//     zeta = Ad^-1 Z,   d_eta = Ad^-1 Z_dot,   d_eta_dot = Ad^-1 Z_ddot - ad_eta d_eta
static void set_columns(ElvChainRoot* root, const double* Xq) {
    int n = root->n;
    for (int k = 0; k < n; k++) {
        ElvTwist* to[3] = {&root->d_zeta[k], &root->d_eta[k], &root->d_eta_dot[k]};
        for (int part = 0; part < 3; part++) {
            double x[6];
            for (int i = 0; i < 6; i++) {
                x[i] = Xq[(6 * part + i) * n + k];
            }
            *to[part] = elv_twist_transform_inv(root->motion.g, elv_twist_from_array(x));
        }
        root->d_eta_dot[k] =
            elv_twist_sub(root->d_eta_dot[k], elv_twist_bracket(root->eta, root->d_eta[k]));
    }
}

static void set_tangent(ElvChainRoot* root, const ElvJointInput* input, const ElvWrench* W) {
    const ElvJoint* joint = &root->chain->joint->joint;
    double N[3][36], Xq[18 * 6], P[36], Qx[6 * 18], Wq[36], Wx[6 * 18];
    ElvUnknown unknown = {.c = 1.0, .a = root->a, .b = root->b};
    ElvJointTangent tangent = {Xq, P, root->Qq, Qx, Wq, Wx};
    ElvMotion base = base_motion(root);
    if (joint->ops->chart_unknown(joint, root->nu, root->joint.q, root->joint.v, root->joint.a,
                                  root->a, root->b, N[0], N[1], N[2])) {
        unknown.N0 = N[0];
        unknown.N1 = N[1];
        unknown.N2 = N[2];
    }
    joint->ops->tangent(joint, &root->work, input, &unknown, &base, W, true, &tangent);
    set_columns(root, Xq);
    for (int k = 0; k < root->n; k++) {
        root->S[k] = root->work.S[k];
    }
}

// how the residual varies with the wrench on the root body, d_W = Ad_g^-T (d_F - ad_zeta^T F)
static void
add_wrench(const ElvChainRoot* root, ElvWrench F, ElvTwist zeta, ElvWrench d_F, int k, double* J) {
    int n_column = root->n + 6;
    ElvWrench d_W =
        elv_wrench_transform(root->motion.g, elv_wrench_sub(d_F, elv_twist_coad(zeta, F)));
    for (int i = 0; i < root->n; i++) {
        J[i * n_column + k] += elv_power(root->S[i], d_W);
    }
}

static void set_jacobian(ElvChainRoot* root, const ElvStrongInput* in, ElvWrench F, double* J) {
    const ElvChainBody* body = &root->chain->root;
    int n = root->n;
    for (int k = 0; k < n + 6; k++) {
        for (int i = 0; i < n; i++) {
            J[i * (n + 6) + k] = k < n ? root->Qq[i * n + k] : 0.0;
        }
        ElvTwist zeta = k < n ? root->d_zeta[k] : elv_twist_zero();
        double unit[6] = {0.0};
        ElvWrench d_F;
        if (k < n) {
            d_F = elv_strong_inertial_variation(body->inertia, root->eta, root->d_eta[k],
                                                root->d_eta_dot[k]);
            d_F = elv_wrench_sub(d_F,
                                 elv_chain_body_wrench_variation(body, in, &root->motion.g,
                                                                 root->eta, zeta, root->d_eta[k]));
        } else {
            unit[k - n] = -1.0;
            d_F = elv_wrench_from_array(unit);
        }
        add_wrench(root, F, zeta, d_F, k, J);
    }
}

void elv_chain_root_residual(
    ElvChainRoot* root, const ElvStrongInput* in, ElvWrench lam, double* residual, double* J) {
    if (!root->chain->joint) {
        return;
    }
    const ElvJoint* joint = &root->chain->joint->joint;
    const ElvChainBody* body = &root->chain->root;
    ElvJointInput input = joint_input(root, in);
    // wrench that the joint exerts on the root body                                     [P23 (42)]
    ElvWrench F = elv_strong_inertial(body->inertia, root->eta, root->eta_dot);
    F = elv_wrench_sub(F, elv_chain_body_wrench(body, in, &root->motion.g, root->eta));
    F = elv_wrench_sub(F, lam);
    ElvWrench W = elv_wrench_transform(root->motion.g, F);
    ElvWrench base;
    double upsilon[6], size[6];
    joint->ops->backward(joint, &root->work, &input, &W, &base, residual);
    joint->ops->efforts(joint, &root->work, &input, upsilon, size);
    for (int i = 0; i < joint->n_v; i++) {
        residual[i] -= upsilon[i];
    }
    if (J && root->n > 0) {
        set_tangent(root, &input, &W);
        set_jacobian(root, in, F, J);
    }
}
