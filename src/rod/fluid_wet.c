// SPDX-License-Identifier: Apache-2.0
// What of a section or body is under water. With n the upward direction in its axes and c its
// centre, which rises by r = n . (d_x + d_theta x c):
//     section  a cell of rod, whose end rises over its middle by reach (e_x x n) . d_theta
//     hull     share v, moment m, waterplane of area a, moments s and T (fluid_hull.h):
//              delta v = -a r - (s x n) . d_theta,   delta m = -s r - T (n x d_theta)
//     other    a sphere of its volume
// Lift acts with v n at the centre and the moment m x n about it, of the potential -(n . m + h v),
// h the height of the centre.
#include "rod/fluid_wet.h"

#include "rod/fluid_hull.h"
#include "rod/fluid_surface.h"

#include <string.h>

// to += s a b^T
static void add_outer(ElvMat3* to, double s, ElvVec3 a, ElvVec3 b) {
    const double x[3] = {a.x, a.y, a.z};
    const double y[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 9; i++) {
        to->m[i / 3][i % 3] += s * x[i / 3] * y[i % 3];
    }
}

// a section's cell lifts beside its node where only one end is wet
static void wet_cell(const ElvFluidShape* shape, double height, ElvWet* wet) {
    ElvVec3 up = wet->up;
    ElvVec3 lean = elv_vec3(0.0, -up.z, up.y);
    ElvVec3 rise = elv_vec3_cross(shape->center, up);
    ElvDip dip = elv_surface_dip(shape->is_section, shape->radius, height, shape->reach * up.x);
    wet->is_cut = dip.share < 1.0;
    wet->share = dip.share;
    wet->integral = dip.integral;
    wet->by_move = elv_vec3_scale(dip.share_by_height, up);
    wet->by_turn = elv_vec3_add_scaled(elv_vec3_scale(dip.share_by_height, rise),
                                       shape->reach * dip.share_by_spread, lean);
    if (shape->reach == 0.0) {
        return;
    }
    wet->moment = elv_vec3_scale(shape->reach * dip.arm, lean);
    ElvMat3 turned = elv_mat3_mul(elv_mat3_hat(elv_vec3(1.0, 0.0, 0.0)), elv_mat3_hat(up));
    wet->moment_by_turn = elv_mat3_scale(shape->reach * dip.arm, turned);
    add_outer(&wet->moment_by_turn, shape->reach * dip.share_by_spread, lean, rise);
    add_outer(&wet->moment_by_turn, shape->reach * shape->reach * dip.arm_by_spread, lean, lean);
    add_outer(&wet->moment_by_move, shape->reach * dip.share_by_spread, lean, up);
}

// from the axes of the hull to those of the body
static ElvClip clip_at(const ElvFluidShape* shape, ElvVec3 up, double height) {
    ElvMat3 Q = shape->hull_axes;
    ElvClip clip =
        elv_hull_clip(shape->hull, shape->hull_size, elv_mat3_apply_transpose(Q, up), height);
    clip.moment = elv_mat3_apply(Q, clip.moment);
    clip.lever = elv_mat3_apply(Q, clip.lever);
    clip.spread = elv_mat3_mul(elv_mat3_mul(Q, clip.spread), elv_mat3_transpose(Q));
    return clip;
}

static void wet_hull(const ElvFluidShape* shape, double height, ElvWet* wet) {
    ElvVec3 up = wet->up;
    ElvVec3 rise = elv_vec3_cross(shape->center, up);
    ElvClip clip = clip_at(shape, up, height);
    ElvVec3 side = elv_vec3_cross(up, clip.lever);
    ElvMat3 n = elv_mat3_hat(up);
    wet->is_cut = clip.share < 1.0 || clip.area > 0.0;
    wet->share = clip.share;
    wet->integral = -elv_vec3_dot(up, clip.moment) - height * clip.share;
    wet->by_move = elv_vec3_scale(-clip.area, up);
    wet->by_turn = elv_vec3_add_scaled(side, -clip.area, rise);
    // n x (s r + T (n x d_theta)) + m x (n x d_theta)
    wet->moment = elv_vec3_cross(clip.moment, up);
    wet->moment_by_turn = elv_mat3_mul(elv_mat3_mul(n, clip.spread), n);
    wet->moment_by_turn =
        elv_mat3_add(wet->moment_by_turn, elv_mat3_mul(elv_mat3_hat(clip.moment), n));
    add_outer(&wet->moment_by_turn, 1.0, side, rise);
    add_outer(&wet->moment_by_move, 1.0, side, up);
}

ElvWet elv_fluid_wet(const ElvFluidShape* shape, const ElvFluidNow* now, const ElvPose* g) {
    const ElvFluid* fluid = now->fluid;
    ElvVec3 x = elv_vec3_add(now->origin, elv_pose_apply(*g, shape->center));
    double height = elv_vec3_dot(fluid->up, x) - (fluid->has_surface ? fluid->surface : 0.0);
    ElvWet wet;
    memset(&wet, 0, sizeof wet);
    wet.share = 1.0;
    wet.integral = -height;
    wet.up = elv_mat3_apply_transpose(g->R, fluid->up);
    if (!fluid->has_surface || shape->radius <= 0.0) {
        return wet;
    }
    if (elv_hull_is_clipped(shape->hull)) {
        wet_hull(shape, height, &wet);
    } else {
        wet_cell(shape, height, &wet);
    }
    return wet;
}

double elv_fluid_potential(const ElvFluidShape* shape, const ElvFluidNow* now, const ElvPose* g) {
    const ElvFluid* fluid = now->fluid;
    if (shape->volume == 0.0 || fluid->gravity == 0.0) {
        return 0.0;
    }
    return fluid->density * shape->volume * fluid->gravity * elv_fluid_wet(shape, now, g).integral;
}
