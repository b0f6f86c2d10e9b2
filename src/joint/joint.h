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
#include "elver/law.h"
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
    double load;     // factor on loads and drives: 1, less while statics steps the loads up
    ElvVec3 gravity; // with that factor
    const double* q; // (n_q)
    const double* v; // (n_v)
    const double* a; // (n_v)
    const double* u; // inputs of the channels (n_channel)
    bool is_static;  // nothing moves, and t is a load: laws have no rates
    const struct ElvFluidNow* fluid; // the fluid at that time; NULL: none
} ElvJointInput;

/// A channel: one number u from outside that acts on a joint, and what the joint shows in return. A
/// tendon pulls a rod by its tension and measures its length there.
typedef struct {
    double* effort;   // d_upsilon / d_u                                    (n_v)
    double value;     // what is measured: a length, m; an angle
    double* d_value;  // its derivative by the coordinates q                (n_v)
    double rate;      // its time derivative
    double factor;    // of u, between where the channel enters and where it leaves the joint
    double* d_factor; // its derivative by the coordinates q                (n_v)
} ElvChannel;

/// Sums over bodies and sections; moments and centres about the origin of the one frame.
typedef struct {
    double kinetic, elastic, gravity; // J; gravity about the one frame's origin
    ElvWrench momentum;               // (angular; linear), world axes
    double mass;                      // kg
    ElvVec3 moment;                   // integral of position dm, kg m
    double fluid; // power given to a fluid, W, but for buoyancy and added inertia
} ElvMeasure;

/// Powers of what acts within a joint or along a rod, W.
typedef struct {
    double actuators; // drives, controllers, channels, stress fields; not what imposed motions take
    double loads;     // distributed loads, without gravity
    double dissipated; // damping, friction, stops
} ElvJointPower;

typedef struct ElvJoint ElvJoint;

/// Rows of the variation of a motion: (Z, Z_dot, Z_ddot), where Z is the spatial variation of the
/// pose, delta g = hat(Z) g, in the one frame.
enum { ELV_N_VARIATION = 18 };

/// How a variation of the unknown nu of a time step moves a joint: with u the variation of the
/// coordinates (of the moving frame, in its own axes, for spherical and free joints),
/// u = N0 d_nu, u_dot = N1 d_nu, u_ddot = N2 d_nu.                               [P23 (14)-(15)]
/// N0, N1, N2 are (n_v x n_v), row-major, or NULL for the scalars c, a, b. A time step has c = 1;
/// (c, a, b) = (0, 0, 1) varies the accelerations alone, (1, 0, 0) is statics. is_bare: the tangent of the IDM alone,
/// without that of the internal efforts.
typedef struct {
    double c, a, b;
    const double *N0, *N1, *N2;
    bool is_bare;
} ElvUnknown;

/// The tangent of a joint: all of (x_root, d_nu, d_W at the ports) -> (x at the ports, d_R,
/// d_W_root), in the one frame, row-major:
///     x_p      = x_root + Xq_p d_nu
///     d_R      = Qq d_nu + Qx x_root + sum_p P_p^T d_W_p
///     d_W_root = Wq d_nu + Wx x_root + sum_p d_W_p
typedef struct {
    double* Xq; // (n_port x 18 x n_v)
    double* P;  // (n_port x 6 x n_v)
    double* Qq; // (n_v x n_v)
    double* Qx; // (n_v x 18)
    double* Wq; // (6 x n_v)
    double* Wx; // (6 x 18)
} ElvJointTangent;

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

    /// Screws: twist of port p per unit v_k, in screw[p * n_v + k]. After forward. screw NULL: nothing but what
    /// composite needs for the inertia at the root.
    void (*screws)(const ElvJoint* joint, void* work, ElvTwist* screw);

    /// Composite inertias at the ports to the one at the root; momentum of the whole subtree per
    /// unit v_k in momentum[k]; the joint's diagonal block of the mass matrix in M (row stride ld).
    /// After screws. M NULL: the inertia at the root alone.
    void (*composite)(const ElvJoint* joint,
                      void* work,
                      const ElvInertia* port,
                      ElvInertia* root,
                      ElvWrench* momentum,
                      double* M,
                      int ld);

    /// Internal efforts: drive law, spring or elasticity, damping, actuation stress, inputs of the
    /// channels.                                                                       [P23 (23)]
    /// size: how large they are before they cancel, what acts and what resists counted apart.
    void (*efforts)(
        const ElvJoint* joint, void* work, const ElvJointInput* in, double* upsilon, double* size);

    /// Tangent of the residual IDM - Upsilon about the state of the last forward and backward
    /// transfer; port: the wrenches that were given to backward. is_grounded: the root does not
    /// move, and Qx and Wx are not needed.                                      [P23 (48)-(55), (66)]
    void (*tangent)(const ElvJoint* joint,
                    void* work,
                    const ElvJointInput* in,
                    const ElvUnknown* unknown,
                    const ElvMotion* root,
                    const ElvWrench* port,
                    bool is_grounded,
                    ElvJointTangent* tangent);

    /// Channel i at the state of the last forward transfer; NULL for joints that have none.
    void (*channel)(
        const ElvJoint* joint, void* work, const ElvJointInput* in, int i, ElvChannel* channel);

    /// Efforts of the force drive and the controllers alone; those of components with an imposed motion
    /// are left alone.
    void (*drive)(const ElvJoint* joint, const ElvJointInput* in, double* effort);

    /// What channel i wants the integral of: the target of a coordinate minus that coordinate. NULL for
    /// joints whose channels integrate nothing.
    const ElvLaw* (*integral)(const ElvJoint* joint, int i, int* component);

    /// Add the joint's own energies and momenta (elastic energy; a rod's inertia). After forward.
    void (*measure)(const ElvJoint* joint, void* work, const ElvJointInput* in, ElvMeasure* sum);

    /// Add the powers of what acts within the joint. After forward, with the inputs of the channels.
    void (*power)(const ElvJoint* joint, void* work, const ElvJointInput* in, ElvJointPower* sum);

    /// q_dot from (q, v).
    void (*rate)(const ElvJoint* joint, const double* q, const double* v, double* q_dot);

    /// Coordinates of an imposed motion at time t (those that are not driven so are left alone), and
    /// quaternions made unit.
    void (*impose)(const ElvJoint* joint, double t, double* q, double* v, double* a);

    /// Whether the imposed motion is a number at time t; NULL for joints that do not ask.
    ElvStatus (*check)(const ElvJoint* joint, double t, ElvError* error);

    /// Initial coordinates and velocities.
    void (*initial)(const ElvJoint* joint, double* q, double* v);

    // ---- the chart in which a time step works: nu = 0 at its start; vectors for most joints,
    // ---- rotation vector and displacement on SO(3) x R^3 for spherical and free ones

    /// Rates of the chart at its origin q: w = nu_dot, w_dot = nu_ddot from (v, a), both (n_v).
    void (*chart_rates)(const ElvJoint* joint,
                        const double* q,
                        const double* v,
                        const double* a,
                        double* w,
                        double* w_dot);

    /// The state at nu, with rates w and w_dot, of the chart whose origin is q_n.  [P23 (12), (74)-(75)]
    void (*chart_state)(const ElvJoint* joint,
                        const double* q_n,
                        const double* nu,
                        const double* w,
                        const double* w_dot,
                        double* q,
                        double* v,
                        double* a);

    /// N0, N1, N2 at that state for d_w = a d_nu, d_w_dot = b d_nu, each (n_v x n_v); false when
    /// they are the scalars 1, a, b.                                                 [P23 (15), (76)]
    bool (*chart_unknown)(const ElvJoint* joint,
                          const double* nu,
                          const double* q,
                          const double* v,
                          const double* vdot,
                          double a,
                          double b,
                          double* N0,
                          double* N1,
                          double* N2);
} ElvJointOps;

/// The head of every joint.
struct ElvJoint {
    const ElvJointOps* ops;
    int n_q, n_v, n_port;
    int n_channel;
    bool is_motion_driven; // the motion of all of its coordinates is imposed
    const bool* driven;    // where only some are: which velocity components   (n_v); else NULL
};

/// Whether velocity component k follows an imposed motion.
static inline bool elv_joint_is_driven(const ElvJoint* joint, int k) {
    return joint->driven ? joint->driven[k] : joint->is_motion_driven;
}

#endif
