// SPDX-License-Identifier: Apache-2.0
// A shot along a chain. At the end of a piece a rigid body and what acts on it take their part,
//     Lambda_+ = Ad_offset^T (Lambda_- + M eta_dot - ad_eta^T M eta - F_ext),
// and what is left behind the last one is the residual: Lambda = F_ext at a tip without a body, with the damping in
// Lambda, as [RKMK] states it (section V).
#include "strong/finite_sweep.h"

#include <math.h>
#include <string.h>

/// What is carried from the root to the tip.
typedef struct {
    ElvFinitePoint point;
    int n_column; // 0: no variations
    ElvFiniteVariation column[ELV_FINITE_COLUMNS];
} Shot;

// from the frame before a rod to its root section
static void enter_rod(const ElvChainRod* link, Shot* shot) {
    shot->point.g = elv_pose_compose(shot->point.g, link->offset);
    shot->point.eta = elv_twist_transform_inv(link->offset, shot->point.eta);
    shot->point.lam = elv_wrench_transform_inv(link->offset, shot->point.lam);
    for (int i = 0; i < shot->n_column; i++) {
        ElvFiniteVariation* d = &shot->column[i];
        d->zeta = elv_twist_transform_inv(link->offset, d->zeta);
        d->eta = elv_twist_transform_inv(link->offset, d->eta);
        d->lam = elv_wrench_transform_inv(link->offset, d->lam);
    }
}

// what a body at the end of a piece leaves of Lambda
static void pass_body(const ElvFiniteGrid* grid,
                      const ElvChainBody* body,
                      const ElvFiniteStation* station,
                      Shot* shot) {
    ElvFinitePoint* at = &shot->point;
    if (elv_chain_body_is_empty(body)) {
        return;
    }
    ElvTwist eta_dot = elv_twist_add_scaled(station->eta_h, grid->c_0, at->eta);
    ElvWrench inertial = elv_strong_inertial(body->inertia, at->eta, eta_dot);
    ElvWrench F = elv_chain_body_wrench(body, &grid->in, &at->g, at->eta);
    for (int i = 0; i < shot->n_column; i++) {
        ElvFiniteVariation* d = &shot->column[i];
        ElvWrench d_f = elv_strong_inertial_variation(body->inertia, at->eta, d->eta,
                                                      elv_twist_scale(grid->c_0, d->eta));
        ElvWrench d_F =
            elv_chain_body_wrench_variation(body, &grid->in, &at->g, at->eta, d->zeta, d->eta);
        d->lam = elv_wrench_add(d->lam, elv_wrench_sub(d_f, d_F));
    }
    at->lam = elv_wrench_add(at->lam, elv_wrench_sub(inertial, F));
}

// all fields of a node from what is integrated
static ElvStatus set_node(const ElvFiniteGrid* grid,
                          const ElvFinitePiece* piece,
                          int i,
                          const ElvFinitePoint* at,
                          ElvFieldNode* node) {
    const ElvFiniteStation* station = elv_finite_node(grid, piece, i);
    ElvFiniteSlope slope;
    slope.xi = i > 0 ? node[piece->i_node + i - 1].xi : station->at.xi_o;
    ElvStatus status = elv_finite_slope(grid, &piece->link->strong, station, at, false, &slope);
    if (status != ELV_OK) {
        return status;
    }
    ElvFieldNode* to = &node[piece->i_node + i];
    to->g = at->g;
    to->eta = at->eta;
    to->eta_dot = elv_twist_add_scaled(station->eta_h, grid->c_0, at->eta);
    to->xi = slope.xi;
    to->xi_dot = elv_twist_add_scaled(station->xi_h, grid->c_0, slope.xi);
    to->lam = at->lam;
    return ELV_OK;
}

static bool is_bounded(const ElvFinitePoint* at) {
    double sum = elv_vec3_dot(at->eta.ang, at->eta.ang) + elv_vec3_dot(at->eta.lin, at->eta.lin) +
                 elv_vec3_dot(at->lam.mom, at->lam.mom) + elv_vec3_dot(at->lam.frc, at->lam.frc) +
                 elv_vec3_dot(at->g.p, at->g.p);
    return isfinite(sum);
}

// hold the shot to the point of a node: what it misses it by goes on as the last column
static void meet(const ElvFiniteMesh* mesh, int i_node, Shot* shot) {
    const ElvFinitePoint* to = &mesh->point[i_node];
    ElvFinitePoint* from = &shot->point;
    ElvFiniteVariation* miss = &shot->column[shot->n_column - 1];
    ElvPose gap = elv_pose_compose(elv_pose_inverse(to->g), from->g);
    miss->zeta = elv_twist_add(miss->zeta, elv_se3_log(gap));
    miss->eta = elv_twist_add(miss->eta, elv_twist_sub(from->eta, to->eta));
    miss->lam = elv_wrench_add(miss->lam, elv_wrench_sub(from->lam, to->lam));
    memcpy(mesh->column + (size_t)i_node * ELV_FINITE_COLUMNS, shot->column,
           (size_t)shot->n_column * sizeof shot->column[0]);
    *from = *to;
}

static ElvStatus
cross_piece(ElvFiniteSweep* sweep, const ElvFinitePiece* piece, Shot* shot, ElvFieldNode* node) {
    const ElvFiniteGrid* grid = sweep->grid;
    ElvStatus status = ELV_OK;
    for (int i = 0; i <= piece->n_element && status == ELV_OK; i++) {
        sweep->piece = piece;
        sweep->i_element = i;
        if (node) {
            status = set_node(grid, piece, i, &shot->point, node);
        }
        if (status == ELV_OK && i < piece->n_element) {
            status = sweep->element(grid, piece, i, &shot->point, shot->n_column, shot->column);
            status = status == ELV_OK && !is_bounded(&shot->point) ? ELV_ERROR_NUMERIC : status;
            if (status == ELV_OK && sweep->mesh) {
                meet(sweep->mesh, piece->i_node + i + 1, shot);
            }
        }
    }
    return status;
}

// the program that was published leaves the damping out of the condition at the tip: take D xi_dot from Lambda
static ElvStatus drop_damping(const ElvFiniteGrid* grid, const ElvFinitePiece* piece, Shot* shot) {
    const ElvFiniteStation* station = elv_finite_node(grid, piece, piece->n_element);
    ElvFiniteSlope slope;
    slope.xi = station->at.xi_o;
    ElvStatus status = elv_finite_slope(grid, &piece->link->strong, station, &shot->point,
                                        shot->n_column > 0, &slope);
    if (status != ELV_OK) {
        return status;
    }
    for (int i = 0; i < shot->n_column; i++) {
        ElvFiniteVariation* d = &shot->column[i];
        ElvTwist d_xi = elv_mat6_apply(*slope.C, elv_twist(d->lam.mom, d->lam.frc));
        ElvTwist d_stress = elv_mat6_apply(station->at.D, elv_twist_scale(grid->c_0, d_xi));
        d->lam = elv_wrench_sub(d->lam, elv_wrench(d_stress.ang, d_stress.lin));
    }
    ElvTwist xi_dot = elv_twist_add_scaled(station->xi_h, grid->c_0, slope.xi);
    ElvTwist stress = elv_mat6_apply(station->at.D, xi_dot);
    shot->point.lam = elv_wrench_sub(shot->point.lam, elv_wrench(stress.ang, stress.lin));
    return ELV_OK;
}

static ElvStatus cross_chain(ElvFiniteSweep* sweep, Shot* shot, ElvFieldNode* node) {
    const ElvFiniteGrid* grid = sweep->grid;
    for (int i = 0; i < grid->n_piece; i++) {
        const ElvFinitePiece* piece = &grid->piece[i];
        if (piece->is_first && i > 0) {
            enter_rod(piece->link, shot);
        }
        ElvStatus status = cross_piece(sweep, piece, shot, node);
        if (status == ELV_OK && i == grid->n_piece - 1 && grid->def.program.is_tip_undamped) {
            status = drop_damping(grid, piece, shot);
        }
        if (status != ELV_OK) {
            return status;
        }
        pass_body(grid, &piece->link->body[piece->i_piece],
                  elv_finite_node(grid, piece, piece->n_element), shot);
    }
    return ELV_OK;
}

// the root section of the first rod, and how it varies with the unknowns
static void
leave_root(const ElvFiniteSweep* sweep, const double* x, bool with_tangent, Shot* shot) {
    const ElvChainRoot* root = sweep->root;
    const ElvChainRod* link = &sweep->grid->chain->rod[0];
    int n = root->n;
    shot->n_column = with_tangent ? n + 6 + (sweep->mesh ? 1 : 0) : 0;
    shot->point = (ElvFinitePoint){root->motion.g, root->eta, elv_wrench_zero()};
    for (int k = 0; k < shot->n_column; k++) {
        ElvFiniteVariation* d = &shot->column[k];
        d->zeta = k < n ? root->d_zeta[k] : elv_twist_zero();
        d->eta = k < n ? root->d_eta[k] : elv_twist_zero();
        d->lam = elv_wrench_zero();
    }
    enter_rod(link, shot);
    // the wrench is an unknown in the axes of the section
    shot->point.lam = elv_wrench_from_array(x + n);
    for (int k = n; k < n + 6 && with_tangent; k++) {
        double unit[6] = {0.0};
        unit[k - n] = 1.0;
        shot->column[k].lam = elv_wrench_from_array(unit);
    }
}

// the equations of a joint that is sought, by the wrench in section axes; J has n_column columns
static void
set_root_rows(ElvFiniteSweep* sweep, const double* x, int n_column, double* residual, double* J) {
    ElvChainRoot* root = sweep->root;
    int n = root->n;
    ElvPose offset = sweep->grid->chain->rod[0].offset;
    ElvWrench lam = elv_wrench_transform(offset, elv_wrench_from_array(x + n));
    double row[6 * ELV_FINITE_UNKNOWNS];
    elv_chain_root_residual(root, &sweep->grid->in, lam, residual, J ? row : NULL);
    for (int i = 0; i < n && J; i++) {
        const double* from = row + (size_t)(i * (n + 6));
        double* to = J + (size_t)(i * n_column);
        memset(to, 0, (size_t)n_column * sizeof *to);
        memcpy(to, from, (size_t)n * sizeof *to);
        // d by lam of the section: what multiplies Ad^-T of the offset is moved to its other side
        ElvTwist by = elv_twist_transform_inv(offset, elv_twist_from_array(from + n));
        elv_twist_to_array(by, to + n);
    }
}

ElvStatus elv_finite_shoot(
    ElvFiniteSweep* sweep, const double* x, double* residual, double* J, ElvFieldNode* node) {
    ElvChainRoot* root = sweep->root;
    int n = root->n;
    int n_column = n + 6 + (sweep->mesh ? 1 : 0);
    elv_chain_root_place(root, &sweep->grid->in, x, sweep->euler_q);
    if (n > 0) {
        set_root_rows(sweep, x, n_column, residual, J);
    }
    Shot shot;
    leave_root(sweep, x, J != NULL, &shot);
    ElvStatus status = cross_chain(sweep, &shot, node);
    if (status != ELV_OK) {
        return status;
    }
    if (!is_bounded(&shot.point)) {
        return ELV_ERROR_NUMERIC;
    }
    elv_wrench_to_array(shot.point.lam, residual + n);
    for (int k = 0; k < shot.n_column && J; k++) {
        double column[6];
        elv_wrench_to_array(shot.column[k].lam, column);
        for (int i = 0; i < 6; i++) {
            J[(n + i) * n_column + k] = column[i];
        }
    }
    return ELV_OK;
}
