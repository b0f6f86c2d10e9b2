// SPDX-License-Identifier: Apache-2.0
// Wheels, couplings and constraints written in C as devices.
#include "multibody/compile_device.h"

#include "joint/lumped.h"
#include "multibody/coupling.h"
#include "multibody/own_constraint.h"
#include "multibody/rolling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- wheels

ElvStatus elv_compile_rolling(ElvCompiler* c, const ElvRollingDef* def) {
    ElvRolling* rolling = elv_pool_take(&c->model->pool, 1, sizeof *rolling);
    if (!rolling) {
        return elv_compile_no_memory(c);
    }
    ElvStatus status = elv_compile_held_frame(c, def->on, def->name, "on", &rolling->end[0]);
    status = status == ELV_OK
                 ? elv_compile_held_frame(c, def->at, def->name, "at", &rolling->end[1])
                 : status;
    if (status != ELV_OK) {
        return status;
    }
    if (rolling->end[0].port == rolling->end[1].port) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, def->name, "at",
                             "'%s' cannot roll on what it is fixed to: '%s' and '%s' move together",
                             def->name, def->at, def->on);
    }
    rolling->axis = elv_vec3_scale(1.0 / elv_vec3_norm(def->axis), def->axis);
    rolling->radius = def->radius;
    rolling->slips_sideways = def->slips_sideways;
    rolling->length = fmax(def->radius, c->model->size);
    rolling->i_gap = c->model->n_loop++;
    rolling->device.ops = &ELV_ROLLING_OPS;
    rolling->device.n_z = 6;
    return elv_compile_add_device(c, &rolling->device, def->name);
}

// ---- couplings

// the field of coordinate i
static const char* field_of(int i, const char* key, char field[32]) {
    snprintf(field, 32, "joints[%d].%s", i, key);
    return field;
}

// the nearest of the elements' names, or NULL
static const char* suggest_element(const ElvSpec* spec, const char* name) {
    const char* best[2] = {NULL, NULL};
    for (int i = 0; i < spec->n_element; i++) {
        best[1] = elv_element_name(&spec->element[i]);
        best[0] = elv_suggest(name, best, 2);
    }
    return best[0];
}

// the node of the lumped joint of a body or rod
static ElvStatus find_joint(ElvCompiler* c, const ElvCouplingDef* def, int i, int* i_node) {
    const char* name = def->joint[i];
    const ElvModel* model = c->model;
    size_t n = strlen(name);
    char field[32];
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        bool is_root_joint =
            strncmp(node->name, name, n) == 0 && strcmp(node->name + n, ".joint") == 0;
        if ((strcmp(node->name, name) == 0 && !node->info.is_rod) || is_root_joint) {
            *i_node = j;
            return ELV_OK;
        }
    }
    (void)field_of(i, "joint", field);
    for (int k = 0; k < c->spec->n_element; k++) {
        if (strcmp(elv_element_name(&c->spec->element[k]), name) == 0) {
            return elv_error_set(c->error, ELV_ERROR_INPUT, def->name, field,
                                 "the rod '%s' is fixed to its parent: it has no joint to couple",
                                 name);
        }
    }
    const char* near = suggest_element(c->spec, name);
    if (near) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, def->name, field,
                             "no body or rod is named '%s', did you mean '%s'?", name, near);
    }
    return elv_error_set(c->error, ELV_ERROR_INPUT, def->name, field,
                         "no body or rod is named '%s'", name);
}

static ElvStatus
compile_coupled(ElvCompiler* c, const ElvCouplingDef* def, int i, ElvCoupled* one) {
    ElvStatus status = find_joint(c, def, i, &one->i_node);
    if (status != ELV_OK) {
        return status;
    }
    const ElvNode* node = &c->model->node[one->i_node];
    const ElvLumpedType* type = elv_lumped_type(node->info.joint);
    char field[32];
    if (type->rate) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, def->name, field_of(i, "joint", field),
                             "the orientation of '%s' has no coordinates that could be tied: "
                             "couple a joint that is neither spherical nor free",
                             def->joint[i]);
    }
    if (def->component[i] >= type->n_v) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, def->name,
                             field_of(i, type->n_v > 0 ? "component" : "joint", field),
                             "the joint of '%s' has %d coordinate%s: there is no component %d",
                             def->joint[i], type->n_v, type->n_v == 1 ? "" : "s",
                             def->component[i]);
    }
    one->component = def->component[i];
    one->factor = def->factor[i];
    return ELV_OK;
}

// whether a coordinate is a length, not an angle
static bool is_length(const ElvNode* node, int component) {
    switch (node->info.joint) {
    case ELV_JOINT_PRISMATIC:
        return true;
    case ELV_JOINT_CYLINDRICAL:
    case ELV_JOINT_PLANAR:
        return component > 0;
    default:
        return false;
    }
}

ElvStatus elv_compile_coupling(ElvCompiler* c, const ElvCouplingDef* def) {
    ElvModel* model = c->model;
    ElvCoupling* coupling = elv_pool_take(&model->pool, 1, sizeof *coupling);
    if (!coupling) {
        return elv_compile_no_memory(c);
    }
    bool is_free = false;
    coupling->n = def->n;
    for (int i = 0; i < def->n; i++) {
        ElvCoupled* one = &coupling->coupled[i];
        ElvStatus status = compile_coupled(c, def, i, one);
        if (status != ELV_OK) {
            return status;
        }
        const ElvNode* node = &model->node[one->i_node];
        coupling->size += fabs(one->factor) * (is_length(node, one->component) ? model->size : 1.0);
        is_free = is_free || !elv_joint_is_driven(node->joint, one->component);
        status = elv_compile_anchor(c, node->i_port);
        if (status != ELV_OK) {
            return status;
        }
    }
    if (!is_free) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, def->name, "joints",
                             "the motion of all joints of '%s' is imposed: nothing is left to tie",
                             def->name);
    }
    ElvStatus status = elv_compile_law(c, &def->value, def->name, "equals", &coupling->value);
    if (status != ELV_OK) {
        return status;
    }
    model->is_active = model->is_active || def->value.kind != ELV_LAW_CONSTANT;
    coupling->i_gap = model->n_loop++;
    coupling->device.ops = &ELV_COUPLING_OPS;
    coupling->device.n_z = 1;
    return elv_compile_add_device(c, &coupling->device, def->name);
}

// ---- constraints of one's own

ElvStatus elv_compile_own(ElvCompiler* c, const ElvConstraintDef* def) {
    ElvModel* model = c->model;
    ElvOwnConstraint* own = elv_pool_take(&model->pool, 1, sizeof *own);
    if (!own) {
        return elv_compile_no_memory(c);
    }
    ElvCouplingDef joints = elv_coupling_def_default();
    ElvStatus status = ELV_OK;
    bool is_free = def->n_frame > 0;
    joints.name = def->name;
    for (int i = 0; i < def->n_frame && status == ELV_OK; i++) {
        status = elv_compile_held_frame(c, def->frame[i], def->name, "frame", &own->frame[i]);
    }
    for (int i = 0; i < def->n_joint && status == ELV_OK; i++) {
        joints.joint[i] = def->joint[i];
        joints.component[i] = def->component[i];
        joints.factor[i] = 1.0;
        status = compile_coupled(c, &joints, i, &own->joint[i]);
        if (status == ELV_OK) {
            const ElvNode* node = &model->node[own->joint[i].i_node];
            is_free = is_free || !elv_joint_is_driven(node->joint, own->joint[i].component);
            status = elv_compile_anchor(c, node->i_port);
        }
    }
    if (status != ELV_OK) {
        return status;
    }
    if (!is_free) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, def->name, "joint",
                             "the motion of all joints of '%s' is imposed: nothing is left to tie",
                             def->name);
    }
    own->n_frame = def->n_frame;
    own->n_joint = def->n_joint;
    own->n_row = def->n_row;
    memcpy(own->is_velocity, def->is_velocity, sizeof own->is_velocity);
    own->callback = def->callback;
    own->user = def->user;
    own->size = model->size;
    // what it does with t is not known
    model->is_active = true;
    own->device.ops = &ELV_OWN_CONSTRAINT_OPS;
    own->device.n_z = own->n_row + 6 * own->n_frame + own->n_joint;
    return elv_compile_add_device(c, &own->device, def->name);
}
