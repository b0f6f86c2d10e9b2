// SPDX-License-Identifier: Apache-2.0
// Random actuators of every kind that a file can hold, for round trips. They need no rods or frames
// of their names: a spec is not compiled. What a Def points to is kept by the caller's RandomParts.
#ifndef ELVER_TESTS_RANDOM_ACTUATOR_H
#define ELVER_TESTS_RANDOM_ACTUATOR_H

#include "check.h"
#include "elver/spec.h"

enum { RANDOM_PATH_MAX = 4, RANDOM_T = 1, RANDOM_S = 2 };

typedef struct {
    CheckRandom random;
    ElvPathDef path[RANDOM_PATH_MAX];
    char name[32];
} RandomParts;

/// Any finite number of any size, not negative.
static inline double random_amount(RandomParts* parts) {
    return exp(check_uniform(&parts->random, -30.0, 30.0));
}

static inline double random_number(RandomParts* parts) {
    return check_integer(&parts->random, 2) ? random_amount(parts) : -random_amount(parts);
}

/// A law of the given variables; a constant is between 0 and most.
static inline ElvLawDef random_law(RandomParts* parts, int variables, double most) {
    static const double x[3] = {0.0, 0.1, 1.0 / 3.0};
    static const double y[3] = {0.1, -2e-7, 0.7};
    static const char* const of_t[] = {"sin(2*pi*t)", "min(t, 1)"};
    static const char* const of_s[] = {"0.01*(1 - s)", "K*s"};
    bool is_of_t = variables == RANDOM_T ||
                   (variables == (RANDOM_T | RANDOM_S) && check_integer(&parts->random, 2));
    int kind = check_integer(&parts->random, variables ? 4 : 2);
    ElvTableKind table = (ElvTableKind)check_integer(&parts->random, 3);
    switch (kind) {
    case 0:
        return elv_law_def_value(0.0);
    case 1:
        return elv_law_def_value(most * check_uniform(&parts->random, 0.0, 1.0));
    case 2:
        return elv_law_def_formula((is_of_t ? of_t : of_s)[check_integer(&parts->random, 2)]);
    default:
        return elv_law_def_table(is_of_t ? ELV_VARIABLE_T : ELV_VARIABLE_S, table, x, y, 3);
    }
}

static inline void random_range(RandomParts* parts, double* from, double* to) {
    *from = check_uniform(&parts->random, 0.0, 0.5);
    *to = check_uniform(&parts->random, 0.51, 1.0);
}

static inline ElvPathDef random_rod_part(RandomParts* parts) {
    ElvPathDef part = elv_path_def_default();
    part.rod = check_integer(&parts->random, 2) ? "arm" : "null";
    random_range(parts, &part.from, &part.to);
    part.y = random_law(parts, RANDOM_S, 0.1);
    part.z = random_law(parts, RANDOM_S, 0.1);
    part.is_outside = check_integer(&parts->random, 2);
    return part;
}

static inline ElvPathDef random_part(RandomParts* parts) {
    ElvPathDef part = random_rod_part(parts);
    int kind = check_integer(&parts->random, 3);
    if (kind == 0) {
        part = elv_path_def_default();
        part.at = check_integer(&parts->random, 2) ? "world" : "arm.at(0.5)";
        part.point = elv_vec3(random_number(parts), random_number(parts), random_number(parts));
    } else if (kind == 1) {
        double from = part.from;
        part.from = part.to;
        part.to = from;
    }
    return part;
}

static inline ElvStatus random_tendon(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    ElvTendonDef def = elv_tendon_def_default();
    def.name = parts->name;
    def.path = parts->path;
    def.n_path = 1 + check_integer(&parts->random, RANDOM_PATH_MAX);
    for (int i = 0; i < def.n_path; i++) {
        parts->path[i] = i == 0 ? random_rod_part(parts) : random_part(parts);
    }
    def.law = random_law(parts, RANDOM_T, 100.0);
    def.friction = random_amount(parts);
    def.neglects_strain = check_integer(&parts->random, 2);
    if (check_integer(&parts->random, 2)) {
        def.pull = ELV_PULL_LENGTH;
        def.stiffness = random_amount(parts);
        def.slack = random_number(parts);
    }
    return elv_spec_add_tendon(spec, &def, error);
}

static inline ElvStatus random_chamber(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    ElvChamberDef def = elv_chamber_def_default();
    def.name = parts->name;
    def.path = random_rod_part(parts);
    def.area = random_law(parts, RANDOM_S, 1e-4);
    def.pressure = random_law(parts, RANDOM_T, 1e5);
    def.neglects_strain = check_integer(&parts->random, 2);
    return elv_spec_add_chamber(spec, &def, error);
}

static inline ElvStatus random_muscle(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    ElvMuscleDef def = elv_muscle_def_default();
    def.name = parts->name;
    def.path = random_rod_part(parts);
    def.force = random_law(parts, RANDOM_S, 50.0);
    def.neglects_strain = check_integer(&parts->random, 2);
    if (check_integer(&parts->random, 2)) {
        def.pattern = "generator";
        def.oscillator = check_integer(&parts->random, ELV_OSCILLATORS_MAX);
        def.phase = random_number(parts);
    } else {
        def.activation = random_law(parts, RANDOM_T | RANDOM_S, 1.0);
    }
    return elv_spec_add_muscle(spec, &def, error);
}

static inline ElvStatus random_pattern(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    ElvPatternDef def = elv_pattern_def_default();
    def.name = parts->name;
    def.oscillators = 1 + check_integer(&parts->random, ELV_OSCILLATORS_MAX);
    def.frequency = random_law(parts, RANDOM_T, 10.0);
    def.amplitude = random_law(parts, RANDOM_T, 1.0);
    def.phase_lag = random_number(parts);
    def.coupling = random_amount(parts);
    def.rate = random_amount(parts);
    def.feedback = random_amount(parts);
    return elv_spec_add_pattern(spec, &def, error);
}

static inline ElvStatus random_strain_control(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    ElvStrainControlDef def = elv_strain_control_def_default();
    def.rod = "arm";
    random_range(parts, &def.from, &def.to);
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        def.kp[i] = random_law(parts, RANDOM_S, 1.0);
        def.kd[i] = random_law(parts, RANDOM_S, 1.0);
        def.target[i] = random_law(parts, RANDOM_T | RANDOM_S, 3.0);
        def.has_target[i] = check_integer(&parts->random, 2);
    }
    return elv_spec_add_strain_control(spec, &def, error);
}

static inline ElvStatus
random_velocity_control(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    ElvVelocityControlDef def = elv_velocity_control_def_default();
    def.name = parts->name;
    def.at = "arm.tip";
    for (int i = 0; i < 6; i++) {
        def.kp[i] = random_number(parts);
        def.ki[i] = random_number(parts);
        def.velocity[i] = random_law(parts, RANDOM_T, 2.0);
    }
    return elv_spec_add_velocity_control(spec, &def, error);
}

static inline ElvStatus random_stress(RandomParts* parts, ElvSpec* spec, ElvError* error) {
    ElvStressDef def = elv_stress_def_default();
    def.rod = "arm";
    random_range(parts, &def.from, &def.to);
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        def.stress[i] = random_law(parts, RANDOM_T | RANDOM_S, 1.0);
    }
    def.when = random_law(parts, RANDOM_T, 1.0);
    return elv_spec_add_stress(spec, &def, error);
}

/// Add one actuator of a random kind, number i of the spec.
static inline void random_actuator(RandomParts* parts, ElvSpec* spec, int i) {
    static ElvStatus (*const add[])(RandomParts*, ElvSpec*, ElvError*) = {
        random_tendon,  random_tendon,         random_chamber,          random_muscle,
        random_pattern, random_strain_control, random_velocity_control, random_stress};
    ElvError error;
    (void)snprintf(parts->name, sizeof parts->name, "%s%d", i % 2 ? "true" : "part-", i);
    CHECK_STATUS(add[check_integer(&parts->random, 8)](parts, spec, &error), &error);
}

#endif
