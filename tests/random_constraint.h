// SPDX-License-Identifier: Apache-2.0
// Random constraints of every kind, for round trips. They need no elements of their names: a spec is
// not compiled. Their name is that of the caller's RandomParts.
#ifndef ELVER_TESTS_RANDOM_CONSTRAINT_H
#define ELVER_TESTS_RANDOM_CONSTRAINT_H

#include "random_actuator.h"

static inline ElvVec3 random_axis(RandomParts* parts) {
    return elv_vec3(random_number(parts), random_number(parts), random_number(parts));
}

static inline ElvStatus random_loop(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    static const ElvJointType types[] = {
        ELV_JOINT_FIXED,     ELV_JOINT_REVOLUTE, ELV_JOINT_PRISMATIC, ELV_JOINT_CYLINDRICAL,
        ELV_JOINT_UNIVERSAL, ELV_JOINT_PLANAR,   ELV_JOINT_SPHERICAL};
    static const int n_v[] = {0, 1, 1, 2, 2, 3, 3};
    int i = check_integer(&parts->random, 7);
    ElvLoopDef def = elv_loop_def_default();
    def.name = parts->name;
    def.first = check_integer(&parts->random, 2) ? "world" : "box";
    def.second = "arm.at(0.25)";
    def.joint.type = types[i];
    // a fixed or spherical joint has no axis that a file could hold
    if (i > 0 && i < 6) {
        def.joint.axis = random_axis(parts);
    }
    if (types[i] == ELV_JOINT_UNIVERSAL) {
        def.joint.axis = elv_vec3(1.0, 0.2, 0.0);
        def.joint.axis2 = elv_vec3(0.0, 0.3, 1.0);
    }
    def.joint.drive = i == 0 ? ELV_DRIVE_PASSIVE : (ElvDrive)check_integer(&parts->random, 3);
    for (int k = 0; k < n_v[i]; k++) {
        def.joint.damping[k] = random_amount(parts);
        def.joint.stiffness[k] = random_amount(parts);
        // angles are those of less than a turn
        def.joint.rest[k] = i < 6 ? random_number(parts) : 0.0;
        def.joint.rest[k] = i == 2 ? def.joint.rest[k] : atan(def.joint.rest[k]);
        if (def.joint.drive != ELV_DRIVE_PASSIVE) {
            def.joint.law[k] = random_law(parts, RANDOM_T, 5.0);
        }
    }
    for (int k = 0; k < 6; k++) {
        def.pose[k] = random_law(parts, RANDOM_T, 3.0);
    }
    def.closure = (ElvClosure)check_integer(&parts->random, 3);
    for (int k = 0; k < 2 && def.closure != ELV_CLOSURE_EXACT; k++) {
        def.penalty[k] = random_amount(parts);
    }
    return elv_spec_add_loop(spec, &def, error);
}

static inline ElvStatus random_slider(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    ElvSliderDef def = elv_slider_def_default();
    def.name = parts->name;
    def.point = "box";
    def.rod = "arm";
    def.damping = random_amount(parts);
    def.is_driven = check_integer(&parts->random, 2);
    if (def.is_driven) {
        def.drive = random_law(parts, RANDOM_T, 1.0);
    } else {
        def.station = check_uniform(&parts->random, 0.0, 1.0);
        def.force = random_law(parts, RANDOM_T, 10.0);
    }
    return elv_spec_add_slider(spec, &def, error);
}

static inline ElvStatus random_velocity(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    ElvVelocityConstraintDef def = elv_velocity_constraint_def_default();
    def.name = parts->name;
    def.at = "arm.tip";
    def.on = check_integer(&parts->random, 2) ? "world" : "box";
    def.n_row = 1 + check_integer(&parts->random, ELV_VELOCITY_ROWS_MAX);
    for (int i = 0; i < def.n_row; i++) {
        for (int k = 0; k < 6; k++) {
            def.row[i][k] = check_uniform(&parts->random, -1.0, 1.0);
        }
        def.rate[i] = random_law(parts, RANDOM_T, 2.0);
    }
    return elv_spec_add_velocity_constraint(spec, &def, error);
}

static inline ElvStatus random_rolling(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    ElvRollingDef def = elv_rolling_def_default();
    def.name = parts->name;
    def.at = "box";
    def.axis = random_axis(parts);
    def.radius = random_amount(parts);
    def.slips_sideways = check_integer(&parts->random, 2);
    return elv_spec_add_rolling(spec, &def, error);
}

static inline ElvStatus random_wheel(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    ElvWheelDef def = elv_wheel_def_default();
    def.name = parts->name;
    def.at = "box";
    def.axis = random_axis(parts);
    def.radius = random_amount(parts);
    def.is_omni = check_integer(&parts->random, 2);
    def.drive = (ElvWheelDrive)check_integer(&parts->random, ELV_N_WHEEL_DRIVE);
    if (def.drive != ELV_WHEEL_FREE) {
        def.law = random_law(parts, RANDOM_T, 2.0);
    }
    return elv_spec_add_wheel(spec, &def, error);
}

static inline ElvStatus random_contact(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    ElvContactDef def = elv_contact_def_default();
    def.name = parts->name;
    def.rod = "arm";
    def.on = check_integer(&parts->random, 2) ? "world" : "box";
    def.kind = (ElvContactKind)check_integer(&parts->random, 2);
    def.slides = def.kind == ELV_CONTACT_RING && check_integer(&parts->random, 2);
    if (def.slides || check_integer(&parts->random, 2)) {
        def.station.value = check_uniform(&parts->random, 0.0, 1.0);
    } else {
        def.station = random_law(parts, RANDOM_T, 0.5);
    }
    def.when = random_law(parts, RANDOM_T, 2.0);
    return elv_spec_add_contact(spec, &def, error);
}

static inline ElvStatus random_coupling(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    ElvCouplingDef def = elv_coupling_def_default();
    def.name = parts->name;
    def.n = 1 + check_integer(&parts->random, ELV_COUPLED_MAX);
    for (int i = 0; i < def.n; i++) {
        def.joint[i] = i < 6 ? "box" : "arm";
        def.component[i] = i % 6;
        def.factor[i] = random_number(parts);
    }
    def.value = random_law(parts, RANDOM_T, 2.0);
    return elv_spec_add_coupling(spec, &def, error);
}

static inline ElvStatus random_constraint(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    switch (check_integer(&parts->random, 7)) {
    case 0:
        return random_loop(parts, spec, error);
    case 1:
        return random_slider(parts, spec, error);
    case 2:
        return random_velocity(parts, spec, error);
    case 3:
        return random_rolling(parts, spec, error);
    case 4:
        return random_wheel(parts, spec, error);
    case 5:
        return random_contact(parts, spec, error);
    default:
        return random_coupling(parts, spec, error);
    }
}

#endif
