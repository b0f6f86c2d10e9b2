// SPDX-License-Identifier: Apache-2.0
// Charts in which a time step works. On SO(3) x R^3, with nu = (Theta, d) from the start of the step:
//     R = R_n exp(Theta), r = r_n + d                                              [P23 (12), (74)]
//     w = (Omega, r_dot), w_dot = (Omega_dot, r_ddot)                                   [P23 (11)]
//     V = R^T r_dot, V_dot = R^T r_ddot - Omega x V                                     [P23 (75)]
// The variation of the moving frame is u = (T(Theta) d_Theta, R^T d_d); its rates follow from those of
// the twist: d_eta = u_dot + ad_eta u, d_eta_dot = u_ddot + ad_eta_dot u + ad_eta u_dot.
#include "joint/chart.h"

#include <string.h>

void elv_vector_rates(const ElvJoint* joint,
                      const double* q,
                      const double* v,
                      const double* a,
                      double* w,
                      double* w_dot) {
    (void)q;
    memcpy(w, v, (size_t)joint->n_v * sizeof *w);
    memcpy(w_dot, a, (size_t)joint->n_v * sizeof *w_dot);
}

void elv_vector_state(const ElvJoint* joint,
                      const double* q_n,
                      const double* nu,
                      const double* w,
                      const double* w_dot,
                      double* q,
                      double* v,
                      double* a) {
    for (int k = 0; k < joint->n_v; k++) {
        q[k] = q_n[k] + nu[k];
        v[k] = w[k];
        a[k] = w_dot[k];
    }
}

static ElvVec3 vector_at(const double* x) {
    return elv_vec3(x[0], x[1], x[2]);
}

static void put_vector(ElvVec3 x, double* to) {
    to[0] = x.x;
    to[1] = x.y;
    to[2] = x.z;
}

static ElvQuat quat_at(const double* q) {
    return elv_quat(q[0], q[1], q[2], q[3]);
}

void elv_group_rates(
    int n_v, const double* q, const double* v, const double* a, double* w, double* w_dot) {
    memcpy(w, v, 3 * sizeof *w);
    memcpy(w_dot, a, 3 * sizeof *w_dot);
    if (n_v == 6) {
        // r_dot = R V, r_ddot = R (V_dot + Omega x V)
        ElvMat3 R = elv_quat_to_matrix(quat_at(q));
        ElvVec3 V = vector_at(v + 3);
        ElvVec3 acceleration = elv_vec3_add(vector_at(a + 3), elv_vec3_cross(vector_at(v), V));
        put_vector(elv_mat3_apply(R, V), w + 3);
        put_vector(elv_mat3_apply(R, acceleration), w_dot + 3);
    }
}

void elv_group_state(int n_v,
                     const double* q_n,
                     const double* nu,
                     const double* w,
                     const double* w_dot,
                     double* q,
                     double* v,
                     double* a) {
    ElvQuat quat = elv_quat_normalize(elv_quat_mul(quat_at(q_n), elv_quat_exp(vector_at(nu))));
    q[0] = quat.w;
    q[1] = quat.x;
    q[2] = quat.y;
    q[3] = quat.z;
    memcpy(v, w, 3 * sizeof *v);
    memcpy(a, w_dot, 3 * sizeof *a);
    if (n_v == 6) {
        ElvMat3 R = elv_quat_to_matrix(quat);
        ElvVec3 V = elv_mat3_apply_transpose(R, vector_at(w + 3));
        ElvVec3 acceleration = elv_mat3_apply_transpose(R, vector_at(w_dot + 3));
        put_vector(elv_vec3_add(vector_at(q_n + 4), vector_at(nu + 3)), q + 4);
        put_vector(V, v + 3);
        put_vector(elv_vec3_sub(acceleration, elv_vec3_cross(vector_at(v), V)), a + 3);
    }
}

// a twist of n_v = 3 components has no linear part
static ElvTwist twist_at(int n_v, const double* x) {
    ElvVec3 lin = n_v == 6 ? vector_at(x + 3) : elv_vec3(0.0, 0.0, 0.0);
    return elv_twist(vector_at(x), lin);
}

static void put_column(int n_v, ElvTwist x, int k, double* N) {
    double value[6];
    elv_twist_to_array(x, value);
    for (int i = 0; i < n_v; i++) {
        N[i * n_v + k] = value[i];
    }
}

void elv_group_unknown(int n_v,
                       const double* nu,
                       const double* q,
                       const double* v,
                       const double* vdot,
                       double a,
                       double b,
                       double* N0,
                       double* N1,
                       double* N2) {
    ElvMat3 T = elv_so3_tangent(vector_at(nu));
    ElvMat3 Rt = elv_mat3_transpose(elv_quat_to_matrix(quat_at(q)));
    ElvTwist eta = twist_at(n_v, v);
    ElvTwist eta_dot = twist_at(n_v, vdot);
    ElvVec3 Omega = eta.ang;
    ElvVec3 V = eta.lin;
    ElvVec3 acceleration = elv_vec3_add(eta_dot.lin, elv_vec3_cross(Omega, V));
    for (int k = 0; k < n_v; k++) {
        double unit[6] = {0.0};
        unit[k] = 1.0;
        ElvVec3 d_theta = vector_at(unit);
        ElvVec3 turn = elv_mat3_apply(T, d_theta);
        ElvVec3 shift = elv_mat3_apply(Rt, vector_at(unit + 3));
        // d_eta, d_eta_dot                                                               [P23 (76)]
        ElvVec3 d_V = elv_vec3_add_scaled(elv_vec3_cross(V, turn), a, shift);
        ElvVec3 d_V_dot = elv_vec3_add_scaled(elv_vec3_cross(acceleration, turn), b, shift);
        d_V_dot = elv_vec3_add_scaled(d_V_dot, a, elv_vec3_cross(V, d_theta));
        d_V_dot = elv_vec3_sub(d_V_dot, elv_vec3_cross(Omega, d_V));
        ElvTwist u = elv_twist(turn, shift);
        ElvTwist d_eta = elv_twist(elv_vec3_scale(a, d_theta), d_V);
        ElvTwist d_eta_dot = elv_twist(elv_vec3_scale(b, d_theta), d_V_dot);
        // u_dot = d_eta - ad_eta u, u_ddot = d_eta_dot - ad_eta_dot u - ad_eta u_dot
        ElvTwist u_dot = elv_twist_sub(d_eta, elv_twist_bracket(eta, u));
        ElvTwist u_ddot = elv_twist_sub(d_eta_dot, elv_twist_bracket(eta_dot, u));
        u_ddot = elv_twist_sub(u_ddot, elv_twist_bracket(eta, u_dot));
        put_column(n_v, u, k, N0);
        put_column(n_v, u_dot, k, N1);
        put_column(n_v, u_ddot, k, N2);
    }
}
