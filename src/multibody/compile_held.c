// SPDX-License-Identifier: Apache-2.0
// Constraints of a spec: what they share, and all of them in their order.
#include "multibody/compile_device.h"
#include "multibody/loop.h"

#include <math.h>

ElvStatus elv_compile_anchor(ElvCompiler* c, int port) {
    ElvModel* model = c->model;
    for (int i = 0; i < model->n_anchor; i++) {
        if (model->anchor[i] == port) {
            return ELV_OK;
        }
    }
    int* list = elv_pool_grow(&model->pool, model->anchor, model->n_anchor, sizeof *list);
    if (!list) {
        return elv_compile_no_memory(c);
    }
    model->anchor = list;
    list[model->n_anchor++] = port;
    return ELV_OK;
}

ElvStatus elv_compile_held_frame(ElvCompiler* c,
                                 const char* reference,
                                 const char* element,
                                 const char* field,
                                 ElvFrame* frame) {
    ElvResolved resolved;
    ElvStatus status = elv_compile_resolve(c, reference, element, field, &resolved);
    if (status != ELV_OK) {
        return status;
    }
    *frame = elv_compile_frame(c, &resolved);
    return frame->port > 0 ? elv_compile_anchor(c, frame->port) : ELV_OK;
}

ElvStatus elv_compile_law(ElvCompiler* c,
                          const ElvLawDef* def,
                          const char* element,
                          const char* field,
                          const ElvLaw** law) {
    return elv_law_set_add(&c->model->laws, def, ELV_LAW_OF_T, element, field, law, c->error);
}

ElvStatus elv_compile_ends(
    ElvCompiler* c, ElvLoop* loop, const char* name, const char* const reference[2], bool is_loop) {
    static const char* const loop_field[2] = {"between[0]", "between[1]"};
    static const char* const other_field[2] = {"on", "at"};
    for (int i = 0; i < 2; i++) {
        const char* field = is_loop ? loop_field[i] : other_field[i];
        ElvStatus status = elv_compile_held_frame(c, reference[i], name, field, &loop->end[i]);
        if (status != ELV_OK) {
            return status;
        }
    }
    if (loop->end[0].port == loop->end[1].port) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, name, is_loop ? "between" : "at",
                             "'%s' joins '%s' to itself: its two frames are fixed to the same body "
                             "or section",
                             name, reference[1]);
    }
    return ELV_OK;
}

// ---- all

// extent of the robot at the start
static ElvStatus measure_size(ElvCompiler* c) {
    ElvModel* model = c->model;
    ElvData* data = NULL;
    ElvState* state = NULL;
    ElvStatus status = elv_data_create(model, &data, c->error);
    status = status == ELV_OK ? elv_state_create(model, &state, c->error) : status;
    model->size = 0.0;
    if (status == ELV_OK) {
        elv_kinematics(model, data, state);
        ElvVec3 from = data->port[model->n_port > 1 ? 1 : 0].g.p;
        for (int p = 1; p < model->n_port; p++) {
            double far = elv_vec3_norm(elv_vec3_sub(data->port[p].g.p, from));
            model->size = fmax(model->size, far);
        }
    }
    model->size = model->size > 0.0 && isfinite(model->size) ? model->size : 1.0;
    elv_state_free(state);
    elv_data_free(data);
    return status;
}

static ElvStatus compile_constraint(ElvCompiler* c, const ElvConstraint* constraint) {
    switch (constraint->kind) {
    case ELV_CONSTRAINT_LOOP:
        return elv_compile_loop(c, &constraint->as.loop);
    case ELV_CONSTRAINT_VELOCITY:
        return elv_compile_velocity(c, &constraint->as.velocity);
    case ELV_CONSTRAINT_ROLLING:
        return elv_compile_rolling(c, &constraint->as.rolling);
    case ELV_CONSTRAINT_WHEEL:
        return elv_compile_wheel(c, &constraint->as.wheel);
    case ELV_CONSTRAINT_CONTACT:
        return elv_compile_rod_contact(c, &constraint->as.contact);
    case ELV_CONSTRAINT_COUPLING:
        return elv_compile_coupling(c, &constraint->as.coupling);
    case ELV_CONSTRAINT_OWN:
        return elv_compile_own(c, &constraint->as.own);
    case ELV_CONSTRAINT_SLIDER:
        return elv_compile_slider(c, &constraint->as.slider);
    default:
        return ELV_OK;
    }
}

// which equations are constraints on the motion, and which unknowns places
static ElvStatus mark_held(ElvCompiler* c) {
    ElvModel* model = c->model;
    size_t n = (size_t)model->nz + 6 * (size_t)model->n_anchor;
    model->is_held = elv_pool_take(&model->pool, n, sizeof *model->is_held);
    model->is_place = elv_pool_take(&model->pool, (size_t)model->nz + 1, sizeof *model->is_place);
    if (!model->is_held || !model->is_place) {
        return elv_compile_no_memory(c);
    }
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < device->n_z && device->ops->motion; k++) {
            bool is_effort = device->ops->is_effort && device->ops->is_effort(device, k);
            model->is_held[device->i_z + k] = !is_effort;
            model->is_place[device->i_z + k] = k >= device->n_z - device->n_place;
        }
    }
    return ELV_OK;
}

ElvStatus elv_compile_constraints(ElvCompiler* c) {
    ElvStatus status = measure_size(c);
    for (int i = 0; i < c->spec->n_constraint && status == ELV_OK; i++) {
        status = compile_constraint(c, &c->spec->constraint[i]);
    }
    return status == ELV_OK ? mark_held(c) : status;
}
