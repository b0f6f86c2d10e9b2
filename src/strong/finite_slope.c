// SPDX-License-Identifier: Apache-2.0
// The equations of a rod along X, with rates from backward differences            [RKMK (7)-(9)]
//     xi_dot = c_0 xi + xi_h,   eta_dot = c_0 eta + eta_h
//     eta' = xi_dot - ad_xi eta
//     Lambda' = ad_xi^T Lambda + M eta_dot - ad_eta^T M eta - F
// [RKMK (8)] prints eta for f in its first term; the wrench F is subtracted as in [RKMK (9)].
#include "strong/finite_slope.h"

static ElvTwist apply_compliance(const ElvMat6* C, ElvWrench lam) {
    return elv_mat6_apply(*C, elv_twist(lam.mom, lam.frc));
}

ElvStatus elv_finite_slope(const ElvFiniteGrid* grid,
                           const ElvStrongRod* strong,
                           const ElvFiniteStation* station,
                           const ElvFinitePoint* point,
                           bool with_tangent,
                           ElvFiniteSlope* slope) {
    // the strain that Lambda leaves
    if (strong->is_linear) {
        slope->C = &station->C;
        slope->xi = elv_twist_add(station->xi_0, apply_compliance(&station->C, point->lam));
    } else {
        slope->C = &slope->own;
        ElvStatus status =
            elv_strong_strain(strong, &station->at, &station->drive, point->lam, grid->c_0,
                              station->law_h, &slope->xi, with_tangent ? &slope->own : NULL);
        if (status != ELV_OK) {
            return status;
        }
    }
    // eta' = c_0 xi + xi_h - ad_xi eta                                                  [RKMK (8)]
    ElvTwist xi_dot = elv_twist_add_scaled(station->xi_h, grid->c_0, slope->xi);
    slope->eta = elv_twist_sub(xi_dot, elv_twist_bracket(slope->xi, point->eta));
    // Lambda' = ad_xi^T Lambda + M eta_dot - ad_eta^T M eta - F                         [RKMK (9)]
    ElvTwist eta_dot = elv_twist_add_scaled(station->eta_h, grid->c_0, point->eta);
    ElvWrench inertial = elv_strong_inertial(station->at.inertia, point->eta, eta_dot);
    ElvWrench F = elv_strong_wrench(&station->at, &station->drive, &point->g, point->eta);
    slope->balance = elv_wrench_add(point->lam, station->shift);
    slope->lam =
        elv_wrench_add(elv_twist_coad(slope->xi, slope->balance), elv_wrench_sub(inertial, F));
    return ELV_OK;
}

ElvFiniteSlopeVariation elv_finite_slope_variation(const ElvFiniteGrid* grid,
                                                   const ElvFiniteStation* station,
                                                   const ElvFinitePoint* point,
                                                   const ElvFiniteSlope* slope,
                                                   const ElvFiniteVariation* d) {
    ElvFiniteSlopeVariation v;
    v.xi = apply_compliance(slope->C, d->lam);
    // c_0 d_xi - ad_(d_xi) eta - ad_xi d_eta
    v.eta = elv_twist_sub(elv_twist_scale(grid->c_0, v.xi), elv_twist_bracket(v.xi, point->eta));
    v.eta = elv_twist_sub(v.eta, elv_twist_bracket(slope->xi, d->eta));
    // ad_(d_xi)^T Lambda + ad_xi^T d_Lambda + d(M eta_dot - ad_eta^T M eta) - d_F
    v.lam = elv_wrench_add(elv_twist_coad(v.xi, slope->balance), elv_twist_coad(slope->xi, d->lam));
    v.lam =
        elv_wrench_add(v.lam, elv_strong_inertial_variation(station->at.inertia, point->eta, d->eta,
                                                            elv_twist_scale(grid->c_0, d->eta)));
    if (grid->needs_pose) {
        v.lam = elv_wrench_sub(v.lam,
                               elv_strong_wrench_variation(&station->at, &station->drive, &point->g,
                                                           point->eta, d->zeta, d->eta));
    }
    return v;
}
