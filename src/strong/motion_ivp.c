// SPDX-License-Identifier: Apache-2.0
// One step along a chain in motion, of four segments at once: fields at the stages, whose rates motion_tangent.c varies.
#include "strong/motion_lane.h"

#include "lie/so3_exp4.h"

enum { STAGE = ELV_RK8_STAGE, NODE = ELV_RK8_NODE, LANE = ELV_MOTION_LANE };

enum {
    THETA = ELV_LANE_THETA,
    PLACE = ELV_LANE_PLACE,
    TWIST = ELV_LANE_TWIST,
    TURN = ELV_LANE_TURN,
    FORCE = ELV_LANE_FORCE,
    ROW = ELV_LANE_ROW
};

// a rotation in one step beyond which the shot has run away
static const double MAX_TURN = 2.0;

// ---- a stage

static ElvTwist guess_strain(const ElvStrainGuess* guess, const ElvMotionPast* past, int i) {
    if (guess->is_known[i]) {
        return guess->xi[i];
    }
    if (guess->is_known[guess->last]) {
        ElvTwist change = elv_twist_sub(past[i].xi_0, past[guess->last].xi_0);
        return elv_twist_add(guess->xi[guess->last], change);
    }
    return past[i].xi_0;
}

// strain of lane k at node i by the law itself, and its compliance
static ElvStatus
solve_strain(ElvMotionLanes* l, int k, int i, ElvWrench lam, bool with_tangent, ElvTwist* xi) {
    const ElvShotStep* step = l->step[k];
    const ElvStrongRod* strong = &l->motion->grid->chain->rod[step->i_rod].strong;
    const ElvShotNode* node = &step->node[i];
    ElvMat6 C;
    *xi = guess_strain(&l->guess[k], l->past[k], i);
    ElvStatus status = elv_strong_strain(strong, &node->station, &node->drive, lam, l->motion->a,
                                         l->past[k][i].p, xi, with_tangent ? &C : NULL);
    if (status != ELV_OK) {
        return status;
    }
    l->guess[k].is_known[i] = true;
    l->guess[k].xi[i] = *xi;
    l->guess[k].last = i;
    for (int m = 0; m < 36 && with_tangent; m++) {
        int row = m / 6, column = m % 6;
        l->node[i].C[row / 3][column / 3].m[row % 3][column % 3][k] = C.m[row][column];
    }
    return ELV_OK;
}

// [OCP (60), (64)]; returns the lane that has no strain, with *status why, or LANE
ELV_INLINE int find_strain(
    ElvMotionLanes* l, int i, ElvWrench4 lam, bool with_tangent, ElvStatus* status, ElvTwist4* xi) {
    const ElvMotionNode4* node = &l->node[i];
    *xi = node->xi_0;
    xi->ang = elv_vec3x4_add(xi->ang, elv_mat3x4_apply(&node->C[0][0], lam.mom));
    if (!node->bends_alone) {
        xi->ang = elv_vec3x4_add(xi->ang, elv_mat3x4_apply(&node->C[0][1], lam.frc));
        xi->lin = elv_vec3x4_add(xi->lin, elv_mat3x4_apply(&node->C[1][0], lam.mom));
        xi->lin = elv_vec3x4_add(xi->lin, elv_mat3x4_apply(&node->C[1][1], lam.frc));
    }
    for (int k = 0; k < LANE; k++) {
        ElvTwist own;
        if (!l->solves[k]) {
            continue;
        }
        ElvStatus found = solve_strain(l, k, i, elv_lane_wrench(&lam, k), with_tangent, &own);
        if (found != ELV_OK) {
            *status = found;
            return k;
        }
        elv_lane_put_twist(own, k, xi);
    }
    return LANE;
}

ELV_INLINE ElvWrench4 apply_inertia(const ElvMotionNode4* node, ElvTwist4 v) {
    return (ElvWrench4){
        elv_vec3x4_add(elv_mat3x4_apply(&node->J, v.ang), elv_mat3x4_apply(&node->H, v.lin)),
        elv_vec3x4_add(elv_mat3x4_apply_transpose(&node->H, v.ang),
                       elv_mat3x4_apply(&node->M, v.lin))};
}

// w' = Ad_(g^-1)^T (M eta_dot - ad_eta^T M eta - F)                                          [OCP (61)]
ELV_INLINE ElvWrench4 find_slope(const ElvMotionNode4* node, const ElvMotionStage4* at) {
    ElvTwist4 eta = elv_twist4_transform_inv(&at->g, at->V);
    ElvTwist4 eta_dot = elv_twist4_transform_inv(&at->g, at->A);
    ElvWrench4 f = elv_wrench4_sub(apply_inertia(node, eta_dot),
                                   elv_twist4_coad(eta, apply_inertia(node, eta)));
    f = elv_wrench4_transform(&at->g, elv_wrench4_sub(f, node->follower));
    ElvVec3x4 centre = elv_mat3x4_apply(&at->g.R, node->moment);
    ElvVec3x4 mom = elv_vec3x4_add(node->dead.mom, elv_vec3x4_cross(at->g.p, node->dead.frc));
    mom = elv_vec3x4_add(mom, elv_vec3x4_cross(centre, node->gravity));
    return elv_wrench4_sub(f, (ElvWrench4){mom, node->dead.frc});
}

// what a fluid does at node i, lane by lane, in the frames of the segments
static ElvWrench4
find_fluid(ElvMotionLanes* l, int i, const ElvMotionStage4* at, bool with_tangent) {
    ElvVec3x4 zero = elv_vec3x4_same(elv_vec3(0.0, 0.0, 0.0));
    ElvWrench4 sum = {zero, zero};
    ElvTwist4 eta = elv_twist4_transform_inv(&at->g, at->V);
    for (int k = 0; k < LANE; k++) {
        if (!l->wets[k]) {
            continue;
        }
        const ElvShotNode* node = &l->step[k]->node[i];
        ElvPose own = elv_lane_pose(&at->g, k);
        ElvPose g = elv_pose_compose(l->frame[k], own);
        ElvWrench f = elv_strong_fluid_wrench(
            &node->station.fluid.shape, &node->drive.fluid, &g, elv_lane_twist(&eta, k),
            with_tangent ? &l->by_pose[k] : NULL, with_tangent ? &l->by_eta[k] : NULL);
        f = elv_wrench_transform(own, f);
        sum.mom.x[k] = f.mom.x;
        sum.mom.y[k] = f.mom.y;
        sum.mom.z[k] = f.mom.z;
        sum.frc.x[k] = f.frc.x;
        sum.frc.y[k] = f.frc.y;
        sum.frc.z[k] = f.frc.z;
    }
    return sum;
}

// N -= Ad_(g^-1)^T by_eta Ad_(g^-1), B = -Ad_(g^-1)^T by_pose Ad_(g^-1)
static void
vary_fluid(const ElvMotionLanes* l, const ElvMotionStage4* at, ElvMotionLinear* linear) {
    memset(linear->B, 0, sizeof linear->B);
    for (int k = 0; k < LANE; k++) {
        if (!l->wets[k]) {
            continue;
        }
        ElvMat6 back = elv_pose_adjoint(elv_pose_inverse(elv_lane_pose(&at->g, k)));
        ElvMat6 by_pose = elv_mat6_mul(l->by_pose[k], back);
        ElvMat6 by_eta = elv_mat6_mul(l->by_eta[k], back);
        for (int m = 0; m < 36; m++) {
            for (int j = 0; j < 6; j++) {
                linear->B[m / 6][m % 6][k] -= back.m[j][m / 6] * by_pose.m[j][m % 6];
                linear->N[m / 6][m % 6][k] -= back.m[j][m / 6] * by_eta.m[j][m % 6];
            }
        }
    }
}

ELV_INLINE void put_rows(ElvVec3x4 v, ElvReal4* to) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

// rates of a stage at node i; its strain comes out. Returns the lane that has none, or LANE
ELV_INLINE int stage(ElvMotionLanes* l,
                     int i,
                     bool with_tangent,
                     ElvVec3x4 theta,
                     ElvReal4 b,
                     ElvStatus* status,
                     ElvMotionStage4* at,
                     ElvTwist4* xi,
                     ElvReal4 rate[ROW]) {
    const ElvMotionNode4* node = &l->node[i];
    const ElvMotionGrid* motion = l->motion;
    int lost =
        find_strain(l, i, elv_wrench4_transform_inv(&at->g, at->w), with_tangent, status, xi);
    at->U = elv_twist4_transform(&at->g, elv_twist4_add_scaled(node->p, motion->a, *xi));
    at->Q = elv_twist4_transform(&at->g, elv_twist4_add_scaled(node->q, motion->b, *xi));
    if (motion->is_local) {
        at->A = elv_twist4_add_scaled(elv_twist4_transform(&at->g, node->r), motion->a, at->V);
    }
    ElvTwist4 A_ds = elv_twist4_add(at->Q, elv_twist4_bracket(at->V, at->U));
    ElvWrench4 w_ds = find_slope(node, at);
    if (l->is_wet) {
        w_ds = elv_wrench4_sub(w_ds, find_fluid(l, i, at, with_tangent));
    }
    // T(theta)^-1 K
    ElvVec3x4 turn = elv_vec3x4_cross(theta, xi->ang);
    ElvVec3x4 theta_ds = elv_vec3x4_add_scaled(xi->ang, 0.5, turn);
    theta_ds = elv_vec3x4_add(theta_ds, elv_vec3x4_scale(b, elv_vec3x4_cross(theta, turn)));
    put_rows(theta_ds, rate + THETA);
    put_rows(elv_mat3x4_apply(&at->g.R, xi->lin), rate + PLACE);
    put_rows(at->U.ang, rate + TWIST);
    put_rows(at->U.lin, rate + TWIST + 3);
    put_rows(A_ds.ang, rate + TURN);
    put_rows(A_ds.lin, rate + TURN + 3);
    put_rows(w_ds.mom, rate + FORCE);
    put_rows(w_ds.frc, rate + FORCE + 3);
    return lost;
}

// ---- a step

// the lane that runs away, or LANE; NaN does
ELV_INLINE int find_wild(ElvVec3x4 theta, const ElvMotionStage4* at) {
    ElvReal4 turn = elv_vec3x4_dot(theta, theta);
    ElvReal4 size = elv_vec3x4_dot(at->w.mom, at->w.mom) + elv_vec3x4_dot(at->w.frc, at->w.frc) +
                    elv_vec3x4_dot(at->A.ang, at->A.ang) + elv_vec3x4_dot(at->A.lin, at->A.lin);
    int k = 0;
    while (k < LANE && turn[k] < MAX_TURN * MAX_TURN && size[k] < 1e200) {
        k++;
    }
    return k;
}

// the start moved by some of the rates; returns the lane that runs away, or LANE
ELV_INLINE int move(const ElvMotionLanes* l,
                    int n,
                    const int* j,
                    const double* factor,
                    const ElvReal4 (*rate)[ROW],
                    ElvMotionStage4* at,
                    ElvVec3x4* theta,
                    ElvReal4* b) {
    ElvReal4 x[ROW];
    // as many rows at a time as there are registers for
    for (int i = 0; i < ROW; i += 8) {
        ElvReal4 sum[8];
        for (int m = 0; m < 8; m++) {
            sum[m] = l->start[i + m];
        }
        for (int t = 0; t < n; t++) {
            ElvReal4 length = l->h * factor[t];
            for (int m = 0; m < 8; m++) {
                sum[m] += length * rate[j[t]][i + m];
            }
        }
        for (int m = 0; m < 8; m++) {
            x[i + m] = sum[m];
        }
    }
    *theta = elv_rows_vec3(x + THETA);
    at->g.p = elv_rows_vec3(x + PLACE);
    at->V = elv_rows_twist(x + TWIST);
    at->A = elv_rows_twist(x + TURN);
    at->w = elv_rows_wrench(x + FORCE);
    ElvMat3x4 E = elv_so3_exp4_lanes(*theta, b);
    at->g.R = elv_mat3x4_mul(&l->R_start, &E);
    return find_wild(*theta, at);
}

// integrals of the polynomial through the rates at the five nodes up to node i: Lobatto's method
static const double LOBATTO[NODE][NODE] = {
    {0.0, 0.0, 0.0, 0.0, 0.0},
    {0.067728432186156897969, 0.11974476934341168251, -0.021735721866558113665,
     0.010635824225415491815, -0.0037001392424145306022},
    {0.040625, 0.30318418332304277927, 0.17777777777777777778, -0.030961961100820556721, 0.009375},
    {0.053700139242414530602, 0.26158639799680673041, 0.37729127742211366922,
     0.15247745287881053971, -0.017728432186156897969},
    {0.05, 0.27222222222222222222, 0.35555555555555555556, 0.27222222222222222222, 0.05}};

// the fields of a stage at node i, lane by lane
ELV_INLINE void put_node(const ElvMotionLanes* l,
                         const ElvMotionLane lane[LANE],
                         int i,
                         const ElvMotionStage4* at,
                         const ElvTwist4* xi,
                         ElvFieldNode* to) {
    ElvTwist4 eta = elv_twist4_transform_inv(&at->g, at->V);
    ElvTwist4 eta_dot = elv_twist4_transform_inv(&at->g, at->A);
    ElvTwist4 xi_dot = elv_twist4_add_scaled(l->node[i].p, l->motion->a, *xi);
    ElvWrench4 lam = elv_wrench4_transform_inv(&at->g, at->w);
    for (int k = 0; k < LANE; k++) {
        int i_step = lane[k].i_step;
        const int* first = l->motion->i_node + i_step;
        // the node at the end is that of the next step, where one follows in the same piece
        bool is_shared = i == NODE - 1 && i_step + 1 < l->motion->grid->n_step &&
                         first[1] == first[0] + NODE - 1;
        if (!lane[k].moves || is_shared) {
            continue;
        }
        ElvPose g = elv_lane_pose(&at->g, k);
        to[first[0] + i] = (ElvFieldNode){elv_pose_compose(lane[k].y->frame, g),
                                          elv_lane_twist(&eta, k),
                                          elv_lane_twist(&eta_dot, k),
                                          elv_lane_twist(xi, k),
                                          elv_lane_twist(&xi_dot, k),
                                          elv_lane_wrench(&lam, k)};
    }
}

// Fields at the nodes. Stages are of a lower order than the step itself: one integral over the rates of the last ones
// gains what a history needs. Returns the lane that fails, or LANE.
ELV_INLINE int put_nodes(ElvMotionLanes* l,
                         const ElvMotionLane lane[LANE],
                         const ElvReal4 (*rate)[ROW],
                         ElvStatus* status,
                         ElvFieldNode* to) {
    for (int i = 0; i < NODE; i++) {
        ElvMotionStage4 at;
        ElvTwist4 xi;
        ElvVec3x4 theta;
        ElvReal4 b, unused[ROW];
        const double* factor = i + 1 < NODE ? LOBATTO[i] : ELV_RK8_WEIGHT;
        int lost = move(l, i == 0 ? 0 : NODE, ELV_RK8_LAST, factor, rate, &at, &theta, &b);
        if (lost == LANE) {
            lost = stage(l, i, false, theta, b, status, &at, &xi, unused);
        }
        if (lost < LANE) {
            return lost;
        }
        put_node(l, lane, i, &at, &xi, to);
    }
    return LANE;
}

// the ends of the step become the states
ELV_INLINE void close_lanes(const ElvMotionStage4* at, const ElvMotionLane lane[LANE]) {
    for (int k = 0; k < LANE; k++) {
        if (!lane[k].moves) {
            continue;
        }
        ElvMotionState* y = lane[k].y;
        for (int m = 0; m < 9; m++) {
            y->g.R.m[m / 3][m % 3] = at->g.R.m[m / 3][m % 3][k];
        }
        y->g.p = elv_vec3(at->g.p.x[k], at->g.p.y[k], at->g.p.z[k]);
        y->V = elv_lane_twist(&at->V, k);
        y->A = elv_lane_twist(&at->A, k);
        y->w = elv_lane_wrench(&at->w, k);
    }
}

// all stages, and the end; returns the lane that fails, or LANE
ELV_INLINE int advance(ElvMotionLanes* l,
                       const ElvMotionLane lane[LANE],
                       ElvMotionLinear* linear,
                       ElvFieldNode* node,
                       ElvStatus* status,
                       ElvMotionStage4* at) {
    ElvReal4 rate[STAGE][ROW], b;
    const ElvReal4(*past)[ROW] = (const ElvReal4(*)[ROW])rate;
    ElvVec3x4 theta;
    for (int i = 0; i < STAGE; i++) {
        const ElvRk8Stage* rk = &ELV_RK8[i];
        ElvTwist4 xi;
        int lost = move(l, rk->n, rk->j, rk->a, past, at, &theta, &b);
        if (lost == LANE) {
            lost = stage(l, rk->node, linear != NULL, theta, b, status, at, &xi, rate[i]);
        }
        if (lost < LANE) {
            return lost;
        }
        if (linear) {
            elv_motion_linear(l->motion, &l->node[rk->node], at, &linear[i]);
            linear[i].is_wet = l->is_wet;
            if (l->is_wet) {
                vary_fluid(l, at, &linear[i]);
            }
        }
    }
    int lost = node ? put_nodes(l, lane, past, status, node) : LANE;
    if (lost < LANE) {
        return lost;
    }
    lost = move(l, NODE, ELV_RK8_LAST, ELV_RK8_WEIGHT, past, at, &theta, &b);
    if (l->motion->is_local) {
        ElvTwist4 r = elv_twist4_transform(&at->g, l->node[NODE - 1].r);
        at->A = elv_twist4_add_scaled(r, l->motion->a, at->V);
    }
    return lost;
}

ELV_VECTOR_CLONES
ElvStatus elv_motion_step(const ElvMotionGrid* motion,
                          const ElvMotionLane lane[ELV_MOTION_LANE],
                          ElvFieldNode* node,
                          int* lost) {
    ElvMotionLanes lanes;
    ElvMotionStage4 at;
    ElvMotionLinear linear[STAGE];
    ElvStatus status = ELV_ERROR_NUMERIC;
    bool has_tangent = lane[0].tangent != NULL;
    elv_lanes_open(&lanes, motion, lane);
    int k = advance(&lanes, lane, has_tangent ? linear : NULL, node, &status, &at);
    if (k < LANE) {
        *lost = lane[k].i_step;
        return status;
    }
    for (k = 0; k < LANE && has_tangent; k++) {
        if (lane[k].moves) {
            elv_motion_tangent_step(motion, linear, k, lanes.step[k]->h, lane[k].tangent);
        }
    }
    close_lanes(&at, lane);
    return ELV_OK;
}
