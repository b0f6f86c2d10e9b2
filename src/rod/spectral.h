// SPDX-License-Identifier: Apache-2.0
// The spectral method: a rod's fields in moving (section) frames, by Chebyshev collocation in
// cascade [P23 section IX]. It stands behind the same joint interface as the quadrature of rod.h and
// shares the rod's tables, efforts, sums and charts with it.
//
// Every segment is a soft joint of the paper: its fields are found relative to the section where it
// starts, block after block, from linear systems
//     x' = A(X) x + b(X)                                                                  [P23 (67)]
// and [P23 (46)] makes them inertial. What crosses the joint interface is carried to the one frame at
// the ends of the segments.
#ifndef ELVER_ROD_SPECTRAL_H
#define ELVER_ROD_SPECTRAL_H

#include "linalg/chebyshev.h"
#include "rod/rod.h"

/// x' = A x + b on the grid of a segment, x known at its start or at its end, A factored.
typedef struct {
    int dim;         // components of x
    bool from_end;   // x is known at the last node, else at the first
    bool is_regular; // else solutions are NaN
    double* LU;      // ((n_node - 1) dim, square)
    int* pivot;      // ((n_node - 1) dim)
} ElvCollocation;

/// Workspace of the spectral method: section frames; "relative" is to the start of the segment.
typedef struct ElvSpectralWork {
    // computed by forward
    ElvTwist *xi, *xi_dot;           // strain and its rate                    (n_node)
    ElvTwist *eta_rel, *eta_dot_rel; // relative twist and acceleration        (n_node)
    ElvTwist *eta, *eta_dot;         // inertial twist and acceleration        (n_node)
    ElvCollocation* forward;         // x' = -K x x + b from the start         (n_segment)
    // computed by backward
    ElvWrench* f;             // inertial minus external wrench per metre      (n_node)
    ElvWrench* lam;           // stress Lambda                                 (n_node)
    ElvCollocation* backward; // x' = -K x x + b from the end                  (n_segment)
    // computed by tangent; m = n_v + 18 columns: own unknowns, then the root's variation
    double* Y;  // (d_zeta, d_eta, d_eta_dot)                                  (n_node x 18 x m)
    double* X;  // (Z, Z_dot, Z_ddot) at the running segment end, one frame    (18 x m)
    double* J;  // Z per unit strain there                                     (6 x n_v)
    double* dW; // variation of the transmitted wrench there, one frame        (6 x m)
    // scratch on one segment
    ElvCollocation rotation; // H' = 1/2 A(K) H
    double* A;               // A at the nodes                         (largest x 4 x 4)
    ElvTwist* rate;          // right-hand sides                       (largest)
    double* x;               // one field                              (largest x 4)
    double* rel;             // relative variations, six fields        (6 x largest x 3 x n_v)
    double *dC, *dN;         // variation of moment and force          (largest x 3 x m)
} ElvSpectralWork;

extern const ElvJointOps ELV_SPECTRAL_OPS;

/// Fill one segment from s0 to s1 with Chebyshev nodes, weights and basis values; n_motion as for
/// elv_rod_segment_init.
ELV_NODISCARD ElvStatus elv_spectral_segment_init(ElvRodSegment* segment,
                                                  const ElvRod* rod,
                                                  int i_node,
                                                  double s0,
                                                  double s1,
                                                  int n_motion,
                                                  ElvPool* pool,
                                                  ElvError* error);

// spectral_collocation.c

/// Factor x' = A x + b; A: (n_node x dim x dim).                                          [P23 (67)]
void elv_collocation_factor(const ElvRodSegment* segment, const double* A, ElvCollocation* system);

/// The same for x' = -K x x + b, x in R^3: angular or linear part of any twist or wrench in section
/// frames; xi: strains of the segment's nodes.
void elv_collocation_factor_cross(const ElvRodSegment* segment,
                                  const ElvTwist* xi,
                                  double* A,
                                  ElvCollocation* system);

/// Solve for m columns at once; x: (n_node x dim x m) holds b, and at the known node the value given
/// there, and is replaced by the solution.
void elv_collocation_solve(const ElvRodSegment* segment,
                           const ElvCollocation* system,
                           int m,
                           double* x);

/// Row i of a field (n_node x 3).
static inline ElvVec3 elv_field_get(const double* x, int i) {
    return elv_vec3(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
}

static inline void elv_field_set(double* x, int i, ElvVec3 v) {
    x[3 * i] = v.x;
    x[3 * i + 1] = v.y;
    x[3 * i + 2] = v.z;
}

/// Column k of a matrix (3 x m).
static inline ElvVec3 elv_column_get(const double* x, int m, int k) {
    return elv_vec3(x[k], x[m + k], x[2 * m + k]);
}

static inline void elv_column_set(double* x, int m, int k, ElvVec3 v) {
    x[k] = v.x;
    x[m + k] = v.y;
    x[2 * m + k] = v.z;
}

/// Column k of a matrix (6 x m) of twists or wrenches.
static inline ElvTwist elv_column_twist(const double* x, int m, int k) {
    return elv_twist(elv_column_get(x, m, k), elv_column_get(x + 3 * m, m, k));
}

static inline void elv_column_set_twist(double* x, int m, int k, ElvTwist v) {
    elv_column_set(x, m, k, v.ang);
    elv_column_set(x + 3 * m, m, k, v.lin);
}

// the operations of ELV_SPECTRAL_OPS, by file

// spectral_kinematics.c
void* elv_spectral_layout(const ElvJoint* joint, ElvArena* arena);
void elv_spectral_forward(const ElvJoint* joint,
                          void* work,
                          const ElvJointInput* in,
                          const ElvMotion* root,
                          ElvMotion* port);

/// Pose of the section at any station, one frame, from the last forward sweep.
ElvPose elv_spectral_pose_at(const ElvRod* rod, const ElvRodWork* work, double s);

/// Segment at station s, and the weights that interpolate its nodes there (n_node).
int elv_spectral_interpolation(const ElvRod* rod, double s, double row[ELV_MAX_CHEBYSHEV]);

// spectral_idm.c
void elv_spectral_backward(const ElvJoint* joint,
                           void* work,
                           const ElvJointInput* in,
                           const ElvWrench* port,
                           ElvWrench* root,
                           double* tau);

/// Lambda at any station, section frame, from the last backward sweep.
ElvWrench elv_spectral_stress_at(const ElvRod* rod, const ElvRodWork* work, double s);

// spectral_mass.c
void elv_spectral_screws(const ElvJoint* joint, void* work, ElvTwist* screw);
void elv_spectral_composite(const ElvJoint* joint,
                            void* work,
                            const ElvInertia* port,
                            ElvInertia* root,
                            ElvWrench* momentum,
                            double* M,
                            int ld);

// spectral_variation.c

/// Relative d_zeta of the nodes of a segment per unit of its active columns, the first line of
/// [P23 (50)]: angular and linear part, each (n_node x 3 x n_col), at the start of work->rel.
void elv_spectral_columns(const ElvRodSegment* segment, ElvSpectralWork* work, int i_segment);

/// Tangent forward cascade of one segment: Y at its nodes, X and J carried from its start to its
/// end.                                                                             [P23 (48), (50)]
void elv_spectral_vary(
    const ElvRod* rod, ElvRodWork* work, int i_segment, const ElvUnknown* unknown, int m);

// spectral_tidm.c
void elv_spectral_tangent(const ElvJoint* joint,
                          void* work,
                          const ElvJointInput* in,
                          const ElvUnknown* unknown,
                          const ElvMotion* root,
                          const ElvWrench* port,
                          bool is_grounded,
                          ElvJointTangent* tangent);

#endif
