// SPDX-License-Identifier: Apache-2.0
// What the steps of elv_spec_compile share.
#ifndef ELVER_MULTIBODY_COMPILE_H
#define ELVER_MULTIBODY_COMPILE_H

#include "multibody/model.h"
#include "multibody/spec.h"

typedef struct {
    const ElvSpec* spec;
    ElvModel* model;
    ElvError* error;
    int* order;        // elements, parents first                           (n_element)
    bool* is_built;    // element has its node (n_element)
    int* node_of;      // node that carries an element's ports, or -1       (n_element)
    double** station;  // rods: stations wanted, sorted, from 0 to 1        (n_element)
    int* n_station;    //                                                    (n_element)
    int n_part;        // parts of the paths of all actuators, one for those without
    int* first_part;   // of each actuator                                  (n_actuator)
    int* channel_of;   // channel of each part, counted on its rod          (n_part)
    int n_rod_channel; // channels of the rod in hand
} ElvCompiler;

/// What a frame reference of the spec means: an element (or -1 for the world), the station on it,
/// and the pose of the frame there.
typedef struct {
    int i_element;
    double station;
    ElvPose pose;
} ElvResolved;

/// Resolve a reference; element and field say who asks.
ELV_NODISCARD ElvStatus elv_compile_resolve(const ElvCompiler* c,
                                            const char* reference,
                                            const char* element,
                                            const char* field,
                                            ElvResolved* resolved);

/// Index of the rod of that name.
ELV_NODISCARD ElvStatus elv_compile_find_rod(const ElvCompiler* c,
                                             const char* name,
                                             const char* element,
                                             int* i_element);

/// Order the elements, parents first; report missing parents and cycles.
ELV_NODISCARD ElvStatus elv_compile_order(ElvCompiler* c);

/// Collect the stations of every rod.
ELV_NODISCARD ElvStatus elv_compile_stations(ElvCompiler* c);

/// Check the actuators against the rods, frames and parameters of the spec: references, paths inside
/// the sections of their rods, amounts that are known before the start (compile_path.c). Needs the
/// parameters alone, and keeps nothing.
ELV_NODISCARD ElvStatus elv_compile_check_actuators(ElvCompiler* c);

/// Build nodes, ports and joints, in order.
ELV_NODISCARD ElvStatus elv_compile_nodes(ElvCompiler* c);

/// Frame of a resolved reference, once its node exists.
ElvFrame elv_compile_frame(const ElvCompiler* c, const ElvResolved* resolved);

/// Build tendons, chambers and controllers, once nodes and frames exist.
ELV_NODISCARD ElvStatus elv_compile_devices(ElvCompiler* c);

/// Out of memory.
ElvStatus elv_compile_no_memory(const ElvCompiler* c);

#endif
