// SPDX-License-Identifier: Apache-2.0
// Internal actuation of a rod: every stress Lambda_ad(X, t, xi, xi_dot) that comes on top of linear
// elasticity and damping: given fields, fibres, strain controllers and stress laws. All of it is
// local to the rod:
//     Q_ad = - integral of Phi^T Lambda_ad dX                                  [P20 (27), P23 (61)]
// and both methods of space share it, as they share nodes, weights and basis.
#ifndef ELVER_ROD_ROD_ACTIVE_H
#define ELVER_ROD_ROD_ACTIVE_H

#include "rod/fibre.h"
#include "rod/rod.h"

/// Gains of a strain controller at one node.
typedef struct {
    double kp[ELV_N_STRAIN], kd[ELV_N_STRAIN];
} ElvControlNode;

/// What is tabulated at build; absent (rod->active NULL) in rods without internal actuation.
typedef struct ElvRodActive {
    ElvRodFields fields;
    bool needs_strains;   // whether stresses depend on the strain other than by matrices
    const ElvTwist* xi_o; // strain at rest at the nodes                       (n_node)
    // fibres
    const ElvFibre* fibre; // (fields.n_fibre)
    const int* fibre_of;   // fibre of each channel                            (n_channel)
    // friction alone, else NULL: derivatives by X at the nodes
    const double* phi_ds;    // of the active columns, segment after segment
    const size_t* i_phi_ds;  // where each segment begins there                (n_segment)
    const ElvTwist* xi_o_ds; // of the strain at rest                          (n_node)
    // strain controllers, else NULL
    const ElvControlNode* const* gain; // nodes of the rod for each            (fields.n_control)
    const double *K, *D;               // integrals of Phi^T k Phi             (n_v x n_v)
} ElvRodActive;

/// Scratch of the actuation, all of it computed where it is used.
typedef struct ElvRodActiveWork {
    ElvTwist *xi, *xi_dot; // strain and its rate                               (n_node)
    double* stress;        // Lambda_ad                                         (n_node x 6)
    ElvMat6* stiffness;    // c dLambda_ad/dxi + a dLambda_ad/dxi_dot           (n_node)
    // friction alone; m: most columns of a segment
    ElvTwist* xi_ds;  // derivative of the strain by X                          (n_node)
    double* omega;    // turning of a fibre per metre                           (n_node)
    double* theta;    // angle turned since it entered                          (n_node)
    double* omega_dq; // by the coordinates, on one segment                     (largest n_node x m)
    double* force;    // Phi^T Lambda dX of the nodes of one segment            (largest n_node x m)
    double* row;      // sums of those                                          (m)
    double* theta_dq; // theta where a segment begins, by the coordinates       (n_v)
} ElvRodActiveWork;

/// Tabulate fields on the finished nodes; sets rod->active and the number of channels.
ELV_NODISCARD ElvStatus elv_rod_active_build(ElvRod* rod,
                                             const ElvRodFields* fields,
                                             ElvPool* pool,
                                             ElvError* error);

/// Workspace, or NULL for a rod without actuation.
ElvRodActiveWork* elv_rod_active_layout(const ElvRod* rod, ElvArena* arena);

/// Add Q_ad to upsilon (n_v).                                                  [P20 (27), P23 (61)]
/// Inputs u come with their load factor; stress fields are scaled by in->load; set points of
/// controllers and stress laws are not scaled.
void elv_rod_active_efforts(const ElvRod* rod,
                            ElvRodWork* work,
                            const ElvJointInput* in,
                            double* upsilon);

/// Add minus the variation of Q_ad at given inputs u to Qq (n_v x n_v).                   [P23 (62)]
void elv_rod_active_tangent(const ElvRod* rod,
                            ElvRodWork* work,
                            const ElvJointInput* in,
                            const ElvUnknown* unknown,
                            double* Qq);

/// A fibre as a channel of the rod, the operation of ELV_ROD_OPS. value: the integral of profile
/// times stretch, the volume of a chamber, or the length of other fibres (linear in the strain if the
/// fibre neglects it); factor: e^(-friction theta) where the fibre leaves the rod.
void elv_rod_channel(
    const ElvJoint* joint, void* work, const ElvJointInput* in, int i, ElvChannel* channel);

// ---- for outputs

/// Place (0, y, z) of a fibre in the section at station s, m.
ElvVec3 elv_rod_fibre_point(const ElvRod* rod, int i_fibre, double s);

/// Its tension at station s, pull > 0, with friction; 0 outside its stations.
double elv_rod_fibre_tension(
    const ElvRod* rod, ElvRodWork* work, const ElvJointInput* in, int i_fibre, double s);

/// Its length, m.
double
elv_rod_fibre_length(const ElvRod* rod, ElvRodWork* work, const ElvJointInput* in, int i_fibre);

#endif
