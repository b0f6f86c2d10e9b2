// SPDX-License-Identifier: Apache-2.0
// Checks of actuators. Those with a name are named by it in errors, the others by their place. What
// depends on the rods (does a path stay inside the section?) is checked on compile, compile_path.c.
#include "multibody/spec_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- paths

// a station at either end of a part, which may run either way
static bool
check_station(const char* element, const char* prefix, const char* key, double s, ElvError* error) {
    if (!(s >= 0.0 && s <= 1.0)) {
        char field[64];
        snprintf(field, sizeof field, "%s%s", prefix, key);
        return elv_check_fail(error, element, field,
                              "'%s' must be a station of the rod, from 0 to 1, got %g", key, s);
    }
    return true;
}

static bool
check_place(const char* element, const char* prefix, const ElvPathDef* part, ElvError* error) {
    char y[64];
    char z[64];
    snprintf(y, sizeof y, "%sy", prefix);
    snprintf(z, sizeof z, "%sz", prefix);
    return elv_check_laws(element, y, &part->y, 1, error) &&
           elv_check_laws(element, z, &part->z, 1, error);
}

static bool
check_rod_part(const char* element, const char* prefix, const ElvPathDef* part, ElvError* error) {
    char field[64];
    snprintf(field, sizeof field, "%srod", prefix);
    if (part->at) {
        return elv_check_fail(error, element, field,
                              "a part of a path is along a rod or a point, not both: give 'rod' or "
                              "'at'");
    }
    return elv_check_reference(element, field, part->rod, error) &&
           check_station(element, prefix, "from", part->from, error) &&
           check_station(element, prefix, "to", part->to, error) &&
           check_place(element, prefix, part, error);
}

static bool
check_point(const char* element, const char* prefix, const ElvPathDef* part, ElvError* error) {
    char at[64];
    char point[64];
    snprintf(at, sizeof at, "%sat", prefix);
    snprintf(point, sizeof point, "%spoint", prefix);
    return elv_check_reference(element, at, part->at, error) &&
           elv_check_vec3(element, point, part->point, error);
}

static bool is_same_point(const ElvPathDef* a, const ElvPathDef* b) {
    return !a->rod && !b->rod && strcmp(a->at, b->at) == 0 && a->point.x == b->point.x &&
           a->point.y == b->point.y && a->point.z == b->point.z;
}

static bool check_part(const char* element, const ElvPathDef* path, int i, ElvError* error) {
    char prefix[32];
    char field[64];
    snprintf(prefix, sizeof prefix, "path[%d].", i);
    if (!path[i].rod) {
        snprintf(field, sizeof field, "path[%d]", i);
        return check_point(element, prefix, &path[i], error) &&
               (i == 0 || !is_same_point(&path[i - 1], &path[i]) ||
                elv_check_fail(error, element, field,
                               "%s is the same point as the one before: take it away", field));
    }
    if (!check_rod_part(element, prefix, &path[i], error)) {
        return false;
    }
    if (path[i].from == path[i].to) {
        snprintf(field, sizeof field, "%sto", prefix);
        return elv_check_fail(error, element, field,
                              "'from' and 'to' are the same station (%g): the part has no length",
                              path[i].to);
    }
    return true;
}

static bool check_path(const ElvTendonDef* def, ElvError* error) {
    if (def->n_path < 1 || !def->path) {
        return elv_check_fail(error, def->name, "path",
                              "the tendon has no path: give at least one part of a rod");
    }
    bool has_rod = false;
    for (int i = 0; i < def->n_path; i++) {
        has_rod = has_rod || def->path[i].rod;
        if (!check_part(def->name, def->path, i, error)) {
            return false;
        }
    }
    if (!has_rod && def->n_path < 2) {
        return elv_check_fail(error, def->name, "path",
                              "a path of one point has no length: add a point or a part of a rod");
    }
    return true;
}

// the path of a chamber or muscle: one part of one rod, from its root outwards
static bool
check_one_rod(const char* element, const char* kind, const ElvPathDef* path, ElvError* error) {
    if (!path->rod && path->at) {
        return elv_check_fail(error, element, "path.at",
                              "a %s runs along a rod: give 'rod' in place of a point", kind);
    }
    return check_rod_part(element, "path.", path, error) &&
           elv_check_range(element, "path.", path->from, path->to, error);
}

// ---- amounts

static int add_muscle(const ElvMuscleDef* def, ElvAmount amount[ELV_AMOUNTS_MAX]) {
    amount[0] = (ElvAmount){
        "force", &def->force, false, true, 0.0, INFINITY, "a muscle pulls and cannot push (N)"};
    amount[1] = (ElvAmount){
        "activation", &def->activation, true, true, 0.0, 1.0, "1 is the full force of the muscle"};
    return def->pattern ? 1 : 2;
}

static int add_pattern(const ElvPatternDef* def, ElvAmount amount[ELV_AMOUNTS_MAX]) {
    amount[0] = (ElvAmount){"frequency", &def->frequency, true,           false,
                            -INFINITY,   INFINITY,        "give it in Hz"};
    amount[1] = (ElvAmount){"amplitude",
                            &def->amplitude,
                            true,
                            false,
                            0.0,
                            1.0,
                            "it is the largest activation of a muscle"};
    return 2;
}

int elv_actuator_amounts(const ElvActuator* actuator, ElvAmount amount[ELV_AMOUNTS_MAX]) {
    const ElvTendonDef* tendon = &actuator->as.tendon;
    const ElvChamberDef* chamber = &actuator->as.chamber;
    switch (actuator->kind) {
    case ELV_ACTUATOR_TENDON:
        amount[0] = tendon->pull == ELV_PULL_TENSION
                        ? (ElvAmount){"tension",
                                      &tendon->law,
                                      true,
                                      false,
                                      0.0,
                                      INFINITY,
                                      "a tendon pulls and cannot push (N)"}
                        : (ElvAmount){"pull", &tendon->law, true, false, -INFINITY, INFINITY, "m"};
        return 1;
    case ELV_ACTUATOR_CHAMBER:
        amount[0] =
            (ElvAmount){"area", &chamber->area, false, true, 0.0, INFINITY, "give 0 or more (m^2)"};
        amount[1] = (ElvAmount){"pressure",
                                &chamber->pressure,
                                true,
                                false,
                                0.0,
                                INFINITY,
                                "give the pressure above that outside (Pa)"};
        return 2;
    case ELV_ACTUATOR_MUSCLE:
        return add_muscle(&actuator->as.muscle, amount);
    case ELV_ACTUATOR_PATTERN:
        return add_pattern(&actuator->as.pattern, amount);
    default:
        return 0;
    }
}

bool elv_check_amount(const char* element, const ElvAmount* amount, double value, ElvError* error) {
    if (!isfinite(value)) {
        return elv_check_fail(error, element, amount->field, "%s must be finite, got %g",
                              amount->field, value);
    }
    if (value >= amount->least && value <= amount->most) {
        return true;
    }
    if (isfinite(amount->most)) {
        return elv_check_fail(error, element, amount->field, "%s must be from %g to %g, got %g; %s",
                              amount->field, amount->least, amount->most, value, amount->reason);
    }
    return elv_check_fail(error, element, amount->field, "%s must not be negative, got %g; %s",
                          amount->field, value, amount->reason);
}

// whole laws, and the values of those that are numbers
static bool check_amounts(const char* element, const ElvActuator* actuator, ElvError* error) {
    ElvAmount amount[ELV_AMOUNTS_MAX];
    int n = elv_actuator_amounts(actuator, amount);
    for (int i = 0; i < n; i++) {
        if (!elv_check_laws(element, amount[i].field, amount[i].law, 1, error) ||
            (amount[i].law->kind == ELV_LAW_CONSTANT &&
             !elv_check_amount(element, &amount[i], amount[i].law->value, error))) {
            return false;
        }
    }
    return true;
}

// ---- whole Defs

static bool check_tendon(const ElvSpec* spec, const ElvActuator* actuator, ElvError* error) {
    const ElvTendonDef* def = &actuator->as.tendon;
    if (!elv_check_name(spec, def->name, "tendon", error)) {
        return false;
    }
    if ((unsigned)def->pull > ELV_PULL_LENGTH) {
        return elv_check_fail(error, def->name, "tension", "unknown kind of pull (%d)",
                              (int)def->pull);
    }
    if (!check_path(def, error) || !check_amounts(def->name, actuator, error) ||
        !elv_check_not_negative(def->name, "stiffness", &def->stiffness, 1,
                                "N/m; 0 is a tendon that does not stretch", error) ||
        !elv_check_finite(def->name, "slack", &def->slack, 1, error) ||
        !elv_check_not_negative(def->name, "friction", &def->friction, 1, "coefficient", error)) {
        return false;
    }
    if (def->pull == ELV_PULL_TENSION && (def->stiffness != 0.0 || def->slack != 0.0)) {
        const char* field = def->stiffness != 0.0 ? "stiffness" : "slack";
        return elv_check_fail(error, def->name, field,
                              "'%s' belongs to a tendon whose length is pulled in: with a given "
                              "tension it has no effect",
                              field);
    }
    return true;
}

static bool check_chamber(const ElvSpec* spec, const ElvActuator* actuator, ElvError* error) {
    const ElvChamberDef* def = &actuator->as.chamber;
    return elv_check_name(spec, def->name, "chamber", error) &&
           check_one_rod(def->name, "chamber", &def->path, error) &&
           check_amounts(def->name, actuator, error);
}

// whether the oscillator is one of the pattern's is seen on compile
static bool check_drive(const ElvMuscleDef* def, ElvError* error) {
    if (!def->pattern && (def->oscillator != 0 || def->phase != 0.0)) {
        const char* field = def->oscillator != 0 ? "oscillator" : "phase";
        return elv_check_fail(error, def->name, field,
                              "'%s' belongs to a muscle with a pattern: with an activation of its "
                              "own it has no effect",
                              field);
    }
    bool has_law = def->activation.kind != ELV_LAW_CONSTANT || def->activation.value != 0.0;
    if (def->pattern && has_law) {
        return elv_check_fail(error, def->name, "activation",
                              "a muscle is activated by a law or by a pattern, not both: give "
                              "'activation' or 'pattern'");
    }
    if (def->oscillator < 0) {
        return elv_check_fail(error, def->name, "oscillator",
                              "oscillators are counted from 0, got %d", def->oscillator);
    }
    return (!def->pattern || elv_check_reference(def->name, "pattern", def->pattern, error)) &&
           elv_check_finite(def->name, "phase", &def->phase, 1, error);
}

static bool check_muscle(const ElvSpec* spec, const ElvActuator* actuator, ElvError* error) {
    const ElvMuscleDef* def = &actuator->as.muscle;
    return elv_check_name(spec, def->name, "muscle", error) &&
           check_one_rod(def->name, "muscle", &def->path, error) && check_drive(def, error) &&
           check_amounts(def->name, actuator, error);
}

static bool check_pattern(const ElvSpec* spec, const ElvActuator* actuator, ElvError* error) {
    const ElvPatternDef* def = &actuator->as.pattern;
    if (!elv_check_name(spec, def->name, "pattern", error)) {
        return false;
    }
    if (def->oscillators < 1 || def->oscillators > ELV_OSCILLATORS_MAX) {
        return elv_check_fail(error, def->name, "oscillators",
                              "a pattern has from 1 to %d oscillators, got %d", ELV_OSCILLATORS_MAX,
                              def->oscillators);
    }
    return check_amounts(def->name, actuator, error) &&
           elv_check_finite(def->name, "phase_lag", &def->phase_lag, 1, error) &&
           elv_check_not_negative(def->name, "coupling", &def->coupling, 1, "1/s", error) &&
           elv_check_finite(def->name, "feedback", &def->feedback, 1, error) &&
           elv_check_positive(def->name, "rate", def->rate, "1/s", error);
}

static bool check_velocity_control(const ElvSpec* spec, const ElvActuator* actuator, ElvError* e) {
    const ElvVelocityControlDef* def = &actuator->as.velocity_control;
    return elv_check_name(spec, def->name, "velocity_control", e) &&
           elv_check_reference(def->name, "at", def->at, e) &&
           elv_check_finite(def->name, "kp", def->kp, 6, e) &&
           elv_check_finite(def->name, "ki", def->ki, 6, e) &&
           elv_check_laws(def->name, "angular", def->velocity, 3, e) &&
           elv_check_laws(def->name, "linear", def->velocity + 3, 3, e);
}

static bool check_stress(const char* place, const ElvStressDef* def, ElvError* error) {
    return elv_check_reference(place, "rod", def->rod, error) &&
           elv_check_range(place, "", def->from, def->to, error) &&
           elv_check_laws(place, "stress", def->stress, ELV_N_STRAIN, error) &&
           elv_check_laws(place, "while", &def->when, 1, error);
}

static bool check_strain_control(const char* place, const ElvStrainControlDef* def, ElvError* e) {
    if (!elv_check_reference(place, "strain_control", def->rod, e) ||
        !elv_check_range(place, "", def->from, def->to, e) ||
        !elv_check_laws(place, "kp", def->kp, ELV_N_STRAIN, e) ||
        !elv_check_laws(place, "kd", def->kd, ELV_N_STRAIN, e)) {
        return false;
    }
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        char field[64];
        snprintf(field, sizeof field, "target.%s", elv_strain_name((ElvStrain)i));
        if (def->has_target[i] && !elv_check_laws(place, field, &def->target[i], 1, e)) {
            return false;
        }
    }
    return true;
}

static bool check_stress_law(const char* place, const ElvStressLawDef* def, ElvError* error) {
    if (!elv_check_reference(place, "rod", def->rod, error) ||
        !elv_check_range(place, "", def->from, def->to, error)) {
        return false;
    }
    return def->callback || elv_check_fail(error, place, "callback", "the callback is missing");
}

ElvStatus elv_check_actuator(const ElvSpec* spec, const ElvActuator* actuator, ElvError* error) {
    char place[32];
    bool is_right = false;
    snprintf(place, sizeof place, "actuators[%d]", spec->n_actuator);
    switch (actuator->kind) {
    case ELV_ACTUATOR_STRESS:
        is_right = check_stress(place, &actuator->as.stress, error);
        break;
    case ELV_ACTUATOR_TENDON:
        is_right = check_tendon(spec, actuator, error);
        break;
    case ELV_ACTUATOR_CHAMBER:
        is_right = check_chamber(spec, actuator, error);
        break;
    case ELV_ACTUATOR_MUSCLE:
        is_right = check_muscle(spec, actuator, error);
        break;
    case ELV_ACTUATOR_PATTERN:
        is_right = check_pattern(spec, actuator, error);
        break;
    case ELV_ACTUATOR_STRAIN_CONTROL:
        is_right = check_strain_control(place, &actuator->as.strain_control, error);
        break;
    case ELV_ACTUATOR_STRESS_LAW:
        is_right = check_stress_law(place, &actuator->as.stress_law, error);
        break;
    case ELV_ACTUATOR_VELOCITY_CONTROL:
        is_right = check_velocity_control(spec, actuator, error);
        break;
    }
    return is_right ? ELV_OK : ELV_ERROR_INPUT;
}
