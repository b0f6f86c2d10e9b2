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

// column of Xq for one unit of the unknown, given (u, u_dot, u_ddot)                    [P23 (49)]
static void port_column(const Screws* s,
                        int n,
                        const double* u,
                        const double* u_dot,
                        const double* u_ddot,
                        int column,
                        double* Xq) {
    ElvTwist Z = elv_twist_zero();
    ElvTwist Z_dot = elv_twist_zero();
    ElvTwist Z_ddot = elv_twist_zero();
    for (int k = 0; k < n; k++) {
        Z = elv_twist_add_scaled(Z, u[k], s->S[k]);
        Z_dot = elv_twist_add_scaled(Z_dot, u_dot[k], s->S[k]);
        Z_dot = elv_twist_add_scaled(Z_dot, u[k], s->S_dot[k]);
        Z_ddot = elv_twist_add_scaled(Z_ddot, u_ddot[k], s->S[k]);
        Z_ddot = elv_twist_add_scaled(Z_ddot, 2.0 * u_dot[k], s->S_dot[k]);
        Z_ddot = elv_twist_add_scaled(Z_ddot, u[k], s->S_ddot[k]);
    }
    double x[ROW];
    elv_twist_to_array(Z, x);
    elv_twist_to_array(Z_dot, x + 6);
    elv_twist_to_array(Z_ddot, x + 12);
    for (int i = 0; i < ROW; i++) {
        Xq[i * n + column] = x[i];
    }
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

// one column of Qq: geometric term, spring, damper, rotor                         [P23 (55), (65)]
static void residual_column(const ElvLumped* lumped,
                            const ElvJointInput* in,
                            const Screws* s,
                            const ElvTwist* pull,
                            const double* K,
                            const double u[3][6],
                            int column,
                            double* Qq) {
    int n = lumped->type->n_v;
    double d_v[6];
    double d_a[6];
    rate_column(lumped, in, u[0], u[1], u[2], d_v, d_a);
    for (int k = 0; k < n; k++) {
        double sum = lumped->damping[k] * d_v[k] + lumped->rotor_inertia[k] * d_a[k];
        for (int i = 0; i < n; i++) {
            sum += K[k * n + i] * u[0][i];
            // S_k turns with every factor up to its own
            if (s->place[i] <= s->place[k]) {
                double turn =
                    elv_vec3_dot(pull[k].ang, s->S[i].ang) + elv_vec3_dot(pull[k].lin, s->S[i].lin);
                sum += turn * u[0][i];
            }
        }
        Qq[k * n + column] = sum;
    }
}

// (u, u_dot, u_ddot) of one unit of the unknown                                    [P23 (14)-(15)]
static void unknown_column(const ElvUnknown* unknown, int n, int column, double u[3][6]) {
    memset(u, 0, 18 * sizeof(double));
    if (!unknown->N0) {
        u[0][column] = unknown->c;
        u[1][column] = unknown->a;
        u[2][column] = unknown->b;
        return;
    }
    for (int k = 0; k < n; k++) {
        u[0][k] = unknown->N0[k * n + column];
        u[1][k] = unknown->N1[k * n + column];
        u[2][k] = unknown->N2[k * n + column];
    }
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
    double K[36];
    ElvTwist pull[6]; // S_k^T ad_Z^T W = pull_k . Z
    spring_stiffness(lumped, in->q, K);
    for (int k = 0; k < n; k++) {
        ElvWrench y = elv_twist_coad(s.S[k], *port);
        pull[k] = elv_twist(elv_vec3_scale(-1.0, y.mom), elv_vec3_scale(-1.0, y.frc));
        double component[6];
        elv_twist_to_array(s.S[k], component);
        for (int i = 0; i < 6; i++) {
            tangent->P[i * n + k] = component[i];
        }
    }
    for (int column = 0; column < n; column++) {
        double u[3][6];
        unknown_column(unknown, n, column, u);
        port_column(&s, n, u[0], u[1], u[2], column, tangent->Xq);
        residual_column(lumped, in, &s, pull, K, (const double(*)[6])u, column, tangent->Qq);
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
