// SPDX-License-Identifier: Apache-2.0
// Actuators as YAML, each a flow map on a line. Paths are written as lists or, on one rod, as one
// part; gains and stresses as lists of six; laws of stress are C functions and cannot be written.
#include "io/write_actuator.h"

#include "multibody/spec.h"

void elv_write_range(ElvWriter* writer, const char* rod, double from, double to) {
    elv_write(writer, ", rod: ");
    elv_write_word(writer, rod);
    elv_write(writer, ", from: ");
    elv_write_number(writer, from);
    elv_write(writer, ", to: ");
    elv_write_number(writer, to);
}

void elv_write_while(ElvWriter* writer, const ElvLawDef* when) {
    if (!elv_law_def_is(when, 1.0)) {
        elv_write(writer, ", while: ");
        elv_write_law(writer, when);
    }
    elv_write(writer, "}");
}

// ---- parts

static void write_law_at(ElvWriter* writer, const char* key, const ElvLawDef* law) {
    elv_write(writer, ", %s: ", key);
    elv_write_law(writer, law);
}

static void write_number_at(ElvWriter* writer, const char* key, double value) {
    elv_write(writer, ", %s: ", key);
    elv_write_number(writer, value);
}

static void write_begin(ElvWriter* writer, const char* key, const char* name) {
    elv_write(writer, "\n  - {%s: ", key);
    elv_write_word(writer, name);
}

static void write_part(ElvWriter* writer, const ElvPathDef* part) {
    if (!part->rod) {
        elv_write(writer, "{at: ");
        elv_write_word(writer, part->at);
        elv_write(writer, ", point: ");
        elv_write_vec3(writer, part->point);
        elv_write(writer, "}");
        return;
    }
    elv_write(writer, "{rod: ");
    elv_write_word(writer, part->rod);
    write_number_at(writer, "from", part->from);
    write_number_at(writer, "to", part->to);
    write_law_at(writer, "y", &part->y);
    write_law_at(writer, "z", &part->z);
    elv_write(writer, part->is_outside ? ", outside: true}" : "}");
}

static void write_end(ElvWriter* writer, bool neglects_strain) {
    elv_write(writer, neglects_strain ? ", strain_dependence: false}" : "}");
}

// ---- kinds

static void write_tendon(ElvWriter* writer, const ElvTendonDef* def) {
    write_begin(writer, "tendon", def->name);
    elv_write(writer, ", path: [");
    for (int i = 0; i < def->n_path; i++) {
        elv_write(writer, "%s", i > 0 ? ", " : "");
        write_part(writer, &def->path[i]);
    }
    elv_write(writer, "]");
    if (def->pull == ELV_PULL_LENGTH) {
        write_law_at(writer, "pull", &def->law);
        write_number_at(writer, "stiffness", def->stiffness);
        write_number_at(writer, "slack", def->slack);
    } else {
        write_law_at(writer, "tension", &def->law);
    }
    write_number_at(writer, "friction", def->friction);
    write_end(writer, def->neglects_strain);
}

static void write_chamber(ElvWriter* writer, const ElvChamberDef* def) {
    write_begin(writer, "chamber", def->name);
    elv_write(writer, ", path: ");
    write_part(writer, &def->path);
    write_law_at(writer, "area", &def->area);
    write_law_at(writer, "pressure", &def->pressure);
    write_end(writer, def->neglects_strain);
}

static void write_muscle(ElvWriter* writer, const ElvMuscleDef* def) {
    write_begin(writer, "muscle", def->name);
    elv_write(writer, ", path: ");
    write_part(writer, &def->path);
    write_law_at(writer, "force", &def->force);
    if (def->pattern) {
        elv_write(writer, ", pattern: ");
        elv_write_word(writer, def->pattern);
        elv_write(writer, ", oscillator: %d", def->oscillator);
        write_number_at(writer, "phase", def->phase);
    } else {
        write_law_at(writer, "activation", &def->activation);
    }
    write_end(writer, def->neglects_strain);
}

static void write_pattern(ElvWriter* writer, const ElvPatternDef* def) {
    write_begin(writer, "pattern", def->name);
    elv_write(writer, ", oscillators: %d", def->oscillators);
    write_law_at(writer, "frequency", &def->frequency);
    write_law_at(writer, "amplitude", &def->amplitude);
    write_number_at(writer, "phase_lag", def->phase_lag);
    write_number_at(writer, "coupling", def->coupling);
    write_number_at(writer, "rate", def->rate);
    write_number_at(writer, "feedback", def->feedback);
    elv_write(writer, "}");
}

static void write_stress(ElvWriter* writer, const ElvStressDef* def) {
    elv_write(writer, "\n  - {stress: ");
    elv_write_laws(writer, def->stress, ELV_N_STRAIN);
    elv_write_range(writer, def->rod, def->from, def->to);
    elv_write_while(writer, &def->when);
}

static void write_strain_control(ElvWriter* writer, const ElvStrainControlDef* def) {
    write_begin(writer, "strain_control", def->rod);
    write_number_at(writer, "from", def->from);
    write_number_at(writer, "to", def->to);
    elv_write(writer, ", kp: ");
    elv_write_laws(writer, def->kp, ELV_N_STRAIN);
    elv_write(writer, ", kd: ");
    elv_write_laws(writer, def->kd, ELV_N_STRAIN);
    elv_write(writer, ", target: ");
    elv_write_strain_laws(writer, def->target, def->has_target);
    elv_write(writer, "}");
}

static void write_velocity_control(ElvWriter* writer, const ElvVelocityControlDef* def) {
    write_begin(writer, "velocity_control", def->name);
    elv_write(writer, ", at: ");
    elv_write_word(writer, def->at);
    elv_write(writer, ", kp: ");
    elv_write_numbers(writer, def->kp, 6);
    elv_write(writer, ", ki: ");
    elv_write_numbers(writer, def->ki, 6);
    elv_write(writer, ", angular: ");
    elv_write_laws(writer, def->velocity, 3);
    elv_write(writer, ", linear: ");
    elv_write_laws(writer, def->velocity + 3, 3);
    elv_write(writer, "}");
}

static void refuse_stress_law(ElvWriter* writer) {
    if (writer->status == ELV_OK) {
        writer->status = elv_error_set(
            writer->error, ELV_ERROR_INPUT, writer->element, "",
            "'%s' is a law of stress, a C callback, which a file cannot hold: add it after reading",
            writer->element);
    }
}

// ---- the list

static void write_actuator(ElvWriter* writer, const ElvActuator* actuator) {
    switch (actuator->kind) {
    case ELV_ACTUATOR_STRESS:
        write_stress(writer, &actuator->as.stress);
        break;
    case ELV_ACTUATOR_TENDON:
        write_tendon(writer, &actuator->as.tendon);
        break;
    case ELV_ACTUATOR_CHAMBER:
        write_chamber(writer, &actuator->as.chamber);
        break;
    case ELV_ACTUATOR_MUSCLE:
        write_muscle(writer, &actuator->as.muscle);
        break;
    case ELV_ACTUATOR_PATTERN:
        write_pattern(writer, &actuator->as.pattern);
        break;
    case ELV_ACTUATOR_STRAIN_CONTROL:
        write_strain_control(writer, &actuator->as.strain_control);
        break;
    case ELV_ACTUATOR_STRESS_LAW:
        refuse_stress_law(writer);
        break;
    case ELV_ACTUATOR_VELOCITY_CONTROL:
        write_velocity_control(writer, &actuator->as.velocity_control);
        break;
    }
}

void elv_write_actuators(ElvWriter* writer, const ElvSpec* spec) {
    if (spec->n_actuator > 0) {
        elv_write(writer, "\nactuators:");
    }
    for (int i = 0; i < spec->n_actuator; i++) {
        char place[32];
        writer->element = elv_actuator_label(&spec->actuator[i], i, place, sizeof place);
        write_actuator(writer, &spec->actuator[i]);
    }
    writer->element = "";
}
