// SPDX-License-Identifier: Apache-2.0
// Deep copies of Defs. The caller copies the struct; the functions here then replace each pointer
// in it by a copy out of a pool, so that fields without pointers need no line of code. Pointers
// that the kind of a law or basis does not use are set to NULL.
#include "multibody/spec_copy.h"

#include <string.h>

static bool own_string(ElvPool* pool, const char** text) {
    *text = elv_pool_string(pool, *text);
    return *text != NULL;
}

static bool own_doubles(ElvPool* pool, const double** array, size_t n) {
    *array = elv_pool_copy(pool, *array, n, sizeof **array);
    return *array != NULL;
}

bool elv_law_def_own(ElvPool* pool, ElvLawDef* law) {
    switch (law->kind) {
    case ELV_LAW_FORMULA:
        *law = elv_law_def_formula(law->text);
        return own_string(pool, &law->text);
    case ELV_LAW_TABLE:
        *law = elv_law_def_table(law->variable, law->table, law->x, law->y, law->n);
        return own_doubles(pool, &law->x, law->n) && own_doubles(pool, &law->y, law->n);
    case ELV_LAW_CALLBACK:
        *law = elv_law_def_callback(law->callback, law->user);
        return true;
    case ELV_LAW_CONSTANT:
        break;
    }
    *law = elv_law_def_value(law->value);
    return true;
}

static bool own_laws(ElvPool* pool, ElvLawDef* law, int n) {
    for (int i = 0; i < n; i++) {
        if (!elv_law_def_own(pool, &law[i])) {
            return false;
        }
    }
    return true;
}

static bool own_matrix(ElvPool* pool, ElvMatrixDef* matrix) {
    for (int i = matrix->n; i < 36; i++) {
        matrix->entry[i] = elv_law_def_value(0.0);
    }
    return own_laws(pool, matrix->entry, matrix->n);
}

static bool own_section(ElvPool* pool, ElvSectionDef* section) {
    return own_laws(pool, section->outer, 2) && own_laws(pool, section->inner, 2) &&
           elv_law_def_own(pool, &section->area) && elv_law_def_own(pool, &section->inertia_y) &&
           elv_law_def_own(pool, &section->inertia_z) && elv_law_def_own(pool, &section->torsion) &&
           elv_law_def_own(pool, &section->shear_factor);
}

static bool own_element(ElvPool* pool, ElvElementDef* element) {
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        ElvBasisTable* table = &element->table[i];
        // tables count only where a strain has modes of that basis
        if (element->modes[i] == 0 || element->basis[i] != ELV_BASIS_TABLE) {
            memset(table, 0, sizeof *table);
            continue;
        }
        size_t n_station = (size_t)table->n_station;
        if (!own_doubles(pool, &table->station, n_station) ||
            !own_doubles(pool, &table->value, n_station * (size_t)table->n_mode)) {
            return false;
        }
    }
    return true;
}

static bool own_elements(ElvPool* pool, ElvRodDef* rod) {
    ElvElementDef* element =
        elv_pool_copy(pool, rod->element, (size_t)rod->n_element, sizeof *element);
    rod->element = element;
    if (!element) {
        return false;
    }
    for (int i = 0; i < rod->n_element; i++) {
        if (!own_element(pool, &element[i])) {
            return false;
        }
    }
    return true;
}

static bool own_joint(ElvPool* pool, ElvJointDef* joint) {
    return own_laws(pool, joint->law, 6) && own_laws(pool, joint->target, 6);
}

bool elv_body_def_own(ElvPool* pool, ElvBodyDef* def) {
    return own_string(pool, &def->name) && own_string(pool, &def->parent) &&
           own_joint(pool, &def->joint);
}

bool elv_rod_def_own(ElvPool* pool, ElvRodDef* def) {
    return own_string(pool, &def->name) && own_string(pool, &def->parent) &&
           own_joint(pool, &def->joint) && own_section(pool, &def->section) &&
           own_matrix(pool, &def->stiffness) && own_matrix(pool, &def->inertia) &&
           own_matrix(pool, &def->damping) && own_laws(pool, def->reference, ELV_N_STRAIN) &&
           own_laws(pool, def->initial, ELV_N_STRAIN) &&
           own_laws(pool, def->initial_rate, ELV_N_STRAIN) &&
           own_laws(pool, def->motion, ELV_N_STRAIN) && own_elements(pool, def);
}

bool elv_fluid_def_own(ElvPool* pool, ElvFluidDef* def) {
    return own_laws(pool, def->current, 3);
}

bool elv_frame_def_own(ElvPool* pool, ElvFrameDef* def) {
    return own_string(pool, &def->name) && own_string(pool, &def->on);
}

bool elv_wrench_def_own(ElvPool* pool, ElvWrenchDef* def) {
    return own_string(pool, &def->at) && own_laws(pool, def->wrench, 6) &&
           elv_law_def_own(pool, &def->when);
}

bool elv_distributed_def_own(ElvPool* pool, ElvDistributedDef* def) {
    return own_string(pool, &def->rod) && own_laws(pool, def->wrench, 6) &&
           elv_law_def_own(pool, &def->when);
}

// ---- actuators

// what the kind of a part does not use goes back to its default
static bool own_part(ElvPool* pool, ElvPathDef* part) {
    ElvPathDef own = elv_path_def_default();
    if (part->rod) {
        own.rod = part->rod;
        own.from = part->from;
        own.to = part->to;
        own.y = part->y;
        own.z = part->z;
        own.is_outside = part->is_outside;
    } else {
        own.at = part->at;
        own.point = part->point;
    }
    *part = own;
    return part->rod ? own_string(pool, &part->rod) && elv_law_def_own(pool, &part->y) &&
                           elv_law_def_own(pool, &part->z)
                     : own_string(pool, &part->at);
}

static bool own_tendon(ElvPool* pool, ElvTendonDef* def) {
    ElvPathDef* path = elv_pool_copy(pool, def->path, (size_t)def->n_path, sizeof *path);
    def->path = path;
    for (int i = 0; path && i < def->n_path; i++) {
        if (!own_part(pool, &path[i])) {
            return false;
        }
    }
    return path && own_string(pool, &def->name) && elv_law_def_own(pool, &def->law);
}

static bool own_muscle(ElvPool* pool, ElvMuscleDef* def) {
    return own_string(pool, &def->name) && own_part(pool, &def->path) &&
           elv_law_def_own(pool, &def->force) && elv_law_def_own(pool, &def->activation) &&
           (!def->pattern || own_string(pool, &def->pattern));
}

static bool own_strain_control(ElvPool* pool, ElvStrainControlDef* def) {
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        if (!def->has_target[i]) {
            def->target[i] = elv_law_def_value(0.0);
        }
    }
    return own_string(pool, &def->rod) && own_laws(pool, def->kp, ELV_N_STRAIN) &&
           own_laws(pool, def->kd, ELV_N_STRAIN) && own_laws(pool, def->target, ELV_N_STRAIN);
}

bool elv_actuator_own(ElvPool* pool, ElvActuator* actuator) {
    ElvStressDef* stress = &actuator->as.stress;
    ElvChamberDef* chamber = &actuator->as.chamber;
    ElvPatternDef* pattern = &actuator->as.pattern;
    ElvVelocityControlDef* velocity = &actuator->as.velocity_control;
    switch (actuator->kind) {
    case ELV_ACTUATOR_STRESS:
        return own_string(pool, &stress->rod) && own_laws(pool, stress->stress, ELV_N_STRAIN) &&
               elv_law_def_own(pool, &stress->when);
    case ELV_ACTUATOR_TENDON:
        return own_tendon(pool, &actuator->as.tendon);
    case ELV_ACTUATOR_CHAMBER:
        return own_string(pool, &chamber->name) && own_part(pool, &chamber->path) &&
               elv_law_def_own(pool, &chamber->area) && elv_law_def_own(pool, &chamber->pressure);
    case ELV_ACTUATOR_MUSCLE:
        return own_muscle(pool, &actuator->as.muscle);
    case ELV_ACTUATOR_PATTERN:
        return own_string(pool, &pattern->name) && elv_law_def_own(pool, &pattern->frequency) &&
               elv_law_def_own(pool, &pattern->amplitude);
    case ELV_ACTUATOR_STRAIN_CONTROL:
        return own_strain_control(pool, &actuator->as.strain_control);
    case ELV_ACTUATOR_STRESS_LAW:
        return own_string(pool, &actuator->as.stress_law.rod);
    case ELV_ACTUATOR_VELOCITY_CONTROL:
        return own_string(pool, &velocity->name) && own_string(pool, &velocity->at) &&
               own_laws(pool, velocity->velocity, 6);
    }
    return false;
}

// ---- constraints

static bool own_velocity(ElvPool* pool, ElvVelocityConstraintDef* def) {
    for (int i = def->n_row; i < ELV_VELOCITY_ROWS_MAX; i++) {
        memset(def->row[i], 0, sizeof def->row[i]);
        def->rate[i] = elv_law_def_value(0.0);
    }
    return own_string(pool, &def->name) && own_string(pool, &def->at) &&
           own_string(pool, &def->on) && own_laws(pool, def->rate, def->n_row);
}

static bool own_coupling(ElvPool* pool, ElvCouplingDef* def) {
    for (int i = 0; i < ELV_COUPLED_MAX; i++) {
        if (i >= def->n) {
            def->joint[i] = NULL;
            def->component[i] = 0;
            def->factor[i] = 0.0;
        } else if (!own_string(pool, &def->joint[i])) {
            return false;
        }
    }
    return own_string(pool, &def->name) && elv_law_def_own(pool, &def->value);
}

static bool own_own(ElvPool* pool, ElvConstraintDef* def) {
    bool is_owned = own_string(pool, &def->name);
    for (int i = 0; i < def->n_frame && is_owned; i++) {
        is_owned = own_string(pool, &def->frame[i]);
    }
    for (int i = 0; i < def->n_joint && is_owned; i++) {
        is_owned = own_string(pool, &def->joint[i]);
    }
    return is_owned;
}

bool elv_constraint_own(ElvPool* pool, ElvConstraint* constraint) {
    ElvLoopDef* loop = &constraint->as.loop;
    ElvSliderDef* slider = &constraint->as.slider;
    ElvRollingDef* rolling = &constraint->as.rolling;
    ElvWheelDef* wheel = &constraint->as.wheel;
    ElvContactDef* contact = &constraint->as.contact;
    switch (constraint->kind) {
    case ELV_CONSTRAINT_LOOP:
        return own_string(pool, &loop->name) && own_string(pool, &loop->first) &&
               own_string(pool, &loop->second) && own_laws(pool, loop->pose, 6) &&
               own_joint(pool, &loop->joint);
    case ELV_CONSTRAINT_SLIDER:
        return own_string(pool, &slider->name) && own_string(pool, &slider->point) &&
               own_string(pool, &slider->rod) && elv_law_def_own(pool, &slider->force) &&
               elv_law_def_own(pool, &slider->drive);
    case ELV_CONSTRAINT_VELOCITY:
        return own_velocity(pool, &constraint->as.velocity);
    case ELV_CONSTRAINT_ROLLING:
        return own_string(pool, &rolling->name) && own_string(pool, &rolling->at) &&
               own_string(pool, &rolling->on);
    case ELV_CONSTRAINT_WHEEL:
        return own_string(pool, &wheel->name) && own_string(pool, &wheel->at) &&
               elv_law_def_own(pool, &wheel->law);
    case ELV_CONSTRAINT_CONTACT:
        return own_string(pool, &contact->name) && own_string(pool, &contact->rod) &&
               own_string(pool, &contact->on) && elv_law_def_own(pool, &contact->station) &&
               elv_law_def_own(pool, &contact->when) &&
               elv_law_def_own(pool, &contact->preload[0]) &&
               elv_law_def_own(pool, &contact->preload[1]) &&
               elv_law_def_own(pool, &contact->preload[2]);
    case ELV_CONSTRAINT_COUPLING:
        return own_coupling(pool, &constraint->as.coupling);
    case ELV_CONSTRAINT_OWN:
        return own_own(pool, &constraint->as.own);
    }
    return false;
}

// ---- what to simulate and record

bool elv_statics_def_own(ElvPool* pool, ElvStaticsDef* def) {
    if (def->n_load == 0) {
        def->load = NULL;
        return true;
    }
    return own_doubles(pool, &def->load, (size_t)def->n_load);
}

bool elv_inverse_def_own(ElvPool* pool, ElvInverseDef* def) {
    return own_laws(pool, def->tip, 6);
}

bool elv_record_def_own(ElvPool* pool, ElvRecordDef* def) {
    if (def->n_signal == 0) {
        def->signal = NULL;
        return true;
    }
    const char** signal = elv_pool_take(pool, (size_t)def->n_signal, sizeof *signal);
    if (!signal) {
        return false;
    }
    for (int i = 0; i < def->n_signal; i++) {
        signal[i] = elv_pool_string(pool, def->signal[i]);
        if (!signal[i]) {
            return false;
        }
    }
    def->signal = signal;
    return true;
}
