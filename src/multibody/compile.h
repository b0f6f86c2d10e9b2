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
    int* order;       // elements, parents first                           (n_element)
    int* node_of;     // node that carries an element's ports, or -1       (n_element)
    double** station; // rods: stations wanted, sorted, from 0 to 1        (n_element)
    int* n_station;   //                                                    (n_element)
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

/// Build nodes, ports and joints, in order.
ELV_NODISCARD ElvStatus elv_compile_nodes(ElvCompiler* c);

/// Frame of a resolved reference, once its node exists.
ElvFrame elv_compile_frame(const ElvCompiler* c, const ElvResolved* resolved);

/// Out of memory.
ElvStatus elv_compile_no_memory(const ElvCompiler* c);

#endif
