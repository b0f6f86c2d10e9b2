// SPDX-License-Identifier: Apache-2.0
// What the files that make devices share.
#ifndef ELVER_MULTIBODY_COMPILE_DEVICE_H
#define ELVER_MULTIBODY_COMPILE_DEVICE_H

#include "multibody/compile.h"
#include "multibody/loop.h"

/// Append a device whose ops, n_z and is_differential are set.
ELV_NODISCARD ElvStatus elv_compile_add_device(ElvCompiler* c, ElvDevice* device, const char* name);

/// The node of a rod that an actuator names; it was checked before.
ELV_NODISCARD ElvStatus elv_compile_rod_node(const ElvCompiler* c,
                                             const char* rod,
                                             const char* element,
                                             int* i_node);

/// The channel in the model of an actuator on one rod.
int elv_compile_channel(const ElvCompiler* c, int i_actuator, int i_node);

// compile_pattern.c

ELV_NODISCARD ElvStatus elv_compile_muscle(ElvCompiler* c, int i_actuator);

/// A pattern with all muscles that name it.
ELV_NODISCARD ElvStatus elv_compile_pattern(ElvCompiler* c, const ElvPatternDef* def);

/// Pattern of that name, with the nearest name in the error if there is none.
ELV_NODISCARD ElvStatus elv_compile_find_pattern(const ElvCompiler* c,
                                                 const ElvMuscleDef* muscle,
                                                 const ElvPatternDef** pattern);

// compile_held.c

/// Constraints, after all other devices.
ELV_NODISCARD ElvStatus elv_compile_constraints(ElvCompiler* c);

/// Frame of a reference of a constraint, whose port then counts as held.
ELV_NODISCARD ElvStatus elv_compile_held_frame(
    ElvCompiler* c, const char* reference, const char* element, const char* field, ElvFrame* frame);

/// A port that a constraint holds, as the list of these knows it.
ELV_NODISCARD ElvStatus elv_compile_anchor(ElvCompiler* c, int port);

/// A law of time of a constraint.
ELV_NODISCARD ElvStatus elv_compile_law(ElvCompiler* c,
                                        const ElvLawDef* def,
                                        const char* element,
                                        const char* field,
                                        const ElvLaw** law);

/// The two ends of a loop or of a constraint on velocities, which must not be on the same body.
ELV_NODISCARD ElvStatus elv_compile_ends(
    ElvCompiler* c, ElvLoop* loop, const char* name, const char* const reference[2], bool is_loop);

// compile_loop.c, compile_velocity.c

ELV_NODISCARD ElvStatus elv_compile_loop(ElvCompiler* c, const ElvLoopDef* def);
ELV_NODISCARD ElvStatus elv_compile_velocity(ElvCompiler* c, const ElvVelocityConstraintDef* def);

// compile_slider.c

ELV_NODISCARD ElvStatus elv_compile_slider(ElvCompiler* c, const ElvSliderDef* def);

// compile_wheel.c

ELV_NODISCARD ElvStatus elv_compile_wheel(ElvCompiler* c, const ElvWheelDef* def);

// compile_rod_contact.c

/// Frame reference of the section that a contact holds where it has a port of its own; false: it has none.
bool elv_contact_section(const ElvContactDef* def, char* text, size_t size);

/// Whether a contact asks for a preload.
bool elv_contact_has_preload(const ElvContactDef* def);

ELV_NODISCARD ElvStatus elv_compile_rod_contact(ElvCompiler* c, const ElvContactDef* def);

// compile_constraint.c

ELV_NODISCARD ElvStatus elv_compile_rolling(ElvCompiler* c, const ElvRollingDef* def);
ELV_NODISCARD ElvStatus elv_compile_coupling(ElvCompiler* c, const ElvCouplingDef* def);
ELV_NODISCARD ElvStatus elv_compile_own(ElvCompiler* c, const ElvConstraintDef* def);

#endif
