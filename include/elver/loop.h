// SPDX-License-Identifier: Apache-2.0
// Constraints between frames of a model: loops that joints close, imposed poses, points that slide
// along rods, wheels and blades. Part of elver/spec.h, which comes first also where this header is
// included alone.
#ifndef ELVER_SPEC_H
#include "elver/spec.h"
#endif
#ifndef ELVER_LOOP_H
#define ELVER_LOOP_H

// ---- closed loops

/// How a loop is held together.
typedef enum {
    ELV_CLOSURE_EXACT,    // multipliers: the constraints hold to the tolerance of Newton
    ELV_CLOSURE_PENALTY,  // springs of stiffness `penalty`: the loop gives a little
    ELV_CLOSURE_AUGMENTED // exact, and Newton is helped by such springs   (section XI.B.1 of [P23])
} ElvClosure;

/// A joint that closes a loop between two frames anywhere in the tree, or holds a frame of it to
/// the world. Its first side is the joint frame
///     first  pose(t)
/// so that laws of time impose the motion of `second` (a rheonomic constraint); its other side is
/// `second`. At zero coordinates both sides coincide. Joint types: all but helical and free. Of the
/// joint def type, axis, axis2, stiffness, rest, damping, drive and law count; the others must have
/// their defaults.
typedef struct {
    const char* name;
    const char* first;  // frame reference, default "world"
    const char* second; // frame reference
    ElvLawDef pose[6];  // roll, pitch, yaw, x, y, z of the joint frame, laws of t; default 0
    ElvJointDef joint;  // drive FORCE: efforts of a motor; MOTION: coordinates imposed
    ElvClosure closure;
    double penalty[2]; // N m/rad, N/m: of penalty and augmented closures
} ElvLoopDef;

/// A point of a frame that slides without friction along the centreline of a rod.
typedef struct {
    const char* name;
    const char* point; // frame reference: its origin slides
    const char* rod;
    double station;  // where on the rod it is at the start (a guess), default 0.5
    double damping;  // of sliding, N s/m
    ElvLawDef force; // that drives the point towards the tip, N, law of t; default 0
    bool is_driven;  // the station is imposed by `drive`; default false
    ElvLawDef drive; // station as a law of t
} ElvSliderDef;

// ---- constraints on velocities

enum { ELV_VELOCITY_ROWS_MAX = 5 };

/// Velocity constraints on a frame: with eta = (Omega; V) the twist of `at` against that of `on`,
/// in the axes of `at`,
///     sum_k row[i][k] eta_k = rate_i(t).
/// They need not be integrable: a blade on ice has one row (0, 0, 0, 0, 1, 0).           [P23 (7)]
typedef struct {
    const char* name;
    const char* at;
    const char* on; // default "world"
    int n_row;      // 1 to ELV_VELOCITY_ROWS_MAX
    double row[ELV_VELOCITY_ROWS_MAX][6];
    ElvLawDef rate[ELV_VELOCITY_ROWS_MAX]; // m/s or rad/s, default 0
} ElvVelocityConstraintDef;

/// A thin wheel that rolls without slipping on the plane z = 0 of a frame. Its centre is the origin
/// of `at`.
typedef struct {
    const char* name;
    const char* at;
    const char* on;      // default "world"
    ElvVec3 axis;        // of the wheel, in the axes of `at`; default y
    double radius;       // m
    bool slips_sideways; // an omnidirectional wheel: free along its axis
} ElvRollingDef;

/// What turns a wheel.
typedef enum {
    ELV_WHEEL_FREE,     // nothing: it rolls as its body moves
    ELV_WHEEL_ROTATION, // a motor whose angle is a law of t, rad: a constraint on the motion
    ELV_WHEEL_TORQUE,   // a motor whose torque is a law of t, N m: it pushes with torque / radius
    ELV_WHEEL_RATE,     // a motor whose rate is a law of t, rad/s: a constraint on the motion
    ELV_N_WHEEL_DRIVE
} ElvWheelDrive;

/// An ideal wheel without mass, fixed to a frame of a body that its joints keep on the ground; the
/// frame's z axis points away from the ground. It does not slip along its axis (unless it is
/// omnidirectional), and rolls without slipping along axis x z. Steering: put it on a body with a
/// joint about z.                                                               [ALI (3.37)-(3.42)]
typedef struct {
    const char* name;
    const char* at;
    ElvVec3 axis;  // in the axes of `at`; default y; what it has of z does not count
    double radius; // m
    bool is_omni;  // free along its axis
    ElvWheelDrive drive;
    ElvLawDef law; // rotation, torque or rate
} ElvWheelDef;

/// What a contact holds of a section of a rod.
typedef enum {
    /// All of its twist: an anchorage, locked, or sweeping where the station moves.
    ///                                                                          [ALI (5.35)-(5.38)]
    ELV_CONTACT_ANCHOR,
    /// Both velocities across its axis and the spin about it: a ring that the rod goes through.
    ELV_CONTACT_RING //                                                              [ALI (5.40)]
} ElvContactKind;

/// Axes of a section along which a contact pushes.
enum { ELV_PUSH_BOTH, ELV_PUSH_X, ELV_PUSH_Y, ELV_PUSH_Z };

/// An ideal contact of a rod. Stations that move, and obstacles that do, need an explicit method.
typedef struct {
    const char* name;
    const char* rod;
    ElvContactKind kind;
    ElvLawDef station; // in [0, 1], law of t; default 0.5
    bool slides;       // a ring that stays with its obstacle: `station` is where it starts
    const char* on;    // frame that moves as the obstacle does, default "world"
    ElvLawDef when;    // the contact holds while this law is not 0; default 1
    /// The axis of the section along which alone it can push the rod, one of ELV_PUSH_X to
    /// ELV_PUSH_Z, or its negative, against that axis; ELV_PUSH_BOTH: it holds both ways. Reactions
    /// that would pull are reported.
    int pushes;
    /// Force on the section beside what the motion needs, N, in its axes, as far as all contacts
    /// together balance it; default 0. Needs an explicit method.                     [ALI (7.3)]
    ElvLawDef preload[3];
} ElvContactDef;

enum { ELV_COUPLED_MAX = 8 };

/// Coordinates of joints tied to each other: sum_i factor[i] q_i = value(t) (a gear), with q_i a
/// scalar coordinate of a joint.
typedef struct {
    const char* name;
    int n;
    const char* joint[ELV_COUPLED_MAX]; // body or rod whose joint it is
    int component[ELV_COUPLED_MAX];     // of that joint's coordinates, default 0
    double factor[ELV_COUPLED_MAX];
    ElvLawDef value; // default 0
} ElvCouplingDef;

// ---- constraints of one's own

enum { ELV_OWN_FRAMES_MAX = 4, ELV_OWN_JOINTS_MAX = 8, ELV_OWN_ROWS_MAX = 6 };

/// Where a constraint of one's own is asked for: poses of its frames in the world and their body
/// twists, coordinates and velocities of its joints, each in the order of the Def.
typedef struct {
    double t;
    const ElvPose* g;    // (n_frame)
    const ElvTwist* eta; // (n_frame)
    const double* q;     // (n_joint)
    const double* v;     // (n_joint)
} ElvConstraintInput;

/// A constraint Phi(g, eta, q, v, t) = 0 written in C: phi (n_row), and J (n_row x (6 n_frame +
/// n_joint)), row-major, its exact derivative by (eta, v) for rows on velocities, by displacements
/// of the frames in their own axes and by q for rows on positions. Its forces act along J. J is
/// NULL where phi alone is wanted. Rows on positions must not depend on velocities. It must depend
/// on nothing but its arguments, be smooth,
/// and be safe to call from several threads.                                             [P23 (7)]
typedef void (*ElvConstraintCallback)(void* user,
                                      const ElvConstraintInput* in,
                                      double* phi,
                                      double* J);

/// Further derivatives are taken by central differences of the callback.
typedef struct {
    const char* name;
    int n_frame, n_joint, n_row;
    const char* frame[ELV_OWN_FRAMES_MAX]; // frame references
    const char* joint[ELV_OWN_JOINTS_MAX]; // bodies or rods whose joints have scalar coordinates
    int component[ELV_OWN_JOINTS_MAX];     // of that joint's coordinates, default 0
    bool is_velocity[ELV_OWN_ROWS_MAX];    // row i constrains velocities, else positions
    ElvConstraintCallback callback;
    void* user;
} ElvConstraintDef;

ELV_API ElvLoopDef elv_loop_def_default(void);
ELV_API ElvSliderDef elv_slider_def_default(void);
ELV_API ElvVelocityConstraintDef elv_velocity_constraint_def_default(void);
ELV_API ElvRollingDef elv_rolling_def_default(void);
ELV_API ElvWheelDef elv_wheel_def_default(void);
ELV_API ElvContactDef elv_contact_def_default(void);
ELV_API ElvCouplingDef elv_coupling_def_default(void);
ELV_API ElvConstraintDef elv_constraint_def_default(void);

#endif
