// SPDX-License-Identifier: Apache-2.0
// Inside of an ElvModel: a tree of nodes (joints) whose ports carry bodies, loads and children.
//
// Port 0 is the world. Every node owns consecutive ports: one for a lumped joint (its body), one
// for each station of a rod that carries something. Nodes are ordered so that a parent comes first.
#ifndef ELVER_MULTIBODY_MODEL_H
#define ELVER_MULTIBODY_MODEL_H

#include "base/pool.h"
#include "elver/model.h"
#include "joint/joint.h"
#include "law/law_set.h"

/// A joint in the tree.
typedef struct {
    const ElvJoint* joint;
    const char* name;
    int parent_port;      // what its root is fixed to
    ElvPose offset;       // of its base frame in the parent port's frame
    int i_q, i_v;         // first coordinate and velocity
    int i_port;           // first port
    int i_channel;        // first channel
    size_t i_screw;       // first screw in ElvData
    bool follows_slender; // a slender rod whose parent is the tip of another one
    ElvShapeDef shape;    // of a body, for pictures
    ElvNodeInfo info;     // for listings
} ElvNode;

/// A rigid place in the tree: the world, a body, or a section of a rod.
typedef struct {
    int i_node;                        // owner, -1 for the world
    double station;                    // rods
    bool is_massive;                   // carries a body with mass, or with added inertia
    bool is_resisted;                  // a fluid resists it
    ElvInertia inertia;                // body frame, with what a fluid adds
    ElvInertia resistance;             // wrench -R eta, body frame
    const struct ElvFluidShape* fluid; // what the fluid of the model acts on; NULL: nothing
    double mass;                       // kg
    ElvVec3 moment;                    // mass times centre, body frame
} ElvPort;

typedef struct {
    const char* name;
    ElvFrame frame;
} ElvNamedFrame;

/// A point wrench.
typedef struct {
    ElvFrame frame;
    ElvAxes axes;
    const ElvLaw* law[6];
    const ElvLaw* when;
    int i_load; // place in the model's list of loads
} ElvPointLoad;

/// What acts from beside the tree (device.h).
typedef struct ElvDevice ElvDevice;

struct ElvModel {
    ElvPool pool;
    ElvLawSet laws;
    const char* name;
    ElvVec3 gravity;
    const struct ElvFluid* fluid; // NULL: none
    int nq, nv, n_node, n_port, n_frame, n_point, n_channel, n_device;
    int nz;              // unknowns of the devices
    int n_loop;          // gaps of loops, sliders, wheels, couplings and velocity constraints
    int n_anchor;        // ports that constraints hold
    bool is_constrained; // some device has constraints on the motion
    bool is_resisted;    // a fluid resists bodies or rods
    bool is_active;      // controllers, tendons, muscles may do work that no load factor scales
    size_t n_screw;
    ElvNode* node;        // (n_node)
    ElvPort* port;        // (n_port)
    ElvNamedFrame* frame; // (n_frame)
    ElvPointLoad* point;  // (n_point)
    ElvDevice** device;   // (n_device)
    int* anchor;          // ports without the world   (n_anchor)
    bool* is_held; // equation k of the devices, then of anchors, is a constraint  (nz + 6 n_anchor)
    bool* is_place;  // unknown k of the devices is a place, not a force         (nz)
    double size;     // extent of the robot at the start, m; 1 if it has none
    bool* is_driven; // imposed motion, by velocity component (nv)
    ElvSimulateDef simulate;
    ElvStaticsDef statics;
    ElvInverseDef inverse;
    const ElvLaw* tip[6]; // where the tip is to be: roll, pitch, yaw, x, y, z
    ElvRecordDef record;
};

/// For all that needs tangents: ELV_ERROR_INPUT names a rod whose sections keep their volume under a free stretch.
ElvStatus elv_model_refuse_volume(const ElvModel* model, ElvError* error);

#endif
