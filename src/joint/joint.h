// SPDX-License-Identifier: Apache-2.0
// The joint interface: what the recursions know of a joint, lumped or soft.
//
// A joint carries the motion of its root (a frame fixed to its antecedent) to its ports: the body
// of a lumped joint, or the stations of a rod that carry something, its tip last. Every pose,
// twist, wrench and inertia that crosses this interface is expressed in ONE inertial frame with
// world axes, so that transfers are sums:
//     V = Ad_g eta,  A = Ad_g eta_dot,  W = Ad_g^-T F,  I = Ad_g^-T M Ad_g^-1,  S = Ad_g s.
#ifndef ELVER_JOINT_JOINT_H
#define ELVER_JOINT_JOINT_H

#include "base/arena.h"
#include "elver/lie.h"

#include <stdbool.h>

/// Kinematics of a body or section in the one frame.
typedef struct {
    ElvPose g;
    ElvTwist V, A;
} ElvMotion;

/// What a joint is given: time, gravity (world axes) and its own slices of the state.
typedef struct {
    double t;
    ElvVec3 gravity;
    const double* q; // (n_q)
    const double* v; // (n_v)
    const double* a; // (n_v)
} ElvJointInput;

/// Sums over bodies and sections; moments and centres about the origin of the one frame.
typedef struct {
    double kinetic, elastic, gravity; // J; gravity about the one frame's origin
    ElvWrench momentum;               // (angular; linear), world axes
    double mass;                      // kg
    ElvVec3 moment;                   // integral of position dm, kg m
} ElvMeasure;

typedef struct ElvJoint ElvJoint;

typedef struct {
    /// Place the joint's workspace.
    void* (*layout)(const ElvJoint* joint, ElvArena* arena);

    /// Position of the joint's frame in its base frame: the recursion takes the origin of the one
    /// frame there.
    ElvVec3 (*locate)(const ElvJoint* joint, const double* q);

    /// Forward transfer: root to ports.                                           [P23 (39)-(41)]
    void (*forward)(const ElvJoint* joint,
                    void* work,
                    const ElvJointInput* in,
                    const ElvMotion* root,
                    ElvMotion* port);

    /// Backward transfer: wrenches handed on at the ports to the wrench at the root, and the
    /// projection on the joint's own motion. After forward.            [P23 (42)-(44), (46)-(47)]
    void (*backward)(const ElvJoint* joint,
                     void* work,
                     const ElvJointInput* in,
                     const ElvWrench* port,
                     ElvWrench* root,
                     double* tau);

    /// Screws: twist of port p per unit v_k, in screw[p * n_v + k]. After forward.
    void (*screws)(const ElvJoint* joint, void* work, ElvTwist* screw);

    /// Composite inertias at the ports to the one at the root; momentum of the whole subtree per
    /// unit v_k in momentum[k]; the joint's diagonal block of the mass matrix in M (row stride ld).
    /// After screws.
    void (*composite)(const ElvJoint* joint,
                      void* work,
                      const ElvInertia* port,
                      ElvInertia* root,
                      ElvWrench* momentum,
                      double* M,
                      int ld);

    /// Internal efforts: drive law, spring or elasticity, damping, actuation stress.   [P23 (23)]
    void (*efforts)(const ElvJoint* joint, void* work, const ElvJointInput* in, double* upsilon);

    /// Effort of the force drive alone.
    void (*drive)(const ElvJoint* joint, double t, double* effort);

    /// Add the joint's own energies and momenta (elastic energy; a rod's inertia). After forward.
    void (*measure)(const ElvJoint* joint, void* work, const ElvJointInput* in, ElvMeasure* sum);

    /// q_dot from (q, v).
    void (*rate)(const ElvJoint* joint, const double* q, const double* v, double* q_dot);

    /// Coordinates of an imposed motion at time t (left alone if the joint is not driven so), and
    /// quaternions made unit.
    void (*impose)(const ElvJoint* joint, double t, double* q, double* v, double* a);

    /// Initial coordinates and velocities.
    void (*initial)(const ElvJoint* joint, double* q, double* v);
} ElvJointOps;

/// The head of every joint.
struct ElvJoint {
    const ElvJointOps* ops;
    int n_q, n_v, n_port;
    bool is_motion_driven;
};

#endif
