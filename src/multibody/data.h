// SPDX-License-Identifier: Apache-2.0
// Inside of an ElvData: every buffer of a computation, one block. Spatial quantities are in the one
// frame: world axes, origin at the base of the first node.
#ifndef ELVER_MULTIBODY_DATA_H
#define ELVER_MULTIBODY_DATA_H

#include "elver/dynamics.h"
#include "multibody/model.h"
#include "rod/fluid_load.h"

/// A joint's unknowns eliminated against its condensed subtree: d_nu = z + AB x_root.
typedef struct {
    double* LU; // of A = Qq + sum P^T E Xq                            (n_v x n_v)
    int* pivot; //                                                     (n_v)
    double* AB; // -A^-1 (Qx + sum P^T E)                              (n_v x 18)
    double* Y;  // Wq + sum E Xq                                       (6 x n_v)
    double* z;  // -A^-1 (R + sum P^T e)                               (n_v)
} ElvEliminated;

struct ElvData {
    const struct ElvFieldSource* source; // fields of rods without modes (field_source.h); NULL: q
    const struct ElvModel* stand_in; // its efforts are those of the drives; NULL: the model's own
    double load;                     // factor on gravity, loads and drives: 1 but for load stepping
    double closure;                  // factor on the closing of loops: 1 but while they are mounted
    bool is_static;                  // t is a load, and laws have no rates
    double softening; // added to the diagonal of a joint's singular block, relative to it; 0: none
    void** work;      // workspace of each joint                        (n_node)
    double* u;        // inputs of the joints' channels                  (n_channel)
    void** device_work; // workspace of each device, or NULL (n_device)

    // computed by idm_forward_pass
    ElvVec3 origin;  // of the one frame, world
    ElvMotion* port; // pose, twist, acceleration of each port     (n_port)
    // computed by idm_forward_pass and elv_place_wrenches
    ElvFluidNow fluid; // the fluid at the time of the state; not used without one

    // computed by idm_backward_pass
    ElvWrench* W; // wrench handed on at each port                 (n_port)

    // computed by the mass matrix
    ElvTwist* screw;     // port twists per unit velocity          (n_screw)
    ElvInertia* I;       // composite inertias of ports            (n_port)
    ElvWrench* momentum; // per unit velocity of one node          (nv)

    // computed by elv_tidm_pass
    ElvUnknown* unknown;      // of each joint                      (n_node)
    double* N;                // N0, N1, N2 of joints with charts   (n_node x 3 x 36)
    ElvJointTangent* tangent; // of each joint                      (n_node)
    double* K;                // wrench variation of each port      (n_port x 6 x 18)
    bool* has_K;              // port carries mass or load          (n_port)

    // computed by elv_tree_factor
    ElvEliminated* eliminated; // of each joint                     (n_node)
    double* E;                 // condensed subtree at each port    (n_port x 6 x 18)
    bool* has_E;               // something hangs on the port       (n_port)
    double* G;                 // scratch                           (18 x largest n_v)
    // computed by elv_tree_solve
    double* e; // condensed right-hand side                         (n_port x 6)
    double* x; // variation of each port that carries a joint       (n_port x 18)

    // computed by elv_channel_pass
    ElvChannel* channel; // of all joints                           (n_channel)

    ElvTwist* gap; // of constraints that are being mounted: (turn; shift) of an open joint (n_loop)

    // computed by elv_border_factor, n = nz + 6 n_anchor
    double* border_Y;     // answer of the tree to each unknown     (n x nv)
    double* border_S;     // factors of the Schur complement        (n x n)
    double* border_copy;  // the complement, scaled                 (n x n)
    int* border_pivot;    //                                        (n)
    double* border_work;  // of the factors of a singular one       (elv_min_norm_work(n) + n)
    double* border_scale; // of its rows, then of its columns       (2 n)
    ElvVec3* border_arm;  // from the world's origin to the wrench of each device   (n_device)
    double anchor[2];     // stiffness of anchors, N m/rad and N/m; 0: none were used
    bool border_is_lu;    // factors are those of an LU
    int border_rank;      // rank of the Schur complement; -1: not known yet
    int border_pinned;    // rank to be taken, as near places of a path are singular; -1: count
    double* d_z;          // scratch                                (n)
    double* d_c;          // scratch                                (n)

    // scratch of forward dynamics and of the IDM-based mass matrix
    double* M;       // mass matrix of the free components         (nv x nv)
    double* tau;     //                                            (nv)
    double* effort;  // how large internal efforts are          (nv)
    double* upsilon; //                                            (nv)
    double* v;       //                                            (nv)
    double* a;       //                                            (nv)
    int* free_index; // free velocity components                   (nv)
};

/// Forward pass of the IDM: motions of all ports.                              [P23 (39)-(41)]
void elv_idm_forward_pass(const ElvModel* model, ElvData* data, const ElvState* state);

/// A point load at its frame, in the one frame, without the load factor.
ElvWrench elv_point_wrench(const ElvPointLoad* load, const ElvMotion* motion, double t);

/// Wrench of every port by itself, inertial minus external, into data->W; after the forward pass.   [P23 (42)]
void elv_place_wrenches(const ElvModel* model, ElvData* data, const ElvState* state);

/// Backward pass of the IDM: wrenches and projections.              [P23 (42)-(44), (46)-(47)]
void elv_idm_backward_pass(const ElvModel* model,
                           ElvData* data,
                           const ElvState* state,
                           double* tau);

/// Screws of all joints at all ports; after the forward pass.
void elv_screw_pass(const ElvModel* model, ElvData* data);

/// The same without rods all of whose strains are imposed: whether a joint has such screws, and these.
bool elv_has_free_screws(const ElvNode* node);
void elv_screw_free_pass(const ElvModel* model, ElvData* data);

/// Mass matrix; after the forward pass.
void elv_composite_pass(const ElvModel* model, ElvData* data, double* M);

/// The same, but rows and columns of joints and rods whose whole motion is imposed are zero, at less cost.
void elv_composite_free_pass(const ElvModel* model, ElvData* data, double* M);

/// A joint's slices of a state.
static inline ElvJointInput elv_joint_input(const ElvModel* model,
                                            const ElvData* data,
                                            const ElvNode* node,
                                            const ElvState* state) {
    ElvJointInput in;
    in.t = state->t;
    in.load = data->load;
    in.gravity = elv_vec3_scale(data->load, model->gravity);
    in.q = state->q + node->i_q;
    in.v = state->v + node->i_v;
    in.a = state->a + node->i_v;
    in.u = data->u + node->i_channel;
    in.is_static = data->is_static;
    in.fluid = model->fluid ? &data->fluid : NULL;
    return in;
}

#endif
