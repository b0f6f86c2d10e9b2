// SPDX-License-Identifier: Apache-2.0
// Inside of an ElvData: every buffer of a computation, one block. Spatial quantities are in the one
// frame: world axes, origin at the base of the first node.
#ifndef ELVER_MULTIBODY_DATA_H
#define ELVER_MULTIBODY_DATA_H

#include "elver/dynamics.h"
#include "multibody/model.h"

/// A joint's unknowns eliminated against its condensed subtree: d_nu = z + AB x_root.
typedef struct {
    double* LU; // of A = Qq + sum P^T E Xq                            (n_v x n_v)
    int* pivot; //                                                     (n_v)
    double* AB; // -A^-1 (Qx + sum P^T E)                              (n_v x 18)
    double* Y;  // Wq + sum E Xq                                       (6 x n_v)
    double* z;  // -A^-1 (R + sum P^T e)                               (n_v)
} ElvEliminated;

struct ElvData {
    double load;    // factor on gravity, loads and drives: 1 but for load stepping
    bool is_static; // t is a load, and laws have no rates
    void** work;    // workspace of each joint                        (n_node)
    double* u;      // inputs of the joints' channels                  (n_channel)

    // computed by idm_forward_pass
    ElvVec3 origin;  // of the one frame, world
    ElvMotion* port; // pose, twist, acceleration of each port     (n_port)

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

    // computed by elv_border_factor
    double* border_Y;  // answer of the tree to each unknown z      (nz x nv)
    double* border_S;  // factors of the Schur complement           (nz x nz)
    int* border_pivot; //                                           (nz)
    double* d_z;       // scratch                                   (nz)
    double* d_c;       // scratch                                   (nz)

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

/// Backward pass of the IDM: wrenches and projections.              [P23 (42)-(44), (46)-(47)]
void elv_idm_backward_pass(const ElvModel* model,
                           ElvData* data,
                           const ElvState* state,
                           double* tau);

/// Screws of all joints at all ports; after the forward pass.
void elv_screw_pass(const ElvModel* model, ElvData* data);

/// Mass matrix; after the forward pass.
void elv_composite_pass(const ElvModel* model, ElvData* data, double* M);

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
    return in;
}

#endif
