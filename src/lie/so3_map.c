// SPDX-License-Identifier: Apache-2.0
// Matrices M(theta) = 1 - a(s) hat(theta) + b(s) hat(theta)^2, s = theta . theta, and their
// derivatives along a direction and in theta. Subscripts mark directions: a_u is the derivative of
// a(s) along u, a_u = 2 a' theta . u.
#include "lie/so3_map.h"

// hat(u) hat(w) = w u^T - (u . w) 1, written without the cancellation on the diagonal
static ElvMat3 hat_hat(ElvVec3 u, ElvVec3 w) {
    ElvMat3 r;
    r.m[0][0] = -(u.y * w.y + u.z * w.z);
    r.m[0][1] = w.x * u.y;
    r.m[0][2] = w.x * u.z;
    r.m[1][0] = w.y * u.x;
    r.m[1][1] = -(u.x * w.x + u.z * w.z);
    r.m[1][2] = w.y * u.z;
    r.m[2][0] = w.z * u.x;
    r.m[2][1] = w.z * u.y;
    r.m[2][2] = -(u.x * w.x + u.y * w.y);
    return r;
}

// hat(u) hat(w) + hat(w) hat(u): the derivative of hat(u)^2 along w
static ElvMat3 hat_hat_sum(ElvVec3 u, ElvVec3 w) {
    return elv_mat3_add(hat_hat(u, w), hat_hat(w, u));
}

static ElvMat3 add_scaled(ElvMat3 a, double s, ElvMat3 b) {
    return elv_mat3_add(a, elv_mat3_scale(s, b));
}

// a + s u w^T
static ElvMat3 add_outer(ElvMat3 a, double s, ElvVec3 u, ElvVec3 w) {
    ElvVec3 su = elv_vec3_scale(s, u);
    const double column[3] = {su.x, su.y, su.z};
    for (int i = 0; i < 3; i++) {
        a.m[i][0] += column[i] * w.x;
        a.m[i][1] += column[i] * w.y;
        a.m[i][2] += column[i] * w.z;
    }
    return a;
}

ElvMat3 elv_so3_map(ElvVec3 theta, ElvMapCoefficients c) {
    ElvVec3 a = elv_vec3_scale(c.a, theta);
    ElvVec3 b = elv_vec3_scale(c.b, theta);
    ElvMat3 r;
    r.m[0][0] = 1.0 - (b.y * theta.y + b.z * theta.z);
    r.m[0][1] = b.x * theta.y + a.z;
    r.m[0][2] = b.x * theta.z - a.y;
    r.m[1][0] = b.x * theta.y - a.z;
    r.m[1][1] = 1.0 - (b.x * theta.x + b.z * theta.z);
    r.m[1][2] = b.y * theta.z + a.x;
    r.m[2][0] = b.x * theta.z + a.y;
    r.m[2][1] = b.y * theta.z - a.x;
    r.m[2][2] = 1.0 - (b.x * theta.x + b.y * theta.y);
    return r;
}

ElvMat3 elv_so3_exp_step(ElvVec3 theta, double* b) {
    ElvMapCoefficients c;
    elv_step_coefficients(elv_vec3_dot(theta, theta), &c, b);
    return elv_so3_map(theta, c);
}

ElvMat3 elv_so3_map_dot(ElvVec3 theta, ElvMapCoefficients c, ElvVec3 u) {
    double s_u = 2.0 * elv_vec3_dot(theta, u);
    // -a hat(u) - a_u hat(theta)
    ElvVec3 v = elv_vec3_add_scaled(elv_vec3_scale(-c.a, u), -c.a_d * s_u, theta);
    // + b (hat(theta) hat(u) + hat(u) hat(theta)) + b_u hat(theta)^2
    ElvMat3 r = add_scaled(elv_mat3_hat(v), c.b, hat_hat_sum(theta, u));
    return add_scaled(r, c.b_d * s_u, hat_hat(theta, theta));
}

ElvMat3 elv_so3_map_dot_dot(ElvVec3 theta, ElvMapCoefficients c, ElvVec3 u, ElvVec3 w) {
    double s_u = 2.0 * elv_vec3_dot(theta, u);
    double s_w = 2.0 * elv_vec3_dot(theta, w);
    double s_uw = 2.0 * elv_vec3_dot(u, w);
    // -a_w hat(u) - a_u hat(w) - a_uw hat(theta)
    ElvVec3 v = elv_vec3_scale(-(c.a_dd * s_u * s_w + c.a_d * s_uw), theta);
    v = elv_vec3_add_scaled(v, -c.a_d * s_w, u);
    v = elv_vec3_add_scaled(v, -c.a_d * s_u, w);
    // + b {u, w} + b_w {theta, u} + b_u {theta, w} + b_uw hat(theta)^2, {u, w} = hat_hat_sum
    ElvMat3 r = add_scaled(elv_mat3_hat(v), c.b, hat_hat_sum(u, w));
    r = add_scaled(r, c.b_d * s_w, hat_hat_sum(theta, u));
    r = add_scaled(r, c.b_d * s_u, hat_hat_sum(theta, w));
    return add_scaled(r, c.b_dd * s_u * s_w + c.b_d * s_uw, hat_hat(theta, theta));
}

ElvMat3 elv_so3_map_diff(ElvVec3 theta, ElvMapCoefficients c, ElvVec3 k) {
    ElvVec3 theta_k = elv_vec3_cross(theta, k);
    ElvVec3 theta_theta_k = elv_vec3_cross(theta, theta_k);
    // a hat(k) - b (hat(theta x k) + hat(theta) hat(k))
    ElvVec3 v = elv_vec3_add_scaled(elv_vec3_scale(c.a, k), -c.b, theta_k);
    ElvMat3 r = add_scaled(elv_mat3_hat(v), -c.b, hat_hat(theta, k));
    // + (-a' theta x k + b' theta x (theta x k)) 2 theta^T
    ElvVec3 d = elv_vec3_add_scaled(elv_vec3_scale(-c.a_d, theta_k), c.b_d, theta_theta_k);
    return add_outer(r, 2.0, d, theta);
}

ElvMat3 elv_so3_map_diff_dot(ElvVec3 theta, ElvMapCoefficients c, ElvVec3 k, ElvVec3 u) {
    double s_u = 2.0 * elv_vec3_dot(theta, u);
    ElvVec3 theta_k = elv_vec3_cross(theta, k);
    ElvVec3 theta_theta_k = elv_vec3_cross(theta, theta_k);
    ElvVec3 u_k = elv_vec3_cross(u, k);
    // derivatives along u of theta x (theta x k) and of the factor d of theta^T in map_diff
    ElvVec3 twice_u = elv_vec3_add(elv_vec3_cross(u, theta_k), elv_vec3_cross(theta, u_k));
    ElvVec3 d = elv_vec3_add_scaled(elv_vec3_scale(-c.a_d, theta_k), c.b_d, theta_theta_k);
    ElvVec3 d_u = elv_vec3_add_scaled(elv_vec3_scale(-c.a_d, u_k), c.b_d, twice_u);
    d_u = elv_vec3_add_scaled(d_u, -c.a_dd * s_u, theta_k);
    d_u = elv_vec3_add_scaled(d_u, c.b_dd * s_u, theta_theta_k);
    // a_u hat(k) - b_u (hat(theta x k) + hat(theta) hat(k)) - b (hat(u x k) + hat(u) hat(k))
    ElvVec3 v = elv_vec3_add_scaled(elv_vec3_scale(c.a_d * s_u, k), -c.b_d * s_u, theta_k);
    v = elv_vec3_add_scaled(v, -c.b, u_k);
    ElvMat3 r = add_scaled(elv_mat3_hat(v), -c.b_d * s_u, hat_hat(theta, k));
    r = add_scaled(r, -c.b, hat_hat(u, k));
    // + d_u 2 theta^T + d 2 u^T
    return add_outer(add_outer(r, 2.0, d_u, theta), 2.0, d, u);
}
