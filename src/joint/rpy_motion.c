// SPDX-License-Identifier: Apache-2.0
// Roll r, pitch p, yaw y about fixed axes: R = Rz(y) Ry(p) Rx(r). The body angular velocity is
//     Omega = r_dot e_x + Rx(-r) u,   u = p_dot e_y + y_dot Ry(-p) e_z,
// and, because d/dt Rx(-r) = -r_dot Rx(-r) hat(e_x),
//     Omega_dot = r_ddot e_x + Rx(-r) (u_dot - r_dot e_x x u).
#include "joint/rpy_motion.h"

#include <math.h>

// Rx(-angle) u
static ElvVec3 turn_back_x(double angle, ElvVec3 u) {
    double c = cos(angle), s = sin(angle);
    return elv_vec3(u.x, c * u.y + s * u.z, c * u.z - s * u.y);
}

// Rz(y) Ry(p) Rx(r) by half angles
static ElvQuat rpy_quat(double r, double p, double y) {
    ElvQuat qx = elv_quat(cos(0.5 * r), sin(0.5 * r), 0.0, 0.0);
    ElvQuat qy = elv_quat(cos(0.5 * p), 0.0, sin(0.5 * p), 0.0);
    ElvQuat qz = elv_quat(cos(0.5 * y), 0.0, 0.0, sin(0.5 * y));
    return elv_quat_mul(qz, elv_quat_mul(qy, qx));
}

ElvRpyMotion elv_rpy_motion(const ElvJet rpy[3]) {
    ElvJet r = rpy[0], p = rpy[1], y = rpy[2];

    // u and its rate, with Ry(-p) e_z = (-sin p, 0, cos p)
    double c = cos(p.v), s = sin(p.v);
    ElvVec3 u = elv_vec3(-s * y.d, p.d, c * y.d);
    ElvVec3 u_dot = elv_vec3(-s * y.dd - c * p.d * y.d, p.dd, c * y.dd - s * p.d * y.d);
    ElvVec3 turn = elv_vec3_cross(elv_vec3(r.d, 0.0, 0.0), u);

    ElvRpyMotion motion;
    motion.quat = rpy_quat(r.v, p.v, y.v);
    motion.omega = elv_vec3_add(elv_vec3(r.d, 0.0, 0.0), turn_back_x(r.v, u));
    motion.omega_dot =
        elv_vec3_add(elv_vec3(r.dd, 0.0, 0.0), turn_back_x(r.v, elv_vec3_sub(u_dot, turn)));
    return motion;
}
