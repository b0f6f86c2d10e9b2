// SPDX-License-Identifier: Apache-2.0
// A Runge-Kutta step over an element of a rod in a vector space, and its tangent: position p, quaternion h of any
// length, force n and moment m in global axes; velocities in section axes,
//     p' = R Gamma,   h' = 1/2 h (0, K),   n' = R f_n,   m' = R f_m - p' x n,   R = R(h / |h|)
// with (f_m; f_n) = M eta_dot - ad_eta^T M eta - F. A quaternion enters only by its direction and its equation is
// linear, so each element starts with one of unit length: that changes no number but by rounding.
#include "strong/till.h"

/// What is integrated in the vector space.
typedef struct {
    ElvVec3 p;
    ElvQuat h;
    ElvTwist eta;
    ElvVec3 m, n;
} Vector;

static ElvQuat quat_add_scaled(ElvQuat a, double x, ElvQuat b) {
    return elv_quat(a.w + x * b.w, a.x + x * b.x, a.y + x * b.y, a.z + x * b.z);
}

static Vector add_scaled(const Vector* a, double x, const Vector* b) {
    Vector sum = {elv_vec3_add_scaled(a->p, x, b->p), quat_add_scaled(a->h, x, b->h),
                  elv_twist_add_scaled(a->eta, x, b->eta), elv_vec3_add_scaled(a->m, x, b->m),
                  elv_vec3_add_scaled(a->n, x, b->n)};
    return sum;
}

/// A stage, and what its tangent reads.
typedef struct {
    const ElvFiniteStation* station;
    ElvFinitePoint point; // pose and wrench as the section sees them
    ElvFiniteSlope slope;
    Vector at, rate;
    ElvWrench f; // what Lambda' has beside ad_xi^T Lambda, section axes
} Stage;

// variation of R^T x: R^T d_x - theta x (R^T x)
static ElvVec3 see_vary(const ElvMat3* R, ElvVec3 theta, ElvVec3 x, ElvVec3 d_x) {
    ElvVec3 y = elv_mat3_apply_transpose(*R, x);
    return elv_vec3_sub(elv_mat3_apply_transpose(*R, d_x), elv_vec3_cross(theta, y));
}

// variation of R x: R (d_x + theta x x)
static ElvVec3 turn_vary(const ElvMat3* R, ElvVec3 theta, ElvVec3 x, ElvVec3 d_x) {
    return elv_mat3_apply(*R, elv_vec3_add(d_x, elv_vec3_cross(theta, x)));
}

static ElvFinitePoint see(const ElvMat3* R_0, const Vector* y) {
    ElvMat3 R = elv_mat3_mul(*R_0, elv_quat_to_matrix(elv_quat_normalize(y->h)));
    ElvFinitePoint point = {
        elv_pose(R, y->p), y->eta,
        elv_wrench(elv_mat3_apply_transpose(R, y->m), elv_mat3_apply_transpose(R, y->n))};
    return point;
}

// 1/2 h (0, K)
static ElvQuat quat_rate(ElvQuat h, ElvVec3 K) {
    return elv_quat_rate(h, K);
}

static ElvStatus set_rate(const ElvFiniteGrid* grid,
                          const ElvStrongRod* strong,
                          const ElvMat3* R_0,
                          bool with_tangent,
                          Stage* stage) {
    stage->point = see(R_0, &stage->at);
    ElvStatus status =
        elv_finite_slope(grid, strong, stage->station, &stage->point, with_tangent, &stage->slope);
    if (status != ELV_OK) {
        return status;
    }
    const ElvMat3* R = &stage->point.g.R;
    ElvTwist xi = stage->slope.xi;
    stage->f = elv_wrench_sub(stage->slope.lam, elv_twist_coad(xi, stage->point.lam));
    stage->rate.p = elv_mat3_apply(*R, xi.lin);
    stage->rate.h = quat_rate(stage->at.h, xi.ang);
    stage->rate.eta = stage->slope.eta;
    stage->rate.n = elv_mat3_apply(*R, stage->f.frc);
    stage->rate.m =
        elv_vec3_sub(elv_mat3_apply(*R, stage->f.mom), elv_vec3_cross(stage->rate.p, stage->at.n));
    return ELV_OK;
}

// body rotation by which a quaternion of any length turns
static ElvVec3 rotation(ElvQuat h, ElvQuat d_h) {
    double square = h.w * h.w + h.x * h.x + h.y * h.y + h.z * h.z;
    ElvQuat x = elv_quat_mul(elv_quat(h.w, -h.x, -h.y, -h.z), d_h);
    return elv_vec3_scale(2.0 / square, elv_vec3(x.x, x.y, x.z));
}

// variation of the rate of a stage
static Vector
vary_rate(const ElvFiniteGrid* grid, const Stage* stage, ElvVec3 turned, const Vector* d) {
    const ElvMat3* R = &stage->point.g.R;
    const Vector* at = &stage->at;
    // the whole has turned before the element, and the element within
    ElvMat3 local = elv_quat_to_matrix(elv_quat_normalize(at->h));
    ElvVec3 theta = elv_vec3_add(elv_mat3_apply_transpose(local, turned), rotation(at->h, d->h));
    ElvFiniteVariation seen = {
        elv_twist(theta, elv_vec3(0.0, 0.0, 0.0)), d->eta,
        elv_wrench(see_vary(R, theta, at->m, d->m), see_vary(R, theta, at->n, d->n))};
    ElvFiniteSlopeVariation v =
        elv_finite_slope_variation(grid, stage->station, &stage->point, &stage->slope, &seen);
    ElvWrench d_f =
        elv_wrench_sub(v.lam, elv_wrench_add(elv_twist_coad(v.xi, stage->point.lam),
                                             elv_twist_coad(stage->slope.xi, seen.lam)));
    Vector rate;
    rate.p = turn_vary(R, theta, stage->slope.xi.lin, v.xi.lin);
    rate.h = quat_add_scaled(quat_rate(d->h, stage->slope.xi.ang), 1.0, quat_rate(at->h, v.xi.ang));
    rate.eta = v.eta;
    rate.n = turn_vary(R, theta, stage->f.frc, d_f.frc);
    rate.m = elv_vec3_sub(
        turn_vary(R, theta, stage->f.mom, d_f.mom),
        elv_vec3_add(elv_vec3_cross(rate.p, at->n), elv_vec3_cross(stage->rate.p, d->n)));
    return rate;
}

// one column through all stages, from section axes to section axes
static void vary(const ElvFiniteGrid* grid,
                 double ds,
                 const ElvFinitePoint* start,
                 const Stage* stage,
                 const Vector* end,
                 ElvFiniteVariation* d) {
    const ElvRungeTable* table = grid->table;
    const ElvMat3* R_0 = &start->g.R;
    ElvVec3 turned = d->zeta.ang;
    Vector first = {elv_mat3_apply(*R_0, d->zeta.lin), elv_quat(0.0, 0.0, 0.0, 0.0), d->eta,
                    turn_vary(R_0, turned, start->lam.mom, d->lam.mom),
                    turn_vary(R_0, turned, start->lam.frc, d->lam.frc)};
    Vector sum = first;
    Vector rate = {elv_vec3(0.0, 0.0, 0.0), elv_quat(0.0, 0.0, 0.0, 0.0), elv_twist_zero(),
                   elv_vec3(0.0, 0.0, 0.0), elv_vec3(0.0, 0.0, 0.0)};
    for (int i = 0; i < table->n_stage; i++) {
        Vector at = add_scaled(&first, ds * table->a[i], &rate);
        rate = vary_rate(grid, &stage[i], turned, &at);
        sum = add_scaled(&sum, ds * table->b[i], &rate);
    }
    ElvFinitePoint seen = see(R_0, end);
    ElvMat3 local = elv_quat_to_matrix(elv_quat_normalize(end->h));
    d->zeta.ang = elv_vec3_add(elv_mat3_apply_transpose(local, turned), rotation(end->h, sum.h));
    d->zeta.lin = elv_mat3_apply_transpose(seen.g.R, sum.p);
    d->eta = sum.eta;
    d->lam = elv_wrench(see_vary(&seen.g.R, d->zeta.ang, end->m, sum.m),
                        see_vary(&seen.g.R, d->zeta.ang, end->n, sum.n));
}

ElvStatus elv_till_element(const ElvFiniteGrid* grid,
                           const ElvFinitePiece* piece,
                           int i_element,
                           ElvFinitePoint* point,
                           int n_column,
                           ElvFiniteVariation* column) {
    const ElvRungeTable* table = grid->table;
    const ElvFiniteStation* first = elv_finite_node(grid, piece, i_element);
    const ElvFinitePoint start = *point;
    const ElvMat3* R_0 = &start.g.R;
    Stage stage[ELV_FINITE_STAGES];
    Vector y = {start.g.p, elv_quat_identity(), start.eta, elv_mat3_apply(*R_0, start.lam.mom),
                elv_mat3_apply(*R_0, start.lam.frc)};
    Vector sum = y;
    for (int i = 0; i < table->n_stage; i++) {
        stage[i].station = first + table->at[i];
        stage[i].slope.xi = i > 0 ? stage[i - 1].slope.xi : stage[i].station->at.xi_o;
        stage[i].at = i > 0 ? add_scaled(&y, piece->ds * table->a[i], &stage[i - 1].rate) : y;
        ElvStatus status = set_rate(grid, &piece->link->strong, R_0, n_column > 0, &stage[i]);
        if (status != ELV_OK) {
            return status;
        }
        sum = add_scaled(&sum, piece->ds * table->b[i], &stage[i].rate);
    }
    for (int i = 0; i < n_column; i++) {
        vary(grid, piece->ds, &start, stage, &sum, &column[i]);
    }
    *point = see(R_0, &sum);
    return ELV_OK;
}
