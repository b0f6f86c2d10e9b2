// SPDX-License-Identifier: Apache-2.0
// Imposed strains of a rod: a field xi_d(s, t) minus the strain at rest, interpolated on each
// element by the modes of its strain, whose coordinates are then driven:
//     q = T (xi_d - xi_o),   v = T d xi_d / dt,   a = T d^2 xi_d / dt^2  at points of the element.
#ifndef ELVER_ROD_ROD_MOTION_H
#define ELVER_ROD_ROD_MOTION_H

#include "rod/rod.h"

/// How finely a field is to be met, relative to its size.
extern const double ELV_MOTION_TOL;

/// The most modes that are chosen for one strain of one element.
enum { ELV_MOTION_MODES_MAX = 64 };

/// One imposed strain of one element.
typedef struct ElvRodDrive {
    int strain, i_element;
    int column, n_mode;
    int n_point;
    const double* s;    // stations of the points                     (n_point)
    const double* rest; // strain at rest there                       (n_point)
    const double* T;    // coordinates per value at each point        (n_point x n_mode)
} ElvRodDrive;

/// Compile the laws of the imposed strains.
ELV_NODISCARD ElvStatus elv_rod_motion_laws(ElvRod* rod,
                                            const ElvRodDef* def,
                                            ElvLawSet* laws,
                                            ElvError* error);

/// Points, transforms and errors of all imposed strains, and which coordinates they drive; after
/// the elements.
ELV_NODISCARD ElvStatus elv_rod_motion_build(ElvRod* rod, ElvPool* pool, ElvError* error);

// ---- how many modes and nodes (rod_motion_choose.c)

/// The elements of a rod (n of them); those without given modes are cut where an imposed law jumps,
/// and halved where it needs many modes. NULL without memory.
const ElvElementDef*
elv_rod_motion_elements(const ElvRod* rod, const ElvRodDef* def, ElvPool* pool, int* n);

/// The size of an imposed strain on the rod, and of its time derivatives, into rod->motion_size.
void elv_rod_motion_measure(ElvRod* rod, int strain);

/// Legendre modes that meet the imposed strain between two stations to ELV_MOTION_TOL at the times
/// of the rod; ELV_MOTION_MODES_MAX + 1: more than can be had.
int elv_rod_motion_modes(const ElvRod* rod, int strain, double s0, double s1);

/// How far the modes of a drive miss its field and its time derivatives, relative to the size of
/// each.
double elv_rod_motion_error(const ElvRod* rod, const ElvRodDrive* drive);

/// Time i of those at which fields are looked at: the first, the last, then others in between, no
/// grid, on which a wave might look as if it stood still.
double elv_rod_motion_time(const ElvRod* rod, int i);

// ---- (rod_motion_nodes.c)

/// Quadrature nodes that resolve the imposed strains between two stations of an element, which has
/// some. More than ELV_MAX_QUADRATURE: no rule does, cut there.
int elv_rod_motion_nodes(const ElvRod* rod, const ElvRodElement* element, double s0, double s1);

/// Magnus steps over the widest gap between n nodes x on [0, 1] of the part between two stations,
/// all of whose strains are imposed: 1, 2 or ELV_ROD_SUBSTEP.
int elv_rod_motion_steps(const ElvRod* rod, int n, const double* x, double s0, double s1);

/// Whether all modes of an element are imposed, and there are some.
bool elv_rod_motion_is_whole(const ElvRod* rod, const ElvRodElement* element);

/// Cut segments that no rule resolves: more breaks (n of them, sorted), at most capacity; returns
/// how many. nodes: what elv_rod_motion_nodes asks of the segment from each, 0 where the number is
/// given or nothing is imposed (capacity).
int elv_rod_motion_cut(const ElvRod* rod, double* breaks, int* nodes, int n, int capacity);

// ---- evaluation

/// Coordinates of one drive and their rates at time t (n_mode), from the law's exact derivatives.
void elv_rod_drive_eval(
    const ElvRod* rod, const ElvRodDrive* drive, double t, double* q, double* v, double* a);

// operations of a rod as a joint
void elv_rod_impose(const ElvJoint* joint, double t, double* q, double* v, double* a);
ElvStatus elv_rod_check(const ElvJoint* joint, double t, ElvError* error);

#endif
