// SPDX-License-Identifier: Apache-2.0
// Quadratic drag and lift. A section with u = (u_x, u_y, u_z), u_n^2 = u_y^2 + u_z^2, k = density /
// 2:
//     drag    -k (tangential |u_x| u_x, normal_y |u_n| u_y, normal_z |u_n| u_z)
//     lift     k lift u_x/|u| (u_n^2, -u_x u_y, -u_x u_z): normal to u, in the plane of
//              u and the axis, without power
// and a body -k |u| (area_x u_x, area_y u_y, area_z u_z), and of fins normal to its axes, L their
// diagonal,
//     lift    -k |u| (L u - (e . L e) u), e = u/|u|: normal to u, without power
// All are homogeneous of degree two: differentiable at rest, with derivative zero.
#include "rod/fluid_drag.h"

#include <math.h>

// -k |u| C u, C diagonal: -k C (|u| 1 + u u^T / |u|)
static ElvVec3 quadratic(double k, ElvVec3 C, ElvVec3 u, ElvMat3* by_u) {
    double speed = elv_vec3_norm(u);
    const double c[3] = {-k * C.x, -k * C.y, -k * C.z};
    const double v[3] = {u.x, u.y, u.z};
    *by_u = elv_mat3_zero();
    for (int i = 0; i < 3 && speed > 0.0; i++) {
        for (int j = 0; j < 3; j++) {
            by_u->m[i][j] = c[i] * (v[i] * (v[j] / speed) + (i == j ? speed : 0.0));
        }
    }
    return elv_vec3(c[0] * speed * v[0], c[1] * speed * v[1], c[2] * speed * v[2]);
}

static ElvVec3 section_drag(const ElvFluidShape* shape, double k, ElvVec3 u, ElvMat3* by_u) {
    ElvVec3 C = elv_vec3(0.0, shape->normal[0], shape->normal[1]);
    ElvVec3 force = quadratic(k, C, elv_vec3(0.0, u.y, u.z), by_u);
    force.x -= k * shape->tangential * fabs(u.x) * u.x;
    by_u->m[0][0] -= 2.0 * k * shape->tangential * fabs(u.x);
    return force;
}

// k u_x/|u| L, L = (u_n^2, -u_x u_y, -u_x u_z)
static ElvVec3 section_lift(double k, ElvVec3 u, ElvMat3* by_u) {
    double speed = elv_vec3_norm(u);
    *by_u = elv_mat3_zero();
    if (speed == 0.0) {
        return elv_vec3(0.0, 0.0, 0.0);
    }
    // with the direction e, so that nothing overflows: k |u|^2 e_x (e_n^2, -e_x e_y, -e_x e_z)
    ElvVec3 e = elv_vec3_scale(1.0 / speed, u);
    const double v[3] = {e.x, e.y, e.z};
    const double L[3] = {e.y * e.y + e.z * e.z, -e.x * e.y, -e.x * e.z};
    const double by_e[3][3] = {{0.0, 2.0 * e.y, 2.0 * e.z}, {-e.y, -e.x, 0.0}, {-e.z, 0.0, -e.x}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            // d (u_x L / |u|) = d u_x L / |u| + u_x d L / |u| - u_x L u . d u / |u|^3
            double d = (j == 0 ? L[i] : 0.0) + e.x * by_e[i][j] - e.x * L[i] * v[j];
            by_u->m[i][j] = k * speed * d;
        }
    }
    return elv_vec3_scale(k * speed * speed * e.x, elv_vec3(L[0], L[1], L[2]));
}

// by u: -k |u| (L + Le e^T - 2 e (Le)^T + kappa (e e^T - 1)), kappa = e . L e
static ElvVec3 body_lift(double k, ElvVec3 L, ElvVec3 u, ElvMat3* by_u) {
    double speed = elv_vec3_norm(u);
    *by_u = elv_mat3_zero();
    if (speed == 0.0) {
        return elv_vec3(0.0, 0.0, 0.0);
    }
    const double diagonal[3] = {L.x, L.y, L.z};
    const double e[3] = {u.x / speed, u.y / speed, u.z / speed};
    const double Le[3] = {L.x * e[0], L.y * e[1], L.z * e[2]};
    double kappa = e[0] * Le[0] + e[1] * Le[1] + e[2] * Le[2];
    double f[3];
    for (int i = 0; i < 3; i++) {
        f[i] = -k * speed * speed * (Le[i] - kappa * e[i]);
        for (int j = 0; j < 3; j++) {
            double same = i == j ? diagonal[i] - kappa : 0.0;
            double d = same + Le[i] * e[j] - 2.0 * e[i] * Le[j] + kappa * e[i] * e[j];
            by_u->m[i][j] = -k * speed * d;
        }
    }
    return elv_vec3(f[0], f[1], f[2]);
}

ElvVec3 elv_fluid_drag(const ElvFluidShape* shape, double density, ElvVec3 u, ElvMat3* by_u) {
    double k = 0.5 * density;
    ElvMat3 lift_by_u;
    if (!shape->is_section) {
        ElvVec3 sum = quadratic(k, shape->area, u, by_u);
        sum = elv_vec3_add(sum, body_lift(k, shape->fin, u, &lift_by_u));
        *by_u = elv_mat3_add(*by_u, lift_by_u);
        return sum;
    }
    ElvVec3 force = section_drag(shape, k, u, by_u);
    if (shape->lift > 0.0) {
        force = elv_vec3_add(force, section_lift(k * shape->lift, u, &lift_by_u));
        *by_u = elv_mat3_add(*by_u, lift_by_u);
    }
    return force;
}

ElvVec3
elv_fluid_spin_drag(const ElvFluidShape* shape, double density, ElvVec3 omega, ElvMat3* by_omega) {
    return quadratic(0.5 * density, shape->spin, omega, by_omega);
}
