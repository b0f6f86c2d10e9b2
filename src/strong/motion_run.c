// SPDX-License-Identifier: Apache-2.0
// Segments of a chain in motion: how they start and end, what stands between their steps, and runs over many.
#include "strong/motion_ivp.h"

#include <string.h>

ElvMotionState elv_motion_start(const ElvMotionSection* at) {
    ElvMotionState y = {.frame = at->g,
                        .g = elv_pose_identity(),
                        .V = at->eta,
                        .A = at->eta_dot,
                        .w = at->lam,
                        .xi = elv_twist_zero()};
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
    ElvTwist Z, V, A;
    ElvWrench w;
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
    elv_twist_to_array(column->V, x + 6);
    elv_twist_to_array(column->A, x + 12);
    elv_wrench_to_array(column->w, x + 18);
    for (int i = 0; i < ELV_MOTION_ROW; i++) {
        tangent->x[i][c] = x[i];
    }
}

// zeta = Ad^-1 Z,  d_eta = Ad^-1 (dV - ad_Z V),  d_lam = Ad^T (dw + ad_Z^T w)
static Column in_section(const ElvMotionState* y, const Column* d) {
    ElvTwist v = elv_twist_sub(d->V, elv_twist_bracket(d->Z, y->V));
    ElvTwist alpha = elv_twist_sub(d->A, elv_twist_bracket(d->Z, y->A));
    Column out = {elv_twist_transform_inv(y->g, d->Z), elv_twist_transform_inv(y->g, v),
                  elv_twist_transform_inv(y->g, alpha),
                  elv_wrench_transform_inv(y->g, elv_wrench_add(d->w, elv_twist_coad(d->Z, y->w)))};
    return out;
}

void elv_motion_tangent_end(const ElvMotionState* y, ElvMotionTangent* tangent) {
    for (int c = 0; c < tangent->n; c++) {
        Column d = take(tangent, c);
        Column out = in_section(y, &d);
        put(tangent, c, &out);
    }
}

void elv_motion_tangent_start(const ElvMotionState* y, ElvMotionTangent* tangent) {
    for (int c = 0; c < tangent->n; c++) {
        Column d = take(tangent, c);
        d.V = elv_twist_add(d.V, elv_twist_bracket(d.Z, y->V));
        d.A = elv_twist_add(d.A, elv_twist_bracket(d.Z, y->A));
        d.w = elv_wrench_sub(d.w, elv_twist_coad(d.Z, y->w));
        put(tangent, c, &d);
    }
}

// ---- ends of steps

static void pass_tangent(const ElvMotionGrid* motion,
                         const ElvChainBody* body,
                         const ElvMotionState* y,
                         const ElvMotionSection* at,
                         ElvWrench f,
                         ElvMotionTangent* tangent) {
    for (int c = 0; c < tangent->n; c++) {
        Column d = take(tangent, c);
        Column own = in_section(y, &d);
        ElvTwist alpha = motion->is_local ? elv_twist_scale(motion->a, own.V) : own.A;
        ElvWrench dF = elv_strong_inertial_variation(body->inertia, at->eta, own.V, alpha);
        dF = elv_wrench_sub(
            dF, elv_chain_body_wrench_variation(body, &motion->grid->in, &at->g, own.Z));
        dF = elv_wrench_sub(elv_wrench_transform(y->g, dF), elv_twist_coad(d.Z, f));
        d.w = elv_wrench_add(d.w, dF);
        put(tangent, c, &d);
    }
}

void elv_motion_pass(const ElvMotionGrid* motion,
                     int i_step,
                     ElvMotionState* y,
                     ElvMotionTangent* tangent) {
    const ElvShotStep* step = &motion->grid->step[i_step];
    if (step->body) {
        // Lambda before = Lambda behind + load - inertia                                   [OCP (61)]
        ElvMotionSection at = elv_motion_section(y);
        ElvWrench f = elv_strong_inertial(step->body->inertia, at.eta, at.eta_dot);
        f = elv_wrench_sub(f, elv_chain_body_wrench(step->body, &motion->grid->in, &at.g));
        f = elv_wrench_transform(y->g, f);
        y->w = elv_wrench_add(y->w, f);
        if (tangent) {
            pass_tangent(motion, step->body, y, &at, f, tangent);
        }
    }
    if (step->offset) {
        y->g = elv_pose_compose(y->g, *step->offset);
    }
}

ElvStatus elv_motion_run(const ElvMotionGrid* motion,
                         int first,
                         int last,
                         ElvMotionState* y,
                         ElvMotionTangent* tangent,
                         int* lost) {
    for (int i = first; i < last; i++) {
        ElvStatus status = elv_motion_step(motion, i, y, tangent, NULL);
        if (status != ELV_OK) {
            *lost = i;
            return status;
        }
        elv_motion_pass(motion, i, y, tangent);
    }
    return ELV_OK;
}
