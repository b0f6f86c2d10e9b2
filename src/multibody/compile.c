// SPDX-License-Identifier: Apache-2.0
// elv_spec_compile: from a description to an immutable model. The steps: order the tree, collect
// the stations of rods, build nodes and ports, then frames, point loads and driven coordinates.
#include "multibody/compile.h"

#include "elver/signal.h"
#include "multibody/compile_fields.h"
#include "multibody/compile_fluid.h"
#include "multibody/spec_check.h"
#include "multibody/spec_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ElvStatus compile_frames(ElvCompiler* c) {
    ElvModel* model = c->model;
    model->frame = elv_pool_take(&model->pool, (size_t)c->spec->n_frame, sizeof *model->frame);
    if (!model->frame) {
        return elv_compile_no_memory(c);
    }
    for (int i = 0; i < c->spec->n_frame; i++) {
        const ElvFrameDef* def = &c->spec->frame[i];
        ElvResolved resolved;
        ElvStatus status = elv_compile_resolve(c, def->on, def->name, "on", &resolved);
        if (status != ELV_OK) {
            return status;
        }
        resolved.pose = elv_pose_compose(resolved.pose, def->pose);
        model->frame[i].name = elv_pool_string(&model->pool, def->name);
        model->frame[i].frame = elv_compile_frame(c, &resolved);
        if (!model->frame[i].name) {
            return elv_compile_no_memory(c);
        }
    }
    model->n_frame = c->spec->n_frame;
    return ELV_OK;
}

static ElvStatus
compile_point(ElvCompiler* c, const ElvWrenchDef* def, int i_load, const char* element) {
    ElvPointLoad* point = &c->model->point[c->model->n_point];
    ElvResolved resolved;
    ElvStatus status = elv_compile_resolve(c, def->at, element, "at", &resolved);
    for (int k = 0; k < 6 && status == ELV_OK; k++) {
        status = elv_law_set_add(&c->model->laws, &def->wrench[k], ELV_LAW_OF_T, element, "wrench",
                                 &point->law[k], c->error);
    }
    if (status == ELV_OK) {
        status = elv_law_set_add(&c->model->laws, &def->when, ELV_LAW_OF_T, element, "while",
                                 &point->when, c->error);
    }
    if (status == ELV_OK) {
        point->frame = elv_compile_frame(c, &resolved);
        point->axes = def->axes;
        point->i_load = i_load;
        c->model->n_point++;
    }
    return status;
}

static ElvStatus compile_loads(ElvCompiler* c) {
    const ElvSpec* spec = c->spec;
    ElvModel* model = c->model;
    model->point = elv_pool_take(&model->pool, (size_t)spec->n_load, sizeof *model->point);
    if (!model->point) {
        return elv_compile_no_memory(c);
    }
    for (int i = 0; i < spec->n_load; i++) {
        char element[32];
        int i_rod = 0;
        snprintf(element, sizeof element, "loads[%d]", i);
        ElvStatus status =
            spec->load[i].kind == ELV_LOAD_WRENCH
                ? compile_point(c, &spec->load[i].wrench, i, element)
                : elv_compile_find_rod(c, spec->load[i].distributed.rod, element, &i_rod);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

static ElvStatus compile_driven(ElvCompiler* c) {
    ElvModel* model = c->model;
    model->is_driven = elv_pool_take(&model->pool, (size_t)model->nv, sizeof *model->is_driven);
    if (!model->is_driven) {
        return elv_compile_no_memory(c);
    }
    for (int i = 0; i < model->n_node; i++) {
        const ElvNode* node = &model->node[i];
        for (int k = 0; k < node->joint->n_v; k++) {
            model->is_driven[node->i_v + k] = elv_joint_is_driven(node->joint, k);
        }
    }
    return ELV_OK;
}

// what a tip does not go with, or needs
static ElvStatus check_tip(const ElvCompiler* c) {
    const ElvModel* model = c->model;
    bool has_input = false;
    for (int i = 0; i < model->n_node; i++) {
        const char* name = model->node[i].name;
        if (model->node[i].info.is_imposed) {
            return elv_error_set(c->error, ELV_ERROR_INPUT, name, "motion",
                                 "the strains of rod '%s' are imposed, and so is the place of the "
                                 "tip: leave out 'motion', or 'tip' of 'inverse'",
                                 name);
        }
    }
    for (int i = 0; i < c->spec->n_actuator; i++) {
        ElvActuatorKind kind = c->spec->actuator[i].kind;
        has_input = has_input || kind == ELV_ACTUATOR_TENDON || kind == ELV_ACTUATOR_CHAMBER;
    }
    if (model->inverse.by == ELV_BY_TENSIONS && !has_input) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, "inverse", "by",
                             "there is no tendon and no chamber to bring the tip to its place: add "
                             "some to 'actuators', or write by: wrench");
    }
    return ELV_OK;
}

// where the tip of the last rod is to be
static ElvStatus compile_inverse(ElvCompiler* c) {
    ElvModel* model = c->model;
    model->inverse = c->spec->inverse;
    if (!elv_inverse_def_own(&model->pool, &model->inverse)) {
        return elv_compile_no_memory(c);
    }
    ElvStatus status = model->inverse.has_tip ? check_tip(c) : ELV_OK;
    for (int k = 0; k < 6 && model->inverse.has_tip && status == ELV_OK; k++) {
        status = elv_law_set_add(&model->laws, &model->inverse.tip[k], ELV_LAW_OF_T, "inverse",
                                 k < 3 ? "tip.rpy" : "tip.xyz", &model->tip[k], c->error);
    }
    return status;
}

// recorded signals are checked with the model, so that a typing error is found before a run
static ElvStatus compile_record(ElvCompiler* c) {
    ElvModel* model = c->model;
    model->simulate = c->spec->simulate;
    model->statics = c->spec->statics;
    model->record = c->spec->record;
    if (!elv_statics_def_own(&model->pool, &model->statics) ||
        !elv_record_def_own(&model->pool, &model->record)) {
        return elv_compile_no_memory(c);
    }
    ElvSignals* signals = NULL;
    ElvStatus status =
        elv_signals_create(model, model->record.signal, model->record.n_signal, &signals, c->error);
    elv_signals_free(signals);
    return status;
}

static ElvStatus prepare(ElvCompiler* c) {
    ElvModel* model = c->model;
    const ElvSpec* spec = c->spec;
    size_t n = (size_t)spec->n_element;
    model->gravity = spec->gravity;
    model->name = elv_pool_string(&model->pool, spec->name);
    // the parameters live as long as the formulas that were compiled with them
    ElvParameter* parameter =
        elv_pool_copy(&model->pool, spec->parameter, (size_t)spec->n_parameter, sizeof *parameter);
    c->order = elv_pool_take(&model->pool, n, sizeof *c->order);
    c->node_of = elv_pool_take(&model->pool, n, sizeof *c->node_of);
    c->is_built = elv_pool_take(&model->pool, n, sizeof *c->is_built);
    c->station = elv_pool_take(&model->pool, n, sizeof *c->station);
    c->n_station = elv_pool_take(&model->pool, n, sizeof *c->n_station);
    if (!model->name || !parameter || !c->order || !c->node_of || !c->is_built || !c->station ||
        !c->n_station) {
        return elv_compile_no_memory(c);
    }
    for (int i = 0; i < spec->n_parameter; i++) {
        parameter[i].name = elv_pool_string(&model->pool, spec->parameter[i].name);
        if (!parameter[i].name) {
            return elv_compile_no_memory(c);
        }
    }
    model->laws.pool = &model->pool;
    model->laws.parameter = parameter;
    model->laws.n_parameter = spec->n_parameter;
    return elv_check_gravity(spec->gravity, c->error);
}

ElvStatus elv_spec_compile(const ElvSpec* spec, ElvModel** model, ElvError* error) {
    static ElvStatus (*const step[])(ElvCompiler*) = {
        prepare,
        elv_compile_parts,
        elv_compile_order,
        elv_compile_fluid,
        elv_compile_check_actuators,
        elv_compile_stations,
        elv_compile_nodes,
        compile_frames,
        compile_loads,
        elv_compile_devices,
        compile_driven,
        compile_inverse,
        compile_record,
    };
    *model = NULL;
    elv_error_clear(error);
    ElvCompiler c = {.spec = spec, .error = error};
    c.model = calloc(1, sizeof *c.model);
    if (!c.model) {
        return elv_compile_no_memory(&c);
    }
    for (size_t i = 0; i < sizeof step / sizeof step[0]; i++) {
        ElvStatus status = step[i](&c);
        if (status != ELV_OK) {
            elv_model_free(c.model);
            return status;
        }
    }
    *model = c.model;
    return ELV_OK;
}
