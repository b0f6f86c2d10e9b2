// SPDX-License-Identifier: Apache-2.0
// Loops as devices: six rows each, by the type of the joint.
#include "multibody/compile_device.h"
#include "multibody/loop.h"

#include "joint/lumped.h"

#include <math.h>
#include <string.h>

// ---- rows of joints

static ElvVec3 unit(ElvVec3 a) {
    return elv_vec3_scale(1.0 / elv_vec3_norm(a), a);
}

// a joint in the making: its axis and the two across, (e1, e2, n) right-handed
typedef struct {
    ElvLoop* loop;
    int n_row;
    ElvVec3 n, e1, e2;
} Rows;

static ElvLoopRow* next_row(Rows* rows, ElvLoopRowKind kind, ElvVec3 axis) {
    ElvLoopRow* row = &rows->loop->row[rows->n_row++];
    memset(row, 0, sizeof *row);
    row->kind = kind;
    row->axis = axis;
    return row;
}

// no shift along an axis of the first side
static void hold_shift(Rows* rows, ElvVec3 axis) {
    (void)next_row(rows, ELV_ROW_SHIFT, axis);
}

// no turn about a, with (a, b, c) right-handed: half of c_1 . b_2 - b_1 . c_2, the sine of the turn
static void hold_turn(Rows* rows, ElvVec3 a, ElvVec3 b, ElvVec3 c) {
    ElvLoopRow* row = next_row(rows, ELV_ROW_TURN, a);
    row->dot[0] = (ElvLoopDot){c, b};
    row->dot[1] = (ElvLoopDot){b, c};
    row->factor = 0.5;
    row->is_sine = true;
}

static void hold_all_turns(Rows* rows) {
    hold_turn(rows, rows->n, rows->e1, rows->e2);
    hold_turn(rows, rows->e1, rows->e2, rows->n);
    hold_turn(rows, rows->e2, rows->n, rows->e1);
}

static void hold_all_shifts(Rows* rows) {
    hold_shift(rows, rows->n);
    hold_shift(rows, rows->e1);
    hold_shift(rows, rows->e2);
}

// the axes n of both sides stay parallel: turns about e1 (e2 . n_2 falls) and e2 (e1 . n_2 grows)
static void hold_axis(Rows* rows) {
    ElvLoopRow* row = next_row(rows, ELV_ROW_TURN, rows->e1);
    row->dot[0] = (ElvLoopDot){elv_vec3_scale(-1.0, rows->e2), rows->n};
    row->factor = 1.0;
    row->is_sine = true;
    row = next_row(rows, ELV_ROW_TURN, rows->e2);
    row->dot[0] = (ElvLoopDot){rows->e1, rows->n};
    row->factor = 1.0;
    row->is_sine = true;
}

// what acts along a freedom of the joint
static ElvStatus free_row(ElvCompiler* c, const ElvLoopDef* def, ElvLoopRow* row, int component) {
    const ElvJointDef* joint = &def->joint;
    row->stiffness = joint->stiffness[component];
    row->rest = joint->rest[component];
    row->damping = joint->damping[component];
    row->is_driven = joint->drive == ELV_DRIVE_MOTION;
    if (joint->drive == ELV_DRIVE_PASSIVE) {
        return ELV_OK;
    }
    c->model->is_active = true;
    return elv_compile_law(c, &joint->law[component], def->name, "joint", &row->law);
}

// the angle of the second side about n
static ElvStatus free_angle(ElvCompiler* c, const ElvLoopDef* def, Rows* rows, int component) {
    ElvLoopRow* row = next_row(rows, ELV_ROW_PIVOT, rows->n);
    row->dot[0] = (ElvLoopDot){rows->e2, rows->e1};
    row->dot[1] = (ElvLoopDot){rows->e1, rows->e1};
    return free_row(c, def, row, component);
}

static ElvStatus
free_shift(ElvCompiler* c, const ElvLoopDef* def, Rows* rows, ElvVec3 axis, int component) {
    return free_row(c, def, next_row(rows, ELV_ROW_SLIDE, axis), component);
}

// the axis n of the first side and the axis m of the second keep their angle
static ElvStatus universal_rows(ElvCompiler* c, const ElvLoopDef* def, Rows* rows) {
    ElvVec3 n = rows->n;
    ElvVec3 m = unit(def->joint.axis2);
    ElvVec3 across = unit(elv_vec3_cross(m, n));
    hold_all_shifts(rows);
    ElvLoopRow* row = next_row(rows, ELV_ROW_TURN, across);
    row->dot[0] = (ElvLoopDot){n, m};
    row->factor = 1.0;
    row->value = elv_vec3_dot(n, m);
    // about n: where m_2 points, seen from the first side
    ElvVec3 start = unit(elv_vec3_add_scaled(m, -elv_vec3_dot(n, m), n));
    row = next_row(rows, ELV_ROW_PIVOT, n);
    row->dot[0] = (ElvLoopDot){elv_vec3_cross(n, start), m};
    row->dot[1] = (ElvLoopDot){start, m};
    ElvStatus status = free_row(c, def, row, 0);
    if (status != ELV_OK) {
        return status;
    }
    // about m: where n_1 points, seen from the second side, backwards
    start = unit(elv_vec3_add_scaled(n, -elv_vec3_dot(n, m), m));
    row = next_row(rows, ELV_ROW_PIVOT, m);
    row->side = 1;
    row->dot[0] = (ElvLoopDot){n, elv_vec3_cross(start, m)};
    row->dot[1] = (ElvLoopDot){n, start};
    return free_row(c, def, row, 1);
}

// nothing is free where the turn is imposed: the joint frame goes along
static ElvStatus driven_turn(ElvCompiler* c, const ElvLoopDef* def, Rows* rows) {
    hold_all_turns(rows);
    rows->loop->has_turn = true;
    c->model->is_active = true;
    for (int k = 0; k < 3; k++) {
        const ElvLaw** law = &rows->loop->turn[k];
        ElvStatus status = elv_compile_law(c, &def->joint.law[k], def->name, "joint", law);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

static ElvStatus spherical_rows(ElvCompiler* c, const ElvLoopDef* def, Rows* rows) {
    hold_all_shifts(rows);
    if (def->joint.drive == ELV_DRIVE_MOTION) {
        return driven_turn(c, def, rows);
    }
    for (int k = 0; k < 3; k++) {
        // about the axes of the second side, as in the tree
        ElvLoopRow* row = next_row(rows, ELV_ROW_BALL, elv_vec3(k == 0, k == 1, k == 2));
        row->side = 1;
        ElvStatus status = free_row(c, def, row, k);
        rows->loop->ball[k] = row->stiffness;
        row->stiffness = 0.0;
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

static ElvStatus planar_rows(ElvCompiler* c, const ElvLoopDef* def, Rows* rows) {
    hold_shift(rows, rows->n);
    hold_axis(rows);
    ElvStatus status = free_angle(c, def, rows, 0);
    status = status == ELV_OK ? free_shift(c, def, rows, rows->e1, 1) : status;
    return status == ELV_OK ? free_shift(c, def, rows, rows->e2, 2) : status;
}

static ElvStatus joint_rows(ElvCompiler* c, const ElvLoopDef* def, Rows* rows) {
    ElvStatus status = ELV_OK;
    switch (def->joint.type) {
    case ELV_JOINT_REVOLUTE:
        hold_all_shifts(rows);
        hold_axis(rows);
        return free_angle(c, def, rows, 0);
    case ELV_JOINT_PRISMATIC:
        hold_shift(rows, rows->e1);
        hold_shift(rows, rows->e2);
        hold_all_turns(rows);
        return free_shift(c, def, rows, rows->n, 0);
    case ELV_JOINT_CYLINDRICAL:
        hold_shift(rows, rows->e1);
        hold_shift(rows, rows->e2);
        hold_axis(rows);
        status = free_angle(c, def, rows, 0);
        return status == ELV_OK ? free_shift(c, def, rows, rows->n, 1) : status;
    case ELV_JOINT_UNIVERSAL:
        return universal_rows(c, def, rows);
    case ELV_JOINT_SPHERICAL:
        return spherical_rows(c, def, rows);
    case ELV_JOINT_PLANAR:
        return planar_rows(c, def, rows);
    default:
        hold_all_shifts(rows);
        hold_all_turns(rows);
        return ELV_OK;
    }
}

// ---- loops

static bool is_zero(const ElvLawDef* law) {
    return law->kind == ELV_LAW_CONSTANT && law->value == 0.0;
}

// the joint frame on the first end
static ElvStatus compile_pose(ElvCompiler* c, const ElvLoopDef* def, ElvLoop* loop) {
    for (int k = 0; k < 6; k++) {
        loop->has_pose = loop->has_pose || !is_zero(&def->pose[k]);
        c->model->is_active = c->model->is_active || def->pose[k].kind != ELV_LAW_CONSTANT;
        ElvStatus status = elv_compile_law(c, &def->pose[k], def->name, "pose", &loop->pose[k]);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

ElvStatus elv_compile_loop(ElvCompiler* c, const ElvLoopDef* def) {
    ElvLoop* loop = elv_pool_take(&c->model->pool, 1, sizeof *loop);
    if (!loop) {
        return elv_compile_no_memory(c);
    }
    const char* const reference[2] = {def->first, def->second};
    ElvStatus status = elv_compile_ends(c, loop, def->name, reference, true);
    status = status == ELV_OK ? compile_pose(c, def, loop) : status;
    if (status != ELV_OK) {
        return status;
    }
    ElvVec3 plane[2];
    Rows rows = {.loop = loop, .n = unit(def->joint.axis)};
    elv_plane_axes(rows.n, plane);
    rows.e1 = plane[0];
    rows.e2 = plane[1];
    status = joint_rows(c, def, &rows);
    loop->closure = def->closure;
    for (int k = 0; k < 2 && def->closure != ELV_CLOSURE_EXACT; k++) {
        loop->compliance[k] = def->penalty[k] > 0.0 ? 1.0 / def->penalty[k] : 0.0;
    }
    loop->length = c->model->size;
    loop->mass = elv_model_mass(c->model);
    loop->i_gap = c->model->n_loop++;
    loop->device.ops = &ELV_LOOP_OPS;
    loop->device.n_z = 6;
    return status == ELV_OK ? elv_compile_add_device(c, &loop->device, def->name) : status;
}
