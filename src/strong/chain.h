// SPDX-License-Identifier: Apache-2.0
// A chain for the strong form: rods in series with rigid bodies on them, taken from a compiled model.
//
//     world -- base -- [joint -- root body] -- rod 0 -- body -- rod 1 -- body -- ...
//
// One joint at most may move, at the root; all other lumped joints are fixed, and what they carry is one rigid
// body with the section it is fixed to. Rods follow each other tip to root. Frames: a "section frame" is that
// of a station of a rod; the root frame is that of the joint's body (the world without a joint).
#ifndef ELVER_STRONG_CHAIN_H
#define ELVER_STRONG_CHAIN_H

#include "base/pool.h"
#include "joint/lumped.h"
#include "multibody/model.h"
#include "strong/strong_rod.h"

/// A point wrench on a body of the chain.
typedef struct {
    const ElvPointLoad* load;
    ElvPose pose; // of its frame in that of the body
} ElvChainLoad;

/// What a fluid acts on of a body: its shape, or an end of a slender rod                          [OCP (91)]
typedef struct {
    const ElvFluidShape* shape; // NULL: an end
    ElvInertia added;           // of an end, with
    double sign;                // of Phi on it
    ElvPose pose;               // of its frame in that of the body
} ElvChainFluid;

/// All that is rigid with the root frame or with a section, in that frame.
typedef struct {
    bool is_massive;
    ElvInertia inertia;
    double mass;
    ElvVec3 moment; // mass times centre
    int n_load;
    ElvChainLoad* load; // (n_load)
    int n_fluid;
    ElvChainFluid* fluid; // (n_fluid)
} ElvChainBody;

/// A rod with what it carries.
typedef struct {
    ElvStrongRod strong;
    int i_node; // of the model
    ElvPose
        offset; // of its root section in the frame before it: the root frame, or the tip of the last rod
    // at the end of each piece; bodies without mass and loads say so by elv_chain_body_is_empty
    ElvChainBody* body; // the last one is the tip's  (strong.n_piece)
} ElvChainRod;

/// Where a port of the model stands.
typedef struct {
    int i_rod;    // of the chain; -1: the root frame; -2: the world
    double s;     // station of the rod
    ElvPose pose; // of the port in the section frame, the root frame or the world
} ElvChainPort;

enum { ELV_CHAIN_ROOT = -1, ELV_CHAIN_WORLD = -2 };

typedef struct {
    const ElvModel* model;
    ElvPool pool;
    ElvVec3 gravity; // world axes
    // the root: g_root = base  joint(q)  (joint->body_pose); without a joint the root frame is the world
    ElvPose base;           // of the joint's base in the world; identity without a joint
    const ElvLumped* joint; // that moves, or NULL
    int i_joint;            // its node, or -1
    ElvChainBody root;      // rigid with the root frame; empty without a joint
    int n_rod;
    ElvChainRod* rod;         // (n_rod)
    const ElvChainPort* port; // of each port of the model  (model->n_port)
} ElvChain;

/// Take a model for a chain. Refuses (ELV_ERROR_INPUT, naming the element) what is none: branches, rods along a
/// rod, moving joints beyond the root, loops and constraints, devices with unknowns, friction along tendons.
/// Free with elv_chain_free, also after a failure. The model is borrowed.
ELV_NODISCARD ElvStatus elv_chain_create(const ElvModel* model, ElvChain* chain, ElvError* error);
void elv_chain_free(ElvChain* chain);

/// For methods that find the strains of rods: refuse imposed ones, sections that keep their volume,
/// and slender rods as below.
ELV_NODISCARD ElvStatus elv_chain_refuse_motion(const ElvModel* model, ElvError* error);

/// ELV_ERROR_INPUT names a rod whose sections keep their volume.
ELV_NODISCARD ElvStatus elv_chain_refuse_volume(const ElvModel* model, ElvError* error);

/// Refuse slender rods whose free strains meet Phi, where Lambda* does not give the strain
/// (chain_check.c).                                                                       [OCP (90)]
ELV_NODISCARD ElvStatus elv_chain_refuse_slender(const ElvModel* model, ElvError* error);

/// Time, load factor and gravity of an instant.
ElvStrongInput elv_chain_input(const ElvChain* chain, double t, double load, bool is_static);

bool elv_chain_body_is_empty(const ElvChainBody* body);

/// External wrench on a body whose frame has pose g and twist eta: weight, point loads, fluid; its own axes.
ElvWrench elv_chain_body_wrench(const ElvChainBody* body,
                                const ElvStrongInput* in,
                                const ElvPose* g,
                                ElvTwist eta);

/// Its variation where the pose varies by delta g = g hat(d_zeta) and the twist by d_eta.
ElvWrench elv_chain_body_wrench_variation(const ElvChainBody* body,
                                          const ElvStrongInput* in,
                                          const ElvPose* g,
                                          ElvTwist eta,
                                          ElvTwist d_zeta,
                                          ElvTwist d_eta);

/// Pose of a port of the model in the world: `at` is the pose of the section or of the root frame that
/// carries it (chain->port[i_port]).
static inline ElvPose elv_chain_port_pose(const ElvChainPort* port, ElvPose at) {
    return elv_pose_compose(at, port->pose);
}

#endif
