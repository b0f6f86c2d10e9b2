// SPDX-License-Identifier: Apache-2.0
// The contact of a thin wheel with a plane, its rates and variations.
//
// Since p_c is the lowest point of the wheel, the height changes as if the point were fixed to it:
//     height_dot = n . v_s,   v_s = (V_1 - V_0)(p_c),   V(x) = V.lin + V.ang x x,
// so that height and slip have one form. The point moves along the rim, though, and its own rate
// enters where v_s is differentiated. Rates and variations are the same linear map of the twists of
// both sides. A wheel that lies on its side touches everywhere: s is kept from 0 there, and all is
// finite.
#include "multibody/rolling.h"

#include <math.h>

/// Wheels that are nearer to lying than this have no lowest point.
static const double LYING = 1e-9;

static ElvMotion end_motion(const ElvData* data, const ElvFrame* frame) {
    ElvMotion motion = data->port[frame->port];
    motion.g = elv_pose_compose(motion.g, frame->pose);
    return motion;
}

// velocity of a point under a spatial twist
static ElvVec3 velocity_at(ElvTwist V, ElvVec3 p) {
    return elv_vec3_add(V.lin, elv_vec3_cross(V.ang, p));
}

ElvContact elv_rolling_contact(const ElvRolling* rolling, const ElvData* data) {
    ElvContact c;
    c.side[0] = end_motion(data, &rolling->end[0]);
    c.side[1] = end_motion(data, &rolling->end[1]);
    ElvVec3 n = elv_mat3_apply(c.side[0].g.R, elv_vec3(0.0, 0.0, 1.0));
    c.a = elv_mat3_apply(c.side[1].g.R, rolling->axis);
    c.k = elv_vec3_dot(n, c.a);
    c.s = fmax(elv_vec3_norm(elv_vec3_cross(n, c.a)), LYING);
    c.e[ELV_CONTACT_NORMAL] = n;
    c.e[ELV_CONTACT_SIDEWAYS] = elv_vec3_scale(1.0 / c.s, elv_vec3_add_scaled(c.a, -c.k, n));
    c.e[ELV_CONTACT_AHEAD] = elv_vec3_cross(c.e[ELV_CONTACT_SIDEWAYS], n);
    c.d = elv_vec3_scale(1.0 / c.s, elv_vec3_sub(elv_vec3_scale(c.k, c.a), n));
    c.p = elv_vec3_add_scaled(c.side[1].g.p, rolling->radius, c.d);
    ElvVec3 centre = elv_vec3_sub(c.side[1].g.p, c.side[0].g.p);
    c.height = elv_vec3_dot(n, centre) - rolling->radius * c.s;
    return c;
}

ElvContactRate elv_contact_move(const ElvContact* c, double radius, const ElvTwist twist[2]) {
    ElvContactRate rate;
    ElvVec3 n = c->e[ELV_CONTACT_NORMAL];
    ElvVec3 w = c->e[ELV_CONTACT_SIDEWAYS];
    ElvVec3 n_dot = elv_vec3_cross(twist[0].ang, n);
    ElvVec3 a_dot = elv_vec3_cross(twist[1].ang, c->a);
    double k_dot = elv_vec3_dot(n_dot, c->a) + elv_vec3_dot(n, a_dot);
    double s_dot = -c->k * k_dot / c->s;
    // w s = a - k n, d s = k a - n
    ElvVec3 ws_dot =
        elv_vec3_sub(elv_vec3_add_scaled(a_dot, -k_dot, n), elv_vec3_scale(c->k, n_dot));
    ElvVec3 ds_dot =
        elv_vec3_sub(elv_vec3_add_scaled(elv_vec3_scale(k_dot, c->a), c->k, a_dot), n_dot);
    ElvVec3 w_dot = elv_vec3_scale(1.0 / c->s, elv_vec3_add_scaled(ws_dot, -s_dot, w));
    ElvVec3 d_dot = elv_vec3_scale(1.0 / c->s, elv_vec3_add_scaled(ds_dot, -s_dot, c->d));
    rate.e[ELV_CONTACT_NORMAL] = n_dot;
    rate.e[ELV_CONTACT_SIDEWAYS] = w_dot;
    rate.e[ELV_CONTACT_AHEAD] = elv_vec3_add(elv_vec3_cross(w_dot, n), elv_vec3_cross(w, n_dot));
    rate.p = elv_vec3_add_scaled(velocity_at(twist[1], c->side[1].g.p), radius, d_dot);
    return rate;
}

void elv_contact_slip(const ElvContact* c, const ElvTwist twist[2], double slip[3]) {
    ElvVec3 v = velocity_at(elv_twist_sub(twist[1], twist[0]), c->p);
    for (int i = 0; i < 3; i++) {
        slip[i] = elv_vec3_dot(c->e[i], v);
    }
}

void elv_contact_vary_slip(const ElvContact* c,
                           double radius,
                           const ElvTwist Z[2],
                           const ElvTwist d_V[2],
                           double d_slip[3]) {
    ElvContactRate move = elv_contact_move(c, radius, Z);
    ElvTwist V = elv_twist_sub(c->side[1].V, c->side[0].V);
    ElvVec3 v = velocity_at(V, c->p);
    // d_v = (d_V_1 - d_V_0)(p_c) + (Omega_1 - Omega_0) x d_p_c
    ElvVec3 d_v = velocity_at(elv_twist_sub(d_V[1], d_V[0]), c->p);
    d_v = elv_vec3_add(d_v, elv_vec3_cross(V.ang, move.p));
    for (int i = 0; i < 3; i++) {
        d_slip[i] = elv_vec3_dot(move.e[i], v) + elv_vec3_dot(c->e[i], d_v);
    }
}

void elv_contact_slip_dot(const ElvContact* c, double radius, double slip_dot[3]) {
    const ElvTwist V[2] = {c->side[0].V, c->side[1].V};
    const ElvTwist A[2] = {c->side[0].A, c->side[1].A};
    elv_contact_vary_slip(c, radius, V, A, slip_dot);
}
