// SPDX-License-Identifier: Apache-2.0
// One step of four segments of a chain in motion, as vectors hold it: tables of its five nodes, the state where it
// starts, and how single lanes are read and written. Lanes that do not move have a step of length zero.
#ifndef ELVER_STRONG_MOTION_LANE_H
#define ELVER_STRONG_MOTION_LANE_H

#include "strong/motion_tangent.h"

#include <stddef.h>
#include <string.h>

/// Rows of what advances: rotation vector, place, V, A, w.
enum {
    ELV_LANE_THETA = 0,
    ELV_LANE_PLACE = 3,
    ELV_LANE_TWIST = 6,
    ELV_LANE_TURN = 12,
    ELV_LANE_FORCE = 18,
    ELV_LANE_ROW = 24
};

/// Strains at the nodes of a rod whose law is not affine, as they were met last.
typedef struct {
    bool is_known[ELV_RK8_NODE];
    ElvTwist xi[ELV_RK8_NODE];
    int last;
} ElvStrainGuess;

/// The step: tables of its nodes, and what differs from lane to lane.
typedef struct {
    ElvMotionNode4 node[ELV_RK8_NODE];
    ElvReal4 h;
    ElvReal4 start[ELV_LANE_ROW];
    ElvMat3x4 R_start;
    ElvStrainGuess guess[ELV_MOTION_LANE];
    const ElvMotionGrid* motion;
    const ElvShotStep* step[ELV_MOTION_LANE];
    const ElvMotionPast* past[ELV_MOTION_LANE];
    bool solves[ELV_MOTION_LANE]; // the strain, by iteration
    bool bends_alone;             // no lane shears or stretches
    // a fluid: which lanes it acts on, poses of the segments, and its derivatives at the last stage with a tangent
    bool is_wet, wets[ELV_MOTION_LANE];
    ElvPose frame[ELV_MOTION_LANE];
    ElvMat6 by_pose[ELV_MOTION_LANE], by_eta[ELV_MOTION_LANE];
} ElvMotionLanes;

// ---- single lanes, and rows

// lane k of a wrench or of a twist
ELV_INLINE ElvWrench elv_lane_wrench(const ElvWrench4* f, int k) {
    return elv_wrench(elv_vec3(f->mom.x[k], f->mom.y[k], f->mom.z[k]),
                      elv_vec3(f->frc.x[k], f->frc.y[k], f->frc.z[k]));
}

ELV_INLINE ElvTwist elv_lane_twist(const ElvTwist4* v, int k) {
    return elv_twist(elv_vec3(v->ang.x[k], v->ang.y[k], v->ang.z[k]),
                     elv_vec3(v->lin.x[k], v->lin.y[k], v->lin.z[k]));
}

ELV_INLINE ElvPose elv_lane_pose(const ElvPose4* g, int k) {
    ElvPose pose = elv_pose(elv_mat3_zero(), elv_vec3(g->p.x[k], g->p.y[k], g->p.z[k]));
    for (int m = 0; m < 9; m++) {
        pose.R.m[m / 3][m % 3] = g->R.m[m / 3][m % 3][k];
    }
    return pose;
}

ELV_INLINE void elv_lane_put_twist(ElvTwist v, int k, ElvTwist4* to) {
    to->ang.x[k] = v.ang.x;
    to->ang.y[k] = v.ang.y;
    to->ang.z[k] = v.ang.z;
    to->lin.x[k] = v.lin.x;
    to->lin.y[k] = v.lin.y;
    to->lin.z[k] = v.lin.z;
}

ELV_INLINE ElvVec3x4 elv_rows_vec3(const ElvReal4* x) {
    return elv_vec3x4(x[0], x[1], x[2]);
}

ELV_INLINE ElvTwist4 elv_rows_twist(const ElvReal4* x) {
    return (ElvTwist4){elv_rows_vec3(x), elv_rows_vec3(x + 3)};
}

ELV_INLINE ElvWrench4 elv_rows_wrench(const ElvReal4* x) {
    return (ElvWrench4){elv_rows_vec3(x), elv_rows_vec3(x + 3)};
}

// ---- tables

// number i of four lanes, and what begins there
ELV_INLINE ElvReal4 elv_lanes_real_at(const double* const x[ELV_MOTION_LANE], int i) {
    return (ElvReal4){x[0][i], x[1][i], x[2][i], x[3][i]};
}

ELV_INLINE ElvVec3x4 elv_lanes_vec3_at(const double* const x[ELV_MOTION_LANE], int i) {
    return elv_vec3x4(elv_lanes_real_at(x, i), elv_lanes_real_at(x, i + 1),
                      elv_lanes_real_at(x, i + 2));
}

ELV_INLINE ElvTwist4 elv_lanes_twist_at(const double* const x[ELV_MOTION_LANE], int i) {
    return (ElvTwist4){elv_lanes_vec3_at(x, i), elv_lanes_vec3_at(x, i + 3)};
}

ELV_INLINE ElvWrench4 elv_lanes_wrench_at(const double* const x[ELV_MOTION_LANE], int i) {
    return (ElvWrench4){elv_lanes_vec3_at(x, i), elv_lanes_vec3_at(x, i + 3)};
}

// of rows that are `apart` numbers apart
ELV_INLINE ElvMat3x4 elv_lanes_mat3_at(const double* const x[ELV_MOTION_LANE], int i, int apart) {
    ElvMat3x4 a;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            a.m[row][column] = elv_lanes_real_at(x, i + apart * row + column);
        }
    }
    return a;
}

_Static_assert(sizeof(ElvInertia) == 27 * sizeof(double), "inertias are 27 numbers");
_Static_assert(offsetof(ElvMotionPast, C) == 24 * sizeof(double), "p, q, r, xi_0 are 24 numbers");

ELV_INLINE ElvWrench4 elv_lanes_rotate_back(const ElvMat3x4* R, ElvWrench4 f) {
    return (ElvWrench4){elv_mat3x4_apply_transpose(R, f.mom), elv_mat3x4_apply_transpose(R, f.frc)};
}

// loads, those that do not turn as the frames of the segments see them
ELV_INLINE void
elv_lanes_load_loads(const ElvMotionLanes* l, const ElvMat3x4* frame, int i, ElvMotionNode4* to) {
    const double *moment[ELV_MOTION_LANE], *dead[ELV_MOTION_LANE], *follower[ELV_MOTION_LANE],
        *mass[ELV_MOTION_LANE];
    for (int k = 0; k < ELV_MOTION_LANE; k++) {
        const ElvShotNode* node = &l->step[k]->node[i];
        mass[k] = &node->station.mass;
        moment[k] = &node->station.moment.x;
        dead[k] = &node->drive.dead.mom.x;
        follower[k] = &node->drive.follower.mom.x;
    }
    ElvVec3x4 gravity = elv_vec3x4_same(l->motion->grid->in.gravity);
    ElvWrench4 f = elv_lanes_wrench_at(dead, 0);
    f.frc = elv_vec3x4_add(f.frc, elv_vec3x4_scale(elv_lanes_real_at(mass, 0), gravity));
    to->dead = elv_lanes_rotate_back(frame, f);
    to->gravity = elv_mat3x4_apply_transpose(frame, gravity);
    to->moment = elv_lanes_vec3_at(moment, 0);
    to->follower = elv_lanes_wrench_at(follower, 0);
}

ELV_INLINE void elv_lanes_load_node(const ElvMotionLanes* l, int i, ElvMotionNode4* to) {
    const double *past[ELV_MOTION_LANE], *C[ELV_MOTION_LANE], *inertia[ELV_MOTION_LANE];
    for (int k = 0; k < ELV_MOTION_LANE; k++) {
        past[k] = &l->past[k][i].p.ang.x;
        C[k] = &l->past[k][i].C.m[0][0];
        inertia[k] = &l->step[k]->node[i].station.inertia.J.m[0][0];
    }
    to->p = elv_lanes_twist_at(past, 0);
    to->q = elv_lanes_twist_at(past, 6);
    to->r = elv_lanes_twist_at(past, 12);
    to->xi_0 = elv_lanes_twist_at(past, 18);
    to->J = elv_lanes_mat3_at(inertia, 0, 3);
    to->H = elv_lanes_mat3_at(inertia, 9, 3);
    to->M = elv_lanes_mat3_at(inertia, 18, 3);
    // that of laws which are not affine comes with the strain
    to->bends_alone = l->bends_alone;
    to->C[0][0] = elv_lanes_mat3_at(C, 0, 6);
    if (!l->bends_alone) {
        to->C[0][1] = elv_lanes_mat3_at(C, 3, 6);
        to->C[1][0] = elv_lanes_mat3_at(C, 18, 6);
        to->C[1][1] = elv_lanes_mat3_at(C, 21, 6);
    }
}

ELV_INLINE void elv_lanes_load_start(ElvMotionLanes* l,
                                     const ElvMotionState* const y[ELV_MOTION_LANE]) {
    const double *R[ELV_MOTION_LANE], *p[ELV_MOTION_LANE], *motion[ELV_MOTION_LANE];
    for (int k = 0; k < ELV_MOTION_LANE; k++) {
        R[k] = &y[k]->g.R.m[0][0];
        p[k] = &y[k]->g.p.x;
        motion[k] = &y[k]->V.ang.x;
    }
    l->R_start = elv_lanes_mat3_at(R, 0, 3);
    for (int i = 0; i < 3; i++) {
        l->start[ELV_LANE_THETA + i] = elv_real4(0.0);
        l->start[ELV_LANE_PLACE + i] = elv_lanes_real_at(p, i);
    }
    for (int i = 0; i < 18; i++) {
        l->start[ELV_LANE_TWIST + i] = elv_lanes_real_at(motion, i);
    }
}

// the tables of a step
ELV_INLINE void elv_lanes_open(ElvMotionLanes* l,
                               const ElvMotionGrid* motion,
                               const ElvMotionLane lane[ELV_MOTION_LANE]) {
    const ElvMotionState* y[ELV_MOTION_LANE];
    const double* frame[ELV_MOTION_LANE];
    l->motion = motion;
    l->bends_alone = true;
    l->is_wet = false;
    memset(l->guess, 0, sizeof l->guess);
    for (int k = 0; k < ELV_MOTION_LANE; k++) {
        const ElvShotStep* step = &motion->grid->step[lane[k].i_step];
        const ElvStrongRod* strong = &motion->grid->chain->rod[step->i_rod].strong;
        const ElvStrongPiece* piece = &strong->piece[step->i_piece];
        y[k] = lane[k].y;
        l->step[k] = step;
        l->past[k] = &motion->past[lane[k].i_step * ELV_RK8_NODE];
        l->h[k] = lane[k].moves ? step->h : 0.0;
        l->frame[k] = lane[k].y->frame;
        l->wets[k] = lane[k].moves && step->node[0].station.fluid.acts;
        l->is_wet = l->is_wet || l->wets[k];
        l->solves[k] = lane[k].moves && !strong->is_linear && !motion->is_given;
        l->bends_alone =
            l->bends_alone && !piece->is_free[3] && !piece->is_free[4] && !piece->is_free[5];
    }
    for (int k = 0; k < ELV_MOTION_LANE; k++) {
        frame[k] = &lane[k].y->frame.R.m[0][0];
    }
    ElvMat3x4 R = elv_lanes_mat3_at(frame, 0, 3);
    for (int i = 0; i < ELV_RK8_NODE; i++) {
        elv_lanes_load_node(l, i, &l->node[i]);
        elv_lanes_load_loads(l, &R, i, &l->node[i]);
    }
    elv_lanes_load_start(l, y);
}

#endif
