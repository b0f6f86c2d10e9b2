// SPDX-License-Identifier: Apache-2.0
// Loops as devices: a joint between two frames, held by a wrench that the tree does not carry.
//
// The unknowns are the wrench W = (moment; force) by which the first side acts on the second, in
// world axes, the moment about the world's origin. It is the same for both sides but for the sign,
// and does not vary with the motion, so that the terms of [P23 (56)-(58)] never arise. Six
// equations go with it, one for each component of relative motion: where the joint holds, that the
// sides agree; where it is free, that the wrench along it is the effort of its spring, damper and
// motor.
#ifndef ELVER_MULTIBODY_LOOP_H
#define ELVER_MULTIBODY_LOOP_H

#include "multibody/device.h"

/// u fixed to the first side, w to the second.
typedef struct {
    ElvVec3 u, w;
} ElvLoopDot;

typedef enum {
    ELV_ROW_SHIFT, // held: axis . (p_2 - p_1) = 0
    ELV_ROW_TURN,  // held: factor (u_0 . w_0 - u_1 . w_1) - value = 0, a turn about the axis
    ELV_ROW_SLIDE, // free or driven: the shift along the axis
    ELV_ROW_PIVOT, // free or driven: the angle atan2(u_0 . w_0, u_1 . w_1) about the axis
    ELV_ROW_BALL,  // free: the turn (a component of the rotation vector) and spin about the axis
    ELV_ROW_TWIST, // held: coefficient . eta_rel = law, a constraint on velocities        [P23 (7)]
    ELV_ROW_IDLE   // free: no wrench along coefficient, in the axes of the second side
} ElvLoopRowKind;

typedef struct {
    ElvLoopRowKind kind;
    int side;     // to which the axis is fixed: 0 or 1
    ElvVec3 axis; // unit
    ElvLoopDot dot[2];
    double factor, value;
    bool is_sine; // of a turn: one by pi would look like none
    double
        coefficient[6]; // of the relative twist, or of the wrench, in the axes of the second side
    // of free and driven ones
    bool is_driven; // the law is the coordinate; else an effort
    const ElvLaw* law;
    double stiffness, rest, damping;
} ElvLoopRow;

typedef struct {
    ElvDevice device; // first: an ElvLoop* is an ElvDevice*
    ElvFrame end[2];
    bool has_pose;         // the joint frame is not that of the first end
    const ElvLaw* pose[6]; // roll, pitch, yaw, x, y, z of the joint frame in the first end's
    bool has_turn;         // spherical, driven: the joint frame turns on
    const ElvLaw* turn[3]; // roll, pitch, yaw in `pose`
    ElvClosure closure;
    double compliance[2]; // of penalty and augmented closures: rad/(N m), m/N
    double length;        // that shifts are compared with, m
    double mass;          // of the robot, kg
    int i_gap;            // place of its gap in ElvData
    double ball[3];       // spherical: spring on the rotation vector, N m/rad
    ElvLoopRow row[6];
} ElvLoop;

extern const ElvDeviceOps ELV_LOOP_OPS;
/// The same for constraints on velocities: named otherwise.
extern const ElvDeviceOps ELV_VELOCITY_CONSTRAINT_OPS;

// ---- loop_side.c

/// The two sides of a joint in motion, in the one frame.
typedef struct {
    ElvMotion side[2];
    ElvWrench W; // of the first on the second, about the origin of the one frame
} ElvLoopSides;

/// A variation of the sides: of the poses, and of the twists.
typedef struct {
    ElvTwist Z[2], d_V[2];
    ElvWrench d_W;
} ElvLoopVariation;

ElvLoopSides elv_loop_sides(const ElvLoop* loop, const ElvScene* scene);

/// The variation under data->x and d_z (all of z).
ElvLoopVariation elv_loop_vary_sides(const ElvLoop* loop,
                                     const ElvScene* scene,
                                     const ElvLoopSides* sides,
                                     const double* d_z);

/// How far laws turn the second side against the first between two times, rad.
double elv_loop_swing(const ElvDevice* device, double from, double to);

/// The joint frame on the first end, without any gap, in the one frame.
ElvPose elv_loop_joint_frame(const ElvLoop* loop, const ElvScene* scene);

// ---- loop_row.c

/// Whether a row is a constraint on the motion; else it is one on the wrench.
bool elv_loop_row_holds(const ElvLoopRow* row);

/// What a row measures of the motion, with two time derivatives; without the law. ELV_ROW_TWIST
/// measures a velocity: its value is in the first derivative. That of ELV_ROW_BALL is the spin, not
/// the rate of its value.
ElvJet elv_loop_row_motion(const ElvLoopRow* row, const ElvLoopSides* sides);

/// Variation of that: of the value (d[0]) and of its first time derivative (d[1]).
void elv_loop_row_vary(const ElvLoopRow* row,
                       const ElvLoopSides* sides,
                       const ElvLoopVariation* variation,
                       double d[2]);

/// Energy of the spring of a spherical joint; its moment along a row, and the variation of that.
double elv_loop_ball_energy(const ElvLoop* loop, const ElvLoopSides* sides);
double elv_loop_ball_moment(const ElvLoop* loop, const ElvLoopRow* row, const ElvLoopSides* sides);
double elv_loop_vary_ball_moment(const ElvLoop* loop,
                                 const ElvLoopRow* row,
                                 const ElvLoopSides* sides,
                                 const ElvLoopVariation* variation);

/// Component of the wrench along a row, and its variation.
double elv_loop_row_wrench(const ElvLoopRow* row, const ElvLoopSides* sides);
double elv_loop_row_vary_wrench(const ElvLoopRow* row,
                                const ElvLoopSides* sides,
                                const ElvLoopVariation* variation);

// ---- loop.c

/// The defect of a constraint and its time derivatives; that of a velocity is in the first.
ElvJet elv_loop_defect(const ElvLoopRow* row, const ElvScene* scene, const ElvLoopSides* sides);

// ---- loop_measure.c

/// How many quantities a loop has; a constraint on velocities has the first ones of them.
enum { ELV_LOOP_QUANTITIES = 7, ELV_TWIST_QUANTITIES = 5 };

extern const ElvDeviceQuantity elv_loop_quantity[ELV_LOOP_QUANTITIES];
void elv_loop_measure(const ElvDevice* device, const ElvScene* scene, int i, double* value);
int elv_loop_count(const ElvDevice* device, int i);

#endif
