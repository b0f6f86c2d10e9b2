// SPDX-License-Identifier: Apache-2.0
// A Cosserat rod as a joint whose motion is distributed: strains xi = xi_o + B Phi q along X.
//
// A rod is cut into segments on which everything is smooth: they end where an element, a piece of a
// basis, a section law, a load or a child does. Each segment carries Gauss nodes; poses run from
// node to node by Magnus steps, all other fields by the nodes' cumulative integration matrix.
// Every column of Phi acts on one strain, so that S_k = phi_k Ad_g e_strain(k).
#ifndef ELVER_ROD_ROD_H
#define ELVER_ROD_ROD_H

#include "joint/joint.h"
#include "law/law_set.h"
#include "rod/cross_section.h"
#include "rod/rod_fields.h"
#include "rod/strain_basis.h"

enum { ELV_ROD_SUBSTEP = 4 }; // Magnus steps over the widest gap between nodes
enum { ELV_ROD_K_ROW = 20 };  // row of a 6 x 18 block, padded

/// One element: a basis per strain.
typedef struct {
    double s0, s1;
    ElvStrainBasis basis[ELV_N_STRAIN];
    int column[ELV_N_STRAIN]; // first column of each strain
    int nodes;                // 0: chosen
} ElvRodElement;

/// Active columns of one strain: they follow each other, packed and in the rod's numbering.
typedef struct {
    int strain;
    int begin, n; // packed columns
    int col;      // first column of the rod
} ElvColumnRun;

/// One smooth piece with its quadrature.
typedef struct {
    int i_element;
    double s0, s1;
    double h;           // length, m
    int i_node, n_node; // its nodes in the rod's arrays
    int end_port;       // port at its end, or -1
    int n_col;          // columns of Phi that do not vanish here
    const int* col;     // their indices                        (n_col)
    const int* strain;  // the strain each acts on              (n_col)
    int n_run;          // strains that act here
    ElvColumnRun run[ELV_N_STRAIN];
    const double* phi; // values at the nodes                  (n_node x n_col)
    const double* x;   // nodes on [0, 1]                      (n_node)
    const double* w;   // weights on [0, 1]                    (n_node)
    const double* C;   // cumulative integration on [0, 1]     (n_node x n_node)
    const int* n_step; // Magnus steps up to each node and to the end (n_node + 1)
    // four at a time: nodes and steps contiguous, rounded up to a multiple of four
    const double* phi_lane;   // values at the nodes                  (n_col x n_node)
    int n_lane;               // all steps, rounded up
    const double* step;       // Magnus moments of the columns        (3 x n_col x n_lane)
    const double* ref;        // Magnus moments of the curvature xi_o (3 x 3 x n_lane)
    const ElvVec3* gamma_ref; // linear reference strain at the nodes (n_node)
    // spectral method alone: Chebyshev nodes, no Magnus steps
    const double* D;      // differentiation on [0, 1]            (n_node x n_node)
    const ElvTwist* xi_o; // strain at rest                       (n_node)
} ElvRodSegment;

typedef struct {
    ElvJoint joint; // first: an ElvRod* is an ElvJoint*
    const char* name;
    ElvSpaceMethod space;
    double length;
    int n_element, n_segment, n_node;
    const ElvRodElement* element;
    const ElvRodSegment* segment;
    const ElvLaw* reference[ELV_N_STRAIN];
    const ElvLaw* motion[ELV_N_STRAIN]; // imposed strains, laws of t and s; NULL: not imposed
    double t_from, t_to;                // times over which their modes must resolve them
    // largest value above rest, rate and acceleration, times what may be missed more of the last two
    double motion_size[ELV_N_STRAIN][3];
    double motion_error[ELV_N_STRAIN]; // how far these miss them, relative; 0: not imposed
    int n_drive;
    const struct ElvRodDrive* drive; // by element and imposed strain (rod_motion.h)
    const ElvCrossSection* section;
    // at the nodes
    const double* s;              // station                             (n_node)
    const double* weight;         // quadrature weight, m                (n_node)
    const ElvInertia* inertia;    // per metre, section frame, with what a fluid adds (n_node)
    const ElvInertia* resistance; // wrench -R eta per metre, the same everywhere; NULL: none
    bool has_added;               // a fluid adds inertia
    bool keeps_volume;            // sections shrink as the rod is stretched (rod_volume.h)
    const struct ElvFluidShape*
        fluid; // what the fluid acts on (n_node); NULL: there is none, or it does not
    const struct ElvFluid* medium; // that fluid
    bool is_slender;               // elongated body theory                            [OCP (90)]
    ElvInertia added_end[2];       // added inertia at root and tip, per metre
    ElvRodFluidDef fluid_def;      // for other stations (fluid.h)
    double resistance_def[6], added_def[6];
    const double* mass;    // per metre                           (n_node)
    const ElvVec3* moment; // first moment per metre, section frame (n_node)
    // generalised stiffness and damping                                            [P20 (26)]
    const double *K, *D; // (n_v x n_v)
    bool is_elastic;     // one of them is not zero
    // what acts along it
    int n_distributed;
    const ElvRodField* distributed;
    const struct ElvRodActive* active; // internal actuation; NULL: none
    // ports
    const double* station; // (n_port), first 0, last 1
    // initial coordinates and rates
    const double *q0, *v0; // (n_v)
} ElvRod;

/// Workspace of one rod, in the one frame where not said otherwise.
typedef struct {
    // computed by forward
    ElvPose* g;     // node poses                               (n_node)
    ElvTwist* V;    // node twists                              (n_node)
    ElvTwist* A;    // node accelerations                       (n_node)
    ElvMotion* end; // motion at segment ends, root first       (n_segment + 1)
    ElvTwist* rate; // scratch: integrands on one segment       (largest n_node)
    // computed by backward
    ElvWrench* f;     // inertial minus external wrench per metre (n_node)
    ElvWrench* W;     // wrench transmitted at the nodes          (n_node)
    ElvWrench* W_end; // wrench transmitted at segment ends, inner side, root first (n_segment + 1)
    ElvWrench* flux;  // slender rods: Phi, section frame              (n_node) [OCP (90)]
    const struct ElvFluidNow* fluid; // that it was computed with
    // computed by screws
    ElvTwist* J_end;  // twists at the running segment end, per unit v (n_v)
    ElvTwist* J_port; // port twists per unit v                (n_port x n_v)
    // computed by composite
    ElvTwist* J;   // node twists per unit v                (n_node x n_v)
    ElvInertia* I; // node inertias per metre, one frame    (n_node)
    ElvWrench* P;  // scratch: wrenches on one segment      (largest n_node)
    // computed by tangent; n_p: n_v rounded up to a multiple of four
    double* X;      // (Z, Z_dot, Z_ddot) per unit of the unknown  (n_node x 18 x n_p)
    double* X_end;  // the same at the running segment end         (18 x n_p)
    double* U;      // scratch: its derivative on one segment      (largest n_node x 18 x n_p)
    double* packed; // scratch: values, integrals of active columns (18 x n_p)
    double* K;      // wrench variation of a node, with weight     (n_node x 6 x 20)
    double* G;      // wrench per unit of the unknown              (n_node x 6 x n_p)
    double*
        square;    // scratch                                     ((n_p, 6) x (n_p, 20), the larger)
    double* power; // scratch: efforts whose power is asked for    (n_v)
    // spectral method alone
    struct ElvSpectralWork* spectral;
    // internal actuation alone
    struct ElvRodActiveWork* active;
    // sections that keep their volume alone
    struct ElvRodVolume* volume;
} ElvRodWork;

extern const ElvJointOps ELV_ROD_OPS;

/// Whether two stations are so close that they are one (rod_segment.c).
bool elv_same_station(double a, double b);

/// Build a rod from a checked definition. station: sorted, from 0 to 1, where ports are wanted.
/// Fields and laws are borrowed; memory comes from the pool of the laws.
ELV_NODISCARD ElvStatus elv_rod_build(ElvRod* rod,
                                      const ElvRodDef* def,
                                      const double* station,
                                      int n_station,
                                      const ElvRodFields* fields,
                                      ElvLawSet* laws,
                                      ElvError* error);

// the operations of ELV_ROD_OPS, by file

// rod_kinematics.c
void* elv_rod_layout(const ElvJoint* joint, ElvArena* arena);
void elv_rod_forward_sweep(const ElvJoint* joint,
                           void* work,
                           const ElvJointInput* in,
                           const ElvMotion* root,
                           ElvMotion* port);

/// Strain xi, at station s for coordinates q.                                   [P20 (23), P23 (1)]
ElvTwist elv_rod_strain_at(const ElvRod* rod, const double* q, double s);

/// Its rate for velocities v, or what coordinates add to the strain at rest.
ElvTwist elv_rod_strain_rate_at(const ElvRod* rod, const double* v, double s);

/// Pose of the section at any station, from the last forward sweep with the same q.
ElvPose elv_rod_pose_at(const ElvRod* rod, const ElvRodWork* work, const double* q, double s);

// rod_idm.c
void elv_rod_backward_sweep(const ElvJoint* joint,
                            void* work,
                            const ElvJointInput* in,
                            const ElvWrench* port,
                            ElvWrench* root,
                            double* tau);

/// Wrench per metre of the distributed loads at station s, section frame of pose g; with K not NULL
/// also the variation of minus that wrench, times scale, added to K (6 x 18, one frame).
ElvWrench elv_rod_distributed(
    const ElvRod* rod, const ElvPose* g, double s, double t, double scale, double* K);

/// Wrench per metre of the distributed loads at station s: dead ones, world axes, and those that
/// follow the section, section axes.
void elv_rod_loads_at(const ElvRod* rod, double s, double t, ElvWrench* dead, ElvWrench* follower);

/// Lambda at any station, section frame of pose g, from the last backward sweep.
ElvWrench elv_rod_stress_at(const ElvRod* rod, const ElvRodWork* work, ElvPose g, double s);

// rod_mass.c
void elv_rod_screws(const ElvJoint* joint, void* work, ElvTwist* screw);
void elv_rod_composite(const ElvJoint* joint,
                       void* work,
                       const ElvInertia* port,
                       ElvInertia* root,
                       ElvWrench* momentum,
                       double* M,
                       int ld);

// rod_variation.c

/// work->K of inertia and weight at all nodes, but for its two columns of padding.
void elv_rod_variations(const ElvRod* rod, const ElvRodWork* work, ElvVec3 gravity_w);

/// Add what the distributed loads contribute.
void elv_rod_load_variations(const ElvRod* rod, const ElvRodWork* work, const ElvJointInput* in);

// rod_tidm.c
void elv_rod_tangent(const ElvJoint* joint,
                     void* work,
                     const ElvJointInput* in,
                     const ElvUnknown* unknown,
                     const ElvMotion* root,
                     const ElvWrench* port,
                     bool is_grounded,
                     ElvJointTangent* tangent);

// rod_efforts.c
void elv_rod_efforts(
    const ElvJoint* joint, void* work, const ElvJointInput* in, double* upsilon, double* size);
void elv_rod_measure(const ElvJoint* joint, void* work, const ElvJointInput* in, ElvMeasure* sum);
void elv_rod_power(const ElvJoint* joint, void* work, const ElvJointInput* in, ElvJointPower* sum);

#endif
