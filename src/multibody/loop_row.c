// SPDX-License-Identifier: Apache-2.0
// The rows of a loop: what each measures of the relative motion of its sides, the component of the wrench
// along it, and the variations of both.
//
// All is made of vectors fixed to a side, u_dot = omega x u, and of the point p_2 seen from p_1. A turn is
// measured by a sine (half the difference of two dot products), which vanishes with it and needs no
// logarithm [P23 (36)-(38)]. Beyond a right angle two less the sine takes its place, so that a joint which is
// upside down is not closed.
#include "multibody/loop.h"

#include "joint/rotation_spring.h"

#include <math.h>

/// A vector and its time derivatives.
typedef struct {
    ElvVec3 x, d, dd;
} Jet3;

/// A variation of a vector and of its time derivative.
typedef struct {
    ElvVec3 x, d;
} Vary3;

bool elv_loop_row_holds(const ElvLoopRow* row) {
    switch (row->kind) {
    case ELV_ROW_SHIFT:
    case ELV_ROW_TURN:
    case ELV_ROW_TWIST:
        return true;
    case ELV_ROW_SLIDE:
    case ELV_ROW_PIVOT:
        return row->is_driven;
    default:
        return false;
    }
}

// ---- vectors in motion

// a vector fixed to a side
static Jet3 fixed_vector(const ElvMotion* side, ElvVec3 u) {
    Jet3 j;
    j.x = elv_mat3_apply(side->g.R, u);
    j.d = elv_vec3_cross(side->V.ang, j.x);
    j.dd = elv_vec3_add(elv_vec3_cross(side->A.ang, j.x), elv_vec3_cross(side->V.ang, j.d));
    return j;
}

// the origin of a side
static Jet3 origin_of(const ElvMotion* side) {
    Jet3 j;
    j.x = side->g.p;
    j.d = elv_vec3_add(side->V.lin, elv_vec3_cross(side->V.ang, j.x));
    j.dd = elv_vec3_add(side->A.lin, elv_vec3_add(elv_vec3_cross(side->A.ang, j.x),
                                                  elv_vec3_cross(side->V.ang, j.d)));
    return j;
}

// the second origin seen from the first
static Jet3 separation(const ElvLoopSides* sides) {
    Jet3 a = origin_of(&sides->side[0]);
    Jet3 b = origin_of(&sides->side[1]);
    return (Jet3){elv_vec3_sub(b.x, a.x), elv_vec3_sub(b.d, a.d), elv_vec3_sub(b.dd, a.dd)};
}

static ElvJet dot(const Jet3* a, const Jet3* b) {
    ElvJet j;
    j.v = elv_vec3_dot(a->x, b->x);
    j.d = elv_vec3_dot(a->d, b->x) + elv_vec3_dot(a->x, b->d);
    j.dd = elv_vec3_dot(a->dd, b->x) + 2.0 * elv_vec3_dot(a->d, b->d) + elv_vec3_dot(a->x, b->dd);
    return j;
}

static ElvJet loop_dot(const ElvLoopDot* pair, const ElvLoopSides* sides) {
    Jet3 u = fixed_vector(&sides->side[0], pair->u);
    Jet3 w = fixed_vector(&sides->side[1], pair->w);
    return dot(&u, &w);
}

// ---- their variations

static Vary3 vary_vector(const ElvMotion* side, ElvTwist Z, ElvTwist d_V, const Jet3* u) {
    Vary3 v;
    v.x = elv_vec3_cross(Z.ang, u->x);
    v.d = elv_vec3_add(elv_vec3_cross(d_V.ang, u->x), elv_vec3_cross(side->V.ang, v.x));
    return v;
}

static Vary3 vary_origin(const ElvMotion* side, ElvTwist Z, ElvTwist d_V) {
    Vary3 v;
    v.x = elv_vec3_add(Z.lin, elv_vec3_cross(Z.ang, side->g.p));
    v.d = elv_vec3_add(d_V.lin, elv_vec3_add(elv_vec3_cross(d_V.ang, side->g.p),
                                             elv_vec3_cross(side->V.ang, v.x)));
    return v;
}

static Vary3 vary_separation(const ElvLoopSides* sides, const ElvLoopVariation* v) {
    Vary3 a = vary_origin(&sides->side[0], v->Z[0], v->d_V[0]);
    Vary3 b = vary_origin(&sides->side[1], v->Z[1], v->d_V[1]);
    return (Vary3){elv_vec3_sub(b.x, a.x), elv_vec3_sub(b.d, a.d)};
}

static void
vary_dot(const Jet3* a, const Vary3* d_a, const Jet3* b, const Vary3* d_b, double d[2]) {
    d[0] = elv_vec3_dot(d_a->x, b->x) + elv_vec3_dot(a->x, d_b->x);
    d[1] = elv_vec3_dot(d_a->d, b->x) + elv_vec3_dot(a->d, d_b->x) + elv_vec3_dot(d_a->x, b->d) +
           elv_vec3_dot(a->x, d_b->d);
}

static void vary_loop_dot(const ElvLoopDot* pair,
                          const ElvLoopSides* sides,
                          const ElvLoopVariation* v,
                          double d[2]) {
    Jet3 u = fixed_vector(&sides->side[0], pair->u);
    Jet3 w = fixed_vector(&sides->side[1], pair->w);
    Vary3 d_u = vary_vector(&sides->side[0], v->Z[0], v->d_V[0], &u);
    Vary3 d_w = vary_vector(&sides->side[1], v->Z[1], v->d_V[1], &w);
    vary_dot(&u, &d_u, &w, &d_w, d);
}

// ---- what rows measure

// square of what is seen of a turning vector; below 1e-30 rounding alone gives it a direction, and nothing turns it
static double seen(double x, double y) {
    double r2 = x * x + y * y;
    return r2 < 1e-30 ? INFINITY : r2;
}

static ElvJet angle_of(const ElvLoopRow* row, const ElvLoopSides* sides) {
    ElvJet y = loop_dot(&row->dot[0], sides);
    ElvJet x = loop_dot(&row->dot[1], sides);
    double r2 = seen(x.v, y.v);
    ElvJet j;
    j.v = isfinite(r2) ? atan2(y.v, x.v) : 0.0;
    j.d = (x.v * y.d - y.v * x.d) / r2;
    j.dd = (x.v * y.dd - y.v * x.dd - 2.0 * j.d * (x.v * x.d + y.v * y.d)) / r2;
    return j;
}

static void vary_angle(const ElvLoopRow* row,
                       const ElvLoopSides* sides,
                       const ElvLoopVariation* v,
                       double d[2]) {
    ElvJet y = loop_dot(&row->dot[0], sides);
    ElvJet x = loop_dot(&row->dot[1], sides);
    double dy[2], dx[2];
    vary_loop_dot(&row->dot[0], sides, v, dy);
    vary_loop_dot(&row->dot[1], sides, v, dx);
    double r2 = seen(x.v, y.v);
    double rate = (x.v * y.d - y.v * x.d) / r2;
    d[0] = (x.v * dy[0] - y.v * dx[0]) / r2;
    d[1] = (dx[0] * y.d + x.v * dy[1] - dy[0] * x.d - y.v * dx[1] -
            2.0 * rate * (x.v * dx[0] + y.v * dy[0])) /
           r2;
}

static double weigh(const double coefficient[6], ElvTwist eta) {
    double x[6];
    double sum = 0.0;
    elv_twist_to_array(eta, x);
    for (int k = 0; k < 6; k++) {
        sum += coefficient[k] * x[k];
    }
    return sum;
}

// coefficient . eta_rel, in the axes of the second side
static ElvJet relative_twist(const ElvLoopRow* row, const ElvLoopSides* sides) {
    const ElvMotion* a = &sides->side[0];
    const ElvMotion* b = &sides->side[1];
    ElvTwist V = elv_twist_sub(b->V, a->V);
    ElvTwist A = elv_twist_add(elv_twist_sub(b->A, a->A), elv_twist_bracket(b->V, a->V));
    ElvJet j = {0.0, weigh(row->coefficient, elv_twist_transform_inv(b->g, V)),
                weigh(row->coefficient, elv_twist_transform_inv(b->g, A))};
    return j;
}

static double
vary_relative_twist(const ElvLoopRow* row, const ElvLoopSides* sides, const ElvLoopVariation* v) {
    const ElvMotion* b = &sides->side[1];
    ElvTwist d_V = elv_twist_sub(v->d_V[1], v->d_V[0]);
    // and the axes turn with the second side
    ElvTwist V = elv_twist_sub(b->V, sides->side[0].V);
    d_V = elv_twist_sub(d_V, elv_twist_bracket(v->Z[1], V));
    return weigh(row->coefficient, elv_twist_transform_inv(b->g, d_V));
}

// orientation of the second side in the first
static ElvMat3 relative_turn(const ElvLoopSides* sides) {
    return elv_mat3_mul(elv_mat3_transpose(sides->side[0].g.R), sides->side[1].g.R);
}

// rotation vector and relative angular velocity about an axis
static ElvJet spin_of(const ElvLoopRow* row, const ElvLoopSides* sides) {
    Jet3 axis = fixed_vector(&sides->side[row->side], row->axis);
    ElvVec3 w = elv_vec3_sub(sides->side[1].V.ang, sides->side[0].V.ang);
    ElvVec3 a = elv_vec3_sub(sides->side[1].A.ang, sides->side[0].A.ang);
    ElvJet j;
    j.v = elv_vec3_dot(row->axis, elv_so3_log(relative_turn(sides)));
    j.d = elv_vec3_dot(axis.x, w);
    j.dd = elv_vec3_dot(axis.d, w) + elv_vec3_dot(axis.x, a);
    return j;
}

static double
vary_spin(const ElvLoopRow* row, const ElvLoopSides* sides, const ElvLoopVariation* v) {
    const ElvMotion* side = &sides->side[row->side];
    Jet3 axis = fixed_vector(side, row->axis);
    Vary3 d_axis = vary_vector(side, v->Z[row->side], v->d_V[row->side], &axis);
    ElvVec3 w = elv_vec3_sub(sides->side[1].V.ang, sides->side[0].V.ang);
    ElvVec3 d_w = elv_vec3_sub(v->d_V[1].ang, v->d_V[0].ang);
    return elv_vec3_dot(d_axis.x, w) + elv_vec3_dot(axis.x, d_w);
}

// the factor of a turn, with the other sign beyond a right angle
static double turn_factor(const ElvLoopRow* row, const ElvLoopSides* sides) {
    double cosine = 0.0;
    for (int i = 0; i < 2 && row->is_sine; i++) {
        cosine += elv_vec3_dot(elv_mat3_apply(sides->side[0].g.R, row->dot[i].w),
                               elv_mat3_apply(sides->side[1].g.R, row->dot[i].w));
    }
    return cosine < 0.0 ? -row->factor : row->factor;
}

static ElvJet turn_of(const ElvLoopRow* row, const ElvLoopSides* sides) {
    ElvJet a = loop_dot(&row->dot[0], sides);
    ElvJet b = loop_dot(&row->dot[1], sides);
    double factor = turn_factor(row, sides);
    ElvJet j = {factor * (a.v - b.v) - row->value, factor * (a.d - b.d), factor * (a.dd - b.dd)};
    if (factor != row->factor) {
        j.v += j.v > 0.0 ? -2.0 : 2.0;
    }
    return j;
}

static ElvJet shift_of(const ElvLoopRow* row, const ElvLoopSides* sides) {
    Jet3 axis = fixed_vector(&sides->side[0], row->axis);
    Jet3 s = separation(sides);
    return dot(&axis, &s);
}

ElvJet elv_loop_row_motion(const ElvLoopRow* row, const ElvLoopSides* sides) {
    switch (row->kind) {
    case ELV_ROW_SHIFT:
    case ELV_ROW_SLIDE:
        return shift_of(row, sides);
    case ELV_ROW_TURN:
        return turn_of(row, sides);
    case ELV_ROW_PIVOT:
        return angle_of(row, sides);
    case ELV_ROW_BALL:
        return spin_of(row, sides);
    case ELV_ROW_TWIST:
        return relative_twist(row, sides);
    default:
        return (ElvJet){0.0, 0.0, 0.0};
    }
}

void elv_loop_row_vary(const ElvLoopRow* row,
                       const ElvLoopSides* sides,
                       const ElvLoopVariation* variation,
                       double d[2]) {
    d[0] = d[1] = 0.0;
    switch (row->kind) {
    case ELV_ROW_SHIFT:
    case ELV_ROW_SLIDE: {
        Jet3 axis = fixed_vector(&sides->side[0], row->axis);
        Jet3 s = separation(sides);
        Vary3 d_axis = vary_vector(&sides->side[0], variation->Z[0], variation->d_V[0], &axis);
        Vary3 d_s = vary_separation(sides, variation);
        vary_dot(&axis, &d_axis, &s, &d_s, d);
        break;
    }
    case ELV_ROW_TURN: {
        double a[2], b[2];
        vary_loop_dot(&row->dot[0], sides, variation, a);
        vary_loop_dot(&row->dot[1], sides, variation, b);
        double factor = turn_factor(row, sides);
        d[0] = factor * (a[0] - b[0]);
        d[1] = factor * (a[1] - b[1]);
        break;
    }
    case ELV_ROW_PIVOT:
        vary_angle(row, sides, variation, d);
        break;
    case ELV_ROW_BALL:
        d[1] = vary_spin(row, sides, variation);
        break;
    case ELV_ROW_TWIST:
        d[1] = vary_relative_twist(row, sides, variation);
        break;
    default:
        break;
    }
}

// ---- the spring of a spherical joint

double elv_loop_ball_energy(const ElvLoop* loop, const ElvLoopSides* sides) {
    double moment[3] = {0.0};
    return elv_rotation_spring(loop->ball, elv_quat_from_matrix(relative_turn(sides)), moment);
}

double elv_loop_ball_moment(const ElvLoop* loop, const ElvLoopRow* row, const ElvLoopSides* sides) {
    double moment[3] = {0.0};
    (void)elv_rotation_spring(loop->ball, elv_quat_from_matrix(relative_turn(sides)), moment);
    return elv_vec3_dot(row->axis, elv_vec3(moment[0], moment[1], moment[2]));
}

double elv_loop_vary_ball_moment(const ElvLoop* loop,
                                 const ElvLoopRow* row,
                                 const ElvLoopSides* sides,
                                 const ElvLoopVariation* v) {
    double K[9] = {0.0};
    elv_rotation_spring_tangent(loop->ball, elv_quat_from_matrix(relative_turn(sides)), 3, K);
    // the second side turns in the first
    ElvVec3 u =
        elv_mat3_apply_transpose(sides->side[1].g.R, elv_vec3_sub(v->Z[1].ang, v->Z[0].ang));
    ElvVec3 moment =
        elv_vec3(K[0] * u.x + K[1] * u.y + K[2] * u.z, K[3] * u.x + K[4] * u.y + K[5] * u.z,
                 K[6] * u.x + K[7] * u.y + K[8] * u.z);
    return -elv_vec3_dot(row->axis, moment);
}

// ---- the wrench along rows

// moment of the wrench about the second origin
static ElvVec3 moment_at(const ElvLoopSides* sides) {
    return elv_vec3_sub(sides->W.mom, elv_vec3_cross(sides->side[1].g.p, sides->W.frc));
}

// what a held turn grows with: its gradient by turns of the second side
static ElvVec3 turn_axis(const ElvLoopRow* row, const ElvLoopSides* sides) {
    ElvVec3 sum = elv_vec3(0.0, 0.0, 0.0);
    double factor = turn_factor(row, sides);
    for (int i = 0; i < 2; i++) {
        ElvVec3 u = elv_mat3_apply(sides->side[0].g.R, row->dot[i].u);
        ElvVec3 w = elv_mat3_apply(sides->side[1].g.R, row->dot[i].w);
        sum = elv_vec3_add_scaled(sum, i == 0 ? factor : -factor, elv_vec3_cross(w, u));
    }
    return sum;
}

static ElvVec3
vary_turn_axis(const ElvLoopRow* row, const ElvLoopSides* sides, const ElvLoopVariation* v) {
    ElvVec3 sum = elv_vec3(0.0, 0.0, 0.0);
    double factor = turn_factor(row, sides);
    for (int i = 0; i < 2; i++) {
        ElvVec3 u = elv_mat3_apply(sides->side[0].g.R, row->dot[i].u);
        ElvVec3 w = elv_mat3_apply(sides->side[1].g.R, row->dot[i].w);
        ElvVec3 d = elv_vec3_add(elv_vec3_cross(elv_vec3_cross(v->Z[1].ang, w), u),
                                 elv_vec3_cross(w, elv_vec3_cross(v->Z[0].ang, u)));
        sum = elv_vec3_add_scaled(sum, i == 0 ? factor : -factor, d);
    }
    return sum;
}

// the direction in which a row meets the wrench
static ElvVec3 axis_of(const ElvLoopRow* row, const ElvLoopSides* sides) {
    return row->kind == ELV_ROW_TURN ? turn_axis(row, sides)
                                     : elv_mat3_apply(sides->side[row->side].g.R, row->axis);
}

static bool is_along_force(const ElvLoopRow* row) {
    return row->kind == ELV_ROW_SHIFT || row->kind == ELV_ROW_SLIDE;
}

double elv_loop_row_wrench(const ElvLoopRow* row, const ElvLoopSides* sides) {
    if (row->kind == ELV_ROW_TWIST || row->kind == ELV_ROW_IDLE) {
        ElvWrench F = elv_wrench_transform_inv(sides->side[1].g, sides->W);
        return weigh(row->coefficient, elv_twist(F.mom, F.frc));
    }
    return elv_vec3_dot(axis_of(row, sides), is_along_force(row) ? sides->W.frc : moment_at(sides));
}

double elv_loop_row_vary_wrench(const ElvLoopRow* row,
                                const ElvLoopSides* sides,
                                const ElvLoopVariation* v) {
    const ElvMotion* second = &sides->side[1];
    if (row->kind == ELV_ROW_TWIST || row->kind == ELV_ROW_IDLE) {
        ElvWrench d_W = elv_wrench_add(v->d_W, elv_twist_coad(v->Z[1], sides->W));
        ElvWrench d_F = elv_wrench_transform_inv(second->g, d_W);
        return weigh(row->coefficient, elv_twist(d_F.mom, d_F.frc));
    }
    ElvVec3 axis = axis_of(row, sides);
    ElvVec3 d_axis = row->kind == ELV_ROW_TURN ? vary_turn_axis(row, sides, v)
                                               : elv_vec3_cross(v->Z[row->side].ang, axis);
    if (is_along_force(row)) {
        return elv_vec3_dot(d_axis, sides->W.frc) + elv_vec3_dot(axis, v->d_W.frc);
    }
    Vary3 d_p = vary_origin(second, v->Z[1], v->d_V[1]);
    ElvVec3 d_m = elv_vec3_sub(v->d_W.mom, elv_vec3_cross(d_p.x, sides->W.frc));
    d_m = elv_vec3_sub(d_m, elv_vec3_cross(second->g.p, v->d_W.frc));
    return elv_vec3_dot(d_axis, moment_at(sides)) + elv_vec3_dot(axis, d_m);
}
