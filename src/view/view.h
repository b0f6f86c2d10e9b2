// SPDX-License-Identifier: Apache-2.0
// Inside of an ElvView: the elements of a model that are drawn, and where in a record their numbers are.
//
// A pose is seven numbers: x, y, z, then the unit quaternion w, x, y, z; all in the world. Quaternions of one
// element go on from record to record without a change of sign, and so along a rod.
#ifndef ELVER_VIEW_VIEW_H
#define ELVER_VIEW_VIEW_H

#include "base/pool.h"
#include "elver/view.h"
#include "multibody/device.h"

enum {
    ELV_VIEW_POSE = 7,    // numbers of a pose
    ELV_VIEW_FIELDS = 12, // fields of rods: six strains, then six stresses
};

/// A rod, as sections at stations.
typedef struct {
    const char* name;
    int i_node;
    double length;
    int n_station;
    double* station;              // from 0 to 1                              (n_station)
    ElvSectionKind section;       // circle, ellipse or rectangle
    double* width[2];             // full widths along y and z                (n_station)
    int i_pose;                   // poses of all stations
    int i_scale;                  // factor on the widths at each station; -1: 1
    int i_field[ELV_VIEW_FIELDS]; // a number a station: six strains, then six stresses; -1: none
    ElvPose* pose;                // scratch: of the last record, in the world   (n_station)
} ElvViewRod;

/// A rigid body.
typedef struct {
    const char* name;
    int i_port;
    ElvShapeDef shape; // with its pose in the body
    int i_pose;
    int i_parent;  // pose of the body that it hangs on; -1: none
    ElvVec3 joint; // where, in the axes of that body
    ElvJointType joint_type;
    ElvVec3 hinge;    // where that joint moves it, in its own axes
    ElvVec3 axis;     // of the joint, there; 0: it has none, or several
    bool has_spread;  // it is a mere point, and so much larger by its inertia:
    double spread[3]; // semi-axes of a solid ellipsoid of that inertia, m
    int n_stick;
    ElvVec3* stick; // what it holds together, in its own axes; its joint first (n_stick)
} ElvViewBody;

/// A wheel on a body, or on a section of a rod.
typedef struct {
    const char* name;
    int i_pose;    // of what it is fixed to
    ElvVec3 place; // its middle, in the axes of that
    ElvVec3 axis;  // unit
    double radius; // m
} ElvViewWheel;

/// A place where something is held by the world.
typedef struct {
    const char* name;
    ElvVec3 place; // in the world
    ElvVec3 axis;  // unit: along the rod, of the hinge, else up
    double width;  // of a rod that is held there, m; 0: what is held has none
} ElvViewAnchor;

typedef enum { ELV_VIEW_TENDON, ELV_VIEW_CHAMBER, ELV_VIEW_MUSCLE } ElvViewPathKind;

/// A point of a path: in a section of a rod that is drawn, or fixed to a port.
typedef struct {
    int i_rod;     // of the view; -1: a port
    int i_station; // of that rod; -1: between its stations
    double s;      // there
    int port;
    ElvVec3 place; // in the axes of section or port
} ElvViewPoint;

/// A tendon, chamber or muscle, as points along it.
typedef struct {
    ElvViewPathKind kind;
    const char* name;
    int i_device;
    int n_point;
    int i_points;        // x, y, z of each
    int i_value;         // tension, pressure or activation
    const char* unit;    // of that
    double width;        // to draw it with, m
    ElvViewPoint* point; // (n_point)
} ElvViewPath;

typedef enum {
    ELV_VIEW_LOAD,
    ELV_VIEW_CONTACT,
    ELV_VIEW_WHEEL,
    ELV_VIEW_LOOP,
    ELV_VIEW_CONTROL
} ElvViewArrowKind;

/// What an arrow is read from.
typedef enum {
    ELV_ARROW_POINT,       // point load i
    ELV_ARROW_DISTRIBUTED, // load i_field of rod node i, a piece of it about s
    ELV_ARROW_DEVICE       // device i
} ElvViewArrowSource;

/// A force or a moment: the point where it acts, then the vector, six numbers.
typedef struct {
    ElvViewArrowKind kind;
    const char* name;
    bool is_moment;
    int index;
    ElvViewArrowSource source;
    int i, i_field;
    double s, share; // distributed: station, and the length that it stands for, m
} ElvViewArrow;

typedef struct {
    const char* name;
    ElvFrame frame;
    int i_pose;
} ElvViewFrame;

/// What a number is, which says how finely a file keeps it (view_pack.c).
typedef enum {
    ELV_NUMBER_POSITION,
    ELV_NUMBER_QUATERNION,
    ELV_NUMBER_CURVATURE, // strains, 1/m
    ELV_NUMBER_STRAIN,    // strains without unit
    ELV_NUMBER_MOMENT,
    ELV_NUMBER_FORCE,
    ELV_NUMBER_ARROW,
    ELV_NUMBER_VALUE, // tensions, pressures, activations, scales of widths
    ELV_NUMBER_SIGNAL,
    ELV_N_NUMBER
} ElvViewNumberKind;

typedef struct {
    ElvViewNumberKind kind;
    int group; // numbers that share a range: those of a field along one rod
} ElvViewNumber;

struct ElvView {
    ElvPool pool;
    const ElvModel* model;
    double size;     // of the robot, m
    bool is_statics; // records are equilibria, their times loads
    int n_value;
    int n_rod, n_body, n_path, n_arrow, n_frame, n_signal, n_wheel, n_anchor;
    ElvViewRod* rod;       // (n_rod)
    ElvViewBody* body;     // (n_body)
    ElvViewPath* path;     // (n_path)
    ElvViewArrow* arrow;   // (n_arrow)
    ElvViewFrame* frame;   // (n_frame)
    ElvViewWheel* wheel;   // (n_wheel)
    ElvViewAnchor* anchor; // (n_anchor)
    ElvSignals* signals;   // with n_signal columns
    int i_signal;          // first of these; they are the last numbers of a record
    int n_group;
    ElvViewNumber* number; // what each number is                              (n_value)
    // scratch: quaternions of the last record, of the roots of rods, then of bodies, then of frames
    ElvQuat* last; // (n_rod + n_body + n_frame)
};

/// Name of a kind as the description has it ("tendon", "N m"); never NULL.
const char* elv_view_path_kind(ElvViewPathKind kind);
const char* elv_view_arrow_kind(ElvViewArrowKind kind);
const char* elv_view_section_kind(ElvSectionKind kind);
const char* elv_view_shape_kind(ElvShapeKind kind);

/// Sizes that a shape has: 0 to 3.
int elv_view_shape_sizes(ElvShapeKind kind);

/// Name ("bend_y", "stress.bend_y"), unit and label ("bending about y") of field i; never NULL.
void elv_view_field_text(int i, const char** name, const char** unit, const char** label);

#endif
