// SPDX-License-Identifier: Apache-2.0
// Checks of single Defs: names, ranges, finite numbers. What needs other elements (references,
// formulas) is checked when the spec is compiled. Errors name the element and the key at fault as
// a model file spells it ("elements[1].to", "joint.damping").
#ifndef ELVER_MULTIBODY_SPEC_CHECK_H
#define ELVER_MULTIBODY_SPEC_CHECK_H

#include "multibody/spec.h"

enum {
    ELV_ITERATIONS_MAX = 1000,
    ELV_HALVINGS_MAX = 60,         // of a failing time step or increment of load
    ELV_FINITE_NODES_MAX = 100000, // of a rod in finite differences
    ELV_RELAXATION_MAX = 1000000   // steps of a relaxation
};

// ---- whole Defs; loads and nameless actuators are named by their place, "loads[2]"

// in spec_check_tree.c
ELV_NODISCARD ElvStatus elv_check_body(const ElvSpec* spec, const ElvBodyDef* def, ElvError* error);
ELV_NODISCARD ElvStatus elv_check_frame(const ElvSpec* spec,
                                        const ElvFrameDef* def,
                                        ElvError* error);

// in spec_check_rod.c
ELV_NODISCARD ElvStatus elv_check_rod(const ElvSpec* spec, const ElvRodDef* def, ElvError* error);

// in spec_check_load.c
ELV_NODISCARD ElvStatus elv_check_wrench(const ElvSpec* spec,
                                         const ElvWrenchDef* def,
                                         ElvError* error);
ELV_NODISCARD ElvStatus elv_check_distributed(const ElvSpec* spec,
                                              const ElvDistributedDef* def,
                                              ElvError* error);
ELV_NODISCARD ElvStatus elv_check_gravity(ElvVec3 gravity, ElvError* error); // on compile
ELV_NODISCARD ElvStatus elv_check_simulate(const ElvSimulateDef* def, ElvError* error);
ELV_NODISCARD ElvStatus elv_check_record(const ElvRecordDef* def, ElvError* error);
ELV_NODISCARD ElvStatus elv_check_statics(const ElvStaticsDef* def, ElvError* error);
ELV_NODISCARD ElvStatus elv_check_inverse(const ElvInverseDef* def, ElvError* error);

// in spec_check_fluid.c
#define ELV_SPEED_OF_LIGHT 299792458.0
ELV_NODISCARD ElvStatus elv_check_fluid(const ElvFluidDef* def, ElvError* error);
bool elv_check_rod_fluid(const ElvRodDef* def, ElvError* error);
bool elv_check_body_fluid(const ElvBodyDef* def, ElvError* error);

/// A current must not be faster than light; when: "" or " at t = ...".
bool elv_check_speed(ElvVec3 current, const char* when, ElvError* error);

// in spec_check_actuator.c
ELV_NODISCARD ElvStatus elv_check_actuator(const ElvSpec* spec,
                                           const ElvActuator* actuator,
                                           ElvError* error);

/// A law of an actuator that has limits, and what it may depend on.
typedef struct {
    const char* field;
    const ElvLawDef* law;
    bool has_t, has_s;
    double least, most; // infinite: no limit
    const char* reason; // ends the message
} ElvAmount;

enum { ELV_AMOUNTS_MAX = 2 };

/// The limited laws of an actuator; returns how many there are.
int elv_actuator_amounts(const ElvActuator* actuator, ElvAmount amount[ELV_AMOUNTS_MAX]);

/// A value of a limited law.
ELV_NODISCARD bool
elv_check_amount(const char* element, const ElvAmount* amount, double value, ElvError* error);

// in spec_check_constraint.c
ELV_NODISCARD ElvStatus elv_check_constraint(const ElvSpec* spec,
                                             const ElvConstraint* constraint,
                                             ElvError* error);

ELV_NODISCARD ElvStatus elv_check_parameter(const char* name, double value, ElvError* error);

// ---- parts of Defs (spec_check.c); field is the key of the part within the element. They return
// ---- whether the part is right, so that a check of a whole reads as a list, and fill the error
// ---- (ELV_ERROR_INPUT) if it is not.

/// Fill the error and return false, for checks of one's own.
bool elv_check_fail(ElvError* error,
                    const char* element,
                    const char* field,
                    const char* format,
                    ...) ELV_PRINTF(4, 5);

/// A new name of the tree, of the frames, actuators or constraints; kind is the key that gives it:
/// "body", "rod", "frame", "tendon", "loop".
ELV_NODISCARD bool
elv_check_name(const ElvSpec* spec, const char* name, const char* kind, ElvError* error);

/// A frame reference or the name of a rod: whether it was given.
ELV_NODISCARD bool
elv_check_reference(const char* element, const char* field, const char* reference, ElvError* error);

ELV_NODISCARD bool elv_check_finite(
    const char* element, const char* field, const double* value, int n, ElvError* error);

ELV_NODISCARD bool
elv_check_vec3(const char* element, const char* field, ElvVec3 value, ElvError* error);

/// Finite and not negative; unit ends the message, e.g. "kg/m^3".
ELV_NODISCARD bool elv_check_not_negative(const char* element,
                                          const char* field,
                                          const double* value,
                                          int n,
                                          const char* unit,
                                          ElvError* error);

/// Finite and greater than zero.
ELV_NODISCARD bool elv_check_positive(
    const char* element, const char* field, double value, const char* unit, ElvError* error);

/// 0 <= from < to <= 1; prefix comes before the keys: "", "path.".
ELV_NODISCARD bool
elv_check_range(const char* element, const char* prefix, double from, double to, ElvError* error);

/// Finite, and its matrix a rotation.
ELV_NODISCARD bool
elv_check_pose(const char* element, const char* field, const ElvPose* pose, ElvError* error);

/// Laws that are complete and finite; formulas are compiled later.
ELV_NODISCARD bool elv_check_laws(
    const char* element, const char* field, const ElvLawDef* law, int n, ElvError* error);

/// A direction of any length, as long as it has one (spec_check_joint.c).
ELV_NODISCARD bool
elv_check_axis(const char* element, const char* field, ElvVec3 axis, ElvError* error);

/// Two frames that a constraint holds against each other (spec_check_constraint.c).
ELV_NODISCARD bool elv_check_pair(const char* element,
                                  const char* field_a,
                                  const char* a,
                                  const char* field_b,
                                  const char* b,
                                  ElvError* error);

/// A loop and the joint that closes it (spec_check_loop.c).
ELV_NODISCARD bool elv_check_loop(const ElvSpec* spec, const ElvLoopDef* def, ElvError* error);

/// A contact of a rod (spec_check_contact.c).
ELV_NODISCARD bool
elv_check_contact(const ElvSpec* spec, const ElvContactDef* def, ElvError* error);

/// Whether sections of a rod can keep their volume (spec_check_motion.c).
ELV_NODISCARD bool elv_check_volume(const ElvRodDef* def, ElvError* error);

/// Imposed strains of a rod (spec_check_motion.c).
ELV_NODISCARD bool elv_check_motion(const ElvRodDef* def, ElvError* error);

/// Whether a rod has modes that are not imposed, which need stiffness, and whether a strain is imposed.
bool elv_check_has_free_modes(const ElvRodDef* def);
bool elv_check_is_imposed(const ElvRodDef* def);

/// The joint of a body or rod (spec_check_joint.c).
ELV_NODISCARD bool elv_check_joint(const char* element, const ElvJointDef* joint, ElvError* error);

#endif
