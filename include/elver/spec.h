// SPDX-License-Identifier: Apache-2.0
// The editable description of a model: what a model file says, as C structs.
//
// Fill a Def (from its elv_..._def_default()), add it to an ElvSpec, compile the spec into an
// immutable ElvModel. A spec copies every string, array and law it is given. Elements are named;
// other elements refer to them by frame references: "world", "BODY", "ROD.root", "ROD.tip",
// "ROD.at(0.5)", or the name of a frame added by elv_spec_add_frame.
#ifndef ELVER_SPEC_H
#define ELVER_SPEC_H

#include "elver/finite.h"
#include "elver/fluid.h"
#include "elver/law_def.h"
#include "elver/lie.h"
#include "elver/shooting.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The six strains of a rod, in the order of a twist: K1, K2, K3, Gamma1, Gamma2, Gamma3.
typedef enum {
    ELV_STRAIN_TWIST,
    ELV_STRAIN_BEND_Y,
    ELV_STRAIN_BEND_Z,
    ELV_STRAIN_STRETCH,
    ELV_STRAIN_SHEAR_Y,
    ELV_STRAIN_SHEAR_Z,
    ELV_N_STRAIN
} ElvStrain;

/// Name of a strain as model files spell it ("bend_y"); never NULL.
ELV_API const char* elv_strain_name(ElvStrain strain);

// ---- lumped joints

/// Coordinates and velocities by type (body-frame twist components where not said otherwise):
///   fixed        none
///   revolute     angle                          prismatic  displacement
///   helical      angle; translation pitch*angle cylindrical  angle, displacement
///   universal    two angles, about axis then axis2
///   planar       angle about axis, then displacements along the two base-frame axes normal to it
///   spherical    quaternion (w, x, y, z); velocity: body angular velocity
///   free         quaternion, position; velocity: body twist (angular; linear)
typedef enum {
    ELV_JOINT_FIXED,
    ELV_JOINT_REVOLUTE,
    ELV_JOINT_PRISMATIC,
    ELV_JOINT_HELICAL,
    ELV_JOINT_CYLINDRICAL,
    ELV_JOINT_UNIVERSAL,
    ELV_JOINT_PLANAR,
    ELV_JOINT_SPHERICAL,
    ELV_JOINT_FREE,
    ELV_N_JOINT_TYPE
} ElvJointType;

/// Name of a joint type as model files spell it ("revolute"); never NULL.
ELV_API const char* elv_joint_type_name(ElvJointType type);

typedef enum {
    ELV_DRIVE_PASSIVE, // springs and dampers alone
    ELV_DRIVE_FORCE,   // one effort law per velocity component, added to springs and dampers
    ELV_DRIVE_MOTION   // imposed motion: one law per coordinate; spherical: roll, pitch, yaw;
                       // free: roll, pitch, yaw, x, y, z
} ElvDrive;

/// A controller written in C: efforts of a joint from its coordinates q and velocities v (n_v), added to
/// its other efforts, and their exact stiffness and damping
///     K = -d effort / d u,   D = -d effort / d v     (n_v x n_v), row-major,
/// with u the variation of the coordinates (of the moving frame in its own axes for spherical and free
/// joints). effort, K and D are zero at the call; K and D are NULL where the efforts alone are wanted.
/// It must depend on nothing but its arguments, and be safe to call from several threads.
typedef void (*ElvJointCallback)(
    void* user, double t, const double* q, const double* v, double* effort, double* K, double* D);

/// Arrays have a value for each velocity component. "scalar" marks what joints with scalar coordinates
/// have alone: all but spherical and free.
typedef struct {
    ElvJointType type;
    ElvVec3 axis;        // unit axis in the joint frame (normalised on compile), default z
    ElvVec3 axis2;       // universal: second axis, default y; must not be parallel to axis
    double pitch;        // helical: m/rad
    double damping[6];   // effort per velocity
    double stiffness[6]; // spring; spherical and free: on the rotation vector and the position
    double rest[6];      // spring's rest coordinate (scalar)

    // dry friction: -friction tanh(v / friction_speed)
    double friction[6];       // N m or N
    double friction_speed[6]; // rad/s or m/s, default 1e-3

    // limits with compliant stops (scalar); p is the depth of the joint in a stop:
    // push k e(p) (x + sqrt(1 + x^2)), x = c p_dot; e = p^2/(2w) for 0 < p < w, p - w/2 beyond
    double lower[6], upper[6]; // default -infinity, infinity: no stop
    double stop_stiffness[6];  // k, N m/rad or N/m
    double stop_damping[6];    // c, s/rad or s/m: an impact at a small speed v loses 2/3 c v of it
    double stop_width[6];      // w, rad or m, default 1e-3

    // motor
    double gear[6]; // motor turns per turn of the joint, default 1; negative: reversed
    double
        rotor_inertia[6]; // of the motor: adds gear^2 rotor_inertia to the mass matrix's diagonal
    ElvDrive drive;
    ElvLawDef law[6]; // force: of the motor, the joint gets gear times it

    // controller (scalar), joint side, with z_dot = target - q:
    // M tanh(x / M), x = kp (target - q) + kd (target_dot - v) + ki z
    double kp[6], kd[6], ki[6];
    ElvLawDef target[6];       // laws of t
    double max_effort[6];      // M, default infinity: x itself
    ElvJointCallback callback; // NULL: none
    void* user;

    double position[6]; // initial coordinates; spherical and free: roll, pitch, yaw, x, y, z
    double velocity[6]; // initial velocities
} ElvJointDef;

ELV_API ElvJointDef elv_joint_def_default(void); // fixed

// ---- rigid bodies

typedef enum {
    ELV_SHAPE_NONE,
    ELV_SHAPE_SPHERE,    // radius
    ELV_SHAPE_BOX,       // full sizes along x, y, z
    ELV_SHAPE_CYLINDER,  // radius, length along x
    ELV_SHAPE_CAPSULE,   // radius, length of the straight part along x
    ELV_SHAPE_ELLIPSOID, // semi-axes along x, y, z
    ELV_N_SHAPE
} ElvShapeKind;

typedef struct {
    ElvShapeKind kind;
    double size[3];
    ElvPose pose; // of the shape in the body frame; its centre is the centre of mass
} ElvShapeDef;

/// A rigid body and the joint that ties it to its parent:
/// g_body = g_parent  pose  joint(q)  body_pose.
typedef struct {
    const char* name;
    const char* parent; // frame reference, default "world"
    ElvPose pose;       // joint base frame in the parent frame
    ElvJointDef joint;
    ElvPose body_pose;  // body frame in the joint's moving frame
    double mass;        // kg; 0 allowed; ignored when density > 0
    ElvVec3 center;     // of mass, body frame; a shape gives it unless has_center
    bool has_center;    // the shape gives nothing of mass: it is for display and for a fluid
    ElvMat3 inertia;    // about the centre of mass, body axes
    bool has_inertia;   // false: taken from the shape, or zero without one
    bool is_unphysical; // the inertia may violate the triangle inequality, default false
    ElvShapeDef shape;
    double density; // with a shape: mass and inertia from it; 0 = not given
    // of a fluid at rest, about the centre of mass, body axes, angular before linear
    double resistance[6];    // wrench -R eta, N m s and N s/m
    double added_inertia[6]; // moves with the body and weighs nothing, kg m^2 and kg
    ElvBodyFluidDef fluid;   // what it feels of the fluid of the spec
} ElvBodyDef;

ELV_API ElvBodyDef elv_body_def_default(void);

// ---- rods

typedef enum {
    ELV_SECTION_CIRCLE,    // outer[0]: diameter
    ELV_SECTION_ELLIPSE,   // outer: full widths along y, z
    ELV_SECTION_RECTANGLE, // outer: full widths along y, z
    ELV_SECTION_EXPLICIT,  // area, inertia_y, inertia_z
    ELV_SECTION_NONE,      // stiffness and inertia matrices are given directly
    ELV_N_SECTION
} ElvSectionKind;

/// Cross-section; every dimension is a number or a law of s.
typedef struct {
    ElvSectionKind kind;
    ElvLawDef outer[2];
    bool is_hollow;
    ElvLawDef inner[2]; // hole of the same shape, centred
    ElvLawDef area, inertia_y, inertia_z;
    bool has_torsion;
    ElvLawDef torsion;      // torsion constant, default the polar moment
    ElvLawDef shear_factor; // default 1
} ElvSectionDef;

/// A 6x6 matrix along the rod: n = 0 not given, 6 its diagonal, 36 row-major; numbers or laws of s.
typedef struct {
    int n;
    ElvLawDef entry[36];
} ElvMatrixDef;

typedef struct {
    double density;               // kg/m^3
    double young;                 // Pa
    double poisson;               // used when shear is not given
    double shear;                 // shear modulus, Pa; 0 = young / (2 (1 + poisson))
    double damping[ELV_N_STRAIN]; // Kelvin-Voigt time constant per strain, s
} ElvMaterialDef;

typedef enum {
    ELV_BASIS_MONOMIAL,
    ELV_BASIS_LEGENDRE,
    ELV_BASIS_CHEBYSHEV,
    ELV_BASIS_PIECEWISE_CONSTANT, // modes = pieces
    ELV_BASIS_PIECEWISE_LINEAR,   // modes = pieces + 1
    ELV_BASIS_HERMITE,            // modes = 2 (pieces + 1): value and slope at each knot
    ELV_BASIS_TABLE,              // given mode shapes, interpolated by natural cubic splines
    ELV_N_BASIS
} ElvBasisKind;

/// Mode shapes by values: station[i] in [0, 1] of the element, value[m * n_station + i].
typedef struct {
    int n_station, n_mode;
    const double* station;
    const double* value;
} ElvBasisTable;

/// One element of a rod: the part from the previous element's end to s = to.
typedef struct {
    double to;
    int modes[ELV_N_STRAIN]; // 0: the strain keeps its reference value; imposed ones: chosen
    ElvBasisKind basis[ELV_N_STRAIN];
    ElvBasisTable table[ELV_N_STRAIN]; // ELV_BASIS_TABLE only
    int nodes;                         // quadrature nodes per smooth piece; 0 = chosen by basis
} ElvElementDef;

ELV_API ElvElementDef elv_element_def_default(void); // to = 1, Legendre, no modes

/// How the fields of a rod are integrated along it.
typedef enum {
    ELV_SPACE_QUADRATURE, // Magnus steps and Gauss quadrature in the one frame
    ELV_SPACE_SPECTRAL,   // Chebyshev collocation in moving frames, in cascade  [P23 (67)]
    ELV_N_SPACE
} ElvSpaceMethod;

/// A Cosserat rod: g_root = g_parent  pose  joint(q). X runs along the rod's x axis.
typedef struct {
    const char* name;
    const char* parent;
    ElvPose pose;
    ElvJointDef joint; // between the parent and the root section, default fixed
    double length;     // m
    ElvSectionDef section;
    ElvMaterialDef material;
    ElvMatrixDef stiffness, inertia, damping; // replace what section and material give
    ElvLawDef reference[ELV_N_STRAIN];        // strains at rest, default (0, 0, 0, 1, 0, 0)
    ElvLawDef initial[ELV_N_STRAIN];          // strains at t = 0, law of s, projected on the basis
    ElvLawDef initial_rate[ELV_N_STRAIN];     // strain rates at t = 0
    bool has_initial[ELV_N_STRAIN];           // false: the reference strain
    ElvLawDef motion[ELV_N_STRAIN];           // imposed strains, laws of t and s
    bool has_motion[ELV_N_STRAIN];            // false: not imposed
    const ElvElementDef* element;             // (n_element)
    int n_element;
    ElvSpaceMethod space;
    bool
        keeps_volume; // where the rod is stretched its sections shrink, and their inertia of rotation with them
    // of a fluid at rest, per metre, section axes, angular before linear
    double resistance[6];    // wrench -R eta, N s and N s/m^2
    double added_inertia[6]; // moves with the rod and weighs nothing, kg m and kg/m
    ElvRodFluidDef fluid;    // what it feels of the fluid of the spec
} ElvRodDef;

ELV_API ElvRodDef elv_rod_def_default(void);

// ---- frames and loads

typedef struct {
    const char* name;
    const char* on; // frame reference
    ElvPose pose;
} ElvFrameDef;

/// Axes in which a load's components are given.
typedef enum {
    ELV_AXES_WORLD, // dead load
    ELV_AXES_LOCAL  // follows the body or section
} ElvAxes;

/// Point wrench (moment; force) applied at the origin of a frame.
typedef struct {
    const char* at;
    ElvAxes axes;
    ElvLawDef wrench[6];
    ElvLawDef when; // the load acts while this law is not 0; default 1
} ElvWrenchDef;

/// Wrench per metre along a rod, law of t and s.
typedef struct {
    const char* rod;
    double from, to; // stations in [0, 1]
    ElvAxes axes;
    ElvLawDef wrench[6];
    ElvLawDef when;
} ElvDistributedDef;

/// Internal actuation stress field Lambda_ad(s, t) of a rod, section frame.        [P20 (12)]
typedef struct {
    const char* rod;
    double from, to;
    ElvLawDef stress[ELV_N_STRAIN];
    ElvLawDef when;
} ElvStressDef;

// ---- actuators that run along a path: tendons, chambers, muscles

/// One part of a path: along a rod between two stations, or a straight line to a point of a frame.
/// Parts follow each other; where one does not begin at the end of the last, the path is straight
/// between the two.
typedef struct {
    const char* rod; // NULL: a point
    double from, to; // stations; from > to: the path runs towards the root
    ElvLawDef y, z;  // place in the section, m: laws of s
    const char* at;  // point: frame reference
    ElvVec3 point;   // point: in the axes of that frame, m
    bool is_outside; // the rod's section need not hold the path: it is led by discs or guides
} ElvPathDef;

typedef enum {
    ELV_PULL_TENSION, // the law is the tension where the path begins, N
    ELV_PULL_LENGTH   // the law is the length pulled in at the beginning, m; the tension follows
} ElvPull;

/// A tendon: tension along a path, constant but for friction.      [P23 (32), P20 (13)-(16), (28)]
typedef struct {
    const char* name;
    const ElvPathDef* path; // (n_path), from where it is pulled
    int n_path;
    ElvPull pull;
    ElvLawDef law;        // of t
    double stiffness;     // by length: of the tendon, N/m; 0: it does not stretch
    double slack;         // by length: more length than the path has at the start, m
    double friction;      // coefficient of Capstan friction along rods
    bool neglects_strain; // directions taken from the strain at rest, as the papers do
} ElvTendonDef;

/// A chamber under pressure along a path on one rod.
typedef struct {
    const char* name;
    ElvPathDef path;
    ElvLawDef area;     // m^2, law of s
    ElvLawDef pressure; // Pa, law of t
    bool neglects_strain;
} ElvChamberDef;

/// A muscle along a path on one rod: a tension that varies along it. It is activated by a law, or by an
/// oscillator of a pattern.
typedef struct {
    const char* name;
    ElvPathDef path;
    ElvLawDef force;      // largest tension, N, law of s
    ElvLawDef activation; // 0 to 1, law of t and s
    const char* pattern;  // name of a pattern, in place of the activation; default NULL
    int oscillator;       // of the pattern, from 0
    double phase;         // by which the muscle is ahead of its oscillator, rad
    bool neglects_strain;
} ElvMuscleDef;

enum { ELV_OSCILLATORS_MAX = 64 };

/// A central pattern generator: a chain of oscillators with phases phi_i and amplitudes r_i,
///     phi_i' = 2 pi frequency + coupling (sin(phi_(i-1) - phi_i - lag) + sin(phi_(i+1) - phi_i + lag))
///              + feedback x_i sin(phi_i)
///     r_i'   = rate (amplitude - r_i)
/// from phi_i = -i lag and r_i = 0. It activates muscles by r (1 + cos(phi + phase)) / 2. x_i compares the lengths of
/// the muscles of oscillator i by their phases: (L_a - L_b) / (L_a + L_b) for two with phases 0 and pi.
typedef struct {
    const char* name;
    int oscillators;     // 1 to ELV_OSCILLATORS_MAX, default 1
    ElvLawDef frequency; // Hz, law of t
    ElvLawDef amplitude; // 0 to 1, law of t, default 1
    double phase_lag;    // of each oscillator behind the one before, rad
    double coupling;     // 1/s, default 10
    double rate;         // 1/s, default 5
    double feedback;     // of the muscles' lengths, 1/s, default 0
} ElvPatternDef;

// ---- actuation spread over a rod

/// Strain controller: Lambda_ad = kp (xi - xi_d) + kd (xi_dot - xi_d_dot).             [OCP (92)]
typedef struct {
    const char* rod;
    double from, to;
    ElvLawDef kp[ELV_N_STRAIN], kd[ELV_N_STRAIN]; // laws of s
    ElvLawDef target[ELV_N_STRAIN];               // xi_d, laws of t and s
    bool has_target[ELV_N_STRAIN];                // false: the strain at rest
} ElvStrainControlDef;

/// Stress of a material of one's own: Lambda (6) from strain and strain rate (6 each) at station s, with
/// its stiffness and damping
///     K = d Lambda / d xi,   D = d Lambda / d xi_dot     (6 x 6), row-major.
/// stress, K and D are zero at the call; K and D are NULL where the stress alone is wanted. It must depend
/// on nothing but its arguments, and be safe to call from several threads.
typedef void (*ElvStressCallback)(void* user,
                                  double t,
                                  double s,
                                  const double* xi,
                                  const double* xi_dot,
                                  double* stress,
                                  double* K,
                                  double* D);

/// A law of stress, from C; added to the rod's linear elasticity, which may be zero.
typedef struct {
    const char* rod;
    double from, to;
    ElvStressCallback callback;
    void* user;
} ElvStressLawDef;

// ---- controllers

/// Velocity controller on a frame: F = kp e + ki integral of e dt, e = (Omega_d; V_d) - eta in the
/// axes of the frame, the wrench acting there.                                    [P23 (68)-(69)]
typedef struct {
    const char* name;
    const char* at;
    double kp[6], ki[6];
    ElvLawDef velocity[6]; // (Omega_d; V_d) in world axes, laws of t
} ElvVelocityControlDef;

#include "elver/loop.h"

ELV_API ElvPathDef elv_path_def_default(void); // a whole rod, on its axis
ELV_API ElvTendonDef elv_tendon_def_default(void);
ELV_API ElvChamberDef elv_chamber_def_default(void);
ELV_API ElvMuscleDef elv_muscle_def_default(void);
ELV_API ElvPatternDef elv_pattern_def_default(void);
ELV_API ElvStrainControlDef elv_strain_control_def_default(void);
ELV_API ElvStressLawDef elv_stress_law_def_default(void);
ELV_API ElvVelocityControlDef elv_velocity_control_def_default(void);
ELV_API ElvFrameDef elv_frame_def_default(void);
ELV_API ElvWrenchDef elv_wrench_def_default(void);
ELV_API ElvDistributedDef elv_distributed_def_default(void);
ELV_API ElvStressDef elv_stress_def_default(void);

// ---- what to simulate and record

typedef enum {
    ELV_METHOD_EXPLICIT,          // adaptive Runge-Kutta
    ELV_METHOD_NEWMARK,           // beta, gamma                                          [P23 (71)]
    ELV_METHOD_HHT,               // alpha
    ELV_METHOD_GENERALIZED_ALPHA, // spectral_radius at infinite frequency
    ELV_METHOD_BDF2,
    ELV_METHOD_RKMK, // finite differences on SE(3)                                       [RKMK (7)-(9)]
    ELV_METHOD_TILL,     // the same with quaternions and global axes
    ELV_METHOD_SHOOTING, // the rods' differential equations, no modes                [OCP (58)-(64)]
    ELV_METHOD_CONNECTION, // velocities from the shape, first order                       [ALI (3.31)-(3.32)]
    ELV_N_METHOD
} ElvMethod;

/// What decides on free velocities v_f where they follow from imposed ones: 1/2 v^T G v is smallest.
typedef enum {
    ELV_CONNECTION_MECHANICAL, // G the mass matrix, with added inertia: motion from rest, momentum zero
    ELV_CONNECTION_STOKES,     // G the viscous resistance: motion without inertia
    ELV_N_CONNECTION
} ElvConnection;

/// Whether a method integrates rods without their modes: their coordinates in a state say nothing then.
static inline bool elv_method_is_strong(ElvMethod method) {
    return method == ELV_METHOD_RKMK || method == ELV_METHOD_TILL || method == ELV_METHOD_SHOOTING;
}

/// The name of a method in model files, commands and messages; NULL if there is none.
ELV_API const char* elv_method_name(ElvMethod method);

typedef struct {
    ElvMethod method;
    double duration; // s
    double step;     // s; explicit: the largest step, 0 = no limit; implicit: the step, 0 = 0.01 s
    double rel_tol, abs_tol; // local error control of explicit and adaptive runs
    long max_steps;          // 0 = no limit
    bool starts_static;      // from the equilibrium under the loads just before t = 0
    bool keeps_work;         // accounts of energy (ElvWork); also where a work signal is recorded
    // explicit, connection
    int order; // of the Runge-Kutta pair: 2 to 8
    ElvConnection connection;
    // implicit
    double beta, gamma;     // Newmark, default 1/4, 1/2
    double alpha;           // HHT, 0 to 1/3
    double spectral_radius; // generalized-alpha, 0 to 1
    bool is_adaptive;       // steps chosen by the error estimate, at most step
    bool reuse_jacobian;    // keep the factored tangent while Newton converges fast
    double newton_tol;      // residual relative to the largest efforts so far
    int max_iterations;     // Newton iterations a step
    int max_halvings;       // a failing step is halved at most so often
    bool
        projects_velocity; // velocities made to satisfy the constraints after each step, default true
    ElvFiniteDef finite;   // rkmk, till
    ElvShootingDef shooting; // shooting: segments, steps, solver
    ElvMethod scheme;        // shooting: newmark, hht or generalized-alpha
    bool
        has_accelerations; // shooting: with the equation of accelerations; else [OCP (89)], alpha = gamma
    ElvStop stop;          // asked every step and every iteration within; not in model files
} ElvSimulateDef;

typedef struct {
    double every; // recording interval, s
    const char* const* signal;
    int n_signal;
} ElvRecordDef;

typedef enum {
    ELV_STATICS_NEWTON,     // the balance itself                                         [P20 (44)]
    ELV_STATICS_RELAXATION, // damped motion without inertia, until it dies               [P20 (45)]
    ELV_STATICS_PROJECTIVE, // the same, projected on the constraints                [P20 (56)-(58)]
    ELV_STATICS_SHOOTING,   // the rods' differential equations, no modes            [OCP (50)-(55)]
    ELV_N_STATICS_METHOD
} ElvStaticsMethod;

/// How equilibria are found. In statics t is not a time but the value of the load that is stepped.
typedef struct {
    ElvStaticsMethod method;
    const double* load; // values of t, in the order in which they are gone through  (n_load)
    int n_load;         // 0: the equilibrium at t = 0
    double tolerance;   // residual relative to the largest efforts so far
    int max_iterations; // Newton iterations an increment
    int max_halvings;   // a failing increment is halved at most so often
    double damping;     // relaxation, projective: the time constant mu of D = mu K, s
    double gain;        // projective: k_p of the closure, 1/s
    int max_steps;      // relaxation, projective: steps of the fictitious time a load
    ElvShootingDef shooting;
    ElvStop stop; // asked every iteration; not in model files
} ElvStaticsDef;

/// What is to bring the tip of a chain to its place.
typedef enum {
    ELV_BY_TENSIONS, // of tendons and chambers, none below zero
    ELV_BY_WRENCH,   // one that holds it there
    ELV_N_REACH_BY
} ElvReachBy;

/// Which inverse problem a model poses. Without a tip it is inverse dynamics: of rods with imposed strains, or of
/// joints with an imposed motion.
typedef struct {
    bool has_tip;      // the tip of the last rod is to be somewhere, in statics
    ElvLawDef tip[6];  // roll, pitch, yaw, x, y, z in the world: laws of t, the load
    bool has_rotation; // else its position alone
    ElvReachBy by;
    bool is_static; // imposed strains: nothing moves, and t is the load
    int steps;      // imposed strains: along each rod, 0 to ELV_SHOOT_STEPS_MAX; 0: 32
} ElvInverseDef;

ELV_API ElvSimulateDef elv_simulate_def_default(void);
ELV_API ElvStaticsDef elv_statics_def_default(void);
ELV_API ElvInverseDef elv_inverse_def_default(void);
ELV_API ElvRecordDef elv_record_def_default(void);

// ---- the spec

typedef struct ElvSpec ElvSpec;
typedef struct ElvModel ElvModel;

ELV_API ELV_NODISCARD ElvStatus elv_spec_create(const char* name, ElvSpec** spec, ElvError* error);
ELV_API void elv_spec_free(ElvSpec* spec);

ELV_API void elv_spec_set_gravity(ElvSpec* spec, ElvVec3 gravity);
ELV_API ELV_NODISCARD ElvStatus elv_spec_set_fluid(ElvSpec* spec,
                                                   const ElvFluidDef* def,
                                                   ElvError* error);

/// Add a parameter for formulas, or change its value.
ELV_API ELV_NODISCARD ElvStatus elv_spec_set_parameter(ElvSpec* spec,
                                                       const char* name,
                                                       double value,
                                                       ElvError* error);

/// Each add checks what can be checked alone (names, ranges, finite numbers) and copies the Def.
/// Elements are compiled in the order in which they were added, but may refer to later ones.
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_body(ElvSpec* spec,
                                                  const ElvBodyDef* def,
                                                  ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_rod(ElvSpec* spec,
                                                 const ElvRodDef* def,
                                                 ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_frame(ElvSpec* spec,
                                                   const ElvFrameDef* def,
                                                   ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_wrench(ElvSpec* spec,
                                                    const ElvWrenchDef* def,
                                                    ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_distributed(ElvSpec* spec,
                                                         const ElvDistributedDef* def,
                                                         ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_stress(ElvSpec* spec,
                                                    const ElvStressDef* def,
                                                    ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_tendon(ElvSpec* spec,
                                                    const ElvTendonDef* def,
                                                    ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_chamber(ElvSpec* spec,
                                                     const ElvChamberDef* def,
                                                     ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_muscle(ElvSpec* spec,
                                                    const ElvMuscleDef* def,
                                                    ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_pattern(ElvSpec* spec,
                                                     const ElvPatternDef* def,
                                                     ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_strain_control(ElvSpec* spec,
                                                            const ElvStrainControlDef* def,
                                                            ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_stress_law(ElvSpec* spec,
                                                        const ElvStressLawDef* def,
                                                        ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_velocity_control(ElvSpec* spec,
                                                              const ElvVelocityControlDef* def,
                                                              ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_loop(ElvSpec* spec,
                                                  const ElvLoopDef* def,
                                                  ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_slider(ElvSpec* spec,
                                                    const ElvSliderDef* def,
                                                    ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_velocity_constraint(
    ElvSpec* spec, const ElvVelocityConstraintDef* def, ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_rolling(ElvSpec* spec,
                                                     const ElvRollingDef* def,
                                                     ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_wheel(ElvSpec* spec,
                                                   const ElvWheelDef* def,
                                                   ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_contact(ElvSpec* spec,
                                                     const ElvContactDef* def,
                                                     ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_coupling(ElvSpec* spec,
                                                      const ElvCouplingDef* def,
                                                      ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_add_constraint(ElvSpec* spec,
                                                        const ElvConstraintDef* def,
                                                        ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_set_simulate(ElvSpec* spec,
                                                      const ElvSimulateDef* def,
                                                      ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_set_statics(ElvSpec* spec,
                                                     const ElvStaticsDef* def,
                                                     ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_set_inverse(ElvSpec* spec,
                                                     const ElvInverseDef* def,
                                                     ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_spec_set_record(ElvSpec* spec,
                                                    const ElvRecordDef* def,
                                                    ElvError* error);

/// Check the whole and build the immutable model. error->element is the name of the body, rod,
/// frame or actuator at fault, or "loads[2]", "simulate", "statics", "inverse"; error->field the key within it.
ELV_API ELV_NODISCARD ElvStatus elv_spec_compile(const ElvSpec* spec,
                                                 ElvModel** model,
                                                 ElvError* error);

#ifdef __cplusplus
}
#endif

#endif
