// SPDX-License-Identifier: Apache-2.0
// One step along a chain in motion: fields at the stages, whose rates motion_tangent.c varies.
#include "strong/motion_tangent.h"

#include <math.h>
#include <string.h>

enum { STAGE = ELV_RK8_STAGE, NODE = ELV_RK8_NODE };

// a rotation in one step beyond which the shot has run away
static const double MAX_TURN = 2.0;

/// Derivatives of a stage, segment frame.
typedef struct {
    ElvVec3 theta, p;
    ElvTwist V, A;
    ElvWrench w;
} Rate;

// what depends on the strain at a stage
typedef struct {
    ElvTwist xi, xi_dot, xi_ddot;
    ElvMat6 C;
} Strain;

static ElvStatus find_strain(const ElvMotionGrid* motion,
                             const ElvStrongRod* strong,
                             const ElvShotNode* node,
                             const ElvMotionPast* past,
                             ElvWrench lam,
                             Strain* at) {
    if (strong->is_linear || motion->is_given) {
        double x[6], l[6];
        elv_twist_to_array(past->xi_0, x);
        elv_wrench_to_array(lam, l);
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                x[i] += past->C.m[i][j] * l[j];
            }
        }
        at->xi = elv_twist_from_array(x);
        at->C = past->C;
    } else {
        ElvStatus status = elv_strong_strain(strong, &node->station, &node->drive, lam, motion->a,
                                             past->p, &at->xi, &at->C);
        if (status != ELV_OK) {
            return status;
        }
    }
    // [OCP (64)]
    at->xi_dot = elv_twist_add_scaled(past->p, motion->a, at->xi);
    at->xi_ddot = elv_twist_add_scaled(past->q, motion->b, at->xi);
    return ELV_OK;
}

// A of a section by itself
static ElvTwist local_acceleration(const ElvMotionGrid* motion,
                                   const ElvMotionPast* past,
                                   const ElvMotionState* y) {
    return elv_twist_add_scaled(elv_twist_transform(y->g, past->r), motion->a, y->V);
}

static ElvStatus stage(const ElvMotionGrid* motion,
                       const ElvStrongRod* strong,
                       const ElvShotNode* node,
                       const ElvMotionPast* past,
                       ElvMotionState* y,
                       ElvVec3 theta,
                       Rate* rate,
                       Strain* at,
                       ElvMotionLinear* linear) {
    ElvWrench lam = elv_wrench_transform_inv(y->g, y->w);
    at->xi = y->xi;
    ElvStatus status = find_strain(motion, strong, node, past, lam, at);
    if (status != ELV_OK) {
        return status;
    }
    y->xi = at->xi;
    if (motion->is_local) {
        y->A = local_acceleration(motion, past, y);
    }
    ElvTwist eta = elv_twist_transform_inv(y->g, y->V);
    ElvTwist eta_dot = elv_twist_transform_inv(y->g, y->A);
    ElvPose g_world = elv_pose(elv_mat3_mul(y->frame.R, y->g.R), y->g.p);
    ElvWrench load = elv_strong_wrench(&node->station, &node->drive, &g_world);
    load = elv_wrench_sub(elv_strong_inertial(node->station.inertia, eta, eta_dot), load);
    ElvTwist U = elv_twist_transform(y->g, at->xi_dot);
    ElvTwist Q = elv_twist_transform(y->g, at->xi_ddot);
    rate->theta = elv_mat3_apply(elv_so3_tangent_inv(theta), at->xi.ang);
    rate->p = elv_mat3_apply(y->g.R, at->xi.lin);
    rate->V = U;
    rate->A = elv_twist_add(Q, elv_twist_bracket(y->V, U));
    rate->w = elv_wrench_transform(y->g, load);
    if (linear) {
        elv_motion_linear(motion, node, y, &g_world, &at->C, U, Q, rate->w, linear);
    }
    return ELV_OK;
}

// ---- a step

static void add_rate(double factor, const Rate* rate, ElvMotionState* y, ElvVec3* theta) {
    *theta = elv_vec3_add_scaled(*theta, factor, rate->theta);
    y->g.p = elv_vec3_add_scaled(y->g.p, factor, rate->p);
    y->V = elv_twist_add_scaled(y->V, factor, rate->V);
    y->A = elv_twist_add_scaled(y->A, factor, rate->A);
    y->w = elv_wrench_add_scaled(y->w, factor, rate->w);
}

static bool is_calm(ElvVec3 theta, const ElvMotionState* y) {
    // NaN fails
    double size = elv_vec3_dot(y->w.mom, y->w.mom) + elv_vec3_dot(y->w.frc, y->w.frc) +
                  elv_vec3_dot(y->A.ang, y->A.ang) + elv_vec3_dot(y->A.lin, y->A.lin);
    return elv_vec3_dot(theta, theta) < MAX_TURN * MAX_TURN && size < 1e200;
}

// the start moved by some of the rates; false: the shot runs away
static bool move(const ElvMotionState* start,
                 double h,
                 int n,
                 const int* j,
                 const double* factor,
                 const Rate* rate,
                 ElvMotionState* y,
                 ElvVec3* theta) {
    ElvTwist xi = y->xi;
    *y = *start;
    y->xi = xi;
    *theta = elv_vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < n; k++) {
        add_rate(h * factor[k], &rate[j[k]], y, theta);
    }
    if (!is_calm(*theta, y)) {
        return false;
    }
    y->g.R = elv_mat3_mul(start->g.R, elv_so3_exp(*theta));
    return true;
}

static void put_node(const ElvMotionState* y, const Strain* at, ElvFieldNode* node) {
    ElvMotionSection section = elv_motion_section(y);
    *node =
        (ElvFieldNode){section.g, section.eta, section.eta_dot, at->xi, at->xi_dot, section.lam};
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

// Fields at the nodes. Stages are of a lower order than the step itself: one integral over the rates of the last ones
// gains what a history needs.
static ElvStatus put_nodes(const ElvMotionGrid* motion,
                           int i_step,
                           const ElvMotionState* start,
                           const Rate* rate,
                           ElvFieldNode* node) {
    const ElvShotStep* step = &motion->grid->step[i_step];
    const ElvStrongRod* strong = &motion->grid->chain->rod[step->i_rod].strong;
    ElvMotionState y = *start;
    for (int i = 0; i < NODE; i++) {
        Rate unused;
        Strain at;
        ElvVec3 theta;
        const double* factor = i + 1 < NODE ? LOBATTO[i] : ELV_RK8_WEIGHT;
        if (!move(start, step->h, i == 0 ? 0 : NODE, ELV_RK8_LAST, factor, rate, &y, &theta)) {
            return ELV_ERROR_NUMERIC;
        }
        y.xi = motion->past[i_step * NODE + i].xi_0;
        ElvStatus status = stage(motion, strong, &step->node[i], &motion->past[i_step * NODE + i],
                                 &y, theta, &unused, &at, NULL);
        if (status != ELV_OK) {
            return status;
        }
        put_node(&y, &at, &node[i]);
    }
    return ELV_OK;
}

/// Strains at the nodes as they were met last.
typedef struct {
    bool is_known[NODE];
    ElvTwist xi[NODE];
    int last;
} Guess;

static void guess_strain(const Guess* guess, const ElvMotionPast* past, int i, ElvTwist* xi) {
    if (guess->is_known[i]) {
        *xi = guess->xi[i];
    } else if (guess->is_known[guess->last]) {
        ElvTwist change = elv_twist_sub(past[i].xi_0, past[guess->last].xi_0);
        *xi = elv_twist_add(guess->xi[guess->last], change);
    } else {
        *xi = past[i].xi_0;
    }
}

ElvStatus elv_motion_step(const ElvMotionGrid* motion,
                          int i_step,
                          ElvMotionState* y,
                          ElvMotionTangent* tangent,
                          ElvFieldNode* node) {
    const ElvShotStep* step = &motion->grid->step[i_step];
    const ElvStrongRod* strong = &motion->grid->chain->rod[step->i_rod].strong;
    const ElvMotionPast* past = &motion->past[i_step * NODE];
    Rate rate[STAGE];
    ElvMotionLinear linear[STAGE];
    Guess guess = {.last = 0};
    ElvMotionState start = *y;
    ElvVec3 theta;
    for (int i = 0; i < STAGE; i++) {
        const ElvRk8Stage* rk = &ELV_RK8[i];
        Strain at;
        if (!move(&start, step->h, rk->n, rk->j, rk->a, rate, y, &theta)) {
            return ELV_ERROR_NUMERIC;
        }
        guess_strain(&guess, past, rk->node, &y->xi);
        ElvStatus status = stage(motion, strong, &step->node[rk->node], &past[rk->node], y, theta,
                                 &rate[i], &at, tangent ? &linear[i] : NULL);
        if (status != ELV_OK) {
            return status;
        }
        guess.is_known[rk->node] = true;
        guess.xi[rk->node] = y->xi;
        guess.last = rk->node;
    }
    if (node) {
        ElvStatus status = put_nodes(motion, i_step, &start, rate, node);
        if (status != ELV_OK) {
            return status;
        }
    }
    if (!move(&start, step->h, NODE, ELV_RK8_LAST, ELV_RK8_WEIGHT, rate, y, &theta)) {
        return ELV_ERROR_NUMERIC;
    }
    if (motion->is_local) {
        y->A = local_acceleration(motion, &past[NODE - 1], y);
    }
    if (tangent) {
        elv_motion_tangent_step(motion, linear, step->h, tangent);
    }
    return ELV_OK;
}
