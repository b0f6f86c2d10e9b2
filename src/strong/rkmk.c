// SPDX-License-Identifier: Apache-2.0
// A Runge-Kutta-Munthe-Kaas step over an element of a rod, and its tangent. Twists and wrenches are vectors;
// poses are charted from the start of the element, g = g_0 exp(u) with u' = T(u)^-1 xi, so that
//     u_i = ds a_i k_(i-1),   k_i = T(u_i)^-1 xi_i,   g_1 = g_0 exp(ds sum b_i k_i),
// where T^-1 is the inverse of the tangent map itself (dexp^-1), not a series. The paper prints exp(v) g; g' = g
// hat(f) wants the order here.
#include "strong/rkmk.h"

/// A stage: where it is, its slopes, and the maps of its chart.
typedef struct {
    const ElvFiniteStation* station;
    ElvFinitePoint point;
    ElvFiniteSlope slope;
    ElvTwist u, k;
    ElvMat6 T_inv; // T(u)^-1
} Stage;

static ElvStatus set_stage(const ElvFiniteGrid* grid,
                           const ElvStrongRod* strong,
                           const ElvFinitePoint* start,
                           const Stage* before,
                           double h,
                           bool with_tangent,
                           Stage* stage) {
    stage->point = *start;
    stage->u = elv_twist_zero();
    stage->slope.xi = before ? before->slope.xi : stage->station->at.xi_o;
    if (before) {
        stage->u = elv_twist_scale(h, before->k);
        stage->point.g = elv_pose_compose(start->g, elv_se3_exp(stage->u));
        stage->point.eta = elv_twist_add_scaled(start->eta, h, before->slope.eta);
        stage->point.lam = elv_wrench_add_scaled(start->lam, h, before->slope.lam);
    }
    ElvStatus status =
        elv_finite_slope(grid, strong, stage->station, &stage->point, with_tangent, &stage->slope);
    if (status != ELV_OK) {
        return status;
    }
    stage->k = stage->slope.xi;
    if (before) {
        stage->T_inv = elv_se3_tangent_inv(stage->u);
        stage->k = elv_mat6_apply(stage->T_inv, stage->slope.xi);
    }
    return ELV_OK;
}

/// How poses vary with a stage: zeta_i = Ad_(exp u)^-1 zeta_0 + T d_u, d_k = T^-1 d_xi + D d_u.
typedef struct {
    ElvPose exp;
    ElvMat6 T, D;
} Chart;

static Chart chart_of(ElvTwist u, ElvTwist xi) {
    Chart chart = {elv_se3_exp(u), elv_se3_tangent(u), elv_se3_tangent_inv_diff(u, xi)};
    return chart;
}

static ElvTwist turn(const Chart* chart, ElvTwist zeta, ElvTwist d_u) {
    return elv_twist_add(elv_twist_transform_inv(chart->exp, zeta), elv_mat6_apply(chart->T, d_u));
}

// one column through all stages; with poses where something depends on them
static void vary(const ElvFiniteGrid* grid,
                 double ds,
                 const Stage* stage,
                 const Chart* chart,
                 const Chart* end,
                 ElvFiniteVariation* d) {
    const ElvRungeTable* table = grid->table;
    ElvFiniteVariation sum = *d;
    ElvFiniteSlopeVariation v = {elv_twist_zero(), elv_twist_zero(), elv_wrench_zero()};
    ElvTwist d_k = elv_twist_zero();
    ElvTwist d_v = elv_twist_zero();
    for (int i = 0; i < table->n_stage; i++) {
        double h = ds * table->a[i];
        ElvFiniteVariation at = {d->zeta, elv_twist_add_scaled(d->eta, h, v.eta),
                                 elv_wrench_add_scaled(d->lam, h, v.lam)};
        ElvTwist d_u = elv_twist_scale(h, d_k);
        if (grid->needs_pose && i > 0) {
            at.zeta = turn(&chart[i], d->zeta, d_u);
        }
        v = elv_finite_slope_variation(grid, stage[i].station, &stage[i].point, &stage[i].slope,
                                       &at);
        sum.eta = elv_twist_add_scaled(sum.eta, ds * table->b[i], v.eta);
        sum.lam = elv_wrench_add_scaled(sum.lam, ds * table->b[i], v.lam);
        if (grid->needs_pose) {
            d_k = v.xi;
            if (i > 0) {
                d_k = elv_twist_add(elv_mat6_apply(stage[i].T_inv, v.xi),
                                    elv_mat6_apply(chart[i].D, d_u));
            }
            d_v = elv_twist_add_scaled(d_v, ds * table->b[i], d_k);
        }
    }
    if (grid->needs_pose) {
        sum.zeta = turn(end, d->zeta, d_v);
    }
    *d = sum;
}

ElvStatus elv_rkmk_element(const ElvFiniteGrid* grid,
                           const ElvFinitePiece* piece,
                           int i_element,
                           ElvFinitePoint* point,
                           int n_column,
                           ElvFiniteVariation* column) {
    const ElvRungeTable* table = grid->table;
    const ElvFiniteStation* first = elv_finite_node(grid, piece, i_element);
    Stage stage[ELV_FINITE_STAGES];
    Chart chart[ELV_FINITE_STAGES], end;
    ElvFinitePoint sum = *point;
    ElvTwist v = elv_twist_zero();
    double ds = piece->ds;
    for (int i = 0; i < table->n_stage; i++) {
        stage[i].station = first + table->at[i];
        ElvStatus status =
            set_stage(grid, &piece->link->strong, point, i > 0 ? &stage[i - 1] : NULL,
                      ds * table->a[i], n_column > 0, &stage[i]);
        if (status != ELV_OK) {
            return status;
        }
        v = elv_twist_add_scaled(v, ds * table->b[i], stage[i].k);
        sum.eta = elv_twist_add_scaled(sum.eta, ds * table->b[i], stage[i].slope.eta);
        sum.lam = elv_wrench_add_scaled(sum.lam, ds * table->b[i], stage[i].slope.lam);
    }
    sum.g = elv_pose_compose(point->g, elv_se3_exp(v));
    if (n_column > 0 && grid->needs_pose) {
        for (int i = 1; i < table->n_stage; i++) {
            chart[i] = chart_of(stage[i].u, stage[i].slope.xi);
        }
        end = chart_of(v, elv_twist_zero());
    }
    for (int i = 0; i < n_column; i++) {
        vary(grid, ds, stage, chart, &end, &column[i]);
    }
    *point = sum;
    return ELV_OK;
}
