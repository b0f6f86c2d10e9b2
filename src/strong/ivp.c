// SPDX-License-Identifier: Apache-2.0
// One step of the static initial value problem. Unknowns of a step: the rotation vector theta with R = R_start exp(theta),
// theta' = T(theta)^-1 K; position; wrench. Its tangent is in ivp_tangent.c.
#include "strong/ivp_tangent.h"

#include "lie/so3_map.h"

#include <string.h>

enum { STAGE = ELV_RK8_STAGE, NODE = ELV_RK8_NODE };

// a rotation in one step beyond which the shot has run away
static const double MAX_TURN = 2.0;

/// Derivatives of a stage by X, segment frame.
typedef struct {
    ElvVec3 theta, p;
    ElvWrench w;
} Rate;

/// Strains at the nodes as they were met last, and how they answer to the wrench.
typedef struct {
    bool is_known[NODE];
    ElvTwist xi[NODE];
    ElvWrench lam[NODE];
    ElvMat6 C[NODE];
    int last;
} Guess;

/// The step.
typedef struct {
    const ElvStrongRod* strong;
    const ElvShotNode* node; // (NODE)
    ElvIvpLoad load[NODE];
    bool is_free;
    bool bends_alone;
    Guess guess;
} Step;

// ---- loads, as the frame of the segment sees them

static bool is_zero(ElvVec3 v) {
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

static ElvIvpLoad see_load(const ElvShotNode* node, const ElvMat3* frame) {
    const ElvStrongDrive* drive = &node->drive;
    ElvVec3 force = elv_vec3_add_scaled(drive->dead.frc, node->station.mass, drive->gravity);
    ElvIvpLoad load = {.acts = !is_zero(drive->gravity) || !is_zero(drive->dead.mom) ||
                               !is_zero(drive->dead.frc),
                       .follows = !is_zero(drive->follower.mom) || !is_zero(drive->follower.frc),
                       .is_eccentric = !is_zero(node->station.moment)};
    if (load.acts) {
        load.dead = elv_wrench(elv_mat3_apply_transpose(*frame, drive->dead.mom),
                               elv_mat3_apply_transpose(*frame, force));
        load.gravity = elv_mat3_apply_transpose(*frame, drive->gravity);
    }
    return load;
}

// wrench per metre, segment frame: what does not turn, with its moment about the origin, and what follows
static ElvWrench find_load(const ElvShotNode* node, const ElvIvpLoad* load, const ElvPose* g) {
    ElvWrench f = elv_wrench_zero();
    if (load->acts) {
        f.frc = load->dead.frc;
        f.mom = elv_vec3_add(load->dead.mom, elv_vec3_cross(g->p, load->dead.frc));
    }
    if (load->acts && load->is_eccentric) {
        ElvVec3 moment = elv_mat3_apply(g->R, node->station.moment);
        f.mom = elv_vec3_add(f.mom, elv_vec3_cross(moment, load->gravity));
    }
    return load->follows ? elv_wrench_add(f, elv_wrench_transform(*g, node->drive.follower)) : f;
}

// subtract what a fluid does to a section at rest from w'; its derivative by the pose goes to linear, unless NULL
static void
add_fluid(const ElvShotNode* node, const ElvIvpState* y, Rate* rate, ElvIvpLinear* linear) {
    ElvMat6 by_pose, by_eta;
    ElvPose g = elv_ivp_pose(y);
    ElvWrench f = elv_strong_fluid_wrench(&node->station.fluid.shape, &node->drive.fluid, &g,
                                          elv_twist_zero(), linear ? &by_pose : NULL,
                                          linear ? &by_eta : NULL);
    rate->w = elv_wrench_sub(rate->w, elv_wrench_transform(y->g, f));
    if (linear) {
        // B = -Ad_(g^-1)^T by_pose Ad_(g^-1)
        ElvMat6 back = elv_pose_adjoint(elv_pose_inverse(y->g));
        by_pose = elv_mat6_mul(by_pose, back);
        memset(linear->B, 0, sizeof linear->B);
        for (int m = 0; m < 36; m++) {
            for (int j = 0; j < 6; j++) {
                linear->B[m / 6][m % 6] -= back.m[j][m / 6] * by_pose.m[j][m % 6];
            }
        }
    }
}

// ---- a stage

// xi + C lam
static ElvTwist add_strain(ElvTwist xi, const ElvMat6* C, bool bends_alone, ElvWrench lam) {
    double x[6] = {0.0}, l[6];
    int n = bends_alone ? 3 : 6;
    elv_wrench_to_array(lam, l);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            x[i] += C->m[i][j] * l[j];
        }
    }
    return elv_twist_add(xi, elv_twist_from_array(x));
}

// a strain to begin with at a node: what it was there, or elsewhere but for what actuators do, with the change of the wrench
static void guess_strain(const Step* step, int i, ElvWrench lam, ElvTwist* xi) {
    const Guess* guess = &step->guess;
    int from = guess->is_known[i] ? i : guess->last;
    if (!guess->is_known[from]) {
        return;
    }
    *xi = guess->xi[from];
    if (from != i) {
        ElvTwist change = elv_twist_sub(step->node[i].xi_free, step->node[from].xi_free);
        *xi = elv_twist_add(*xi, change);
    }
    *xi =
        add_strain(*xi, &guess->C[from], step->bends_alone, elv_wrench_sub(lam, guess->lam[from]));
}

// strain at node i for the wrench lam; its compliance is in step->guess where the law is not affine
static ElvStatus find_strain(Step* step, int i, ElvWrench lam, ElvTwist* xi) {
    const ElvShotNode* node = &step->node[i];
    Guess* guess = &step->guess;
    if (step->is_free) {
        *xi = node->xi_free;
        return ELV_OK;
    }
    if (step->strong->is_linear) {
        // [OCP (50)]
        *xi = add_strain(node->xi_free, &node->compliance, step->bends_alone, lam);
        return ELV_OK;
    }
    guess_strain(step, i, lam, xi);
    ElvStatus status = elv_strong_strain(step->strong, &node->station, &node->drive, lam, 0.0,
                                         elv_twist_zero(), xi, &guess->C[i]);
    guess->is_known[i] = true;
    guess->xi[i] = *xi;
    guess->lam[i] = lam;
    guess->last = i;
    return status;
}

static ElvStatus stage(
    Step* step, int i, ElvVec3 theta, double b, ElvIvpState* y, Rate* rate, ElvIvpLinear* linear) {
    const ElvShotNode* node = &step->node[i];
    ElvWrench lam = elv_wrench_transform_inv(y->g, y->w);
    ElvStatus status = find_strain(step, i, lam, &y->xi);
    if (status != ELV_OK) {
        return status;
    }
    // T(theta)^-1 K
    ElvVec3 turn = elv_vec3_cross(theta, y->xi.ang);
    rate->theta = elv_vec3_add_scaled(y->xi.ang, 0.5, turn);
    rate->theta = elv_vec3_add_scaled(rate->theta, b, elv_vec3_cross(theta, turn));
    rate->p = elv_mat3_apply(y->g.R, y->xi.lin);
    rate->w = elv_wrench_scale(-1.0, find_load(node, &step->load[i], &y->g));
    if (linear) {
        const ElvMat6* compliance = step->strong->is_linear ? &node->compliance : &step->guess.C[i];
        elv_ivp_linear(node, &step->load[i], y, compliance, step->bends_alone, linear);
        linear->is_wet = node->station.fluid.acts;
    }
    if (node->station.fluid.acts) {
        add_fluid(node, y, rate, linear);
    }
    return ELV_OK;
}

// ---- a step

static bool is_calm(ElvVec3 theta, const ElvWrench* w) {
    // NaN fails
    double size = elv_vec3_dot(w->mom, w->mom) + elv_vec3_dot(w->frc, w->frc);
    return elv_vec3_dot(theta, theta) < MAX_TURN * MAX_TURN && size < 1e300;
}

// the start moved by some of the rates; false: the shot runs away
static bool move(const ElvIvpState* start,
                 double h,
                 int n,
                 const int* j,
                 const double* factor,
                 const Rate* rate,
                 ElvIvpState* y,
                 ElvVec3* theta,
                 double* b) {
    *theta = elv_vec3(0.0, 0.0, 0.0);
    ElvVec3 p = start->g.p;
    ElvWrench w = start->w;
    for (int t = 0; t < n; t++) {
        const Rate* from = &rate[j[t]];
        double length = h * factor[t];
        *theta = elv_vec3_add_scaled(*theta, length, from->theta);
        p = elv_vec3_add_scaled(p, length, from->p);
        w = elv_wrench_add_scaled(w, length, from->w);
    }
    y->g.p = p;
    y->w = w;
    if (!is_calm(*theta, &w)) {
        return false;
    }
    y->g.R = elv_mat3_mul(start->g.R, elv_so3_exp_step(*theta, b));
    return true;
}

ElvStatus elv_ivp_step(const ElvStrongRod* strong,
                       const ElvShotNode node[ELV_RK8_NODE],
                       double h,
                       bool is_free,
                       ElvIvpState* y,
                       ElvIvpTangent* tangent) {
    Rate rate[STAGE];
    ElvIvpLinear linear[STAGE];
    const ElvStrongPiece* piece = &strong->piece[node->station.i_piece];
    Step step;
    step.strong = strong;
    step.node = node;
    step.is_free = is_free;
    memset(step.guess.is_known, 0, sizeof step.guess.is_known);
    step.guess.last = 0;
    step.bends_alone = !piece->is_free[3] && !piece->is_free[4] && !piece->is_free[5];
    ElvIvpState start = *y;
    ElvVec3 theta;
    double b = 0.0;
    for (int i = 0; i < NODE; i++) {
        step.load[i] = see_load(&node[i], &y->frame.R);
    }
    for (int i = 0; i < STAGE; i++) {
        const ElvRk8Stage* rk = &ELV_RK8[i];
        if (!move(&start, h, rk->n, rk->j, rk->a, rate, y, &theta, &b)) {
            return ELV_ERROR_NUMERIC;
        }
        ElvStatus status =
            stage(&step, rk->node, theta, b, y, &rate[i], tangent ? &linear[i] : NULL);
        if (status != ELV_OK) {
            return status;
        }
    }
    if (!move(&start, h, NODE, ELV_RK8_LAST, ELV_RK8_WEIGHT, rate, y, &theta, &b)) {
        return ELV_ERROR_NUMERIC;
    }
    if (tangent) {
        elv_ivp_tangent_step(linear, h, tangent);
    }
    return ELV_OK;
}
