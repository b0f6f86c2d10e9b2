// SPDX-License-Identifier: Apache-2.0
// The wrench of a fluid on one section, per metre, or on one body. In its axes, with a = R^T U the
// current at its centre c, w = R^T DU/Dt its acceleration, u = v + Omega x c - a the velocity
// relative to it, x the share that is wet:
//     drag and lift     x f(u) at c                                       (fluid_drag.c)
//     pressure          x rho V (w - R^T gravity) at c: buoyancy, and what accelerates the fluid
//     viscous           -x R (eta - b),  b = (0; a)
//     added inertia     M (0; w - Omega x a) - ad_eta^T M b - ad_b^T M (eta - b)
// The last is -(M zeta_dot - ad_zeta^T M zeta), zeta = eta - b, less what the inertia of the body
// has of it already. Derivatives by d_zeta = (d_theta; d_x), delta R = R hat(d_theta), delta p = R
// d_x, and by eta.
#include "rod/fluid_load.h"

#include "rod/fluid_drag.h"
#include "rod/fluid_wet.h"

#include <string.h>

// ---- the current in the axes of the section or body

// value = R^T field; by_turn, by_move: its derivatives by d_theta and d_x
typedef struct {
    ElvVec3 value;
    ElvMat3 by_turn, by_move;
} Local;

// a field and its gradient at the centre c
static Local localize(const ElvPose* g, ElvVec3 c, ElvVec3 field, const ElvMat3* gradient) {
    Local local;
    local.value = elv_mat3_apply_transpose(g->R, field);
    local.by_move = elv_mat3_mul(elv_mat3_transpose(g->R), elv_mat3_mul(*gradient, g->R));
    // (R^T f) x d_theta, and the centre moves by d_x + d_theta x c
    local.by_turn =
        elv_mat3_sub(elv_mat3_hat(local.value), elv_mat3_mul(local.by_move, elv_mat3_hat(c)));
    return local;
}

// ---- derivatives

static void add_block(ElvMat6* to, int row, int column, double s, const ElvMat3* m) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            to->m[row + i][column + j] += s * m->m[i][j];
        }
    }
}

static void add_column(ElvMat6* to, int column, double s, ElvWrench w) {
    double value[6];
    elv_wrench_to_array(w, value);
    for (int i = 0; i < 6; i++) {
        to->m[i][column] += s * value[i];
    }
}

// to += s m n
static void add_product(ElvMat6* to, double s, const ElvMat6* m, const ElvMat6* n) {
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 6; k++) {
            for (int j = 0; j < 6 && m->m[i][k] != 0.0; j++) {
                to->m[i][j] += s * m->m[i][k] * n->m[k][j];
            }
        }
    }
}

// (0; a) by the pose
static ElvMat6 stream_by_pose(const Local* a) {
    ElvMat6 by_pose = {{{0.0}}};
    add_block(&by_pose, 3, 0, 1.0, &a->by_turn);
    add_block(&by_pose, 3, 3, 1.0, &a->by_move);
    return by_pose;
}

// what a derivative by b = (0; a) gives by the pose
static void add_stream(const ElvMat6* by_stream, const Local* a, ElvMat6* by_pose) {
    ElvMat6 moved = stream_by_pose(a);
    add_product(by_pose, 1.0, by_stream, &moved);
}

// ---- the parts

typedef struct {
    ElvWrench wrench;
    ElvMat6 *by_pose, *by_eta; // both or none
} Sum;

// the force m f at the centre c, with derivatives of f by the pose: m c first, as weight does, so
// that a neutral body is in balance to the last bit
static void add_force(
    Sum* sum, double m, ElvVec3 c, ElvVec3 f, const ElvMat3* by_turn, const ElvMat3* by_move) {
    ElvVec3 moment = elv_vec3_scale(m, c);
    sum->wrench =
        elv_wrench_add(sum->wrench, elv_wrench(elv_vec3_cross(moment, f), elv_vec3_scale(m, f)));
    if (sum->by_pose) {
        ElvMat3 arm = elv_mat3_hat(moment);
        ElvMat3 turn = elv_mat3_mul(arm, *by_turn);
        ElvMat3 move = elv_mat3_mul(arm, *by_move);
        add_block(sum->by_pose, 0, 0, 1.0, &turn);
        add_block(sum->by_pose, 0, 3, 1.0, &move);
        add_block(sum->by_pose, 3, 0, m, by_turn);
        add_block(sum->by_pose, 3, 3, m, by_move);
    }
}

// the weight of what a section or body displaces
static double lift_of(const ElvFluidShape* shape, const ElvFluidNow* now) {
    return now->load * now->fluid->gravity * now->fluid->density * shape->volume;
}

// rho V (w - R^T gravity)
static void add_pressure(Sum* sum,
                         const ElvFluidShape* shape,
                         const ElvFluidNow* now,
                         const ElvPose* g,
                         const Local* w) {
    ElvVec3 against = elv_vec3_scale(now->load * now->fluid->gravity, now->fluid->up);
    ElvVec3 lift = elv_mat3_apply_transpose(g->R, against);
    ElvMat3 by_turn = elv_mat3_add(w->by_turn, elv_mat3_hat(lift));
    add_force(sum, now->fluid->density * shape->volume, shape->center, elv_vec3_add(w->value, lift),
              &by_turn, &w->by_move);
}

// drag and lift at the centre, and the moment against spinning
static void
add_drag(Sum* sum, const ElvFluidShape* shape, double rho, ElvTwist eta, const Local* a) {
    ElvVec3 c = shape->center;
    ElvVec3 u = elv_vec3_sub(elv_vec3_add(eta.lin, elv_vec3_cross(eta.ang, c)), a->value);
    ElvMat3 by_u, by_spin;
    ElvVec3 drag = elv_fluid_drag(shape, rho, u, &by_u);
    ElvVec3 moment = elv_fluid_spin_drag(shape, rho, eta.ang, &by_spin);
    ElvMat3 by_turn = elv_mat3_scale(-1.0, elv_mat3_mul(by_u, a->by_turn));
    ElvMat3 by_move = elv_mat3_scale(-1.0, elv_mat3_mul(by_u, a->by_move));
    add_force(sum, 1.0, c, drag, &by_turn, &by_move);
    sum->wrench.mom = elv_vec3_add(sum->wrench.mom, moment);
    if (sum->by_eta) {
        // u by eta: v + Omega x c
        ElvMat3 arm = elv_mat3_hat(c);
        ElvMat3 by_omega = elv_mat3_scale(-1.0, elv_mat3_mul(by_u, arm));
        ElvMat3 mom_by_omega = elv_mat3_add(by_spin, elv_mat3_mul(arm, by_omega));
        ElvMat3 mom_by_v = elv_mat3_mul(arm, by_u);
        add_block(sum->by_eta, 0, 0, 1.0, &mom_by_omega);
        add_block(sum->by_eta, 0, 3, 1.0, &mom_by_v);
        add_block(sum->by_eta, 3, 0, 1.0, &by_omega);
        add_block(sum->by_eta, 3, 3, 1.0, &by_u);
    }
}

// -R (eta - b)
static void add_viscous(Sum* sum, const ElvFluidShape* shape, ElvTwist eta, const Local* a) {
    ElvTwist zeta = elv_twist(eta.ang, elv_vec3_sub(eta.lin, a->value));
    sum->wrench = elv_wrench_sub(sum->wrench, elv_inertia_apply(shape->resistance, zeta));
    if (sum->by_eta) {
        ElvMat6 R = elv_inertia_matrix(shape->resistance);
        for (int k = 0; k < 36; k++) {
            sum->by_eta->m[k / 6][k % 6] -= R.m[k / 6][k % 6];
        }
        add_stream(&R, a, sum->by_pose);
    }
}

// x times what has been summed up, and what its change does
static void dip(Sum* sum, const ElvWet* wet) {
    const double row[6] = {wet->by_turn.x, wet->by_turn.y, wet->by_turn.z,
                           wet->by_move.x, wet->by_move.y, wet->by_move.z};
    double share = wet->share;
    double whole[6];
    elv_wrench_to_array(sum->wrench, whole);
    for (int k = 0; k < 36 && sum->by_pose; k++) {
        double* by_pose = &sum->by_pose->m[k / 6][k % 6];
        *by_pose = share * *by_pose + whole[k / 6] * row[k % 6];
        sum->by_eta->m[k / 6][k % 6] *= share;
    }
    sum->wrench = elv_wrench_scale(share, sum->wrench);
}

// what is wet lifts beside the centre                                               [water (3)]
static void
add_righting(Sum* sum, const ElvFluidShape* shape, const ElvFluidNow* now, const ElvWet* wet) {
    double k = lift_of(shape, now);
    sum->wrench.mom = elv_vec3_add_scaled(sum->wrench.mom, k, wet->moment);
    if (sum->by_pose) {
        add_block(sum->by_pose, 0, 0, k, &wet->moment_by_turn);
        add_block(sum->by_pose, 0, 3, k, &wet->moment_by_move);
    }
}

// M (0; w - Omega x a) - ad_eta^T M b - ad_b^T M (eta - b)
static void
add_inertial(Sum* sum, const ElvInertia* M, ElvTwist eta, const Local* a, const Local* w) {
    ElvVec3 zero = elv_vec3(0.0, 0.0, 0.0);
    ElvTwist b = elv_twist(zero, a->value);
    ElvTwist rate = elv_twist(zero, elv_vec3_sub(w->value, elv_vec3_cross(eta.ang, a->value)));
    ElvWrench of_b = elv_inertia_apply(*M, b);
    ElvWrench of_zeta = elv_inertia_apply(*M, elv_twist_sub(eta, b));
    ElvWrench f = elv_inertia_apply(*M, rate);
    f = elv_wrench_sub(f, elv_twist_coad(eta, of_b));
    f = elv_wrench_sub(f, elv_twist_coad(b, of_zeta));
    sum->wrench = elv_wrench_add(sum->wrench, f);
    if (!sum->by_eta) {
        return;
    }
    ElvMat6 by_a = {{{0.0}}};
    ElvMat6 by_w = {{{0.0}}};
    for (int k = 0; k < 6; k++) {
        double unit[6] = {0.0};
        unit[k] = 1.0;
        ElvTwist e = elv_twist_from_array(unit);
        ElvWrench Me = elv_inertia_apply(*M, e);
        // by eta: -M (0; e x a) - ad_e^T M b - ad_b^T M e
        ElvTwist turned = elv_twist(zero, elv_vec3_cross(e.ang, a->value));
        add_column(sum->by_eta, k, -1.0, elv_inertia_apply(*M, turned));
        add_column(sum->by_eta, k, -1.0, elv_twist_coad(e, of_b));
        add_column(sum->by_eta, k, -1.0, elv_twist_coad(b, Me));
        if (k < 3) {
            continue;
        }
        // by a: -M (0; Omega x e) - ad_eta^T M e - ad_e^T M (eta - b) + ad_b^T M e
        turned = elv_twist(zero, elv_vec3_cross(eta.ang, e.lin));
        add_column(&by_a, k, -1.0, elv_inertia_apply(*M, turned));
        add_column(&by_a, k, -1.0, elv_twist_coad(eta, Me));
        add_column(&by_a, k, -1.0, elv_twist_coad(e, of_zeta));
        add_column(&by_a, k, 1.0, elv_twist_coad(b, Me));
        add_column(&by_w, k, 1.0, Me);
    }
    add_stream(&by_a, a, sum->by_pose);
    add_stream(&by_w, w, sum->by_pose);
}

ElvWrench elv_fluid_wrench(const ElvFluidShape* shape,
                           const ElvFluidNow* now,
                           const ElvPose* g,
                           ElvTwist eta,
                           ElvMat6* by_pose,
                           ElvMat6* by_eta) {
    ElvMat6 unused[2];
    bool is_varied = by_pose || by_eta;
    Sum sum = {elv_wrench_zero(), by_pose ? by_pose : &unused[0], by_eta ? by_eta : &unused[1]};
    if (is_varied) {
        memset(sum.by_pose, 0, sizeof *sum.by_pose);
        memset(sum.by_eta, 0, sizeof *sum.by_eta);
    } else {
        sum.by_pose = sum.by_eta = NULL;
    }
    ElvCurrent current = elv_fluid_current(now, elv_pose_apply(*g, shape->center));
    Local a = localize(g, shape->center, current.velocity, &current.gradient);
    Local w = localize(g, shape->center, current.acceleration, &current.rise);
    ElvWet wet = elv_fluid_wet(shape, now, g);
    if (wet.share > 0.0) {
        add_drag(&sum, shape, now->fluid->density, eta, &a);
        add_pressure(&sum, shape, now, g, &w);
        if (shape->is_resisted) {
            add_viscous(&sum, shape, eta, &a);
        }
        if (wet.is_cut) {
            dip(&sum, &wet);
            add_righting(&sum, shape, now, &wet);
        }
    }
    // at a stagnation point the current has no wrench, and a derivative
    if (now->fluid->is_field || elv_vec3_norm(a.value) > 0.0 || elv_vec3_norm(w.value) > 0.0) {
        add_inertial(&sum, &shape->added, eta, &a, &w);
    }
    return sum.wrench;
}

double elv_fluid_power(const ElvFluidShape* shape,
                       const ElvFluidNow* now,
                       const ElvPose* g,
                       ElvTwist eta) {
    ElvWrench F = elv_fluid_wrench(shape, now, g, eta, NULL, NULL);
    ElvWet wet = elv_fluid_wet(shape, now, g);
    ElvVec3 velocity = elv_vec3_add(eta.lin, elv_vec3_cross(eta.ang, shape->center));
    double rise = wet.share * elv_vec3_dot(wet.up, velocity) + elv_vec3_dot(wet.moment, eta.ang);
    return lift_of(shape, now) * rise - elv_power(eta, F);
}
