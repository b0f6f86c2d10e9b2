// SPDX-License-Identifier: Apache-2.0
// Tangent of a lumped joint in the one frame                                       [P23 (48)-(49), (55)].
//
// A scalar joint is a chain of one-parameter motions: screw k is fixed in the frame that the k-th
// factor moves, whose twist and acceleration are V_k, A_k. A joint with a quaternion is one factor.
//     S_dot = ad_V S,  S_ddot = (ad_A + ad_V ad_V) S
//     Z, Z_dot, Z_ddot at the port = those at the root + (S u, S u_dot + S_dot u,
//                                    S u_ddot + 2 S_dot u_dot + S_ddot u)
//     d(S_k^T W) = S_k^T d_W + S_k^T ad_(Z_k)^T W,  Z_k = Z_root + sum of S_i u_i up to factor k
#include "joint/lumped.h"

#include "linalg/block_product.h"

#include <string.h>

enum { ROW = ELV_N_VARIATION };

/// Screws with their rates, and how far along the chain each one is.
typedef struct {
    ElvTwist S[6], S_dot[6], S_ddot[6];
    int place[6];
} Screws;

static Screws screw_rates(const ElvLumped* lumped,
                          const ElvTwist* S,
                          const ElvJointInput* in,
                          const ElvMotion* root) {
    Screws s;
    memset(&s, 0, sizeof s);
    int n = lumped->type->n_v;
    bool is_group = lumped->type->n_q > n;
    ElvTwist V = root->V;
    ElvTwist A = root->A;
    for (int i = 0; i < n; i++) {
        int k = lumped->type->factor ? lumped->type->factor[i] : i;
        ElvTwist step = elv_twist_scale(in->v[k], S[k]);
        s.S[k] = S[k];
        s.place[k] = is_group ? n : i;
        V = elv_twist_add(V, step);
        // a group turns as a whole: its velocity products come from the root alone
        A = elv_twist_add_scaled(A, in->a[k], S[k]);
        A = elv_twist_add(A, elv_twist_bracket(is_group ? root->V : V, step));
        if (!is_group) {
            s.S_dot[k] = elv_twist_bracket(V, S[k]);
            s.S_ddot[k] =
                elv_twist_add(elv_twist_bracket(A, S[k]), elv_twist_bracket(V, s.S_dot[k]));
        }
    }
    for (int k = 0; k < n && is_group; k++) {
        s.S_dot[k] = elv_twist_bracket(V, S[k]);
        s.S_ddot[k] = elv_twist_add(elv_twist_bracket(A, S[k]), elv_twist_bracket(V, s.S_dot[k]));
    }
    return s;
}

/// u, u_dot, u_ddot per unit of the unknown, (n x n) each.                         [P23 (14)-(15)]
typedef struct {
    double N0[36], N1[36], N2[36];
} Rates;

static void set_rates(const ElvUnknown* unknown, int n, Rates* rates) {
    size_t size = (size_t)(n * n) * sizeof(double);
    if (unknown->N0) {
        memcpy(rates->N0, unknown->N0, size);
        memcpy(rates->N1, unknown->N1, size);
        memcpy(rates->N2, unknown->N2, size);
        return;
    }
    memset(rates, 0, sizeof *rates);
    for (int k = 0; k < n; k++) {
        rates->N0[k * n + k] = unknown->c;
        rates->N1[k * n + k] = unknown->a;
        rates->N2[k * n + k] = unknown->b;
    }
}

// screws as the columns of a matrix (6 x n), times a factor
static void set_columns(int n, double factor, const ElvTwist* S, double* matrix) {
    for (int k = 0; k < n; k++) {
        double value[6];
        elv_twist_to_array(S[k], value);
        for (int i = 0; i < 6; i++) {
            matrix[i * n + k] = factor * value[i];
        }
    }
}

// C += A B with A (m x n), B and C of n columns
static void add_product(int m, int n, const double* A, const double* B, double* C) {
    elv_block_add_product(m, n, n, A, n, 1, B, n, C, n);
}

// P = S and Xq = (S N0, S N1 + S_dot N0, S N2 + 2 S_dot N1 + S_ddot N0)            [P23 (49), (55)]
static void set_port(const Screws* s, int n, const Rates* rates, ElvJointTangent* t) {
    double S_dot[36], S_ddot[36];
    set_columns(n, 1.0, s->S, t->P);
    set_columns(n, 1.0, s->S_dot, S_dot);
    set_columns(n, 1.0, s->S_ddot, S_ddot);
    memset(t->Xq, 0, (size_t)(ROW * n) * sizeof(double));
    add_product(6, n, t->P, rates->N0, t->Xq);
    add_product(6, n, t->P, rates->N1, t->Xq + 6 * n);
    add_product(6, n, S_dot, rates->N0, t->Xq + 6 * n);
    add_product(6, n, t->P, rates->N2, t->Xq + 12 * n);
    add_product(6, n, S_ddot, rates->N0, t->Xq + 12 * n);
    set_columns(n, 2.0, s->S_dot, S_dot);
    add_product(6, n, S_dot, rates->N1, t->Xq + 12 * n);
}

// variation of the velocities and accelerations themselves, for dampers and rotors
static void rate_column(const ElvLumped* lumped,
                        const ElvJointInput* in,
                        const double* u,
                        const double* u_dot,
                        const double* u_ddot,
                        double* d_v,
                        double* d_a) {
    int n = lumped->type->n_v;
    memcpy(d_v, u_dot, (size_t)n * sizeof *d_v);
    memcpy(d_a, u_ddot, (size_t)n * sizeof *d_a);
    if (lumped->type->n_q == n) {
        return;
    }
    // d_eta = u_dot + ad_eta u, d_eta_dot = u_ddot + ad_eta_dot u + ad_eta u_dot
    double full[4][6] = {{0.0}};
    memcpy(full[0], in->v, (size_t)n * sizeof(double));
    memcpy(full[1], in->a, (size_t)n * sizeof(double));
    memcpy(full[2], u, (size_t)n * sizeof(double));
    memcpy(full[3], u_dot, (size_t)n * sizeof(double));
    ElvTwist eta = elv_twist_from_array(full[0]);
    ElvTwist eta_dot = elv_twist_from_array(full[1]);
    ElvTwist w = elv_twist_from_array(full[2]);
    ElvTwist w_dot = elv_twist_from_array(full[3]);
    double extra[6];
    elv_twist_to_array(elv_twist_bracket(eta, w), extra);
    for (int k = 0; k < n; k++) {
        d_v[k] += extra[k];
    }
    elv_twist_to_array(elv_twist_add(elv_twist_bracket(eta_dot, w), elv_twist_bracket(eta, w_dot)),
                       extra);
    for (int k = 0; k < n; k++) {
        d_a[k] += extra[k];
    }
}

// springs act on u: K (n x n)
static void spring_stiffness(const ElvLumped* lumped, const double* q, double* K) {
    int n = lumped->type->n_v;
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    if (lumped->type->spring_tangent) {
        lumped->type->spring_tangent(lumped, q, K);
        return;
    }
    for (int k = 0; k < n; k++) {
        K[k * n + k] = lumped->stiffness[k];
    }
}

// dampers and rotors, column by column                                             [P23 (65)]
static void add_rates(const ElvLumped* lumped,
                      const ElvJointInput* in,
                      const Rates* rates,
                      bool is_bare,
                      double* Qq) {
    int n = lumped->type->n_v;
    bool is_idle = true;
    double damping[6] = {0.0};
    for (int k = 0; k < n; k++) {
        damping[k] = is_bare ? 0.0 : lumped->damping[k];
        is_idle = is_idle && damping[k] == 0.0 && lumped->rotor_inertia[k] == 0.0;
    }
    for (int column = 0; column < n && !is_idle; column++) {
        double u[3][6] = {{0.0}};
        double d_v[6];
        double d_a[6];
        for (int k = 0; k < n; k++) {
            u[0][k] = rates->N0[k * n + column];
            u[1][k] = rates->N1[k * n + column];
            u[2][k] = rates->N2[k * n + column];
        }
        rate_column(lumped, in, u[0], u[1], u[2], d_v, d_a);
        for (int k = 0; k < n; k++) {
            Qq[k * n + column] += damping[k] * d_v[k] + lumped->rotor_inertia[k] * d_a[k];
        }
    }
}

// Qq: geometric term, spring, damper, rotor                                       [P23 (55), (65)]
static void set_residual(const ElvLumped* lumped,
                         const ElvJointInput* in,
                         const Screws* s,
                         const ElvTwist* pull,
                         const Rates* rates,
                         bool is_bare,
                         double* Qq) {
    int n = lumped->type->n_v;
    double K[36] = {0.0};
    if (!is_bare) {
        spring_stiffness(lumped, in->q, K);
    }
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            // S_k turns with every factor up to its own
            if (s->place[i] <= s->place[k]) {
                K[k * n + i] +=
                    elv_vec3_dot(pull[k].ang, s->S[i].ang) + elv_vec3_dot(pull[k].lin, s->S[i].lin);
            }
        }
    }
    memset(Qq, 0, (size_t)(n * n) * sizeof *Qq);
    add_product(n, n, K, rates->N0, Qq);
    add_rates(lumped, in, rates, is_bare, Qq);
}

void elv_lumped_tangent(const ElvJoint* joint,
                        void* work,
                        const ElvJointInput* in,
                        const ElvUnknown* unknown,
                        const ElvMotion* root,
                        const ElvWrench* port,
                        bool is_grounded,
                        ElvJointTangent* tangent) {
    const ElvLumped* lumped = (const ElvLumped*)joint;
    int n = joint->n_v;
    Screws s = screw_rates(lumped, ((const ElvLumpedWork*)work)->S, in, root);
    Rates rates;
    ElvTwist pull[6]; // S_k^T ad_Z^T W = pull_k . Z
    for (int k = 0; k < n; k++) {
        ElvWrench y = elv_twist_coad(s.S[k], *port);
        pull[k] = elv_twist(elv_vec3_scale(-1.0, y.mom), elv_vec3_scale(-1.0, y.frc));
    }
    set_rates(unknown, n, &rates);
    set_port(&s, n, &rates, tangent);
    set_residual(lumped, in, &s, pull, &rates, unknown->is_bare, tangent->Qq);
    if (!unknown->is_bare) {
        elv_joint_control_tangent(&lumped->control, in, unknown, tangent->Qq);
    }
    // no mass between root and port: d_W_root = d_W                                [P23 (52)-(53)]
    memset(tangent->Wq, 0, (size_t)(6 * n) * sizeof(double));
    if (!is_grounded) {
        memset(tangent->Wx, 0, 6 * ROW * sizeof(double));
        memset(tangent->Qx, 0, (size_t)(n * ROW) * sizeof(double));
        for (int k = 0; k < n; k++) {
            elv_twist_to_array(pull[k], tangent->Qx + (size_t)k * ROW);
        }
    }
}
