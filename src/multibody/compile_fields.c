// SPDX-License-Identifier: Apache-2.0
// What acts along one rod, gathered from the loads and actuators of the spec: distributed wrenches,
// stress fields, fibres, strain controllers, stress laws.
#include "multibody/compile_fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLACE = 32 };

static ElvStatus add_law(ElvCompiler* c,
                         const ElvLawDef* def,
                         int allowed,
                         const char* element,
                         const char* field,
                         const ElvLaw** law) {
    return elv_law_set_add(&c->model->laws, def, allowed, element, field, law, c->error);
}

static ElvStatus add_laws(ElvCompiler* c,
                          const ElvLawDef* def,
                          int n,
                          int allowed,
                          const char* element,
                          const char* field,
                          const ElvLaw** law) {
    ElvStatus status = ELV_OK;
    for (int k = 0; k < n && status == ELV_OK; k++) {
        status = add_law(c, &def[k], allowed, element, field, &law[k]);
    }
    return status;
}

// ---- fields

static ElvStatus build_distributed(ElvCompiler* c, const char* rod, ElvRodFields* fields) {
    const ElvSpec* spec = c->spec;
    ElvRodField* field = elv_pool_take(&c->model->pool, (size_t)spec->n_load, sizeof *field);
    if (!field) {
        return elv_compile_no_memory(c);
    }
    fields->distributed = field;
    for (int i = 0; i < spec->n_load; i++) {
        const ElvDistributedDef* def = &spec->load[i].distributed;
        if (spec->load[i].kind != ELV_LOAD_DISTRIBUTED || strcmp(def->rod, rod) != 0) {
            continue;
        }
        char element[PLACE];
        snprintf(element, sizeof element, "loads[%d]", i);
        ElvRodField* f = &field[fields->n_distributed++];
        f->from = def->from;
        f->to = def->to;
        f->axes = def->axes;
        ElvStatus status = add_laws(c, def->wrench, 6, ELV_LAW_OF_T | ELV_LAW_OF_S, element,
                                    "distributed", f->law);
        if (status == ELV_OK) {
            status = add_law(c, &def->when, ELV_LAW_OF_T, element, "while", &f->when);
        }
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

static ElvStatus
build_stress(ElvCompiler* c, const ElvStressDef* def, const char* element, ElvRodField* field) {
    field->from = def->from;
    field->to = def->to;
    ElvStatus status = add_laws(c, def->stress, ELV_N_STRAIN, ELV_LAW_OF_T | ELV_LAW_OF_S, element,
                                "stress", field->law);
    return status == ELV_OK ? add_law(c, &def->when, ELV_LAW_OF_T, element, "while", &field->when)
                            : status;
}

static ElvStatus build_control(ElvCompiler* c,
                               const ElvStrainControlDef* def,
                               const char* element,
                               ElvRodControl* control) {
    control->from = def->from;
    control->to = def->to;
    ElvStatus status = add_laws(c, def->kp, ELV_N_STRAIN, ELV_LAW_OF_S, element, "kp", control->kp);
    if (status == ELV_OK) {
        status = add_laws(c, def->kd, ELV_N_STRAIN, ELV_LAW_OF_S, element, "kd", control->kd);
    }
    for (int k = 0; k < ELV_N_STRAIN && status == ELV_OK; k++) {
        if (def->has_target[k]) {
            status = add_law(c, &def->target[k], ELV_LAW_OF_T | ELV_LAW_OF_S, element, "target",
                             &control->target[k]);
        }
    }
    return status;
}

// ---- fibres

static ElvStatus
build_fibre(ElvCompiler* c, const ElvPathDef* part, const char* element, ElvRodFibre* fibre) {
    fibre->is_reversed = part->from > part->to;
    fibre->from = fibre->is_reversed ? part->to : part->from;
    fibre->to = fibre->is_reversed ? part->from : part->to;
    fibre->sign = 1.0;
    ElvStatus status = add_law(c, &part->y, ELV_LAW_OF_S, element, "path.y", &fibre->y);
    return status == ELV_OK ? add_law(c, &part->z, ELV_LAW_OF_S, element, "path.z", &fibre->z)
                            : status;
}

// channels of a rod are numbered as their fibres come
static void take_channel(ElvCompiler* c, int i_actuator, int i_part, ElvRodFibre* fibre, int* n) {
    fibre->channel = (*n)++;
    c->channel_of[c->first_part[i_actuator] + i_part] = fibre->channel;
}

static ElvStatus build_tendon(
    ElvCompiler* c, int i_actuator, const char* rod, ElvRodFields* fields, ElvRodFibre* fibre) {
    const ElvTendonDef* def = &c->spec->actuator[i_actuator].as.tendon;
    for (int i = 0; i < def->n_path; i++) {
        if (!def->path[i].rod || strcmp(def->path[i].rod, rod) != 0) {
            continue;
        }
        ElvRodFibre* f = &fibre[fields->n_fibre++];
        ElvStatus status = build_fibre(c, &def->path[i], def->name, f);
        if (status != ELV_OK) {
            return status;
        }
        f->friction = def->friction;
        f->neglects_strain = def->neglects_strain;
        take_channel(c, i_actuator, i, f, &c->n_rod_channel);
    }
    return ELV_OK;
}

static ElvStatus build_chamber(
    ElvCompiler* c, int i_actuator, const char* rod, ElvRodFields* fields, ElvRodFibre* fibre) {
    const ElvChamberDef* def = &c->spec->actuator[i_actuator].as.chamber;
    if (strcmp(def->path.rod, rod) != 0) {
        return ELV_OK;
    }
    ElvRodFibre* f = &fibre[fields->n_fibre++];
    ElvStatus status = build_fibre(c, &def->path, def->name, f);
    f->sign = -1.0;
    f->neglects_strain = def->neglects_strain;
    take_channel(c, i_actuator, 0, f, &c->n_rod_channel);
    return status == ELV_OK ? add_law(c, &def->area, ELV_LAW_OF_S, def->name, "area", &f->profile)
                            : status;
}

static ElvStatus build_muscle(
    ElvCompiler* c, int i_actuator, const char* rod, ElvRodFields* fields, ElvRodFibre* fibre) {
    const ElvMuscleDef* def = &c->spec->actuator[i_actuator].as.muscle;
    if (strcmp(def->path.rod, rod) != 0) {
        return ELV_OK;
    }
    ElvRodFibre* f = &fibre[fields->n_fibre++];
    ElvStatus status = build_fibre(c, &def->path, def->name, f);
    f->neglects_strain = def->neglects_strain;
    f->measures_length = true;
    take_channel(c, i_actuator, 0, f, &c->n_rod_channel);
    if (status == ELV_OK) {
        status = add_law(c, &def->force, ELV_LAW_OF_S, def->name, "force", &f->profile);
    }
    return status == ELV_OK && !def->pattern
               ? add_law(c, &def->activation, ELV_LAW_OF_T | ELV_LAW_OF_S, def->name, "activation",
                         &f->activation)
               : status;
}

// ---- actuators of one rod

typedef struct {
    ElvRodField* stress;
    ElvRodFibre* fibre;
    ElvRodControl* control;
    ElvRodLaw* law;
} Room;

static bool take_room(ElvCompiler* c, Room* room) {
    ElvPool* pool = &c->model->pool;
    size_t n = (size_t)c->spec->n_actuator;
    room->stress = elv_pool_take(pool, n, sizeof *room->stress);
    room->fibre = elv_pool_take(pool, (size_t)c->n_part, sizeof *room->fibre);
    room->control = elv_pool_take(pool, n, sizeof *room->control);
    room->law = elv_pool_take(pool, n, sizeof *room->law);
    return room->stress && room->fibre && room->control && room->law;
}

static ElvStatus
add_actuator(ElvCompiler* c, int i, const char* rod, Room* room, ElvRodFields* fields) {
    const ElvActuator* actuator = &c->spec->actuator[i];
    char element[PLACE];
    snprintf(element, sizeof element, "actuators[%d]", i);
    switch (actuator->kind) {
    case ELV_ACTUATOR_STRESS:
        return strcmp(actuator->as.stress.rod, rod) == 0
                   ? build_stress(c, &actuator->as.stress, element,
                                  &room->stress[fields->n_stress++])
                   : ELV_OK;
    case ELV_ACTUATOR_TENDON:
        return build_tendon(c, i, rod, fields, room->fibre);
    case ELV_ACTUATOR_CHAMBER:
        return build_chamber(c, i, rod, fields, room->fibre);
    case ELV_ACTUATOR_MUSCLE:
        return build_muscle(c, i, rod, fields, room->fibre);
    case ELV_ACTUATOR_STRAIN_CONTROL:
        return strcmp(actuator->as.strain_control.rod, rod) == 0
                   ? build_control(c, &actuator->as.strain_control, element,
                                   &room->control[fields->n_control++])
                   : ELV_OK;
    case ELV_ACTUATOR_STRESS_LAW:
        if (strcmp(actuator->as.stress_law.rod, rod) == 0) {
            const ElvStressLawDef* def = &actuator->as.stress_law;
            room->law[fields->n_law++] = (ElvRodLaw){def->from, def->to, def->callback, def->user};
        }
        return ELV_OK;
    case ELV_ACTUATOR_VELOCITY_CONTROL:
    case ELV_ACTUATOR_PATTERN:
        break;
    }
    return ELV_OK;
}

// the times of the simulation and the loads of statics
static void set_times(const ElvSpec* spec, ElvRodFields* fields) {
    fields->t_to = fmax(0.0, spec->simulate.duration);
    for (int i = 0; i < spec->statics.n_load; i++) {
        fields->t_from = fmin(fields->t_from, spec->statics.load[i]);
        fields->t_to = fmax(fields->t_to, spec->statics.load[i]);
    }
}

ElvStatus elv_compile_fields(ElvCompiler* c, const char* rod, ElvRodFields* fields) {
    Room room;
    memset(fields, 0, sizeof *fields);
    set_times(c->spec, fields);
    fields->fluid = c->model->fluid;
    c->n_rod_channel = 0;
    if (!take_room(c, &room)) {
        return elv_compile_no_memory(c);
    }
    ElvStatus status = build_distributed(c, rod, fields);
    for (int i = 0; i < c->spec->n_actuator && status == ELV_OK; i++) {
        status = add_actuator(c, i, rod, &room, fields);
    }
    fields->stress = room.stress;
    fields->fibre = room.fibre;
    fields->control = room.control;
    fields->law = room.law;
    return status;
}

ElvStatus elv_compile_parts(ElvCompiler* c) {
    const ElvSpec* spec = c->spec;
    ElvPool* pool = &c->model->pool;
    c->first_part = elv_pool_take(pool, (size_t)spec->n_actuator, sizeof *c->first_part);
    if (!c->first_part) {
        return elv_compile_no_memory(c);
    }
    for (int i = 0; i < spec->n_actuator; i++) {
        bool is_tendon = spec->actuator[i].kind == ELV_ACTUATOR_TENDON;
        c->first_part[i] = c->n_part;
        c->n_part += is_tendon ? spec->actuator[i].as.tendon.n_path : 1;
    }
    c->channel_of = elv_pool_take(pool, (size_t)c->n_part, sizeof *c->channel_of);
    return c->channel_of ? ELV_OK : elv_compile_no_memory(c);
}
