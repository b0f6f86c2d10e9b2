// SPDX-License-Identifier: Apache-2.0
// Inside of an ElvSpec: the Defs as they were added, with every string and array copied.
#ifndef ELVER_MULTIBODY_SPEC_H
#define ELVER_MULTIBODY_SPEC_H

#include "base/pool.h"
#include "elver/spec.h"

#include <stdio.h>

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

typedef enum {
    ELV_ACTUATOR_STRESS,
    ELV_ACTUATOR_TENDON,
    ELV_ACTUATOR_CHAMBER,
    ELV_ACTUATOR_MUSCLE,
    ELV_ACTUATOR_PATTERN,
    ELV_ACTUATOR_STRAIN_CONTROL,
    ELV_ACTUATOR_STRESS_LAW,
    ELV_ACTUATOR_VELOCITY_CONTROL
} ElvActuatorKind;

/// An actuator, in the order of addition: errors name it by its name, or "actuators[i]".
typedef struct {
    ElvActuatorKind kind;
    union {
        ElvStressDef stress;
        ElvTendonDef tendon;
        ElvChamberDef chamber;
        ElvMuscleDef muscle;
        ElvPatternDef pattern;
        ElvStrainControlDef strain_control;
        ElvStressLawDef stress_law;
        ElvVelocityControlDef velocity_control;
    } as;
} ElvActuator;

typedef enum {
    ELV_CONSTRAINT_LOOP,
    ELV_CONSTRAINT_SLIDER,
    ELV_CONSTRAINT_VELOCITY,
    ELV_CONSTRAINT_ROLLING,
    ELV_CONSTRAINT_WHEEL,
    ELV_CONSTRAINT_CONTACT,
    ELV_CONSTRAINT_COUPLING,
    ELV_CONSTRAINT_OWN
} ElvConstraintKind;

/// A constraint, in the order of addition.
typedef struct {
    ElvConstraintKind kind;
    union {
        ElvLoopDef loop;
        ElvSliderDef slider;
        ElvVelocityConstraintDef velocity;
        ElvRollingDef rolling;
        ElvWheelDef wheel;
        ElvContactDef contact;
        ElvCouplingDef coupling;
        ElvConstraintDef own;
    } as;
} ElvConstraint;

/// Whether a constraint stands in the list `loops` of a model file, not in its list `constraints`.
static inline bool elv_is_loop(ElvConstraintKind kind) {
    return kind == ELV_CONSTRAINT_LOOP || kind == ELV_CONSTRAINT_SLIDER;
}

struct ElvSpec {
    ElvPool pool;
    const char* name;
    ElvVec3 gravity;
    ElvFluidDef fluid;
    ElvParameter* parameter; // (n_parameter)
    int n_parameter;
    ElvElement* element; // (n_element)
    int n_element;
    ElvFrameDef* frame; // (n_frame)
    int n_frame;
    ElvLoad* load; // (n_load)
    int n_load;
    ElvActuator* actuator; // (n_actuator)
    int n_actuator;
    ElvConstraint* constraint; // (n_constraint)
    int n_constraint;
    ElvSimulateDef simulate;
    ElvStaticsDef statics;
    ElvInverseDef inverse;
    ElvRecordDef record;
    const char** note; // (n_note), of the reader of a file
    int n_note;
};

/// Keep a copy of a note; false when there is no memory left.
bool elv_spec_add_note(ElvSpec* spec, const char* text);

/// Name of a tree element.
static inline const char* elv_element_name(const ElvElement* element) {
    return element->is_rod ? element->rod.name : element->body.name;
}

/// Name of an actuator, or NULL for a kind that has none.
static inline const char* elv_actuator_name(const ElvActuator* actuator) {
    switch (actuator->kind) {
    case ELV_ACTUATOR_TENDON:
        return actuator->as.tendon.name;
    case ELV_ACTUATOR_CHAMBER:
        return actuator->as.chamber.name;
    case ELV_ACTUATOR_MUSCLE:
        return actuator->as.muscle.name;
    case ELV_ACTUATOR_PATTERN:
        return actuator->as.pattern.name;
    case ELV_ACTUATOR_VELOCITY_CONTROL:
        return actuator->as.velocity_control.name;
    default:
        return NULL;
    }
}

/// What errors call actuator number i: its name, or its place, written into text.
static inline const char*
elv_actuator_label(const ElvActuator* actuator, int i, char* text, size_t size) {
    const char* name = elv_actuator_name(actuator);
    snprintf(text, size, "actuators[%d]", i);
    return name ? name : text;
}

/// Name of a constraint.
static inline const char* elv_constraint_name(const ElvConstraint* constraint) {
    switch (constraint->kind) {
    case ELV_CONSTRAINT_SLIDER:
        return constraint->as.slider.name;
    case ELV_CONSTRAINT_VELOCITY:
        return constraint->as.velocity.name;
    case ELV_CONSTRAINT_ROLLING:
        return constraint->as.rolling.name;
    case ELV_CONSTRAINT_WHEEL:
        return constraint->as.wheel.name;
    case ELV_CONSTRAINT_CONTACT:
        return constraint->as.contact.name;
    case ELV_CONSTRAINT_COUPLING:
        return constraint->as.coupling.name;
    case ELV_CONSTRAINT_OWN:
        return constraint->as.own.name;
    default:
        return constraint->as.loop.name;
    }
}

#endif
