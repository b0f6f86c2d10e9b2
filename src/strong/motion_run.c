// SPDX-License-Identifier: Apache-2.0
// Segments of a chain in motion: how they start and end, what stands between their steps, and runs over many.
#include "strong/motion_ivp.h"

#include <string.h>

ElvMotionState elv_motion_state_at(const ElvMotionSection* at) {
    ElvMotionState y = {
        .frame = at->g, .g = elv_pose_identity(), .V = at->eta, .A = at->eta_dot, .w = at->lam};
    return y;
}

ElvMotionSection elv_motion_section(const ElvMotionState* y) {
    ElvMotionSection at = {.g = elv_pose_compose(y->frame, y->g),
                           .eta = elv_twist_transform_inv(y->g, y->V),
                           .eta_dot = elv_twist_transform_inv(y->g, y->A),
                           .lam = elv_wrench_transform_inv(y->g, y->w)};
    return at;
}

// ---- variations

/// One column.
typedef struct {
    ElvTwist Z, v, alpha;
    ElvWrench mu;
} Column;

static Column take(const ElvMotionTangent* tangent, int c) {
    double x[ELV_MOTION_ROW];
    for (int i = 0; i < ELV_MOTION_ROW; i++) {
        x[i] = tangent->x[i][c];
    }
    Column column = {elv_twist_from_array(x), elv_twist_from_array(x + 6),
                     elv_twist_from_array(x + 12), elv_wrench_from_array(x + 18)};
    return column;
}

static void put(ElvMotionTangent* tangent, int c, const Column* column) {
    double x[ELV_MOTION_ROW];
    elv_twist_to_array(column->Z, x);
    elv_twist_to_array(column->v, x + 6);
    elv_twist_to_array(column->alpha, x + 12);
    elv_wrench_to_array(column->mu, x + 18);
    for (int i = 0; i < ELV_MOTION_ROW; i++) {
        tangent->x[i][c] = x[i];
    }
}

static Column in_section(const ElvMotionState* y, const Column* d) {
    Column out = {elv_twist_transform_inv(y->g, d->Z), elv_twist_transform_inv(y->g, d->v),
                  elv_twist_transform_inv(y->g, d->alpha), elv_wrench_transform_inv(y->g, d->mu)};
    return out;
}

void elv_motion_tangent_end(const ElvMotionState* y, ElvMotionTangent* tangent) {
    for (int c = 0; c < tangent->n; c++) {
        Column d = take(tangent, c);
        Column out = in_section(y, &d);
        put(tangent, c, &out);
    }
}

// ---- ends of steps

static void pass_tangent(const ElvMotionGrid* motion,
                         const ElvChainBody* body,
                         const ElvMotionState* y,
                         const ElvMotionSection* at,
                         ElvMotionTangent* tangent) {
    for (int c = 0; c < tangent->n; c++) {
        Column d = take(tangent, c);
        Column own = in_section(y, &d);
        ElvTwist alpha = motion->is_local ? elv_twist_scale(motion->a, own.v) : own.alpha;
        ElvWrench dF = elv_strong_inertial_variation(body->inertia, at->eta, own.v, alpha);
        dF = elv_wrench_sub(dF, elv_chain_body_wrench_variation(body, &motion->grid->in, &at->g,
                                                                at->eta, own.Z, own.v));
        d.mu = elv_wrench_add(d.mu, elv_wrench_transform(y->g, dF));
        put(tangent, c, &d);
    }
}

// what stands at the end of a step: the body there takes its wrench, and the next rod begins
static void
pass(const ElvMotionGrid* motion, int i_step, ElvMotionState* y, ElvMotionTangent* tangent) {
    const ElvShotStep* step = &motion->grid->step[i_step];
    if (step->body) {
        // Lambda before = Lambda behind + load - inertia                                   [OCP (61)]
        ElvMotionSection at = elv_motion_section(y);
        ElvWrench f = elv_strong_inertial(step->body->inertia, at.eta, at.eta_dot);
        f = elv_wrench_sub(f, elv_chain_body_wrench(step->body, &motion->grid->in, &at.g, at.eta));
        f = elv_wrench_transform(y->g, f);
        y->w = elv_wrench_add(y->w, f);
        if (tangent) {
            pass_tangent(motion, step->body, y, &at, tangent);
        }
    }
    if (step->offset) {
        y->g = elv_pose_compose(y->g, *step->offset);
    }
}

ElvStatus elv_motion_run(const ElvMotionGrid* motion,
                         int n,
                         const int* first,
                         ElvMotionState* y,
                         ElvMotionTangent* tangent,
                         ElvFieldNode* node,
                         int* lost) {
    ElvMotionLane lane[ELV_MOTION_LANE];
    int longest = 0;
    for (int k = 0; k < ELV_MOTION_LANE; k++) {
        // lanes that are too many stand where the first one starts
        int own = k < n ? k : 0;
        lane[k] = (ElvMotionLane){first[own], false, &y[own], tangent ? &tangent[own] : NULL};
        int length = first[own + 1] - first[own];
        longest = length > longest ? length : longest;
    }
    for (int j = 0; j < longest; j++) {
        for (int k = 0; k < n; k++) {
            lane[k].moves = first[k] + j < first[k + 1];
            lane[k].i_step = lane[k].moves ? first[k] + j : first[k + 1] - 1;
        }
        ElvStatus status = elv_motion_step(motion, lane, node, lost);
        if (status != ELV_OK) {
            return status;
        }
        for (int k = 0; k < n; k++) {
            if (lane[k].moves) {
                pass(motion, lane[k].i_step, lane[k].y, lane[k].tangent);
            }
        }
    }
    return ELV_OK;
}
