// SPDX-License-Identifier: Apache-2.0
// An ElvSpec: the list of checked Defs from which a model is compiled.
//
// Every add follows one pattern: check the Def alone, make room for one more, copy the Def with all
// it points to, and only then count it. A failed add leaves the spec as it was (memory that it took
// stays in the pool until the spec is freed).
#include "multibody/spec.h"

#include "multibody/spec_check.h"
#include "multibody/spec_copy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static ElvStatus no_memory(ElvError* error, const char* element) {
    return elv_error_set(error, ELV_ERROR_MEMORY, element, "", "out of memory");
}

ElvStatus elv_spec_create(const char* name, ElvSpec** spec, ElvError* error) {
    assert(spec);
    *spec = NULL;
    ElvSpec* made = calloc(1, sizeof *made);
    if (!made) {
        return no_memory(error, "");
    }
    made->name = elv_pool_string(&made->pool, name ? name : "");
    if (!made->name) {
        elv_spec_free(made);
        return no_memory(error, "");
    }
    made->gravity = elv_vec3(0.0, 0.0, 0.0);
    made->fluid = elv_fluid_def_default();
    made->simulate = elv_simulate_def_default();
    made->statics = elv_statics_def_default();
    made->inverse = elv_inverse_def_default();
    made->record = elv_record_def_default();
    *spec = made;
    return ELV_OK;
}

void elv_spec_free(ElvSpec* spec) {
    if (spec) {
        elv_pool_free(&spec->pool);
        free(spec);
    }
}

void elv_spec_set_gravity(ElvSpec* spec, ElvVec3 gravity) {
    spec->gravity = gravity;
}

ElvStatus elv_spec_set_fluid(ElvSpec* spec, const ElvFluidDef* def, ElvError* error) {
    ElvStatus status = elv_check_fluid(def, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvFluidDef fluid = *def;
    if (!elv_fluid_def_own(&spec->pool, &fluid)) {
        return no_memory(error, "fluid");
    }
    spec->fluid = fluid;
    return ELV_OK;
}

ElvStatus elv_spec_set_parameter(ElvSpec* spec, const char* name, double value, ElvError* error) {
    ElvStatus status = elv_check_parameter(name, value, error);
    if (status != ELV_OK) {
        return status;
    }
    // change a known one
    for (int i = 0; i < spec->n_parameter; i++) {
        if (strcmp(spec->parameter[i].name, name) == 0) {
            spec->parameter[i].value = value;
            return ELV_OK;
        }
    }
    // or add it
    ElvParameter* list =
        elv_pool_grow(&spec->pool, spec->parameter, spec->n_parameter, sizeof *list);
    const char* own_name = elv_pool_string(&spec->pool, name);
    if (!list || !own_name) {
        return no_memory(error, "parameters");
    }
    spec->parameter = list;
    list[spec->n_parameter].name = own_name;
    list[spec->n_parameter].value = value;
    spec->n_parameter++;
    return ELV_OK;
}

// room for one more tree element, zeroed; not counted yet
static ElvElement* next_element(ElvSpec* spec) {
    ElvElement* list = elv_pool_grow(&spec->pool, spec->element, spec->n_element, sizeof *list);
    if (!list) {
        return NULL;
    }
    spec->element = list;
    memset(&list[spec->n_element], 0, sizeof *list);
    return &list[spec->n_element];
}

ElvStatus elv_spec_add_body(ElvSpec* spec, const ElvBodyDef* def, ElvError* error) {
    ElvStatus status = elv_check_body(spec, def, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvElement* element = next_element(spec);
    if (!element) {
        return no_memory(error, def->name);
    }
    element->is_rod = false;
    element->body = *def;
    if (!elv_body_def_own(&spec->pool, &element->body)) {
        return no_memory(error, def->name);
    }
    spec->n_element++;
    return ELV_OK;
}

ElvStatus elv_spec_add_rod(ElvSpec* spec, const ElvRodDef* def, ElvError* error) {
    ElvStatus status = elv_check_rod(spec, def, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvElement* element = next_element(spec);
    if (!element) {
        return no_memory(error, def->name);
    }
    element->is_rod = true;
    element->rod = *def;
    if (!elv_rod_def_own(&spec->pool, &element->rod)) {
        return no_memory(error, def->name);
    }
    spec->n_element++;
    return ELV_OK;
}

ElvStatus elv_spec_add_frame(ElvSpec* spec, const ElvFrameDef* def, ElvError* error) {
    ElvStatus status = elv_check_frame(spec, def, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvFrameDef* list = elv_pool_grow(&spec->pool, spec->frame, spec->n_frame, sizeof *list);
    ElvFrameDef frame = *def;
    if (!list || !elv_frame_def_own(&spec->pool, &frame)) {
        return no_memory(error, def->name);
    }
    spec->frame = list;
    list[spec->n_frame++] = frame;
    return ELV_OK;
}

// room for one more load, zeroed; not counted yet
static ElvLoad* next_load(ElvSpec* spec) {
    ElvLoad* list = elv_pool_grow(&spec->pool, spec->load, spec->n_load, sizeof *list);
    if (!list) {
        return NULL;
    }
    spec->load = list;
    memset(&list[spec->n_load], 0, sizeof *list);
    return &list[spec->n_load];
}

ElvStatus elv_spec_add_wrench(ElvSpec* spec, const ElvWrenchDef* def, ElvError* error) {
    ElvStatus status = elv_check_wrench(spec, def, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvLoad* load = next_load(spec);
    if (!load) {
        return no_memory(error, "loads");
    }
    load->kind = ELV_LOAD_WRENCH;
    load->wrench = *def;
    if (!elv_wrench_def_own(&spec->pool, &load->wrench)) {
        return no_memory(error, "loads");
    }
    spec->n_load++;
    return ELV_OK;
}

ElvStatus elv_spec_add_distributed(ElvSpec* spec, const ElvDistributedDef* def, ElvError* error) {
    ElvStatus status = elv_check_distributed(spec, def, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvLoad* load = next_load(spec);
    if (!load) {
        return no_memory(error, "loads");
    }
    load->kind = ELV_LOAD_DISTRIBUTED;
    load->distributed = *def;
    if (!elv_distributed_def_own(&spec->pool, &load->distributed)) {
        return no_memory(error, "loads");
    }
    spec->n_load++;
    return ELV_OK;
}

// ---- actuators

// check an actuator, copy what it points to and append it
static ElvStatus add_actuator(ElvSpec* spec, ElvActuator* actuator, ElvError* error) {
    ElvStatus status = elv_check_actuator(spec, actuator, error);
    if (status != ELV_OK) {
        return status;
    }
    const char* name = elv_actuator_name(actuator);
    ElvActuator* list = elv_pool_grow(&spec->pool, spec->actuator, spec->n_actuator, sizeof *list);
    if (!list || !elv_actuator_own(&spec->pool, actuator)) {
        return no_memory(error, name ? name : "actuators");
    }
    spec->actuator = list;
    list[spec->n_actuator++] = *actuator;
    return ELV_OK;
}

ElvStatus elv_spec_add_stress(ElvSpec* spec, const ElvStressDef* def, ElvError* error) {
    ElvActuator actuator = {.kind = ELV_ACTUATOR_STRESS, .as.stress = *def};
    return add_actuator(spec, &actuator, error);
}

ElvStatus elv_spec_add_tendon(ElvSpec* spec, const ElvTendonDef* def, ElvError* error) {
    ElvActuator actuator = {.kind = ELV_ACTUATOR_TENDON, .as.tendon = *def};
    return add_actuator(spec, &actuator, error);
}

ElvStatus elv_spec_add_chamber(ElvSpec* spec, const ElvChamberDef* def, ElvError* error) {
    ElvActuator actuator = {.kind = ELV_ACTUATOR_CHAMBER, .as.chamber = *def};
    return add_actuator(spec, &actuator, error);
}

ElvStatus elv_spec_add_muscle(ElvSpec* spec, const ElvMuscleDef* def, ElvError* error) {
    ElvActuator actuator = {.kind = ELV_ACTUATOR_MUSCLE, .as.muscle = *def};
    return add_actuator(spec, &actuator, error);
}

ElvStatus elv_spec_add_pattern(ElvSpec* spec, const ElvPatternDef* def, ElvError* error) {
    ElvActuator actuator = {.kind = ELV_ACTUATOR_PATTERN, .as.pattern = *def};
    return add_actuator(spec, &actuator, error);
}

ElvStatus
elv_spec_add_strain_control(ElvSpec* spec, const ElvStrainControlDef* def, ElvError* error) {
    ElvActuator actuator = {.kind = ELV_ACTUATOR_STRAIN_CONTROL, .as.strain_control = *def};
    return add_actuator(spec, &actuator, error);
}

ElvStatus elv_spec_add_stress_law(ElvSpec* spec, const ElvStressLawDef* def, ElvError* error) {
    ElvActuator actuator = {.kind = ELV_ACTUATOR_STRESS_LAW, .as.stress_law = *def};
    return add_actuator(spec, &actuator, error);
}

ElvStatus
elv_spec_add_velocity_control(ElvSpec* spec, const ElvVelocityControlDef* def, ElvError* error) {
    ElvActuator actuator = {.kind = ELV_ACTUATOR_VELOCITY_CONTROL, .as.velocity_control = *def};
    return add_actuator(spec, &actuator, error);
}

// ---- what to do with it

ElvStatus elv_spec_set_simulate(ElvSpec* spec, const ElvSimulateDef* def, ElvError* error) {
    ElvStatus status = elv_check_simulate(def, error);
    if (status == ELV_OK) {
        spec->simulate = *def;
    }
    return status;
}

ElvStatus elv_spec_set_statics(ElvSpec* spec, const ElvStaticsDef* def, ElvError* error) {
    ElvStatus status = elv_check_statics(def, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvStaticsDef statics = *def;
    if (!elv_statics_def_own(&spec->pool, &statics)) {
        return no_memory(error, "statics");
    }
    spec->statics = statics;
    return ELV_OK;
}

ElvStatus elv_spec_set_inverse(ElvSpec* spec, const ElvInverseDef* def, ElvError* error) {
    ElvStatus status = elv_check_inverse(def, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvInverseDef inverse = *def;
    if (!elv_inverse_def_own(&spec->pool, &inverse)) {
        return no_memory(error, "inverse");
    }
    spec->inverse = inverse;
    return ELV_OK;
}

ElvStatus elv_spec_set_record(ElvSpec* spec, const ElvRecordDef* def, ElvError* error) {
    ElvStatus status = elv_check_record(def, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvRecordDef record = *def;
    if (!elv_record_def_own(&spec->pool, &record)) {
        return no_memory(error, "record");
    }
    spec->record = record;
    return ELV_OK;
}
