// SPDX-License-Identifier: Apache-2.0
// Lumped joints: g_body = g_root  g(q)  body_pose, with screws s(q) in the moving frame.
#ifndef ELVER_JOINT_LUMPED_H
#define ELVER_JOINT_LUMPED_H

#include "elver/law.h"
#include "elver/spec.h"
#include "joint/joint.h"
#include "joint/joint_control.h"

/// Axes of a universal joint whose angle has a sine up to this count as parallel.
#define ELV_PARALLEL_SINE 1e-6

typedef struct ElvLumped ElvLumped;

/// One type of lumped joint. Moving-frame quantities; eta_rel = s v, eta_rel_dot = s a + s_dot v.
/// Types whose spring, rate and impose are NULL have scalar coordinates. Scalar joints are chains of
/// one-parameter motions, in the order of factor (NULL: as numbered).
typedef struct {
    int n_q, n_v;
    const int* factor;
    int n_law_motion; // laws of an imposed motion

    ElvPose (*pose)(const ElvLumped* joint, const double* q);
    void (*screws)(const ElvLumped* joint, const double* q, ElvTwist* s);
    /// s_dot v; NULL when the screws are constant in the moving frame
    ElvTwist (*bias)(const ElvLumped* joint, const double* q, const double* v);
    /// spring effort Q = -dU/dq dual to v, added to effort; returns the energy U
    double (*spring)(const ElvLumped* joint, const double* q, double* effort);
    /// its stiffness -dQ/du for variations u of the moving frame, added to K (n_v x n_v)
    void (*spring_tangent)(const ElvLumped* joint, const double* q, double* K);
    void (*rate)(const double* q, const double* v, double* q_dot);
    /// coordinates, velocities, accelerations of an imposed motion from the jets of its laws
    void (*impose)(const ElvJet* law, double* q, double* v, double* a);
} ElvLumpedType;

struct ElvLumped {
    ElvJoint joint; // first: an ElvLumped* is an ElvJoint*
    const ElvLumpedType* type;
    ElvVec3 axis, axis2; // unit
    ElvVec3 plane[2];    // planar: unit axes normal to axis, right-handed (plane0, plane1, axis)
    double pitch;        // m/rad
    double damping[6], stiffness[6], rest[6];
    double gear[6], rotor_inertia[6]; // inertia at the joint: gear^2 times that of the motor
    ElvDrive drive;
    const ElvLaw* law[6];
    ElvJointControl control; // friction, stops, controllers
    ElvPose body_pose;
    double q0[7], v0[6]; // initial
};

/// Compile a checked definition. Laws are borrowed; NULL stands for none. Fails on a zero axis or parallel axes; field
/// is named in error ("joint.axis").
ELV_NODISCARD ElvStatus elv_lumped_init(ElvLumped* lumped,
                                        const ElvJointDef* def,
                                        ElvPose body_pose,
                                        const ElvLaw* const law[6],
                                        const ElvLaw* const target[6],
                                        const char* element,
                                        ElvError* error);

/// Workspace of a lumped joint.
typedef struct {
    // computed by forward
    ElvTwist S[6]; // screws in the one frame                                       (n_v)
} ElvLumpedWork;

// lumped_efforts.c
void elv_lumped_efforts(
    const ElvJoint* joint, void* work, const ElvJointInput* in, double* upsilon, double* size);
void elv_lumped_drive(const ElvJoint* joint, const ElvJointInput* in, double* effort);
void elv_lumped_power(const ElvJoint* joint,
                      void* work,
                      const ElvJointInput* in,
                      ElvJointPower* sum);
void elv_lumped_measure(const ElvJoint* joint,
                        void* work,
                        const ElvJointInput* in,
                        ElvMeasure* sum);
const ElvLaw* elv_lumped_integral(const ElvJoint* joint, int i, int* component);
void elv_lumped_channel(
    const ElvJoint* joint, void* work, const ElvJointInput* in, int i, ElvChannel* channel);

// lumped_tidm.c
void elv_lumped_tangent(const ElvJoint* joint,
                        void* work,
                        const ElvJointInput* in,
                        const ElvUnknown* unknown,
                        const ElvMotion* root,
                        const ElvWrench* port,
                        bool is_grounded,
                        ElvJointTangent* tangent);

/// Table of types, indexed by ElvJointType.
const ElvLumpedType* elv_lumped_type(ElvJointType type);

/// Axes of the plane normal to a unit axis, right-handed with it (e1, e2, axis): for an axis along x, y
/// or z these are the next ones.
void elv_plane_axes(ElvVec3 axis, ElvVec3 plane[2]);

#endif
