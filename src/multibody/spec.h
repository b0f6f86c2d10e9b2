// SPDX-License-Identifier: Apache-2.0
// Inside of an ElvSpec: the Defs as they were added, with every string and array copied.
#ifndef ELVER_MULTIBODY_SPEC_H
#define ELVER_MULTIBODY_SPEC_H

#include "base/pool.h"
#include "elver/spec.h"

/// A tree element, in the order of addition.
typedef struct {
    bool is_rod;
    ElvBodyDef body; // if not is_rod
    ElvRodDef rod;   // if is_rod
} ElvElement;

typedef enum { ELV_LOAD_WRENCH, ELV_LOAD_DISTRIBUTED } ElvLoadKind;

/// A load, in the order of addition: errors name it "loads[i]".
typedef struct {
    ElvLoadKind kind;
    ElvWrenchDef wrench;
    ElvDistributedDef distributed;
} ElvLoad;

struct ElvSpec {
    ElvPool pool;
    const char* name;
    ElvVec3 gravity;
    ElvParameter* parameter; // (n_parameter)
    int n_parameter;
    ElvElement* element; // (n_element)
    int n_element;
    ElvFrameDef* frame; // (n_frame)
    int n_frame;
    ElvLoad* load; // (n_load)
    int n_load;
    ElvStressDef* stress; // (n_stress); errors name them "actuators[i]"
    int n_stress;
    ElvSimulateDef simulate;
    ElvStaticsDef statics;
    ElvRecordDef record;
};

/// Name of a tree element.
static inline const char* elv_element_name(const ElvElement* element) {
    return element->is_rod ? element->rod.name : element->body.name;
}

#endif
