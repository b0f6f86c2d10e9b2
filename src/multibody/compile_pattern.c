// SPDX-License-Identifier: Apache-2.0
// Muscles and the patterns that activate them, from the actuators of a spec.
#include "multibody/compile_device.h"
#include "multibody/muscle.h"
#include "multibody/pattern.h"

#include <math.h>
#include <string.h>

// ---- references

enum { MAX_NAME = 256 };

ElvStatus elv_compile_find_pattern(const ElvCompiler* c,
                                   const ElvMuscleDef* muscle,
                                   const ElvPatternDef** pattern) {
    const char* name[MAX_NAME];
    size_t n = 0;
    for (int i = 0; i < c->spec->n_actuator; i++) {
        const ElvActuator* actuator = &c->spec->actuator[i];
        if (actuator->kind != ELV_ACTUATOR_PATTERN) {
            continue;
        }
        if (strcmp(actuator->as.pattern.name, muscle->pattern) == 0) {
            *pattern = &actuator->as.pattern;
            return ELV_OK;
        }
        if (n < MAX_NAME) {
            name[n++] = actuator->as.pattern.name;
        }
    }
    const char* near = elv_suggest(muscle->pattern, name, n);
    return near ? elv_error_set(c->error, ELV_ERROR_INPUT, muscle->name, "pattern",
                                "no pattern is named '%s', did you mean '%s'?", muscle->pattern,
                                near)
                : elv_error_set(c->error, ELV_ERROR_INPUT, muscle->name, "pattern",
                                "no pattern is named '%s'", muscle->pattern);
}

// ---- muscles

ElvStatus elv_compile_muscle(ElvCompiler* c, int i_actuator) {
    const ElvMuscleDef* def = &c->spec->actuator[i_actuator].as.muscle;
    ElvMuscle* muscle = elv_pool_take(&c->model->pool, 1, sizeof *muscle);
    if (!muscle) {
        return elv_compile_no_memory(c);
    }
    int i_node = 0;
    ElvStatus status = elv_compile_rod_node(c, def->path.rod, def->name, &i_node);
    if (status == ELV_OK && !def->pattern) {
        status = elv_law_set_add(&c->model->laws, &def->activation, ELV_LAW_OF_T | ELV_LAW_OF_S,
                                 def->name, "activation", &muscle->activation, c->error);
    }
    if (status != ELV_OK) {
        return status;
    }
    muscle->device.ops = def->pattern ? &ELV_PATTERN_MUSCLE_OPS : &ELV_MUSCLE_OPS;
    muscle->i_channel = elv_compile_channel(c, i_actuator, i_node);
    muscle->from = def->path.from;
    muscle->to = def->path.to;
    return elv_compile_add_device(c, &muscle->device, def->name);
}

// ---- patterns

// the muscles of a pattern
static ElvStatus
add_drives(ElvCompiler* c, const ElvPatternDef* def, ElvPattern* pattern, ElvPatternDrive* list) {
    for (int i = 0; i < c->spec->n_actuator; i++) {
        const ElvMuscleDef* muscle = &c->spec->actuator[i].as.muscle;
        if (c->spec->actuator[i].kind != ELV_ACTUATOR_MUSCLE || !muscle->pattern ||
            strcmp(muscle->pattern, def->name) != 0) {
            continue;
        }
        ElvPatternDrive* drive = &list[pattern->n_drive++];
        ElvStatus status = elv_compile_rod_node(c, muscle->path.rod, muscle->name, &drive->i_node);
        if (status != ELV_OK) {
            return status;
        }
        drive->i_channel = elv_compile_channel(c, i, drive->i_node);
        drive->i_oscillator = muscle->oscillator;
        drive->phase = muscle->phase;
    }
    return ELV_OK;
}

// lengths count by the cosine of the phase, less its mean over the muscles of the oscillator: what all share says
// nothing of the bending
static void set_weights(ElvPattern* pattern) {
    for (int i = 0; i < pattern->n_drive; i++) {
        ElvPatternDrive* drive = &pattern->drive[i];
        double sum = 0.0;
        int n = 0;
        for (int k = 0; k < pattern->n_drive; k++) {
            if (pattern->drive[k].i_oscillator == drive->i_oscillator) {
                sum += cos(pattern->drive[k].phase);
                n++;
            }
        }
        drive->weight = cos(drive->phase) - sum / n;
    }
}

ElvStatus elv_compile_pattern(ElvCompiler* c, const ElvPatternDef* def) {
    ElvPool* pool = &c->model->pool;
    ElvPattern* pattern = elv_pool_take(pool, 1, sizeof *pattern);
    ElvPatternDrive* drive = elv_pool_take(pool, (size_t)c->spec->n_actuator, sizeof *drive);
    if (!pattern || !drive) {
        return elv_compile_no_memory(c);
    }
    ElvStatus status = elv_law_set_add(&c->model->laws, &def->frequency, ELV_LAW_OF_T, def->name,
                                       "frequency", &pattern->frequency, c->error);
    if (status == ELV_OK) {
        status = elv_law_set_add(&c->model->laws, &def->amplitude, ELV_LAW_OF_T, def->name,
                                 "amplitude", &pattern->amplitude, c->error);
    }
    if (status == ELV_OK) {
        status = add_drives(c, def, pattern, drive);
    }
    if (status != ELV_OK) {
        return status;
    }
    pattern->drive = drive;
    set_weights(pattern);
    pattern->n_oscillator = def->oscillators;
    pattern->lag = def->phase_lag;
    pattern->coupling = def->coupling;
    pattern->rate = def->rate;
    pattern->feedback = def->feedback;
    pattern->device.ops = &ELV_PATTERN_OPS;
    pattern->device.n_z = 2 * def->oscillators;
    pattern->device.is_differential = true;
    return elv_compile_add_device(c, &pattern->device, def->name);
}
