// SPDX-License-Identifier: Apache-2.0
// Questions to a compiled model.
#include "multibody/device.h"

#include "base/sort.h"
#include "multibody/frame_reference.h"
#include "rod/rod_volume.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void elv_model_free(ElvModel* model) {
    if (model) {
        elv_law_set_free(&model->laws);
        elv_pool_free(&model->pool);
        free(model);
    }
}

const char* elv_model_name(const ElvModel* model) {
    return model->name;
}

ElvVec3 elv_model_gravity(const ElvModel* model) {
    return model->gravity;
}

int elv_model_nq(const ElvModel* model) {
    return model->nq;
}

int elv_model_nv(const ElvModel* model) {
    return model->nv;
}

int elv_model_nz(const ElvModel* model) {
    return model->nz;
}

int elv_model_n_device(const ElvModel* model) {
    return model->n_device;
}

ElvDeviceInfo elv_model_device(const ElvModel* model, int i_device) {
    const ElvDevice* device = model->device[i_device];
    int n_row = 0;
    for (int k = device->i_z; k < device->i_z + device->n_z && device->ops->motion; k++) {
        n_row += model->is_held[k] - model->is_place[k];
    }
    return (ElvDeviceInfo){device->ops->kind,       device->name, device->i_z, device->n_z,
                           device->is_differential, n_row};
}

int elv_model_n_node(const ElvModel* model) {
    return model->n_node;
}

ElvSimulateDef elv_model_simulate(const ElvModel* model) {
    return model->simulate;
}

ElvStaticsDef elv_model_statics(const ElvModel* model) {
    return model->statics;
}

ElvInverseDef elv_model_inverse(const ElvModel* model) {
    return model->inverse;
}

ElvRecordDef elv_model_record(const ElvModel* model) {
    return model->record;
}

double elv_model_mass(const ElvModel* model) {
    double mass = 0.0;
    for (int i = 0; i < model->n_node; i++) {
        mass += model->node[i].info.mass;
    }
    return mass;
}

ElvNodeInfo elv_model_node(const ElvModel* model, int i_node) {
    return model->node[i_node].info;
}

bool elv_model_is_driven(const ElvModel* model, int i_v) {
    return model->is_driven[i_v];
}

size_t elv_model_breakpoints(
    const ElvModel* model, double t_begin, double t_end, double* out, size_t capacity) {
    assert(out || capacity == 0);
    size_t n = 0;
    bool is_cut = false;
    for (int i = 0; i < model->laws.n_law; i++) {
        size_t room = capacity - n;
        size_t found = elv_law_breakpoints(model->laws.law[i], ELV_VARIABLE_T, t_begin, t_end,
                                           capacity > 0 ? out + n : NULL, room);
        is_cut = is_cut || found > room || found >= ELV_MAX_BREAKPOINT;
        n += found < room ? found : room;
    }
    elv_sort_doubles(out, n);
    size_t n_distinct = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_new = n_distinct == 0 || out[i] > out[n_distinct - 1];
        if (out[i] > t_begin && out[i] <= t_end && is_new) {
            out[n_distinct++] = out[i];
        }
    }
    return is_cut ? capacity + 1 : n_distinct;
}

// nearest name of a node or frame
static ElvStatus unknown_frame(const ElvModel* model, const char* name, ElvError* error) {
    const char* candidate[256];
    size_t n = 0;
    for (int i = 0; i < model->n_node && n < 255; i++) {
        candidate[n++] = model->node[i].name;
    }
    for (int i = 0; i < model->n_frame && n < 255; i++) {
        candidate[n++] = model->frame[i].name;
    }
    const char* near = elv_suggest(name, candidate, n);
    return elv_error_set(error, ELV_ERROR_INPUT, name, "",
                         near ? "no body, rod or frame is named '%s', did you mean '%s'?"
                              : "no body, rod or frame is named '%s'",
                         name, near);
}

static ElvStatus node_frame(const ElvNode* node,
                            const ElvPort* port,
                            const ElvFrameReference* reference,
                            ElvFrame* frame,
                            ElvError* error) {
    if (node->info.is_rod != reference->has_station) {
        return elv_error_set(error, ELV_ERROR_INPUT, node->name, "",
                             node->info.is_rod
                                 ? "'%s' is a rod: say where on it, e.g. '%s.tip'"
                                 : "'%s' is not a rod and has no stations: write '%s'",
                             node->name, node->name);
    }
    for (int i = 0; i < node->joint->n_port; i++) {
        if (!node->info.is_rod ||
            elv_same_station(port[node->i_port + i].station, reference->station)) {
            frame->port = node->i_port + i;
            return ELV_OK;
        }
    }
    return elv_error_set(error, ELV_ERROR_INPUT, node->name, "",
                         "station %g of rod '%s' is not known to the model: name it under frames",
                         reference->station, node->name);
}

ElvStatus
elv_model_frame(const ElvModel* model, const char* reference, ElvFrame* frame, ElvError* error) {
    ElvFrameReference parsed;
    frame->port = 0;
    frame->pose = elv_pose_identity();
    if (strcmp(reference, "world") == 0) {
        return ELV_OK;
    }
    for (int i = 0; i < model->n_frame; i++) {
        if (strcmp(model->frame[i].name, reference) == 0) {
            *frame = model->frame[i].frame;
            return ELV_OK;
        }
    }
    if (!elv_frame_reference_parse(reference, &parsed, NULL)) {
        return unknown_frame(model, reference, error);
    }
    for (int i = 0; i < model->n_node; i++) {
        if (strcmp(model->node[i].name, parsed.name) == 0) {
            return node_frame(&model->node[i], model->port, &parsed, frame, error);
        }
    }
    return unknown_frame(model, parsed.name, error);
}

ElvStatus elv_model_refuse_volume(const ElvModel* model, ElvError* error) {
    for (int i = 0; i < model->n_node; i++) {
        const ElvNode* node = &model->node[i];
        const ElvRod* rod = node->info.is_rod ? (const ElvRod*)node->joint : NULL;
        if (rod && rod->keeps_volume && !elv_rod_volume_is_imposed(rod)) {
            return elv_error_set(error, ELV_ERROR_INPUT, node->name, "volume",
                                 "the stretch of '%s' is free, and its sections keep their volume: "
                                 "simulate the model with 'method: explicit', or impose the "
                                 "stretch by 'motion'",
                                 node->name);
        }
    }
    return ELV_OK;
}
